#include "tables/schedule.h"

#include "base/sort.h"

static const weft__column columns[] = {
    [WEFT__EMIT_REST] = WEFT__GROWN(weft__schedule, links.rest_length),
    [WEFT__EMIT_RELAXATION] = WEFT__GROWN(weft__schedule, links.relaxation),
    [WEFT__EMIT_COMPLIANCE] = WEFT__GROWN(weft__schedule, links.compliance),
    [WEFT__EMIT_TEAR_RATIO] = WEFT__GROWN(weft__schedule, links.tear_ratio),
    [WEFT__EMIT_SLACK_BELOW] = WEFT__GROWN(weft__schedule, links.slack_below),
    [WEFT__EMIT_SLACK_ABOVE] = WEFT__GROWN(weft__schedule, links.slack_above),
    [WEFT__EMIT_BATCHES] = WEFT__GROWN(weft__schedule, batch_first_run),
    [WEFT__EMIT_RUNS] = WEFT__GROWN(weft__schedule, runs),
    [WEFT__EMIT_SEGMENTS] = WEFT__GROWN(weft__schedule, segments),
    [WEFT__EMIT_MASKS] =
        WEFT__COLUMN(weft__schedule, links.lane_mask, links.group_count, WEFT__STATE),
    [WEFT__EMIT_STRUCTURAL] = WEFT__GROWN(weft__schedule, links.structural),
    [WEFT__EMIT_INDEX_A] = WEFT__GROWN(weft__schedule, index_a),
    [WEFT__EMIT_INDEX_B] = WEFT__GROWN(weft__schedule, index_b),
    [WEFT__EMIT_LOCALS] = WEFT__GROWN(weft__schedule, index_local),
    [WEFT__EMIT_HINGE_SEGMENTS] = WEFT__GROWN(weft__schedule, hinges.segments),
    [WEFT__EMIT_PIECES] = WEFT__GROWN(weft__schedule, hinges.pieces),
    // whole: removed hinges and membranes have lost their coefficients
    [WEFT__EMIT_LANES] =
        WEFT__COLUMN(weft__schedule, hinges.lanes, hinges.lanes_count, WEFT__STATE),
    [WEFT__EMIT_YIELD] = WEFT__GROWN(weft__schedule, hinges.yield),
    [WEFT__EMIT_MEMBRANE_SEGMENTS] = WEFT__GROWN(weft__schedule, membranes.segments),
    [WEFT__EMIT_MEMBRANE_PIECES] = WEFT__GROWN(weft__schedule, membranes.pieces),
    [WEFT__EMIT_MEMBRANE_LANES] =
        WEFT__COLUMN(weft__schedule, membranes.lanes, membranes.lanes_count, WEFT__STATE),
    [WEFT__EMIT_FIRST_BATCH] = WEFT__GROWN(weft__schedule, patch_first_batch),
    [WEFT__EMIT_FIRST_SEGMENT] = WEFT__GROWN(weft__schedule, patch_first_segment),
    [WEFT__EMIT_FIRST_PIECE] = WEFT__GROWN(weft__schedule, hinges.patch_first_piece),
    [WEFT__EMIT_FIRST_LANES] = WEFT__GROWN(weft__schedule, hinges.patch_first_lanes),
    [WEFT__EMIT_FIRST_MEMBRANE_PIECE] = WEFT__GROWN(weft__schedule, membranes.patch_first_piece),
    [WEFT__EMIT_FIRST_MEMBRANE_LANES] = WEFT__GROWN(weft__schedule, membranes.patch_first_lanes),
    [WEFT__EMIT_END] = WEFT__GROWN(weft__schedule, user_of),
    WEFT__GROWN(weft__schedule, solver_of),
    WEFT__GROWN(weft__schedule, environment_first),
    WEFT__GROWN(weft__schedule, environment_of),
    WEFT__GROWN(weft__schedule, patch_color),
    WEFT__GROWN(weft__schedule, component),
    WEFT__GROWN(weft__schedule, patch_first_neighbor),
    WEFT__GROWN(weft__schedule, neighbors),
    WEFT__GROWN(weft__schedule, patch_first),
    WEFT__GROWN(weft__schedule, links.scene_rest_length),
    WEFT__GROWN(weft__schedule, links.scene_rest),
    WEFT__GROWN(weft__schedule, links.slot_of_link),
    // clear between steps
    WEFT__COLUMN(weft__schedule, links.torn, links.group_count, WEFT__TEAR_MASKS | WEFT__SCRATCH),
    WEFT__COLUMN(weft__schedule, links.disabled, links.group_count, WEFT__TEAR_MASKS | WEFT__STATE),
    // read by measures, not by steps
    WEFT__COLUMN_TIMES(weft__schedule, links.multiplier, WEFT__LANES, links.group_count, 0,
                       WEFT__LINK_MULTIPLIERS | WEFT__CACHE | WEFT__HALO),
    WEFT__LIST(weft__schedule, hinges.multipliers, hinges.tracked_count, hinges.lanes_count,
               WEFT__HINGE_MULTIPLIERS | WEFT__CACHE | WEFT__HALO),
    WEFT__COLUMN(weft__schedule, membranes.multipliers, membranes.lanes_count,
                 WEFT__MEMBRANE_MULTIPLIERS | WEFT__SCRATCH | WEFT__HALO),
};

const weft__table weft__schedule_table = WEFT__TABLE(columns);

bool weft__schedule_add(weft__schedule* schedule, uint32_t group) {
  return weft__columns_add(schedule, &weft__schedule_table, group, &schedule->bytes);
}

void weft__fill_patch_of(const uint32_t* patch_first, uint32_t patch_count, uint32_t* patch_of) {
  for (uint32_t patch = 0; patch < patch_count; ++patch) {
    for (uint32_t i = patch_first[patch]; i < patch_first[patch + 1]; ++i) patch_of[i] = patch;
  }
}

uint32_t weft__patch_of_particle(const weft__schedule* schedule, uint32_t particle) {
  return weft__find_last(schedule->patch_first, schedule->patch_count, particle);
}

void weft__schedule_ends(const weft__schedule* schedule, uint32_t patch, const weft__run* run,
                         uint32_t group, uint32_t lane, uint32_t* a, uint32_t* b) {
  const uint32_t offset = (group - run->first_group) * WEFT__LANES + lane;
  const weft__segment* segments = schedule->segments + schedule->patch_first_segment[patch];
  switch ((weft__run_kind)run->kind) {
    case WEFT__RUN_CONTIGUOUS:
      *a = run->a + offset;
      *b = run->b + offset;
      break;
    case WEFT__RUN_INDEXED:
      *a = schedule->index_a[run->index + offset];
      *b = schedule->index_b[run->index + offset];
      break;
    case WEFT__RUN_FAN:
      *a = weft__particle_of_record(segments, schedule->index_local[run->a + offset] / 2);
      *b = weft__particle_of_record(segments, schedule->index_local[run->index + offset] / 2);
      break;
  }
}

weft__lane weft__schedule_lane(const weft__schedule* schedule, uint32_t slot) {
  const uint32_t group = slot / WEFT__LANES;
  const uint32_t run = weft__find_last_of(&schedule->runs->first_group, sizeof(*schedule->runs),
                                          schedule->run_count, group);
  const uint32_t batch = weft__find_last(schedule->batch_first_run, schedule->batch_count, run);
  weft__lane lane = {
      .patch = weft__find_last(schedule->patch_first_batch, schedule->patch_count, batch),
      .group = group,
      .bit = 1u << slot % WEFT__LANES,
      .run = &schedule->runs[run],
  };
  weft__schedule_ends(schedule, lane.patch, lane.run, group, slot % WEFT__LANES, &lane.a, &lane.b);
  return lane;
}

static void visit_group(const weft__schedule* schedule, weft__lane* lane, uint32_t mask,
                        weft__visit_lane* visit, void* context) {
  for (uint32_t i = 0; i < WEFT__LANES; ++i) {
    lane->bit = 1u << i;
    if ((mask & lane->bit) == 0) continue;
    weft__schedule_ends(schedule, lane->patch, lane->run, lane->group, i, &lane->a, &lane->b);
    visit(context, lane);
  }
}

void weft__schedule_visit(const weft__schedule* schedule, uint32_t patch, const uint16_t* masks,
                          weft__visit_lane* visit, void* context) {
  weft__lane lane = {.patch = patch};
  const uint32_t end = weft__patch_end_run(schedule, patch);
  for (uint32_t r = weft__patch_first_run(schedule, patch); r < end; ++r) {
    lane.run = &schedule->runs[r];
    for (uint32_t g = 0; g < lane.run->group_count; ++g) {
      lane.group = lane.run->first_group + g;
      visit_group(schedule, &lane, masks[lane.group], visit, context);
    }
  }
}

bool weft__links_any_gone(const weft__link_schedule* links) {
  uint32_t active = 0;
  for (uint32_t g = 0; g < links->group_count; ++g) {
    active += (uint32_t)__builtin_popcount(links->lane_mask[g]);
  }
  return active < links->link_count;
}

bool weft__schedule_track(weft__schedule* schedule) {
  schedule->links.is_tracked = true;
  schedule->hinges.tracked_count = schedule->hinges.lanes_count;
  return weft__schedule_add(schedule, WEFT__LINK_MULTIPLIERS);
}

void weft__schedule_destroy(weft__schedule* schedule) {
  weft__columns_free(schedule, &weft__schedule_table);
  *schedule = (weft__schedule){0};
}
