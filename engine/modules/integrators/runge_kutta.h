/* Classical Runge-Kutta method of order 4 for spring forces. (Kutta 1901, "Beitrag zur
 * naeherungsweisen Integration totaler Differentialgleichungen") With x and v at the beginning of a
 * substep of h seconds, v damped already, and a(x, v) gravity plus all forces over mass:
 *
 *     stage      x_s                 v_s                 weight
 *     1          x                   v                   1/6
 *     2          x + v_1 h / 2       v + a_1 h / 2       1/3
 *     3          x + v_2 h / 2       v + a_2 h / 2       1/3
 *     4          x + v_3 h           v + a_3 h           1/6
 *
 *     drift = sum of weight v_s,  kick = h times sum of weight a_s
 *     x' = x + drift h,           v' = v + kick = drift + late kick
 *
 * Stages 2 to 4 alternate between two sets of columns, as a stage reads its neighbours'. Pinned
 * particles, and forces other than springs, are constant in a substep. */
#ifndef WEFT_MODULES_INTEGRATORS_RUNGE_KUTTA_H
#define WEFT_MODULES_INTEGRATORS_RUNGE_KUTTA_H

#include "modules/integrators/pair_forces.h"
#include "modules/integrators/springs.h"
#include "parallel/step_context.h"

typedef struct weft__runge_kutta {
  const weft__springs* springs;
  weft__pair_forces* pair_forces;
  float* stage_pos[2][3]; /* metres */
  float* stage_vel[2][3]; /* metres per second */
  float* drift[3];        /* metres per second */
  float* late_kick[3];    /* metres per second; until the last stage, the sum of kicks */
  void* block;            /* all columns; NULL for other integrators */
  size_t bytes;
} weft__runge_kutta;

bool weft__runge_kutta_create(weft__runge_kutta* method, const weft__springs* springs,
                              weft__pair_forces* pair_forces, uint32_t particle_count);
void weft__runge_kutta_destroy(weft__runge_kutta* method);

/* Free particles; force columns must be complete. */
void weft__runge_kutta_evaluate(const weft__runge_kutta* method, weft__step_context* step);

#endif
