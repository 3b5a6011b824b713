#include "step/external_forces.h"

void weft__external_forces_prepare(weft__forces* forces, const weft__schedule* schedule) {
  if (weft__forces_act(forces)) forces->any_torn = weft__links_any_gone(&schedule->links);
}

void weft__external_forces_begin(weft__forces* forces, weft__step_context* step) {
  if (!weft__forces_act(forces)) return;
  if (forces->pressures.count > 0) {
    weft__forces_measure_volumes(forces, step);
    weft__pressures_update(&forces->pressures);
  }
  weft__forces_load_surface(forces, step);
}

void weft__external_forces_end(weft__forces* forces, weft__step_context* step) {
  if (!weft__forces_act(forces) && !forces->has_added) return;
  forces->has_added = false;
  weft__forces_clear(step);
  weft__external_forces_skip(forces, step);
}

void weft__external_forces_skip(weft__forces* forces, const weft__step_context* step) {
  if (!forces->air.is_there) return;
  const double seconds = weft__forces_step_seconds(step);
  weft__wind_drift(&forces->air, seconds);
  for (uint32_t e = 0; forces->airs != NULL && e < forces->environment_count; ++e) {
    if (forces->airs[e].is_there && !step->environments[e].is_paused) {
      weft__wind_drift(&forces->airs[e], seconds);
    }
  }
}
