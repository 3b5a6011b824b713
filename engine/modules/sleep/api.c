#include <string.h>

#include "modules/sleep/sleep.h"
#include "step/attribute.h"
#include "world/world.h"

static weft__sleep* sleep_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_SLEEP];
}

// ---- WEFT_ATTRIBUTE_ASLEEP ----

static void get_asleep(const weft__attribute_read* read, uint32_t i, void* value) {
  const bool is_asleep = weft__sleep_holds(sleep_of(read->world), i);
  memcpy(value, &is_asleep, sizeof(is_asleep));
}

static weft_result prepare_asleep(const weft__attribute_write* write) {
  if (weft__sleep_is_on(sleep_of(write->world))) return weft__ok();
  for (uint32_t n = 0; n < write->at.count; ++n) {
    const bool is_put = weft__selects(&write->at, n) && weft__flag_at(&write->array, n);
    WEFT__FAIL_IF(is_put, WEFT_ERROR_DISABLED, "weft_world_def.sleep_speed");
  }
  return weft__ok();
}

static void set_asleep(weft__attribute_write* write) {
  weft_world* world = write->world;
  for (uint32_t n = 0; n < write->at.count && weft__sleep_is_on(sleep_of(world)); ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const uint32_t i = weft__selected(&write->at, n);
    if (weft__flag_at(&write->array, n)) {
      weft__sleep_put(sleep_of(world), i);
    } else {
      weft__wake(&world->stepper.stages, i);
    }
  }
}

const weft__attribute weft__sleep_attributes[] = {
    {
        .id = WEFT_ATTRIBUTE_ASLEEP,
        .size = sizeof(bool),
        .item = sizeof(bool),
        .get = get_asleep,
        .is_set = true,
        .prepare = prepare_asleep,
        .apply = set_asleep,
    },
    {.size = 0},
};

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
