/* A magnet: a point that pulls all particles. */
#ifndef MAGNET_H
#define MAGNET_H

#include "weft/weft.h"

/* Sets the magnet of a world. A particle at a distance d from the point, [3] in metres, accelerates
 * by strength / (d^2 + 0.01 m^2) towards it, strength in m^3/s^2, -1e6 to 1e6, 0 by default.
 *
 * Fails with WEFT_ERROR_NULL at "world" or "point", WEFT_ERROR_NOT_FINITE or WEFT_ERROR_RANGE at
 * "point" or "strength". */
WEFT_API weft_result weft_world_set_magnet(weft_world* world, const float point[3], float strength);

/* Strength and point, [3]. */
WEFT_API weft_result weft_world_get_magnet(const weft_world* world, float* point, float* strength);

#endif
