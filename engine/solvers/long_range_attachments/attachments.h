/* Long-range attachments (LRA) keep a hung cloth at its length with few iterations: a particle may
 * not be further from pinned particles than along the cloth. Folds are not prevented; no other
 * particle is moved, so no colouring is needed. (Kim, Chentanez, Mueller 2012) */
#ifndef WEFT_SOLVERS_LONG_RANGE_ATTACHMENTS_ATTACHMENTS_H
#define WEFT_SOLVERS_LONG_RANGE_ATTACHMENTS_ATTACHMENTS_H

#include "scene/scene.h"
#include "solvers/long_range_attachments/anchors.h"
#include "tables/long_range_attachments.h"
#include "tables/particles.h"
#include "tables/schedule.h"

/* Up to `slot_count` islands a particle, at least one: anchors.h. */
bool weft__attachments_create(weft__attachments* attachments, const weft_scene* scene,
                              const weft__schedule* schedule, uint32_t slot_count);
/* Numbers of anchors in a table; neighbours are best consecutive. */
typedef struct weft__anchor_list {
  uint32_t count;
  uint32_t* anchor; /* ascending [count] */
  uint32_t* number; /* [count] */
} weft__anchor_list;

void weft__anchor_list_destroy(weft__anchor_list* list);

/* Ties' anchors are all in the list. */
bool weft__attachments_create_from(weft__attachments* attachments, const weft_scene* scene,
                                   const weft__schedule* schedule, const weft__anchors* anchors,
                                   const weft__anchor_list* list);

void weft__attachments_destroy(weft__attachments* attachments);

/* Cuts paths that end with the link between two particles, in solver order; attachments whose paths
 * pass over it: weft__attachments_propagate_cuts(). */
void weft__attachments_tear(weft__attachments* attachments, uint32_t a, uint32_t b);

void weft__attachments_release(weft__attachments* attachments, uint32_t particle);

void weft__attachments_propagate_cuts(weft__attachments* attachments);

/* NaN for freed anchors; needed whenever positions change. */
void weft__attachments_update_anchors(const weft__attachments* attachments,
                                      const weft__particles* particles);

#endif
