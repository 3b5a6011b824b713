/* A triangle that cuts.
 *
 * A segment is cut if it has a point in common with the triangle: touching an edge, a corner or the face with
 * an end counts, and so does lying in its plane, across it, inside it or along an edge. A triangle without
 * area cuts nothing. What is so near that rounding decides counts as touching; so nothing slips through
 * between two triangles that have an edge in common.
 *
 * On which side of what a point lies is the sign of a determinant, which is 0 where it is smaller than its
 * own rounding. (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric
 * predicates") */
#ifndef WEFT_EDIT_BLADE_H
#define WEFT_EDIT_BLADE_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__blade {
  weft__vec3 corner[3];
} weft__blade;

/* Whether a segment is cut; its ends must be finite. */
bool weft__blade_touches(const void* blade, weft__vec3 a, weft__vec3 b);

#endif
