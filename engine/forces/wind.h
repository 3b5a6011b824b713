/* Wind with gusts, and its drag on a face, once a step.
 *
 * s is the speed of the wind relative to the mean velocity of the face's corners, along the face's
 * normal. The force, constant over a step, is
 *
 *     F = c s    along the normal, a third on each corner,    c = density / 2 * drag * area * |s|
 *
 * Explicit, it would diverge with strong wind on light cloth, so c is limited:
 *
 *     c <= 9 / (step * (k0 w0 + k1 w1 + k2 w2))         k faces of a corner, w its inverse mass
 *
 * At the limit a face of uniform cloth reaches the air's velocity in exactly one step. Kinetic
 * energy relative to the air never grows, for any step and shape: the dissipated power is F s =
 * c s^2, and as s is the mean of three normal speeds n v, s^2 <= (sum of k w) / 9 * (sum of v^2 /
 * (k w)) by Cauchy and Schwarz; summed over all faces, at most the sum of m v^2 per step: the
 * change of velocity is a contraction without eigenvalues below 0.
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
  uint8_t unused[7]; /* 0 */
} weft__wind;

typedef struct weft__wind_step {
  const weft__wind* air;
  weft__noise noise;
  float half_density; /* density / 2 * drag coefficient, kilograms per cubic metre */
  float limit;        /* 9 / step, 1/seconds */
} weft__wind_step;

typedef struct weft__wind_face {
  float area[3];     /* square metres, along the normal */
  float center[3];   /* metres */
  float velocity[3]; /* metres per second */
  float give;        /* 1/kilograms: sum of k w over the corners */
} weft__wind_face;

weft__wind_step weft__wind_begin(const weft__wind* air, double step_seconds);

/* push: newtons on each corner */
void weft__wind_add_drag(weft__wind_step* step, const weft__wind_face* sail, float push[3]);

void weft__wind_drift(weft__wind* air, double step_seconds);

#endif
