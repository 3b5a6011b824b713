/* Flat cloth in the plane y = 0, and what is done to it. */
#ifndef TESTS_SUPPORT_DEFORMED_H
#define TESTS_SUPPORT_DEFORMED_H

#include "support/derived.h"

#define SPACING 0.02f /* metres */

/* Lattices, whose sides may be no powers of two, and with the last kind a cloth with holes. */
enum { FLAT_KINDS = 4 };
mesh_shape random_flat(random_source* random, int kind);

/* By waves, or each particle somewhere else: `amount` 1 is as much as there is between particles.
 */
void deform_smoothly(random_source* random, place* at, uint32_t count, float amount);
void deform_jaggedly(random_source* random, place* at, uint32_t count, float amount);

/* Turns what is beyond a line x, through one of them, about that, by radians up to `most`. */
void fold(random_source* random, place* at, uint32_t count, float upper);

/* About the origin, any way. */
void turn_places(random_source* random, place* at, uint32_t count);

/* All of these, by chance. */
void deform(random_source* random, place* at, uint32_t count);

/* As paper around a large tube, and stretched, any way. */
void bend_a_little(random_source* random, place* at, uint32_t count);

#endif
