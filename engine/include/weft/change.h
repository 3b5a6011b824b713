/* weft, chapter 6: change a world while it runs. Include <weft/weft.h>, which brings this.
 *
 * Everything here is called between steps, like all calls on one world. What is set stays until it
 * is set anew, but for forces, which last one step. The same calls in the same order give the same
 * bits. Nothing here allocates, except where it is said. */
#ifndef WEFT_CHANGE_H
#define WEFT_CHANGE_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- particles --------------------------------------------------------------------------------
 */

/* Moves a particle, [3] in metres, and sets its velocity, [3] in metres per second (NULL = 0). */
WEFT_API weft_result weft_world_set_particle(weft_world* world, uint32_t particle,
                                             const float* position, const float* velocity);

/* Sets a particle's inverse mass, 1/kg; 0 pins it where it is. */
WEFT_API weft_result weft_world_set_inverse_mass(weft_world* world, uint32_t particle,
                                                 float inverse_mass);

/* Sends a pinned particle to a place, [3] in metres, in the course of the next step: with substeps
 * a part of the way in each. After that step its velocity is that of this move, and then 0 again.
 * Calling it again before that step sets another place; unpinning the particle calls the move off.
 * Where it is not pinned, this fails with WEFT_ERROR_RANGE at "particle". May allocate. */
WEFT_API weft_result weft_world_move_particle(weft_world* world, uint32_t particle,
                                              const float* target);

/* Moves a body's particles, pinned ones too, by [3] metres, and their velocities stay. */
WEFT_API weft_result weft_world_shift_body(weft_world* world, const weft_body* body,
                                           const float* offset);

/* Takes a body out: its links and all others at its particles act no more and cannot be switched on
 * again, and the particles are pinned where they are, without a velocity; joints at them break,
 * grips lose them. They meet nothing, no contact that they are given later counts, their touches
 * end with the next step, and no query and no measure finds them or their faces.
 * weft_world_get_torn() says of these links that they have broken, but they are not counted and not
 * in weft_world_take_torn(). May allocate: see links. */
WEFT_API weft_result weft_world_remove_body(weft_world* world, const weft_body* body);

/* ---- grips ------------------------------------------------------------------------------------
 */

/* A grip is a pointer that holds particles: a finger, a mouse, a hand. What it has taken it holds
 * until it lets go, each particle where it lay to the pointer, and moves it as far as the pointer
 * goes. Held particles are as pinned ones for all else, and no other grip takes them. Torn links do
 * not end a hold; a particle of a body that is removed is held no more. weft_world_set_particle()
 * and weft_world_shift_body() change how it lies to the pointer; weft_world_set_inverse_mass() sets
 * what it has once it is let go. */
#define WEFT_MAX_GRIPS 16

/* Puts a pointer at a place, [3] in metres, and takes all free particles within `radius` metres, >
 * 0, of it. *grip is its number, below WEFT_MAX_GRIPS; numbers of grips that are gone are used
 * again. Fails with WEFT_ERROR_TOO_MANY where there are so many. May allocate. */
WEFT_API weft_result weft_world_grip(weft_world* world, const float* place, float radius,
                                     uint32_t* grip);

/* Sends a pointer and what it holds to a place, [3] in metres, in the course of the next step: with
 * substeps a part of the way in each. While it holds nothing it takes all free particles within its
 * radius of the segment that it goes along, as if it had met them on its way. Called again before
 * that step, it goes on from there. Fails with WEFT_ERROR_RANGE at "place" where a particle would
 * go beyond all floats. May allocate. */
WEFT_API weft_result weft_world_move_grip(weft_world* world, uint32_t grip, const float* place);

/* Takes a pointer away: what it holds is free again, with the inverse mass that it had and the
 * velocity of its last substep; a move since then is called off. */
WEFT_API weft_result weft_world_release_grip(weft_world* world, uint32_t grip);

/* Where a pointer is, or was sent, [3] in metres, and how many particles it holds; either may be
 * NULL. */
WEFT_API weft_result weft_world_get_grip(const weft_world* world, uint32_t grip, float* place,
                                         uint32_t* held);

/* ---- forces and limits ------------------------------------------------------------------------
 */

/* Metres per second squared. */
WEFT_API weft_result weft_world_set_gravity(weft_world* world, const float* gravity);

/* As in weft_world_def. */
WEFT_API weft_result weft_world_set_damping(weft_world* world, float damping);
WEFT_API weft_result weft_world_set_max_speed(weft_world* world, const float* max_speed);

/* Adds a force, [3] in newtons, to a particle for the next step, all of its substeps. A pinned one
 * does not feel it. The first call allocates. */
WEFT_API weft_result weft_world_add_force(weft_world* world, uint32_t particle, const float* force);

/* Air that moves, and presses on faces at right angles to them: half its density times the drag
 * coefficient, the area, and the square of the speed s at which it meets the face along its normal;
 * a third goes to each corner. The force is found once a step, from where the cloth is and how fast
 * it goes when the step begins, and is no larger than what brings the face to the speed of the air
 * within that step: light cloth in strong wind follows it, and is never blown faster than it,
 * whatever the step.
 *
 * Gusts: at each place the velocity is multiplied by 1 + gust * n, where n, from -1 to 1, changes
 * smoothly from place to place and in time, and drifts along with the air, so that waves travel
 * across a flag. Their time begins when a wind is first set, goes on while there is one, and
 * repeats with every run. */
typedef struct weft_wind {
  float velocity[3]; /* metres per second; default 0 0 0: air that only resists */
  float density;     /* kilograms per cubic metre, >= 0; default 1.2 */
  float drag;        /* >= 0; default 1 */
  float gust;        /* share of the velocity that comes and goes, 0 to 10; default 0 */
  float gust_period; /* seconds from gust to gust, > 0; default 1 */
  float gust_size;   /* metres from gust to gust, > 0; default 5 */
  uint32_t seed;     /* of the gusts: any number; default 1 */
  uint32_t cookie;   /* private */
} weft_wind;

WEFT_API weft_wind weft_default_wind(void);

/* NULL = none, as at first. Needs weft_world_def.faces: else WEFT_ERROR_EMPTY. The first call
 * allocates. */
WEFT_API weft_result weft_world_set_wind(weft_world* world, const weft_wind* wind);

/* ---- bounds -----------------------------------------------------------------------------------
 */

/* A box that free particles do not leave: at the end of each substep those that are beyond a wall
 * are put back, along x, y and z in turn. One that is too large for the box stays in its middle.
 * What flies against a wall bounces as high as it should, whatever the step; what lies there, or
 * meets it no faster than gravity makes it in two substeps, does not, so that things come to rest.
 */
typedef struct weft_bounds {
  float least[3], most[3]; /* metres; -infinity and infinity = open, the default */
  /* Share of the speed at which a particle leaves a wall that it has hit, 0 to 1; default 0 */
  float restitution;
  /* Coulomb's law: what a wall takes of the speed along it is at most this share of the change of
   * the speed at right angles to it, >= 0; default 0. What it can hold does not creep. */
  float friction;
  uint32_t cookie; /* private */
} weft_bounds;

WEFT_API weft_bounds weft_default_bounds(void);

/* NULL = none, as at first. The first call allocates. */
WEFT_API weft_result weft_world_set_bounds(weft_world* world, const weft_bounds* bounds);

/* Particles [first, first + count) are spheres or ellipsoids with these half axes, [3] in metres,
 * from 0 on, for the bounds; at first they are points. The first call allocates. */
WEFT_API weft_result weft_world_set_radii(weft_world* world, uint32_t first, uint32_t count,
                                          const float* radii);

/* Says along which axes a particle was at a wall, or had to be put back to it, in the last step: -1
 * at the least, 1 at the most, 0 at neither, [3]; with substeps, in the last of them in which it
 * was at any. Pinned particles are at none. */
WEFT_API weft_result weft_world_get_touch(const weft_world* world, uint32_t particle, int* touch);

/* ---- links ------------------------------------------------------------------------------------
 */

/* A link that is torn or switched off acts nowhere, and what was built on it goes with it: bend
 * elements that it is part of, what stands for it on coarse levels, attachments whose way, the
 * shortest along links, leads along it. The direct solve of trees goes on with what is left.
 * Whether an end is pinned does not matter. In a world with coarse levels, the first of these calls
 * that takes links away allocates. */

/* Switches a link off, or on again: a torn link stays torn. A link that is on again holds as it did
 * in sweeps and in the direct solve of trees; bend elements, coarse levels and attachments do not
 * get back what they lost. */
WEFT_API weft_result weft_world_set_link_enabled(weft_world* world, uint32_t link, bool enabled);

/* Tears a link, on or off; one that is torn already stays so. */
WEFT_API weft_result weft_world_tear_link(weft_world* world, uint32_t link);

/* Tears all links of which a part is within `radius` metres, > 0, of the segment between two
 * points, [3] in metres each: of a sphere where both are one. Links that are off are passed over.
 * Computed in double precision. *torn, which may be NULL, says how many. */
WEFT_API weft_result weft_world_tear_near(weft_world* world, const float* from, const float* to,
                                          float radius, uint32_t* torn);

/* Tears all links that have a point in common with a triangle, corners [3][3] in metres: a blade
 * that was drawn. Touching counts: an end on the face, an edge that is met, a link that lies in the
 * triangle's plane and reaches into it. A triangle without area cuts nothing, and between two that
 * share an edge nothing slips through. Links that are off are passed over. Computed in double
 * precision. *torn, which may be NULL, says how many. */
WEFT_API weft_result weft_world_cut(weft_world* world, const float* triangle, uint32_t* torn);

/* Takes the oldest of the links that tore since they were last taken, however they tore, out of the
 * buffer: *count of them, at most `capacity`, in the order in which they tore, and by number within
 * a step or a call that tears. What tears while the buffer is full is missing here and counted in
 * weft_world_stats.lost_events. Where any wait, this takes O(links). */
WEFT_API weft_result weft_world_take_torn(weft_world* world, uint32_t capacity, uint32_t* links,
                                          uint32_t* count);

/* ---- joints -----------------------------------------------------------------------------------
 */

/* A joint holds a particle at a distance from a point: another particle, or one on an edge or a
 * face, which is moved as well. It can be made and removed at any time, which links cannot. Joints
 * are solved after every sweep over the links, and have the last word: a rope that is solved
 * directly stretches by a hundredth or two where it hangs by a joint, less with substeps. */
typedef struct weft_joint_def {
  uint32_t particle;
  uint32_t to[3];    /* particles, other than it and different; one of weight 0 is not looked at */
  float weights[3];  /* 0 to 1, their sum is 1: the point is to's, so weighted; default 1 0 0 */
  float rest_length; /* metres, >= 0; default 0: welded */
  float compliance;  /* metres per newton, 0 to 1e12; default 0 */
  float break_force; /* newtons at which it breaks, >= 0; default 0 = never */
  weft_link_mode mode; /* not WEFT_LINK_RANGE; default WEFT_LINK_BOTH */
  uint32_t cookie;     /* private */
} weft_joint_def;

WEFT_API weft_joint_def weft_default_joint_def(void);

/* Adds a joint; *joint is its number, and numbers of joints that are gone are used again. Fails
 * where the world has weft_world_def.max_joints already. */
WEFT_API weft_result weft_world_add_joint(weft_world* world, const weft_joint_def* def,
                                          uint32_t* joint);

/* Removes a joint, broken or not. */
WEFT_API weft_result weft_world_remove_joint(weft_world* world, uint32_t joint);

/* What a joint does: `force`, newtons in the last substep, of a broken one in the last that it held
 * in, and whether it is broken. Either may be NULL. */
WEFT_API weft_result weft_world_get_joint(const weft_world* world, uint32_t joint, float* force,
                                          bool* broken);

/* ---- time -------------------------------------------------------------------------------------
 */

/* How fast the world's time goes in weft_world_advance(), 0 to 1000; 1 at first, 0 = it stands
 * still. No time is lost: scales from 1e-12 on are exact, and smaller ones rounded down to a
 * multiple of 2^-64. */
WEFT_API weft_result weft_world_set_time_scale(weft_world* world, float scale);

/* Nanoseconds of the steps from now on, as weft_world_def.step_ns, and at most its max_elapsed_ns
 * where that is not 0. Velocities stay what they are; they are those of the last step until the
 * next one. */
WEFT_API weft_result weft_world_set_step(weft_world* world, int64_t step_ns);

#ifdef __cplusplus
}
#endif

#endif
