/* Cloth and bodies: spheres, boxes and ellipsoids, which do not turn. They are few, and are looked at one by one.
 *
 * What is said in collision/self/solve.h holds for them, too. */
#ifndef WEFT_COLLISION_SELF_PARTICLE_PAIRS_H
#define WEFT_COLLISION_SELF_PARTICLE_PAIRS_H

#include "collision/self/self.h"

/* Makes room for pairs of these, if there is none. False when memory cannot be had. */
bool weft__self_make_particles(weft__self* cloth);

/* Lists which bodies are near which cloth, boxes of tiles being good. Called by one worker. */
void weft__self_find_particle_pairs(weft__self* cloth, const weft__contact_stage* stage);

/* Counts what touches the lanes of a tile, in addition to its rows. */
void weft__self_solve_particle_pairs(weft__self* cloth, const weft__contact_stage* stage,
                                     uint32_t tile);

/* Fills `more` of a round, [9 x WEFT__TILE], for a tile. */
void weft__self_separate_particles(const weft__self* cloth, const weft__contact_stage* stage,
                                   uint32_t tile, const weft__tile_round* round, float* more);

static inline bool weft__self_has_touches(const weft__self* cloth, uint32_t tile) {
  const weft__self_particles* near = &cloth->near_bodies;
  return near->count > 0 && near->first_of_tile[tile + 1] > near->first_of_tile[tile];
}

#endif
