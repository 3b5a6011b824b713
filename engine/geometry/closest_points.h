/* Closest points of point and triangle, and of two segments, in double precision. Degenerate input
 * (triangles without area, segments without length) is treated as the lower-dimensional feature it
 * collapses to. weft__nearest_on_triangle() stays apart: it is watertight, and rounds otherwise. */
#ifndef WEFT_GEOMETRY_CLOSEST_POINTS_H
#define WEFT_GEOMETRY_CLOSEST_POINTS_H

#include "base/vec3.h"

/* Barycentric coordinates, >= 0 and adding up to 1, of the point of a triangle nearest to `point`.
 * Returns the squared distance. */
double weft__closest_on_triangle(weft__vec3 point, const weft__vec3 corner[3], double share[3]);

/* Fractions, 0 to 1, of the nearest points along segments a and b. Returns the squared distance. */
double weft__closest_on_segments(const weft__vec3 a[2], const weft__vec3 b[2], double* along_a,
                                 double* along_b);

#endif
