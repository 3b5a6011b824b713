/* Sequential impulses by colour, walls last in each sweep. */
#ifndef WEFT_COLLISION_PARTICLES_SOLVE_H
#define WEFT_COLLISION_PARTICLES_SOLVE_H

#include "collision/particles/particle_contacts.h"
#include "collision/particles/shape_contact.h"

/* Solves the contacts of a substep and moves the bodies. */
void weft__particle_contacts_iterate(weft__particle_contacts* state, const weft__step_context* step,
                                     const weft__contact_scale* scale);

#endif
