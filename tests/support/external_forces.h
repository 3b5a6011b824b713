/* The stage of external forces by itself. */
#ifndef TESTS_SUPPORT_EXTERNAL_FORCES_H
#define TESTS_SUPPORT_EXTERNAL_FORCES_H

#include "step/external_forces.h"
#include "world/world.h"

/* Computes wind and gas at the current state of a world of one worker. */
static inline void begin_external_forces(weft_world* world) {
  weft__step_context step = weft__stepper_context(&world->stepper);
  weft__external_forces_begin(&world->stepper.forces, &step);
  weft__external_forces_begin_substep(&world->stepper.forces, &step);
}

#endif
