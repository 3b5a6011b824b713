/* Groups hinges into runs and pieces, patch by patch; a hinge belongs to the patch of its second
 * particle, the middle one in a sheet.
 *
 * The order of a tile (schedule/order.h) makes runs of a sheet's hinges. Hinges across rows, sorted
 * by the distances of their particles and then by the first one, have three consecutive sequences
 * of particles. Along a row the middle particles are consecutive, but neighbours share the outer
 * ones: hinges at even and odd positions of the row are two buckets, whose outer particles
 * alternate in memory. The rest (the sheet's last odd column, sheets too narrow for disjoint
 * windows, all hinges of meshes) is coloured greedily, first fit, and solved on records, 16 hinges
 * of a colour at a time. */
#ifndef WEFT_SCHEDULE_HINGE_GROUP_H
#define WEFT_SCHEDULE_HINGE_GROUP_H

#include <stdbool.h>

#include "scene/scene.h"
#include "schedule/order.h"
#include "tables/schedule.h"

/* Fills the hinges of a schedule whose order is set; nothing if there are none. False if out of
 * memory; the caller destroys the schedule. */
bool weft__group_hinges(weft__schedule* schedule, const weft__order* order,
                        const weft__hinges* hinges);

#endif
