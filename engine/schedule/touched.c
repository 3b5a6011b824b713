#include "schedule/touched.h"

#include <string.h>

typedef struct toucher {
  const weft__schedule* schedule;
  weft__visit_range* visit;
  void* context;
} toucher;

// Without padding rows.
static bool touch_range(const toucher* t, uint32_t first, uint32_t end) {
  const uint32_t count = t->schedule->particle_count;
  return t->visit(t->context, (weft__range){first, end < count ? end : count});
}

static bool touch_run(const toucher* t, const weft__run* run) {
  const weft__schedule* schedule = t->schedule;
  const uint32_t reach = run->group_count * WEFT__LANES;
  if (run->kind == WEFT__RUN_CONTIGUOUS) {
    return touch_range(t, run->a, run->a + reach) && touch_range(t, run->b, run->b + reach);
  }
  // fans touch only the patch's segments
  if (run->kind != WEFT__RUN_INDEXED) return true;
  for (uint32_t i = run->index; i < run->index + reach; ++i) {
    const uint32_t a = schedule->index_a[i];
    const uint32_t b = schedule->index_b[i];
    if (!touch_range(t, a, a + 1) || !touch_range(t, b, b + 1)) return false;
  }
  return true;
}

static bool touch_segments(const toucher* t, const weft__segment* segments, uint32_t count) {
  for (uint32_t s = 0; s < count; ++s) {
    if (!touch_range(t, segments[s].first, segments[s].first + segments[s].count)) return false;
  }
  return true;
}

// first_piece: the patch's, and the next one's
static bool touch_pieces(const toucher* t, const uint32_t first_piece[2], const weft__piece* pieces,
                         const weft__segment* segments) {
  for (uint32_t p = first_piece[0]; p < first_piece[1]; ++p) {
    if (!touch_segments(t, segments + pieces[p].first_segment, pieces[p].segment_count)) {
      return false;
    }
  }
  return true;
}

static bool touch_elements(const toucher* t, uint32_t patch) {
  const weft__hinge_schedule* hinges = &t->schedule->hinges;
  const weft__membrane_schedule* membranes = &t->schedule->membranes;
  return (hinges->hinge_count == 0 ||
          touch_pieces(t, hinges->patch_first_piece + patch, hinges->pieces, hinges->segments)) &&
         (membranes->membrane_count == 0 || touch_pieces(t, membranes->patch_first_piece + patch,
                                                         membranes->pieces, membranes->segments));
}

bool weft__visit_touched(const weft__schedule* schedule, uint32_t patch, weft__visit_range* visit,
                         void* context) {
  const toucher t = {schedule, visit, context};
  const uint32_t* segment = schedule->patch_first_segment + patch;
  if (!touch_segments(&t, schedule->segments + segment[0], segment[1] - segment[0]) ||
      !touch_elements(&t, patch)) {
    return false;
  }
  const uint32_t end_run = weft__patch_end_run(schedule, patch);
  for (uint32_t r = weft__patch_first_run(schedule, patch); r < end_run; ++r) {
    if (!touch_run(&t, &schedule->runs[r])) return false;
  }
  return true;
}

bool weft__mark_range(void* context, weft__range particles) {
  uint8_t* marks = context;
  if (particles.end > particles.begin) {
    memset(marks + particles.begin, 1, particles.end - particles.begin);
  }
  return true;
}

void weft__mark_touched(const weft__schedule* schedule, weft__range patches, uint8_t* marks) {
  const uint32_t* first = schedule->patch_first;
  (void)weft__mark_range(marks, (weft__range){first[patches.begin], first[patches.end]});
  for (uint32_t patch = patches.begin; patch < patches.end; ++patch) {
    (void)weft__visit_touched(schedule, patch, weft__mark_range, marks);
  }
}

static void mark_own(const void* table, const weft__domain* domain, uint8_t* marks) {
  weft__mark_touched(table, domain->patches, marks);
}

const weft__halo_rows weft__touched_rows = {.mark = mark_own};
