/* Moving AABBs: a box at the start of a pass, a box at its end, linear interpolation in between.
 * They contain points on straight paths at all times and, unlike swept boxes, do not overlap for
 * objects that move fast side by side. Columns compare eight boxes with one at a time. (Saltenis,
 * Jensen, Leutenegger, Lopez 2000, "Indexing the positions of continuously moving objects") */
#ifndef WEFT_MODULES_CCD_MOVING_AABB_H
#define WEFT_MODULES_CCD_MOVING_AABB_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

// four lanes: every supported ISA has registers of this width
#define WIDE_LANES 4
#include "base/wide.h"

#define WEFT__AABB_LANES 8u
/* lower xyz and upper xyz at the start, lower xyz and upper xyz at the end */
#define WEFT__AABB_SIDES 12

typedef struct weft__moving_aabb {
  float side[WEFT__AABB_SIDES]; /* metres */
} weft__moving_aabb;

/* Structure of arrays, readable in whole vectors. */
typedef struct weft__moving_aabbs {
  float* side[WEFT__AABB_SIDES]; /* [count + WEFT__AABB_LANES] */
} weft__moving_aabbs;

static inline bool weft__aabb_side_is_upper(int side) {
  return side / 3 % 2 != 0;
}

static inline weft__moving_aabb weft__empty_moving_aabb(void) {
  weft__moving_aabb box;
  for (int s = 0; s < WEFT__AABB_SIDES; ++s)
    box.side[s] = weft__aabb_side_is_upper(s) ? -FLT_MAX : FLT_MAX;
  return box;
}

static inline void weft__moving_aabb_extend(weft__moving_aabb* box,
                                            const weft__moving_aabb* other) {
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) {
    const float at = other->side[s];
    if (weft__aabb_side_is_upper(s) ? at > box->side[s] : at < box->side[s]) box->side[s] = at;
  }
}

/* Inflates a box on all sides by `by` metres, and by a bound on rounding. */
static inline void weft__moving_aabb_inflate(weft__moving_aabb* box, float by) {
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) {
    const float at = box->side[s];
    const float margin = by + 4e-7f * (at < 0.0f ? -at : at);
    box->side[s] = weft__aabb_side_is_upper(s) ? at + margin : at - margin;
  }
}

static inline weft__moving_aabb weft__moving_aabb_at(const weft__moving_aabbs* boxes, size_t n) {
  weft__moving_aabb box;
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) box.side[s] = boxes->side[s][n];
  return box;
}

static inline void weft__moving_aabb_set(const weft__moving_aabbs* boxes, size_t n,
                                         const weft__moving_aabb* box) {
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) boxes->side[s][n] = box->side[s];
}

/* True if two boxes overlap at no time. */
static inline bool weft__moving_aabbs_never_overlap(const weft__moving_aabb* a,
                                                    const weft__moving_aabb* b) {
  float from = 0.0f;
  float until = 1.0f;
  for (int axis = 0; axis < 6; ++axis) {
    const int s = axis % 3;
    const weft__moving_aabb* low = axis < 3 ? a : b;
    const weft__moving_aabb* high = axis < 3 ? b : a;
    const float start = low->side[s] - high->side[s + 3];
    const float end = low->side[s + 6] - high->side[s + 9];
    if (start > 0.0f && end > 0.0f) return true;
    // interval of overlap, widened by more than rounding
    if (start > 0.0f && start / (start - end) - 1e-5f > from) from = start / (start - end) - 1e-5f;
    if (end > 0.0f && start / (start - end) + 1e-5f < until) until = start / (start - end) + 1e-5f;
  }
  return from > until;
}

/* Lanes of four boxes that are on one side of `box` at the start and at the end. */
static inline wide_mask weft__moving_aabbs_disjoint4(const weft__moving_aabbs* boxes, size_t first,
                                                     const weft__moving_aabb* box) {
  wide_mask apart = {0};
  for (int s = 0; s < 3; ++s) {
    apart |= (wide_load(boxes->side[s] + first) > box->side[s + 3]) &
             (wide_load(boxes->side[s + 6] + first) > box->side[s + 9]);
    apart |= (wide_load(boxes->side[s + 3] + first) < box->side[s]) &
             (wide_load(boxes->side[s + 9] + first) < box->side[s + 6]);
  }
  return apart;
}

/* Bit mask of the boxes [first, first + WEFT__AABB_LANES) that may overlap `box`: conservative,
 * tests only both ends of an axis. */
static inline uint32_t weft__moving_aabbs_overlaps(const weft__moving_aabbs* boxes, size_t first,
                                                   const weft__moving_aabb* box) {
  const uint32_t apart = wide_to_mask(weft__moving_aabbs_disjoint4(boxes, first, box)) |
                         wide_to_mask(weft__moving_aabbs_disjoint4(boxes, first + 4, box)) << 4;
  return ~apart & 0xffu;
}

#endif
