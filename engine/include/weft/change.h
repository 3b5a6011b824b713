/* weft, chapter 6: change a world at run time. Include <weft/weft.h>, which includes this.
 *
 * Calls are made between steps. Settings last until they are set again; forces last one step. The
 * same calls in the same order give the same bits. No call allocates memory unless documented. */
#ifndef WEFT_WEFT_H
// included first: weft.h includes this file again, before others that need its types
#include "weft/weft.h"
#elif !defined(WEFT_CHANGE_H)
#define WEFT_CHANGE_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- particles ------------------------------------------------------------------------------- */

/* Removes a body. Its links, and all others at its particles, are off for good. Its particles are
 * pinned in place with velocity 0 and collide with nothing; joints at them break, grips lose them,
 * their touches end with the next step. Queries and measures ignore them and their faces.
 * WEFT_ATTRIBUTE_LINK_TORN reports these links as torn, but they are not counted and not in
 * weft_world_take_torn(). May allocate: see links. */
WEFT_RESULT weft_world_remove_body(weft_world* world, const weft_body* body);

/* ---- grips ----------------------------------------------------------------------------------- */

/* A grip is a pointer that holds particles: a finger, a mouse, a hand. It holds each at a fixed
 * offset until it is released, and moves them as it moves. Held particles act as pinned ones, and
 * no other grip takes them. Removal of a body ends a hold; torn links do not.
 * WEFT_ATTRIBUTE_POSITION changes the offset of a held particle, WEFT_ATTRIBUTE_INVERSE_MASS its
 * inverse mass after release. */
#define WEFT_MAX_GRIPS 16

/* Creates a grip at a point, [3] in metres, which takes all free particles within `radius` metres,
 * > 0. Fails with WEFT_ERROR_TOO_MANY if the world has WEFT_MAX_GRIPS grips. May allocate. */
WEFT_RESULT weft_world_add_grip(weft_world* world, const float* place, float radius,
                                weft_grip* grip);

/* Moves a grip and its particles to a point, [3] in metres, during the next step: in equal parts,
 * one each substep. An empty grip takes all free particles within its radius of the segment of the
 * move. A further call before that step continues from the last target. Fails with WEFT_ERROR_RANGE
 * at "place" if a particle's position would overflow. May allocate. */
WEFT_RESULT weft_world_move_grip(weft_world* world, weft_grip grip, const float* place);

/* Releases a grip. Its particles are free again, with their inverse mass and the velocity of their
 * last substep; a move since then is cancelled. */
WEFT_RESULT weft_world_remove_grip(weft_world* world, weft_grip grip);

/* Position or pending target of a grip, [3] in metres, its radius as set, and its number of
 * particles. Each may be NULL. */
WEFT_RESULT weft_world_get_grip(const weft_world* world, weft_grip grip, float* place,
                                float* radius, uint32_t* held);

/* ---- forces and limits ----------------------------------------------------------------------- */

/* Sets gravity, [3] in metres per second squared. */
WEFT_RESULT weft_world_set_gravity(weft_world* world, const float* gravity);

/* Set the fields of weft_world_def of the same name: 1/seconds, >= 0; [3] in metres per second,
 * > 0. */
WEFT_RESULT weft_world_set_damping(weft_world* world, float damping);
WEFT_RESULT weft_world_set_max_speed(weft_world* world, const float* max_speed);

/* Wind. Drag acts on each particle of cloth along the normal of its vector area, a third of its
 * faces:
 *
 *     1/2 * density * drag * area * (|s| + unsteady_speed) * s
 *
 * s being the normal component of the air's velocity relative to the particle. It is computed once
 * a step, and limited to the force that brings the particle to the speed of the air within the
 * step. Swings in still air decay as real ones do: light cloth is at rest within a few seconds, and
 * falls at a metre or two per second. Links of the kind STRUCTURAL between particles without faces,
 * such as a rope's, have the drag of a cylinder, 1.2 times `drag`, across them; their diameter is
 * twice the radius of the particles' shape, POINT or CLOTH.
 *
 * Gusts. The local velocity is multiplied by 1 + gust * n, n from -1 to 1 being a smooth noise in
 * space and time that drifts with the air. Its time starts when a wind is first set, advances while
 * there is a wind, and is the same in every run. */
typedef struct weft_wind_def {
  float velocity[3]; /* metres per second; default 0 0 0: still air that only resists */
  float density;     /* kilograms per cubic metre, >= 0; default 1.2 */
  float drag;        /* drag coefficient of faces, >= 0; default 1. Of links without, times 1.2 */
  /* metres per second, >= 0; default 0.5: the larger drag of small motions to and fro (Graham 1980,
   * "The forces on sharp-edged cylinders in oscillatory flow"), which a stream hardly has */
  float unsteady_speed;
  float gust;        /* amplitude as a share of the velocity, 0 to 10; default 0 */
  float gust_period; /* seconds from gust to gust, > 0; default 1 */
  float gust_size;   /* metres from gust to gust, > 0; default 5 */
  uint32_t seed;     /* seed of the noise, any number; default 1 */
  uint32_t cookie;   /* private */
} weft_wind_def;

WEFT_API weft_wind_def weft_default_wind_def(void);

/* Sets the wind; NULL = none, the initial state. Fails with WEFT_ERROR_DISABLED in a plane.
 * The first call allocates. */
WEFT_RESULT weft_world_set_wind(weft_world* world, const weft_wind_def* wind);

/* Sets the wind with which worlds of the scene begin, but in a plane; NULL = none, the default. */
WEFT_RESULT weft_scene_set_wind(weft_scene* scene, const weft_wind_def* wind);

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Axis-aligned box that free particles do not leave. At the end of each substep particles beyond a
 * wall are projected back, along x, y and z in turn. Particles have the size of their shape,
 * without one they are points; one too large for the box stays in its middle. A particle that hits
 * a wall bounces to the right height whatever the step; one that rests at it, or approaches it no
 * faster than gravity accelerates it in two substeps, does not. */
typedef struct weft_bounds_def {
  float lower[3], upper[3]; /* metres; -infinity and infinity = open, the default */
  weft_surface_def surface; /* of the walls only; static contacts do not creep */
  uint32_t cookie;          /* private */
} weft_bounds_def;

WEFT_API weft_bounds_def weft_default_bounds_def(void);

/* Sets the bounds; NULL = none, the initial state. The first call allocates, and the first one in a
 * world whose particles have shapes. */
WEFT_RESULT weft_world_set_bounds(weft_world* world, const weft_bounds_def* bounds);

/* Copies the bounds; *is_set is false, and the def the default, if there are none. */
WEFT_RESULT weft_world_get_bounds(const weft_world* world, weft_bounds_def* bounds, bool* is_set);

/* ---- links ----------------------------------------------------------------------------------- */

/* A link that is torn or switched off acts nowhere. Bend elements that contain it, links of
 * multigrid levels that stand for it, and attachments whose shortest path contains it end with it;
 * the direct solver goes on with the others. In a world with multigrid levels the first call
 * that removes links, here or by WEFT_ATTRIBUTE_LINK_ENABLED or LINK_TORN, allocates. */

/* Tears all links that come within `radius` metres, > 0, of the segment between two points, [3] in
 * metres each. Links that are off are ignored. Computed in double precision. *torn is the number of
 * links torn; it may be NULL. */
WEFT_RESULT weft_world_tear_near(weft_world* world, const float* from, const float* to,
                                 float radius, uint32_t* torn);

/* Tears all links that intersect a triangle, corners [3][3] in metres: the area swept by a blade.
 * Touching counts. A triangle without area cuts nothing, and no link passes between two triangles
 * that share an edge. Links that are off are ignored. Computed in double precision. *torn is the
 * number of links torn; it may be NULL. */
WEFT_RESULT weft_world_cut(weft_world* world, const float* triangle, uint32_t* torn);

/* Takes the oldest torn links out of the event buffer: *count of them, at most `capacity`, in the
 * order of steps and tearing calls, then by number. Links that tear while the buffer is full count
 * in weft_world_stats.lost_events. Takes O(links) time if the buffer is not empty. */
WEFT_RESULT weft_world_take_torn(weft_world* world, uint32_t capacity, uint32_t* links,
                                 uint32_t* count);

/* ---- joints ---------------------------------------------------------------------------------- */

/* A joint is a distance constraint between a particle and a point: another particle, or a point of
 * an edge or a face, whose particles move, too. Joints are added and removed at any time. They are
 * solved after every sweep over the links, and override them: a rope of the direct solver stretches
 * by one or two per cent where it hangs by a joint, less with substeps. Particles that a joint
 * holds together do not collide, as along a link: see weft/contact.h. */
typedef struct weft_joint_def {
  uint32_t particle;
  /* other particles, pairwise different, of the same environment; ignored where the weight is 0 */
  uint32_t to[3];
  float weights[3];    /* barycentric weights of `to`, 0 to 1, sum 1; default 1 0 0 */
  float rest_length;   /* metres, >= 0; default 0: welded */
  float compliance;    /* metres per newton, 0 to 1e12; default 0 */
  float break_force;   /* newtons at which it breaks, >= 0; default 0 = never */
  weft_link_mode mode; /* not WEFT_LINK_MODE_RANGE; default WEFT_LINK_MODE_BOTH */
  /* seconds, 0 to 1e6, in which the rest length falls, at constant speed, from the distance at
   * which the joint is added to rest_length. Default 0 = at once */
  float closing_time;
  void* user_data; /* the host's, in weft_world_get_joint(); default NULL */
  uint32_t cookie; /* private */
} weft_joint_def;

WEFT_API weft_joint_def weft_default_joint_def(void);

/* Adds a joint. Fails with WEFT_ERROR_TOO_MANY if the world has weft_world_def.max_joints joints.
 */
WEFT_RESULT weft_world_add_joint(weft_world* world, const weft_joint_def* def, weft_joint* joint);

/* Seam: pairs of particles that are drawn together and stay welded, each by a joint with a rest
 * length of 0 that only pulls while it closes. */
typedef struct weft_seam_def {
  const uint32_t* pairs; /* particles, [count][2]; read during weft_world_add_seam() only */
  uint32_t count;        /* > 0 */
  float closing_time;    /* seconds, 0 to 1e6; default 1 */
  float compliance;      /* metres per newton, of each pair, 0 to 1e12; default 0 */
  float break_force;     /* newtons at which a pair opens, >= 0; default 0 = never */
  uint32_t cookie;       /* private */
} weft_seam_def;

WEFT_API weft_seam_def weft_default_seam_def(void);

/* Adds the joints of a seam and, unless NULL, copies their handles to joints [count]. Fails with
 * the number of the bad pair: WEFT_ERROR_INDEX, WEFT_ERROR_SELF_LINK or WEFT_ERROR_STALE; with
 * WEFT_ERROR_TOO_MANY if weft_world_def.max_joints does not suffice for all. */
WEFT_RESULT weft_world_add_seam(weft_world* world, const weft_seam_def* def, weft_joint* joints);

/* Removes a joint, broken or not. */
WEFT_RESULT weft_world_remove_joint(weft_world* world, weft_joint joint);

/* State of a joint, broken or not; each may be NULL. Its def, with the seconds left of
 * closing_time: weights sum to 1 up to rounding, and `to` of weight 0 is 0. `force` in newtons, of
 * the last substep, or of the last one before it broke; and true if it is broken. */
WEFT_RESULT weft_world_get_joint(const weft_world* world, weft_joint joint, weft_joint_def* def,
                                 float* force, bool* broken);

/* ---- time ------------------------------------------------------------------------------------ */

/* Scales elapsed time in weft_world_advance(), 0 to 1000; initially 1, 0 = paused. No time is lost:
 * scales of at least 1e-12 are exact, smaller ones are rounded down to a multiple of 2^-64. */
WEFT_RESULT weft_world_set_time_scale(weft_world* world, float scale);

/* Sets the length of further steps in nanoseconds, as weft_world_def.step_ns; at most its
 * max_elapsed_ns if that is not 0. Velocities are kept. Shorter steps are parts of the longer ones
 * before, so that bodies move on: cloth takes 256 former substeps to become as stiff as the new
 * ones make it. Substeps below 1/8192 s remain parts of one of that length. The first change
 * allocates 12 bytes a particle, and fails with WEFT_ERROR_OUT_OF_MEMORY at "world". */
WEFT_RESULT weft_world_set_step(weft_world* world, int64_t step_ns);

/* Sets the substeps of further steps, 1 to 1000, as weft_solver_def.substeps, and their limit by
 * its max_substeps. Velocities are kept, snapshots have the number, and substeps change as by
 * weft_world_set_step(), with the same error. */
WEFT_RESULT weft_world_set_substeps(weft_world* world, uint32_t substeps);

#ifdef __cplusplus
}
#endif

#endif
