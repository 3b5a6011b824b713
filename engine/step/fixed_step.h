/* Fixed steps out of elapsed time: integer nanoseconds in, whole steps out, the rest carried over,
 * so that no time is lost or won however long it runs. (Fiedler 2004, "Fix your timestep!")
 *
 * What comes in is clamped, smoothed and scaled, in that order, before it is cut into steps: see
 * weft_world_advance(). Each stage keeps what it cannot hand on as a whole nanosecond - half a one of a
 * mean, the fraction of a scaled one - for the next call. A scale is a multiple of 2^-64, as all floats
 * from 2^-40 on are, so that nothing is rounded. */
#ifndef WEFT_STEP_FIXED_STEP_H
#define WEFT_STEP_FIXED_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

/* Steps are no shorter than this. */
#define WEFT__LEAST_STEP_NS 1000
#define WEFT__MOST_STEP_NS 1000000000

typedef struct weft__fixed_step {
  int64_t step_ns; /* > 0 */
  /* time that has come in and filled no step yet: less than one, unless the step was made shorter since */
  int64_t leftover_ns;
  /* the most whole steps that one call takes; what would fill more is dropped */
  uint32_t max_steps;
  weft_remainder remainder;

  int64_t max_elapsed_ns; /* the most that one call takes in; 0 = any */

  bool smooth;      /* takes the mean of this and the last elapsed time */
  bool has_last;    /* there was a call before */
  uint64_t last_ns; /* what it took in */
  uint64_t half;    /* 1: the means so far have left half a nanosecond over */

  uint64_t scale;      /* nanoseconds of the world for one that elapses: the whole ones, */
  uint64_t scale_part; /* and of a further one, in 2^-64 */
  uint64_t part;       /* of a nanosecond of the world that has come in, in 2^-64 */
} weft__fixed_step;

/* As the def says, at scale 1. */
weft__fixed_step weft__fixed_step_of(const weft_world_def* def);

/* 0 to 1000; 0 = no step is taken. */
void weft__fixed_step_set_scale(weft__fixed_step* fixed_step, float scale);

/* Adds elapsed time, >= 0, and takes the whole steps out, and the shorter one after them if what is left
 * over is not to be carried. */
weft_advance weft__fixed_step_add(weft__fixed_step* fixed_step, int64_t elapsed_ns);

#endif
