/* Convex shapes given by a support function: the hull of its points.
 *
 * The function is called only when a collider is added, for the directions of an octahedral grid:
 * whole numbers before they are normalised, with the same bits on all machines. Rejected: GJK on
 * the function itself (Gilbert, Johnson, Keerthi 1988), which calls it from all workers in every
 * substep, converges slowly where the surface is curved, and has no depth inside. */
#ifndef WEFT_GEOMETRY_SUPPORT_H
#define WEFT_GEOMETRY_SUPPORT_H

#include "base/result.h"

/* Checks function, level and points of a def. */
weft_result weft__support_check(const weft_collider_def* def);

/* [count][3]; the caller frees them. NULL if out of memory. */
float* weft__support_new_points(const weft_collider_def* def, uint32_t* count);

#endif
