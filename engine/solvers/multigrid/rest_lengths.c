#include "solvers/multigrid/rest_lengths.h"

#include <string.h>

#include "base/memory.h"
#include "tables/particles.h"

enum { ENDS = WEFT__GROUP(1) };

#define LANES(name, kind) \
  WEFT__COLUMN_TIMES(weft__coarse_rest_lengths, name, WEFT__LANES, group_count, 0, kind)

static const weft__column columns[] = {
    WEFT__COLUMN_TIMES(weft__coarse_rest_lengths, own[0], 6, particle_count,
                       6 * WEFT__PARTICLE_PADDING, WEFT__DERIVED),
    LANES(drawn, WEFT__DERIVED),
    LANES(lower, WEFT__DERIVED),
    LANES(end_a, ENDS | WEFT__DERIVED),
    LANES(end_b, ENDS | WEFT__DERIVED),
};
static const weft__table table = WEFT__TABLE(columns);

static void place_columns(weft__coarse_rest_lengths* rests) {
  const size_t count = (size_t)rests->particle_count + WEFT__PARTICLE_PADDING;
  for (size_t axis = 0; axis < 3; ++axis) {
    rests->own[axis] = rests->own[0] + axis * count;
    rests->center[axis] = rests->own[0] + (3 + axis) * count;
  }
}

static bool expand_to_lanes(weft__coarse_rest_lengths* rests, weft__schedule* schedule,
                            size_t* bytes) {
  const size_t lanes = (size_t)schedule->links.group_count * WEFT__LANES;
  float* rest_length = weft__alloc(lanes, sizeof(*rest_length));
  if (rest_length == NULL) return false;
  for (uint32_t r = 0; r < schedule->run_count; ++r) {
    weft__run* run = &schedule->runs[r];
    for (uint32_t g = 0; g < run->group_count; ++g) {
      memcpy(rests->drawn + (size_t)(run->first_group + g) * WEFT__LANES,
             schedule->links.rest_length + run->rest + (size_t)g * run->rest_stride,
             WEFT__LANES * sizeof(*rest_length));
    }
    run->rest = run->first_group * WEFT__LANES;
    run->rest_stride = WEFT__LANES;
  }
  memcpy(rest_length, rests->drawn, lanes * sizeof(*rest_length));
  weft__free(schedule->links.rest_length);
  schedule->links.rest_length = rest_length;
  *bytes += lanes * sizeof(*rest_length);
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
  if (schedule->run_group_count == schedule->links.group_count) return true;
  if (!weft__columns_add(rests, &table, ENDS, bytes)) return false;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    weft__schedule_visit(schedule, patch, schedule->links.lane_mask, list_ends, rests);
  }
  return true;
}

bool weft__rests_create(weft__coarse_rest_lengths* rests, weft__schedule* schedule, size_t* bytes) {
  rests->particle_count = schedule->particle_count;
  rests->group_count = schedule->links.group_count;
  if (!weft__columns_add(rests, &table, 0, bytes)) return false;
  place_columns(rests);
  return expand_to_lanes(rests, schedule, bytes) && make_ends(rests, schedule, bytes);
}

void weft__rests_destroy(weft__coarse_rest_lengths* rests) {
  weft__columns_free(rests, &table);
}
