/* Moving AABBs of the faces, edges and vertices of a leaf, four to a vector. */
#ifndef WEFT_COLLISION_CCD_LEAF_BOUNDS_H
#define WEFT_COLLISION_CCD_LEAF_BOUNDS_H

#include "collision/ccd/clusters.h"
#include "collision/ccd/moving_aabb.h"
#include "collision/ccd/positions.h"

/* Four boxes, one a SIMD lane: sides as in weft__moving_aabb. */
typedef struct weft__moving_aabb4 {
  wide side[WEFT__AABB_SIDES];
} weft__moving_aabb4;

typedef struct weft__leaf_bounds {
  uint32_t first_face, face_count; /* in the columns of weft__ccd_clusters */
  uint32_t first_edge, edge_count;
  uint32_t first_vertex, vertex_count;
  weft__moving_aabb4 faces;
  weft__moving_aabb4 edges[WEFT__LEAF_MEMBERS / 4];
  weft__moving_aabb4 vertices[WEFT__LEAF_MEMBERS / 4];
} weft__leaf_bounds;

void weft__leaf_bounds_build(weft__leaf_bounds* bounds, const weft__ccd_clusters* clusters,
                             const weft__ccd_positions* positions, uint32_t leaf);

static inline weft__moving_aabb weft__moving_aabb4_at(const weft__moving_aabb4* boxes, uint32_t n) {
  weft__moving_aabb box;
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) box.side[s] = boxes->side[s][n];
  return box;
}

static inline void weft__moving_aabb4_set(weft__moving_aabb4* boxes, uint32_t n,
                                          const weft__moving_aabb* box) {
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) boxes->side[s][n] = box->side[s];
}

/* Bit mask of the four boxes that may overlap `box`: conservative. */
static inline uint32_t weft__moving_aabb4_overlaps(const weft__moving_aabb4* boxes,
                                                   const weft__moving_aabb* box) {
  wide_mask apart = {0};
  for (int s = 0; s < 3; ++s) {
    apart |= (boxes->side[s] > box->side[s + 3]) & (boxes->side[s + 6] > box->side[s + 9]);
    apart |= (boxes->side[s + 3] < box->side[s]) & (boxes->side[s + 9] < box->side[s + 6]);
  }
  return ~wide_to_mask(apart) & 0xfu;
}

#endif
