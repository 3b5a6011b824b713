/* Narrow phase of bodies in motion: conservative advancement to the time of impact.
 *
 * Bodies move straight from prev to pos, and bodies with corners do not rotate: relative motion is
 * a segment. The result is the last separating plane, and the gap to it at the beginning of the
 * substep: a bound on the approach along the normal. Pairs that miss each other get no impulse;
 * fast pairs stop at the time of impact. */
#ifndef WEFT_MODULES_SPHERES_SHAPE_CONTACT_H
#define WEFT_MODULES_SPHERES_SHAPE_CONTACT_H

#include "modules/spheres/particle_contacts.h"

typedef struct weft__contact_scale {
  double h, rate;          /* seconds, 1/seconds */
  double gravity[3];       /* metres per second, added in a substep */
  double rest_speed;       /* metres per second: slower impacts do not bounce */
  double max_displacement; /* metres: largest of any body in the substep */
} weft__contact_scale;

/* Call after all bodies have been loaded. */
weft__contact_scale weft__contact_scale_of(const weft__particle_contacts* state,
                                           const weft__step_context* step);

/* Scale with the gravity of a particle's environment. */
weft__contact_scale weft__contact_scale_at(const weft__contact_scale* scale,
                                           const weft__step_context* step, uint32_t particle);

/* Loads the velocities of the bodies [begin, end). */
void weft__shape_contacts_load(weft__particle_contacts* state, const weft__step_context* step,
                               uint32_t begin, uint32_t end);

/* Fills the contacts of the pairs [begin, end) of the list. Returns the work. */
uint64_t weft__shape_contacts_make(const weft__particle_contacts* state,
                                   const weft__step_context* step, const weft__contact_scale* scale,
                                   uint32_t begin, uint32_t end);

/* Separation speed after restitution, metres per second; -1 = no bounce. `beyond`: rest of the
 * approach in metres after the impact; `gravity_speed`: approach speed that gravity adds in a
 * substep. See kernels/bounds.inl. */
float weft__bounce_speed(const weft__contact_scale* scale, double approach_speed, double beyond,
                         double gravity_speed, double restitution);

#endif
