/* Tethers: a particle may not be further from the pinned ones than along the cloth. They hold a hung
 * cloth at its length with few iterations, which else carry a correction one link further each.
 *
 * A particle that is beyond its reach is moved straight back onto it. That takes no turns with others,
 * as nothing but the particle moves, and keeps no link from folding. (Kim, Chentanez, Mueller 2012) */
#ifndef WEFT_SOLVERS_ATTACHMENTS_ATTACHMENTS_H
#define WEFT_SOLVERS_ATTACHMENTS_ATTACHMENTS_H

#include "scene/scene.h"
#include "tables/attachments.h"
#include "tables/particles.h"
#include "tables/schedule.h"

/* Ties the particles of a scene that `schedule` was made from to up to `slot_count` islands each, at
 * least one: see anchors.h. False when memory cannot be had; the caller destroys the tethers either
 * way. */
bool weft__attachments_create(weft__attachments* attachments, const weft_scene* scene,
                              const weft__schedule* schedule, uint32_t slot_count);
void weft__attachments_destroy(weft__attachments* attachments);

/* Drops the tethers whose ways lead along the link between two particles, in solver order. Those whose ways
 * lead over these particles go with the cuts that are followed. */
void weft__attachments_tear(weft__attachments* attachments, uint32_t a, uint32_t b);

/* Drops all tethers of a particle, in solver order. */
void weft__attachments_let_go(weft__attachments* attachments, uint32_t particle);

/* Drops the tethers whose ways lead along dropped ones. */
void weft__attachments_follow_cuts(weft__attachments* attachments);

/* Notes where the anchors are and whether they are pinned, which only moves of pinned ones change. */
void weft__attachments_start(const weft__attachments* attachments,
                             const weft__particles* particles);

#endif
