#ifndef WEFT_TABLES_BOUNDS_H
#define WEFT_TABLES_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/columns.h"

/* Lanes of a group at a wall in this step, by axis. */
typedef struct weft__wall_contact {
  uint16_t lower[3];
  uint16_t upper[3];
} weft__wall_contact;

typedef struct weft__bounds {
  uint32_t particle_count, group_count;
  bool on;
  float lower[3], upper[3]; /* metres, infinite: open */
  float middle[3];          /* metres: position of particles larger than the box */
  float restitution;
  float static_friction, dynamic_friction;

  /* half sizes of shapes, solver order; NULL until bounds and shapes [count + padding] */
  WEFT__VECTOR_COLUMNS(radius); /* metres */
  /* written by substeps; NULL until there are bounds [lane groups] */
  weft__wall_contact* touch;

  void *touch_block, *radius_block;
  size_t bytes;
} weft__bounds;

extern const weft__table weft__bounds_table;

weft__bounds weft__bounds_for(uint32_t particle_count);

bool weft__bounds_add_contacts(weft__bounds* bounds);
bool weft__bounds_add_radii(weft__bounds* bounds);

static inline void weft__bounds_around(const weft__bounds* bounds, uint32_t particle, int axis,
                                       float* lower, float* upper) {
  const float r = bounds->radius_block == NULL ? 0.0f : bounds->radius[axis][particle];
  *lower = bounds->lower[axis] + r;
  *upper = bounds->upper[axis] - r;
  if (*lower > *upper) *lower = *upper = bounds->middle[axis];
}

void weft__bounds_clear_contacts(weft__bounds* bounds);

void weft__bounds_destroy(weft__bounds* bounds);

#endif
