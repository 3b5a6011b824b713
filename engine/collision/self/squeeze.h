/* Cloth squeezed between supports that do not give way, such as the fingers of a hand.
 *
 *      A  |  support, moved by the caller
 *      -- | o     o     o   <- touch A
 *           o     o     o   <- touch B, and overlap the layer above: both layers are squeezed
 *      B  |  support
 *
 * No position resolves the overlap of both layers, and a solve that pushes them apart finds only
 * its push of the force between them: friction fails. A particle that touches one support, and
 * whose old overlap with particles touching an opposite one presses it there, is therefore held at
 * its start of the substep, relative to its support, up to Coulomb's limit for a normal force
 * proportional to the overlap, by the supports' own stage (collision/colliders/squeeze.h).
 *
 * Supports that slide past each other, such as legs that walk, hold nothing: the limit of friction
 * displaces a particle in a substep further than links correct in one. The test has no memory: it
 * takes positions at the start of a substep. Friction of cloth on cloth holds layers further in. */
#ifndef WEFT_COLLISION_SELF_SQUEEZE_H
#define WEFT_COLLISION_SELF_SQUEEZE_H

#include "collision/self/self.h"

typedef struct weft__self_touch {
  float normal[3]; /* unit, towards the particle */
  uint32_t number;
} weft__self_touch;

/* Supports of a substep, by the stage that owns them. */
struct weft__self_supports {
  const void* context;
  /* False if no support is within a box, metres. */
  bool (*are_near)(const void* context, const float lower[3], const float upper[3]);
  /* Support that a particle at `at`, metres, touches; false if several. */
  bool (*find)(const void* context, uint32_t particle, const float at[3], weft__self_touch* touch);
  /* Supports that slide past each other at `at`, metres. */
  bool (*are_sliding)(const void* context, const weft__self_touch* a, const weft__self_touch* b,
                      const float at[3]);
};

/* Finds the squeezed particles of own tiles, with the contacts and starts of the substep. */
void weft__self_find_squeezed(weft__self* self, const weft__step_context* step,
                              const weft__self_supports* supports);

#endif
