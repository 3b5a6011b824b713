#ifndef WEFT_BASE_CHECK_H
#define WEFT_BASE_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "base/fields.h"

/* Difference of a direction's length from 1. */
#define WEFT__UNIT_TOLERANCE 1e-3f

/* Finite and within [lower, upper]. */
weft_result weft__check_range(float value, float lower, float upper, const char* field);

weft_result weft__check_positive(float value, const char* field);

/* [count] floats, all finite; the error's index is the first bad one's, divided by `stride`. */
weft_result weft__check_finite(const float* values, size_t count, size_t stride, const char* field);

/* Finite and within WEFT_MAX_MAGNITUDE; the index as above. */
weft_result weft__check_magnitude(const float* values, size_t count, size_t stride,
                                  const char* field);

weft_result weft__check_direction(const float direction[3], const char* field);

weft_result weft__check_rotation(const float rotation[4], const char* field);

/* 0, or within WEFT_MIN_INVERSE_MASS and WEFT_MAX_INVERSE_MASS. */
weft_error weft__check_inverse_mass(float value);

#endif
