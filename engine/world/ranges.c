#include "world/ranges.h"

#include "base/check.h"
#include "base/grain_size.h"
#include "world/world.h"

// Particles of a piece of work: some ten microseconds, as they are scattered in memory.
#define GRAIN WEFT__GRAIN(2048u, 8u)

void weft__for_selection(weft__worker_pool* pool, const weft__selection* selection,
                         weft__range_task* task, void* context) {
  if (pool != NULL && selection->count > GRAIN) weft__worker_pool_begin(pool);
  weft__worker_pool_run_loop(pool, selection->count, GRAIN, task, "bulk", context);
}

bool weft__is_stride(size_t stride, size_t floats) {
  return stride == 0 || (stride % sizeof(float) == 0 && stride / sizeof(float) >= floats);
}

weft_result weft__check_elements(uint32_t first, uint32_t count, uint32_t total) {
  WEFT__FAIL_IF((uint64_t)first + count > total, WEFT_ERROR_INDEX, "first + count");
  return weft__ok();
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

const uint8_t weft__attribute_floats[WEFT_ATTRIBUTE_COUNT] = {
    [WEFT_ATTRIBUTE_POSITION] = 3,     [WEFT_ATTRIBUTE_VELOCITY] = 3, [WEFT_ATTRIBUTE_TARGET] = 3,
    [WEFT_ATTRIBUTE_INVERSE_MASS] = 1, [WEFT_ATTRIBUTE_FORCE] = 3,    [WEFT_ATTRIBUTE_NORMAL] = 3,
    [WEFT_ATTRIBUTE_TANGENT] = 4,
};

static weft_result check_arrays(const weft_bulk_def* def) {
  WEFT__FAIL_IF(def->arrays == NULL && def->array_count > 0, WEFT_ERROR_NULL,
                "weft_bulk_def.arrays");
  for (uint32_t k = 0; k < def->array_count; ++k) {
    const weft_attribute_array* array = &def->arrays[k];
    const uint32_t attribute = (uint32_t)array->attribute;
    if (attribute >= WEFT_ATTRIBUTE_COUNT)
      return weft__fail_at(WEFT_ERROR_RANGE, "weft_attribute_array.attribute", k);
    if (array->values == NULL && def->count > 0)
      return weft__fail_at(WEFT_ERROR_NULL, "weft_attribute_array.values", k);
    if (!weft__is_stride(array->stride, weft__attribute_floats[attribute]))
      return weft__fail_at(WEFT_ERROR_RANGE, "weft_attribute_array.stride", k);
  }
  return weft__ok();
}

weft_result weft__check_bulk(const weft_world* world, const weft_bulk_def* def,
                             weft__selection* at) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(weft__check_def(&weft__bulk_fields, def));
  const uint32_t total = world->stepper.particles.count;
  if (def->particles == NULL) WEFT__TRY(weft__check_elements(def->first, def->count, total));
  for (uint32_t n = 0; n < def->count && def->particles != NULL; ++n) {
    if (def->particles[n] >= total)
      return weft__fail_at(WEFT_ERROR_INDEX, "weft_bulk_def.particles", n);
  }
  *at =
      (weft__selection){world->stepper.schedule.solver_of, def->particles, def->first, def->count};
  return check_arrays(def);
}

weft_result weft__check_array_of(const weft_world* world, uint32_t first, uint32_t count,
                                 uint32_t total, const weft__array* array) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(array->data == NULL && count > 0, WEFT_ERROR_NULL, array->field);
  WEFT__TRY(weft__check_elements(first, count, total));
  WEFT__FAIL_IF(!weft__is_stride(array->stride, array->floats), WEFT_ERROR_RANGE, "stride");
  return weft__ok();
}

weft_result weft__check_array(const weft_world* world, uint32_t first, uint32_t count,
                              const weft__array* array) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  return weft__check_array_of(world, first, count, world->stepper.particles.count, array);
}

weft_result weft__check_array_magnitude(const weft__array* array, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const weft_result result =
        weft__check_magnitude(weft__array_at(array, i), array->floats, 1, array->field);
    if (result.error != WEFT_OK) return weft__fail_at(result.error, array->field, i);
  }
  return weft__ok();
}

weft_result weft__check_vectors(const weft_world* world, const weft__array* array, uint32_t count) {
  WEFT__TRY(weft__check_array_magnitude(array, count));
  for (uint32_t i = 0; i < count && world->def.plane; ++i) {
    if (weft__array_at(array, i)[2] != 0.0f)
      return weft__fail_at(WEFT_ERROR_RANGE, array->field, i);
  }
  return weft__ok();
}
