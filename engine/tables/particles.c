#include "tables/particles.h"

#include "base/columns.h"
#include "base/memory.h"

static const weft__column columns[] = {
    WEFT__COLUMN(weft__particles, pos_x),     WEFT__COLUMN(weft__particles, pos_y),
    WEFT__COLUMN(weft__particles, pos_z),     WEFT__COLUMN(weft__particles, inv_mass),
    WEFT__COLUMN(weft__particles, prev_x),    WEFT__COLUMN(weft__particles, prev_y),
    WEFT__COLUMN(weft__particles, prev_z),    WEFT__COLUMN(weft__particles, carried_x),
    WEFT__COLUMN(weft__particles, carried_y), WEFT__COLUMN(weft__particles, carried_z),
};

static const weft__column pull_columns[] = {
    WEFT__COLUMN(weft__particles, pull_x),
    WEFT__COLUMN(weft__particles, pull_y),
    WEFT__COLUMN(weft__particles, pull_z),
};

static const weft__column force_columns[] = {
    WEFT__COLUMN(weft__particles, force_x),
    WEFT__COLUMN(weft__particles, force_y),
    WEFT__COLUMN(weft__particles, force_z),
};

static const weft__column velocity_columns[] = {
    WEFT__COLUMN(weft__particles, vel_x),     WEFT__COLUMN(weft__particles, vel_y),
    WEFT__COLUMN(weft__particles, vel_z),     WEFT__COLUMN(weft__particles, vel_lag_x),
    WEFT__COLUMN(weft__particles, vel_lag_y), WEFT__COLUMN(weft__particles, vel_lag_z),
    WEFT__COLUMN(weft__particles, spring_x),  WEFT__COLUMN(weft__particles, spring_y),
    WEFT__COLUMN(weft__particles, spring_z),  WEFT__COLUMN(weft__particles, kick_share),
};

static const weft__column rotation_columns[] = {
    WEFT__COLUMN(weft__particles, spin_x),      WEFT__COLUMN(weft__particles, spin_y),
    WEFT__COLUMN(weft__particles, spin_z),      WEFT__COLUMN(weft__particles, turn_x),
    WEFT__COLUMN(weft__particles, turn_y),      WEFT__COLUMN(weft__particles, turn_z),
    WEFT__COLUMN(weft__particles, turn_w),      WEFT__COLUMN(weft__particles, roll_radius),
    WEFT__COLUMN(weft__particles, roll_factor),
};

bool weft__particles_create(weft__particles* particles, uint32_t count) {
  *particles = (weft__particles){.count = count};
  particles->bytes =
      weft__columns_create(particles, columns, sizeof(columns) / sizeof(*columns),
                           (size_t)count + WEFT__PARTICLE_PADDING, &particles->block);
  return particles->bytes > 0;
}

bool weft__particles_add_pulls(weft__particles* particles) {
  const size_t bytes = weft__columns_create(
      particles, pull_columns, sizeof(pull_columns) / sizeof(*pull_columns),
      (size_t)particles->count + WEFT__PARTICLE_PADDING, &particles->pull_block);
  particles->bytes += bytes;
  return bytes > 0;
}

bool weft__particles_add_forces(weft__particles* particles) {
  if (particles->force_block != NULL) return true;
  const size_t bytes = weft__columns_create(
      particles, force_columns, sizeof(force_columns) / sizeof(*force_columns),
      (size_t)particles->count + WEFT__PARTICLE_PADDING, &particles->force_block);
  particles->bytes += bytes;
  return bytes > 0;
}

bool weft__particles_add_rotation(weft__particles* particles) {
  if (particles->rotation_block != NULL) return true;
  const size_t bytes = weft__columns_create(
      particles, rotation_columns, sizeof(rotation_columns) / sizeof(*rotation_columns),
      (size_t)particles->count + WEFT__PARTICLE_PADDING, &particles->rotation_block);
  particles->bytes += bytes;
  return bytes > 0;
}

void weft__particles_set_roll(const weft__particles* particles, uint32_t particle, float radius,
                              float factor) {
  const bool begins = particles->roll_factor[particle] == 0.0f;
  particles->roll_radius[particle] = radius;
  particles->roll_factor[particle] = factor;
  if (factor > 0.0f && !begins) return;
  particles->spin_x[particle] = particles->spin_y[particle] = particles->spin_z[particle] = 0.0f;
  particles->turn_x[particle] = particles->turn_y[particle] = particles->turn_z[particle] = 0.0f;
  particles->turn_w[particle] = factor > 0.0f ? 1.0f : 0.0f;
}

bool weft__particles_add_removed(weft__particles* particles) {
  if (particles->removed != NULL) return true;
  particles->removed = weft__alloc_zeroed(particles->count, sizeof(*particles->removed));
  if (particles->removed == NULL) return false;
  particles->bytes += particles->count * sizeof(*particles->removed);
  return true;
}

bool weft__particles_add_velocities(weft__particles* particles, float opening) {
  const size_t rows = (size_t)particles->count + WEFT__PARTICLE_PADDING;
  const size_t bytes = weft__columns_create(particles, velocity_columns,
                                            sizeof(velocity_columns) / sizeof(*velocity_columns),
                                            rows, &particles->velocity_block);
  if (bytes == 0) return false;
  particles->bytes += bytes;
  particles->opening = opening;
  for (size_t i = 0; i < rows; ++i) particles->kick_share[i] = opening;
  return true;
}

// Sets the stored velocity only.
static void set_velocity(const weft__particles* p, uint32_t i, const float velocity[3]) {
  if (p->velocity_block == NULL) return;
  for (int axis = 0; axis < 3; ++axis) {
    const weft__axis column = weft__particles_axis(p, axis);
    column.vel[i] = velocity[axis];
    column.vel_lag[i] = 0.0f;
  }
  p->kick_share[i] = p->opening;
}

void weft__particles_set_state(const weft__particles* particles, uint32_t particle,
                               const float position[3], const float velocity[3], float h) {
  for (int axis = 0; axis < 3; ++axis) {
    const weft__axis column = weft__particles_axis(particles, axis);
    const float displacement = velocity[axis] * h;
    column.pos[particle] = position[axis];
    column.prev[particle] = position[axis] - displacement;
    column.carried[particle] = displacement - (position[axis] - column.prev[particle]);
    if (column.pull != NULL) column.pull[particle] = 0.0f;
  }
  set_velocity(particles, particle, velocity);
}

void weft__particles_stop(const weft__particles* particles, uint32_t particle) {
  const float position[3] = {particles->pos_x[particle], particles->pos_y[particle],
                             particles->pos_z[particle]};
  weft__particles_set_state(particles, particle, position, (const float[3]){0.0f, 0.0f, 0.0f},
                            0.0f);
}

void weft__particles_destroy(weft__particles* particles) {
  weft__free(particles->block);
  weft__free(particles->pull_block);
  weft__free(particles->force_block);
  weft__free(particles->velocity_block);
  weft__free(particles->rotation_block);
  weft__free(particles->removed);
  weft__reserve_destroy(&particles->reserve);
  *particles = (weft__particles){0};
}

// ---- snapshots ----

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static void visit_removed(weft__particles* p, weft__archive* archive) {
  static const weft__column removed[] = {WEFT__COLUMN(weft__particles, removed)};
  weft__archive_optional(archive, p, removed, COUNT_OF(removed), p->count, p->removed);
  weft__reserve_visit(&p->reserve, archive, p->count);
}

void weft__particles_visit(weft__particles* particles, weft__archive* archive, bool* is_as_heavy) {
  weft__particles* p = particles;
  // once by themselves, for a load to compare
  *is_as_heavy = weft__archive_is_reading(archive) &&
                 weft__archive_is_same(archive, p->inv_mass, p->count, sizeof(*p->inv_mass));
  WEFT__ARCHIVE_ARRAY(archive, p->inv_mass, p->count);
  weft__archive_columns(archive, p, columns, COUNT_OF(columns), p->count);
  weft__archive_optional(archive, p, pull_columns, COUNT_OF(pull_columns), p->count, p->pull_block);
  weft__archive_optional(archive, p, force_columns, COUNT_OF(force_columns), p->count,
                         p->force_block);
  weft__archive_optional(archive, p, velocity_columns, COUNT_OF(velocity_columns), p->count,
                         p->velocity_block);
  weft__archive_optional(archive, p, rotation_columns, COUNT_OF(rotation_columns), p->count,
                         p->rotation_block);
  visit_removed(p, archive);
}
