#include "forces/forces.h"

#include <string.h>

#include "base/grain_size.h"
#include "base/memory.h"
#include "forces/faces.h"
#include "kernels/kernels.h"

#define GROUP_GRAIN WEFT__GRAIN(64u, 1u)
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
  const weft__wind_step* air; /* the world's, or by environment; NULL without wind */
} range_args;

static void measure_blocks(void* context, weft__range blocks, uint32_t worker) {
  (void)worker;
  const range_args* args = context;
  const weft__step_context* step = args->step;
  for (uint32_t b = blocks.begin; b < blocks.end; ++b) {
    weft__pressure_measure(&args->forces->pressures, b, &args->forces->faces, step->particles,
                           step->schedule, args->forces->any_torn);
  }
}

void weft__forces_measure_volumes(const weft__forces* forces, weft__step_context* step) {
  range_args args = {forces, step, NULL};
  weft__domain_read(step->domain, &weft__pressure_read, step->particles);
  weft__step_for(step, forces->pressures.block_count, 1, measure_blocks, &args);
}

// Last environment asked for, and its noise cache.
typedef struct local_air {
  weft__wind_step step;
  uint32_t environment; /* WEFT__NONE: not yet */
} local_air;

// NULL: none.
static weft__wind_step* air_at(const range_args* args, uint32_t particle, local_air* local) {
  const weft__forces* forces = args->forces;
  if (args->air == NULL) return NULL;
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

static void fill_gauge(const range_args* args, uint32_t group, weft__surface_load* load) {
  const weft__pressures* pressures = &args->forces->pressures;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    const uint32_t body = pressures->body_of[particle_at(args, group, lane)];
    load->gauge[lane] = body == WEFT__NONE ? 0.0f : pressures->pressures[body].pressure_now;
  }
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
  const weft__pressures* pressures = &args->forces->pressures;
  const bool air_varies = args->forces->airs != NULL || args->forces->air.wind.gust != 0.0f;
  bool has_air = false, had_gas = false;
  for (uint32_t g = groups.begin; g < groups.end; ++g) {
    const bool has_gas = pressures->count > 0 && pressures->has_gas[g];
    if (stars->first_row[g] == stars->first_row[g + 1] || !(has_gas || args->air != NULL)) continue;
    if (has_gas) fill_gauge(args, g, &load);
    if (!has_gas && had_gas) memset(load.gauge, 0, sizeof(load.gauge));
    had_gas = has_gas;
    for (uint32_t lane = 0; lane < WEFT__LANES && !has_air; ++lane)
      fill_air(args, g, &local, lane, &load);
    has_air = !air_varies;
    args->step->kernels->load_surface(p, stars, g, &load);
  }
}

static const weft__halo_read corners = {&weft__face_rows, &weft__particle_carried};

void weft__forces_load_surface(weft__forces* forces, weft__step_context* step) {
  weft__domain_read(step->domain, &corners, step->particles);
  weft__stars_update(&forces->stars, &forces->faces, step->schedule);
  weft__wind_step air = {0};
  range_args args = {forces, step, NULL};
  if (forces->air.is_there && forces->airs == NULL) {
    air = weft__wind_begin(&forces->air);
    args.air = &air;
  } else if (forces->air.is_there) {
    for (uint32_t e = 0; e < forces->environment_count; ++e) {
      forces->air_steps[e] = weft__wind_begin(&forces->airs[e]);
    }
    args.air = forces->air_steps;
  }
  if (forces->stars.group_count == 0) return;
  const weft__range groups = {step->own.begin / WEFT__LANES,
                              (step->own.end + WEFT__LANES - 1) / WEFT__LANES};
  weft__step_for_range(step, groups, GROUP_GRAIN, load_groups, &args);
}

static void clear_range(void* context, weft__range range, uint32_t worker) {
  (void)worker;
  weft__particles* p = context;
  const size_t bytes = (range.end - range.begin) * sizeof(float);
  for (int axis = 0; axis < 3; ++axis) memset(p->force[axis] + range.begin, 0, bytes);
}

void weft__forces_clear(weft__step_context* step) {
  weft__step_for(step, step->particles->count, CLEAR_GRAIN, clear_range, step->particles);
}
