/* Multifrontal elimination of a mesh's bending, in double precision (Duff and Reid 1983): each node
 * adds up its children's Schur complements, and eliminates its pivots. See plates.h. */
#ifndef WEFT_MODULES_BENDING_ELIMINATION_H
#define WEFT_MODULES_BENDING_ELIMINATION_H

#include "modules/bending/plates.h"
#include "tables/particles.h"

/* Moments and factors, unless they fit masses and elements. */
void weft__mesh_bends_factor(const weft__mesh_bends* bends, weft__bend_mesh* mesh,
                             const weft__particles* particles);

#endif
