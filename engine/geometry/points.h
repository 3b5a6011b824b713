/* What the checks of hulls and meshes have in common. */
#ifndef WEFT_GEOMETRY_POINTS_H
#define WEFT_GEOMETRY_POINTS_H

#include "base/result.h"

/* Whether weft_collider_def.points are there and finite, and their count within bounds. */
weft_result weft__check_points(const weft_collider_def* def, uint32_t least, uint32_t most);

/* Whether so many numbers of weft_collider_def.samples are there and finite. */
weft_result weft__check_samples(const weft_collider_def* def, uint64_t count);

/* Whether weft_collider_def.spacing, and size[axis], are within bounds. */
weft_result weft__check_spacing(const weft_collider_def* def);
weft_result weft__check_size(const weft_collider_def* def, int axis);

#endif
