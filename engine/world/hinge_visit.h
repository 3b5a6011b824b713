/* Visits the bend elements of a patch one by one, for calls that read them. */
#ifndef WEFT_WORLD_HINGE_VISIT_H
#define WEFT_WORLD_HINGE_VISIT_H

#include "step/stage.h"
#include "step/sweep.h"

/* Visits the elements of a patch that act. */
void weft__visit_hinges(const weft__hinge_schedule* hinges, uint32_t patch, weft__records records,
                        weft__visit_hinge* visit, void* context);

/* Lists the particles of the records of segments [segment, end): searching the segments for each
 * record would dominate. The list is in the first worker's records, which are free between steps,
 * and valid until the next one is made. */
const uint32_t* weft__list_locals(weft__records records, const weft__segment* segment,
                                  const weft__segment* end);

#endif
