/* The box that particles stay in, and how large each of them is. */
#ifndef WEFT_TABLES_BOUNDS_H
#define WEFT_TABLES_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which particles of a lane group the walls have held in this step, along each axis: a bit for a lane. */
typedef struct weft__wall_contact {
  uint16_t least[3];
  uint16_t most[3];
} weft__wall_contact;

typedef struct weft__bounds {
  bool on;
  float least[3], most[3]; /* metres, infinite = open */
  float middle[3];         /* metres: where a particle stays that is larger than the box */
  float restitution;       /* 0 to 1 */
  float friction;

  /* half axes in solver order; NULL until a particle has one [count + padding] */
  float* radius_x; /* metres */
  float* radius_y;
  float* radius_z;
  /* written by every substep; NULL until there are bounds [groups of lanes] */
  weft__wall_contact* touch;

  void* radius_block; /* the one allocation behind all radii */
  size_t bytes;
} weft__bounds;

/* Make what is named, zeroed, unless it is there. False when memory cannot be had. */
bool weft__bounds_need_touch(weft__bounds* bounds, uint32_t particle_count);
bool weft__bounds_need_radii(weft__bounds* bounds, uint32_t particle_count);

/* Where a particle, in solver order, may be along an axis. */
static inline void weft__bounds_around(const weft__bounds* bounds, uint32_t particle, int axis,
                                       float* least, float* most) {
  const float* const radius[3] = {bounds->radius_x, bounds->radius_y, bounds->radius_z};
  const float r = bounds->radius_block == NULL ? 0.0f : radius[axis][particle];
  *least = bounds->least[axis] + r;
  *most = bounds->most[axis] - r;
  if (*least > *most) *least = *most = bounds->middle[axis];
}

/* Nothing has touched a wall. */
void weft__bounds_forget_touch(weft__bounds* bounds, uint32_t particle_count);

void weft__bounds_destroy(weft__bounds* bounds);

#endif
