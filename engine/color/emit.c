#include "color/emit.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// where a group finds a lane parameter: a first element, and how far the next group's is from it
typedef struct parameter {
  uint32_t first;
  uint32_t stride;
} parameter;

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

// true if all lanes that hold a link have the same value, which is then stored in *value
static bool uniform(const weft__group* group, const float* column, float* value) {
  bool found = false;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    if (group->link[lane] == WEFT__NO_LINK) continue;
    const float here = column[group->link[lane]];
    if (found && here != *value) return false;
    *value = here;
    found = true;
  }
  return true;
}

// Stores a group's lane parameters in `pool`. A uniform value is stored as one group of lanes with
// stride 0, and shared with the group before where that has the same one.
static bool emit_parameter(const weft__group* group, const float* column, float** pool,
                           size_t* capacity, size_t* count, parameter* made) {
  float value = 0.0f;
  const bool is_uniform = uniform(group, column, &value);
  made->stride = is_uniform ? 0 : WEFT__LANES;
  if (is_uniform && *count > 0) {
    const float* last = *pool + *count - WEFT__LANES;
    made->first = (uint32_t)(*count - WEFT__LANES);
    bool same = true;
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) same = same && last[lane] == value;
    if (same) return true;
  }
  if (!weft__grow((void**)pool, capacity, *count + WEFT__LANES, sizeof(**pool))) return false;
  made->first = (uint32_t)*count;
  float* lanes = *pool + *count;
  *count += WEFT__LANES;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    const bool empty = group->link[lane] == WEFT__NO_LINK;
    lanes[lane] = is_uniform ? value : empty ? 0.0f : column[group->link[lane]];
  }
  return true;
}

static bool emit_indices(weft__emitter* emitter, const weft__group* group) {
  weft__schedule* schedule = emitter->schedule;
  const size_t needed = emitter->index_count + WEFT__LANES;
  if (!weft__grow((void**)&schedule->index_a, &emitter->index_a_capacity, needed,
                  sizeof(uint32_t)) ||
      !weft__grow((void**)&schedule->index_b, &emitter->index_b_capacity, needed,
                  sizeof(uint32_t))) {
    return false;
  }
  // an empty lane repeats the first one's ends, so that whatever reads it stays in the patch
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    const bool empty = group->link[lane] == WEFT__NO_LINK;
    const uint32_t link = group->link[empty ? 0 : lane];
    schedule->index_a[emitter->index_count] = schedule->solver_of[emitter->links->end_a[link]];
    schedule->index_b[emitter->index_count] = schedule->solver_of[emitter->links->end_b[link]];
    ++emitter->index_count;
  }
  return true;
}

static bool continues(const parameter* next, uint32_t first, uint32_t stride, uint32_t groups) {
  return next->stride == stride && next->first == first + groups * stride;
}

// true if the group can be the next one of the last run
static bool extends_run(const weft__emitter* emitter, const weft__run* run,
                        const weft__group* group, const parameter* rest,
                        const parameter* stiffness) {
  if (run->first_group < emitter->batch_first_group || run->kind != group->kind) return false;
  const uint32_t lanes = run->group_count * WEFT__LANES;
  const bool follows = group->kind == WEFT__RUN_INDEXED ||
                       (group->a == run->a + lanes && group->b == run->b + lanes);
  return follows && continues(rest, run->rest, run->rest_stride, run->group_count) &&
         continues(stiffness, run->stiffness, run->stiffness_stride, run->group_count);
}

static bool push_run(weft__emitter* emitter, const weft__group* group, const parameter* rest,
                     const parameter* stiffness) {
  weft__schedule* schedule = emitter->schedule;
  if (schedule->run_count > 0) {
    weft__run* last = &schedule->runs[schedule->run_count - 1];
    if (extends_run(emitter, last, group, rest, stiffness)) {
      ++last->group_count;
      return true;
    }
  }
  if (!weft__grow((void**)&schedule->runs, &emitter->run_capacity, (size_t)schedule->run_count + 1,
                  sizeof(*schedule->runs))) {
    return false;
  }
  const bool indexed = group->kind == WEFT__RUN_INDEXED;
  schedule->runs[schedule->run_count++] = (weft__run){
      .kind = group->kind,
      .first_group = schedule->group_count,
      .group_count = 1,
      .a = indexed ? (uint32_t)(emitter->index_count - WEFT__LANES) : group->a,
      .b = indexed ? 0 : group->b,
      .rest = rest->first,
      .rest_stride = rest->stride,
      .stiffness = stiffness->first,
      .stiffness_stride = stiffness->stride,
  };
  return true;
}

bool weft__emit_group(weft__emitter* emitter, const weft__group* group) {
  weft__schedule* schedule = emitter->schedule;
  parameter rest = {0};
  parameter stiffness = {0};
  const bool room =
      weft__grow((void**)&schedule->lane_mask, &emitter->group_capacity,
                 (size_t)schedule->group_count + 1, sizeof(*schedule->lane_mask)) &&
      emit_parameter(group, emitter->links->rest_length, &schedule->rest_length,
                     &emitter->rest_capacity, &emitter->rest_count, &rest) &&
      emit_parameter(group, emitter->links->stiffness, &schedule->stiffness,
                     &emitter->stiffness_capacity, &emitter->stiffness_count, &stiffness) &&
      (group->kind == WEFT__RUN_CONTIGUOUS || emit_indices(emitter, group)) &&
      push_run(emitter, group, &rest, &stiffness);
  if (!room) return false;

  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    if (group->link[lane] == WEFT__NO_LINK) continue;
    mask |= 1u << lane;
    schedule->slot_of_link[group->link[lane]] = schedule->group_count * WEFT__LANES + lane;
  }
  schedule->lane_mask[schedule->group_count++] = (uint16_t)mask;
  if (group->kind == WEFT__RUN_CONTIGUOUS) ++schedule->run_group_count;
  return true;
}

// moves a column that grew by doubling to an aligned block of its own size
static bool settle(weft__schedule* schedule, void** array, size_t count, size_t size) {
  void* settled = weft__alloc(count, size);
  if (settled == NULL) return false;
  if (count > 0) memcpy(settled, *array, count * size);
  free(*array);
  *array = settled;
  schedule->bytes += count * size;
  return true;
}

bool weft__emit_finish(weft__emitter* emitter) {
  weft__schedule* schedule = emitter->schedule;
  schedule->batch_first_run[schedule->batch_count] = schedule->run_count;
  return settle(schedule, (void**)&schedule->batch_first_run, (size_t)schedule->batch_count + 1,
                sizeof(*schedule->batch_first_run)) &&
         settle(schedule, (void**)&schedule->runs, schedule->run_count, sizeof(*schedule->runs)) &&
         settle(schedule, (void**)&schedule->lane_mask, schedule->group_count,
                sizeof(*schedule->lane_mask)) &&
         settle(schedule, (void**)&schedule->index_a, emitter->index_count, sizeof(uint32_t)) &&
         settle(schedule, (void**)&schedule->index_b, emitter->index_count, sizeof(uint32_t)) &&
         settle(schedule, (void**)&schedule->rest_length, emitter->rest_count, sizeof(float)) &&
         settle(schedule, (void**)&schedule->stiffness, emitter->stiffness_count, sizeof(float));
}
