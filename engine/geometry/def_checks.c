#include "geometry/def_checks.h"

#include <math.h>

static weft_result check_numbers(const float* numbers, uint64_t count, uint64_t width,
                                 const char* field) {
  for (uint64_t i = 0; i < count * width; ++i) {
    if (!isfinite(numbers[i])) return weft__fail_at(WEFT_ERROR_NOT_FINITE, field, i / width);
    const bool is_good = fabsf(numbers[i]) <= WEFT_MAX_MAGNITUDE;
    if (!is_good) return weft__fail_at(WEFT_ERROR_RANGE, field, i / width);
  }
  return weft__ok();
}

weft_result weft__check_points(const weft_collider_def* def, uint32_t min_count,
                               uint32_t max_count) {
  WEFT__TRY(WEFT__CHECK_FIELD(collider, def, point_count));
  WEFT__FAIL_IF(def->point_count > max_count, WEFT_ERROR_TOO_MANY, "weft_collider_def.point_count");
  WEFT__FAIL_IF(def->points == NULL, WEFT_ERROR_NULL, "weft_collider_def.points");
  WEFT__TRY(check_numbers(def->points, def->point_count, 3, "weft_collider_def.points"));
  WEFT__FAIL_IF(def->point_count < min_count, WEFT_ERROR_DEGENERATE, "weft_collider_def.points");
  return weft__ok();
}

weft_result weft__check_samples(const weft_collider_def* def, uint64_t count) {
  WEFT__FAIL_IF(def->samples == NULL, WEFT_ERROR_NULL, "weft_collider_def.samples");
  return check_numbers(def->samples, count, 1, "weft_collider_def.samples");
}
