/* Vectors of doubles, for work that needs more precision than float: half as many lanes as `wide`,
 * at least one. All operations are IEEE, lane by lane: the same bits as scalar C. */
#ifndef WEFT_KERNELS_FINE_H
#define WEFT_KERNELS_FINE_H

#include "base/frame.h"
#include "kernels/wide.h"

#if WIDE_LANES == 1
#define FINE_LANES 1
typedef double fine;
typedef int64_t fine_bits;
#else
#define FINE_LANES (WIDE_LANES / 2)
typedef double fine __attribute__((vector_size(8 * FINE_LANES)));
typedef int64_t fine_bits __attribute__((vector_size(8 * FINE_LANES)));
typedef float fine_floats __attribute__((vector_size(4 * FINE_LANES)));
#endif

// mask of lanes: see wide_mask
#if FINE_LANES == 8
typedef __mmask8 fine_mask;
#else
typedef fine_bits fine_mask;
#endif

static inline fine fine_splat(double value) {
  return (fine){0} + value;
}

/* Loads floats and stores them rounded to nearest. */
static inline fine fine_load(const float* from) {
#if FINE_LANES == 1
  return (double)*from;
#elif FINE_LANES == 4
  return (fine)_mm256_cvtps_pd(_mm_loadu_ps(from));
#elif FINE_LANES == 8
  return (fine)_mm512_cvtps_pd(_mm256_loadu_ps(from));
#else
  fine_floats value;
  memcpy(&value, from, sizeof(value));
  return __builtin_convertvector(value, fine);
#endif
}

static inline void fine_store(float* to, fine value) {
#if FINE_LANES == 1
  *to = (float)value;
#elif FINE_LANES == 4
  _mm_storeu_ps(to, _mm256_cvtpd_ps((__m256d)value));
#elif FINE_LANES == 8
  _mm256_storeu_ps(to, _mm512_cvtpd_ps((__m512d)value));
#else
  const fine_floats rounded = __builtin_convertvector(value, fine_floats);
  memcpy(to, &rounded, sizeof(rounded));
#endif
}

static inline fine fine_load_doubles(const double* from) {
  fine value;
  memcpy(&value, from, sizeof(value));
  return value;
}

static inline void fine_store_doubles(double* to, fine value) {
  memcpy(to, &value, sizeof(value));
}

static inline fine fine_sqrt(fine value) {
#if FINE_LANES == 1
  return sqrt(value);
#elif FINE_LANES == 2 && defined(__aarch64__)
  return (fine)vsqrtq_f64((float64x2_t)value);
#elif FINE_LANES == 2
  return (fine)_mm_sqrt_pd((__m128d)value);
#elif FINE_LANES == 4
  return (fine)_mm256_sqrt_pd((__m256d)value);
#elif FINE_LANES == 8
  return (fine)_mm512_sqrt_pd((__m512d)value);
#endif
}

static inline fine fine_abs(fine value) {
#if FINE_LANES == 1
  return fabs(value);
#else
  return (fine)((fine_bits)value & INT64_MAX);
#endif
}

/* Lanes with a > b, and with a >= b. */
static inline fine_mask fine_above(fine a, fine b) {
#if FINE_LANES == 1
  return -(int64_t)(a > b);
#elif FINE_LANES == 8
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ);
#else
  return a > b;
#endif
}

static inline fine_mask fine_at_least(fine a, fine b) {
#if FINE_LANES == 1
  return -(int64_t)(a >= b);
#elif FINE_LANES == 8
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GE_OQ);
#else
  return a >= b;
#endif
}

/* a in the lanes of the mask, b in the others. */
static inline fine fine_select(fine a, fine b, fine_mask mask) {
#if FINE_LANES == 1
  return mask ? a : b;
#elif FINE_LANES == 8
  return (fine)_mm512_mask_blend_pd(mask, (__m512d)b, (__m512d)a);
#else
  return (fine)(((fine_bits)a & mask) | ((fine_bits)b & ~mask));
#endif
}

static inline fine_mask fine_not(fine_mask mask) {
  return (fine_mask)~mask;
}

static inline fine fine_max(fine a, fine b) {
  return fine_select(a, b, fine_above(a, b));
}

/* One bit for each lane of the mask: lane 0 is bit 0. */
static inline uint32_t fine_to_mask(fine_mask mask) {
#if FINE_LANES == 1
  return (uint32_t)mask & 1u;
#elif FINE_LANES == 8
  return (uint32_t)mask;
#elif FINE_LANES == 4
  return (uint32_t)_mm256_movemask_pd((__m256d)mask);
#elif defined(__aarch64__)
  return (uint32_t)(mask[0] & 1) | (uint32_t)(mask[1] & 2);
#else
  return (uint32_t)_mm_movemask_pd((__m128d)mask);
#endif
}

/* Mask of the lanes whose bit is set; higher bits are ignored. */
static inline fine_mask fine_from_mask(uint64_t mask) {
#if FINE_LANES == 1
  return -(int64_t)(mask & 1u);
#elif FINE_LANES == 8
  return (fine_mask)mask;
#else
  static const int64_t bit_of_lane[4] = {1, 2, 4, 8};
  fine_bits bits;
  memcpy(&bits, bit_of_lane, sizeof(bits));
  return (bits & (int64_t)mask) == bits;
#endif
}

static inline bool fine_any(fine_mask mask) {
  return fine_to_mask(mask) != 0;
}

// ---- 3D vectors ----

typedef struct fine_vector {
  fine x, y, z;
} fine_vector;

static inline fine fine_dot(fine_vector a, fine_vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline fine_vector fine_plus(fine_vector a, fine_vector b) {
  return (fine_vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline fine_vector fine_minus(fine_vector a, fine_vector b) {
  return (fine_vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline fine_vector fine_scaled(fine s, fine_vector a) {
  return (fine_vector){s * a.x, s * a.y, s * a.z};
}

static inline fine_vector fine_choose(fine_vector a, fine_vector b, fine_mask mask) {
  return (fine_vector){fine_select(a.x, b.x, mask), fine_select(a.y, b.y, mask),
                       fine_select(a.z, b.z, mask)};
}

// Frame transforms as in base/frame.h.
static inline fine_vector fine_turn_in(const weft__frame* f, fine_vector a) {
  if (!f->turns) return a;
  const weft__vec3* n = f->axis;
  return (fine_vector){n[0].x * a.x + n[0].y * a.y + n[0].z * a.z,
                       n[1].x * a.x + n[1].y * a.y + n[1].z * a.z,
                       n[2].x * a.x + n[2].y * a.y + n[2].z * a.z};
}

static inline fine_vector fine_turn_out(const weft__frame* f, fine_vector a) {
  if (!f->turns) return a;
  const weft__vec3* n = f->axis;
  return (fine_vector){n[0].x * a.x + n[1].x * a.y + n[2].x * a.z,
                       n[0].y * a.x + n[1].y * a.y + n[2].y * a.z,
                       n[0].z * a.x + n[1].z * a.y + n[2].z * a.z};
}

static inline fine_vector fine_frame_in(const weft__frame* f, fine_vector a) {
  const weft__vec3 p = f->position;
  return fine_turn_in(f, (fine_vector){a.x - p.x, a.y - p.y, a.z - p.z});
}

static inline fine_vector fine_frame_out(const weft__frame* f, fine_vector a) {
  const weft__vec3 p = f->position;
  const fine_vector turned = fine_turn_out(f, a);
  return (fine_vector){p.x + turned.x, p.y + turned.y, p.z + turned.z};
}

#endif
