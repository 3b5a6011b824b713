#include "schedule/freeze.h"

#include "base/memory.h"
#include "schedule/constraint_coloring.h"
#include "schedule/order.h"
#include "schedule/patch_coloring.h"

static void adopt_order(weft__schedule* schedule, weft__order* order) {
  schedule->particle_count = order->particle_count;
  schedule->patch_count = order->patch_count;
  schedule->user_of = order->user_of;
  schedule->solver_of = order->solver_of;
  schedule->patch_first = order->patch_first;
  schedule->environment_count = order->environment_count;
  schedule->environment_first = order->environment_first;
  weft__free(order->pushes);
  schedule->bytes +=
      ((size_t)2 * order->particle_count + order->patch_count + 1) * sizeof(uint32_t);
}

static bool list_environments(weft__schedule* schedule) {
  if (schedule->environment_count == 1) {
    weft__free(schedule->environment_first);
    schedule->environment_first = NULL;
    return true;
  }
  const size_t count = schedule->particle_count;
  schedule->environment_of = weft__alloc(count, sizeof(*schedule->environment_of));
  if (schedule->environment_of == NULL) return false;
  for (uint32_t e = 0; e < schedule->environment_count; ++e) {
    const weft__range own = weft__environment_particles(schedule, e);
    for (uint32_t i = own.begin; i < own.end; ++i) schedule->environment_of[i] = e;
  }
  schedule->bytes += (count + schedule->environment_count + 1) * sizeof(uint32_t);
  return true;
}

static bool freeze_hinges(weft__schedule* schedule, const weft__order* order,
                          const weft_scene* scene, const weft__hinge_claim* claim) {
  const weft__hinges* hinges = &scene->hinges;
  schedule->bend_count = hinges->count;
  if (hinges->count == 0) return true;
  bool* is_elsewhere = weft__alloc_zeroed(hinges->count, sizeof(*is_elsewhere));
  if (is_elsewhere == NULL) return false;
  bool good = claim == NULL || claim->take(claim->context, schedule, scene, is_elsewhere);
  for (uint32_t h = 0; h < hinges->count; ++h) {
    schedule->hinges.hinge_count += is_elsewhere[h] ? 0 : 1;
  }
  const weft__constraints rest = {order, .hinges = hinges, .count = hinges->count,
                                  .is_elsewhere = is_elsewhere};
  good = good && (schedule->hinges.hinge_count == 0 || weft__color_constraints(schedule, &rest));
  weft__free(is_elsewhere);
  return good;
}

bool weft__freeze(weft__schedule* schedule, const weft_scene* scene,
                  const weft__hinge_claim* claim) {
  *schedule = (weft__schedule){.links.link_count = scene->links.count};
  weft__order order;
  if (!weft__order_create(&order, scene)) return false;
  adopt_order(schedule, &order);

  schedule->links.slot_of_link =
      weft__alloc(scene->links.count, sizeof(*schedule->links.slot_of_link));
  schedule->bytes += (size_t)scene->links.count * sizeof(*schedule->links.slot_of_link);
  const weft__constraints links = {&order, .links = &scene->links, .count = scene->links.count};
  const weft__constraints membranes = {&order, .membranes = &scene->membranes,
                                       .count = scene->membranes.count};
  const bool done = schedule->links.slot_of_link != NULL && list_environments(schedule) &&
                    weft__color_constraints(schedule, &links) &&
                    freeze_hinges(schedule, &order, scene, claim) &&
                    (membranes.count == 0 || weft__color_constraints(schedule, &membranes)) &&
                    weft__color_patches(schedule);
  if (!done) weft__schedule_destroy(schedule);
  return done;
}
