/* Removal of links: overstretched in a step, torn or disabled by the caller, or part of a removed
 * body. The bend elements, coarse links and long-range attachments built on a link go with it. The
 * direct solver reads the links' lane mask itself. */
#ifndef WEFT_STEP_TEAR_H
#define WEFT_STEP_TEAR_H

#include "step/step.h"

/* Allocates the tables that the calls below need beyond a step's; only the first call does. False
 * when out of memory. */
bool weft__tear_prepare(weft__stepper* stepper);

/* Links that are torn: a step tears no link of a sleeping component, a call wakes it. */
typedef enum weft__tear_choice { WEFT__TEAR_AWAKE, WEFT__TEAR_ALL } weft__tear_choice;

/* Tears the marked links of the cloth's schedule, in all patches with marks, and clears the marks.
 * Called by one worker, in patch order, so that the order does not depend on the workers. */
void weft__tear_marked(weft__stepper* stepper, weft__tear_choice choice);

/* Tears the link of a slot, unless it is torn already. */
void weft__tear_slot(weft__stepper* stepper, uint32_t slot);

/* Enables or disables the link of a slot, unless it is torn. */
void weft__enable_slot(weft__stepper* stepper, uint32_t slot, bool enabled);

/* Removes all links with an end among these particles, in the caller's order, and pins the
 * particles. */
void weft__remove_particles(weft__stepper* stepper, uint32_t first, uint32_t count);

/* Removes a particle without links, coarse particle or attachment, in time that is independent of
 * the world's size. */
void weft__remove_loose_particle(weft__stepper* stepper, uint32_t user);

/* Removes the link of a slot: it is not torn, and cannot be enabled again. */
void weft__remove_slot(weft__stepper* stepper, uint32_t slot);

#endif
