/* Boxes around the ways of what a quarter of a block has: its faces, its edges and its vertices, four at a time. */
#ifndef WEFT_COLLISION_CCD_LEAF_BOUNDS_H
#define WEFT_COLLISION_CCD_LEAF_BOUNDS_H

#include "collision/ccd/clusters.h"
#include "collision/ccd/moving_aabb.h"
#include "collision/ccd/positions.h"

/* Four boxes, by their sides: see weft__moving_aabb. */
typedef struct weft__moving_fours {
  weft__four side[WEFT__AABB_SIDES];
} weft__moving_fours;

typedef struct weft__leaf_bounds {
  uint32_t first_face, face_count; /* in the columns of weft__ccd_clusters */
  uint32_t first_edge, edge_count;
  uint32_t first_vertex, vertex_count;
  weft__moving_fours faces;
  weft__moving_fours edges[WEFT__LEAF_MEMBERS / 4];
  weft__moving_fours vertices[WEFT__LEAF_MEMBERS / 4];
} weft__leaf_bounds;

void weft__leaf_bounds_make(weft__leaf_bounds* boxes, const weft__ccd_clusters* blocks,
                            const weft__ccd_positions* places, uint32_t quarter);

static inline weft__moving_aabb weft__moving_four_at(const weft__moving_fours* fours, uint32_t n) {
  weft__moving_aabb box;
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) box.side[s] = fours->side[s][n];
  return box;
}

static inline void weft__moving_four_set(weft__moving_fours* fours, uint32_t n,
                                         const weft__moving_aabb* box) {
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) fours->side[s][n] = box->side[s];
}

/* A bit for each of the four that a box may meet. Some of them never do. */
static inline uint32_t weft__fours_near(const weft__moving_fours* fours,
                                        const weft__moving_aabb* box) {
  weft__four_bits apart = {0};
  for (int s = 0; s < 3; ++s) {
    apart |= (fours->side[s] > box->side[s + 3]) & (fours->side[s + 6] > box->side[s + 9]);
    apart |= (fours->side[s + 3] < box->side[s]) & (fours->side[s + 9] < box->side[s + 6]);
  }
  return ~weft__four_mask(apart) & 0xfu;
}

#endif
