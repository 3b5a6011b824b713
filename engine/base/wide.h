/* SIMD operations: single-precision vectors and masks.
 *
 * A source file defines WIDE_LANES (1, 4, 8 or 16) and includes this file: kernels the lanes of
 * their ISA, other code 4 or 1. `wide` is the compiler's vector type: + - * / are IEEE operations
 * lane by lane; only square root, masks and shuffles have code for each ISA. */
#ifndef WEFT_BASE_WIDE_H
#define WEFT_BASE_WIDE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if WIDE_LANES > 1 && defined(__SSE2__)
#include <immintrin.h>
#elif WIDE_LANES > 1 && defined(__aarch64__)
#include <arm_neon.h>
#elif WIDE_LANES > 1 && defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

/* Always inlined: specialized for each set of constant arguments. */
#define SPECIALIZED __attribute__((always_inline)) static inline

#if WIDE_LANES == 1
typedef float wide;
typedef int32_t wide_bits;
#else
typedef float wide __attribute__((vector_size(4 * WIDE_LANES)));
typedef int32_t wide_bits __attribute__((vector_size(4 * WIDE_LANES)));
#endif

// One bit a lane where the ISA has mask registers, else all bits of a lane.
#if WIDE_LANES == 16
typedef __mmask16 wide_mask;
#else
typedef wide_bits wide_mask;
#endif

static inline wide wide_load(const float* from) {
  wide value;
  memcpy(&value, from, sizeof(value));
  return value;
}

static inline void wide_store(float* to, wide value) {
  memcpy(to, &value, sizeof(value));
}

static inline wide wide_splat(float value) {
  return (wide){0} + value;
}

static inline wide wide_sqrt(wide value) {
#if WIDE_LANES == 1
  return sqrtf(value);
#elif WIDE_LANES == 4 && defined(__aarch64__)
  return (wide)vsqrtq_f32((float32x4_t)value);
#elif WIDE_LANES == 4 && defined(__wasm_simd128__)
  return (wide)wasm_f32x4_sqrt((v128_t)value);
#elif WIDE_LANES == 4 && defined(__SSE2__)
  return (wide)_mm_sqrt_ps((__m128)value);
#elif WIDE_LANES == 4
  return (wide){sqrtf(value[0]), sqrtf(value[1]), sqrtf(value[2]), sqrtf(value[3])};
#elif WIDE_LANES == 8
  return (wide)_mm256_sqrt_ps((__m256)value);
#elif WIDE_LANES == 16
  return (wide)_mm512_sqrt_ps((__m512)value);
#endif
}

/* Relative error 5e-6; finite for 0. Two Newton steps from an exponent guess (Lomont 2003): IEEE
 * operations, the same bits on all ISAs, in a third of the time of a root and a division. */
static inline wide wide_inverse_sqrt(wide value) {
  wide_bits bits;
  memcpy(&bits, &value, sizeof(bits));
  bits = 0x5f375a86 - (bits >> 1);
  wide guess;
  memcpy(&guess, &bits, sizeof(guess));
  const wide half = 0.5f * value;
  guess = guess * (1.5f - half * guess * guess);
  return guess * (1.5f - half * guess * guess);
}

static inline wide wide_keep(wide value, wide_mask keep) {
#if WIDE_LANES == 1
  return keep ? value : 0.0f;
#elif WIDE_LANES == 16
  return (wide)_mm512_maskz_mov_ps(keep, (__m512)value);
#else
  return (wide)((wide_bits)value & keep);
#endif
}

static inline wide_mask wide_positive(wide value) {
#if WIDE_LANES == 1
  return -(value > 0.0f);
#elif WIDE_LANES == 16
  return _mm512_cmp_ps_mask((__m512)value, _mm512_setzero_ps(), _CMP_GT_OQ);
#else
  return value > 0.0f;
#endif
}

static inline wide_mask wide_equal(wide a, wide b) {
#if WIDE_LANES == 1
  return -(a == b);
#elif WIDE_LANES == 16
  return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
#else
  return a == b;
#endif
}

static inline wide_mask wide_equal_number(const uint32_t* numbers, uint32_t number) {
#if WIDE_LANES == 1
  return -(numbers[0] == number);
#elif WIDE_LANES == 16
  return _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(numbers), _mm512_set1_epi32((int)number));
#else
  wide_bits lanes;
  memcpy(&lanes, numbers, sizeof(lanes));
  return lanes == (int32_t)number;
#endif
}

static inline wide_mask wide_at_least(wide a, wide b) {
#if WIDE_LANES == 1
  return -(a >= b);
#elif WIDE_LANES == 16
  return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GE_OQ);
#else
  return a >= b;
#endif
}

static inline wide wide_select(wide a, wide b, wide_mask mask) {
#if WIDE_LANES == 1
  return mask ? a : b;
#elif WIDE_LANES == 16
  return (wide)_mm512_mask_blend_ps(mask, (__m512)b, (__m512)a);
#else
  return (wide)(((wide_bits)a & mask) | ((wide_bits)b & ~mask));
#endif
}

/* b if either is NaN. */
static inline wide wide_min(wide a, wide b) {
#if WIDE_LANES == 1
  return a < b ? a : b;
#elif WIDE_LANES == 16
  return (wide)_mm512_min_ps((__m512)a, (__m512)b);
#elif WIDE_LANES == 8
  return (wide)_mm256_min_ps((__m256)a, (__m256)b);
#elif WIDE_LANES == 4 && defined(__SSE2__)
  return (wide)_mm_min_ps((__m128)a, (__m128)b);
#elif WIDE_LANES == 4 && defined(__wasm_simd128__)
  return (wide)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#else
  const wide_bits less = a < b;
  return (wide)(((wide_bits)a & less) | ((wide_bits)b & ~less));
#endif
}

static inline wide wide_max(wide a, wide b) {
#if WIDE_LANES == 1
  return a > b ? a : b;
#elif WIDE_LANES == 16
  return (wide)_mm512_max_ps((__m512)a, (__m512)b);
#elif WIDE_LANES == 8
  return (wide)_mm256_max_ps((__m256)a, (__m256)b);
#elif WIDE_LANES == 4 && defined(__SSE2__)
  return (wide)_mm_max_ps((__m128)a, (__m128)b);
#elif WIDE_LANES == 4 && defined(__wasm_simd128__)
  return (wide)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#else
  const wide_bits more = a > b;
  return (wide)(((wide_bits)a & more) | ((wide_bits)b & ~more));
#endif
}

static inline bool wide_all(wide_mask mask) {
#if WIDE_LANES == 1
  return mask != 0;
#elif WIDE_LANES == 4 && defined(__aarch64__)
  return vminvq_u32((uint32x4_t)mask) != 0;
#elif WIDE_LANES == 4 && defined(__wasm_simd128__)
  return wasm_i32x4_all_true((v128_t)mask);
#elif WIDE_LANES == 4 && defined(__SSE2__)
  return _mm_movemask_ps((__m128)mask) == 0xf;
#elif WIDE_LANES == 4
  return (mask[0] & mask[1] & mask[2] & mask[3]) != 0;
#elif WIDE_LANES == 8
  return _mm256_movemask_ps((__m256)mask) == 0xff;
#elif WIDE_LANES == 16
  return mask == 0xffff;
#endif
}

/* No lane may be NaN. */
static inline float wide_min_lane(wide value) {
  float lanes[WIDE_LANES];
  wide_store(lanes, value);
  float lowest = lanes[0];
  for (int lane = 1; lane < WIDE_LANES; ++lane)
    lowest = lanes[lane] < lowest ? lanes[lane] : lowest;
  return lowest;
}

static inline float wide_max_lane(wide value) {
  float lanes[WIDE_LANES];
  wide_store(lanes, value);
  float highest = lanes[0];
  for (int lane = 1; lane < WIDE_LANES; ++lane) {
    highest = lanes[lane] > highest ? lanes[lane] : highest;
  }
  return highest;
}

/* Lane 0 is bit 0. */
static inline uint32_t wide_to_mask(wide_mask mask) {
#if WIDE_LANES == 1
  return (uint32_t)mask & 1u;
#elif WIDE_LANES == 16
  return (uint32_t)mask;
#elif WIDE_LANES == 8
  return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__aarch64__)
  static const uint32_t bit_of_lane[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32((uint32x4_t)mask, vld1q_u32(bit_of_lane)));
#elif defined(__wasm_simd128__)
  return wasm_i32x4_bitmask((v128_t)mask);
#elif defined(__SSE2__)
  return (uint32_t)_mm_movemask_ps((__m128)mask);
#else
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < 4; ++lane) bits |= ((uint32_t)mask[lane] & 1u) << lane;
  return bits;
#endif
}

static inline wide_mask wide_from_mask(uint32_t mask) {
#if WIDE_LANES == 1
  return -(int32_t)(mask & 1u);
#elif WIDE_LANES == 16
  return (wide_mask)mask;
#else
  static const int32_t bit_of_lane[8] = {1 << 0, 1 << 1, 1 << 2, 1 << 3,
                                         1 << 4, 1 << 5, 1 << 6, 1 << 7};
  wide_bits bits;
  memcpy(&bits, bit_of_lane, sizeof(bits));
  return (bits & (int32_t)mask) == bits;
#endif
}

/* Appends number + bit for each bit of a mask of 16, ascending, or value[bit]; returns how many.
 * Room for 16 items. Branchless where the ISA allows, as masks of few bits are mispredicted. */
static inline uint32_t wide_append_bits(uint32_t* to, uint32_t number, uint32_t mask) {
#if WIDE_LANES == 16
  const __m512i ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i numbers = _mm512_add_epi32(ramp, _mm512_set1_epi32((int)number));
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)mask, numbers));
  return (uint32_t)__builtin_popcount(mask);
#else
  uint32_t count = 0;
  for (; mask != 0; mask &= mask - 1) to[count++] = number + (uint32_t)__builtin_ctz(mask);
  return count;
#endif
}

static inline uint32_t wide_append_values(uint32_t* to, const uint16_t value[16], uint32_t mask) {
#if WIDE_LANES == 16
  const __m512i values = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void*)value));
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)mask, values));
  return (uint32_t)__builtin_popcount(mask);
#else
  uint32_t count = 0;
  for (; mask != 0; mask &= mask - 1) to[count++] = value[__builtin_ctz(mask)];
  return count;
#endif
}

static inline void wide_append_floats(float* to, const float value[16], uint32_t mask) {
#if WIDE_LANES == 16
  _mm512_storeu_ps(to, _mm512_maskz_compress_ps((__mmask16)mask, _mm512_loadu_ps(value)));
#else
  for (uint32_t count = 0; mask != 0; mask &= mask - 1) to[count++] = value[__builtin_ctz(mask)];
#endif
}

/* First `count` lanes, 1 to WIDE_LANES: others load as 0 and are not stored. WIDE_LANES: plain. */
static inline wide wide_load_first(const float* from, size_t count) {
  if (count == WIDE_LANES) return wide_load(from);
#if WIDE_LANES == 16
  return (wide)_mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), from);
#elif WIDE_LANES == 8
  return (wide)_mm256_maskload_ps(from, (__m256i)wide_from_mask((1u << count) - 1));
#else
  float lanes[WIDE_LANES] = {0};
#pragma GCC unroll 4
  for (size_t lane = 0; lane < WIDE_LANES; ++lane) {
    if (lane < count) lanes[lane] = from[lane];
  }
  return wide_load(lanes);
#endif
}

static inline void wide_store_first(float* to, wide value, size_t count) {
  if (count == WIDE_LANES) {
    wide_store(to, value);
    return;
  }
#if WIDE_LANES == 16
  _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1), (__m512)value);
#elif WIDE_LANES == 8
  _mm256_maskstore_ps(to, (__m256i)wide_from_mask((1u << count) - 1), (__m256)value);
#else
  float lanes[WIDE_LANES];
  wide_store(lanes, value);
#pragma GCC unroll 4
  for (size_t lane = 0; lane < WIDE_LANES; ++lane) {
    if (lane < count) to[lane] = lanes[lane];
  }
#endif
}

#if WIDE_LANES > 1
typedef float half_wide __attribute__((vector_size(2 * WIDE_LANES)));

static inline half_wide wide_even_lanes(wide value) {
#if WIDE_LANES == 4
  return __builtin_shufflevector(value, value, 0, 2);
#elif WIDE_LANES == 8
  return __builtin_shufflevector(value, value, 0, 2, 4, 6);
#else
  return __builtin_shufflevector(value, value, 0, 2, 4, 6, 8, 10, 12, 14);
#endif
}

static inline half_wide wide_odd_lanes(wide value) {
#if WIDE_LANES == 4
  return __builtin_shufflevector(value, value, 1, 3);
#elif WIDE_LANES == 8
  return __builtin_shufflevector(value, value, 1, 3, 5, 7);
#else
  return __builtin_shufflevector(value, value, 1, 3, 5, 7, 9, 11, 13, 15);
#endif
}

/* From lane `lane` of a sequence that takes from `even` and `odd` in turn. */
static inline wide wide_load_in_turn(const float* even, const float* odd, size_t lane) {
  half_wide a, b;
  memcpy(&a, even + lane / 2, sizeof(a));
  memcpy(&b, odd + lane / 2, sizeof(b));
#if WIDE_LANES == 4
  return __builtin_shufflevector(a, b, 0, 2, 1, 3);
#elif WIDE_LANES == 8
  return __builtin_shufflevector(a, b, 0, 4, 1, 5, 2, 6, 3, 7);
#else
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
#endif
}
#else
static inline wide wide_load_in_turn(const float* even, const float* odd, size_t lane) {
  return (lane % 2 == 0 ? even : odd)[lane / 2];
}
#endif

typedef struct wide_vector {
  wide x, y, z;
} wide_vector;

static inline wide_vector wide_load_vector(float* const column[3], size_t at) {
  return (wide_vector){wide_load(column[0] + at), wide_load(column[1] + at),
                       wide_load(column[2] + at)};
}

static inline void wide_store_vector(float* const column[3], size_t at, wide_vector a) {
  wide_store(column[0] + at, a.x);
  wide_store(column[1] + at, a.y);
  wide_store(column[2] + at, a.z);
}

static inline wide wide_dot(wide_vector a, wide_vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline wide wide_square(wide_vector a) {
  return wide_dot(a, a);
}

static inline wide_vector wide_plus(wide_vector a, wide_vector b) {
  return (wide_vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline wide_vector wide_minus(wide_vector a, wide_vector b) {
  return (wide_vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline wide_vector wide_scaled(wide s, wide_vector a) {
  return (wide_vector){s * a.x, s * a.y, s * a.z};
}

static inline wide_vector wide_along(wide_vector start, wide_vector direction, wide share) {
  return wide_plus(start, wide_scaled(share, direction));
}

static inline wide_vector wide_cross(wide_vector a, wide_vector b) {
  return (wide_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline wide_vector wide_choose(wide_vector a, wide_vector b, wide_mask mask) {
  return (wide_vector){wide_select(a.x, b.x, mask), wide_select(a.y, b.y, mask),
                       wide_select(a.z, b.z, mask)};
}

static inline wide_vector wide_kept(wide_vector a, wide_mask keep) {
  return (wide_vector){wide_keep(a.x, keep), wide_keep(a.y, keep), wide_keep(a.z, keep)};
}

#endif
