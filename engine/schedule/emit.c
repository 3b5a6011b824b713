#include "schedule/emit.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// All parameters of a group.
typedef struct parameters {
  weft__parameter rest, stiffness, compliance, tear_ratio, slack_below, slack_above;
} parameters;

bool weft__emit_batch_begin(weft__emitter* emitter) {
  weft__schedule* schedule = emitter->schedule;
  if (!weft__grow((void**)&schedule->batch_first_run, &emitter->batch_capacity,
                  (size_t)schedule->batch_count + 2, sizeof(*schedule->batch_first_run))) {
    return false;
  }
  schedule->batch_first_run[schedule->batch_count++] = schedule->run_count;
  emitter->batch_first_group = schedule->group_count;
  return true;
}

static bool emit_parameter(const weft__lanes* lanes, const float* column, float** values,
                           weft__lane_pool* pool, weft__parameter* out) {
  return weft__lane_pool_store(pool, values, lanes->link, lanes->lane_count, column, out);
}

// True if all lanes are 0.
static bool is_zero(const weft__lanes* lanes, const float* column) {
  float value = 0.0f;
  return weft__lanes_uniform(lanes->link, lanes->lane_count, column, &value) && value == 0.0f;
}

// Stores a parameter that most links do not have: WEFT__NONE if all values are 0.
static bool emit_optional(const weft__lanes* lanes, const float* column, float** values,
                          weft__lane_pool* pool, weft__parameter* out) {
  *out = (weft__parameter){WEFT__NONE, 0};
  return is_zero(lanes, column) || emit_parameter(lanes, column, values, pool, out);
}

// Stores both slacks or neither.
static bool emit_slack(weft__emitter* emitter, const weft__lanes* lanes, parameters* out) {
  weft__schedule* schedule = emitter->schedule;
  const weft__links* links = emitter->links;
  out->slack_below = out->slack_above = (weft__parameter){WEFT__NONE, 0};
  if (links->mode == NULL) return true;
  if (is_zero(lanes, links->slack_below) && is_zero(lanes, links->slack_above)) return true;
  schedule->has_slack = true;
  return emit_parameter(lanes, links->slack_below, &schedule->slack_below, &emitter->slack_below,
                        &out->slack_below) &&
         emit_parameter(lanes, links->slack_above, &schedule->slack_above, &emitter->slack_above,
                        &out->slack_above);
}

static bool emit_parameters(weft__emitter* emitter, const weft__lanes* lanes, parameters* out) {
  weft__schedule* schedule = emitter->schedule;
  const weft__links* links = emitter->links;
  return emit_parameter(lanes, links->rest_length, &schedule->rest_length, &emitter->rest,
                        &out->rest) &&
         emit_parameter(lanes, links->stiffness, &schedule->stiffness, &emitter->stiffness,
                        &out->stiffness) &&
         emit_optional(lanes, links->compliance, &schedule->compliance, &emitter->compliance,
                       &out->compliance) &&
         emit_optional(lanes, links->tear_ratio, &schedule->tear_ratio, &emitter->tear_ratio,
                       &out->tear_ratio) &&
         emit_slack(emitter, lanes, out);
}

// Empty lanes repeat the first lane's ends: all reads stay within the patch.
static bool emit_indices(weft__emitter* emitter, const weft__lanes* lanes, uint32_t* index) {
  weft__schedule* schedule = emitter->schedule;
  const size_t needed = emitter->index_count + WEFT__LANES;
  if (!weft__grow((void**)&schedule->index_a, &emitter->index_a_capacity, needed,
                  sizeof(uint32_t)) ||
      !weft__grow((void**)&schedule->index_b, &emitter->index_b_capacity, needed,
                  sizeof(uint32_t))) {
    return false;
  }
  *index = (uint32_t)emitter->index_count;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    const bool empty = lanes->link[lane] == WEFT__NO_LINK;
    const uint32_t link = lanes->link[empty ? 0 : lane];
    schedule->index_a[emitter->index_count] = schedule->solver_of[emitter->links->end_a[link]];
    schedule->index_b[emitter->index_count] = schedule->solver_of[emitter->links->end_b[link]];
    ++emitter->index_count;
  }
  return true;
}

static bool emit_locals(weft__emitter* emitter, const uint16_t* locals, uint32_t count,
                        uint32_t* index) {
  weft__schedule* schedule = emitter->schedule;
  const size_t needed = emitter->local_count + count;
  if (!weft__grow((void**)&schedule->index_local, &emitter->local_capacity, needed,
                  sizeof(uint16_t))) {
    return false;
  }
  *index = (uint32_t)emitter->local_count;
  memcpy(schedule->index_local + emitter->local_count, locals, count * sizeof(uint16_t));
  emitter->local_count = needed;
  return true;
}

bool weft__emit_centers(weft__emitter* emitter, const uint16_t centers[WEFT__FAN_LANES]) {
  return emit_locals(emitter, centers, WEFT__FAN_LANES, &emitter->fan_centers);
}

static bool emit_ends(weft__emitter* emitter, const weft__lanes* lanes, uint32_t* index) {
  switch ((weft__run_kind)lanes->kind) {
    case WEFT__RUN_INDEXED:
      return emit_indices(emitter, lanes, index);
    case WEFT__RUN_FAN:
      return emit_locals(emitter, lanes->local, lanes->lane_count, index);
    case WEFT__RUN_CONTIGUOUS:
      break;
  }
  *index = 0;
  return true;
}

static bool continues(const weft__parameter* next, uint32_t first, uint32_t stride,
                      uint32_t groups) {
  return next->stride == stride && next->first == first + groups * stride;
}

// True if the lanes can be the next group of the last run. Each slot of a fan is a run of its own.
static bool extends_run(const weft__emitter* emitter, const weft__run* run,
                        const weft__lanes* lanes, const parameters* next) {
  if (run->first_group < emitter->batch_first_group || run->kind != lanes->kind) return false;
  const uint32_t groups = run->group_count;
  const uint32_t so_far = groups * WEFT__LANES;
  const bool follows = lanes->kind == WEFT__RUN_INDEXED ||
                       (lanes->kind == WEFT__RUN_CONTIGUOUS && lanes->a == run->a + so_far &&
                        lanes->b == run->b + so_far);
  return follows && continues(&next->rest, run->rest, run->rest_stride, groups) &&
         continues(&next->stiffness, run->stiffness, run->stiffness_stride, groups) &&
         continues(&next->compliance, run->compliance, run->compliance_stride, groups) &&
         continues(&next->tear_ratio, run->tear_ratio, run->tear_ratio_stride, groups) &&
         continues(&next->slack_below, run->slack_below, run->slack_below_stride, groups) &&
         continues(&next->slack_above, run->slack_above, run->slack_above_stride, groups);
}

static bool push_run(weft__emitter* emitter, const weft__lanes* lanes, uint32_t index,
                     const parameters* at) {
  weft__schedule* schedule = emitter->schedule;
  if (schedule->run_count > 0) {
    weft__run* last = &schedule->runs[schedule->run_count - 1];
    if (extends_run(emitter, last, lanes, at)) {
      ++last->group_count;
      return true;
    }
  }
  if (!weft__grow((void**)&schedule->runs, &emitter->run_capacity, (size_t)schedule->run_count + 1,
                  sizeof(*schedule->runs))) {
    return false;
  }
  schedule->runs[schedule->run_count++] = (weft__run){
      .kind = lanes->kind,
      .first_group = schedule->group_count,
      .group_count = lanes->lane_count / WEFT__LANES,
      .a = lanes->a,
      .b = lanes->b,
      .index = index,
      .rest = at->rest.first,
      .rest_stride = at->rest.stride,
      .stiffness = at->stiffness.first,
      .stiffness_stride = at->stiffness.stride,
      .compliance = at->compliance.first,
      .compliance_stride = at->compliance.stride,
      .tear_ratio = at->tear_ratio.first,
      .tear_ratio_stride = at->tear_ratio.stride,
      .slack_below = at->slack_below.first,
      .slack_below_stride = at->slack_below.stride,
      .slack_above = at->slack_above.first,
      .slack_above_stride = at->slack_above.stride,
  };
  return true;
}

// Records the slot of each link and the lane masks of the group.
static void record_slots(weft__emitter* emitter, const weft__lanes* lanes) {
  weft__schedule* schedule = emitter->schedule;
  for (uint32_t begin = 0; begin < lanes->lane_count; begin += WEFT__LANES) {
    uint32_t mask = 0;
    uint32_t structural = 0;
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      const uint32_t link = lanes->link[begin + lane];
      if (link == WEFT__NO_LINK) continue;
      mask |= 1u << lane;
      if (emitter->links->kind[link] == WEFT_LINK_STRUCTURAL) structural |= 1u << lane;
      schedule->slot_of_link[link] = schedule->group_count * WEFT__LANES + lane;
    }
    schedule->structural[schedule->group_count] = (uint16_t)structural;
    schedule->lane_mask[schedule->group_count++] = (uint16_t)mask;
    if (lanes->kind == WEFT__RUN_CONTIGUOUS) ++schedule->run_group_count;
  }
}

bool weft__emit_lanes(weft__emitter* emitter, const weft__lanes* lanes) {
  weft__schedule* schedule = emitter->schedule;
  const size_t groups = (size_t)schedule->group_count + lanes->lane_count / WEFT__LANES;
  if (groups > UINT32_MAX / WEFT__LANES) return false;  // slots are numbered in 32 bits
  parameters at = {0};
  uint32_t index = 0;
  const bool emitted = weft__grow((void**)&schedule->lane_mask, &emitter->group_capacity, groups,
                                  sizeof(*schedule->lane_mask)) &&
                       weft__grow((void**)&schedule->structural, &emitter->structural_capacity,
                                  groups, sizeof(*schedule->structural)) &&
                       emit_parameters(emitter, lanes, &at) && emit_ends(emitter, lanes, &index) &&
                       push_run(emitter, lanes, index, &at);
  if (emitted) record_slots(emitter, lanes);
  return emitted;
}

void weft__emit_rewind(weft__emitter* emitter, const weft__emitter* mark,
                       const weft__schedule* counts) {
  weft__schedule* schedule = emitter->schedule;
  schedule->batch_count = counts->batch_count;
  schedule->run_count = counts->run_count;
  schedule->group_count = counts->group_count;
  schedule->run_group_count = counts->run_group_count;
  emitter->index_count = mark->index_count;
  emitter->local_count = mark->local_count;
  emitter->rest.count = mark->rest.count;
  emitter->stiffness.count = mark->stiffness.count;
  emitter->compliance.count = mark->compliance.count;
  emitter->tear_ratio.count = mark->tear_ratio.count;
  emitter->slack_below.count = mark->slack_below.count;
  emitter->slack_above.count = mark->slack_above.count;
}

static bool finish_column(weft__schedule* schedule, void** array, size_t count, size_t size) {
  return weft__move_to_aligned(array, count, size, &schedule->bytes);
}

// Allocates what a step writes, only if some link needs it.
static bool allocate_state(weft__schedule* schedule, const weft__emitter* emitter) {
  const size_t groups = schedule->group_count;
  if (emitter->compliance.count > 0) {
    schedule->multiplier = weft__alloc_zeroed(groups, WEFT__LANES * sizeof(*schedule->multiplier));
    if (schedule->multiplier == NULL) return false;
    schedule->bytes += groups * WEFT__LANES * sizeof(*schedule->multiplier);
  }
  schedule->can_tear = emitter->tear_ratio.count > 0;
  return true;
}

bool weft__emit_finish(weft__emitter* emitter) {
  weft__schedule* schedule = emitter->schedule;
  schedule->batch_first_run[schedule->batch_count] = schedule->run_count;
  return finish_column(schedule, (void**)&schedule->batch_first_run,
                       (size_t)schedule->batch_count + 1, sizeof(*schedule->batch_first_run)) &&
         finish_column(schedule, (void**)&schedule->runs, schedule->run_count,
                       sizeof(*schedule->runs)) &&
         finish_column(schedule, (void**)&schedule->segments, schedule->segment_count,
                       sizeof(*schedule->segments)) &&
         finish_column(schedule, (void**)&schedule->lane_mask, schedule->group_count,
                       sizeof(*schedule->lane_mask)) &&
         finish_column(schedule, (void**)&schedule->structural, schedule->group_count,
                       sizeof(*schedule->structural)) &&
         finish_column(schedule, (void**)&schedule->index_a, emitter->index_count,
                       sizeof(uint32_t)) &&
         finish_column(schedule, (void**)&schedule->index_b, emitter->index_count,
                       sizeof(uint32_t)) &&
         finish_column(schedule, (void**)&schedule->index_local, emitter->local_count,
                       sizeof(uint16_t)) &&
         finish_column(schedule, (void**)&schedule->rest_length, emitter->rest.count,
                       sizeof(float)) &&
         finish_column(schedule, (void**)&schedule->stiffness, emitter->stiffness.count,
                       sizeof(float)) &&
         finish_column(schedule, (void**)&schedule->compliance, emitter->compliance.count,
                       sizeof(float)) &&
         finish_column(schedule, (void**)&schedule->tear_ratio, emitter->tear_ratio.count,
                       sizeof(float)) &&
         finish_column(schedule, (void**)&schedule->slack_below, emitter->slack_below.count,
                       sizeof(float)) &&
         finish_column(schedule, (void**)&schedule->slack_above, emitter->slack_above.count,
                       sizeof(float)) &&
         allocate_state(schedule, emitter);
}
