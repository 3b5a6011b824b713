/* Residual of the relaxation: root mean square displacement of free particles by the last sweep.
 *
 * A sweep moves the ends of a link by its error: displacements measure the errors left in all
 * links, whatever their mode and compliance, and in bend elements and joints. Squares are summed in
 * 16 columns a patch, and patches in order: the same bits for any number of workers and any ISA.
 *
 * Rejected: the errors of links, which need a pass as long as a sweep, and a law for each mode. */
#ifndef WEFT_STEP_RESIDUAL_H
#define WEFT_STEP_RESIDUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft__step_context;

typedef struct weft__residual {
  float tolerance; /* metres; 0 = off, and nothing below is allocated */
  float* before_x; /* metres: before the sweep [particle_count] */
  float* before_y;
  float* before_z;
  double* sum_of_patch;     /* square metres [patch_count] */
  uint32_t* count_of_patch; /* free particles [patch_count] */
  void* block;
  size_t bytes;
} weft__residual;

/* Allocates the columns if there is a tolerance. */
bool weft__residual_create(weft__residual* residual, uint32_t particle_count, uint32_t patch_count);
void weft__residual_destroy(weft__residual* residual);

/* Takes the present positions as those before the first sweep. */
void weft__residual_begin(weft__residual* residual, const struct weft__step_context* step);

/* Metres of the sweep since then; the present positions are those before the next. */
float weft__residual_measure(weft__residual* residual, const struct weft__step_context* step);

#endif
