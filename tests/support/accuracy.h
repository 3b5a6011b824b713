/* How near a world comes to how a mass on a spring really moves: errors against the size of the
 * step. */
#ifndef TESTS_SUPPORT_ACCURACY_H
#define TESTS_SUPPORT_ACCURACY_H

#include <stdint.h>

#include "sim/oscillator.h"
#include "weft/weft.h"

/* The oscillator as a world, the mass being particle 1. Of the def gravity, springs, damping and
 * iterations are not the caller's. */
weft_world* new_oscillator_world(const weft_world_def* def, const sim_oscillator* o);

sim_motion oscillator_read(const weft_world* world);

/* How it really is after a time. */
sim_motion oscillator_solution(const sim_oscillator* o, double seconds);

/* How far a world is from that after `count` steps of step_ns each: metres, and metres per second.
 */
typedef struct motion_error {
  double pos;
  double vel;
} motion_error;

motion_error oscillator_error(const sim_oscillator* o, weft_integrator integrator, int64_t step_ns,
                              uint32_t count);

#endif
