/* Triangle that cuts links: ends on face, edge or corner count, and coplanar segments do. A
 * triangle without area cuts nothing. Contact within rounding counts: no segment slips between two
 * triangles that share an edge.
 *
 * Sides are signs of determinants, 0 below the rounding error. (Shewchuk 1997, "Adaptive precision
 * floating-point arithmetic and fast robust geometric predicates") */
#ifndef WEFT_EDIT_BLADE_H
#define WEFT_EDIT_BLADE_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__blade {
  weft__vec3 corner[3];
} weft__blade;

/* Ends must be finite. */
bool weft__blade_touches(const void* blade, weft__vec3 a, weft__vec3 b);

#endif
