/* Folds in cloth: exactly flat cloth stays flat under forces along it. */
#ifndef TOOLS_SIM_WAVE_H
#define TOOLS_SIM_WAVE_H

#include <math.h>

/* Period 1, from -1 to 1, made of parabolas: equal on all machines, unlike a sine. */
static inline double sim_wave(double x) {
  const double t = 2.0 * (x - floor(x));
  return t < 1.0 ? 4.0 * t * (1.0 - t) : -4.0 * (t - 1.0) * (2.0 - t);
}

#endif
