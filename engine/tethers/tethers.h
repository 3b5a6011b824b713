/* Tethers: a particle may not be further from the pinned ones than along the cloth. They hold a hung
 * cloth at its length with few iterations, which else carry a correction one link further each.
 *
 * A particle that is beyond its reach is moved straight back onto it. That takes no turns with others,
 * as nothing but the particle moves, and keeps no link from folding. (Kim, Chentanez, Mueller 2012) */
#ifndef WEFT_TETHERS_TETHERS_H
#define WEFT_TETHERS_TETHERS_H

#include "scene/scene.h"
#include "tables/particles.h"
#include "tables/schedule.h"
#include "tables/tethers.h"

/* Ties the particles of a scene that `schedule` was made from to up to `slot_count` islands each, at
 * least one: see anchors.h. False when memory cannot be had; the caller destroys the tethers either
 * way. */
bool weft__tethers_create(weft__tethers* tethers, const weft_scene* scene,
                          const weft__schedule* schedule, uint32_t slot_count);
void weft__tethers_destroy(weft__tethers* tethers);

/* Drops the tethers whose ways lead along the link between two particles, in solver order. Those whose ways
 * lead over these particles go with the cuts that are followed. */
void weft__tethers_tear(weft__tethers* tethers, uint32_t a, uint32_t b);

/* Drops all tethers of a particle, in solver order. */
void weft__tethers_let_go(weft__tethers* tethers, uint32_t particle);

/* Drops the tethers whose ways lead along dropped ones. */
void weft__tethers_follow_cuts(weft__tethers* tethers);

/* Notes where the anchors are and whether they are pinned, which only moves of pinned ones change. */
void weft__tethers_start(const weft__tethers* tethers, const weft__particles* particles);

#endif
