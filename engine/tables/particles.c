#include "tables/particles.h"

#include <stdlib.h>

#include "base/columns.h"

static const weft__column columns[] = {
    WEFT__COLUMN(weft__particles, pos_x),  WEFT__COLUMN(weft__particles, pos_y),
    WEFT__COLUMN(weft__particles, pos_z),  WEFT__COLUMN(weft__particles, inv_mass),
    WEFT__COLUMN(weft__particles, prev_x), WEFT__COLUMN(weft__particles, prev_y),
    WEFT__COLUMN(weft__particles, prev_z),
};

static const weft__column force_columns[] = {
    WEFT__COLUMN(weft__particles, force_x),
    WEFT__COLUMN(weft__particles, force_y),
    WEFT__COLUMN(weft__particles, force_z),
};

bool weft__particles_create(weft__particles* particles, uint32_t count) {
  *particles = (weft__particles){.count = count};
  particles->bytes =
      weft__columns_create(particles, columns, sizeof(columns) / sizeof(*columns),
                           (size_t)count + WEFT__PARTICLE_PADDING, &particles->block);
  return particles->bytes > 0;
}

bool weft__particles_need_forces(weft__particles* particles) {
  if (particles->force_block != NULL) return true;
  const size_t bytes = weft__columns_create(
      particles, force_columns, sizeof(force_columns) / sizeof(*force_columns),
      (size_t)particles->count + WEFT__PARTICLE_PADDING, &particles->force_block);
  particles->bytes += bytes;
  return bytes > 0;
}

void weft__particles_destroy(weft__particles* particles) {
  free(particles->block);
  free(particles->force_block);
  *particles = (weft__particles){0};
}
