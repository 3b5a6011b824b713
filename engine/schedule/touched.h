/* Particles that a patch touches: its own, and others that its links, bend and membrane elements,
 * or empty lanes of contiguous groups, reach. A sweep accesses no others. */
#ifndef WEFT_SCHEDULE_TOUCHED_H
#define WEFT_SCHEDULE_TOUCHED_H

#include <stdbool.h>

#include "base/range.h"
#include "tables/schedule.h"

/* In solver order; false ends the visit. */
typedef bool weft__visit_range(void* context, weft__range particles);

/* Own particles that no element touches may be left out; ranges may overlap. Needs only runs and
 * segments. False if a visit was. */
bool weft__visit_touched(const weft__schedule* schedule, uint32_t patch, weft__visit_range* visit,
                         void* context);

#endif
