/* Where the particles of blocks are, quarter by quarter, so that a block is read in a row. What two quarters share
 * stands here twice. */
#ifndef WEFT_COLLISION_CCD_POSITIONS_H
#define WEFT_COLLISION_CCD_POSITIONS_H

#include "base/arena.h"
#include "collision/ccd/clusters.h"
#include "collision/ccd/moving_aabb.h"

/* Columns along the members of all blocks: see weft__ccd_clusters. */
typedef struct weft__ccd_positions {
  float* start[3]; /* metres: when the substep began */
  float* now[3];   /* metres: when they were last looked at */
} weft__ccd_positions;

void weft__ccd_positions_take(weft__ccd_positions* places, size_t members, weft__arena* arena);

/* Where particles were when they were last looked at the next substep begins. */
void weft__ccd_positions_begin(weft__ccd_positions* places);

/* Where they have been moved since then: takes over where they begin, from columns by particles. */
void weft__ccd_positions_set(const weft__ccd_positions* places, const uint32_t* member,
                             weft__range members, float* const* at);

/* The longest ways of a block's particles, metres. */
typedef struct weft__cluster_displacements {
  float way;   /* in all */
  float aside; /* from where they would be, had all gone as far as the first one */
} weft__cluster_displacements;

/* Takes over where the particles of a block are; returns their ways since the substep began, or else since they were
 * last looked at in it. */
weft__cluster_displacements weft__ccd_positions_look(const weft__ccd_positions* places,
                                                     const uint32_t* member, weft__range members,
                                                     const weft__particles* particles,
                                                     bool since_begin);

/* The longest way of a block's particles from the start of the substep, metres. */
float weft__ccd_positions_way(const weft__ccd_positions* places, weft__range members);

/* The box around their ways. */
weft__moving_aabb weft__ccd_positions_box(const weft__ccd_positions* places, weft__range members);

/* Whether a plane can be laid between two blocks. Then how much more than `gap` is left between them, in metres:
 * all the way since the substep began, and where they are now. */
bool weft__ccd_positions_part(const weft__ccd_positions* places, weft__range a, weft__range b,
                              const float direction[3], float gap, float* room);

#endif
