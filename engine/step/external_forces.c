#include "step/external_forces.h"

#include "step/profile.h"

// Metres, of particles that are no bodies.
static float radius_of(const weft__materials* materials, uint32_t particle) {
  if (!materials->on || materials->of[particle] == 0) return 0.0f;
  const weft__material* material = weft__material_of(materials, particle);
  const bool is_body =
      material->shape != WEFT_PARTICLE_SHAPE_POINT && material->shape != WEFT_PARTICLE_SHAPE_CLOTH;
  return is_body ? 0.0f : material->half_size[0];
}

void weft__external_forces_prepare(weft__forces* forces, const weft__schedule* schedule,
                                   const weft__materials* materials) {
  if (!weft__forces_act(forces)) return;
  forces->any_torn = weft__links_any_gone(&schedule->links);
  const weft__link_drag* drag = &forces->link_drag;
  for (uint32_t n = 0; n < drag->count; ++n)
    drag->radius[n] = radius_of(materials, drag->particle[n]);
}

void weft__external_forces_begin(weft__forces* forces, weft__step_context* step) {
  if (weft__forces_act(forces)) weft__forces_load_air(forces, step);
}

void weft__external_forces_begin_substep(const weft__forces* forces, weft__step_context* step) {
  if (forces->pressures.count == 0) return;
  weft__profile_begin_stage(step->profile, WEFT_STAGE_FORCES);
  weft__forces_load_gas(forces, step);
}

void weft__external_forces_end(weft__forces* forces, weft__step_context* step) {
  if (!weft__forces_act(forces) && !forces->has_added) return;
  forces->has_added = false;
  weft__forces_clear(forces, step);
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
