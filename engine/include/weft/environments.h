/* weft, chapter 13: environments. Include <weft/weft.h>, which includes this.
 *
 * A world can hold many scenes that never touch: a thousand towels that learn to be folded, or
 * variants of one scene. Each is an environment, named by a number. Self-collision, contacts of
 * bodies, continuous collision detection and pair forces act within an environment, wherever its
 * particles are, and a collider acts on one environment or on all. Links, joints and gas do not
 * join two of them.
 *
 *   weft_body towel;
 *   for (uint32_t e = 0; e < 1000; ++e) {
 *     check(weft_scene_add_scene(scene, one, NULL, NULL, e, &towel));
 *   }
 *
 * Each environment has its own gravity, damping and wind, and can be paused; it then has a clock of
 * its own: attributes WEFT_ATTRIBUTE_ENVIRONMENT_GRAVITY and the like. Solver settings, the length
 * of the step, speed limits and bounds are the world's.
 *
 * Without contacts an environment moves as in a world of its own with the same settings, to the
 * bit; WEFT_AUTO chooses for all environments together. With contacts, implicit Euler or
 * weft_solver_def.tolerance it does so up to their accuracy: iterations end, and neighbour lists
 * are renewed, for all at a time, and limits such as weft_contact_limits_def.max_pairs are the
 * world's. Queries see all environments. No call allocates unless documented. */
#ifndef WEFT_ENVIRONMENTS_H
#define WEFT_ENVIRONMENTS_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scene ----------------------------------------------------------------------------------- */

/* Adds a copy of `other`, all of it. Numbers of particles and links follow those in `scene` in the
 * same order; `body`, which may be NULL, is their range. Particles are rotated by `rotation`, a
 * unit quaternion x y z w to 0.001, then shifted by `position`, [3] in metres; NULL = not. Its
 * environments are numbered from `environment` on, 0 to WEFT_MAX_ENVIRONMENTS - 1. `other` is not
 * `scene`, and is unchanged. Takes time in proportion to `other`.
 *
 * Fails with WEFT_ERROR_EMPTY at "other" if it has no particle, with WEFT_ERROR_DUPLICATE if it is
 * `scene`, with WEFT_ERROR_RANGE at "environment", at "rotation", and at "position" if a particle
 * would be further than WEFT_MAX_MAGNITUDE from the origin; WEFT_ERROR_TOO_MANY. */
WEFT_RESULT weft_scene_add_scene(weft_scene* scene, const weft_scene* other, const float* position,
                                 const float* rotation, uint32_t environment, weft_body* body);

/* Puts a body into an environment, 0 to WEFT_MAX_ENVIRONMENTS - 1; initially all are in 0. The body
 * is the range of one call that added particles, or of several consecutive ones: else
 * WEFT_ERROR_RANGE at "body". Links between two environments make weft_world_create() fail with
 * WEFT_ERROR_RANGE at "scene" and the number of the link, gas in a body of two with its first
 * particle. */
WEFT_RESULT weft_scene_set_environment(weft_scene* scene, const weft_body* body,
                                       uint32_t environment);

/* ---- world ----------------------------------------------------------------------------------- */

/* Environments of a world are 0 to the highest number in its scene; some may be empty. 0 for NULL.
 */
WEFT_API uint32_t weft_world_environment_count(const weft_world* world);

/* Sets the wind of environments; NULL = none. Gusts drift while the
 * environment is not paused. weft_world_set_wind() sets the wind of all. Fails
 * with WEFT_ERROR_DISABLED in a plane. May allocate. */
WEFT_RESULT weft_world_set_environment_wind(weft_world* world, weft_selection environments,
                                            const weft_wind_def* wind);

#ifdef __cplusplus
}
#endif

#endif
