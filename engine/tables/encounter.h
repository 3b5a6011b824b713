/* A block of particles, and the colliders that may be in its way.
 *
 * What a room knows of colliders is more than a kernel needs: here is what particles have to know that are balls,
 * and meet a shape of a few numbers. All others are left to whoever asks. */
#ifndef WEFT_TABLES_ENCOUNTER_H
#define WEFT_TABLES_ENCOUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/frame.h"

#define WEFT__ENCOUNTER_PARTICLES 64
#define WEFT__ENCOUNTER_OBSTACLES 16

/* A contact is kept out by a little more than the shape of a particle reaches: twice what the rounding of
 * coordinates so large comes to at most, along each axis, */
#define WEFT__COORDINATE_SLACK 0x1p-23
/* of coordinates that are never taken for smaller than this, in metres, */
#define WEFT__LEAST_COORDINATE 0.001
/* and some of the last digits of what is calculated. */
#define WEFT__LOCAL_SLACK 0x1p-50

/* What is shorter than this has no direction: its square loses digits. */
#define WEFT__LEAST_LENGTH 1e-140
/* More than it takes to find where a convex shape is met: where the way only grazes it, each step halves what is
 * left. */
#define WEFT__MOST_CAST_STEPS 64

typedef enum weft__obstacle_kind {
  WEFT__OBSTACLE_OTHER, /* of which no more is known than the box around it */
  WEFT__OBSTACLE_PLANE,
  WEFT__OBSTACLE_HALF_SPACE,
  WEFT__OBSTACLE_SPHERE,
  WEFT__OBSTACLE_CAPSULE,
  WEFT__OBSTACLE_BOX,
} weft__obstacle_kind;

typedef struct weft__obstacle {
  weft__obstacle_kind kind;
  double radius;           /* metres */
  const double* half_size; /* metres [3] */
  /* the box around it in its frame, and around its way in the world; may be infinite */
  const weft__vec3 *least, *most;
  const weft__vec3 *swept_least, *swept_most;
  const weft__frame *begin, *end; /* of the substep */
  bool moves, turns;
  uint64_t meets; /* a bit for each particle of the block that it meets at all */
  /* between it and each particle */
  float restitution[WEFT__ENCOUNTER_PARTICLES];
  float static_friction[WEFT__ENCOUNTER_PARTICLES];
  float dynamic_friction[WEFT__ENCOUNTER_PARTICLES];
} weft__obstacle;

typedef struct weft__encounter {
  weft__vec3 gravity; /* metres a substep */
  float rate;         /* 1/seconds: substeps */
  bool notes;
  float radius[WEFT__ENCOUNTER_PARTICLES]; /* metres, of each particle */
  uint32_t obstacle_count;
  weft__obstacle obstacles[WEFT__ENCOUNTER_OBSTACLES];

  /* what came of it, a bit for each particle */
  uint64_t
      held_by[WEFT__ENCOUNTER_OBSTACLES]; /* it was, by this one alone, and has been put back */
  uint64_t
      rare; /* left as it was: it meets several, began inside, or meets what only the room knows */
  /* where `notes` are wanted, metres a substep: what was done to the velocity along the normal, in the world, of
   * those that were held */
  double change[WEFT__ENCOUNTER_PARTICLES];
  double normal_x[WEFT__ENCOUNTER_PARTICLES];
  double normal_y[WEFT__ENCOUNTER_PARTICLES];
  double normal_z[WEFT__ENCOUNTER_PARTICLES];
} weft__encounter;

#endif
