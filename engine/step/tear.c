#include "step/tear.h"

#include "coarse/tears.h"

// a hinge that lost a link is the patch's in which its middle lies: this one or one beside it
static void tear_hinges(const weft__schedule* schedule, uint32_t patch, uint32_t a, uint32_t b) {
  weft__hinges_tear(&schedule->hinges, patch, a, b);
  const uint32_t end = schedule->patch_first_neighbor[patch + 1];
  for (uint32_t n = schedule->patch_first_neighbor[patch]; n < end; ++n) {
    weft__hinges_tear(&schedule->hinges, schedule->neighbors[n], a, b);
  }
}

// tears the links of a run's group whose lanes are marked
static void tear_group(weft__stepper* stepper, uint32_t patch, const weft__run* run,
                       uint32_t group) {
  weft__schedule* schedule = &stepper->schedule;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    const uint32_t bit = 1u << lane;
    if ((schedule->torn[group] & bit) == 0) continue;
    uint32_t a = 0;
    uint32_t b = 0;
    weft__schedule_ends(schedule, patch, run, group, lane, &a, &b);
    schedule->lane_mask[group] = (uint16_t)(schedule->lane_mask[group] & ~bit);
    tear_hinges(schedule, patch, a, b);
    weft__levels_tear(&stepper->levels, schedule, a, b);
    ++stepper->torn_count;
  }
}

void weft__tear_found(weft__stepper* stepper) {
  const weft__schedule* schedule = &stepper->schedule;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    if (!stepper->has_torn[patch]) continue;
    const uint32_t end = weft__patch_end_run(schedule, patch);
    for (uint32_t r = weft__patch_first_run(schedule, patch); r < end; ++r) {
      const weft__run* run = &schedule->runs[r];
      if (!weft__run_can_tear(run)) continue;
      for (uint32_t g = 0; g < run->group_count; ++g) {
        tear_group(stepper, patch, run, run->first_group + g);
      }
    }
  }
}
