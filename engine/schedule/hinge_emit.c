#include "schedule/hinge_emit.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// Segments are joined across small gaps, so that they are copied by long vectors. A piece that
// touches at most MAX_TOUCHED particles has at most WEFT__MAX_LOCALS records even so.
#define SEGMENT_GAP 8u
#define MAX_TOUCHED (WEFT__MAX_LOCALS / SEGMENT_GAP)

_Static_assert(WEFT__HINGE_LANES == WEFT__LANES, "lane pools hold groups of links and of hinges");

bool weft__hinge_emitter_create(weft__hinge_emitter* emitter, weft__schedule* schedule,
                                const weft__order* order, const weft__hinges* hinges) {
  const size_t particles = order->particle_count;
  *emitter = (weft__hinge_emitter){
      .schedule = schedule,
      .order = order,
      .hinges = hinges,
      .touched_by = weft__alloc_zeroed(particles, sizeof(*emitter->touched_by)),
      .local_of = weft__alloc(particles, sizeof(*emitter->local_of)),
      .touched = weft__alloc((size_t)2 * MAX_TOUCHED, sizeof(*emitter->touched)),
  };
  weft__hinge_schedule* target = &schedule->hinges;
  const size_t patches = (size_t)order->patch_count + 1;
  target->patch_first_run = weft__alloc(patches, sizeof(uint32_t));
  target->patch_first_piece = weft__alloc(patches, sizeof(uint32_t));
  target->patch_first_group = weft__alloc(patches, sizeof(uint32_t));
  target->patch_first_lanes = weft__alloc(patches, sizeof(uint32_t));
  target->bytes += 4 * patches * sizeof(uint32_t);
  return emitter->touched_by != NULL && emitter->local_of != NULL && emitter->touched != NULL &&
         target->patch_first_run != NULL && target->patch_first_piece != NULL &&
         target->patch_first_group != NULL && target->patch_first_lanes != NULL;
}

void weft__hinge_emitter_destroy(weft__hinge_emitter* emitter) {
  free(emitter->pending);
  free(emitter->touched_by);
  free(emitter->local_of);
  free(emitter->touched);
}

void weft__hinge_emit_patch_begin(weft__hinge_emitter* emitter, uint32_t patch) {
  weft__hinge_schedule* target = &emitter->schedule->hinges;
  target->patch_first_run[patch] = target->run_count;
  target->patch_first_piece[patch] = target->piece_count;
  target->patch_first_group[patch] = target->group_count;
  target->patch_first_lanes[patch] = target->lanes_count;
}

// ---- runs ----

// True if the window can be the next group of the run.
static bool extends_run(const weft__hinge_run* run, const weft__hinge_window* window,
                        weft__parameter compliance) {
  if (run->kind != window->kind || run->compliance_stride != compliance.stride ||
      compliance.first != run->compliance + run->group_count * compliance.stride) {
    return false;
  }
  const uint32_t further = run->group_count * weft__hinge_step(run);
  for (int i = 0; i < 3; ++i) {
    if (window->first[i] != run->first[i] + further) return false;
  }
  return true;
}

static bool push_run(weft__hinge_emitter* emitter, uint32_t patch, const weft__hinge_window* window,
                     weft__parameter compliance) {
  weft__hinge_schedule* target = &emitter->schedule->hinges;
  if (target->run_count > target->patch_first_run[patch]) {
    weft__hinge_run* last = &target->runs[target->run_count - 1];
    if (extends_run(last, window, compliance)) {
      ++last->group_count;
      return true;
    }
  }
  if (!weft__grow((void**)&target->runs, &emitter->run_capacity, (size_t)target->run_count + 1,
                  sizeof(*target->runs))) {
    return false;
  }
  target->runs[target->run_count++] = (weft__hinge_run){
      .kind = window->kind,
      .first_group = target->group_count,
      .group_count = 1,
      .first = {window->first[0], window->first[1], window->first[2]},
      .compliance = compliance.first,
      .compliance_stride = compliance.stride,
  };
  return true;
}

bool weft__hinge_emit_window(weft__hinge_emitter* emitter, uint32_t patch,
                             const weft__hinge_window* window) {
  weft__hinge_schedule* target = &emitter->schedule->hinges;
  weft__parameter compliance = {0};
  if (target->group_count == UINT32_MAX / WEFT__HINGE_LANES ||
      !weft__grow((void**)&target->lane_mask, &emitter->mask_capacity,
                  (size_t)target->group_count + 1, sizeof(*target->lane_mask)) ||
      !weft__lane_pool_store(&emitter->compliance, &target->compliance, window->hinge,
                             WEFT__HINGE_LANES, emitter->hinges->compliance, &compliance) ||
      !push_run(emitter, patch, window, compliance)) {
    return false;
  }
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < WEFT__HINGE_LANES; ++lane) {
    if (window->hinge[lane] != WEFT__NO_HINGE) mask |= 1u << lane;
  }
  target->lane_mask[target->group_count++] = (uint16_t)mask;
  return true;
}

// ---- pieces ----

// The solver's number, or WEFT__NO_PARTICLE.
static uint32_t particle_of(const weft__hinge_emitter* emitter, uint32_t hinge, uint32_t i) {
  const uint32_t user = emitter->hinges->particle[hinge][i];
  return user == WEFT__NO_PARTICLE ? user : emitter->order->solver_of[user];
}

// Covers the touched particles by segments and numbers their records; returns the number of
// records.
static uint32_t make_segments(weft__hinge_emitter* emitter, weft__hinge_piece* piece) {
  weft__hinge_schedule* target = &emitter->schedule->hinges;
  const weft__sort_item* touched = emitter->touched;
  const uint32_t count = emitter->touched_count;
  uint32_t records = 0;
  for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
    const uint32_t first = touched[begin].value;
    for (end = begin; end < count; ++end) {
      const uint32_t particle = touched[end].value;
      if (end > begin && particle - touched[end - 1].value > SEGMENT_GAP) break;
      emitter->local_of[particle] = records + particle - first;
    }
    const uint32_t length = touched[end - 1].value - first + 1;
    target->segments[target->segment_count++] = (weft__segment){first, length};
    records += length;
  }
  piece->segment_count = target->segment_count - piece->first_segment;
  return records;
}

static void fill_lane(const weft__hinge_emitter* emitter, weft__hinge_lanes* lanes, uint32_t lane,
                      uint32_t hinge, uint32_t records) {
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t particle =
        hinge == WEFT__NO_HINGE ? WEFT__NO_PARTICLE : particle_of(emitter, hinge, i);
    const uint32_t local = particle == WEFT__NO_PARTICLE ? records : emitter->local_of[particle];
    lanes->index[i][lane] = (uint16_t)(2 * local);
    if (hinge == WEFT__NO_HINGE) continue;
    lanes->coefficient[i][lane] = emitter->hinges->coefficient[hinge][i];
  }
  if (hinge == WEFT__NO_HINGE) return;
  lanes->rest_length[lane] = emitter->hinges->rest_length[hinge];
  lanes->compliance[lane] = emitter->hinges->compliance[hinge];
}

// Turns the pending hinges into a piece.
static bool close_piece(weft__hinge_emitter* emitter) {
  weft__hinge_schedule* target = &emitter->schedule->hinges;
  const uint32_t groups = (uint32_t)(emitter->pending_count / WEFT__HINGE_LANES);
  if (groups == 0) return true;
  if (!weft__grow((void**)&target->pieces, &emitter->piece_capacity,
                  (size_t)target->piece_count + 1, sizeof(*target->pieces)) ||
      !weft__grow((void**)&target->segments, &emitter->segment_capacity,
                  (size_t)target->segment_count + emitter->touched_count, sizeof(weft__segment)) ||
      !weft__grow((void**)&target->lanes, &emitter->lanes_capacity,
                  (size_t)target->lanes_count + groups, sizeof(*target->lanes))) {
    return false;
  }
  weft__sort(emitter->touched, emitter->touched + MAX_TOUCHED, emitter->touched_count);
  weft__hinge_piece piece = {.first_lanes = target->lanes_count,
                             .group_count = groups,
                             .first_segment = target->segment_count};
  const uint32_t records = make_segments(emitter, &piece);
  memset(target->lanes + target->lanes_count, 0, groups * sizeof(*target->lanes));
  for (uint32_t i = 0; i < groups * WEFT__HINGE_LANES; ++i) {
    fill_lane(emitter, &target->lanes[target->lanes_count + i / WEFT__HINGE_LANES],
              i % WEFT__HINGE_LANES, emitter->pending[i], records);
  }
  target->lanes_count += groups;
  target->pieces[target->piece_count++] = piece;
  if (records > emitter->schedule->max_locals) emitter->schedule->max_locals = records;
  emitter->pending_count = 0;
  emitter->touched_count = 0;
  return true;
}

bool weft__hinge_emit_patch_end(weft__hinge_emitter* emitter) {
  return close_piece(emitter);
}

bool weft__hinge_emit_group(weft__hinge_emitter* emitter, const weft__sort_item* items,
                            uint32_t count) {
  if (emitter->touched_count + 4 * WEFT__HINGE_LANES > MAX_TOUCHED && !close_piece(emitter)) {
    return false;
  }
  if (!weft__grow((void**)&emitter->pending, &emitter->pending_capacity,
                  emitter->pending_count + WEFT__HINGE_LANES, sizeof(*emitter->pending))) {
    return false;
  }
  const uint32_t piece = emitter->schedule->hinges.piece_count + 1;
  for (uint32_t lane = 0; lane < WEFT__HINGE_LANES; ++lane) {
    emitter->pending[emitter->pending_count++] = lane < count ? items[lane].value : WEFT__NO_HINGE;
    for (uint32_t i = 0; i < 4 && lane < count; ++i) {
      const uint32_t particle = particle_of(emitter, items[lane].value, i);
      if (particle == WEFT__NO_PARTICLE || emitter->touched_by[particle] == piece) continue;
      emitter->touched_by[particle] = piece;
      emitter->touched[emitter->touched_count++] = (weft__sort_item){particle, particle};
    }
  }
  return true;
}

// ---- finish ----

static bool finish_column(weft__hinge_schedule* target, void** array, size_t count, size_t size) {
  return weft__move_to_aligned(array, count, size, &target->bytes);
}

bool weft__hinge_emit_finish(weft__hinge_emitter* emitter) {
  weft__hinge_schedule* target = &emitter->schedule->hinges;
  weft__hinge_emit_patch_begin(emitter, emitter->order->patch_count);
  const size_t groups = (size_t)target->group_count + target->lanes_count;
  target->pulls = weft__alloc_zeroed(groups, sizeof(*target->pulls));
  target->bytes += groups * sizeof(*target->pulls);
  return target->pulls != NULL &&
         finish_column(target, (void**)&target->runs, target->run_count, sizeof(*target->runs)) &&
         finish_column(target, (void**)&target->lane_mask, target->group_count,
                       sizeof(*target->lane_mask)) &&
         finish_column(target, (void**)&target->compliance, emitter->compliance.count,
                       sizeof(float)) &&
         finish_column(target, (void**)&target->pieces, target->piece_count,
                       sizeof(*target->pieces)) &&
         finish_column(target, (void**)&target->segments, target->segment_count,
                       sizeof(weft__segment)) &&
         finish_column(target, (void**)&target->lanes, target->lanes_count, sizeof(*target->lanes));
}
