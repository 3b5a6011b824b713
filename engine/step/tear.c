#include "step/tear.h"

#include "solvers/multigrid/torn_coarse_links.h"

// Hinges and triangles over a link are in the patch of their home particle: this one or a
// neighbour.
static void tear_elements(weft__constraint_tables* tables, const weft__lane* lane) {
  const weft__schedule* schedule = tables->schedule;
  weft__stages_changed(tables->stages,
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
static void deactivate(weft__constraint_tables* tables, const weft__lane* lane) {
  const weft__schedule* schedule = tables->schedule;
  if (!is_set(schedule->links.lane_mask, lane)) return;
  weft__wake(tables->stages, lane->a);
  clear(schedule->links.lane_mask, lane);
  tear_elements(tables, lane);
  weft__levels_tear(tables->levels, schedule, lane->a, lane->b);
  weft__attachments_tear(tables->attachments, lane->a, lane->b);
}

static void tear(void* context, const weft__lane* lane) {
  weft__constraint_tables* tables = context;
  const weft__schedule* schedule = tables->schedule;
  if (!is_set(schedule->links.lane_mask, lane) && !is_set(schedule->links.disabled, lane)) return;
  deactivate(tables, lane);
  clear(schedule->links.disabled, lane);
  clear(schedule->links.torn, lane);
  ++tables->torn->count;
  *tables->any_torn = true;
  weft__torn_events_push(&tables->torn->events, weft__lane_slot(lane));
}

// A sleeping particle is held, and bears its load.
static void tear_if_awake(void* context, const weft__lane* lane) {
  weft__constraint_tables* tables = context;
  if (weft__particles_is_asleep(tables->particles, lane->a)) {
    clear(tables->schedule->links.torn, lane);
  } else {
    tear(tables, lane);
  }
}

void weft__tear_marked(weft__constraint_tables* tables, weft__tear_choice choice) {
  const weft__schedule* schedule = tables->schedule;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    if (!tables->torn->in_patch[patch]) continue;
    weft__schedule_visit(schedule, patch, schedule->links.torn,
                         choice == WEFT__TEAR_AWAKE ? tear_if_awake : tear, tables);
    tables->torn->in_patch[patch] = false;
  }
}

void weft__tear_slot(weft__constraint_tables* tables, uint32_t slot) {
  const weft__lane lane = weft__schedule_lane(tables->schedule, slot);
  tear(tables, &lane);
}

void weft__enable_slot(weft__constraint_tables* tables, uint32_t slot, bool enabled) {
  const weft__schedule* schedule = tables->schedule;
  const weft__lane lane = weft__schedule_lane(schedule, slot);
  if (enabled && is_set(schedule->links.disabled, &lane)) {
    weft__wake(tables->stages, lane.a);
    clear(schedule->links.disabled, &lane);
    set(schedule->links.lane_mask, &lane);
  }
  if (!enabled && is_set(schedule->links.lane_mask, &lane)) {
    deactivate(tables, &lane);
    set(schedule->links.disabled, &lane);
  }
}

void weft__remove_link(weft__constraint_tables* tables, const weft__lane* lane) {
  deactivate(tables, lane);
  clear(tables->schedule->links.disabled, lane);
}

typedef struct removal {
  weft__constraint_tables* tables;
  weft__is_released* lets_go;
  const void* context;
} removal;

// Links between two removed particles only lose their lane: finding the elements built on each
// would take long.
static void remove_by_ends(void* context, const weft__lane* lane) {
  const removal* r = context;
  const bool has_a = r->lets_go(r->context, lane->a);
  const bool has_b = r->lets_go(r->context, lane->b);
  if (!has_a && !has_b) return;
  if (has_a && has_b) clear(r->tables->schedule->links.lane_mask, lane);
  weft__remove_link(r->tables, lane);
}

void weft__remove_links(weft__constraint_tables* tables, weft__is_released* lets_go,
                        const void* context) {
  const weft__schedule* schedule = tables->schedule;
  removal r = {tables, lets_go, context};
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    weft__schedule_visit(schedule, patch, schedule->links.lane_mask, remove_by_ends, &r);
    weft__schedule_visit(schedule, patch, schedule->links.disabled, remove_by_ends, &r);
    weft__hinges_release(&schedule->hinges, patch, lets_go, context);
    weft__membranes_release(&schedule->membranes, patch, lets_go, context);
  }
  weft__stages_changed(
      tables->stages,
      &(weft__change){.kind = WEFT__CHANGE_REMOVED, .lets_go = lets_go, .context = context});
}
