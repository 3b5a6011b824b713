/* Groups links into batches, runs and lane groups, patch by patch.
 *
 * The links of a patch, written as (a, b) in solver order with a < b, are sorted by distance b - a,
 * then by a. Links of one distance with consecutive first ends also have consecutive second ends: a
 * run, whatever the body was. Sixteen such ends make a contiguous group; a window of fewer than
 * MIN_LANES links does not pay, and its links are left over. So are links shorter than a group,
 * whose two windows would overlap.
 *
 *     distance 5:  a = 0 1 2 3 4 . 6 7          one run, one lane empty
 *                  b = 5 6 7 8 9 . 11 12
 *
 * Links of one distance can form chains, a to a + d to a + 2d; these are split into two batches of
 * alternate links. Leftovers are coloured greedily, first fit (Fratarcangeli and Pellacini 2015,
 * "Scalable partitioning for parallel position based dynamics"), and become indexed groups, one
 * batch a colour. If too many links are left over, the patch is solved on records and all of its
 * links become fans: see fan.h.
 *
 * A Gauss-Seidel sweep in this order goes colour by colour within a patch. Sweeping row by row
 * converges slightly faster at many iterations, but diverges on large sheets with one pass a step;
 * this order never did. */
#ifndef WEFT_SCHEDULE_GROUP_H
#define WEFT_SCHEDULE_GROUP_H

#include <stdbool.h>

#include "schedule/order.h"
#include "tables/schedule.h"

/* Fills all of a schedule but the patch colours; its order must be set. False if out of memory; the
 * caller destroys the schedule. */
bool weft__group_links(weft__schedule* schedule, const weft__order* order,
                       const weft__links* links);

#endif
