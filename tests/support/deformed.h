/* Flat cloth in the plane y = 0, and deformations of it. */
#ifndef TESTS_SUPPORT_DEFORMED_H
#define TESTS_SUPPORT_DEFORMED_H

#include "support/derived.h"

#define SPACING 0.02f /* metres */

/* Lattices, whose sides may be no powers of two; the last kind is a cloth with holes. */
enum { FLAT_KINDS = 4 };
mesh_shape random_flat(random_source* random, int kind);

/* Displacement by waves, or at random per particle; `amount` 1 is of the order of the spacing. */
void deform_smoothly(random_source* random, place* at, uint32_t count, float amount);
void deform_jaggedly(random_source* random, place* at, uint32_t count, float amount);

/* Rotates all particles beyond a line about it, by up to `upper` radians; the line passes through a
 * random particle. */
void fold(random_source* random, place* at, uint32_t count, float upper);

void turn_places(random_source* random, place* at, uint32_t count);

/* Random combination of the deformations above, in a random orientation. */
void deform(random_source* random, place* at, uint32_t count);

/* Wraps the cloth around a large cylinder and stretches it, in a random orientation. */
void bend_a_little(random_source* random, place* at, uint32_t count);

#endif
