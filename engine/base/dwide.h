/* Vectors of doubles, half as many lanes as `wide`, or one; IEEE, the same bits as scalar C. */
#ifndef WEFT_BASE_DWIDE_H
#define WEFT_BASE_DWIDE_H

#include "base/frame.h"
#include "base/wide.h"

#if WIDE_LANES == 1
#define DWIDE_LANES 1
typedef double dwide;
typedef int64_t dwide_bits;
#else
#define DWIDE_LANES (WIDE_LANES / 2)
typedef double dwide __attribute__((vector_size(8 * DWIDE_LANES)));
typedef int64_t dwide_bits __attribute__((vector_size(8 * DWIDE_LANES)));
typedef float dwide_floats __attribute__((vector_size(4 * DWIDE_LANES)));
#endif

#if DWIDE_LANES == 8
typedef __mmask8 dwide_mask;
#else
typedef dwide_bits dwide_mask;
#endif

static inline dwide dwide_splat(double value) {
  return (dwide){0} + value;
}

static inline dwide dwide_load(const float* from) {
#if DWIDE_LANES == 1
  return (double)*from;
#elif DWIDE_LANES == 4
  return (dwide)_mm256_cvtps_pd(_mm_loadu_ps(from));
#elif DWIDE_LANES == 8
  return (dwide)_mm512_cvtps_pd(_mm256_loadu_ps(from));
#else
  dwide_floats value;
  memcpy(&value, from, sizeof(value));
  return __builtin_convertvector(value, dwide);
#endif
}

static inline void dwide_store(float* to, dwide value) {
#if DWIDE_LANES == 1
  *to = (float)value;
#elif DWIDE_LANES == 4
  _mm_storeu_ps(to, _mm256_cvtpd_ps((__m256d)value));
#elif DWIDE_LANES == 8
  _mm256_storeu_ps(to, _mm512_cvtpd_ps((__m512d)value));
#else
  const dwide_floats rounded = __builtin_convertvector(value, dwide_floats);
  memcpy(to, &rounded, sizeof(rounded));
#endif
}

static inline dwide dwide_load_doubles(const double* from) {
  dwide value;
  memcpy(&value, from, sizeof(value));
  return value;
}

static inline void dwide_store_doubles(double* to, dwide value) {
  memcpy(to, &value, sizeof(value));
}

static inline dwide dwide_sqrt(dwide value) {
#if DWIDE_LANES == 1
  return sqrt(value);
#elif DWIDE_LANES == 2 && defined(__aarch64__)
  return (dwide)vsqrtq_f64((float64x2_t)value);
#elif DWIDE_LANES == 2 && defined(__wasm_simd128__)
  return (dwide)wasm_f64x2_sqrt((v128_t)value);
#elif DWIDE_LANES == 2
  return (dwide)_mm_sqrt_pd((__m128d)value);
#elif DWIDE_LANES == 4
  return (dwide)_mm256_sqrt_pd((__m256d)value);
#elif DWIDE_LANES == 8
  return (dwide)_mm512_sqrt_pd((__m512d)value);
#endif
}

static inline dwide dwide_abs(dwide value) {
#if DWIDE_LANES == 1
  return fabs(value);
#else
  return (dwide)((dwide_bits)value & INT64_MAX);
#endif
}

static inline dwide_mask dwide_above(dwide a, dwide b) {
#if DWIDE_LANES == 1
  return -(int64_t)(a > b);
#elif DWIDE_LANES == 8
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ);
#else
  return a > b;
#endif
}

static inline dwide_mask dwide_at_least(dwide a, dwide b) {
#if DWIDE_LANES == 1
  return -(int64_t)(a >= b);
#elif DWIDE_LANES == 8
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GE_OQ);
#else
  return a >= b;
#endif
}

static inline dwide dwide_select(dwide a, dwide b, dwide_mask mask) {
#if DWIDE_LANES == 1
  return mask ? a : b;
#elif DWIDE_LANES == 8
  return (dwide)_mm512_mask_blend_pd(mask, (__m512d)b, (__m512d)a);
#else
  return (dwide)(((dwide_bits)a & mask) | ((dwide_bits)b & ~mask));
#endif
}

static inline dwide_mask dwide_not(dwide_mask mask) {
  return (dwide_mask)~mask;
}

static inline dwide dwide_min(dwide a, dwide b) {
  return dwide_select(a, b, dwide_above(b, a));
}

static inline dwide dwide_max(dwide a, dwide b) {
  return dwide_select(a, b, dwide_above(a, b));
}

/* Lane 0 is bit 0; higher bits are ignored. */
static inline uint32_t dwide_to_mask(dwide_mask mask) {
#if DWIDE_LANES == 1
  return (uint32_t)mask & 1u;
#elif DWIDE_LANES == 8
  return (uint32_t)mask;
#elif DWIDE_LANES == 4
  return (uint32_t)_mm256_movemask_pd((__m256d)mask);
#elif defined(__aarch64__)
  return (uint32_t)(mask[0] & 1) | (uint32_t)(mask[1] & 2);
#elif defined(__wasm_simd128__)
  return wasm_i64x2_bitmask((v128_t)mask);
#else
  return (uint32_t)_mm_movemask_pd((__m128d)mask);
#endif
}

static inline dwide_mask dwide_from_mask(uint64_t mask) {
#if DWIDE_LANES == 1
  return -(int64_t)(mask & 1u);
#elif DWIDE_LANES == 8
  return (dwide_mask)mask;
#else
  static const int64_t bit_of_lane[4] = {1, 2, 4, 8};
  dwide_bits bits;
  memcpy(&bits, bit_of_lane, sizeof(bits));
  return (bits & (int64_t)mask) == bits;
#endif
}

static inline bool dwide_any(dwide_mask mask) {
  return dwide_to_mask(mask) != 0;
}

#if DWIDE_LANES == 1
typedef weft__vec3 dwide_vector;
#else
typedef struct dwide_vector {
  dwide x, y, z;
} dwide_vector;
#endif

static inline dwide dwide_dot(dwide_vector a, dwide_vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline dwide_vector dwide_plus(dwide_vector a, dwide_vector b) {
  return (dwide_vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline dwide_vector dwide_minus(dwide_vector a, dwide_vector b) {
  return (dwide_vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline dwide_vector dwide_cross(dwide_vector a, dwide_vector b) {
  return (dwide_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline dwide_vector dwide_scaled(dwide s, dwide_vector a) {
  return (dwide_vector){s * a.x, s * a.y, s * a.z};
}

static inline dwide_vector dwide_choose(dwide_vector a, dwide_vector b, dwide_mask mask) {
  return (dwide_vector){dwide_select(a.x, b.x, mask), dwide_select(a.y, b.y, mask),
                        dwide_select(a.z, b.z, mask)};
}

static inline dwide dwide_square(dwide_vector a) {
  return dwide_dot(a, a);
}

static inline dwide_vector dwide_along(dwide_vector start, dwide_vector direction, dwide share) {
  return dwide_plus(start, dwide_scaled(share, direction));
}

// Frame transforms as in base/frame.h.
static inline dwide_vector dwide_turn_in(const weft__frame* f, dwide_vector a) {
  if (!f->turns) return a;
  const weft__vec3* n = f->axis;
  return (dwide_vector){n[0].x * a.x + n[0].y * a.y + n[0].z * a.z,
                        n[1].x * a.x + n[1].y * a.y + n[1].z * a.z,
                        n[2].x * a.x + n[2].y * a.y + n[2].z * a.z};
}

static inline dwide_vector dwide_turn_out(const weft__frame* f, dwide_vector a) {
  if (!f->turns) return a;
  const weft__vec3* n = f->axis;
  return (dwide_vector){n[0].x * a.x + n[1].x * a.y + n[2].x * a.z,
                        n[0].y * a.x + n[1].y * a.y + n[2].y * a.z,
                        n[0].z * a.x + n[1].z * a.y + n[2].z * a.z};
}

static inline dwide_vector dwide_frame_in(const weft__frame* f, dwide_vector a) {
  const weft__vec3 p = f->position;
  return dwide_turn_in(f, (dwide_vector){a.x - p.x, a.y - p.y, a.z - p.z});
}

static inline dwide_vector dwide_frame_out(const weft__frame* f, dwide_vector a) {
  const weft__vec3 p = f->position;
  const dwide_vector turned = dwide_turn_out(f, a);
  return (dwide_vector){p.x + turned.x, p.y + turned.y, p.z + turned.z};
}

#endif
