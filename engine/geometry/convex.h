#ifndef WEFT_GEOMETRY_CONVEX_H
#define WEFT_GEOMETRY_CONVEX_H

#include "geometry/shape.h"
#include "tables/collider_batch.h"

/* Shapes that extend half_size to either side along each axis. */
weft_result weft__check_half_size(const weft_collider_def* def);
void weft__bounds_from_half_size(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper);

/* Conservative advancement; find_nearest() must return exact signed distances at any reach. */
bool weft__convex_cast(const weft__shape_row* row, const weft__shape* shape, weft__vec3 from,
                       weft__vec3 to, double radius, weft__cast* cast);

/* Time at which a point that starts outside reaches a sphere at the origin; infinite: never. */
double weft__time_to_sphere(weft__vec3 from, weft__vec3 displacement, double radius);

/* Zonotope: sum of segments from -generators[k] to generators[k], at most 6, around `center`. True
 * if it comes closer to the origin than `radius`, or misses by a few ulp. */
bool weft__zonotope_is_near(weft__vec3 center, const weft__vec3* generators, int count,
                            double radius);

#endif
