/* Visits the bend elements of a patch one by one, for calls that read them. */
#ifndef WEFT_WORLD_HINGE_VISIT_H
#define WEFT_WORLD_HINGE_VISIT_H

#include "step/step.h"

/* Visits the elements of a patch that act. */
void weft__visit_hinges(const weft__stepper* stepper, uint32_t patch, weft__visit_hinge* visit,
                        void* context);

/* Lists the particles of the records of segments [segment, end): searching the segments for each
 * record would dominate. The list is in the first worker's records, which are free between steps,
 * and valid until the next one is made. */
const uint32_t* weft__list_locals(const weft__stepper* stepper, const weft__segment* segment,
                                  const weft__segment* end);

#endif
