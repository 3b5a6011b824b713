/* Block elimination of the matrix of a mesh's bending, in double precision: see
 * tables/mesh_bends.h.
 *
 * The multifrontal method (Duff and Reid 1983): each node adds up the Schur complements of its
 * children, eliminates its pivots, and leaves the rest to its parent. */
#ifndef WEFT_SOLVERS_PLATES_ELIMINATION_H
#define WEFT_SOLVERS_PLATES_ELIMINATION_H

#include "tables/mesh_bends.h"
#include "tables/particles.h"

/* Computes the moments and factors of a mesh, unless they already fit its masses and elements. */
void weft__mesh_bends_factor(const weft__mesh_bends* bends, weft__bend_mesh* mesh,
                             const weft__particles* particles);

#endif
