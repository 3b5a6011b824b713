/* Rigid motions that fit particles best, by sums over them. */
#ifndef WEFT_BASE_RIGID_FIT_H
#define WEFT_BASE_RIGID_FIT_H

#include "base/vec3.h"

/* Adds the product of two vectors, as a column and a row. */
void weft__add_product(double sum[3][3], double mass, weft__vec3 a, weft__vec3 b);

/* Solves (trace(moment) 1 - moment) spin = momentum, moment being the sum of products of arms with
 * themselves; 0 for a point. */
weft__vec3 weft__spin_of(double moment[3][3], weft__vec3 momentum);

/* Rotation x y z w that takes arms b to arms a best, by the sum of products of a and b: Horn 1987,
 * "Closed-form solution of absolute orientation using unit quaternions". The identity if that is
 * 0. */
void weft__fit_rotation(double covariance[3][3], double rotation[4]);

#endif
