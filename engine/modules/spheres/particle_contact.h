/* Scalar reference of particle_contacts.inl, bit for bit: the sequential impulse of one contact. */
#ifndef WEFT_MODULES_SPHERES_PARTICLE_CONTACT_H
#define WEFT_MODULES_SPHERES_PARTICLE_CONTACT_H

#include <math.h>

#include "base/vec3.h"
#include "modules/spheres/contact_tables.h"

static inline void weft__apply_to_body(weft__particle_motion* body, float sign,
                                       const float impulse[3]) {
  if (!(body->inv_mass > 0.0f)) return;
  const float rate = sign * body->inv_mass;
  for (int axis = 0; axis < 3; ++axis) body->velocity[axis] += rate * impulse[axis];
}

static inline void weft__apply_impulse(const weft__contact_sweep* sweep,
                                       const weft__particle_contact* c, const float impulse[3]) {
  weft__apply_to_body(&sweep->bodies[c->a], -1.0f, impulse);
  weft__apply_to_body(&sweep->bodies[c->b], 1.0f, impulse);
}

/* Coulomb friction: sticks within the static cone, else slides with dynamic friction. mass: along
 * the surface */
static inline void weft__contact_friction(const weft__particle_contact* c, float mass,
                                          const float speed[3], float along[3]) {
  const float normal_speed = weft__dot3(speed, c->normal);
  for (int axis = 0; axis < 3; ++axis) {
    along[axis] -= mass * (speed[axis] - normal_speed * c->normal[axis]);
  }
  const float square = weft__dot3(along, along);
  const float static_limit = c->static_friction * c->impulse.normal;
  if (square <= static_limit * static_limit) return;
  const float share = c->dynamic_friction * c->impulse.normal / sqrtf(square);
  for (int axis = 0; axis < 3; ++axis) along[axis] *= share;
}

/* Turns both bodies alike, as gears. */
static inline void weft__apply_torque(const weft__contact_sweep* sweep,
                                      const weft__particle_contact* c, const float along[3]) {
  const float* n = c->normal;
  const float torque[3] = {along[1] * n[2] - along[2] * n[1], along[2] * n[0] - along[0] * n[2],
                           along[0] * n[1] - along[1] * n[0]};
  weft__particle_roll* const rolls[2] = {&sweep->rolls[c->a], &sweep->rolls[c->b]};
  for (int k = 0; k < 2; ++k) {
    if (!(rolls[k]->inv_mass > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      rolls[k]->speed[axis] += rolls[k]->inv_mass * torque[axis];
    }
  }
}

/* Subtracts the bodies' rotations from the relative velocity; returns the mass that an impulse
 * along the contact moves. */
static inline float weft__subtract_rolls(const weft__contact_sweep* sweep,
                                         const weft__particle_contact* c, float speed[3]) {
  const weft__particle_roll* a = &sweep->rolls[c->a];
  const weft__particle_roll* b = &sweep->rolls[c->b];
  const float* n = c->normal;
  const float sum[3] = {a->speed[0] + b->speed[0], a->speed[1] + b->speed[1],
                        a->speed[2] + b->speed[2]};
  speed[0] -= sum[1] * n[2] - sum[2] * n[1];
  speed[1] -= sum[2] * n[0] - sum[0] * n[2];
  speed[2] -= sum[0] * n[1] - sum[1] * n[0];
  return 1.0f / (1.0f / c->mass + (a->inv_mass + b->inv_mass));
}

static inline __attribute__((always_inline)) void weft__solve_contact(weft__contact_sweep* sweep,
                                                                      weft__particle_contact* c,
                                                                      bool turns) {
  const float* a = sweep->bodies[c->a].velocity;
  const float* b = sweep->bodies[c->b].velocity;
  float speed[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
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
    const float mass = turns ? weft__subtract_rolls(sweep, c, speed) : c->mass;
    weft__contact_friction(c, mass, speed, along);
    if (turns) {
      const float more[3] = {along[0] - last[0], along[1] - last[1], along[2] - last[2]};
      weft__apply_torque(sweep, c, more);
    }
    for (int axis = 0; axis < 3; ++axis) given[axis] += along[axis] - last[axis];
  } else {
    if (turns) weft__apply_torque(sweep, c, (const float[3]){-along[0], -along[1], -along[2]});
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
