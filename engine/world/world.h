/* What a weft_world is made of. The public functions stand beside this, a file for each chapter's kind:
 * world.c makes and steps, particles.c changes particles, read.c reads back. */
#ifndef WEFT_WORLD_WORLD_H
#define WEFT_WORLD_WORLD_H

#include "base/result.h"
#include "step/fixed_step.h"
#include "step/step.h"
#include "weft/weft.h"

struct weft_world {
  weft__stepper stepper;
  weft__fixed_step fixed_step;
  uint64_t step_count;
};

/* The time between where a particle is and where it was. */
double weft__substep_seconds(const weft_world* world);

/* Above 0 along each axis, and no NaN. */
weft_result weft__check_max_speed(const float max_speed[3], const char* field);

#endif
