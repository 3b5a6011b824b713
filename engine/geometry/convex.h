/* What all solid convex shapes can do that know how far a point is from them. */
#ifndef WEFT_GEOMETRY_CONVEX_H
#define WEFT_GEOMETRY_CONVEX_H

#include "geometry/shape.h"
#include "tables/encounter.h"

/* For those that are as wide as their half sizes say, on either side. */
weft_result weft__check_half_size(const weft_collider_def* def);
void weft__bound_by_half_size(const weft__shape* shape, weft__vec3* least, weft__vec3* most);

/* The first that a sphere on its way meets, by find_nearest() alone, which is to tell signed distances exactly and to
 * any reach.
 *
 * Along the way, the distance to a convex shape is a convex function g of the fraction, and Newton's method comes
 * to its first root from the left without ever passing it:
 *
 *      g
 *      |\                 a tangent lies below the function, so where it meets the axis
 *      | \ .              the sphere has not arrived yet; each step lands nearer, and
 *      |  \  '  .         about twice as many digits are right
 *      +---\-----'-o----- fraction
 */
bool weft__convex_cast(const weft__shape_row* row, const weft__shape* shape, weft__vec3 from,
                       weft__vec3 to, double radius, weft__cast* cast);

/* Whether the sum of segments around a point, from -generators[k] to generators[k] each, comes nearer to 0 than
 * `radius`. Says yes, too, where what is missing is no more than a few of the last digits. */
bool weft__zonotope_is_near(weft__vec3 center, const weft__vec3* generators, int count,
                            double radius);

#endif
