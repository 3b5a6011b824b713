#include "edit/link_values.h"

#include <string.h>

#include "base/memory.h"

static float** column_of(weft__link_schedule* links, weft__link_value value) {
  return value == WEFT__VALUE_REST_LENGTH ? &links->rest_length : &links->compliance;
}

// One value per lane.
static void spread_runs(weft__schedule* schedule, weft__link_value value, float* column) {
  const float* from = *column_of(&schedule->links, value);
  for (uint32_t r = 0; r < schedule->run_count; ++r) {
    weft__run* run = &schedule->runs[r];
    weft__parameter* at = &run->parameter[value];
    if (at->first == WEFT__NONE) continue;
    for (uint32_t g = 0; g < run->group_count; ++g) {
      memcpy(column + (size_t)(run->first_group + g) * WEFT__LANES,
             from + at->first + (size_t)g * at->stride, WEFT__LANES * sizeof(*column));
    }
    *at = (weft__parameter){run->first_group * WEFT__LANES, WEFT__LANES};
  }
}

// Exclusions are made of the scene's rest lengths.
static bool keep_rest_lengths(weft__schedule* schedule) {
  weft__parameter* of_run = weft__alloc(schedule->run_count, sizeof(*of_run));
  if (of_run == NULL) return false;
  for (uint32_t r = 0; r < schedule->run_count; ++r) {
    of_run[r] = schedule->runs[r].parameter[WEFT__VALUE_REST_LENGTH];
  }
  schedule->links.scene_rest = of_run;
  schedule->links.scene_rest_length = schedule->links.rest_length;
  schedule->bytes += schedule->run_count * sizeof(*of_run);
  return true;
}

bool weft__link_values_spread(weft__schedule* schedule, weft__link_value value) {
  if (schedule->links.is_spread[value]) return true;
  const size_t lanes = (size_t)schedule->links.group_count * WEFT__LANES;
  float* column = weft__alloc_zeroed(lanes, sizeof(*column));
  const bool is_rest = value == WEFT__VALUE_REST_LENGTH;
  if (column == NULL || (is_rest && !keep_rest_lengths(schedule)) ||
      (!is_rest && !weft__schedule_add(schedule, WEFT__LINK_MULTIPLIERS))) {
    weft__free(column);
    return false;
  }
  spread_runs(schedule, value, column);
  if (!is_rest) weft__free(*column_of(&schedule->links, value));
  *column_of(&schedule->links, value) = column;
  schedule->bytes += lanes * sizeof(*column);
  schedule->links.is_spread[value] = true;
  return true;
}

void weft__link_values_visit(weft__schedule* schedule, weft__archive* archive) {
  const weft__link_value values[] = {WEFT__VALUE_REST_LENGTH, WEFT__VALUE_COMPLIANCE};
  const size_t lanes = (size_t)schedule->links.group_count * WEFT__LANES;
  for (int k = 0; k < 2; ++k) {
    bool is_spread = schedule->links.is_spread[values[k]];
    WEFT__ARCHIVE_VALUE(archive, is_spread);
    if (is_spread != schedule->links.is_spread[values[k]]) {
      weft__archive_fail(archive, WEFT_ERROR_FOREIGN, "links");
      return;
    }
    if (is_spread) WEFT__ARCHIVE_ARRAY(archive, *column_of(&schedule->links, values[k]), lanes);
  }
  for (uint32_t r = 0; r < schedule->run_count && schedule->links.is_spread[WEFT__VALUE_COMPLIANCE];
       ++r) {
    weft__parameter at = schedule->runs[r].parameter[WEFT__VALUE_COMPLIANCE];
    WEFT__ARCHIVE_VALUE(archive, at);
    if (weft__archive_is_loading(archive)) {
      schedule->runs[r].parameter[WEFT__VALUE_COMPLIANCE] = at;
    }
  }
}

float weft__link_values_get(const weft__link_schedule* links, weft__link_value value,
                            const weft__lane* lane) {
  const float* column = value == WEFT__VALUE_REST_LENGTH ? links->rest_length : links->compliance;
  const weft__parameter* at = &lane->run->parameter[value];
  if (at->first == WEFT__NONE) return 0.0f;
  const size_t group = lane->group - lane->run->first_group;
  return column[at->first + group * at->stride + (uint32_t)__builtin_ctz(lane->bit)];
}

void weft__link_values_set(weft__schedule* schedule, weft__link_value value, const weft__lane* lane,
                           float number) {
  (*column_of(&schedule->links, value))[weft__lane_slot(lane)] = number;
  weft__run* run = &schedule->runs[lane->run - schedule->runs];
  if (number == 0.0f || run->parameter[value].first != WEFT__NONE) return;
  run->parameter[value] = (weft__parameter){run->first_group * WEFT__LANES, WEFT__LANES};
}
