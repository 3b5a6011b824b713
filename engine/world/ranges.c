#include "world/ranges.h"

#include "base/check.h"
#include "world/world.h"

bool weft__is_stride(size_t stride, size_t floats) {
  return stride == 0 || (stride % sizeof(float) == 0 && stride / sizeof(float) >= floats);
}

weft_result weft__check_particles_read(const weft_world* world, uint32_t first, uint32_t count,
                                       const void* array, const char* field) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(array == NULL && count > 0, WEFT_ERROR_NULL, field);
  return weft__check_elements(first, count, world->stepper.particles.count);
}

weft_result weft__check_links_read(const weft_world* world, uint32_t first, uint32_t count,
                                   const void* array, const char* field) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(array == NULL && count > 0, WEFT_ERROR_NULL, field);
  return weft__check_elements(first, count, world->stepper.schedule.links.link_count);
}

weft_result weft__check_array_magnitude(const weft__array* array, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (array->mask != NULL && !array->mask[i]) continue;
    const weft_result result =
        weft__check_magnitude(weft__array_at(array, i), array->floats, 1, array->field);
    if (result.error != WEFT_OK) return weft__fail_at(result.error, array->field, i);
  }
  return weft__ok();
}

weft_result weft__check_vectors(const weft_world* world, const weft__array* array, uint32_t count) {
  WEFT__TRY(weft__check_array_magnitude(array, count));
  for (uint32_t i = 0; i < count && world->def.plane; ++i) {
    if (array->mask != NULL && !array->mask[i]) continue;
    if (weft__array_at(array, i)[2] != 0.0f)
      return weft__fail_at(WEFT_ERROR_RANGE, array->field, i);
  }
  return weft__ok();
}
