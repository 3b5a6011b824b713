#ifndef WEFT_SCHEDULE_BEND_LINES_H
#define WEFT_SCHEDULE_BEND_LINES_H

#include "schedule/order.h"
#include "tables/hinges.h"
#include "tables/schedule.h"

/* Fills schedule->bend_lines, whose order is known, and marks the hinges in lines: chains of a
 * sheet's unmarked hinges that follow each other in the scene. is_taken: [hinges->count] */
bool weft__bend_lines_create(weft__schedule* schedule, const weft__hinges* hinges, bool* is_taken);

#endif
