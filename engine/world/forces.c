#include "base/float_mode.h"
#include "world/world.h"

static void set_air(weft__wind* air, const weft_wind_def* wind) {
  air->is_there = wind != NULL;
  if (wind != NULL) air->wind = *wind;
}

weft_result weft__set_winds(weft_world* world, const weft__selection* at,
                            const weft_wind_def* wind) {
  weft__forces* forces = &world->stepper.forces;
  const bool is_range = at->list == NULL && at->mask == NULL;
  const bool is_all = is_range && at->count == forces->environment_count;
  if (wind != NULL) {
    WEFT__TRY(weft__check_def(&weft__wind_fields, wind));
    WEFT__FAIL_IF(!forces->has_faces, WEFT_ERROR_DISABLED, "weft_world_def.plane");
    WEFT__FAIL_IF(!weft__particles_add_forces(&world->stepper.particles) ||
                      !weft__forces_add_surface(forces, &world->stepper.schedule),
                  WEFT_ERROR_OUT_OF_MEMORY, "world");
  }
  WEFT__FAIL_IF(!is_all && !weft__forces_add_airs(forces), WEFT_ERROR_OUT_OF_MEMORY, "world");
  weft__wake_all(&world->stepper.stages);
  if (is_all) set_air(&forces->air, wind);
  if (forces->airs == NULL) return weft__ok();
  for (uint32_t n = 0; n < at->count; ++n) {
    if (weft__selects(at, n)) set_air(&forces->airs[weft__selected(at, n)], wind);
  }
  forces->air.is_there = false;
  for (uint32_t e = 0; e < forces->environment_count; ++e) {
    forces->air.is_there |= forces->airs[e].is_there;
  }
  return weft__ok();
}

static weft_result set_wind(weft_world* world, const weft_wind_def* wind) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  const weft__selection all = {.count = world->stepper.schedule.environment_count};
  return weft__set_winds(world, &all, wind);
}

weft_result weft_world_set_wind(weft_world* world, const weft_wind_def* wind) {
  WEFT__RETURN_COMPUTED(set_wind, world, wind);
}

weft_result weft_world_get_faces(const weft_world* world, uint32_t capacity, uint32_t* triangles,
                                 uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(triangles == NULL && capacity > 0, WEFT_ERROR_NULL, "triangles");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  const weft__stepper* stepper = &world->stepper;
  WEFT__FAIL_IF(!stepper->forces.has_faces, WEFT_ERROR_DISABLED, "weft_world_def.plane");
  const weft__faces* faces = &stepper->forces.faces;
  uint32_t listed = 0;
  for (uint32_t f = 0; f < faces->count; ++f) {
    if (weft__face_is_torn(faces, &stepper->schedule, f)) continue;
    if (listed < capacity) {
      for (int k = 0; k < 3; ++k) {
        triangles[3 * (size_t)listed + (size_t)k] = stepper->schedule.user_of[faces->corner[f][k]];
      }
    }
    ++listed;
  }
  *count = listed;
  return weft__ok();
}
