/* Smooth noise in space and time, identical on all machines: values from -1 to 1, hashed from the
 * coordinates of a unit lattice and a seed, interpolated with the weight 3 f^2 - 2 f^3, so that the
 * gradient is continuous. (Perlin 1985, "An image synthesizer"; Ebert and others 2003, "Texturing
 * and modeling", chapter 2, "lattice noises"; finalizer of MurmurHash3) */
#ifndef WEFT_FORCES_NOISE_H
#define WEFT_FORCES_NOISE_H

#include <stdbool.h>
#include <stdint.h>

/* At one time. The last cell's corners are cached, which changes no result. */
typedef struct weft__noise {
  uint32_t seed;
  int64_t time_cell; /* whole units of time */
  double time_fade;  /* weight of the next time cell, 0 to 1 */
  bool has_cell;
  int64_t cell[3];  /* lower corner of the cached cell */
  double corner[8]; /* values; bit k of the index: upper side along axis k */
} weft__noise;

/* Time and coordinates: any finite number of units. */
weft__noise weft__noise_at(uint32_t seed, double time);

/* From -1 to 1; 0 for NaN and for coordinates too large for an integer. */
double weft__noise_value(weft__noise* noise, const double point[3]);

#endif
