#include "tables/schedule.h"

#include <stdlib.h>

void weft__list_patch_of(const uint32_t* patch_first, uint32_t patch_count, uint32_t* patch_of) {
  for (uint32_t patch = 0; patch < patch_count; ++patch) {
    for (uint32_t i = patch_first[patch]; i < patch_first[patch + 1]; ++i) patch_of[i] = patch;
  }
}

void weft__schedule_ends(const weft__schedule* schedule, const weft__run* run, uint32_t group,
                         uint32_t lane, uint32_t* a, uint32_t* b) {
  const size_t offset = (size_t)(group - run->first_group) * WEFT__LANES + lane;
  if (run->kind == WEFT__RUN_CONTIGUOUS) {
    *a = run->a + (uint32_t)offset;
    *b = run->b + (uint32_t)offset;
  } else {
    *a = schedule->index_a[run->a + offset];
    *b = schedule->index_b[run->a + offset];
  }
}

void weft__schedule_destroy(weft__schedule* schedule) {
  free(schedule->user_of);
  free(schedule->solver_of);
  free(schedule->color_first);
  free(schedule->color_patches);
  free(schedule->patch_first);
  free(schedule->patch_first_batch);
  free(schedule->batch_first_run);
  free(schedule->runs);
  free(schedule->lane_mask);
  free(schedule->index_a);
  free(schedule->index_b);
  free(schedule->rest_length);
  free(schedule->stiffness);
  free(schedule->slot_of_link);
  *schedule = (weft__schedule){0};
}
