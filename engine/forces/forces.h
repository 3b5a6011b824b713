/* External forces besides gravity: the caller's and the air's, constant over a step, and gas, in
 * each substep; cleared at the end of a step.
 *
 *     air   once a step: drag on the vector area of each particle, drag on links without faces
 *     gas   once a substep: volumes of closed bodies, pressures, forces on vector areas
 *
 * Particles write only their own entries: sums do not depend on workers. */
#ifndef WEFT_FORCES_FORCES_H
#define WEFT_FORCES_FORCES_H

#include "forces/link_drag.h"
#include "forces/pressure.h"
#include "forces/wind.h"
#include "parallel/step_context.h"
#include "tables/stars.h"

typedef struct weft__forces {
  bool has_faces; /* not in a plane */
  weft__faces faces;
  weft__stars stars; /* with wind or pressure */
  weft__link_drag link_drag;
  weft__pressures pressures;
  weft__wind air;
  /* [environment_count]; NULL in worlds of one, or until an environment has its own */
  weft__wind* airs;
  weft__wind_step* air_steps; /* scratch [environment_count] */
  uint32_t environment_count;
  bool has_airs;
  bool any_torn;  /* so faces may be */
  bool has_added; /* by the caller, since the last step */
  size_t bytes;
} weft__forces;

extern const weft__table weft__forces_table;

/* `has_faces`: keeps faces, which closed bodies under pressure need. */
bool weft__forces_create(weft__forces* forces, const weft_scene* scene,
                         const weft__schedule* schedule, bool has_faces);

/* Tables of the surface, which wind and pressure have. False if out of memory. */
bool weft__forces_add_surface(weft__forces* forces, const weft__schedule* schedule);

void weft__forces_destroy(weft__forces* forces);

/* Starts as the world's wind, unless it exists. */
bool weft__forces_add_airs(weft__forces* forces);

/* Wind or pressure act; `air` is there if an environment's is. */
static inline bool weft__forces_act(const weft__forces* forces) {
  return forces->air.is_there || forces->pressures.count > 0;
}

static inline double weft__forces_step_seconds(const weft__step_context* step) {
  return step->physics->h * (double)step->substeps;
}

void weft__forces_load_air(weft__forces* forces, weft__step_context* step);
void weft__forces_load_gas(const weft__forces* forces, weft__step_context* step);

void weft__forces_clear(const weft__forces* forces, weft__step_context* step);

#endif
