/* Colliders: shapes that particles collide with and that the caller moves.
 *
 * Continuous collision detection runs in the collider's frame: the segment from a particle's
 * previous position, in the frame at the beginning of the substep, to its position, in the frame at
 * the end, is swept against the shape at rest. Seen from a rotating frame a path is an arc, from
 * which its chord deviates by a^2 / 8 of the radius for an angle a: rotations beyond 1/16 radian
 * are split into slices, each swept by itself. */
#ifndef WEFT_COLLISION_COLLIDERS_COLLIDERS_H
#define WEFT_COLLISION_COLLIDERS_COLLIDERS_H

#include "base/aabb.h"
#include "base/archive.h"
#include "base/pose.h"
#include "base/slot.h"
#include "collision/setup.h"
#include "geometry/shape.h"
#include "geometry/triangle_list.h"
#include "tables/collider_batch.h"

typedef struct weft__collider {
  const weft__shape_row* row; /* NULL: free slot */
  uint32_t generation;        /* base/slot.h */
  void* user_data;
  weft__shape shape;
  weft__vec3 lower, upper; /* local AABB; may be infinite */
  weft__surface surface;
  weft__pose pose;           /* between steps, or at the end of the substep */
  weft__vec3 velocity, spin; /* metres, radians per second */

  bool has_target;               /* pose for the end of the next step */
  weft__pose step_start, target; /* pose when that step began */

  bool is_settled;                   /* members below describe a collider at rest */
  bool moves;                        /* in this substep */
  bool deforms;                      /* as given: its points may be moved */
  weft__slice_of_time slice_of_time; /* part of the substep between `begin` and `end` */
  bool turns;
  weft__pose substep_start;
  weft__pose_slice slice; /* one slice's motion */
  uint32_t slice_count;   /* 1: paths seen from the frame count as straight */
  weft__frame begin, end; /* substep's */
  weft__vec3 swept_lower; /* world AABB of the motion in the substep */
  weft__vec3 swept_upper;
  weft__rounded_box bounds; /* at the end of the substep */
  double magnitude;         /* metres: largest finite coordinate of the bounds */
  double angle;             /* radians: rotation in the substep */
  weft__vec3 turn;          /* rotation vector, radians */
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

/* Impulses on a collider: loads.h. */
typedef struct weft__collider_sums weft__collider_sums;

typedef struct weft__colliders {
  uint32_t count;               /* without free slots */
  uint32_t contact_count;       /* particles in contact in the last substep */
  weft__collider* list;         /* by index [end] */
  uint32_t end;                 /* slots, used or free */
  uint32_t first_free;          /* no slot below is free */
  size_t capacity;              /* slots */
  weft__near_collider* scratch; /* broad phase [worker_count x 2 x capacity] */
  weft__triangle_list* lists;   /* NULL without meshes [particle_count] */
  uint32_t substep;             /* counted through, for the lists */
  bool with_loads;
  uint32_t worker_count;          /* the pool's, once there is a collider */
  weft__collider_sums* sums;      /* one step's; NULL without loads [worker_count x capacity] */
  bool keeps_planes;              /* of contacts that the stage solves now */
  const struct weft__self* cloth; /* whose planes they are */
  size_t bytes;
} weft__colliders;

/* Adds a collider of a checked def; `worker_count` is the pool's. On failure to allocate returns
 * false and changes nothing. */
bool weft__colliders_add(weft__colliders* colliders, const weft_collider_def* def,
                         uint32_t worker_count, uint32_t particle_count, weft_collider* handle);

/* Allocates memory for slots, likewise. */
bool weft__colliders_reserve(weft__colliders* colliders, size_t count, uint32_t worker_count);

/* Allocates the lists of triangles, likewise. */
bool weft__colliders_reserve_lists(weft__colliders* colliders, uint32_t particle_count);

/* Sets a collider as a def of its shape; arrays, and sizes of shapes built from them, stay. */
void weft__collider_set(weft__collider* collider, const weft_collider_def* def);

void weft__colliders_remove(weft__colliders* colliders, uint32_t index);

/* NULL if the handle is stale. */
static inline weft__collider* weft__colliders_find(const weft__colliders* colliders,
                                                   weft_collider handle) {
  if (handle.index >= colliders->end) return NULL;
  weft__collider* collider = &colliders->list[handle.index];
  return weft__slot_matches(collider->generation, handle.generation) ? collider : NULL;
}

/* Visits the state. A check replaces the list by another one, which shares the data of shapes that
 * are alike: weft__colliders_discard() then frees one of the two. */
void weft__colliders_visit(weft__colliders* colliders, weft__archive* archive,
                           uint32_t worker_count, uint32_t particle_count);

/* Destroys a list, without data that the kept one shares. */
void weft__colliders_discard(weft__colliders* colliders, const weft__colliders* kept);

void weft__colliders_destroy(weft__colliders* colliders);

/* Not a free slot, and no plane or half-space. */
static inline bool weft__collider_is_curved(const weft__collider* collider) {
  return collider->row != NULL && collider->shape.kind != WEFT_COLLIDER_SHAPE_PLANE &&
         collider->shape.kind != WEFT_COLLIDER_SHAPE_HALF_SPACE;
}

bool weft__collider_moves(const weft__collider* collider);
bool weft__collider_has_moving_points(const weft__collider* collider);

/* At the end of a step, before it begins. */
weft__pose weft__collider_pose_after(const weft__collider* collider, double seconds);

/* World AABB of the motion in a step; of a target, on the way there. */
weft__aabb weft__collider_box(const weft__collider* collider, double seconds);

/* Poses at the end of the substep, before it begins. */
void weft__colliders_move(weft__colliders* colliders, const weft__step_context* step);

/* Resolves contacts of particles with colliders, with friction and restitution. Cloth collides at
 * this share of its radius: a power of two, so that lanes and single particles round alike. `only`:
 * particles with 1, NULL: all. */
void weft__colliders_solve(weft__colliders* colliders, weft__step_context* step, float cloth_share,
                           const uint8_t* only);

/* Particles of the blocks that have own particles; the table is the particles. */
extern const weft__halo_rows weft__collider_rows;

#endif
