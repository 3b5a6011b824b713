/* Sequential impulse of one contact between two particles with a shape; the scalar reference of
 * contacts.inl, bit for bit. */
#ifndef WEFT_KERNELS_PARTICLE_CONTACT_H
#define WEFT_KERNELS_PARTICLE_CONTACT_H

#include <math.h>

#include "base/vec3.h"
#include "tables/particle_contacts.h"

static inline void weft__apply_to_body(weft__particle_motion* body, float sign,
                                       const float impulse[3]) {
  if (!(body->inv_mass > 0.0f)) return;
  const float rate = sign * body->inv_mass;
  for (int axis = 0; axis < 3; ++axis) body->velocity[axis] += rate * impulse[axis];
}

/* Impulse on b, and its opposite on a. */
static inline void weft__apply_impulse(const weft__contact_sweep* sweep,
                                       const weft__particle_contact* c, const float impulse[3]) {
  weft__apply_to_body(&sweep->bodies[c->a], -1.0f, impulse);
  weft__apply_to_body(&sweep->bodies[c->b], 1.0f, impulse);
}

/* Coulomb friction: sticks within the static cone, else slides with dynamic friction. */
static inline void weft__contact_friction(const weft__particle_contact* c, const float speed[3],
                                          float along[3]) {
  const float normal_speed = weft__dot3(speed, c->normal);
  for (int axis = 0; axis < 3; ++axis) {
    along[axis] -= c->mass * (speed[axis] - normal_speed * c->normal[axis]);
  }
  const float square = weft__dot3(along, along);
  const float static_limit = c->static_friction * c->impulse.normal;
  if (square <= static_limit * static_limit) return;
  const float share = c->dynamic_friction * c->impulse.normal / sqrtf(square);
  for (int axis = 0; axis < 3; ++axis) along[axis] *= share;
}

static inline void weft__solve_contact(weft__contact_sweep* sweep, weft__particle_contact* c) {
  const float* a = sweep->bodies[c->a].velocity;
  const float* b = sweep->bodies[c->b].velocity;
  const float speed[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const float before = c->impulse.normal;
  const float wanted = before - c->mass * (weft__dot3(speed, c->normal) - c->min_separation_speed);
  c->impulse.normal = wanted > 0.0f ? wanted : 0.0f;
  float given[3];
  for (int axis = 0; axis < 3; ++axis) {
    given[axis] = (c->impulse.normal - before) * c->normal[axis];
  }
  float* along = c->impulse.along;
  if (c->static_friction > 0.0f) {
    const float last[3] = {along[0], along[1], along[2]};
    weft__contact_friction(c, speed, along);
    for (int axis = 0; axis < 3; ++axis) given[axis] += along[axis] - last[axis];
  } else {
    for (int axis = 0; axis < 3; ++axis) {
      given[axis] -= along[axis];
      along[axis] = 0.0f;
    }
  }
  const float change = weft__dot3(given, given) / (c->mass * c->mass);
  if (change > sweep->change) sweep->change = change;
  if (change > sweep->enough) weft__mark_active(sweep, c);
  weft__apply_impulse(sweep, c, given);
}

#endif
