/* How velocities go from one substep to the next, in worlds that keep them: all but those of position Verlet
 * without springs, which need no more than where a particle was and is (kernels/integrate.inl).
 *
 * A substep of h seconds, of a particle at x with velocity v, where a is gravity and all forces over mass:
 *
 *                        first kick       drift            second kick      lead
 *   position Verlet      v += a h         x += v h                          a h / 2
 *   velocity Verlet      v += a h / 2     x += v h         v += a' h / 2
 *   semi-implicit Euler  v += a h         x += v h
 *   explicit Euler                        x += v h         v += a h
 *   implicit Euler       v += dv          x += v h                          see implicit.h
 *
 * First of all v fades by damping, and before it drifts it is held below the greatest speed; a' are the
 * forces at the end of the substep. Position Verlet keeps v half a step behind x, as the displacement over
 * h: the difference of two positions would lose its last digits, and the energy of a pendulum wander off in
 * a million steps. So its first kick is only half of one when a particle has been placed (first_kick).
 *
 * Then come links, bounds and whatever else moves particles. Each of them may change pos and prev, as in
 * worlds without velocities, and at the end of the substep v gets what they have changed:
 *
 *   v += (pos - (prev + v h)) / h
 *
 * which is exactly 0 where nothing has. What links have taken from v over a substep by Verlet, they took for
 * its whole length, and half of it is due for the half kick past pos: the lead, by which v is behind, has
 * that too. With it a particle that hangs at rest has no velocity.
 *
 * (Swope, Andersen, Berens, Wilson 1982; Hairer, Lubich, Wanner 2003, "Geometric numerical integration
 * illustrated by the Stoermer-Verlet method") */
#ifndef WEFT_FORCES_INTEGRATORS_H
#define WEFT_FORCES_INTEGRATORS_H

#include "forces/implicit.h"
#include "forces/springs.h"
#include "forces/substep.h"

typedef struct weft__integrators {
  weft_integrator kind;
  bool on; /* the world keeps velocities */
  weft__springs springs;
  weft__implicit implicit;
  size_t bytes; /* without the particles' */
} weft__integrators;

/* Makes what a kind of integrator needs, with the springs of a scene or without, and the particles' columns;
 * nothing for position Verlet without springs. False when memory cannot be had; the caller destroys them
 * either way. */
bool weft__integrators_create(weft__integrators* integrators, weft_integrator kind,
                              bool with_springs, weft__particles* particles,
                              const weft_scene* scene, const weft__schedule* schedule);
void weft__integrators_destroy(weft__integrators* integrators);

/* The stages, where `on`. The first and the last are called by all workers, which meet before they
 * return: what springs pull with, and for implicit Euler the new velocities; and velocities at the end of
 * the substep. Force columns must be complete before the first. */
void weft__integrators_begin(const weft__integrators* integrators, const weft__substep* substep,
                             uint32_t worker);
void weft__integrators_end(const weft__integrators* integrators, const weft__substep* substep,
                           uint32_t worker);

/* The one in between: kicks particles [begin, end) and lets them drift. */
void weft__integrators_move(const weft__integrators* integrators, const weft__substep* substep,
                            uint32_t begin, uint32_t end);

#endif
