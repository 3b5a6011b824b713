/* The coarse levels of a world: each a frozen scene of its own, solved by the same patches, runs and
 * kernels as the cloth.
 *
 *     level 0, the cloth     o o o o o o o o o    2  takes corrections from level 1, sweeps
 *     level 1                o   o   o   o   o    1  takes corrections from level 2, sweeps
 *     level 2                o       o       o    0  sweeps
 *
 * A step starts each particle of a level at the mean of where those that follow it were, moved by their mean
 * displacement: see restriction.h. From the coarsest on, each level takes what the coarser one has moved and makes its
 * sweeps. Nothing of a level but its memory outlives a step. */
#ifndef WEFT_SOLVERS_MULTIGRID_LEVELS_H
#define WEFT_SOLVERS_MULTIGRID_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/kernels.h"
#include "parallel/wavefront.h"
#include "scene/scene.h"
#include "solvers/multigrid/restriction.h"
#include "solvers/multigrid/rests.h"
#include "tables/blend.h"
#include "tables/particles.h"
#include "tables/schedule.h"

#define WEFT__MAX_LEVELS 24u

/* The links of a level, each listed at its end of the lower number, in solver order. Those of particle p are
 * the entries [first[p], first[p + 1]). */
typedef struct weft__joined {
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* to;    /* the particle at the other end [link_count] */
  uint32_t* slot;  /* [link_count] */
} weft__joined;

typedef struct weft__level {
  weft__particles particles; /* prev_x y z hold where the step started the level */
  weft__schedule schedule;
  weft__wavefront wavefront;
  uint32_t* source; /* the particle of the cloth that each is, solver order both [particle_count] */
  weft__corrections corrections; /* for the next finer level */
  weft__followers followers;     /* of the next finer level */
  weft__rests rests;             /* of the schedule */
  /* records for the next coarser level [particle_count x WEFT__DISPLACEMENT_FLOATS] */
  float* displacements;
  /* Where links have a compliance: the lane of this level whose multiplier each lane of the finer one
   * starts from, or WEFT__NO_ANCESTOR, and its share of that [finer groups x WEFT__LANES] */
  uint32_t* origin;
  float* share;
  weft__joined joined; /* empty until links may be torn: see tears.h */
  size_t bytes;
} weft__level;

typedef struct weft__levels {
  weft__level* levels; /* the first is the finest of the coarse ones [count] */
  uint32_t count;
  uint32_t cloth_patches;
  /* records of the cloth, NULL where there are no levels [cloth particles x WEFT__DISPLACEMENT_FLOATS] */
  float* displacements;
  float* drawn[3]; /* metres: where the scene has the cloth, in solver order [cloth particles] */
} weft__levels;

/* Makes all coarse levels of a scene that `cloth` is the schedule of. False when memory cannot be had;
 * the caller destroys the levels either way. */
bool weft__levels_create(weft__levels* levels, const weft_scene* scene,
                         const weft__schedule* cloth);

/* Shares the patches out among workers. False when memory cannot be had. */
bool weft__levels_share_out(weft__levels* levels, uint32_t worker_count);

void weft__levels_destroy(weft__levels* levels);
size_t weft__levels_bytes(const weft__levels* levels);

/* Gives the particles of all levels the masses of those of the cloth that follow them, each parent its
 * share, so that a level is as heavy as the cloth. A pinned particle of the cloth is pinned in a level
 * where it has a particle of its own there or one beside it that is pinned, and else pins the nearest of
 * its parents: that one is then moved by the finer levels alone. The least rest lengths are those of the cloth
 * as drawn with these masses. To be called whenever a mass of the cloth has changed. */
void weft__levels_weigh(const weft__levels* levels, const weft__particles* cloth);

/* Starts patches [begin, end) of level `l` by the displacements of the next finer level, which are all there. A
 * particle that nothing free follows goes where its own one of the cloth goes. */
void weft__level_start(const weft__levels* levels, uint32_t l, const weft__kernels* kernels,
                       const weft__particles* cloth, uint32_t begin, uint32_t end);

/* Starts the multipliers of a patch of the finer level's schedule where those of `coarser` are, or at 0
 * where there is no coarser level: NULL. What a link already pulls on the coarser level is not to be
 * pulled once more. */
void weft__start_multipliers(const weft__level* coarser, const weft__schedule* schedule,
                             uint32_t patch);

/* Notes how far the particles of a patch have moved. */
void weft__level_note_corrections(const weft__level* level, uint32_t patch);

#endif
