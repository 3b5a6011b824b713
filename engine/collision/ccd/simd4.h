/* Four SIMD lanes by GCC vector extensions: every supported ISA has registers of this width,
 * whereas wider vectors would be split into scalars where it has none. */
#ifndef WEFT_COLLISION_CCD_SIMD4_H
#define WEFT_COLLISION_CCD_SIMD4_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

typedef float weft__float4 __attribute__((vector_size(16)));
typedef int32_t weft__mask4 __attribute__((vector_size(16)));

static inline weft__float4 weft__float4_load(const float* from) {
  weft__float4 lanes;
  memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

static inline weft__float4 weft__float4_splat(float value) {
  return (weft__float4){value, value, value, value};
}

/* a < b ? a : b */
static inline weft__float4 weft__float4_min(weft__float4 a, weft__float4 b) {
#ifdef __SSE2__
  return (weft__float4)_mm_min_ps((__m128)a, (__m128)b);
#else
  const weft__mask4 less = a < b;
  return (weft__float4)(((weft__mask4)a & less) | ((weft__mask4)b & ~less));
#endif
}

/* a > b ? a : b */
static inline weft__float4 weft__float4_max(weft__float4 a, weft__float4 b) {
#ifdef __SSE2__
  return (weft__float4)_mm_max_ps((__m128)a, (__m128)b);
#else
  const weft__mask4 more = a > b;
  return (weft__float4)(((weft__mask4)a & more) | ((weft__mask4)b & ~more));
#endif
}

static inline weft__float4 weft__float4_sqrt(weft__float4 v) {
#ifdef __SSE2__
  return (weft__float4)_mm_sqrt_ps((__m128)v);
#else
  return (weft__float4){sqrtf(v[0]), sqrtf(v[1]), sqrtf(v[2]), sqrtf(v[3])};
#endif
}

static inline float weft__float4_min_lane(weft__float4 v) {
  const float a = v[0] < v[1] ? v[0] : v[1];
  const float b = v[2] < v[3] ? v[2] : v[3];
  return a < b ? a : b;
}

static inline float weft__float4_max_lane(weft__float4 v) {
  const float a = v[0] > v[1] ? v[0] : v[1];
  const float b = v[2] > v[3] ? v[2] : v[3];
  return a > b ? a : b;
}

/* Bit mask of the lanes that are set. */
static inline uint32_t weft__mask4_bits(weft__mask4 lanes) {
#ifdef __SSE2__
  return (uint32_t)_mm_movemask_ps((__m128)lanes);
#else
  uint32_t bits = 0;
  for (uint32_t n = 0; n < 4; ++n) bits |= ((uint32_t)lanes[n] & 1u) << n;
  return bits;
#endif
}

#endif
