#include "forces/forces.h"

#include <string.h>

#include "base/grain_size.h"
#include "base/memory.h"
#include "forces/faces.h"
#include "kernels/kernels.h"

#define GROUP_GRAIN WEFT__GRAIN(64u, 1u)
#define END_GRAIN WEFT__GRAIN(256u, 4u)
#define CLEAR_GRAIN WEFT__GRAIN(16384u, 8u)

enum { AIRS = WEFT__GROUP(1) };

static const weft__column columns[] = {
    WEFT__MEMBER(weft__forces, any_torn),
    WEFT__MEMBER(weft__forces, has_added),
    WEFT__MEMBER(weft__forces, air),
    WEFT__MEMBER(weft__forces, has_airs),
    WEFT__COLUMN(weft__forces, airs, environment_count, AIRS | WEFT__STATE),
    WEFT__COLUMN(weft__forces, air_steps, environment_count, AIRS | WEFT__SCRATCH),
    WEFT__COLUMN(weft__forces, pressures.pressures, pressures.count, WEFT__STATE),
};

// Environments without a wind of their own have the world's.
static void share_air(void* table) {
  weft__forces* forces = table;
  const bool lacks = forces->airs != NULL && !forces->has_airs;
  for (uint32_t e = 0; lacks && e < forces->environment_count; ++e) forces->airs[e] = forces->air;
  forces->has_airs = forces->airs != NULL;
}

const weft__table weft__forces_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .loaded = share_air};

bool weft__forces_create(weft__forces* forces, const weft_scene* scene,
                         const weft__schedule* schedule, bool has_faces) {
  *forces =
      (weft__forces){.has_faces = has_faces, .environment_count = schedule->environment_count};
  if (!forces->has_faces) return true;
  return weft__faces_create(&forces->faces, scene, schedule) &&
         weft__link_drag_create(&forces->link_drag, &forces->faces, schedule) &&
         weft__pressures_create(&forces->pressures, scene, schedule) &&
         (scene->pressure_count == 0 || weft__forces_add_surface(forces, schedule));
}

bool weft__forces_add_surface(weft__forces* forces, const weft__schedule* schedule) {
  if (forces->stars.group_count > 0 || forces->faces.count == 0) return true;
  return weft__stars_create(&forces->stars, &forces->faces, schedule);
}

void weft__forces_destroy(weft__forces* forces) {
  weft__faces_destroy(&forces->faces);
  weft__stars_destroy(&forces->stars);
  weft__link_drag_destroy(&forces->link_drag);
  weft__pressures_destroy(&forces->pressures);
  weft__free(forces->airs);
  weft__free(forces->air_steps);
  *forces = (weft__forces){0};
}

bool weft__forces_add_airs(weft__forces* forces) {
  if (forces->airs != NULL) return true;
  if (!weft__columns_add(forces, &weft__forces_table, AIRS, &forces->bytes)) return false;
  share_air(forces);
  return true;
}

typedef struct range_args {
  const weft__forces* forces;
  weft__step_context* step;
  const weft__wind_step* air; /* the world's, or by environment */
} range_args;

// Last environment asked for, and its noise cache.
typedef struct local_air {
  weft__wind_step step;
  uint32_t environment; /* WEFT__NONE: not yet */
} local_air;

// NULL: none.
static weft__wind_step* air_at(const range_args* args, uint32_t particle, local_air* local) {
  const weft__forces* forces = args->forces;
  const uint32_t e =
      forces->airs == NULL ? 0 : weft__environment_of(args->step->schedule, particle);
  if (e != local->environment) local->step = args->air[e];
  local->environment = e;
  return local->step.air->is_there ? &local->step : NULL;
}

static uint32_t particle_at(const range_args* args, uint32_t group, uint32_t lane) {
  const uint32_t i = group * WEFT__LANES + lane, count = args->step->particles->count;
  return i < count ? i : count - 1;
}

static void fill_air(const range_args* args, uint32_t group, local_air* local, uint32_t lane,
                     weft__surface_load* load) {
  const uint32_t particle = particle_at(args, group, lane);
  weft__wind_step* air = air_at(args, particle, local);
  load->half_density[lane] = air == NULL ? 0.0f : air->half_density;
  load->unsteady_speed[lane] = air == NULL ? 0.0f : air->air->wind.unsteady_speed;
  float position[3], velocity[3] = {0};
  weft__load3(args->step->particles->pos, particle, position);
  if (air != NULL) weft__wind_velocity(air, position, velocity);
  for (int axis = 0; axis < 3; ++axis) load->air[axis][lane] = velocity[axis];
}

static void load_groups(void* context, weft__range groups, uint32_t worker) {
  (void)worker;
  const range_args* args = context;
  weft__particles* p = args->step->particles;
  const weft__stars* stars = &args->forces->stars;
  local_air local = {.environment = WEFT__NONE};
  weft__surface_load load = {.velocity_rate = (float)(1.0 / args->step->physics->last_h),
                             .step_rate = (float)(1.0 / weft__forces_step_seconds(args->step))};
  const bool air_varies = args->forces->airs != NULL || args->forces->air.wind.gust != 0.0f;
  bool has_air = false;
  for (uint32_t g = groups.begin; g < groups.end; ++g) {
    if (stars->first_row[g] == stars->first_row[g + 1]) continue;
    for (uint32_t lane = 0; lane < WEFT__LANES && !has_air; ++lane)
      fill_air(args, g, &local, lane, &load);
    has_air = !air_varies;
    args->step->kernels->load_air(p, stars, g, &load);
  }
}

static void load_ends(void* context, weft__range ends, uint32_t worker) {
  (void)worker;
  const range_args* args = context;
  const weft__step_context* step = args->step;
  const weft__link_drag* drag = &args->forces->link_drag;
  local_air local = {.environment = WEFT__NONE};
  for (uint32_t n = ends.begin; n < ends.end; ++n) {
    const uint32_t i = drag->particle[n];
    if (i < step->own.begin || i >= step->own.end) continue;
    weft__wind_step* wind = air_at(args, i, &local);
    if (wind == NULL) continue;
    weft__link_air air = {.half_density = wind->half_density,
                          .unsteady_speed = wind->air->wind.unsteady_speed,
                          .velocity_rate = (float)(1.0 / step->physics->last_h),
                          .step_rate = (float)(1.0 / weft__forces_step_seconds(step))};
    float position[3];
    weft__load3(step->particles->pos, i, position);
    weft__wind_velocity(wind, position, air.velocity);
    weft__link_drag_load(drag, n, &air, step->schedule, step->particles);
  }
}

static const weft__halo_read corners = {&weft__face_rows, &weft__particle_carried};
static const weft__halo_read other_ends = {&weft__link_drag_rows, &weft__particle_carried};

void weft__forces_load_air(weft__forces* forces, weft__step_context* step) {
  weft__domain_read(step->domain, &corners, step->particles);
  weft__stars_update(&forces->stars, &forces->faces, step->schedule);
  if (!forces->air.is_there) return;
  const weft__wind_step air = weft__wind_begin(&forces->air);
  range_args args = {forces, step, &air};
  for (uint32_t e = 0; forces->airs != NULL && e < forces->environment_count; ++e) {
    forces->air_steps[e] = weft__wind_begin(&forces->airs[e]);
    args.air = forces->air_steps;
  }
  if (forces->link_drag.count > 0) {
    weft__domain_read(step->domain, &other_ends, step->particles);
    const weft__range ends = {0, forces->link_drag.count};
    weft__step_for_range(step, ends, END_GRAIN, load_ends, &args);
  }
  if (forces->stars.group_count == 0) return;
  const weft__range groups = weft__step_blocks(step, WEFT__LANES);
  weft__step_for_range(step, groups, GROUP_GRAIN, load_groups, &args);
}

void weft__forces_load_gas(const weft__forces* forces, weft__step_context* step) {
  weft__pressures_load(&forces->pressures, &forces->faces, &forces->stars, forces->any_torn, step);
}

static void clear_range(void* context, weft__range range, uint32_t worker) {
  (void)worker;
  const range_args* args = context;
  const weft__pressures* pressures = &args->forces->pressures;
  const size_t bytes = (range.end - range.begin) * sizeof(float);
  for (int axis = 0; axis < 3; ++axis) {
    memset(args->step->particles->force[axis] + range.begin, 0, bytes);
    if (pressures->count > 0) memset(pressures->force[axis] + range.begin, 0, bytes);
  }
}

void weft__forces_clear(const weft__forces* forces, weft__step_context* step) {
  range_args args = {forces, step, NULL};
  weft__step_for(step, step->particles->count, CLEAR_GRAIN, clear_range, &args);
}
