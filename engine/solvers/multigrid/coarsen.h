/* One level coarser: a scene that stands for another one with about a quarter of the particles.
 *
 * Its links only resist stretch. A correction that the coarse scene makes reaches over the cloth in as
 * many times fewer sweeps as it has fewer particles between two ends, and is then handed down: each
 * fine particle takes the weighted mean of what its parents, up to four coarse particles, have moved.
 * (Mueller 2008, "Hierarchical Position Based Dynamics")
 *
 * A lattice keeps every second column and row, and the last ones:
 *
 *     0 . 0 . 0 0        0  parents: itself        weights 1
 *     . . . . . .        .  between two            1/2 1/2
 *     0 . 0 . 0 0        .  amid four              1/4 1/4 1/4 1/4
 *
 * For everything else see graph.h. */
#ifndef WEFT_SOLVERS_MULTIGRID_COARSEN_H
#define WEFT_SOLVERS_MULTIGRID_COARSEN_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"
#include "solvers/multigrid/cells.h"

#define WEFT__PARENTS 4u

/* Which coarse particles a fine one follows. Unused places name any particle, with weight 0. */
typedef struct weft__parents {
  uint32_t of[WEFT__PARENTS];
  float weight[WEFT__PARENTS];
} weft__parents;

typedef struct weft__coarsening {
  weft_scene* scene;      /* the coarse scene; its particles are the coarse ones */
  uint32_t* fine_of;      /* the fine particle that each coarse one is [coarse particles] */
  weft__parents* parents; /* of each fine particle [fine particles] */
} weft__coarsening;

/* Coarsens a scene whose particles are those of the cloth that `cloth_of` lists, [fine particles].
 * `cloth` has the distances along the cloth, and is not read where all parts are lattices. False when memory cannot be had, and nothing made. A scene
 * in which nothing is left to coarsen gives a coarse scene without links. */
bool weft__coarsen(weft__coarsening* coarsening, const weft_scene* fine, const uint32_t* cloth_of,
                   weft__distances* cloth);
void weft__coarsening_destroy(weft__coarsening* coarsening);

/* Links two coarse particles, firmly but for the compliance; room must have been reserved. */
void weft__push_coarse_link(weft_scene* coarse, uint32_t a, uint32_t b, float rest_length,
                            weft_link_kind kind, float compliance);

#endif
