#include "tables/particles.h"

#include "base/memory.h"
#include "base/vec3.h"

#define COLUMN(name, kind) \
  WEFT__COLUMN_PADDED(weft__particles, name, count, WEFT__PARTICLE_PADDING, kind)
#define VECTOR(name, kind) \
  WEFT__VECTOR_PADDED(weft__particles, name, count, WEFT__PARTICLE_PADDING, kind)

enum {
  FORCES = WEFT__GROUP(1),
  VELOCITIES = WEFT__GROUP(2),
  ROTATION = WEFT__PARTICLE_ROTATION,
  REMOVED = WEFT__GROUP(4),
};

static const weft__column columns[] = {
    COLUMN(inv_mass, WEFT__STATE),
    VECTOR(pos, WEFT__STATE | WEFT__MOTION | WEFT__HALO | WEFT__HASHED),
    VECTOR(prev, WEFT__STATE | WEFT__MOTION | WEFT__HALO | WEFT__HASHED),
    VECTOR(carried, WEFT__STATE | WEFT__MOTION | WEFT__HALO),
    VECTOR(force, FORCES | WEFT__STATE | WEFT__MOTION | WEFT__TURNED),
    VECTOR(vel, VELOCITIES | WEFT__STATE | WEFT__MOTION | WEFT__TURNED),
    VECTOR(vel_lag, VELOCITIES | WEFT__STATE | WEFT__MOTION | WEFT__TURNED),
    VECTOR(spring, VELOCITIES | WEFT__CACHE),
    COLUMN(kick_share, VELOCITIES | WEFT__STATE | WEFT__MOTION),
    VECTOR(spin, ROTATION | WEFT__STATE | WEFT__MOTION | WEFT__HASHED | WEFT__TURNED),
    VECTOR(turn, ROTATION | WEFT__STATE | WEFT__MOTION | WEFT__HASHED),
    COLUMN(roll_radius, ROTATION | WEFT__STATE),
    COLUMN(roll_factor, ROTATION | WEFT__STATE),
    COLUMN(removed, REMOVED | WEFT__STATE),
};

const weft__table weft__particle_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .is_staggered = true};

const weft__table weft__particle_positions = {.columns = columns + 1, .count = 1};
const weft__table weft__particle_moves = {.columns = columns + 1, .count = 2};
const weft__table weft__particle_carried = {.columns = columns + 1, .count = 3};

bool weft__particles_create(weft__particles* particles, uint32_t count) {
  *particles = (weft__particles){.count = count};
  return weft__columns_create(particles, &weft__particle_table, 0, &particles->block,
                              &particles->bytes);
}

static bool add_group(weft__particles* particles, uint32_t group, void** block) {
  return *block != NULL ||
         weft__columns_create(particles, &weft__particle_table, group, block, &particles->bytes);
}

bool weft__particles_add_forces(weft__particles* particles) {
  return add_group(particles, FORCES, &particles->force_block);
}

bool weft__particles_add_rotation(weft__particles* particles) {
  return add_group(particles, ROTATION, &particles->rotation_block);
}

void weft__particles_set_roll(weft__particles* particles, uint32_t particle, float radius,
                              float factor) {
  const bool begins = particles->roll_factor[particle] == 0.0f;
  particles->roll_radius[particle] = radius;
  particles->roll_factor[particle] = factor;
  if (factor > 0.0f && !begins) return;
  for (int axis = 0; axis < 3; ++axis)
    particles->spin[axis][particle] = particles->turn[axis][particle] = 0.0f;
  particles->turn[3][particle] = factor > 0.0f ? 1.0f : 0.0f;
}

bool weft__particles_add_removed(weft__particles* particles) {
  return add_group(particles, REMOVED, &particles->removed_block);
}

bool weft__particles_add_velocities(weft__particles* particles, float opening) {
  if (!add_group(particles, VELOCITIES, &particles->velocity_block)) return false;
  particles->opening = opening;
  const size_t rows = (size_t)particles->count + WEFT__PARTICLE_PADDING;
  for (size_t i = 0; i < rows; ++i) particles->kick_share[i] = opening;
  return true;
}

static void set_velocity(weft__particles* p, uint32_t i, const float velocity[3]) {
  if (p->velocity_block == NULL) return;
  for (int axis = 0; axis < 3; ++axis) {
    p->vel[axis][i] = velocity[axis];
    p->vel_lag[axis][i] = 0.0f;
  }
  p->kick_share[i] = p->opening;
}

void weft__particles_set_state(weft__particles* particles, uint32_t particle,
                               const float position[3], const float velocity[3], float h) {
  for (int axis = 0; axis < 3; ++axis) {
    const float displacement = velocity[axis] * h;
    const float prev = position[axis] - displacement;
    particles->pos[axis][particle] = position[axis];
    particles->prev[axis][particle] = prev;
    particles->carried[axis][particle] = displacement - (position[axis] - prev);
  }
  set_velocity(particles, particle, velocity);
}

void weft__particles_stop(weft__particles* particles, uint32_t particle) {
  float position[3];
  weft__load3(particles->pos, particle, position);
  weft__particles_set_state(particles, particle, position, (const float[3]){0.0f, 0.0f, 0.0f},
                            0.0f);
}

void weft__particles_destroy(weft__particles* particles) {
  weft__free(particles->block);
  weft__free(particles->force_block);
  weft__free(particles->velocity_block);
  weft__free(particles->rotation_block);
  weft__free(particles->removed_block);
  weft__reserve_destroy(&particles->reserve);
  *particles = (weft__particles){0};
}
