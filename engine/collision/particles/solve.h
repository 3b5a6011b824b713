/* Impulses, colour after colour, and walls after them. */
#ifndef WEFT_COLLISION_PARTICLES_SOLVE_H
#define WEFT_COLLISION_PARTICLES_SOLVE_H

#include "collision/particles/particle_contacts.h"
#include "collision/particles/shape_contact.h"
#include "collision/particles/team.h"

/* Solves the contacts of a substep and moves the bodies. All meet before it returns. */
void weft__solve_contacts(weft__particle_contacts* particle_contacts,
                          const weft__contact_stage* stage, const weft__touch_scale* scale,
                          const weft__team* team);

#endif
