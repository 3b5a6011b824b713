#include "base/check.h"

#include <math.h>

#include "base/result.h"

weft_result weft__check_range(float value, float lower, float upper, const char* field) {
  WEFT__FAIL_IF(!isfinite(value), WEFT_ERROR_NOT_FINITE, field);
  WEFT__FAIL_IF(value < lower || value > upper, WEFT_ERROR_RANGE, field);
  return weft__ok();
}

weft_result weft__check_positive(float value, const char* field) {
  WEFT__FAIL_IF(!isfinite(value), WEFT_ERROR_NOT_FINITE, field);
  WEFT__FAIL_IF(value <= 0.0f, WEFT_ERROR_RANGE, field);
  return weft__ok();
}

weft_result weft__check_finite(const float* values, size_t count, size_t stride,
                               const char* field) {
  for (size_t i = 0; i < count; ++i) {
    if (!isfinite(values[i])) return weft__fail_at(WEFT_ERROR_NOT_FINITE, field, i / stride);
  }
  return weft__ok();
}

weft_result weft__check_magnitude(const float* values, size_t count, size_t stride,
                                  const char* field) {
  for (size_t i = 0; i < count; ++i) {
    const weft_result result =
        weft__check_range(values[i], -WEFT_MAX_MAGNITUDE, WEFT_MAX_MAGNITUDE, field);
    if (result.error != WEFT_OK) return weft__fail_at(result.error, field, i / stride);
  }
  return weft__ok();
}

weft_result weft__check_direction(const float direction[3], const char* field) {
  WEFT__TRY(weft__check_finite(direction, 3, 1, field));
  const float length = sqrtf(direction[0] * direction[0] + direction[1] * direction[1] +
                             direction[2] * direction[2]);
  WEFT__FAIL_IF(!(fabsf(length - 1.0f) <= WEFT__UNIT_TOLERANCE), WEFT_ERROR_RANGE, field);
  return weft__ok();
}

weft_result weft__check_rotation(const float rotation[4], const char* field) {
  WEFT__TRY(weft__check_finite(rotation, 4, 1, field));
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) sum += (double)rotation[k] * (double)rotation[k];
  WEFT__FAIL_IF(!(fabs(sqrt(sum) - 1.0) <= (double)WEFT__UNIT_TOLERANCE), WEFT_ERROR_RANGE, field);
  return weft__ok();
}

weft_error weft__check_inverse_mass(float value) {
  if (!isfinite(value)) return WEFT_ERROR_NOT_FINITE;
  if (value == 0.0f) return WEFT_OK;
  const bool in_range = value >= WEFT_MIN_INVERSE_MASS && value <= WEFT_MAX_INVERSE_MASS;
  return in_range ? WEFT_OK : WEFT_ERROR_RANGE;
}
