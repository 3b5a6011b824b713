/* weft, chapter 8: contacts. Include <weft/weft.h>, which brings this.
 *
 * Particles meet colliders, which are no part of the simulation and which the caller may move;
 * cloth meets itself and other cloth; and particles that carry a sphere, a box or an ellipsoid meet
 * each other. All of it is called between steps and may allocate, as nothing in a step does: where
 * a step has more contacts than there is room for, it leaves some out and counts them, see
 * weft_contact_limits.
 *
 * In each substep contacts come after links and trees: cloth from cloth, then bodies from bodies,
 * then everything from colliders. Then come the bounds, and at last what lets nothing pass, within
 * them: weft_contact.exact.
 *
 * Friction is Coulomb's: what a contact takes of the speed along it is all of it where that takes
 * no more than static_friction times what it does at right angles to it, and else dynamic_friction
 * times that. Of two that meet, the coefficients a and b of friction make sqrt(a^2 + b^2), and the
 * smaller restitution holds. */
#ifndef WEFT_CONTACT_H
#define WEFT_CONTACT_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what particles are -----------------------------------------------------------------------
 */

typedef enum weft_contact_shape {
  /* meets colliders, half_size[0] away from them, and no particles; faces that are `exact` stop it
   */
  WEFT_CONTACT_POINT = 0,
  /* One of a cloth, half_size[0] thick on either side: a sphere of that radius, which stays clear
   * of others of cloth and of bodies. Two that links join over a way of at most 1.5 times the sum
   * of their radii do not meet: so a fold is no sharper than the cloth is thick. It takes some 0.55
   * of a sheet's spacing as a radius for nothing to slip through between particles. */
  WEFT_CONTACT_CLOTH = 1,
  /* Bodies: they collide with each other by impulses. A sphere has the radius half_size[0]; in a
   * plane it is a circle, and boxes and ellipsoids there are to have a half_size[2] that is large,
   * so that the way out of one is never across the plane. Bodies do not turn. At rest they may be
   * in each other by a thousandth of their size. */
  WEFT_CONTACT_SPHERE = 2,
  WEFT_CONTACT_BOX = 3,       /* along the axes; half_size is half its size */
  WEFT_CONTACT_ELLIPSOID = 4, /* half_size are its half axes */
} weft_contact_shape;

/* How a particle meets others. Its mass is that of the particle. */
typedef struct weft_contact {
  weft_contact_shape shape; /* default WEFT_CONTACT_POINT */
  /* metres; 0 to 1e6 for points, 1e-6 to 1e6 for others; a single radius is the first. Default 0 0
   * 0 */
  float half_size[3];
  float restitution;      /* share of the speed of approach at which they part, 0 to 1; default 0 */
  float static_friction;  /* 0 to 1000; default 0 */
  float dynamic_friction; /* 0 to static_friction; default 0 */
  /* Two meet where each has a bit of its category in the other's mask. Defaults 1 and all bits */
  uint32_t category, mask;
  /* Its faces, and their edges, let nothing pass: no particle that has a contact, and no edge of
   * faces that are exact, too, however fast it comes. A face is exact where its three particles
   * are. Bodies stay half_size[0] away from faces. It holds whatever links pull, unless the caller
   * places a particle elsewhere. What crosses already is let go on until it is apart, and holds up
   * nothing. A step does bounded work: cloth with too much near it moves as one for a while, see
   * weft_contact_stats.exact_over_budget. A pinned particle that is sent somewhere may be held up.
   * Needs weft_world_def.faces. Default false */
  bool exact;
  uint32_t cookie; /* private */
} weft_contact;

WEFT_API weft_contact weft_default_contact(void);

/* Gives particles [first, first + count) a contact, or takes it away again (NULL): at first they
 * have none, and meet nothing. Fails with WEFT_ERROR_EMPTY at "weft_contact.exact" where the world
 * keeps no faces. */
WEFT_API weft_result weft_world_set_contact(weft_world* world, uint32_t first, uint32_t count,
                                            const weft_contact* contact);

/* ---- colliders --------------------------------------------------------------------------------
 */

/* The numbers are in the collider's own frame, which its position and rotation place in the world.
 */
typedef enum weft_shape {
  WEFT_SHAPE_PLANE =
      0, /* endless and thin, through 0 at right angles to y: passed from neither side */
  WEFT_SHAPE_HALF_SPACE = 1, /* all below y = 0 */
  WEFT_SHAPE_SPHERE = 2,     /* `radius` around 0 */
  WEFT_SHAPE_CAPSULE =
      3,              /* `radius` around the segment from y = -half_size[1] to y = half_size[1] */
  WEFT_SHAPE_BOX = 4, /* half_size */
  WEFT_SHAPE_ELLIPSOID = 5, /* half axes half_size */
  WEFT_SHAPE_HULL = 6,      /* the convex hull of `points`, which lie in no plane */
  /* y = heights[row * columns + column] at x = column * spacing, z = row * spacing; solid below,
   * without end; cells are two triangles each, cut from (column + 1, row) to (column, row + 1); at
   * its edges there are upright walls, and beyond them nothing */
  WEFT_SHAPE_HEIGHTFIELD = 7,
  WEFT_SHAPE_MESH = 8, /* `triangles` between `points`: thin, passed from neither side */
  /* the signed distance to a surface, negative inside, at x = i * spacing, y = j * spacing, z = k *
   * spacing: samples[(k * size[1] + j) * size[0] + i]; linear between; nothing beyond its edges */
  WEFT_SHAPE_DISTANCE_GRID = 9,
} weft_shape;

typedef struct weft_collider_def {
  weft_shape shape;     /* default WEFT_SHAPE_SPHERE */
  float position[3];    /* metres; default 0 0 0 */
  float rotation[4];    /* a quaternion x y z w of length 1, to 0.001; default 0 0 0 1 */
  float radius;         /* metres, 1e-6 to 1e9; default 1; of what has none it is not looked at */
  float half_size[3];   /* metres, 1e-6 to 1e9; default 0.5 0.5 0.5; the same */
  const float* points;  /* metres, [point_count][3]: of hulls and meshes */
  uint32_t point_count; /* up to 2^24, of a hull 4 to 65,535 */
  const uint32_t* triangles; /* [triangle_count][3] */
  uint32_t triangle_count;   /* 1 to 2^25 */
  const float* samples;      /* metres: heights [size[2]][size[0]], or distances */
  uint32_t size[3];          /* samples along x, y, z: 2 to 65,536 each; a heightfield has no y */
  float spacing;             /* metres, 1e-6 to 1e6; default 1 */
  float velocity[3];         /* metres per second: it moves by itself; default 0 0 0 */
  float spin[3];             /* radians per second about its position, up to 1e6; default 0 0 0 */
  float restitution;         /* as in weft_contact */
  float static_friction;
  float dynamic_friction;
  uint32_t category, mask;
  uint32_t cookie; /* private */
} weft_collider_def;

WEFT_API weft_collider_def weft_default_collider_def(void);

/* Adds a collider; arrays are copied. *collider is its number, and numbers of colliders that are
 * gone are used again. Where several hold a particle, those with higher numbers have the last word.
 */
WEFT_API weft_result weft_world_add_collider(weft_world* world, const weft_collider_def* def,
                                             uint32_t* collider);

WEFT_API weft_result weft_world_remove_collider(weft_world* world, uint32_t collider);

/* Sends a collider to a place and a rotation (NULL = as it is) in the course of the next step, with
 * substeps a part of the way in each; then it stands still, whatever its velocity was. It goes at
 * constant velocity and spin, along the shorter arc: q and -q are one rotation. What is in its way
 * is swept along, as seen in slices of a sixteenth of a radian, or of a 128th of what it turns in a
 * substep where that is more. */
WEFT_API weft_result weft_world_move_collider(weft_world* world, uint32_t collider,
                                              const float* position, const float* rotation);

/* Sets the velocity and the spin of a collider, [3] each (NULL = as it is), as in its def; where it
 * has been sent, it does not get there. */
WEFT_API weft_result weft_world_set_collider_velocity(weft_world* world, uint32_t collider,
                                                      const float* velocity, const float* spin);

/* Where a collider is: [3] and [4], either may be NULL. */
WEFT_API weft_result weft_world_get_collider(const weft_world* world, uint32_t collider,
                                             float* position, float* rotation);

/* ---- events -----------------------------------------------------------------------------------
 */

typedef enum weft_contact_event_kind {
  WEFT_CONTACT_BEGIN =
      0, /* they touch at the end of a step, and did not at the end of the one before */
  WEFT_CONTACT_STAY =
      1, /* they touch, and did before; only told where weft_contact_limits.with_stays */
  WEFT_CONTACT_END = 2, /* they touch no more */
} weft_contact_event_kind;

/* A particle and a collider, or two bodies. Cloth against cloth tells no events. */
typedef struct weft_contact_event {
  weft_contact_event_kind kind;
  uint32_t particle;
  uint32_t other;   /* a collider, or a particle with a higher number */
  bool is_collider; /* what `other` is */
  float impulse;    /* newton seconds: what the step did along the normal, 0 when they part */
  float normal[3];  /* from `other` to the particle; 0 when they part */
  uint64_t step;    /* the number of the step, 1 for the first */
} weft_contact_event;

/* Takes the oldest events out: *count of them, at most `capacity`; by step, and within one by
 * particle, then colliders before particles, then by number. */
WEFT_API weft_result weft_world_take_contacts(weft_world* world, uint32_t capacity,
                                              weft_contact_event* events, uint32_t* count);

/* ---- limits and counts ------------------------------------------------------------------------
 */

/* Room for what a step finds. What finds none is left out and counted in weft_contact_stats; set
 * larger limits then. 0 = as many as the world usually needs, the default; the largest are 2^30. */
typedef struct weft_contact_limits {
  /* Of particles that are near each other: of cloth, and of bodies. A body meets as many as lie
   * around it; of more than 512 that it finds first, the rest are left out, and count as one */
  uint32_t max_pairs;
  uint32_t max_exact;   /* of a particle and a face, or two edges, that may meet soon */
  uint32_t max_touches; /* of what touches at the end of a step: see events */
  uint32_t max_events;  /* that wait to be taken; default 0 = none are told */
  bool with_stays;      /* default false */
  uint32_t cookie;      /* private */
} weft_contact_limits;

WEFT_API weft_contact_limits weft_default_contact_limits(void);

/* Events that wait are kept, the oldest that fit. */
WEFT_API weft_result weft_world_set_contact_limits(weft_world* world,
                                                   const weft_contact_limits* limits);

/* What the last step met, and what was left out since the world was made. */
typedef struct weft_contact_stats {
  uint32_t collider_count;
  uint32_t collider_contacts; /* particles held by a collider, in the last substep */
  uint32_t cloth_pairs;       /* that were near */
  uint32_t body_pairs;        /* that were near */
  uint32_t body_colors;       /* batches that those were solved in */
  uint32_t exact_pairs;       /* that may meet soon, and some that no longer do: of max_exact */
  uint32_t exact_hits; /* of those, in all substeps, that would have passed through each other */
  /* distances and times of impact computed for these: up to 2,048 at once for each cluster of 16
   * faces, and, in the long run, 1,024 in each substep */
  uint64_t exact_tests;
  /* would have passed, and were let: their edges and faces crossed each other already, as at the
   * start of a scene */
  uint32_t exact_crossed;
  /* clusters of 16 faces, or particles by themselves, in all substeps, that needed more tests than
   * that, or more room than max_exact: each moved as one with all that was near it, or not at all,
   * so that nothing passed */
  uint32_t exact_over_budget;
  /* passes over the pairs, in all substeps: at most 55 in each, and one where nothing would pass */
  uint32_t exact_rounds;
  uint64_t exact_stops; /* particles rolled back to where they were when last looked at, ever */
  uint64_t lost_pairs;
  uint64_t lost_exact;
  uint64_t lost_touches;
  uint64_t lost_events;
} weft_contact_stats;

WEFT_API weft_result weft_world_get_contact_stats(const weft_world* world,
                                                  weft_contact_stats* stats);

#ifdef __cplusplus
}
#endif

#endif
