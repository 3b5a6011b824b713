/* Sequential impulses by colour, walls last in each sweep; moves the bodies. */
#ifndef WEFT_MODULES_SPHERES_SOLVE_H
#define WEFT_MODULES_SPHERES_SOLVE_H

#include "modules/spheres/particle_contacts.h"
#include "modules/spheres/shape_contact.h"

/* Solves the contacts of a substep and moves the bodies. */
void weft__particle_contacts_iterate(weft__particle_contacts* state, weft__step_context* step,
                                     const weft__contact_scale* scale);

#endif
