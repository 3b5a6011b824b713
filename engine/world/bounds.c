#include <math.h>
#include <string.h>

#include "base/float_mode.h"
#include "world/attributes.h"

// Finite walls beyond WEFT_MAX_MAGNITUDE are errors; infinite ones are open sides.
static bool is_too_far(float wall) {
  return isfinite(wall) && fabsf(wall) > WEFT_MAX_MAGNITUDE;
}

static weft_result check_bounds(const weft_bounds_def* bounds) {
  WEFT__TRY(weft__check_def(&weft__bounds_fields, bounds));
  for (uint64_t axis = 0; axis < 3; ++axis) {
    const float lower = bounds->lower[axis];
    const float upper = bounds->upper[axis];
    // a lower wall at +infinity leaves an empty box
    const bool is_empty = lower > upper || lower == INFINITY;
    if (is_empty) return weft__fail_at(WEFT_ERROR_RANGE, "weft_bounds_def.lower", axis);
    if (upper == -INFINITY) return weft__fail_at(WEFT_ERROR_RANGE, "weft_bounds_def.upper", axis);
    if (is_too_far(lower)) return weft__fail_at(WEFT_ERROR_RANGE, "weft_bounds_def.lower", axis);
    if (is_too_far(upper)) return weft__fail_at(WEFT_ERROR_RANGE, "weft_bounds_def.upper", axis);
  }
  return weft__ok();
}

bool weft__prepare_radii(weft_world* world) {
  weft__bounds* bounds = &world->stepper.bounds;
  const bool has_both = bounds->touch != NULL && world->stepper.contacts.materials.on;
  if (!has_both || bounds->radius_block != NULL) return true;
  if (!weft__bounds_add_radii(bounds)) return false;
  weft__load_radii(world, 0, world->stepper.particles.count);
  return true;
}

void weft__load_radii(weft_world* world, uint32_t first, uint32_t count) {
  const weft__bounds* bounds = &world->stepper.bounds;
  if (bounds->radius_block == NULL) return;
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t i = solver_of[n];
    const float* half_size = weft__material_of(&world->stepper.contacts.materials, i)->half_size;
    weft__store3(bounds->radius, i, half_size);
  }
}

// Walls across a plane would hold its particles nowhere.
static weft_result check_open_across_plane(const weft_bounds_def* bounds) {
  if (bounds->lower[2] > -INFINITY) {
    return weft__fail_at(WEFT_ERROR_RANGE, "weft_bounds_def.lower", 2);
  }
  if (bounds->upper[2] < INFINITY) {
    return weft__fail_at(WEFT_ERROR_RANGE, "weft_bounds_def.upper", 2);
  }
  return weft__ok();
}

static weft_result set_bounds(weft_world* world, const weft_bounds_def* bounds) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__bounds* set = &world->stepper.bounds;
  if (bounds == NULL) {
    set->on = false;
    weft__wake_all(&world->stepper.stages);
    weft__bounds_clear_contacts(set);
    return weft__ok();
  }
  WEFT__TRY(check_bounds(bounds));
  if (world->def.plane) WEFT__TRY(check_open_across_plane(bounds));
  WEFT__FAIL_IF(!weft__bounds_add_contacts(set) || !weft__prepare_radii(world),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  set->on = true;
  weft__wake_all(&world->stepper.stages);
  memcpy(set->lower, bounds->lower, sizeof(set->lower));
  memcpy(set->upper, bounds->upper, sizeof(set->upper));
  for (int axis = 0; axis < 3; ++axis) {
    set->middle[axis] = 0.5f * set->lower[axis] + 0.5f * set->upper[axis];
  }
  set->restitution = bounds->surface.restitution;
  set->static_friction = bounds->surface.static_friction;
  set->dynamic_friction = bounds->surface.dynamic_friction;
  return weft__ok();
}

weft_result weft_world_set_bounds(weft_world* world, const weft_bounds_def* bounds) {
  WEFT__RETURN_COMPUTED(set_bounds, world, bounds);
}

// -1, 0 or 1 for each axis of a particle in solver order.
static void get_contact(const weft__attribute_read* read, uint32_t i, void* value) {
  const weft__bounds* bounds = &read->world->stepper.bounds;
  int8_t* contact = value;
  memset(contact, 0, sizeof(int8_t[3]));
  for (int axis = 0; axis < 3 && bounds->touch != NULL; ++axis) {
    const weft__wall_contact* group = &bounds->touch[i / WEFT__LANES];
    const int at_lower = group->lower[axis] >> i % WEFT__LANES & 1;
    const int at_upper = group->upper[axis] >> i % WEFT__LANES & 1;
    contact[axis] = (int8_t)(at_upper - at_lower);
  }
}

const weft__attribute weft__bounds_contact_attribute = {
    .id = WEFT_ATTRIBUTE_BOUNDS_CONTACT,
    .size = sizeof(int8_t[3]),
    .item = sizeof(int8_t),
    .get = get_contact,
};
