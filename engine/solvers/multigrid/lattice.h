/* Lattices, one level coarser; see coarsen.h. */
#ifndef WEFT_SOLVERS_MULTIGRID_LATTICE_H
#define WEFT_SOLVERS_MULTIGRID_LATTICE_H

#include "solvers/multigrid/coarsen.h"

#define WEFT__NO_SHEAR UINT32_MAX

/* The links of the lattices of a scene, found by their ends. */
typedef struct weft__lattice_links {
  float* right; /* rest length of the link to the next column, 0 = none [particle_count] */
  float* down;  /* to the next row [particle_count] */
  float*
      soft_right; /* compliance of the link to the next column, metres per newton [particle_count] */
  float* soft_down; /* to the next row; both NULL where no link has any [particle_count] */
  uint32_t* shear;  /* the first diagonal of a cell of each part, or WEFT__NO_SHEAR [part_count] */
  uint32_t* diagonals; /* the number of those [part_count] */
} weft__lattice_links;

/* True if a coarse lattice has no link of its own for a link between these two particles of a part:
 * they are more than a coarse cell, two columns or two rows, apart. */
bool weft__lattice_spans(const weft__part* part, uint32_t a, uint32_t b);

/* Finds them. False when memory cannot be had. */
bool weft__lattice_links_find(weft__lattice_links* links, const weft_scene* scene);
void weft__lattice_links_destroy(weft__lattice_links* links);

/* Whether the part is a lattice large enough to be coarsened. */
bool weft__lattice_coarsens(const weft__part* part);

/* Appends the coarse lattice of a part, and fills in the parents of the part's particles. False when
 * memory cannot be had. */
bool weft__lattice_coarsen(weft__coarsening* coarsening, const weft_scene* fine,
                           const weft__lattice_links* links, size_t part);

#endif
