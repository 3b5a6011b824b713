/* Noise that is smooth in space and time, and the same everywhere.
 *
 * Value noise: each corner of a lattice of unit cells in four dimensions - three of space, one of time - has
 * a value from -1 to 1, hashed from its place and a seed; between corners it is blended by 3 f^2 - 2 f^3, so
 * that it has no kink. (Perlin 1985, "An image synthesizer"; Ebert and others 2003, "Texturing and modeling",
 * chapter 2, "lattice noises"; the hash mixes as MurmurHash3 does.) */
#ifndef WEFT_FORCES_NOISE_H
#define WEFT_FORCES_NOISE_H

#include <stdbool.h>
#include <stdint.h>

/* The noise of one moment. Neighbouring points mostly lie in one cell: its corners are kept until another
 * one is asked for, which changes no result. */
typedef struct weft__noise {
  uint32_t seed;
  int64_t moment;   /* whole units of time */
  double time_fade; /* how far the next moment counts, 0 to 1 */
  bool has_cell;    /* the rest is there */
  int64_t cell[3];  /* its least corner */
  double corner[8]; /* at this moment; bit k of the index = one further along axis k */
} weft__noise;

/* `time` may be any finite number of units; so may the coordinates of points. */
weft__noise weft__noise_at(uint32_t seed, double time);

/* -1 to 1. Where a coordinate is no number, or too large for an integer, 0. */
double weft__noise_value(weft__noise* noise, const double point[3]);

#endif
