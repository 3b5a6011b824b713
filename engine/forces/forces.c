#include "forces/forces.h"

#include <string.h>

#include "base/grain_size.h"
#include "base/memory.h"
#include "forces/faces.h"

#define GATHER_GRAIN WEFT__GRAIN(1024u, 8u)
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
         (scene->pressure_count == 0 || weft__forces_add_pushes(forces));
}

bool weft__forces_add_pushes(weft__forces* forces) {
  weft__faces* faces = &forces->faces;
  if (faces->push != NULL || faces->count == 0) return true;
  faces->push = weft__alloc(faces->count, sizeof(*faces->push));
  if (faces->push == NULL) return false;
  faces->bytes += faces->count * sizeof(*faces->push);
  return true;
}

void weft__forces_destroy(weft__forces* forces) {
  weft__faces_destroy(&forces->faces);
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

static void compute_area(float position[3][3], float area[3]) {
  float u[3];
  float v[3];
  for (int axis = 0; axis < 3; ++axis) {
    u[axis] = position[1][axis] - position[0][axis];
    v[axis] = position[2][axis] - position[0][axis];
  }
  area[0] = 0.5f * (u[1] * v[2] - u[2] * v[1]);
  area[1] = 0.5f * (u[2] * v[0] - u[0] * v[2]);
  area[2] = 0.5f * (u[0] * v[1] - u[1] * v[0]);
}

static void compute_motion(const weft__forces* forces, const weft__step_context* step,
                           uint32_t face, float position[3][3], weft__wind_face* sail) {
  const weft__particles* p = step->particles;
  const float rate = (float)(1.0 / step->physics->last_h);
  float velocity[3][3];
  sail->give = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const uint32_t i = forces->faces.corner[face][k];
    weft__particles_velocity(p, i, rate, velocity[k]);
    sail->give += p->inv_mass[i] * (float)weft__face_count_of(&forces->faces, i);
  }
  for (int axis = 0; axis < 3; ++axis) {
    sail->center[axis] = (position[0][axis] + position[1][axis] + position[2][axis]) / 3.0f;
    sail->velocity[axis] = (velocity[0][axis] + velocity[1][axis] + velocity[2][axis]) / 3.0f;
  }
}

// `air` may be NULL.
static void load_face(const weft__forces* forces, const weft__step_context* step, uint32_t face,
                      float pressure, weft__wind_step* air) {
  const weft__particles* p = step->particles;
  float position[3][3];
  weft__wind_face sail = {0};
  for (int k = 0; k < 3; ++k) weft__load3(p->pos, forces->faces.corner[face][k], position[k]);
  compute_area(position, sail.area);
  float* push = forces->faces.push[face];
  for (int axis = 0; axis < 3; ++axis) push[axis] = pressure / 3.0f * sail.area[axis];
  if (air == NULL) return;
  compute_motion(forces, step, face, position, &sail);
  weft__wind_add_drag(air, &sail, push);
}

// Last environment asked for, and its noise cache.
typedef struct local_air {
  weft__wind_step step;
  uint32_t environment; /* WEFT__NONE: not yet */
} local_air;

// NULL: none.
static weft__wind_step* air_at(const range_args* args, uint32_t face, local_air* local) {
  const weft__forces* forces = args->forces;
  if (args->air == NULL) return NULL;
  const uint32_t e = forces->airs == NULL ? 0
                                          : weft__environment_of(args->step->schedule,
                                                                 forces->faces.corner[face][0]);
  if (e != local->environment) local->step = args->air[e];
  local->environment = e;
  return local->step.air->is_there ? &local->step : NULL;
}

static void load_block(const range_args* args, const weft__face_block* block, local_air* local) {
  const weft__forces* forces = args->forces;
  const float pressure =
      block->body == WEFT__NONE ? 0.0f : forces->pressures.pressures[block->body].pressure_now;
  for (uint32_t f = block->first; f < block->end; ++f) {
    if (forces->any_torn && weft__face_is_torn(&forces->faces, args->step->schedule, f)) {
      memset(forces->faces.push[f], 0, sizeof(*forces->faces.push));
    } else {
      load_face(forces, args->step, f, pressure, air_at(args, f, local));
    }
  }
}

static void load_blocks(void* context, weft__range blocks, uint32_t worker) {
  (void)worker;
  const range_args* args = context;
  local_air local = {.environment = WEFT__NONE};
  for (uint32_t b = blocks.begin; b < blocks.end; ++b) {
    const weft__face_block* block = &args->forces->pressures.blocks[b];
    if (args->air == NULL && block->body == WEFT__NONE) continue;
    load_block(args, block, &local);
  }
}

static const weft__halo_read corners = {&weft__face_rows, &weft__particle_carried};

void weft__forces_load_faces(const weft__forces* forces, weft__step_context* step) {
  weft__domain_read(step->domain, &corners, step->particles);
  const double seconds = weft__forces_step_seconds(step);
  weft__wind_step air = {0};
  range_args args = {forces, step, NULL};
  if (forces->air.is_there && forces->airs == NULL) {
    air = weft__wind_begin(&forces->air, seconds);
    args.air = &air;
  } else if (forces->air.is_there) {
    for (uint32_t e = 0; e < forces->environment_count; ++e) {
      forces->air_steps[e] = weft__wind_begin(&forces->airs[e], seconds);
    }
    args.air = forces->air_steps;
  }
  weft__step_for(step, forces->pressures.block_count, 1, load_blocks, &args);
}

static void gather_particle(const weft__forces* forces, weft__particles* p, uint32_t i) {
  const weft__faces* faces = &forces->faces;
  float sum[3] = {0.0f, 0.0f, 0.0f};
  for (uint32_t u = faces->first_use[i]; u < faces->first_use[i + 1]; ++u) {
    const float* push = faces->push[faces->use[u]];
    for (int axis = 0; axis < 3; ++axis) sum[axis] += push[axis];
  }
  for (int axis = 0; axis < 3; ++axis) p->force[axis][i] += sum[axis];
}

// Pressure without wind acts only on closed bodies.
static void gather_range(void* context, weft__range range, uint32_t worker) {
  (void)worker;
  const range_args* args = context;
  const weft__forces* forces = args->forces;
  const bool has_wind = forces->air.is_there;
  for (uint32_t i = range.begin; i < range.end; ++i) {
    gather_particle(forces, args->step->particles, has_wind ? i : forces->pressures.particles[i]);
  }
}

void weft__forces_gather(const weft__forces* forces, weft__step_context* step) {
  const weft__range listed = {0, forces->pressures.particle_count};
  range_args args = {forces, step, NULL};
  weft__step_for_range(step, forces->air.is_there ? step->own : listed, GATHER_GRAIN, gather_range,
                       &args);
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
