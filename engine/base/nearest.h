/* The nearest points of two simple things, in double precision. Whatever degenerates - triangles without an
 * area, segments without a length - is answered as what is left of it. */
#ifndef WEFT_BASE_NEAREST_H
#define WEFT_BASE_NEAREST_H

#include "base/vector.h"

/* The point of a triangle that is nearest to another one: the shares of its corners in it, which are 0 or more
 * and add up to 1. Returns the distance squared. */
double weft__nearest_of_triangle(weft__vector point, const weft__vector corner[3], double share[3]);

/* The nearest points of the segments a and b: how far along each they lie, 0 to 1. Returns the distance
 * squared. */
double weft__segments_nearest(const weft__vector a[2], const weft__vector b[2], double* along_a,
                              double* along_b);

#endif
