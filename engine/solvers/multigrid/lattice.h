/* Every second column and row of a lattice is kept; see coarsen.h. */
#ifndef WEFT_SOLVERS_MULTIGRID_LATTICE_H
#define WEFT_SOLVERS_MULTIGRID_LATTICE_H

#include "solvers/multigrid/coarsen.h"

#define WEFT__NO_SHEAR UINT32_MAX

/* By the particle at a link's upper or left end. */
typedef struct weft__lattice_links {
  float* right; /* metres, to the next column, 0: none [particle_count] */
  float* down;  /* metres, to the next row, 0: none [particle_count] */
  /* metres per newton; NULL where the scene has none [particle_count] */
  float* compliance_right;
  float* compliance_down;
  uint32_t* shear;     /* first diagonal of a cell, or WEFT__NO_SHEAR [part_count] */
  uint32_t* diagonals; /* [part_count] */
} weft__lattice_links;

/* More than two columns or two rows apart: no link of the coarse lattice stands for a link between
 * them. */
bool weft__lattice_spans(const weft__part* part, uint32_t a, uint32_t b);

bool weft__lattice_links_create(weft__lattice_links* links, const weft_scene* scene);
void weft__lattice_links_destroy(weft__lattice_links* links);

bool weft__lattice_coarsens(const weft__part* part);

/* Appends a part's coarse lattice, and sets its particles' parents. */
bool weft__lattice_coarsen(weft__coarsening* coarsening, const weft_scene* fine,
                           const weft__lattice_links* links, size_t part);

#endif
