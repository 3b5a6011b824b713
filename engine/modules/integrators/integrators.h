/* Time integration in worlds that keep velocities: all but position Verlet without springs, which
 * needs only current and previous positions (kernels/integrate.inl). (Swope, Andersen, Berens,
 * Wilson 1982; Hairer, Lubich, Wanner 2003, "Geometric numerical integration illustrated by the
 * Stoermer-Verlet method")
 *
 * Substep of h seconds of a particle at x with velocity v, a gravity plus all forces over mass:
 *
 *                       first kick       drift            second kick      lead
 *  position Verlet      v += a h         x += v h                          a h / 2
 *  velocity Verlet      v += a h / 2     x += v h         v += a' h / 2
 *  semi-implicit Euler  v += a h         x += v h
 *  explicit Euler                        x += v h         v += a h
 *  implicit Euler       v += dv          x += v h                          see implicit.h
 *  Runge-Kutta 4        v := drift       x += v h         v += late kick   see runge_kutta.h
 *
 * Damping scales v before the first kick, and v is clamped to the speed limit before the drift; a'
 * are the accelerations at the end of the substep. Position Verlet stores v half a step behind x,
 * as the displacement over h: the difference of two positions would lose its last digits, and the
 * energy of a pendulum would drift over a million steps. Its first kick after a particle has been
 * placed is therefore half of one (kick_share).
 *
 * Constraints follow. Each may change pos and prev, and at the end of the substep v gets the
 * change:
 *
 *  v += (pos - (prev + v h)) / h
 *
 * exactly 0 without any. In Verlet half of their change belongs to the half kick beyond pos. The
 * lead, by which v is behind, includes that half: a particle that hangs at rest has no velocity. */
#ifndef WEFT_MODULES_INTEGRATORS_INTEGRATORS_H
#define WEFT_MODULES_INTEGRATORS_INTEGRATORS_H

#include "modules/integrators/implicit.h"
#include "modules/integrators/pair_forces.h"
#include "modules/integrators/runge_kutta.h"
#include "modules/integrators/springs.h"
#include "parallel/step_context.h"

typedef struct weft__integrators {
  weft_integrator kind;
  bool on; /* the world keeps velocities */
  weft__springs springs;
  weft__pair_forces pair_forces;
  weft__implicit implicit;
  weft__runge_kutta runge_kutta;
  size_t bytes; /* without the particles' columns */
} weft__integrators;

/* Columns of velocities, springs if any, and pair forces; none for position Verlet without
 * these. */
bool weft__integrators_create(weft__integrators* integrators, weft_integrator kind,
                              bool with_springs, const weft_pair_force_def* pair_force,
                              weft__particles* particles, const weft_scene* scene,
                              const weft__schedule* schedule);
void weft__integrators_destroy(weft__integrators* integrators);

/* Stages of a substep, if `on`. The first evaluates spring forces, new velocities (implicit Euler),
 * or drift and late kick (Runge-Kutta); force columns must be complete. */
void weft__integrators_begin(weft__integrators* integrators, weft__step_context* step);
void weft__integrators_end(weft__integrators* integrators, weft__step_context* step);

/* Share of a partial substep: step/step_size.h. */
void weft__integrators_take_share(const weft__integrators* integrators, weft__step_context* step);

void weft__integrators_move(const weft__integrators* integrators, weft__step_context* step,
                            uint32_t begin, uint32_t end);

#endif
