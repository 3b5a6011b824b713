/* Block of particles and the colliders that may be in their path, for the kernel: spheres against
 * shapes of a few parameters. All other pairs are left to the caller. */
#ifndef WEFT_TABLES_COLLIDER_BATCH_H
#define WEFT_TABLES_COLLIDER_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/frame.h"

#define WEFT__BATCH_PARTICLES 64
#define WEFT__BATCH_COLLIDERS 16

/* Contact margin: twice the rounding error of the particle's coordinates, */
#define WEFT__COORDINATE_MARGIN 0x1p-23
/* taking coordinates of at least so many metres, */
#define WEFT__MIN_COORDINATE 0.001
/* and some ulp of computed values. */
#define WEFT__LOCAL_MARGIN 0x1p-50

/* Squares of shorter lengths lose digits. */
#define WEFT__MIN_LENGTH 1e-140
/* Step, as a fraction of the displacement, at which a cast at a convex shape has converged. */
#define WEFT__CAST_RESOLUTION 1e-15

typedef enum weft__batch_collider_kind {
  WEFT__OBSTACLE_OTHER, /* known by its AABB only */
  WEFT__OBSTACLE_PLANE,
  WEFT__OBSTACLE_HALF_SPACE,
  WEFT__OBSTACLE_SPHERE,
  WEFT__OBSTACLE_CAPSULE,
  WEFT__OBSTACLE_BOX,
} weft__batch_collider_kind;

/* AABB in a frame, rounded by a radius; float: the test errs on the side of nearness. */
typedef struct weft__rounded_box {
  float position[3]; /* metres; the frame at the end of the substep */
  float axis[3][3];
  bool turns;
  float lower[3], upper[3]; /* metres; may be infinite */
  float radius;             /* metres */
} weft__rounded_box;

typedef struct weft__batch_collider {
  weft__batch_collider_kind kind;
  uint32_t number;         /* the collider's */
  double radius;           /* metres */
  const double* half_size; /* metres [3] */
  /* AABB in its frame, of its motion in the world; may be infinite */
  const weft__vec3 *lower, *upper;
  const weft__vec3 *swept_lower, *swept_upper;
  const weft__frame *begin, *end;
  bool moves, turns;
  uint64_t meets; /* particles that it may collide with, a bit each */
  /* by particle */
  float restitution[WEFT__BATCH_PARTICLES];
  float static_friction[WEFT__BATCH_PARTICLES];
  float dynamic_friction[WEFT__BATCH_PARTICLES];
} weft__batch_collider;

typedef struct weft__collider_batch {
  weft__vec3 gravity;
  float rate; /* 1/seconds: substeps */
  bool notes;
  bool rechecks; /* resolved particles are tested against all obstacles again */
  float radius[WEFT__BATCH_PARTICLES]; /* metres */
  uint32_t obstacle_count;
  weft__batch_collider obstacles[WEFT__BATCH_COLLIDERS];

  /* results, a bit a particle */
  uint64_t resolved_by[WEFT__BATCH_COLLIDERS]; /* in contact with only this obstacle */
  uint64_t
      /* left unchanged: several contacts, initial overlap, unknown shape */
      rare;
  /* if `notes`: world normals of resolved particles */
  double normal_x[WEFT__BATCH_PARTICLES];
  double normal_y[WEFT__BATCH_PARTICLES];
  double normal_z[WEFT__BATCH_PARTICLES];
} weft__collider_batch;

#endif
