#include "modules/sleep/sleep.h"
#include "world/ranges.h"
#include "world/world.h"

static weft__sleep* sleep_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_SLEEP];
}

weft_result weft_world_wake(weft_world* world, uint32_t first, uint32_t count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(weft__check_elements(first, count, world->stepper.particles.count));
  weft__wake_range(world, first, count);
  return weft__ok();
}

weft_result weft_world_put_to_sleep(weft_world* world, uint32_t first, uint32_t count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(weft__check_elements(first, count, world->stepper.particles.count));
  WEFT__FAIL_IF(!weft__sleep_is_on(sleep_of(world)), WEFT_ERROR_DISABLED,
                "weft_world_def.sleep_speed");
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  for (uint32_t n = 0; n < count; ++n) weft__sleep_put(sleep_of(world), solver_of[n]);
  return weft__ok();
}

weft_result weft_world_get_asleep(const weft_world* world, uint32_t first, uint32_t count,
                                  bool* asleep) {
  WEFT__TRY(weft__check_particles_read(world, first, count, asleep, "asleep"));
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  for (uint32_t n = 0; n < count; ++n) {
    asleep[n] = weft__sleep_holds(sleep_of(world), solver_of[n]);
  }
  return weft__ok();
}

weft_result weft_world_get_sleep_stats(const weft_world* world, weft_sleep_stats* stats) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(stats == NULL, WEFT_ERROR_NULL, "stats");
  const weft__sleep* sleep = sleep_of(world);
  *stats = (weft_sleep_stats){
      .component_count = sleep->component_count,
      .sleeping_components = sleep->sleeping_components,
      .sleeping_particles = sleep->sleeping_particles,
      .fell_asleep = sleep->fell_asleep,
      .woke_up = sleep->woke_up,
      .skipped_steps = sleep->skipped_steps,
  };
  return weft__ok();
}
