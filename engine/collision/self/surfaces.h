/* Contacts of cloth along its surface, in place of spheres around its particles.
 *
 * Spheres make cloth bumpy: another cloth settles between the bumps, and slides only where their
 * flanks are as steep as the cone of friction, which depends on the angle between the threads. Here
 * a pair meets along its common normal, the mean of the normals at both particles: their distance
 * is taken along the normal, and a pair counts by q = 1 - (t / range)^2, where t is its offset
 * along the surface.
 *
 *          i ---> n_i                      i
 *         /|\                             / \         the sphere of i goes down between
 *          |  distance                   j   j'       j and j'
 *     j----+--j'                        / \ / \
 *
 * For two particles of layers that are concentric circles, H apart and seen from the centre at an
 * angle a, the distance along the mean normal is H cos(a / 2): the layers slide on each other as on
 * smooth ones up to second order of the curvature, whatever their meshes. Two particles of one
 * smooth layer have no distance. Pairs are symmetric, so momentum is conserved.
 *
 * The range of a particle is the largest distance of a point of its faces from their nearest
 * corner, with a margin: each point of another cloth over these faces is in the range of one
 * corner.
 *
 * A pair meets as spheres do where normals are more than 60 degrees apart (an edge that stands on a
 * surface), and where it started the substep so deep that its side is in doubt. The side is taken
 * at the start of the substep.
 *
 * Rejected: closest points of faces. Each round would need all faces around each neighbour of a
 * particle, in scalar code. */
#ifndef WEFT_COLLISION_SELF_SURFACES_H
#define WEFT_COLLISION_SELF_SURFACES_H

#include "collision/self/self.h"

/* Two particles of one cloth are excluded from surface contacts if a path of links of at most this
 * many ranges joins them: neighbours, whose offset is within the range as soon as the cloth is
 * compressed. */
#define WEFT__SURFACE_PATH 1.8f

/* Measures the ranges of all particles at their present positions. */
void weft__self_measure_ranges(weft__self* self, const weft__particles* particles);

/* Computes the normals of a tile's particles with surface contacts. */
void weft__self_update_normals(const weft__self* self, const weft__step_context* step,
                               uint32_t tile);

#endif
