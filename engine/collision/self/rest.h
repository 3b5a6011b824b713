/* Contact distance of particles that are near each other at rest.
 *
 * Particles of one body, joined by any path of links, collide at the sum of their radii, or at
 * their distance at rest if less: layers of a coat, rows of long triangles and cloth thicker than
 * its spacing stay as they were made. Separate bodies have no shape at rest between them. Rest is
 * when cloth was first given a radius. */
#ifndef WEFT_COLLISION_SELF_REST_H
#define WEFT_COLLISION_SELF_REST_H

#include "collision/self/self.h"

/* Records present positions, and the bodies that links join. False when out of memory. */
bool weft__self_record_rest(weft__self* self, const weft__contact_setup* setup);

/* Sets tiles.has_near, by radii and exclusions. Boxes of tiles are scratch, empty before. */
void weft__self_find_near(weft__self* self);

#endif
