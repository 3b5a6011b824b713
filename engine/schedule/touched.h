/* Particles that a sweep of the patch accesses: its own, and others that its links, bend and
 * membrane elements, or empty lanes of contiguous groups, reach. */
#ifndef WEFT_SCHEDULE_TOUCHED_H
#define WEFT_SCHEDULE_TOUCHED_H

#include <stdbool.h>

#include "base/range.h"
#include "parallel/domain.h"
#include "tables/schedule.h"

/* In solver order; false ends the visit. */
typedef bool weft__visit_range(void* context, weft__range particles);

/* Own particles that no element touches may be left out; ranges may overlap. Needs only runs and
 * segments. False if a visit was. */
bool weft__visit_touched(const weft__schedule* schedule, uint32_t patch, weft__visit_range* visit,
                         void* context);

/* Sets bytes, by particle in solver order, to 1: in a range; of all that patches have or touch. */
weft__visit_range weft__mark_range;
void weft__mark_touched(const weft__schedule* schedule, weft__range patches, uint8_t* marks);

/* Particles that own patches have or touch; the table is the schedule. */
extern const weft__halo_rows weft__touched_rows;

#endif
