/* Loads of colliders: impulses that particles exert on them in a step, with friction, as a contact
 * changes a particle's state: m ((pos' - prev') - (pos - prev)) / h. All stages record contacts
 * here, for loads and events. Sums are in fixed point: they depend on no worker and no order. */
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
  return step->log->on || step->colliders->sums != NULL || step->colliders->keeps_planes;
}

/* metres in the substep: momentum over mass, times h */
static inline weft__vec3 weft__displacement_of(const weft__particles* p, uint32_t particle) {
  return (weft__vec3){(double)(p->pos_x[particle] - p->prev_x[particle]),
                      (double)(p->pos_y[particle] - p->prev_y[particle]),
                      (double)(p->pos_z[particle] - p->prev_z[particle])};
}

/* newton seconds */
static inline weft__vec3 weft__impulse_of_change(const weft__step_context* step, uint32_t particle,
                                                 weft__vec3 change) {
  const double mass = 1.0 / (double)step->particles->inv_mass[particle];
  return weft__scaled(mass / (double)step->h, change);
}

/* Records a contact: the load of the collider if there are loads, and a note if there are events.
 */
void weft__collider_contact_record(const weft__step_context* step, uint32_t worker,
                                   const weft__collider_contact* contact);

/* Sums of all workers; 0 without loads. */
weft__collider_sums weft__collider_loads_sum(const weft__colliders* colliders, uint32_t number);

weft_collider_load weft__collider_loads_total(const weft__colliders* colliders, uint32_t number);

#endif
