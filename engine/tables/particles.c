#include "tables/particles.h"

#include "base/columns.h"
#include "base/memory.h"
#include "base/vec3.h"

static const weft__column columns[] = {
    WEFT__COLUMNS_XYZ(weft__particles, pos),
    WEFT__COLUMN(weft__particles, inv_mass),
    WEFT__COLUMNS_XYZ(weft__particles, prev),
    WEFT__COLUMNS_XYZ(weft__particles, carried),
};

static const weft__column force_columns[] = {WEFT__COLUMNS_XYZ(weft__particles, force)};

static const weft__column velocity_columns[] = {
    WEFT__COLUMNS_XYZ(weft__particles, vel),
    WEFT__COLUMNS_XYZ(weft__particles, vel_lag),
    WEFT__COLUMNS_XYZ(weft__particles, spring),
    WEFT__COLUMN(weft__particles, kick_share),
};

static const weft__column rotation_columns[] = {
    WEFT__COLUMNS_XYZ(weft__particles, spin),   WEFT__COLUMN(weft__particles, turn[0]),
    WEFT__COLUMN(weft__particles, turn[1]),     WEFT__COLUMN(weft__particles, turn[2]),
    WEFT__COLUMN(weft__particles, turn[3]),     WEFT__COLUMN(weft__particles, roll_radius),
    WEFT__COLUMN(weft__particles, roll_factor),
};

bool weft__particles_create(weft__particles* particles, uint32_t count) {
  *particles = (weft__particles){.count = count};
  particles->bytes =
      weft__columns_create(particles, columns, sizeof(columns) / sizeof(*columns),
                           (size_t)count + WEFT__PARTICLE_PADDING, &particles->block);
  return particles->bytes > 0;
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
  for (int axis = 0; axis < 3; ++axis)
    particles->spin[axis][particle] = particles->turn[axis][particle] = 0.0f;
  particles->turn[3][particle] = factor > 0.0f ? 1.0f : 0.0f;
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
    p->vel[axis][i] = velocity[axis];
    p->vel_lag[axis][i] = 0.0f;
  }
  p->kick_share[i] = p->opening;
}

void weft__particles_set_state(const weft__particles* particles, uint32_t particle,
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

void weft__particles_stop(const weft__particles* particles, uint32_t particle) {
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
  weft__archive_optional(archive, p, force_columns, COUNT_OF(force_columns), p->count,
                         p->force_block);
  weft__archive_optional(archive, p, velocity_columns, COUNT_OF(velocity_columns), p->count,
                         p->velocity_block);
  weft__archive_optional(archive, p, rotation_columns, COUNT_OF(rotation_columns), p->count,
                         p->rotation_block);
  visit_removed(p, archive);
}
