/* Clearance: components of cloth that collide, and have nothing near them in the next step. Their
 * long substeps meet no contact. */
#ifndef WEFT_MODULES_MULTIRATE_CLEARANCE_H
#define WEFT_MODULES_MULTIRATE_CLEARANCE_H

#include "modules/multirate/multirate.h"

/* Of weft__multirate.contacts, by component. */
enum {
  WEFT__NO_CONTACTS = 0,
  WEFT__CLOTH_CONTACTS = 1, /* all by thickness */
  WEFT__OTHER_CONTACTS = 2,
};

/* Sets is_clear where neighbour lists of the last substep name no particle of the component, and no
 * collider and no link of a rope comes into the box of its motion. */
void weft__clearance_find(const weft__multirate* m, const weft__step_context* step);

/* Metres: motion in the step of particles that moved by at most this in the last substep. */
float weft__reach_in_step(const weft__step_context* step, float moved);

#endif
