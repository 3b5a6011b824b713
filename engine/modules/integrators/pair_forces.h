/* Forces between particles without links: Lennard-Jones, or a spring that only pushes, both up to a
 * cutoff at which force and energy reach 0.
 *
 *  Lennard-Jones   U(r) = 4 e ((s / r)^12 - (s / r)^6), shifted: the force at the cutoff c is
 *                  subtracted, F'(r) = F(r) - F(c), U'(r) = U(r) - U(c) + (r - c) F(c)
 *  spring          F(r) = k (c - r),  U(r) = k (c - r)^2 / 2
 *
 * A potential that is only truncated would gain or lose U(c) with each pair that passes the cutoff.
 * (Toxvaerd, Dyre 2011, "Shifted forces in molecular dynamics")
 *
 * Each particle lists its neighbours within the cutoff and a skin. Lists are valid until a particle
 * has moved by half the skin. They are made from cells as wide as their reach: each particle scans
 * nine rows of three cells. Every pair is in both lists: a worker gathers its particles' forces, in
 * the order of the list. (Verlet 1967; Allen, Tildesley, "Computer simulation of liquids", section
 * 5.3)
 *
 * Rejected: the pair list of bodies (modules/spheres), coloured, each pair once: a force needs no
 * colours, and half a list needs sums at both ends. */
#ifndef WEFT_MODULES_INTEGRATORS_PAIR_FORCES_H
#define WEFT_MODULES_INTEGRATORS_PAIR_FORCES_H

#include <stdatomic.h>

#include "base/archive.h"
#include "base/sort.h"
#include "parallel/step_context.h"
#include "weft/weft.h"

typedef struct weft__pair_forces {
  weft_pair_force_def law;
  double reach;                             /* cutoff and skin */
  double force_at_cutoff, energy_at_cutoff; /* newtons, joules; Lennard-Jones */
  const weft__schedule* schedule;
  bool is_listed; /* until particles come, go, or move too far */
  uint32_t listed_count;
  float* listed_pos[3];                 /* metres, when listed [particle_count] */
  weft__sort_item* order;               /* listed particles by cell [particle_count] */
  weft__sort_item* scratch;             /* [particle_count] */
  weft__range* listed_with;             /* same environment [particle_count] */
  uint32_t* neighbor_count;             /* [particle_count] */
  uint32_t* neighbors;                  /* [particle_count * law.max_neighbors] */
  _Atomic uint32_t max_displacement_sq; /* float bits, square metres */
  _Atomic uint64_t lost;                /* lists that were cut off, in total */
  void* block;
  size_t bytes;
} weft__pair_forces;

static inline bool weft__pair_forces_act(const weft__pair_forces* forces) {
  return forces->law.kind != WEFT_PAIR_FORCE_NONE;
}

bool weft__pair_forces_create(weft__pair_forces* forces, const weft_pair_force_def* law,
                              const weft__schedule* schedule);
void weft__pair_forces_destroy(weft__pair_forces* forces);

/* New lists if a particle has moved too far. particles: at the positions of the evaluation; step:
 * NULL runs in the calling thread */
void weft__pair_forces_update(weft__pair_forces* forces, const weft__particles* particles,
                              const weft__step_context* step);

/* Newtons; lists must be up to date. */
void weft__pair_forces_add(const weft__pair_forces* forces, const weft__particles* particles,
                           uint32_t particle, double force[3]);

/* joules of all pairs, at present positions; with lists of its own if the world's are out of
 * date */
bool weft__pair_forces_energy(const weft__pair_forces* forces, const weft__particles* particles,
                              const weft__schedule* schedule, double* energy);

/* Lists are saved: others would have another order of sums. */
void weft__pair_forces_visit(weft__pair_forces* forces, weft__archive* archive,
                             uint32_t particle_count);

#endif
