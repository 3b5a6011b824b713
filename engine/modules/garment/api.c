#include <math.h>

#include "base/float_mode.h"
#include "modules/garment/skin.h"
#include "step/stage.h"
#include "world/ranges.h"
#include "world/world.h"

#define MAX_LIMIT 1e6f

weft_skin_limits weft_default_skin_limits(void) {
  return (weft_skin_limits){.max_distance = INFINITY};
}

static weft__skin* skin_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_SKIN];
}

static weft_result check_limits_of(const weft_skin_limits* limits) {
  if (limits->max_distance != INFINITY)
    WEFT__TRY(
        weft__check_range(limits->max_distance, 0.0f, MAX_LIMIT, "weft_skin_limits.max_distance"));
  WEFT__TRY(weft__check_range(limits->backstop_distance, 0.0f, MAX_LIMIT,
                              "weft_skin_limits.backstop_distance"));
  WEFT__TRY(weft__check_range(limits->backstop_radius, 0.0f, MAX_LIMIT,
                              "weft_skin_limits.backstop_radius"));
  return weft__check_range(limits->blend, 0.0f, 1.0f, "weft_skin_limits.blend");
}

static const weft_skin_limits* limits_at(const weft__array* array, uint32_t n) {
  const void* element = weft__array_at(array, n);
  return element;
}

static weft_result check_limits(const weft__array* array, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) {
    const weft_result result = check_limits_of(limits_at(array, n));
    if (result.error != WEFT_OK) return weft__fail_at(result.error, result.field, n);
  }
  return weft__ok();
}

static void set_limits_of(weft__skin* skin, uint32_t i, const weft_skin_limits* limits,
                          uint32_t substeps) {
  skin->max_distance[i] = limits->max_distance;
  skin->backstop_radius[i] = limits->backstop_radius;
  skin->backstop_offset[i] = limits->backstop_distance + limits->backstop_radius;
  skin->backstop_distance[i] = limits->backstop_distance;
  if (limits->blend == skin->blend[i]) return;
  skin->blend[i] = limits->blend;
  skin->kept[i] = weft__skin_kept(limits->blend, substeps);
}

static weft_result set_limits(weft_world* world, uint32_t first, uint32_t count,
                              const weft_skin_limits* limits, size_t stride) {
  const weft_skin_limits none = weft_default_skin_limits();
  const weft__array array =
      weft__array_of(limits == NULL ? &none : limits, limits == NULL ? WEFT_SAME : stride,
                     sizeof(none) / sizeof(float), "limits");
  WEFT__TRY(weft__check_array(world, first, count, &array));
  WEFT__TRY(check_limits(&array, count));
  weft__stepper* stepper = &world->stepper;
  weft__skin* skin = skin_of(world);
  if (count == 0 || (limits == NULL && !skin->on)) return weft__ok();
  WEFT__FAIL_IF(!weft__skin_create(skin, &stepper->particles), WEFT_ERROR_OUT_OF_MEMORY, "world");
  const uint32_t* solver_of = stepper->schedule.solver_of + first;
  for (uint32_t n = 0; n < count; ++n) {
    set_limits_of(skin, solver_of[n], limits_at(&array, n), stepper->settings.substeps);
  }
  weft__skin_update_uses(skin);
  weft__wake_range(world, first, count);
  return weft__ok();
}

weft_result weft_world_set_skin_limits(weft_world* world, uint32_t first, uint32_t count,
                                       const weft_skin_limits* limits, size_t stride) {
  WEFT__RETURN_COMPUTED(set_limits, world, first, count, limits, stride);
}

weft_result weft_world_get_skin_limits(const weft_world* world, uint32_t first, uint32_t count,
                                       weft_skin_limits* limits) {
  WEFT__TRY(weft__check_particles_read(world, first, count, limits, "limits"));
  const weft__skin* skin = skin_of(world);
  for (uint32_t n = 0; n < count; ++n) {
    limits[n] = weft_default_skin_limits();
    if (!skin->on) continue;
    const uint32_t i = world->stepper.schedule.solver_of[first + n];
    limits[n] = (weft_skin_limits){skin->max_distance[i], skin->backstop_distance[i],
                                   skin->backstop_radius[i], skin->blend[i]};
  }
  return weft__ok();
}

static void set_vector(const weft__skin_column* column, uint32_t i, const float value[3]) {
  for (int axis = 0; axis < 3; ++axis) column->axis[axis][i] = value[axis];
}

static void normalise(const float* value, float unit[3]) {
  const weft__vec3 normal = weft__vec3_of(value);
  const double length = weft__length(normal);
  const double scale = length > 0.0 ? 1.0 / length : 0.0;
  unit[0] = (float)(scale * normal.x);
  unit[1] = (float)(scale * normal.y);
  unit[2] = (float)(scale * normal.z);
}

static weft_result place_skin(weft_world* world, uint32_t first, uint32_t count,
                              const weft__array* positions, const weft__array* normals,
                              bool is_moved) {
  WEFT__TRY(weft__check_array(world, first, count, positions));
  WEFT__TRY(weft__check_vectors(world, positions, count));
  if (normals->data != NULL) {
    WEFT__TRY(weft__check_array(world, first, count, normals));
    WEFT__TRY(weft__check_vectors(world, normals, count));
  }
  weft__stepper* stepper = &world->stepper;
  weft__skin* skin = skin_of(world);
  if (count == 0) return weft__ok();
  WEFT__FAIL_IF(!weft__skin_create(skin, &stepper->particles), WEFT_ERROR_OUT_OF_MEMORY, "world");
  if (is_moved) weft__skin_begin_move(skin, stepper->particles.count);
  const uint32_t* solver_of = stepper->schedule.solver_of + first;
  for (uint32_t n = 0; n < count; ++n) {
    set_vector(&skin->end, solver_of[n], weft__array_at(positions, n));
    if (!is_moved) set_vector(&skin->begin, solver_of[n], weft__array_at(positions, n));
  }
  for (uint32_t n = 0; n < count && normals->data != NULL; ++n) {
    float unit[3];
    normalise(weft__array_at(normals, n), unit);
    set_vector(&skin->end_normal, solver_of[n], unit);
    if (!is_moved) set_vector(&skin->begin_normal, solver_of[n], unit);
  }
  weft__wake_range(world, first, count);
  return weft__ok();
}

static weft_result move_skin(weft_world* world, uint32_t first, uint32_t count,
                             const float* positions, size_t position_stride, const float* normals,
                             size_t normal_stride, bool is_moved) {
  const weft__array at = weft__array_of(positions, position_stride, 3, "positions");
  const weft__array along = weft__array_of(normals, normal_stride, 3, "normals");
  return place_skin(world, first, count, &at, &along, is_moved);
}

weft_result weft_world_move_skin(weft_world* world, uint32_t first, uint32_t count,
                                 const float* positions, size_t position_stride,
                                 const float* normals, size_t normal_stride) {
  WEFT__RETURN_COMPUTED(move_skin, world, first, count, positions, position_stride, normals,
                        normal_stride, true);
}

weft_result weft_world_set_skin(weft_world* world, uint32_t first, uint32_t count,
                                const float* positions, size_t position_stride,
                                const float* normals, size_t normal_stride) {
  WEFT__RETURN_COMPUTED(move_skin, world, first, count, positions, position_stride, normals,
                        normal_stride, false);
}

static void get_vector(const weft__skin_column* column, uint32_t i, float* value) {
  for (int axis = 0; axis < 3 && value != NULL; ++axis) value[axis] = column->axis[axis][i];
}

weft_result weft_world_get_skin(const weft_world* world, uint32_t first, uint32_t count,
                                float* positions, float* normals) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(weft__check_elements(first, count, world->stepper.particles.count));
  const weft__skin* skin = skin_of(world);
  WEFT__FAIL_IF(!skin->on && count > 0, WEFT_ERROR_EMPTY, "world");
  for (size_t n = 0; n < count; ++n) {
    const uint32_t i = world->stepper.schedule.solver_of[first + n];
    get_vector(&skin->end, i, positions == NULL ? NULL : positions + 3 * n);
    get_vector(&skin->end_normal, i, normals == NULL ? NULL : normals + 3 * n);
  }
  return weft__ok();
}
