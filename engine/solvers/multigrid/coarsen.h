/* Coarsening for the cascadic multigrid: a scene with a quarter of the particles.
 *
 * Coarse links only resist stretch. A correction crosses the cloth in fewer sweeps, by the ratio of
 * particles between two ends. Prolongation: a fine particle takes the weighted mean displacement of
 * its parents, up to four coarse particles. (Mueller 2008, "Hierarchical Position Based Dynamics")
 *
 * A lattice keeps every second column and row, and the last ones:
 *
 *     0 . 0 . 0 0        0  parents: itself        weights 1
 *     . . . . . .        .  between two            1/2 1/2
 *     0 . 0 . 0 0        .  amid four              1/4 1/4 1/4 1/4
 *
 * All other parts: see graph.h. */
#ifndef WEFT_SOLVERS_MULTIGRID_COARSEN_H
#define WEFT_SOLVERS_MULTIGRID_COARSEN_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"
#include "solvers/multigrid/cells.h"

#define WEFT__PARENTS 4u

/* Unused entries name any particle, with weight 0. */
typedef struct weft__parents {
  uint32_t of[WEFT__PARENTS];
  float weight[WEFT__PARENTS];
} weft__parents;

typedef struct weft__coarsening {
  weft_scene* scene;
  uint32_t* fine_of;      /* fine particle at each coarse one's position [coarse particles] */
  weft__parents* parents; /* [fine particles] */
} weft__coarsening;

/* cloth_of: the cloth's particles [fine particles]; cloth: not read if all parts are lattices. A
 * scene with nothing left to coarsen yields one without links. Nothing stays allocated on
 * failure. */
bool weft__coarsen(weft__coarsening* coarsening, const weft_scene* fine, const uint32_t* cloth_of,
                   weft__distances* cloth);
void weft__coarsening_destroy(weft__coarsening* coarsening);

/* Successive over-relaxation (Young 1954, "Iterative methods for solving partial difference
 * equations of elliptic type"). Larger factors leave less strain on cloth held by corners, and more
 * on cloth held by an edge. */
#define WEFT__COARSE_RELAXATION 1.3f
/* Compliant links: a sheet with a load along its edge comes nearest to its exact elongation, from
 * 17 x 17 to 65 x 65 particles. */
#define WEFT__ELASTIC_RELAXATION 1.4f

/* Memory must be reserved. */
void weft__push_coarse_link(weft_scene* coarse, uint32_t a, uint32_t b, float rest_length,
                            weft_link_kind kind, float compliance);

#endif
