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

static weft__force_stage stage_of(const weft__stepper* stepper, uint32_t worker) {
  const weft__forces* forces = &stepper->forces;
  return (weft__force_stage){
      .particles = &stepper->particles,
      .schedule = &stepper->schedule,
      .last_h = stepper->physics.last_h,
      .step_seconds = stepper->physics.h * (double)stepper->substeps,
      .any_torn = forces->any_torn || stepper->torn_count > 0,
      .worker = worker,
      .worker_count = weft__worker_pool_count(stepper->pool),
  };
}

// barrier completion
static uint32_t update_pressures(void* context) {
  weft__pressures_update(context);
  return 0;
}

void weft__external_forces_begin(const weft__stepper* stepper, uint32_t worker) {
  const weft__forces* forces = &stepper->forces;
  if (!weft__forces_act(forces)) return;
  const weft__force_stage stage = stage_of(stepper, worker);
  if (forces->pressures.count > 0) {
    weft__forces_measure_volumes(forces, &stage);
    (void)weft__worker_pool_decide(stepper->pool, update_pressures, (void*)&forces->pressures);
  }
  weft__forces_load_faces(forces, &stage);
  weft__worker_pool_barrier(stepper->pool);
  weft__forces_gather(forces, &stage);
  weft__worker_pool_barrier(stepper->pool);
}

void weft__external_forces_end(weft__stepper* stepper, bool is_first, uint32_t worker) {
  weft__forces* forces = &stepper->forces;
  if (!weft__forces_act(forces) && !(is_first && forces->has_added)) return;
  const weft__force_stage stage = stage_of(stepper, worker);
  weft__forces_clear(&stage);
  if (worker == 0 && forces->air.is_there) weft__wind_drift(&forces->air, stage.step_seconds);
  weft__worker_pool_barrier(stepper->pool);
}
