/* A mass on a spring, and how near a world comes to how it really moves: errors against the size of the
 * step, the order fitted to them, and energies. All in double precision. */
#ifndef TESTS_SUPPORT_ACCURACY_H
#define TESTS_SUPPORT_ACCURACY_H

#include <stdint.h>

#include "weft/weft.h"

/* The spring's other end is a pin at the origin. */
typedef struct oscillator {
  double mass;       /* kilograms */
  double length;     /* metres at rest */
  double compliance; /* metres per newton */
  double damping;    /* newton seconds per metre */
  double gravity;    /* metres per second squared, downwards */
  double pos[3];     /* metres, at first */
  double vel[3];     /* metres per second, at first */
} oscillator;

typedef struct motion_state {
  double pos[3]; /* metres */
  double vel[3]; /* metres per second */
} motion_state;

/* A pendulum on a spring so stiff that it is hardly stretched, let go at an angle from straight down. */
oscillator pendulum_of(double length, double compliance, double angle);

/* The oscillator as a world, the mass being particle 1. Of the def gravity, springs, damping and iterations
 * are not the caller's. */
weft_world* new_oscillator_world(const weft_world_def* def, const oscillator* o);

motion_state oscillator_read(const weft_world* world);

/* How it moves: Runge and Kutta's method of order 4 in many steps. */
motion_state oscillator_solution(const oscillator* o, double seconds);

/* Kinetic, elastic and gravitational, joules; 0 where the mass hangs straight down at rest length. */
double oscillator_energy(const oscillator* o, const motion_state* state);

/* How far a world is from that after `count` steps of step_ns each: metres, and metres per second. */
typedef struct motion_error {
  double pos;
  double vel;
} motion_error;

motion_error oscillator_error(const oscillator* o, weft_integrator integrator, int64_t step_ns,
                              uint32_t count);

/* The slope of the line through log(error) against log(step), by least squares. */
double fitted_order(const double* steps, const double* errors, int count);

#endif
