#include <string.h>

#include "base/float_mode.h"
#include "scene/scene.h"
#include "step/step_size.h"
#include "world/world.h"

void weft__update_motion(weft_world* world) {
  weft__step_size size = weft__stepper_step_size(&world->stepper);
  weft__step_size_update_motion(&size);
  weft__wake_all(&world->stepper.stages);
}

static weft_result set_gravity(weft_world* world, const float* gravity) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(gravity == NULL, WEFT_ERROR_NULL, "gravity");
  WEFT__TRY(weft__check_magnitude(gravity, 3, 1, "gravity"));
  WEFT__TRY(weft__check_plane(world, gravity, "gravity"));
  weft__stepper* stepper = &world->stepper;
  memcpy(stepper->physics.gravity, gravity, sizeof(stepper->physics.gravity));
  for (uint32_t e = 0; e < stepper->schedule.environment_count; ++e) {
    memcpy(stepper->environments[e].gravity, gravity, sizeof(stepper->environments[e].gravity));
  }
  weft__update_motion(world);
  return weft__ok();
}

weft_result weft_world_set_gravity(weft_world* world, const float* gravity) {
  WEFT__RETURN_COMPUTED(set_gravity, world, gravity);
}

static weft_result set_damping(weft_world* world, float damping) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(WEFT__CHECK_AS(world, damping, &damping, "damping"));
  weft__stepper* stepper = &world->stepper;
  stepper->physics.damping = damping;
  for (uint32_t e = 0; e < stepper->schedule.environment_count; ++e) {
    stepper->environments[e].damping = damping;
  }
  weft__update_motion(world);
  return weft__ok();
}

weft_result weft_world_set_damping(weft_world* world, float damping) {
  WEFT__RETURN_COMPUTED(set_damping, world, damping);
}

static weft_result set_max_speed(weft_world* world, const float* max_speed) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(max_speed == NULL, WEFT_ERROR_NULL, "max_speed");
  WEFT__TRY(WEFT__CHECK_AS(world, max_speed, max_speed, "max_speed"));
  weft__set_max_speed(world, max_speed);
  weft__update_motion(world);
  return weft__ok();
}

weft_result weft_world_set_max_speed(weft_world* world, const float* max_speed) {
  WEFT__RETURN_COMPUTED(set_max_speed, world, max_speed);
}
