/* Positions of cluster members, contiguous by cluster. A particle that several clusters share is
 * stored once in each. */
#ifndef WEFT_MODULES_CCD_POSITIONS_H
#define WEFT_MODULES_CCD_POSITIONS_H

#include "modules/ccd/clusters.h"
#include "modules/ccd/moving_aabb.h"

/* Columns by member: see weft__ccd_clusters. */
typedef struct weft__ccd_positions {
  uint32_t member_count;
  float* start[3]; /* metres: when the pass began */
  float* now[3];   /* metres: at the last update */
  void* block;
} weft__ccd_positions;

extern const weft__table weft__ccd_positions_table;

void weft__ccd_positions_begin(weft__ccd_positions* positions);

/* Sets the start of a range of members from columns `at` by particle. */
void weft__ccd_positions_set(const weft__ccd_positions* positions, const uint32_t* member,
                             weft__range members, float* const* at);

/* Largest displacements of a cluster's particles, metres. */
typedef struct weft__cluster_displacements {
  float displacement;
  float relative; /* between two of them */
} weft__cluster_displacements;

/* Gathers the positions of a cluster; returns displacements since the pass began if `since_begin`,
 * else since the last update. */
weft__cluster_displacements weft__ccd_positions_update(const weft__ccd_positions* positions,
                                                       const uint32_t* member, weft__range members,
                                                       const weft__particles* particles,
                                                       bool since_begin);

/* Largest displacement of a cluster's particles since the pass began, metres. */
float weft__ccd_positions_displacement(const weft__ccd_positions* positions, weft__range members);

/* Moving AABB from start to now. */
weft__moving_aabb weft__ccd_positions_aabb(const weft__ccd_positions* positions,
                                           weft__range members);

/* True if `b` is farther along `direction` than `a` by more than `gap` metres, at the start and
 * now; *slack is set to the excess over the gap now, metres, even if the start fails. */
bool weft__ccd_positions_are_separated(const weft__ccd_positions* positions, weft__range a,
                                       weft__range b, const float direction[3], float gap,
                                       float* slack);

#endif
