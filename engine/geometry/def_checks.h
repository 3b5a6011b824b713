#ifndef WEFT_GEOMETRY_DEF_CHECKS_H
#define WEFT_GEOMETRY_DEF_CHECKS_H

#include "base/fields.h"

/* Checks that weft_collider_def.points exist and are finite, and that their count is in range. */
weft_result weft__check_points(const weft_collider_def* def, uint32_t min_count,
                               uint32_t max_count);

/* Checks that `count` weft_collider_def.samples exist and are finite. */
weft_result weft__check_samples(const weft_collider_def* def, uint64_t count);

#endif
