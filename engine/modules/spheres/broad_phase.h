/* Broad phase of bodies: pairs whose AABBs, which enclose predicted motion and a margin, overlap.
 *
 * A body searches the 27 cells around it on its own level of a hierarchical grid and as many on
 * each coarser level: sizes may differ freely. Pairs, and their colours, stay valid while no body
 * leaves its AABB. Bodies whose state is not finite collide with nothing.
 *
 * Rejected: a uniform grid, in which one large body covers a million cells; sweep and prune, which
 * is slow for bodies stacked in rows; hashed cells, whose buckets scatter in memory. */
#ifndef WEFT_MODULES_SPHERES_BROAD_PHASE_H
#define WEFT_MODULES_SPHERES_BROAD_PHASE_H

#include "modules/spheres/particle_contacts.h"

/* Motion that an AABB encloses: `substeps` to come, predicted from the current velocity, and the
 * substep in progress if `has_begun`. */
typedef struct weft__motion_span {
  uint32_t substeps;
  bool has_begun;
} weft__motion_span;

/* True if any body leaves its AABB. */
bool weft__particle_pairs_have_expired(weft__particle_contacts* state,
                                       const weft__step_context* step, weft__motion_span span);

void weft__particle_pairs_rebuild(weft__particle_contacts* state, const weft__step_context* step,
                                  weft__motion_span span);

#endif
