/* Walls that hold bodies after this stage: the bounds of the world, and colliders.
 *
 * What lies on a floor is let fall through it by a stage that does not know it, and put back by the one that comes
 * after; a stack would be squeezed in between, and never rest. So walls take part in the solve, each as a pinned body
 * of its own: what they do later then finds nothing left to do. What bounces off a wall is left to that wall. */
#ifndef WEFT_COLLISION_PARTICLES_WALLS_H
#define WEFT_COLLISION_PARTICLES_WALLS_H

#include "collision/particles/particle_contacts.h"
#include "collision/particles/shape_contact.h"

/* Makes the contacts of the bodies [begin, end) with walls. */
void weft__walls_touch(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                       const weft__touch_scale* scale, uint32_t begin, uint32_t end);

/* Puts bodies that lie on the bounds onto them, to the bit, so that they touch. */
void weft__walls_settle(const weft__particle_contacts* particle_contacts,
                        const weft__contact_stage* stage, uint32_t begin, uint32_t end);

/* Notes what walls that are colliders have done; those add what they do themselves. */
void weft__walls_note(const weft__particle_contacts* particle_contacts,
                      const weft__contact_stage* stage, uint32_t begin, uint32_t end);

#endif
