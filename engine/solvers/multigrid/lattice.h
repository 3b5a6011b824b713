/* Coarsening of lattices: every second column and row is kept; see coarsen.h. */
#ifndef WEFT_SOLVERS_MULTIGRID_LATTICE_H
#define WEFT_SOLVERS_MULTIGRID_LATTICE_H

#include "solvers/multigrid/coarsen.h"

#define WEFT__NO_SHEAR UINT32_MAX

/* Rest lengths and compliances of the lattice links of a scene, by the particle at their upper or
 * left end. */
typedef struct weft__lattice_links {
  float* right; /* metres: rest length of the link to the next column, 0 = none [particle_count] */
  float* down;  /* metres: the same for the next row [particle_count] */
  /* metres per newton: compliances of the same links; NULL where the scene has none
   * [particle_count] */
  float* compliance_right;
  float* compliance_down;
  uint32_t* shear;     /* first diagonal of a cell of each part, or WEFT__NO_SHEAR [part_count] */
  uint32_t* diagonals; /* number of diagonals [part_count] */
} weft__lattice_links;

/* True if two particles of a part are more than two columns or two rows apart: no link of the
 * coarse lattice stands for a link between them. */
bool weft__lattice_spans(const weft__part* part, uint32_t a, uint32_t b);

/* Collects the lattice links of a scene. False when out of memory. */
bool weft__lattice_links_create(weft__lattice_links* links, const weft_scene* scene);
void weft__lattice_links_destroy(weft__lattice_links* links);

/* True if the part is a lattice large enough to be coarsened. */
bool weft__lattice_coarsens(const weft__part* part);

/* Appends the coarse lattice of a part, and sets the parents of the part's particles. False when
 * out of memory. */
bool weft__lattice_coarsen(weft__coarsening* coarsening, const weft_scene* fine,
                           const weft__lattice_links* links, size_t part);

#endif
