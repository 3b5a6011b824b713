/* Bend and twist between two neighbouring frames of a rod.
 *
 * The strain is the rotation vector W from one frame to the next, in material components, which are
 * the same in both: curvature and twist times the distance of the segments' middles. Uniform bend
 * and twist are exact at any resolution, up to a twist of one turn per segment.
 *
 * If the second frame turns by a small rotation p relative to the first, W changes by G p, with
 *
 *     G = I - [W]/2 + c [W]^2      c = (1 - (t/2) cot(t/2)) / t^2      t = |W|, [W] v = W x v
 *
 * (Sola, Deray and Atchuthan 2018, "A micro Lie theory for state estimation in robotics", equation
 * 146). Rejected: twice the vector part of the quaternion (Kugelstadt and Schoemer 2016) and the
 * curvature binormal, 2 tan(t/2) (Bergou et al. 2008): moments at 0.3 rad a segment 1.5 % too low,
 * 3 % too high. */
#ifndef WEFT_MODULES_ARTICULATED_ROD_STRAIN_H
#define WEFT_MODULES_ARTICULATED_ROD_STRAIN_H

#include "base/frame.h"
#include "modules/articulated/symmetric.h"

/* Unit quaternion x y z w: two axes across the rod, the third along it. */
weft__frame weft__rod_axes(const double frame[4]);

/* Rotation vector in material components, radians. */
weft__vec3 weft__rod_strain(const double from[4], const double to[4]);

/* By a rotation vector of the world, radians. */
void weft__rod_turn(double frame[4], weft__vec3 rotation);

/* Energy r (W - rest)^2 / 2 over the material axes. */
typedef struct weft__rod_bend {
  weft__vec3 moment; /* in the world: derivative of the energy by a turn of the second frame */
  double energy;
  weft__symmetric stiffness; /* second derivative, without the change of G (Gauss and Newton) */
} weft__rod_bend;

/* rigidity: bend and twist stiffness over the element's length, along the material axes */
weft__rod_bend weft__rod_bend_of(const double from[4], const double to[4], weft__vec3 rest,
                                 weft__vec3 rigidity);

#endif
