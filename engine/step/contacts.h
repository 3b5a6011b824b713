/* Contacts, as the step takes them: the broad phase once a step, and after links and trees of each substep cloth
 * from cloth, bodies from bodies, everything from colliders, and what lets nothing pass, which has the last
 * word. */
#ifndef WEFT_STEP_CONTACTS_H
#define WEFT_STEP_CONTACTS_H

#include "step/step.h"

/* Whether there is anything to do. */
bool weft__contacts_act(const weft__contacts* contacts);

void weft__contacts_destroy(weft__contacts* contacts);
size_t weft__contacts_bytes(const weft__contacts* contacts);

/* Called by all workers, which have met, and which meet in them. */
void weft__contacts_begin_step(weft__stepper* stepper, uint32_t worker);
void weft__contacts_begin_substep(weft__stepper* stepper, uint32_t substep, uint32_t worker);
void weft__contacts_hold(weft__stepper* stepper, uint32_t substep, uint32_t worker);

/* What lets nothing pass: after the bounds, as these move particles, too, and within them. */
void weft__contacts_stop(weft__stepper* stepper, uint32_t substep, uint32_t worker);

void weft__contacts_end_step(weft__stepper* stepper, uint32_t worker);

#endif
