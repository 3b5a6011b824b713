/* A mass on a spring: as a world, its exact motion and energy, and fitted orders of errors. All but
 * the world in double precision. Scenes and tests compare with it. */
#ifndef TOOLS_SIM_OSCILLATOR_H
#define TOOLS_SIM_OSCILLATOR_H

#include "weft/weft.h"

/* The spring's other end is a pin at the origin. */
typedef struct sim_oscillator {
  double mass;       /* kilograms */
  double length;     /* metres at rest */
  double compliance; /* metres per newton */
  double damping;    /* newton seconds per metre */
  double gravity;    /* metres per second squared, downwards */
  double pos[3];     /* metres, initial */
  double vel[3];     /* metres per second, initial */
} sim_oscillator;

typedef struct sim_motion {
  double pos[3]; /* metres */
  double vel[3]; /* metres per second */
} sim_motion;

/* A pendulum of a kilogram on a spring, released at rest length at an angle from straight down,
 * radians. */
sim_oscillator sim_pendulum_of(double length, double compliance, double angle);

/* Adds it to an empty scene, the pin 0 and the mass 1, and sets gravity, springs, damping and
 * iterations. */
weft_result sim_oscillator_describe(const sim_oscillator* oscillator, weft_scene* scene,
                                    weft_world_def* def);

/* Sets the initial velocity of a new world. */
weft_result sim_oscillator_push(const sim_oscillator* oscillator, weft_world* world);

weft_result sim_oscillator_read(const weft_world* world, sim_motion* motion);

sim_motion sim_oscillator_start(const sim_oscillator* oscillator);

/* Takes it further as it really moves: Runge and Kutta's method of order 4 in many steps. */
void sim_oscillator_follow(const sim_oscillator* oscillator, double seconds, sim_motion* motion);

/* Kinetic, elastic and gravitational, joules; 0 where the mass hangs straight down at rest length.
 */
double sim_oscillator_energy(const sim_oscillator* oscillator, const sim_motion* motion);

/* Slope of log(error) against log(step) by least squares; both are above 0. */
double sim_fitted_order(const double* steps, const double* errors, int count);

#endif
