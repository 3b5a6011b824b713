/* Loads of colliders: impulses that particles exert on them in a step, summed by collider.
 *
 * Each worker adds to sums of its own, in fixed point: neither the worker nor the order of
 * particles shows in the totals. An impulse is taken from the change of a particle's state by the
 * contact, m ((pos' - prev') - (pos - prev)) / h: with its friction, and whatever code has resolved
 * it. */
#ifndef WEFT_COLLISION_COLLIDERS_LOADS_H
#define WEFT_COLLISION_COLLIDERS_LOADS_H

#include "base/fixed.h"
#include "collision/colliders/colliders.h"

struct weft__collider_sums {
  weft__fixed impulse[3];         /* newton seconds */
  weft__fixed angular_impulse[3]; /* newton metre seconds, about its position */
  uint64_t contact_count, unused; /* unused: 0, rows are saved as they are */
};

/* Clears the sums of all workers. */
void weft__collider_loads_clear(const weft__colliders* colliders);

/* Adds an impulse, newton seconds, on the collider of a slot at a point, metres. Loads must be
 * on. */
void weft__collider_loads_add(const weft__colliders* colliders, uint32_t worker, uint32_t number,
                              weft__vec3 impulse, weft__vec3 point);

/* Sums of all workers of a slot; 0 without loads. */
weft__collider_sums weft__collider_loads_sum(const weft__colliders* colliders, uint32_t number);

/* The same as numbers. */
weft_collider_load weft__collider_loads_total(const weft__colliders* colliders, uint32_t number);

#endif
