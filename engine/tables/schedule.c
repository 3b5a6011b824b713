#include "tables/schedule.h"

#include <stdlib.h>

void weft__list_patch_of(const uint32_t* patch_first, uint32_t patch_count, uint32_t* patch_of) {
  for (uint32_t patch = 0; patch < patch_count; ++patch) {
    for (uint32_t i = patch_first[patch]; i < patch_first[patch + 1]; ++i) patch_of[i] = patch;
  }
}

uint32_t weft__patch_of_particle(const weft__schedule* schedule, uint32_t particle) {
  uint32_t patch = 0;
  for (uint32_t beyond = schedule->patch_count; patch + 1 < beyond;) {
    const uint32_t middle = patch + (beyond - patch) / 2;
    if (schedule->patch_first[middle] <= particle) {
      patch = middle;
    } else {
      beyond = middle;
    }
  }
  return patch;
}

// the particle behind a record of the patch
static uint32_t particle_of_local(const weft__schedule* schedule, uint32_t patch, uint32_t local) {
  const weft__segment* segment = &schedule->segments[schedule->patch_first_segment[patch]];
  while (local >= segment->count) local -= segment++->count;
  return segment->first + local;
}

void weft__schedule_ends(const weft__schedule* schedule, uint32_t patch, const weft__run* run,
                         uint32_t group, uint32_t lane, uint32_t* a, uint32_t* b) {
  const uint32_t offset = (group - run->first_group) * WEFT__LANES + lane;
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
      *a = particle_of_local(schedule, patch, schedule->index_local[run->a + offset] / 2);
      *b = particle_of_local(schedule, patch, schedule->index_local[run->index + offset] / 2);
      break;
  }
}

void weft__schedule_destroy(weft__schedule* schedule) {
  free(schedule->user_of);
  free(schedule->solver_of);
  free(schedule->patch_color);
  free(schedule->patch_first_neighbor);
  free(schedule->neighbors);
  free(schedule->patch_first);
  free(schedule->patch_first_batch);
  free(schedule->batch_first_run);
  free(schedule->runs);
  free(schedule->lane_mask);
  free(schedule->index_a);
  free(schedule->index_b);
  free(schedule->index_local);
  free(schedule->patch_first_segment);
  free(schedule->segments);
  free(schedule->rest_length);
  free(schedule->stiffness);
  free(schedule->compliance);
  free(schedule->tear_ratio);
  free(schedule->slack_below);
  free(schedule->slack_above);
  free(schedule->multiplier);
  free(schedule->torn);
  free(schedule->slot_of_link);
  weft__hinge_schedule_destroy(&schedule->hinges);
  *schedule = (weft__schedule){0};
}
