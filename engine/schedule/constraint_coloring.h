/* Colours the constraints of each patch: the constraints of a batch share no particle, and are
 * solved 16 at a time, as lane groups. Links come first, then hinges.
 *
 * A patch's links are sorted into buckets of one direction and distance between their ends, and by
 * their lower end. Consecutive ones then have consecutive particles: a run, whose groups of sixteen
 * have two windows of particles. Windows of too few links do not pay, and windows may not overlap;
 * such links are left over. The order of a tile (schedule/order.h) makes runs of nearly all of a
 * sheet's links.
 *
 *     distance 5:  a = 0 1 2 3 4 . 6 7          one run, one lane empty
 *                  b = 5 6 7 8 9 . 11 12
 *
 * Links of one distance can form chains, a to a + d to a + 2d; these are split into two batches of
 * alternate links.
 *
 * Leftovers are coloured greedily, first fit (Fratarcangeli and Pellacini 2015, "Scalable
 * partitioning for parallel position based dynamics"), 16 of a colour a group. Links become indexed
 * groups, one batch a colour; if too many are left over, all of the patch's links become fans
 * (fan.h). Hinges become pieces (pieces.h).
 *
 * A sweep goes batch by batch within a patch: one direction of a lattice after the other,
 * structural links last. Directions in turn carry a correction along each by a link or two, and the
 * last batches end with no error; batches that mix the two diagonals leave up to twice the strain.
 * Rejected: row by row, which diverges on large sheets with one pass a step. */
#ifndef WEFT_SCHEDULE_CONSTRAINT_COLORING_H
#define WEFT_SCHEDULE_CONSTRAINT_COLORING_H

#include <stdbool.h>

#include "schedule/constraints.h"
#include "tables/schedule.h"

/* Columns of links, or of hinges, of a schedule whose order is set. The caller destroys it. */
bool weft__color_constraints(weft__schedule* schedule, const weft__constraints* constraints);

#endif
