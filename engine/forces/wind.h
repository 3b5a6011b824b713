/* Wind with gusts, and its drag on the vector area of a particle, once a step.
 *
 * s is the speed of the wind relative to the particle, along the particle's normal. The force,
 * constant over a step, is
 *
 *     F = c s    along the normal,    c = density / 2 * drag * area * (|s| + unsteady speed)
 *
 * The second part is the larger drag of a motion to and fro: the coefficient of a plate that
 * oscillates by an amplitude A across a width D is about 8 (2 pi A / D)^(-1/3) (Graham 1980, "The
 * forces on sharp-edged cylinders in oscillatory flow at low Keulegan-Carpenter numbers", Journal
 * of Fluid Mechanics 97). A constant speed stands for that power: cloth comes to rest, and drag in
 * a stream is as it was.
 *
 * Explicit, the force would diverge with strong wind on light cloth: c is at most mass / step. At
 * the limit a particle takes the normal velocity of the air in exactly one step. Kinetic energy
 * relative to the air never grows, for any step and shape, as no particle's does.
 *
 * Gusts: velocity * (1 + gust * noise), noise at point / gust_size and time / gust_period, advected
 * by the wind, so that waves travel across a flag. Advection is integrated step by step, continuous
 * when the wind changes. */
#ifndef WEFT_FORCES_WIND_H
#define WEFT_FORCES_WIND_H

#include <stdbool.h>

#include "forces/noise.h"
#include "weft/weft.h"

typedef struct weft__wind {
  double drift[3]; /* metres: advection of gusts so far */
  double time;     /* in gust periods */
  weft_wind_def wind;
  bool is_there;
  uint8_t unused[3]; /* 0 */
} weft__wind;

typedef struct weft__wind_step {
  const weft__wind* air;
  weft__noise noise;
  float half_density; /* density / 2 * drag coefficient, kilograms per cubic metre */
} weft__wind_step;

weft__wind_step weft__wind_begin(const weft__wind* air);

/* Metres per second. */
void weft__wind_velocity(weft__wind_step* step, const float position[3], float velocity[3]);

void weft__wind_drift(weft__wind* air, double step_seconds);

#endif
