#include "step/tear.h"

#include "solvers/multigrid/torn_coarse_links.h"

bool weft__tear_prepare(weft__stepper* stepper) {
  return weft__levels_make_tearable(&stepper->levels);
}

// ---- one link ----

// Tears the hinges and triangles over a link. They belong to the patch of their home particle: this
// one or a neighbour.
static void tear_elements(const weft__stepper* stepper, const weft__lane* lane) {
  const weft__schedule* schedule = &stepper->schedule;
  weft__stages_changed(&stepper->stages,
                       &(weft__change){.kind = WEFT__CHANGE_TORN, .ends = {lane->a, lane->b}});
  weft__hinges_tear(&schedule->hinges, lane->patch, lane->a, lane->b);
  weft__membranes_tear(&schedule->membranes, lane->patch, lane->a, lane->b);
  const uint32_t end = schedule->patch_first_neighbor[lane->patch + 1];
  for (uint32_t n = schedule->patch_first_neighbor[lane->patch]; n < end; ++n) {
    weft__hinges_tear(&schedule->hinges, schedule->neighbors[n], lane->a, lane->b);
    weft__membranes_tear(&schedule->membranes, schedule->neighbors[n], lane->a, lane->b);
  }
}

static void clear(uint16_t* masks, const weft__lane* lane) {
  masks[lane->group] = (uint16_t)(masks[lane->group] & ~lane->bit);
}

static void set(uint16_t* masks, const weft__lane* lane) {
  masks[lane->group] = (uint16_t)(masks[lane->group] | lane->bit);
}

static bool is_set(const uint16_t* masks, const weft__lane* lane) {
  return (masks[lane->group] & lane->bit) != 0;
}

// Deactivates a link and all that was built on it, unless it is inactive.
static void deactivate(weft__stepper* stepper, const weft__lane* lane) {
  const weft__schedule* schedule = &stepper->schedule;
  if (!is_set(schedule->links.lane_mask, lane)) return;
  weft__wake(&stepper->stages, lane->a);
  clear(schedule->links.lane_mask, lane);
  tear_elements(stepper, lane);
  weft__levels_tear(&stepper->levels, schedule, lane->a, lane->b);
  weft__attachments_tear(&stepper->attachments, lane->a, lane->b);
}

static void tear(void* context, const weft__lane* lane) {
  weft__stepper* stepper = context;
  const weft__schedule* schedule = &stepper->schedule;
  if (!is_set(schedule->links.lane_mask, lane) && !is_set(schedule->links.disabled, lane)) return;
  deactivate(stepper, lane);
  clear(schedule->links.disabled, lane);
  clear(schedule->links.torn, lane);
  ++stepper->torn.count;
  stepper->forces.any_torn = true;
  weft__torn_events_push(&stepper->torn.events, weft__lane_slot(lane));
}

// A sleeping particle is held, and bears its load.
static void tear_if_awake(void* context, const weft__lane* lane) {
  const weft__stepper* stepper = context;
  if (weft__particles_is_asleep(&stepper->particles, lane->a)) {
    clear(stepper->schedule.links.torn, lane);
  } else {
    tear(context, lane);
  }
}

void weft__tear_marked(weft__stepper* stepper, weft__tear_choice choice) {
  const weft__schedule* schedule = &stepper->schedule;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    if (!stepper->torn.in_patch[patch]) continue;
    weft__schedule_visit(schedule, patch, schedule->links.torn,
                         choice == WEFT__TEAR_AWAKE ? tear_if_awake : tear, stepper);
    stepper->torn.in_patch[patch] = false;
  }
}

void weft__tear_slot(weft__stepper* stepper, uint32_t slot) {
  const weft__lane lane = weft__schedule_lane(&stepper->schedule, slot);
  tear(stepper, &lane);
}

void weft__enable_slot(weft__stepper* stepper, uint32_t slot, bool enabled) {
  const weft__schedule* schedule = &stepper->schedule;
  const weft__lane lane = weft__schedule_lane(schedule, slot);
  if (enabled && is_set(schedule->links.disabled, &lane)) {
    weft__wake(&stepper->stages, lane.a);
    clear(schedule->links.disabled, &lane);
    set(schedule->links.lane_mask, &lane);
  }
  if (!enabled && is_set(schedule->links.lane_mask, &lane)) {
    deactivate(stepper, &lane);
    set(schedule->links.disabled, &lane);
  }
}

void weft__remove_slot(weft__stepper* stepper, uint32_t slot) {
  const weft__lane lane = weft__schedule_lane(&stepper->schedule, slot);
  deactivate(stepper, &lane);
  clear(stepper->schedule.links.disabled, &lane);
}

// ---- removed particles ----

typedef struct removal {
  weft__stepper* stepper;
  uint32_t first, count; /* caller's order */
} removal;

static bool is_removed(const void* context, uint32_t particle) {
  const removal* r = context;
  return r->stepper->schedule.user_of[particle] - r->first < r->count;
}

// Links between two removed particles only lose their lane: finding the elements built on each
// would take long.
static void remove_link(void* context, const weft__lane* lane) {
  const removal* r = context;
  const bool has_a = is_removed(r, lane->a);
  const bool has_b = is_removed(r, lane->b);
  if (!has_a && !has_b) return;
  if (has_a && has_b) {
    clear(r->stepper->schedule.links.lane_mask, lane);
  } else {
    deactivate(r->stepper, lane);
  }
  clear(r->stepper->schedule.links.disabled, lane);
}

static void pin_removed(weft__stepper* stepper, uint32_t i) {
  weft__reserve* reserve = &stepper->particles.reserve;
  const uint32_t user = stepper->schedule.user_of[i];
  if (weft__reserve_has(reserve, user) && !weft__reserve_is_free(reserve, user)) {
    weft__reserve_release(reserve, user);
  }
  stepper->particles.removed[i] = true;
  weft__grips_remove(&stepper->grips, i);
  stepper->particles.inv_mass[i] = 0.0f;
  weft__particles_stop(&stepper->particles, i);
  weft__moves_cancel(&stepper->moves, i);
}

static void break_joints(const removal* r) {
  const weft__joints* joints = &r->stepper->joints;
  for (uint32_t n = 0; n < joints->end; ++n) {
    weft__joint* joint = &joints->joints[n];
    bool is_attached = false;
    for (uint32_t e = 0; e < joint->end_count; ++e)
      is_attached |= is_removed(r, joint->particle[e]);
    if (is_attached && joint->state == WEFT__JOINT_WHOLE) joint->state = WEFT__JOINT_BROKEN;
  }
}

void weft__remove_loose_particle(weft__stepper* stepper, uint32_t user) {
  const removal r = {stepper, user, 1};
  pin_removed(stepper, stepper->schedule.solver_of[user]);
  break_joints(&r);
  weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_MEMBERS});
  stepper->weighed = false;
}

void weft__remove_particles(weft__stepper* stepper, uint32_t first, uint32_t count) {
  const weft__schedule* schedule = &stepper->schedule;
  removal r = {stepper, first, count};
  for (uint32_t patch = 0; patch < schedule->patch_count && count > 0; ++patch) {
    weft__schedule_visit(schedule, patch, schedule->links.lane_mask, remove_link, &r);
    weft__schedule_visit(schedule, patch, schedule->links.disabled, remove_link, &r);
    weft__hinges_release(&schedule->hinges, patch, is_removed, &r);
    weft__membranes_release(&schedule->membranes, patch, is_removed, &r);
  }
  weft__stages_changed(
      &stepper->stages,
      &(weft__change){.kind = WEFT__CHANGE_REMOVED, .lets_go = is_removed, .context = &r});
  for (uint32_t user = first; user < first + count; ++user) {
    const uint32_t i = schedule->solver_of[user];
    pin_removed(stepper, i);
    weft__levels_release(&stepper->levels, i);
    weft__attachments_release(&stepper->attachments, i);
  }
  break_joints(&r);
  weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_MEMBERS});
  stepper->weighed = false;
}
