/* Colliders: shapes that particles collide with and that the caller moves.
 *
 * Each is a shape in a frame of its own (geometry/shape.h) that moves within a substep. Continuous
 * collision detection runs in the frame of the collider: the previous position of a particle in the
 * frame at the beginning of the substep, its position in the frame at the end, and the segment
 * between them swept against the shape at rest.
 *
 * Seen from a rotating frame a straight path is an arc. Over a small angle a the chord deviates
 * from it by a^2 / 8 of the radius: a frame that rotates further than 1/16 radian is split into
 * slices, each swept by itself. */
#ifndef WEFT_COLLISION_COLLIDERS_COLLIDERS_H
#define WEFT_COLLISION_COLLIDERS_COLLIDERS_H

#include "base/aabb.h"
#include "base/archive.h"
#include "base/pose.h"
#include "base/slot.h"
#include "collision/setup.h"
#include "geometry/shape.h"
#include "tables/collider_batch.h"

typedef struct weft__collider {
  const weft__shape_row* row; /* NULL = free slot */
  uint32_t generation;        /* see base/slot.h */
  void* user_data;            /* the host's */
  weft__shape shape;
  weft__vec3 lower, upper; /* local AABB of the shape; may be infinite */
  weft__surface surface;
  weft__pose pose;           /* between steps, or at the end of the substep */
  weft__vec3 velocity, spin; /* metres and radians per second */

  bool has_target;               /* has a target pose for the end of the next step */
  weft__pose step_start, target; /* pose when that step began, and the target */

  bool is_settled;                   /* members below describe a collider at rest */
  bool moves;                        /* in this substep */
  bool deforms;                      /* as given: its points may be moved */
  weft__slice_of_time slice_of_time; /* part of the substep that `begin` and `end` are of */
  bool turns;                        /* rotates in this substep */
  weft__pose substep_start;          /* when the substep began */
  weft__pose_slice slice;            /* motion of one slice */
  uint32_t slice_count;              /* 1 = paths seen from the frame count as straight */
  weft__frame begin, end;            /* frames of the substep */
  weft__vec3 swept_lower;            /* world AABB of the motion in the substep */
  weft__vec3 swept_upper;
  weft__rounded_box bounds; /* around the shape, at the end of the substep */
  double magnitude;         /* metres: largest finite coordinate of its bounds */
  double angle;             /* radians: rotation in the substep */
  weft__vec3 turn;          /* the same as a rotation vector */
  double travel; /* metres: displacement of a point of the shape in the substep; may be infinite */
} weft__collider;

/* True if it acts on one of environments [begin, end). */
static inline bool weft__collider_is_in(const weft__collider* collider, weft__range environments) {
  const uint32_t own = collider->surface.environment;
  return own == WEFT_ALL_ENVIRONMENTS || (own >= environments.begin && own < environments.end);
}

typedef struct weft__near_collider {
  uint64_t lanes;  /* particles of a block that may touch it */
  uint32_t number; /* index in the list */
} weft__near_collider;

/* Sums of impulses on a collider: see loads.h. */
typedef struct weft__collider_sums weft__collider_sums;

typedef struct weft__colliders {
  uint32_t count;         /* colliders that exist */
  uint32_t contact_count; /* particles in contact in the last substep */
  weft__collider* list;   /* by index [end] */
  uint32_t end;           /* slots in use or freed */
  uint32_t first_free;    /* no slot below is free */
  size_t capacity;        /* allocated length of the list */
  /* broad phase lists, see solve.c [worker_count x 2 x capacity] */
  weft__near_collider* scratch;
  bool with_loads;       /* impulses are summed */
  uint32_t worker_count; /* the pool's, once there is a collider */
  /* written in each step; NULL without loads [worker_count x capacity] */
  weft__collider_sums* sums;
  size_t bytes;
} weft__colliders;

/* Adds a collider of a checked def; `worker_count` is the pool's. On failure to allocate returns
 * false and changes nothing. */
bool weft__colliders_add(weft__colliders* colliders, const weft_collider_def* def,
                         uint32_t worker_count, weft_collider* handle);

/* Allocates memory for slots, likewise. */
bool weft__colliders_reserve(weft__colliders* colliders, size_t count, uint32_t worker_count);

void weft__colliders_remove(weft__colliders* colliders, uint32_t index);

/* Collider of a handle, NULL if that is stale. */
static inline weft__collider* weft__colliders_find(const weft__colliders* colliders,
                                                   weft_collider handle) {
  if (handle.index >= colliders->end) return NULL;
  weft__collider* collider = &colliders->list[handle.index];
  return weft__slot_matches(collider->generation, handle.generation) ? collider : NULL;
}

/* Visits the state. A check replaces the list by another one, which shares the data of shapes that
 * are alike: weft__colliders_discard() then frees one of the two. */
void weft__colliders_visit(weft__colliders* colliders, weft__archive* archive,
                           uint32_t worker_count);

/* Destroys a list but for the data of shapes that another one shares. */
void weft__colliders_discard(weft__colliders* colliders, const weft__colliders* kept);

void weft__colliders_destroy(weft__colliders* colliders);

bool weft__collider_moves(const weft__collider* collider);

/* World AABB of its motion in a step of so many seconds; of a target, on the way there. */
weft__aabb weft__collider_box(const weft__collider* collider, double seconds);

/* Moves colliders to the end of the substep, before the substep begins. */
void weft__colliders_move(weft__colliders* colliders, const weft__step_context* step);

/* Resolves contacts of particles with colliders, at the end of a substep, with friction and
 * restitution. Cloth collides at this share of its radius: a power of two, so that lanes and single
 * particles round alike. */
void weft__colliders_solve(weft__colliders* colliders, weft__step_context* step, float cloth_share);

/* Particles of the blocks that have own particles; the table is the particles. */
extern const weft__halo_rows weft__collider_rows;

#endif
