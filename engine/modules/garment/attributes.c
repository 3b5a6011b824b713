/* Attributes of skinned positions and normals, and of the limits about them. */
#include <math.h>
#include <string.h>

#include "modules/garment/skin.h"
#include "step/stage.h"
#include "world/attributes.h"
#include "world/ranges.h"

#define MAX_LIMIT 1e6f

weft_skin_limits weft_default_skin_limits(void) {
  return (weft_skin_limits){.max_distance = INFINITY};
}

static weft__skin* skin_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_SKIN];
}

static weft_result create_skin(const weft_world* world) {
  WEFT__FAIL_IF(!weft__skin_create(skin_of(world), &world->stepper.particles),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

// ---- limits ----

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

static weft_result prepare_limits(const weft__attribute_write* write) {
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const weft_result result = check_limits_of(limits_at(&write->array, n));
    if (result.error != WEFT_OK) return weft__fail_at(result.error, result.field, n);
  }
  return create_skin(write->world);
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

static void set_limits(weft__attribute_write* write) {
  weft__skin* skin = skin_of(write->world);
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    set_limits_of(skin, weft__selected(&write->at, n), limits_at(&write->array, n),
                  write->world->stepper.settings.substeps);
  }
  weft__skin_update_uses(skin);
  weft__rouse_selected(write->world, &write->at, weft__wake_range);
}

static void get_limits(const weft__attribute_read* read, uint32_t i, void* value) {
  const weft__skin* skin = skin_of(read->world);
  weft_skin_limits limits = weft_default_skin_limits();
  if (skin->on) {
    limits = (weft_skin_limits){skin->max_distance[i], skin->backstop_distance[i],
                                skin->backstop_radius[i], skin->blend[i]};
  }
  memcpy(value, &limits, sizeof(limits));
}

// ---- skinned positions and normals ----

static weft_result check_skin(const weft_world* world) {
  WEFT__FAIL_IF(!skin_of(world)->on, WEFT_ERROR_EMPTY, "world");
  return weft__ok();
}

static weft_result prepare_vectors(const weft__attribute_write* write) {
  WEFT__TRY(weft__check_vectors(write->world, &write->array, write->at.count));
  return create_skin(write->world);
}

static void set_vector(const weft__skin_column* column, uint32_t i, const float value[3]) {
  for (int axis = 0; axis < 3; ++axis) column->axis[axis][i] = value[axis];
}

static void get_vector(const weft__skin_column* column, uint32_t i, float* value) {
  for (int axis = 0; axis < 3; ++axis) value[axis] = column->axis[axis][i];
}

static void normalise(const float* value, float unit[3]) {
  const weft__vec3 normal = weft__vec3_of(value);
  const double length = weft__length(normal);
  const double scale = length > 0.0 ? 1.0 / length : 0.0;
  unit[0] = (float)(scale * normal.x);
  unit[1] = (float)(scale * normal.y);
  unit[2] = (float)(scale * normal.z);
}

// Sets a column at the end of the next step, and `begin`, unless NULL, at once.
static void place(weft__attribute_write* write, const weft__skin_column* end,
                  const weft__skin_column* begin, bool is_normal) {
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    float unit[3];
    const float* value = weft__array_at(&write->array, n);
    if (is_normal) normalise(value, unit);
    if (is_normal) value = unit;
    set_vector(end, weft__selected(&write->at, n), value);
    if (begin != NULL) set_vector(begin, weft__selected(&write->at, n), value);
  }
  weft__rouse_selected(write->world, &write->at, weft__wake_range);
}

static void set_positions(weft__attribute_write* write) {
  const weft__skin* skin = skin_of(write->world);
  place(write, &skin->end, &skin->begin, false);
}

static void set_normals(weft__attribute_write* write) {
  const weft__skin* skin = skin_of(write->world);
  place(write, &skin->end_normal, &skin->begin_normal, true);
}

static void move_positions(weft__attribute_write* write) {
  weft__skin* skin = skin_of(write->world);
  weft__skin_begin_move(skin, write->world->stepper.particles.count);
  place(write, &skin->end, NULL, false);
}

static void move_normals(weft__attribute_write* write) {
  weft__skin* skin = skin_of(write->world);
  weft__skin_begin_move(skin, write->world->stepper.particles.count);
  place(write, &skin->end_normal, NULL, true);
}

static void get_position(const weft__attribute_read* read, uint32_t i, void* value) {
  const weft__skin* skin = skin_of(read->world);
  get_vector(skin->moves ? &skin->begin : &skin->end, i, value);
}

static void get_normal(const weft__attribute_read* read, uint32_t i, void* value) {
  const weft__skin* skin = skin_of(read->world);
  get_vector(skin->moves ? &skin->begin_normal : &skin->end_normal, i, value);
}

static void get_position_target(const weft__attribute_read* read, uint32_t i, void* value) {
  get_vector(&skin_of(read->world)->end, i, value);
}

static void get_normal_target(const weft__attribute_read* read, uint32_t i, void* value) {
  get_vector(&skin_of(read->world)->end_normal, i, value);
}

#define VECTOR(name, read, write)                                                                 \
  {                                                                                               \
    .id = WEFT_ATTRIBUTE_SKIN_##name, .size = sizeof(float[3]), .item = sizeof(float),            \
    .check = check_skin, .get = read, .is_set = true, .prepare = prepare_vectors, .apply = write, \
  }

const weft__attribute weft__skin_attributes[] = {
    {
        .id = WEFT_ATTRIBUTE_SKIN_LIMITS,
        .size = sizeof(weft_skin_limits),
        .item = sizeof(float),
        .get = get_limits,
        .is_set = true,
        .prepare = prepare_limits,
        .apply = set_limits,
    },
    VECTOR(POSITION, get_position, set_positions),
    VECTOR(NORMAL, get_normal, set_normals),
    VECTOR(POSITION_TARGET, get_position_target, move_positions),
    VECTOR(NORMAL_TARGET, get_normal_target, move_normals),
    {.size = 0},
};
