/* Fixed steps from elapsed time: integer nanoseconds in, whole steps out, the remainder carried
 * over, so that no time is lost or gained. (Fiedler 2004, "Fix your timestep!")
 *
 * Time is clamped, smoothed, scaled: see weft_world_advance(). Each stage carries fractions of a
 * nanosecond over: half a one of a mean, the fraction of a scaled one. Scales of 2^-40 and more, as
 * floats, are exact; smaller ones are cut to a multiple of 2^-64. */
#ifndef WEFT_STEP_FIXED_STEP_H
#define WEFT_STEP_FIXED_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "weft/weft.h"

typedef struct weft__fixed_step {
  int64_t step_ns; /* > 0 */
  /* elapsed time not yet stepped: below one step, unless the step has become shorter since */
  int64_t leftover_ns;
  uint32_t max_steps; /* limit for one call; whole steps beyond it are dropped */
  weft_remainder remainder;

  int64_t min_elapsed_ns; /* shorter times of one call count as this */
  int64_t max_elapsed_ns; /* limit for one call; 0 = any */

  bool smooth; /* use the mean of this elapsed time and the last mean */
  bool has_last;
  uint64_t last_ns; /* mean of the last call */
  uint64_t half;    /* 1: the means have left half a nanosecond over */

  uint64_t scale;      /* world nanoseconds per elapsed nanosecond, integer part */
  uint64_t scale_part; /* fractional part, in 2^-64 */
  uint64_t part;       /* fraction of a world nanosecond carried over, in 2^-64 */
} weft__fixed_step;

weft__fixed_step weft__fixed_step_of(const weft_world_def* def);

/* Sets the scale, 0 to 1000; 0 stops time. */
void weft__fixed_step_set_scale(weft__fixed_step* fixed_step, float scale);

/* Adds elapsed time >= 0 and returns the whole steps in it, followed by a shorter step if the
 * remainder is not to be carried. */
weft_advance weft__fixed_step_add(weft__fixed_step* fixed_step, int64_t elapsed_ns);

#endif
