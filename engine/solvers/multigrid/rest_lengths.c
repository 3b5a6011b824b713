#include "solvers/multigrid/rest_lengths.h"

#include <string.h>

#include "base/memory.h"
#include "tables/particles.h"

static bool make_columns(weft__coarse_rest_lengths* rests, uint32_t particle_count, size_t* bytes) {
  const size_t count = (size_t)particle_count + WEFT__PARTICLE_PADDING;
  float* block = weft__alloc_zeroed(6 * count, sizeof(*block));
  rests->own[0] = block;
  if (block == NULL) return false;
  for (size_t axis = 0; axis < 3; ++axis) {
    rests->own[axis] = block + axis * count;
    rests->center[axis] = block + (3 + axis) * count;
  }
  *bytes += 6 * count * sizeof(*block);
  return true;
}

// Expands the rest lengths of runs: one value per lane, also where a run had one value per group.
static bool expand_to_lanes(weft__coarse_rest_lengths* rests, weft__schedule* schedule,
                            size_t* bytes) {
  const size_t lanes = (size_t)schedule->group_count * WEFT__LANES;
  rests->drawn = weft__alloc(lanes, sizeof(*rests->drawn));
  rests->lower = weft__alloc_zeroed(lanes, sizeof(*rests->lower));
  float* rest_length = weft__alloc(lanes, sizeof(*rest_length));
  if (rests->drawn == NULL || rests->lower == NULL || rest_length == NULL) {
    weft__free(rest_length);
    return false;
  }
  for (uint32_t r = 0; r < schedule->run_count; ++r) {
    weft__run* run = &schedule->runs[r];
    for (uint32_t g = 0; g < run->group_count; ++g) {
      memcpy(rests->drawn + (size_t)(run->first_group + g) * WEFT__LANES,
             schedule->rest_length + run->rest + (size_t)g * run->rest_stride,
             WEFT__LANES * sizeof(*rest_length));
    }
    run->rest = run->first_group * WEFT__LANES;
    run->rest_stride = WEFT__LANES;
  }
  memcpy(rest_length, rests->drawn, lanes * sizeof(*rest_length));
  weft__free(schedule->rest_length);
  schedule->rest_length = rest_length;
  *bytes += 3 * lanes * sizeof(*rest_length);
  return true;
}

static void list_ends(void* context, const weft__lane* lane) {
  const weft__coarse_rest_lengths* rests = context;
  const uint32_t slot = weft__lane_slot(lane);
  rests->end_a[slot] = lane->a;
  rests->end_b[slot] = lane->b;
}

static bool make_ends(weft__coarse_rest_lengths* rests, const weft__schedule* schedule,
                      size_t* bytes) {
  if (schedule->run_group_count == schedule->group_count) return true;
  const size_t lanes = (size_t)schedule->group_count * WEFT__LANES;
  rests->end_a = weft__alloc_zeroed(lanes, sizeof(*rests->end_a));
  rests->end_b = weft__alloc_zeroed(lanes, sizeof(*rests->end_b));
  if (rests->end_a == NULL || rests->end_b == NULL) return false;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    weft__schedule_visit(schedule, patch, schedule->lane_mask, list_ends, rests);
  }
  *bytes += 2 * lanes * sizeof(*rests->end_a);
  return true;
}

bool weft__rests_create(weft__coarse_rest_lengths* rests, weft__schedule* schedule, size_t* bytes) {
  return make_columns(rests, schedule->particle_count, bytes) &&
         expand_to_lanes(rests, schedule, bytes) && make_ends(rests, schedule, bytes);
}

void weft__rests_destroy(weft__coarse_rest_lengths* rests) {
  weft__free(rests->own[0]);
  weft__free(rests->drawn);
  weft__free(rests->lower);
  weft__free(rests->end_a);
  weft__free(rests->end_b);
}
