/* Contacts of cloth along its surface, in place of spheres around its particles.
 *
 * Spheres make cloth bumpy: another cloth settles between the bumps. Here a pair meets along its
 * common normal, the mean of the normals at both particles: their distance is taken along the
 * normal, and a pair has the weight min(1, 2 q), q = 1 - (t / range)^2, where t is its offset along
 * the surface.
 *
 *          i ---> n_i                      i
 *         /|\                             / \         the sphere of i goes down between
 *          |  distance                   j   j'       j and j'
 *     j----+--j'                        / \ / \
 *
 * For particles of two concentric circles, H apart and seen from the centre at an angle a, the
 * distance along the mean normal is H cos(a / 2): layers slide on each other as on smooth ones up
 * to second order of the curvature, whatever their meshes. Pairs are symmetric: momentum is
 * conserved.
 *
 * The range of a particle is the largest distance of a point of its faces from their nearest
 * corner, with a margin: each point of another cloth over these faces is in a corner's range.
 *
 * Pairs meet as spheres where normals are more than 60 degrees apart, where they started the
 * substep too deep for a sure side, and where both are at borders: forces along a normal have a
 * moment about a pair, which neighbours balance elsewhere, and borders would flutter.
 *
 * Rejected: closest points of faces, all faces around each neighbour in each round. */
#ifndef WEFT_COLLISION_SELF_SURFACES_H
#define WEFT_COLLISION_SELF_SURFACES_H

#include "collision/self/self.h"

/* Path of links, in ranges, up to which particles of one cloth are excluded: neighbours are within
 * the range as soon as the cloth is compressed. */
#define WEFT__SURFACE_PATH 1.8f

void weft__self_measure_ranges(weft__self* self);

/* Normals last for a quarter of a step. */
void weft__self_expire_normals(weft__self* self, const weft__step_context* step);

/* Makes the normals of tiles with contacts valid. */
void weft__self_update_normals(weft__self* self, const weft__step_context* step);

#endif
