#ifndef WEFT_WORLD_HINGE_VISIT_H
#define WEFT_WORLD_HINGE_VISIT_H

#include "step/stage.h"
#include "step/sweep.h"

/* Visits the elements of a patch that act. */
void weft__visit_hinges(const weft__hinge_schedule* hinges, uint32_t patch, weft__records records,
                        weft__visit_hinge* visit, void* context);

/* Particles of the records of segments [segment, end): a search for each record would dominate. The
 * list is in the first worker's records, free between steps, until the next one is made. */
const uint32_t* weft__list_locals(weft__records records, const weft__segment* segment,
                                  const weft__segment* end);

#endif
