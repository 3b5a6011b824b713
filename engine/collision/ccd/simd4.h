/* Four floats at a time, as every instruction set has them: wider vectors are taken apart lane by lane where it has
 * none. */
#ifndef WEFT_COLLISION_CCD_SIMD4_H
#define WEFT_COLLISION_CCD_SIMD4_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

typedef float weft__four __attribute__((vector_size(16)));
typedef int32_t weft__four_bits __attribute__((vector_size(16)));

static inline weft__four weft__four_load(const float* from) {
  weft__four lanes;
  memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

static inline weft__four weft__four_splat(float value) {
  return (weft__four){value, value, value, value};
}

/* a < b ? a : b */
static inline weft__four weft__four_min(weft__four a, weft__four b) {
#ifdef __SSE2__
  return (weft__four)_mm_min_ps((__m128)a, (__m128)b);
#else
  const weft__four_bits less = a < b;
  return (weft__four)(((weft__four_bits)a & less) | ((weft__four_bits)b & ~less));
#endif
}

/* a > b ? a : b */
static inline weft__four weft__four_max(weft__four a, weft__four b) {
#ifdef __SSE2__
  return (weft__four)_mm_max_ps((__m128)a, (__m128)b);
#else
  const weft__four_bits more = a > b;
  return (weft__four)(((weft__four_bits)a & more) | ((weft__four_bits)b & ~more));
#endif
}

static inline weft__four weft__four_sqrt(weft__four v) {
#ifdef __SSE2__
  return (weft__four)_mm_sqrt_ps((__m128)v);
#else
  return (weft__four){sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
#endif
}

static inline float weft__four_least(weft__four v) {
  const float a = v[0] < v[1] ? v[0] : v[1];
  const float b = v[2] < v[3] ? v[2] : v[3];
  return a < b ? a : b;
}

static inline float weft__four_most(weft__four v) {
  const float a = v[0] > v[1] ? v[0] : v[1];
  const float b = v[2] > v[3] ? v[2] : v[3];
  return a > b ? a : b;
}

/* A bit for each lane that is set. */
static inline uint32_t weft__four_mask(weft__four_bits lanes) {
#ifdef __SSE2__
  return (uint32_t)_mm_movemask_ps((__m128)lanes);
#else
  uint32_t bits = 0;
  for (uint32_t n = 0; n < 4; ++n) bits |= ((uint32_t)lanes[n] & 1u) << n;
  return bits;
#endif
}

#endif
