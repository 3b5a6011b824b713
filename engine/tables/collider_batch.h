/* Block of particles and the colliders that may be in their path.
 *
 * A reduced form of the colliders for the kernel: sphere particles against shapes of a few
 * parameters. All other pairs are left to the caller. */
#ifndef WEFT_TABLES_COLLIDER_BATCH_H
#define WEFT_TABLES_COLLIDER_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/frame.h"

#define WEFT__BATCH_PARTICLES 64
#define WEFT__BATCH_COLLIDERS 16

/* Contact margin beyond the particle's shape: twice the maximum rounding error of its coordinates
 * along each axis, */
#define WEFT__COORDINATE_MARGIN 0x1p-23
/* minimum magnitude assumed for coordinates, in metres, */
#define WEFT__MIN_COORDINATE 0.001
/* and some ulp of the computed values. */
#define WEFT__LOCAL_MARGIN 0x1p-50

/* Minimum length with a direction: squares of shorter ones lose digits. */
#define WEFT__MIN_LENGTH 1e-140
/* Maximum Newton steps of a cast at a convex shape; at a grazing contact each step halves the
 * rest. */
#define WEFT__MAX_CAST_STEPS 64

typedef enum weft__batch_collider_kind {
  WEFT__OBSTACLE_OTHER, /* known by its AABB only */
  WEFT__OBSTACLE_PLANE,
  WEFT__OBSTACLE_HALF_SPACE,
  WEFT__OBSTACLE_SPHERE,
  WEFT__OBSTACLE_CAPSULE,
  WEFT__OBSTACLE_BOX,
} weft__batch_collider_kind;

/* Bound on a shape: an AABB in a frame, rounded by a radius. In float, for a test that errs on the
 * side of nearness. */
typedef struct weft__rounded_box {
  float position[3]; /* metres; the frame at the end of the substep */
  float axis[3][3];
  bool turns;               /* the frame has a rotation */
  float lower[3], upper[3]; /* metres, in the frame; may be infinite */
  float radius;             /* metres */
} weft__rounded_box;

typedef struct weft__batch_collider {
  weft__batch_collider_kind kind;
  uint32_t number;         /* the collider's */
  double radius;           /* metres */
  const double* half_size; /* metres [3] */
  /* AABB in its frame, and of its motion in the world; may be infinite */
  const weft__vec3 *lower, *upper;
  const weft__vec3 *swept_lower, *swept_upper;
  const weft__frame *begin, *end; /* frames at the begin and end of the substep */
  bool moves, turns;
  uint64_t meets; /* one bit for each particle of the block that it collides with at all */
  /* coefficients of the pair with each particle */
  float restitution[WEFT__BATCH_PARTICLES];
  float static_friction[WEFT__BATCH_PARTICLES];
  float dynamic_friction[WEFT__BATCH_PARTICLES];
} weft__batch_collider;

typedef struct weft__collider_batch {
  weft__vec3 gravity; /* metres a substep */
  float rate;         /* 1/seconds: substeps */
  bool notes;
  bool rechecks; /* resolved particles are tested against all obstacles once more */
  float radius[WEFT__BATCH_PARTICLES]; /* metres, of each particle */
  uint32_t obstacle_count;
  weft__batch_collider obstacles[WEFT__BATCH_COLLIDERS];

  /* results, one bit for each particle */
  uint64_t
      resolved_by[WEFT__BATCH_COLLIDERS]; /* in contact with only this obstacle, and resolved */
  uint64_t
      /* left unchanged: several contacts, initial overlap, or a shape the kernel does not know */
      rare;
  /* if `notes`: world normal of resolved particles */
  double normal_x[WEFT__BATCH_PARTICLES];
  double normal_y[WEFT__BATCH_PARTICLES];
  double normal_z[WEFT__BATCH_PARTICLES];
} weft__collider_batch;

#endif
