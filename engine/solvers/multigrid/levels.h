/* Coarse levels of a cascadic multigrid (Bornemann and Deuflhard 1996): frozen scenes, solved by
 * the same patches, runs and kernels as the cloth in one pass from coarse to fine.
 *
 *     level 0, the cloth     o o o o o o o o o    2  takes corrections from level 1, sweeps
 *     level 1                o   o   o   o   o    1  takes corrections from level 2, sweeps
 *     level 2                o       o       o    0  sweeps
 *
 * Restriction starts each coarse particle at its followers' mean position, displaced by their mean
 * displacement. Levels keep no state from step to step. */
#ifndef WEFT_SOLVERS_MULTIGRID_LEVELS_H
#define WEFT_SOLVERS_MULTIGRID_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

#include "parallel/domain.h"
#include "parallel/wavefront.h"
#include "scene/scene.h"
#include "solvers/multigrid/rest_lengths.h"
#include "solvers/multigrid/restriction.h"
#include "tables/particles.h"
#include "tables/schedule.h"
#include "tables/transfer.h"

#define WEFT__MAX_LEVELS 24u

/* Links at their ends of the lower number, solver order: [first[p], first[p + 1]). */
typedef struct weft__level_links {
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* to;    /* other end [link_count] */
  uint32_t* slot;  /* [link_count] */
} weft__level_links;

typedef struct weft__level {
  weft__particles particles; /* prev: at the start of the step */
  weft__schedule schedule;
  weft__wavefront wavefront;
  uint32_t* source; /* cloth particle, both in solver order [particle_count] */
  weft__coarse_corrections corrections;
  weft__restriction followers;       /* the next finer level's particles */
  weft__coarse_rest_lengths rests;   /* the schedule's */
  weft__displacements displacements; /* for the next coarser level; owns only `moved` */
  weft__multiplier_origins origins;  /* start of the finer level's Lagrange multipliers */
  weft__level_links links;           /* empty until links may be torn: torn_coarse_links.h */
  uint32_t blend_count;
  /* the next finer level's */
  uint32_t finer_count, finer_patch_count, finer_group_count;
  size_t bytes;
} weft__level;

/* Halos of level `index`: displacements on the next finer level, for level 0 also of the cloth
 * particles at all levels' coarse ones; corrections and multipliers for the finer level. */
extern const weft__halo_rows weft__follower_rows, weft__parent_rows, weft__origin_links;
extern const weft__table weft__displacement_columns, weft__correction_columns,
    weft__multiplier_columns;

#define WEFT__LEVEL_TEARS WEFT__GROUP(1)

extern const weft__table weft__level_table;

typedef struct weft__levels {
  weft__level* levels; /* fine to coarse [count] */
  uint32_t count;
  uint32_t cloth_patches;
  /* metres: the cloth in the scene's positions, solver order [cloth particles + padding] */
  float* drawn[3];
} weft__levels;

bool weft__levels_create(weft__levels* levels, const weft_scene* scene,
                         const weft__schedule* cloth);

bool weft__levels_assign_patches(weft__levels* levels, uint32_t worker_count);

void weft__levels_destroy(weft__levels* levels);
size_t weft__levels_bytes(const weft__levels* levels);

#endif
