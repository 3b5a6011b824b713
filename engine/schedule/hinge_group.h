/* Hinges into runs and pieces, patch by patch; a hinge belongs to the patch of its second particle, the
 * middle one of a sheet's.
 *
 * The order of a tile, see schedule/order.h, makes runs of a sheet's hinges. Those across rows, sorted by how
 * far their particles lie apart and then by the first one, have all three particles consecutive. Along a
 * row the middle ones are consecutive, but the outer ones are shared by neighbours: hinges of even and of
 * odd place in the row are two buckets, whose outer particles take turns in memory. What makes no good
 * window - the sheet's last odd column, sheets too narrow for windows that lie apart, and all hinges of
 * meshes - is coloured greedily, first fit, and solved on records, 16 hinges of a colour at a time. */
#ifndef WEFT_SCHEDULE_HINGE_GROUP_H
#define WEFT_SCHEDULE_HINGE_GROUP_H

#include <stdbool.h>

#include "scene/scene.h"
#include "schedule/order.h"
#include "tables/schedule.h"

/* Fills the hinges of a schedule whose order stands; nothing where there are none. False when memory cannot
 * be had; the caller destroys the schedule. */
bool weft__group_hinges(weft__schedule* schedule, const weft__order* order,
                        const weft__hinges* hinges);

#endif
