/* The nearest points of two simple things, in double precision. Whatever degenerates - triangles without an
 * area, segments without a length - is answered as what is left of it. */
#ifndef WEFT_GEOMETRY_CLOSEST_POINTS_H
#define WEFT_GEOMETRY_CLOSEST_POINTS_H

#include "base/vec3.h"

/* The point of a triangle that is nearest to another one: the shares of its corners in it, which are 0 or more
 * and add up to 1. Returns the distance squared. */
double weft__nearest_of_triangle(weft__vec3 point, const weft__vec3 corner[3], double share[3]);

/* The nearest points of the segments a and b: how far along each they lie, 0 to 1. Returns the distance
 * squared. */
double weft__segments_nearest(const weft__vec3 a[2], const weft__vec3 b[2], double* along_a,
                              double* along_b);

#endif
