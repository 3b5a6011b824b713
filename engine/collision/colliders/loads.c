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

static void add_vector(weft__fixed sum[3], weft__vec3 v) {
  sum[0] += weft__fixed_of(v.x);
  sum[1] += weft__fixed_of(v.y);
  sum[2] += weft__fixed_of(v.z);
}

void weft__collider_loads_add(const weft__colliders* colliders, uint32_t worker, uint32_t number,
                              weft__vec3 impulse, weft__vec3 point) {
  weft__collider_sums* sums = sums_of(colliders, worker, number);
  const weft__vec3 arm = weft__minus(point, colliders->list[number].pose.position);
  add_vector(sums->impulse, impulse);
  add_vector(sums->angular_impulse, weft__cross(arm, impulse));
  ++sums->contact_count;
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
