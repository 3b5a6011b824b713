/* Accuracy of a mass on a spring against the analytic solution. */
#ifndef TESTS_SUPPORT_ACCURACY_H
#define TESTS_SUPPORT_ACCURACY_H

#include <stdint.h>

#include "sim/oscillator.h"
#include "weft/weft.h"

/* World of the oscillator; its mass is particle 1. Gravity, springs, damping and iterations of the
 * def are overwritten. */
weft_world* new_oscillator_world(const weft_world_def* def, const sim_oscillator* o);

sim_motion oscillator_read(const weft_world* world);

sim_motion oscillator_solution(const sim_oscillator* o, double seconds);

/* After `count` steps of step_ns each: metres, and metres per second. */
typedef struct motion_error {
  double pos;
  double vel;
} motion_error;

motion_error oscillator_error(const sim_oscillator* o, weft_integrator integrator, int64_t step_ns,
                              uint32_t count);

#endif
