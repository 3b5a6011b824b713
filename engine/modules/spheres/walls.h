/* Walls as contacts: bounds and colliders, whose stages follow.
 *
 * Otherwise a resting stack would sink into the floor, the later stage would lift only the lowest
 * body, and the stack never come to rest. So each wall is a pinned body of the solve, and the later
 * stages find nothing left to correct but impacts that bounce. */
#ifndef WEFT_MODULES_SPHERES_WALLS_H
#define WEFT_MODULES_SPHERES_WALLS_H

#include "modules/spheres/particle_contacts.h"
#include "modules/spheres/shape_contact.h"

/* Sets the number of walls of a body. Snapshots save all slots: those from `count` to `former` are
 * zeroed. */
void weft__walls_resize(const weft__particle_contacts* state, uint32_t body, uint32_t count,
                        uint32_t former);

/* Fills the wall contacts of the bodies [begin, end). */
void weft__walls_make_contacts(weft__particle_contacts* state, const weft__step_context* step,
                               const weft__contact_scale* scale, uint32_t begin, uint32_t end);

/* Puts bodies that rest on the bounds onto them, to the bit, so that the bounds detect contact. */
void weft__walls_snap(const weft__particle_contacts* state, weft__step_context* step,
                      uint32_t begin, uint32_t end);

/* Reports the impulses of colliders to the event log; the collider stage adds its own. */
void weft__walls_report(const weft__particle_contacts* state, const weft__step_context* step,
                        weft__range bodies, uint32_t worker);

#endif
