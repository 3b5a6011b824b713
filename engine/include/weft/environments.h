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
 * its own. Solver settings, the length of the step, speed limits and bounds are the world's.
 *
 * Without contacts an environment moves as in a world of its own with the same settings, to the
 * bit; WEFT_AUTO chooses for all environments together. With contacts, implicit Euler or
 * weft_world_def.tolerance it does so up to their accuracy: iterations end, and neighbour lists are
 * renewed, for all at a time, and limits such as weft_contact_limits_def.max_pairs are the world's.
 * Queries see all environments. No call allocates unless documented. */
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

/* Environment of a particle of a scene. */
WEFT_RESULT weft_scene_get_environment(const weft_scene* scene, uint32_t particle,
                                       uint32_t* environment);

/* ---- world ----------------------------------------------------------------------------------- */

/* State of an environment. */
typedef struct weft_environment {
  float gravity[3];    /* metres per second squared */
  float damping;       /* 1/seconds */
  bool is_paused;      /* initially false */
  uint64_t step_count; /* steps while it was not paused: its clock */
} weft_environment;

/* Environments of a world are 0 to the highest number in its scene; some may be empty. 0 for NULL.
 */
WEFT_API uint32_t weft_world_environment_count(const weft_world* world);

/* Copies the state of environments [first, first + count), [count]. Ranges past the end fail with
 * WEFT_ERROR_INDEX at "first + count", in all calls of this chapter. */
WEFT_RESULT weft_world_get_environments(const weft_world* world, uint32_t first, uint32_t count,
                                        weft_environment* environments);

/* Set gravity, [3] in metres per second squared, and damping, 1/seconds, of environments [first,
 * first + count) from arrays with a stride in bytes: see Ranges in weft/change.h.
 * weft_world_set_gravity() and weft_world_set_damping() set all environments. Restitution at bounds
 * goes by the gravity of the world. */
WEFT_RESULT weft_world_set_environment_gravity(weft_world* world, uint32_t first, uint32_t count,
                                               const float* gravity, size_t stride);
WEFT_RESULT weft_world_set_environment_damping(weft_world* world, uint32_t first, uint32_t count,
                                               const float* damping, size_t stride);

/* Sets the wind of environments [first, first + count); NULL = none. Gusts drift while the
 * environment is not paused. weft_world_set_wind() sets the wind of all. Fails
 * with WEFT_ERROR_DISABLED in a plane. May allocate. */
WEFT_RESULT weft_world_set_environment_wind(weft_world* world, uint32_t first, uint32_t count,
                                            const weft_wind_def* wind);

/* Copies the wind of an environment; *is_set is false, and the def the default, if there is none.
 */
WEFT_RESULT weft_world_get_environment_wind(const weft_world* world, uint32_t environment,
                                            weft_wind_def* wind, bool* is_set);

/* Pauses environments [first, first + count), or lets them go on. Free particles of a paused one
 * stay where they are, to the bit, and keep their velocities; without contacts it goes on as if it
 * had never been paused. All calls on its particles work, but forces added are lost. Pins and
 * colliders that are moved do move. The first call that pauses one allocates. Fails with
 * WEFT_ERROR_DISABLED in a world with sleep. */
WEFT_RESULT weft_world_pause_environments(weft_world* world, uint32_t first, uint32_t count,
                                          bool is_paused);

/* Sets the clocks of environments [first, first + count). */
WEFT_RESULT weft_world_set_environment_step_count(weft_world* world, uint32_t first, uint32_t count,
                                                  uint64_t step_count);

#ifdef __cplusplus
}
#endif

#endif
