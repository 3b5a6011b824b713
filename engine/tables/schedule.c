#include "tables/schedule.h"

#include "base/memory.h"
#include "base/sort.h"

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

bool weft__schedule_any_gone(const weft__schedule* schedule) {
  uint32_t active = 0;
  for (uint32_t g = 0; g < schedule->group_count; ++g) {
    active += (uint32_t)__builtin_popcount(schedule->lane_mask[g]);
  }
  return active < schedule->link_count;
}

bool weft__schedule_make_tearable(weft__schedule* schedule) {
  const size_t groups = schedule->group_count;
  schedule->torn = weft__alloc_zeroed(groups, sizeof(*schedule->torn));
  schedule->disabled = weft__alloc_zeroed(groups, sizeof(*schedule->disabled));
  schedule->bytes += groups * (sizeof(*schedule->torn) + sizeof(*schedule->disabled));
  return schedule->torn != NULL && schedule->disabled != NULL;
}

bool weft__schedule_track(weft__schedule* schedule) {
  schedule->is_tracked = true;
  const size_t line_bytes = schedule->bend_lines.bytes;
  if (!weft__bend_lines_track(&schedule->bend_lines)) return false;
  schedule->bytes += schedule->bend_lines.bytes - line_bytes;
  if (schedule->multiplier != NULL) return true;
  const size_t lanes = (size_t)schedule->group_count * WEFT__LANES;
  schedule->multiplier = weft__alloc_zeroed(lanes, sizeof(*schedule->multiplier));
  schedule->bytes += lanes * sizeof(*schedule->multiplier);
  return schedule->multiplier != NULL;
}

void weft__schedule_destroy(weft__schedule* schedule) {
  weft__free(schedule->user_of);
  weft__free(schedule->solver_of);
  weft__free(schedule->environment_first);
  weft__free(schedule->environment_of);
  weft__free(schedule->patch_color);
  weft__free(schedule->patch_first_neighbor);
  weft__free(schedule->neighbors);
  weft__free(schedule->patch_first);
  weft__free(schedule->patch_first_batch);
  weft__free(schedule->batch_first_run);
  weft__free(schedule->runs);
  weft__free(schedule->lane_mask);
  weft__free(schedule->structural);
  weft__free(schedule->index_a);
  weft__free(schedule->index_b);
  weft__free(schedule->index_local);
  weft__free(schedule->patch_first_segment);
  weft__free(schedule->segments);
  weft__free(schedule->rest_length);
  weft__free(schedule->scene_rest_length);
  weft__free(schedule->scene_rest);
  weft__free(schedule->relaxation);
  weft__free(schedule->compliance);
  weft__free(schedule->tear_ratio);
  weft__free(schedule->slack_below);
  weft__free(schedule->slack_above);
  weft__free(schedule->multiplier);
  weft__free(schedule->torn);
  weft__free(schedule->disabled);
  weft__free(schedule->slot_of_link);
  weft__bend_lines_destroy(&schedule->bend_lines);
  weft__mesh_bends_destroy(&schedule->mesh_bends);
  weft__hinge_schedule_destroy(&schedule->hinges);
  weft__membrane_schedule_destroy(&schedule->membranes);
  *schedule = (weft__schedule){0};
}

void weft__schedule_visit_state(weft__schedule* schedule, weft__archive* archive) {
  WEFT__ARCHIVE_ARRAY(archive, schedule->lane_mask, schedule->group_count);
  if (schedule->disabled != NULL) {
    WEFT__ARCHIVE_ARRAY(archive, schedule->disabled, schedule->group_count);
  }
  weft__bend_lines_visit(&schedule->bend_lines, archive);
  weft__mesh_bends_visit(&schedule->mesh_bends, archive);
  weft__hinges_visit(&schedule->hinges, archive);
  weft__membranes_visit(&schedule->membranes, archive);
}

void weft__schedule_visit_multipliers(weft__schedule* schedule, weft__archive* archive) {
  if (schedule->multiplier != NULL) {
    WEFT__ARCHIVE_ARRAY(archive, schedule->multiplier, (size_t)schedule->group_count * WEFT__LANES);
  }
  const weft__bend_lines* lines = &schedule->bend_lines;
  if (lines->multiplier != NULL) {
    WEFT__ARCHIVE_ARRAY(archive, lines->multiplier, lines->row_count);
  }
  const weft__hinge_schedule* hinges = &schedule->hinges;
  if (schedule->is_tracked && hinges->hinge_count > 0) {
    WEFT__ARCHIVE_ARRAY(archive, hinges->multipliers, hinges->lanes_count);
  }
}
