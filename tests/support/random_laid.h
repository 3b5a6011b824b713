/* Random meshes prepared for CCD, and positions near them. */
#ifndef TESTS_SUPPORT_RANDOM_LAID_H
#define TESTS_SUPPORT_RANDOM_LAID_H

#include "support/laid.h"
#include "support/random.h"

/* Distance of neighbouring vertices, metres. */
#define SPACING 0.02f

typedef float laid_place[3]; /* metres */

/* Check of a mesh whose vertices have these kinds. */
typedef void laid_check(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                        const laid* l);

/* Calls `check` for spheres, strips, cloths with holes, lattices and faces at random; all vertices
 * with CCD, or a random subset, or none. */
void check_random_laid(laid_check* check, int rounds, uint64_t seed);

/* Vertices turned about z by an angle in radians, and moved by up to `amount` metres along each
 * axis; the caller frees them. */
laid_place* new_moved(random_source* random, const mesh_shape* shape, float turned, float amount);

#endif
