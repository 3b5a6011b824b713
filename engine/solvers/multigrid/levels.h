/* Coarse levels of a cascadic multigrid: each is a frozen scene of its own, solved by the same
 * patches, runs and kernels as the cloth. (Bornemann and Deuflhard 1996 for the term: one pass from
 * coarse to fine)
 *
 *     level 0, the cloth     o o o o o o o o o    2  takes corrections from level 1, sweeps
 *     level 1                o   o   o   o   o    1  takes corrections from level 2, sweeps
 *     level 2                o       o       o    0  sweeps
 *
 * Restriction: a step starts each coarse particle at the mean position of its followers, displaced
 * by their mean displacement; see restriction.h. Sweeps then run from the coarsest level to the
 * cloth, and each level begins with the prolongation of the coarser one's corrections. A level
 * keeps no state from step to step. */
#ifndef WEFT_SOLVERS_MULTIGRID_LEVELS_H
#define WEFT_SOLVERS_MULTIGRID_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/kernels.h"
#include "parallel/wavefront.h"
#include "scene/scene.h"
#include "solvers/multigrid/rest_lengths.h"
#include "solvers/multigrid/restriction.h"
#include "tables/particles.h"
#include "tables/schedule.h"
#include "tables/transfer.h"

#define WEFT__MAX_LEVELS 24u

/* Links of a level by particle, each listed at its end of the lower number, in solver order. The
 * links of particle p are the entries [first[p], first[p + 1]). */
typedef struct weft__level_links {
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* to;    /* the particle at the other end [link_count] */
  uint32_t* slot;  /* [link_count] */
} weft__level_links;

typedef struct weft__level {
  weft__particles particles; /* prev_x y z: positions at the start of the step */
  weft__schedule schedule;
  weft__wavefront wavefront;
  uint32_t* source; /* cloth particle of each particle, both in solver order [particle_count] */
  weft__coarse_corrections corrections; /* for the next finer level */
  weft__restriction followers;          /* particles of the next finer level */
  weft__coarse_rest_lengths rests;      /* rest lengths of the schedule */
  weft__displacements displacements;    /* for the next coarser level; own `moved` alone */
  weft__multiplier_origins origins;     /* of the finer level's Lagrange multipliers */
  weft__level_links links;              /* empty until links may be torn: see torn_coarse_links.h */
  size_t bytes;
} weft__level;

typedef struct weft__levels {
  weft__level* levels; /* from fine to coarse [count] */
  uint32_t count;
  uint32_t cloth_patches;
  /* metres: the scene's positions of the cloth, solver order [cloth particles + padding] */
  float* drawn[3];
} weft__levels;

/* Creates all coarse levels of a scene with the schedule `cloth`. False when out of memory; the
 * caller destroys the levels either way. */
bool weft__levels_create(weft__levels* levels, const weft_scene* scene,
                         const weft__schedule* cloth);

/* Assigns the patches of all levels to workers. False when out of memory. */
bool weft__levels_assign_patches(weft__levels* levels, uint32_t worker_count);

void weft__levels_destroy(weft__levels* levels);
size_t weft__levels_bytes(const weft__levels* levels);

/* Sets the masses of all levels: each particle of the cloth adds its mass to its parents by their
 * weights, so that a level is as heavy as the cloth. A pinned particle of the cloth pins the coarse
 * particle at its own position, or else the nearest of its parents unless one is pinned already;
 * only finer levels move that one. Sets the lower bounds of the rest lengths too, those of the
 * cloth as drawn with these masses. Call it whenever a mass of the cloth has changed. */
void weft__levels_set_masses(const weft__levels* levels, const weft__particles* cloth);

/* Restriction for the runs [begin, end) of the followers of level `l`; that of the next finer
 * level, or the integration of the cloth, must be complete. A particle without free followers
 * starts with the displacement of its own cloth particle. */
void weft__level_restrict(const weft__levels* levels, uint32_t l, const weft__kernels* kernels,
                          const weft__particles* cloth, uint32_t begin, uint32_t end);

/* Starts the Lagrange multipliers of a patch of the finer level's schedule from those of `coarser`,
 * or at 0 if `coarser` is NULL: the load that a link carries on the coarser level must not be
 * applied twice. */
void weft__level_start_multipliers(const weft__level* coarser, const weft__kernels* kernels,
                                   const weft__schedule* schedule, uint32_t patch);

/* Stores the displacements of a patch's particles, for the prolongation to the next finer level. */
void weft__level_store_corrections(const weft__level* level, uint32_t patch);

#endif
