/* The few vector operations that the kernels are written in.
 *
 * A kernel file defines WIDE_LANES (1, 4, 8 or 16), includes this, and then kernels_body.inl.
 * `wide` is WIDE_LANES floats in the compiler's own vector type, so + - * / are IEEE operations
 * lane by lane on every ISA, and NEON, SSE2, AVX2 and AVX-512 need no code of their own but for the
 * square root. */
#ifndef WEFT_KERNELS_WIDE_H
#define WEFT_KERNELS_WIDE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if WIDE_LANES > 1 && defined(__SSE2__)
#include <immintrin.h>
#elif WIDE_LANES > 1 && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#if WIDE_LANES == 1
typedef float wide;
typedef int32_t wide_bits;
#else
typedef float wide __attribute__((vector_size(4 * WIDE_LANES)));
typedef int32_t wide_bits __attribute__((vector_size(4 * WIDE_LANES)));
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
#elif WIDE_LANES == 4 && defined(__ARM_NEON)
  return (wide)vsqrtq_f32((float32x4_t)value);
#elif WIDE_LANES == 4
  return (wide)_mm_sqrt_ps((__m128)value);
#elif WIDE_LANES == 8
  return (wide)_mm256_sqrt_ps((__m256)value);
#elif WIDE_LANES == 16
  return (wide)_mm512_sqrt_ps((__m512)value);
#endif
}

/* The value where the lane's bits are all ones, +0 where they are all zeros. */
static inline wide wide_keep(wide value, wide_bits keep) {
#if WIDE_LANES == 1
  return keep ? value : 0.0f;
#else
  return (wide)((wide_bits)value & keep);
#endif
}

/* All ones in the lanes whose value is above 0. */
static inline wide_bits wide_positive(wide value) {
#if WIDE_LANES == 1
  return -(value > 0.0f);
#else
  return value > 0.0f;
#endif
}

/* All ones in the lanes whose bit is set: lane 0 is bit 0. */
static inline wide_bits wide_from_mask(uint32_t mask) {
#if WIDE_LANES == 1
  return -(int32_t)(mask & 1u);
#else
  static const int32_t bit_of_lane[16] = {1 << 0,  1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                          1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                          1 << 12, 1 << 13, 1 << 14, 1 << 15};
  wide_bits bits;
  memcpy(&bits, bit_of_lane, sizeof(bits));
  return (bits & (int32_t)mask) == bits;
#endif
}

#endif
