/* weft, chapter 15: attributes of particles, links and environments. Include <weft/weft.h>, which
 * includes this.
 *
 * weft_world_get(), weft_world_set() and weft_world_add() copy one attribute of a range, of a list
 * or of some of either, from or to an array of any stride; weft_world_read_vertices() reads several
 * at once. Many elements are shared out to the workers of the world; bits do not depend on them.
 *
 *   float place[3];
 *   const weft_selection body = weft_range(cloth.first_particle, cloth.particle_count);
 *   check(weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(7, 1), place, 0));
 *   check(weft_world_set(world, WEFT_ATTRIBUTE_VELOCITY, body, still, WEFT_SAME));
 *   check(weft_world_add(world, WEFT_ATTRIBUTE_FORCE, weft_list(corners, 4), forces, 0));
 *
 * Calls are made between steps. The same calls in the same order give the same bits. */
#ifndef WEFT_ATTRIBUTES_H
#define WEFT_ATTRIBUTES_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- table ----------------------------------------------------------------------------------- */

/* Attributes: an element, its unit, and the calls that take it: get, set, add. Numbers are floats
 * unless said otherwise. LINK_ ones are of links, see Links in weft/change.h, ENVIRONMENT_ ones of
 * environments, the others of particles. */
typedef enum weft_attribute {
  /* [3] metres: get, set, add. Velocities are kept, up to rounding; nothing is swept in between.
   * Changes the offset of a particle that a grip holds */
  WEFT_ATTRIBUTE_POSITION = 0,
  /* [3] metres per second: get, set, add; see weft_integrator. To set both, set positions first */
  WEFT_ATTRIBUTE_VELOCITY = 1,
  /* [3] metres: get, set. Pinned particles move to their targets during the next step, in equal
   * parts, one each substep; their velocity after that step is the move's, and then 0 again.
   * Setting replaces the targets of a former call; unpinning a particle cancels its move. May
   * allocate. Fails with WEFT_ERROR_RANGE at "selection.first", of a list "selection.indices", if a
   * particle is not pinned. Gets the targets of grips, too, and the present positions of others */
  WEFT_ATTRIBUTE_TARGET = 2,
  /* [1] 1/kilograms: get, set. 0: pinned in place, or held by a grip; setting applies after the
   * release then. Free slots stay pinned */
  WEFT_ATTRIBUTE_INVERSE_MASS = 3,
  /* [3] newtons: get, set, add: the sum of the forces for all substeps of the next step. No effect
   * on pinned particles. A sum is limited like a force. The first change allocates */
  WEFT_ATTRIBUTE_FORCE = 4,
  /* [3] get: unit normal of the remaining faces of a particle, weighted by their areas; 0 0 0 where
   * there are none or they cancel. Fails with WEFT_ERROR_DISABLED at "weft_world_def.plane" */
  WEFT_ATTRIBUTE_NORMAL = 5,
  /* [4] only by weft_world_read_vertices(). x y z: unit vector along which u of
   * weft_vertices_def.uvs grows, weighted by areas, at right angles to the normal; 0 0 0 where
   * there is none. w: 1 or -1, so that v grows along cross(normal, tangent) * w, as in glTF. Fails
   * as normals do */
  WEFT_ATTRIBUTE_TANGENT = 6,
  /* [4] get, set: unit quaternion x y z w, to 0.001, of particles whose shape has
   * weft_particle_shape_def.turns; others fail as at TARGET, and have 0 0 0 1. Initially 0 0 0 1.
   * In a plane x and y are 0 */
  WEFT_ATTRIBUTE_ORIENTATION = 7,
  /* [3] radians per second, up to 1e6 each: get, set, add, of the same particles; others have
   * 0 0 0. An impulse about the centre, in newton metre seconds, adds itself over the moment of
   * inertia. Damping acts on it; a pinned particle goes on turning, as a roller. In a plane x and y
   * are 0 */
  WEFT_ATTRIBUTE_ANGULAR_VELOCITY = 8,
  /* [3] newtons: get. Forces of links, bend elements, springs and joints on pinned and held
   * particles in the last substep; 0 0 0 for others. Without the weight of a pinned particle and
   * contacts. Takes O(links) time. Needs weft_world_def.loads: else WEFT_ERROR_DISABLED */
  WEFT_ATTRIBUTE_REACTION = 9,
  /* int8_t [3]: get. Contact with the bounds in the last step, for each axis: -1 at the lower wall,
   * 1 at the upper wall, 0 at neither; in the last substep with any contact. Pinned particles have
   * none */
  WEFT_ATTRIBUTE_BOUNDS_CONTACT = 10,
  /* uint32_t: get. Patch of level 0, below weft_world_stats.patch_count: fixed by
   * weft_world_create() */
  WEFT_ATTRIBUTE_PATCH = 11,
  /* uint32_t: get. Coarsest level that a particle is on: 0 = only the world's particles, 1 = the
   * finest coarse multigrid level .. */
  WEFT_ATTRIBUTE_LEVEL = 12,
  /* bool: get, set. The particle is asleep: see weft/sleep.h. Setting true puts its component to
   * sleep at once, however fast it is: a touch faster than sleep_speed wakes it; needs
   * weft_world_def.sleep_speed, else WEFT_ERROR_DISABLED. Setting false wakes its component and, at
   * the beginning of the next step, all that touches it, whose time at rest starts anew */
  WEFT_ATTRIBUTE_ASLEEP = 13,
  /* weft_skin_limits: get, set. Limits about the skinned position, see weft/garment.h; errors are
   * at its fields. Initially weft_default_skin_limits() */
  WEFT_ATTRIBUTE_SKIN_LIMITS = 14,
  /* [3] metres: get, set. Skinned position, set at once: for teleports, together with POSITION.
   * Getting fails with WEFT_ERROR_EMPTY at "world" before the first call on the skin */
  WEFT_ATTRIBUTE_SKIN_POSITION = 15,
  /* [3] of any length, 0 = no backstop: get, set. Skinned normal, set at once; gets a unit vector
   * or 0 0 0, and fails as SKIN_POSITION does */
  WEFT_ATTRIBUTE_SKIN_NORMAL = 16,
  /* get, set, as SKIN_POSITION and SKIN_NORMAL, at the end of the next step: its substeps
   * interpolate. A further call before that step replaces the targets */
  WEFT_ATTRIBUTE_SKIN_POSITION_TARGET = 17,
  WEFT_ATTRIBUTE_SKIN_NORMAL_TARGET = 18,
  /* [1] metres: get, set, as weft_link_def.rest_length. The range of a link of WEFT_LINK_MODE_RANGE
   * keeps its width, and tear ratios count from the new length. Bend elements and exclusions of
   * self-collision do not change. Fails with WEFT_ERROR_UNSUPPORTED as at TARGET for segments of
   * rods */
  WEFT_ATTRIBUTE_LINK_REST_LENGTH = 19,
  /* [1] metres per newton: get, set, as weft_link_def.compliance. A link keeps its solver: fails
   * with WEFT_ERROR_RANGE at "values" for 0 of a spring or of an elastic link of the direct solver,
   * for more than 0 of a rigid link of the direct solver, and for springs with a force curve; at
   * segments of rods as rest lengths */
  WEFT_ATTRIBUTE_LINK_COMPLIANCE = 20,
  /* [1] newtons, below 0 = compression: get. Tension in the last substep: Lagrange multiplier over
   * the squared substep, or force of a spring. Single precision rounds it to about 1e-7 |x| / (g
   * h^2) of the weight below, at a distance |x| from the origin with substeps of h seconds. 0 for
   * links that are off, between pinned particles, and before the first step. Needs
   * weft_world_def.loads: else WEFT_ERROR_DISABLED */
  WEFT_ATTRIBUTE_LINK_TENSION = 21,
  /* bool: get, set. The link acts: it is neither torn nor switched off. Torn links stay torn. Links
   * on again act in sweeps and in the direct solver; bend elements, multigrid levels and
   * attachments stay without them */
  WEFT_ATTRIBUTE_LINK_ENABLED = 22,
  /* bool: get, set. True tears a link, on or off; false leaves it as it is: torn links stay torn. A
   * link that is switched off is not torn */
  WEFT_ATTRIBUTE_LINK_TORN = 23,
  /* [3] metres per second squared: get, set. Gravity of an environment, see weft/environments.h:
   * weft_world_set_gravity() sets it for all. Restitution at bounds goes by the gravity of the
   * world */
  WEFT_ATTRIBUTE_ENVIRONMENT_GRAVITY = 24,
  /* [1] 1/seconds: get, set. Damping of an environment; weft_world_set_damping() sets it for all
   */
  WEFT_ATTRIBUTE_ENVIRONMENT_DAMPING = 25,
  /* bool: get, set, initially false. Free particles of a paused environment stay where they are, to
   * the bit, and keep their velocities; without contacts it goes on as if it had never been paused.
   * All calls on its particles work, but forces added are lost. Pins and colliders that are moved
   * do move. The first pause allocates. Fails with WEFT_ERROR_DISABLED in a world with sleep */
  WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED = 26,
  /* uint64_t: get, set. Steps of an environment while it was not paused: its clock */
  WEFT_ATTRIBUTE_ENVIRONMENT_STEP_COUNT = 27,
} weft_attribute;
#define WEFT_ATTRIBUTE_COUNT 28

/* ---- one attribute --------------------------------------------------------------------------- */

/* Element n of `values` belongs to element n of the selection, and begins at (char*)values + n *
 * stride. `stride` is in bytes: 0 for packed elements, the size of a vertex for a vertex buffer,
 * WEFT_SAME for one element that all share. It is a multiple of the size of a number and at least
 * an element: else WEFT_ERROR_RANGE at "stride". `values` may be NULL if `count` is 0. Elements
 * that a mask leaves out are not looked at: neither their number, nor their value.
 *
 * All fail with WEFT_ERROR_RANGE at "attribute" for a call that the attribute does not take, with
 * WEFT_ERROR_UNSUPPORTED there if its module is not in this build, with WEFT_ERROR_INDEX at "first
 * + count", or at "selection.indices" and the index in the list. */

/* Copies an attribute. A list may have a number twice. WEFT_SAME is out of range. May allocate, and
 * free, memory for reactions and levels unless they are packed and of a range. */
WEFT_RESULT weft_world_get(const weft_world* world, weft_attribute attribute,
                           weft_selection selection, void* values, size_t stride);

/* Set an attribute, and add to it. Everything is checked before anything changes: values fail at
 * "values" and the index of the element. Also fail with WEFT_ERROR_DUPLICATE at "selection.indices"
 * for a number that is listed twice. A list that does not ascend allocates and frees a bit for each
 * particle or link. */
WEFT_RESULT weft_world_set(weft_world* world, weft_attribute attribute, weft_selection selection,
                           const void* values, size_t stride);
WEFT_RESULT weft_world_add(weft_world* world, weft_attribute attribute, weft_selection selection,
                           const void* values, size_t stride);

/* ---- vertex buffers -------------------------------------------------------------------------- */

/* Array of one attribute of particles, as in weft_world_get():
 *
 *   position x y z | normal x y z | u v |     stride 32: two arrays, the second begins at byte 12
 */
typedef struct weft_attribute_array {
  weft_attribute attribute;
  void* values;  /* not NULL if the selection has elements */
  size_t stride; /* bytes; 0 = packed */
} weft_attribute_array;

/* Particles and arrays of one call. */
typedef struct weft_vertices_def {
  weft_selection selection;           /* default empty */
  const weft_attribute_array* arrays; /* [array_count]; default NULL, 0 */
  uint32_t array_count;
  /* Share of the last step, 0 to 1, that positions, normals and tangents are read at, with
   * weft_advance.interpolation: 0 = the step before the last, 1 = the last, the default. Before the
   * last substep positions are extrapolated backwards from its velocities, within weft_bounds_def
   */
  float interpolation;
  /* Texture coordinates for tangents, [2], of all particles of the world by number, and their
   * stride in bytes, 0 = packed, WEFT_SAME = the same for all; a particle has one pair. default
   * NULL, 0 */
  const float* uvs;
  size_t uv_stride;
  uint32_t cookie; /* private */
} weft_vertices_def;

WEFT_API weft_vertices_def weft_default_vertices_def(void);

/* Copies attributes of particles into arrays, in one pass. Fails as weft_world_get(), at fields of
 * weft_attribute_array and the index of the array, and at "weft_vertices_def.uvs" for tangents
 * without them. */
WEFT_RESULT weft_world_read_vertices(const weft_world* world, const weft_vertices_def* def);

/* ---- views ----------------------------------------------------------------------------------- */

/* Columns of the particles in memory, to be read in place. Particle n is at index_of[n] of each
 * column, and index i has the particle number_of[i].
 *
 * Pointers hold until weft_world_reset() or weft_world_destroy(); values change with steps and with
 * calls that change the world. They must not be read while the world steps, nor written. */
typedef struct weft_view {
  uint32_t particle_count;
  const uint32_t* index_of;  /* [particle_count] */
  const uint32_t* number_of; /* [particle_count] */
  /* x, y and z, each [particle_count], of positions in metres; 64-byte aligned */
  const float* position[3];
  /* positions one substep before, and the part of the displacement since then that the rounding of
   * positions has dropped */
  const float* previous[3];
  const float* carried[3];
  /* Velocities in metres per second are velocity + velocity_lag; NULL in worlds of
   * WEFT_INTEGRATOR_POSITION_VERLET without springs and pair forces: there they are (position -
   * previous + carried) * previous_rate, along axes where the two positions differ, and else 0 */
  const float* velocity[3];
  const float* velocity_lag[3];
  const float* inverse_mass; /* 1/kg; 0 = pinned, held or asleep */
  float previous_rate;       /* 1/seconds: one over the last substep; of this moment */
} weft_view;

/* Gets the columns of a world. */
WEFT_RESULT weft_world_get_view(const weft_world* world, weft_view* view);

#ifdef __cplusplus
}
#endif

#endif
