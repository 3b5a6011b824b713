/* Approach: motion of cloth in the next step, seen from a collider near it.
 *
 * A collider that moves far between two substeps spreads the cloth in front of it: neighbours are
 * pushed to its two sides before links act. So motion is measured in ranges of the cloth's faces
 * (weft__face_range()), which are 0.9 of the spacing of a grid. Motion in common does not count,
 * nor do planes, which spread nothing. Points that deform count by the bounds of their
 * displacements: cloth that moves as any of them might comes along. */
#ifndef WEFT_COLLISION_COLLIDERS_APPROACH_H
#define WEFT_COLLISION_COLLIDERS_APPROACH_H

#include "collision/colliders/colliders.h"

/* Largest motion of a particle of cloth in a step of `seconds`, over its range, or its radius where
 * it has no faces; 0 if none is near a collider. Up to `least` it may be 0, too. */
double weft__colliders_approach(const weft__colliders* colliders, const weft__step_context* step,
                                double seconds, double least);

#endif
