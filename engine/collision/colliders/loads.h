/* Loads of colliders: impulses that particles exert on them in a step, summed by collider.
 *
 * All stages record contacts with colliders by one function, for loads and contact events alike. An
 * impulse is taken from the change of a particle's state by the contact, m ((pos' - prev') - (pos -
 * prev)) / h, so that it includes friction. Sums of workers are in fixed point: neither workers nor
 * the order of particles show in the totals. */
#ifndef WEFT_COLLISION_COLLIDERS_LOADS_H
#define WEFT_COLLISION_COLLIDERS_LOADS_H

#include "base/fixed.h"
#include "collision/colliders/colliders.h"
#include "collision/event_log.h"

struct weft__collider_sums {
  weft__fixed impulse[3];         /* newton seconds */
  weft__fixed angular_impulse[3]; /* newton metre seconds, about its position */
  uint64_t contact_count, unused; /* unused: 0, rows are saved as they are */
};

void weft__collider_loads_clear(const weft__colliders* colliders);

typedef struct weft__collider_contact {
  uint32_t particle;  /* solver order */
  uint32_t number;    /* slot of the collider */
  weft__vec3 impulse; /* newton seconds on the particle */
  weft__vec3 normal;  /* unit, towards the particle */
  weft__vec3 point;   /* metres */
} weft__collider_contact;

static inline bool weft__collider_contacts_are_recorded(const weft__step_context* step) {
  return step->log->on || step->colliders->sums != NULL;
}

/* Displacement of a particle in the substep, metres: its momentum is that over h. */
static inline weft__vec3 weft__displacement_of(const weft__particles* p, uint32_t particle) {
  return (weft__vec3){(double)(p->pos_x[particle] - p->prev_x[particle]),
                      (double)(p->pos_y[particle] - p->prev_y[particle]),
                      (double)(p->pos_z[particle] - p->prev_z[particle])};
}

/* Impulse of a free particle whose displacement has changed, newton seconds. */
static inline weft__vec3 weft__impulse_of_change(const weft__step_context* step, uint32_t particle,
                                                 weft__vec3 change) {
  const double mass = 1.0 / (double)step->particles->inv_mass[particle];
  return weft__scaled(mass / (double)step->h, change);
}

/* Records a contact: the load of the collider if there are loads, and a note if there are events.
 */
void weft__collider_contact_record(const weft__step_context* step, uint32_t worker,
                                   const weft__collider_contact* contact);

/* Sums of all workers of a slot; 0 without loads. */
weft__collider_sums weft__collider_loads_sum(const weft__colliders* colliders, uint32_t number);

/* The same as numbers. */
weft_collider_load weft__collider_loads_total(const weft__colliders* colliders, uint32_t number);

#endif
