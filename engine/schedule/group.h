/* Links into batches, runs and lane groups, patch by patch.
 *
 * The links of a patch, written as (a, b) in solver order with a < b, are sorted by distance b - a
 * and then by a. Links of one distance whose first ends are consecutive also have consecutive
 * second ends: that is a run, whatever the body was. Sixteen such ends at a time make a contiguous
 * group; a window that would hold fewer than MIN_LANES links is not worth one, and its links are
 * left over. So are links shorter than a group, whose two windows would overlap.
 *
 *     distance 5:  a = 0 1 2 3 4 . 6 7          one run, one lane empty
 *                  b = 5 6 7 8 9 . 11 12
 *
 * Links of one distance can still form chains, a to a + d to a + 2d. They are split in two batches,
 * every second link of a chain each. What is left over is coloured greedily, first fit
 * (Fratarcangeli and Pellacini 2015, "Scalable partitioning for parallel position based dynamics"),
 * and becomes indexed groups, a batch a colour. Where too much is left over, the patch is solved on
 * records and all of its links become fans: see fan.h.
 *
 * A sweep in this order goes colour by colour inside a patch. Sweeping a patch row by row converges
 * a little faster at many iterations, but with one pass a step it blows up on large sheets; this
 * order never did. */
#ifndef WEFT_SCHEDULE_GROUP_H
#define WEFT_SCHEDULE_GROUP_H

#include <stdbool.h>

#include "schedule/order.h"
#include "tables/schedule.h"

/* Fills all but the patch colours of a schedule whose order stands. False when memory cannot be
 * had; the caller destroys the schedule. */
bool weft__group_links(weft__schedule* schedule, const weft__order* order,
                       const weft__links* links);

#endif
