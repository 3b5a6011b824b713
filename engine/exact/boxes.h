/* Boxes that move: one at the start of a substep and one at its end, and in between it goes evenly from the one to
 * the other. What goes straight from its place in the first to its place in the second is in it all the time, so
 * that two which fly side by side are never near for having flown far. Kept as columns: a handful of boxes is
 * compared with one at a time. (Saltenis, Jensen, Leutenegger, Lopez 2000, "Indexing the positions of
 * continuously moving objects") */
#ifndef WEFT_EXACT_BOXES_H
#define WEFT_EXACT_BOXES_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#define WEFT__BOX_LANES 8u
/* x y z of the lower corner at the start, the upper one, and both at the end */
#define WEFT__BOX_SIDES 12

typedef struct weft__moving_box {
  float side[WEFT__BOX_SIDES]; /* metres */
} weft__moving_box;

/* Boxes in columns. */
typedef struct weft__moving_boxes {
  float* side[WEFT__BOX_SIDES]; /* [count + WEFT__BOX_LANES] */
} weft__moving_boxes;

static inline bool weft__is_upper(int side) {
  return side / 3 % 2 != 0;
}

static inline weft__moving_box weft__no_box(void) {
  weft__moving_box box;
  for (int s = 0; s < WEFT__BOX_SIDES; ++s) box.side[s] = weft__is_upper(s) ? -FLT_MAX : FLT_MAX;
  return box;
}

/* Makes a box hold another one. */
static inline void weft__box_hold(weft__moving_box* box, const weft__moving_box* other) {
  for (int s = 0; s < WEFT__BOX_SIDES; ++s) {
    const float at = other->side[s];
    if (weft__is_upper(s) ? at > box->side[s] : at < box->side[s]) box->side[s] = at;
  }
}

static inline weft__moving_box weft__box_at(const weft__moving_boxes* boxes, size_t n) {
  weft__moving_box box;
  for (int s = 0; s < WEFT__BOX_SIDES; ++s) box.side[s] = boxes->side[s][n];
  return box;
}

static inline void weft__box_set(const weft__moving_boxes* boxes, size_t n,
                                 const weft__moving_box* box) {
  for (int s = 0; s < WEFT__BOX_SIDES; ++s) boxes->side[s][n] = box->side[s];
}

/* Whether two are never at the same place at the same time. */
static inline bool weft__boxes_miss(const weft__moving_box* a, const weft__moving_box* b) {
  float from = 0.0f;
  float until = 1.0f;
  for (int axis = 0; axis < 6; ++axis) {
    const int s = axis % 3;
    const weft__moving_box* low = axis < 3 ? a : b;
    const weft__moving_box* high = axis < 3 ? b : a;
    const float start = low->side[s] - high->side[s + 3];
    const float end = low->side[s + 6] - high->side[s + 9];
    if (start > 0.0f && end > 0.0f) return true;
    // a little later, or earlier, than rounding can make it
    if (start > 0.0f && start / (start - end) - 1e-5f > from) from = start / (start - end) - 1e-5f;
    if (end > 0.0f && start / (start - end) + 1e-5f < until) until = start / (start - end) + 1e-5f;
  }
  return from > until;
}

typedef float weft__box_floats __attribute__((vector_size(4 * WEFT__BOX_LANES)));
typedef int32_t weft__box_bits __attribute__((vector_size(4 * WEFT__BOX_LANES)));

/* A bit for each lane that is set. */
static inline uint32_t weft__bits_of(weft__box_bits lanes) {
#ifdef __SSE2__
  __m128 half[2];
  memcpy(half, &lanes, sizeof(half));
  return (uint32_t)_mm_movemask_ps(half[0]) | (uint32_t)_mm_movemask_ps(half[1]) << 4;
#else
  uint32_t bits = 0;
  for (uint32_t n = 0; n < WEFT__BOX_LANES; ++n) bits |= ((uint32_t)lanes[n] & 1u) << n;
  return bits;
#endif
}

/* Of the boxes [first, first + WEFT__BOX_LANES): a bit for each that the box may meet. Some of them never do. */
static inline uint32_t weft__boxes_near(const weft__moving_boxes* boxes, size_t first,
                                        const weft__moving_box* box) {
  weft__box_bits apart = {0};
  for (int s = 0; s < 3; ++s) {
    weft__box_floats low[2];
    weft__box_floats high[2];
    for (int end = 0; end < 2; ++end) {
      memcpy(&low[end], boxes->side[s + 6 * end] + first, sizeof(low[end]));
      memcpy(&high[end], boxes->side[s + 6 * end + 3] + first, sizeof(high[end]));
    }
    apart |= (low[0] > box->side[s + 3]) & (low[1] > box->side[s + 9]);
    apart |= (high[0] < box->side[s]) & (high[1] < box->side[s + 6]);
  }
  return ~weft__bits_of(apart) & 0xffu;
}

#endif
