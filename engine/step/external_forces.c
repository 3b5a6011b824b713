#include "step/external_forces.h"

void weft__external_forces_prepare(weft__stepper* stepper) {
  weft__forces* forces = &stepper->forces;
  if (!weft__forces_act(forces)) return;
  const weft__schedule* schedule = &stepper->schedule;
  uint32_t active = 0;
  for (uint32_t g = 0; g < schedule->group_count; ++g) {
    active += (uint32_t)__builtin_popcount(schedule->lane_mask[g]);
  }
  forces->any_torn = active < schedule->link_count;
}

// barrier completion
static uint32_t update_pressures(void* context) {
  weft__pressures_update(context);
  return 0;
}

void weft__external_forces_begin(const weft__stepper* stepper, const weft__stage* stage) {
  const weft__forces* forces = &stepper->forces;
  if (!weft__forces_act(forces)) return;
  if (forces->pressures.count > 0) {
    weft__forces_measure_volumes(forces, stage);
    (void)weft__stage_decide(stage, update_pressures, (void*)&forces->pressures);
  }
  weft__forces_load_faces(forces, stage);
  weft__stage_barrier(stage);
  weft__forces_gather(forces, stage);
  weft__stage_barrier(stage);
}

void weft__external_forces_end(weft__stepper* stepper, bool is_first, const weft__stage* stage) {
  weft__forces* forces = &stepper->forces;
  if (!weft__forces_act(forces) && !(is_first && forces->has_added)) return;
  weft__forces_clear(stage);
  if (stage->worker == 0 && forces->air.is_there)
    weft__wind_drift(&forces->air, weft__forces_step_seconds(stage));
  weft__stage_barrier(stage);
}
