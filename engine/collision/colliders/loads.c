#include "collision/colliders/loads.h"

#include <string.h>

static weft__collider_sums* sums_of(const weft__colliders* colliders, uint32_t worker,
                                    uint32_t number) {
  return &colliders->sums[worker * colliders->capacity + number];
}

void weft__collider_loads_clear(const weft__colliders* colliders) {
  for (uint32_t worker = 0; worker < colliders->worker_count; ++worker) {
    memset(sums_of(colliders, worker, 0), 0, colliders->end * sizeof(*colliders->sums));
  }
}

static void add_load(const weft__colliders* colliders, uint32_t worker,
                     const weft__collider_contact* contact) {
  weft__collider_sums* sums = sums_of(colliders, worker, contact->number);
  const weft__vec3 impulse = weft__scaled(-1.0, contact->impulse);
  const weft__vec3 arm =
      weft__minus(contact->point, colliders->list[contact->number].pose.position);
  weft__fixed_add(sums->impulse, impulse);
  weft__fixed_add(sums->angular_impulse, weft__cross(arm, impulse));
  ++sums->contact_count;
}

void weft__collider_contact_record(const weft__step_context* step, uint32_t worker,
                                   const weft__collider_contact* contact) {
  const weft__colliders* colliders = step->colliders;
  if (colliders->sums != NULL) add_load(colliders, worker, contact);
  if (!step->log->on) return;
  weft__contact_note note = {.particle = step->schedule->user_of[contact->particle],
                             .other = contact->number,
                             .generation = colliders->list[contact->number].generation,
                             .substep = step->substep,
                             .impulse = contact->impulse};
  weft__vec3_store(contact->normal, note.place.normal);
  weft__vec3_store(contact->point, note.place.point);
  weft__contact_log_note(step->log, worker, &note);
}

weft__collider_sums weft__collider_loads_sum(const weft__colliders* colliders, uint32_t number) {
  weft__collider_sums total = {0};
  for (uint32_t worker = 0; worker < colliders->worker_count && colliders->sums != NULL; ++worker) {
    const weft__collider_sums* sums = sums_of(colliders, worker, number);
    for (int axis = 0; axis < 3; ++axis) {
      total.impulse[axis] += sums->impulse[axis];
      total.angular_impulse[axis] += sums->angular_impulse[axis];
    }
    total.contact_count += sums->contact_count;
  }
  return total;
}

weft_collider_load weft__collider_loads_total(const weft__colliders* colliders, uint32_t number) {
  const weft__collider_sums total = weft__collider_loads_sum(colliders, number);
  weft_collider_load load = {.contact_count = (uint32_t)total.contact_count};
  for (int axis = 0; axis < 3; ++axis) {
    load.impulse[axis] = (float)weft__fixed_value(total.impulse[axis]);
    load.angular_impulse[axis] = (float)weft__fixed_value(total.angular_impulse[axis]);
  }
  return load;
}
