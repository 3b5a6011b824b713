/* Air that moves, and what it does to a face.
 *
 * It meets a face with the speed s, along the face's normal, at which it overtakes the mean velocity of the
 * corners, and presses with
 *
 *     F = c s    along the normal, a third of it on each corner,    c = density / 2 * drag * area * |s|
 *
 * F is that of the beginning of the step, and is kept for all of it. Strong wind on light cloth would so
 * carry it past the air and be driven back by it in the next step, ever faster. So c has a limit,
 *
 *     c <= 9 / (step * (k0 w0 + k1 w1 + k2 w2))         k faces of a corner, w its inverse mass
 *
 * which is where the air would, in one step, take a face of uniform cloth along with it exactly. With it
 * the cloth never overtakes the air, and its kinetic energy relative to the air never grows, whatever the
 * step and the shape: the energy that leaves is F s = c s^2 a second, and as s is the mean of three normal
 * speeds n v, s^2 <= (sum of k w) / 9 * (sum of v^2 / (k w)) by Cauchy and Schwarz; summed over all faces of
 * all particles this is at most the sum of m v^2 over a step, so that the change of velocity is a
 * contraction with no eigenvalue below 0.
 *
 * Gusts. The wind at a place is velocity * (1 + gust * noise), the noise of place / gust_size and of time /
 * gust_period. It drifts along with the air, so that waves travel across a flag. How far it has come is
 * summed up step by step: a wind that changes moves it from where it is. */
#ifndef WEFT_FORCES_AIR_H
#define WEFT_FORCES_AIR_H

#include <stdbool.h>

#include "forces/noise.h"
#include "weft/weft.h"

typedef struct weft__air {
  bool is_there; /* else the rest says nothing */
  weft_wind wind;
  double drift[3]; /* metres that the gusts have come so far */
  double time;     /* gust periods so far */
} weft__air;

/* The air in one step. */
typedef struct weft__air_step {
  const weft__air* air;
  weft__noise noise;
  float half_density; /* times the drag coefficient: kilograms per cubic metre */
  float limit;        /* 9 / step, 1/seconds */
} weft__air_step;

/* A face as the air meets it. */
typedef struct weft__sail {
  float area[3];     /* square metres, along the normal */
  float center[3];   /* metres */
  float velocity[3]; /* metres per second */
  float give;        /* 1/kilograms: the sum of k w over the corners */
} weft__sail;

weft__air_step weft__air_begin(const weft__air* air, double step_seconds);

/* Adds what each corner of a face gets, in newtons. */
void weft__air_press(weft__air_step* step, const weft__sail* sail, float push[3]);

/* Lets the gusts drift on by one step. */
void weft__air_drift(weft__air* air, double step_seconds);

#endif
