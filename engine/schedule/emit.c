#include "schedule/emit.h"

#include <string.h>

#include "base/host.h"
#include "base/memory.h"

static const struct prefix {
  weft__emitted column, into;
} prefixes[] = {
    {WEFT__EMIT_FIRST_BATCH, WEFT__EMIT_BATCHES},
    {WEFT__EMIT_FIRST_SEGMENT, WEFT__EMIT_SEGMENTS},
    {WEFT__EMIT_FIRST_PIECE, WEFT__EMIT_PIECES},
    {WEFT__EMIT_FIRST_LANES, WEFT__EMIT_LANES},
    {WEFT__EMIT_FIRST_MEMBRANE_PIECE, WEFT__EMIT_MEMBRANE_PIECES},
    {WEFT__EMIT_FIRST_MEMBRANE_LANES, WEFT__EMIT_MEMBRANE_LANES},
};
enum { PREFIX_COUNT = WEFT__COUNT_OF(prefixes) };

static bool emits_links(const weft__emitter* emitter) {
  return emitter->constraints->links != NULL;
}

static bool emits_membranes(const weft__emitter* emitter) {
  return emitter->constraints->membranes != NULL;
}

// Owned by the emitter's constraints.
static bool is_own(const weft__emitter* emitter, weft__emitted column) {
  if (emits_links(emitter)) return column < WEFT__EMIT_HINGE_SEGMENTS;
  const bool of_membranes = column >= WEFT__EMIT_MEMBRANE_SEGMENTS;
  return column >= WEFT__EMIT_HINGE_SEGMENTS && of_membranes == emits_membranes(emitter);
}

static void** array_of(const weft__emitter* emitter, weft__emitted column) {
  return (void**)(void*)((char*)emitter->schedule + weft__schedule_table.columns[column].offset);
}

bool weft__emit_start(weft__emitter* emitter, uint32_t patch_count) {
  for (int i = 0; i < PREFIX_COUNT; ++i) {
    if (!is_own(emitter, prefixes[i].into)) continue;
    void** array = array_of(emitter, prefixes[i].column);
    *array = weft__alloc((size_t)patch_count + 1, sizeof(uint32_t));
    if (*array == NULL) return false;
    emitter->schedule->bytes += ((size_t)patch_count + 1) * sizeof(uint32_t);
  }
  return true;
}

void* weft__emit_append(weft__emitter* emitter, weft__emitted column, size_t count) {
  const size_t size = weft__schedule_table.columns[column].size;
  const size_t first = emitter->count[column];
  void** array = array_of(emitter, column);
  if (!weft__grow(array, &emitter->capacity[column], first + count, size)) return NULL;
  emitter->count[column] = first + count;
  return (char*)*array + first * size;
}

void weft__emit_patch(const weft__emitter* emitter, uint32_t patch) {
  for (int i = 0; i < PREFIX_COUNT; ++i) {
    if (!is_own(emitter, prefixes[i].into)) continue;
    uint32_t* offsets = *array_of(emitter, prefixes[i].column);
    offsets[patch] = (uint32_t)emitter->count[prefixes[i].into];
  }
}

bool weft__emit_batch_begin(weft__emitter* emitter) {
  if (!emits_links(emitter)) return true;
  emitter->batch_first_run = emitter->count[WEFT__EMIT_RUNS];
  uint32_t* first_run = weft__emit_append(emitter, WEFT__EMIT_BATCHES, 1);
  if (first_run != NULL) *first_run = (uint32_t)emitter->batch_first_run;
  return first_run != NULL;
}

typedef struct lane_values {
  float value[WEFT__FAN_LANES]; /* 0 in empty lanes, unless all are equal */
  bool is_uniform;              /* all lanes but empty ones are equal */
} lane_values;

typedef struct source {
  const float* column;
  const uint8_t* solver; /* as in weft__links; NULL: all are swept */
  uint32_t zero_for;     /* solvers whose links have 0, a bit each */
} source;

static float value_of(const source* from, uint32_t item) {
  const bool is_other = from->solver != NULL && (from->zero_for >> from->solver[item] & 1u) != 0;
  return is_other ? 0.0f : from->column[item];
}

static void list_values(lane_values* values, const weft__lanes* lanes, source from) {
  WEFT__ASSERT(lanes->lane_count > 0);
  uint32_t first = 0;
  while (lanes->item[first] == WEFT__EMPTY_LANE) ++first;
  const float uniform = value_of(&from, lanes->item[first]);
  for (uint32_t lane = 0; lane < lanes->lane_count; ++lane) {
    const uint32_t item = lanes->item[lane];
    values->value[lane] = item == WEFT__EMPTY_LANE ? uniform : value_of(&from, item);
  }
  uint32_t other = 0;
  for (uint32_t lane = 0; lane < lanes->lane_count; ++lane) {
    other += values->value[lane] != uniform;
  }
  values->is_uniform = other == 0;
  for (uint32_t lane = 0; lane < lanes->lane_count && other > 0; ++lane) {
    if (lanes->item[lane] == WEFT__EMPTY_LANE) values->value[lane] = 0.0f;
  }
}

static bool is_zero(const lane_values* values) {
  return values->is_uniform && values->value[0] == 0.0f;
}

// The last group has this value in all lanes.
static bool ends_with(const float* column, size_t count, float value) {
  if (count == 0) return false;
  for (size_t lane = count - WEFT__LANES; lane < count; ++lane) {
    if (column[lane] != value) return false;
  }
  return true;
}

// A value of a whole group is stored once for all consecutive groups that have it: stride 0.
static bool store_values(weft__emitter* emitter, weft__emitted column, const lane_values* values,
                         uint32_t lane_count, weft__parameter* out) {
  const size_t count = emitter->count[column];
  const float* stored = *array_of(emitter, column);
  if (values->is_uniform && ends_with(stored, count, values->value[0])) {
    *out = (weft__parameter){(uint32_t)(count - WEFT__LANES), 0};
    return true;
  }
  if (values->is_uniform) lane_count = WEFT__LANES;
  float* to = weft__emit_append(emitter, column, lane_count);
  if (to == NULL) return false;
  *out = (weft__parameter){(uint32_t)count, values->is_uniform ? 0 : WEFT__LANES};
  memcpy(to, values->value, lane_count * sizeof(float));
  return true;
}

static bool emit_required(weft__emitter* emitter, weft__emitted column, const weft__lanes* lanes,
                          source from, weft__parameter* out) {
  lane_values values;
  list_values(&values, lanes, from);
  return store_values(emitter, column, &values, lanes->lane_count, out);
}

// WEFT__NONE if all values are 0.
static bool emit_optional(weft__emitter* emitter, weft__emitted column, const weft__lanes* lanes,
                          source from, weft__parameter* out) {
  lane_values values;
  list_values(&values, lanes, from);
  return is_zero(&values) || store_values(emitter, column, &values, lanes->lane_count, out);
}

static bool emit_slack(weft__emitter* emitter, const weft__lanes* lanes, weft__parameter* at) {
  const weft__links* links = emitter->constraints->links;
  if (links->mode == NULL) return true;
  lane_values below, above;
  list_values(&below, lanes, (source){.column = links->slack_below});
  list_values(&above, lanes, (source){.column = links->slack_above});
  if (is_zero(&below) && is_zero(&above)) return true;
  return store_values(emitter, WEFT__EMIT_SLACK_BELOW, &below, lanes->lane_count,
                      &at[WEFT__EMIT_SLACK_BELOW]) &&
         store_values(emitter, WEFT__EMIT_SLACK_ABOVE, &above, lanes->lane_count,
                      &at[WEFT__EMIT_SLACK_ABOVE]);
}

static bool are_swept(const weft__links* links, const weft__lanes* lanes) {
  if (links->solver == NULL) return true;
  for (uint32_t lane = 0; lane < lanes->lane_count; ++lane) {
    const uint32_t link = lanes->item[lane];
    if (link != WEFT__EMPTY_LANE && links->solver[link] != WEFT__SOLVER_SWEEP) return false;
  }
  return true;
}

// Links of other solvers keep their lane, with relaxation 0. A spring has no multiplier either.
static bool emit_parameters(weft__emitter* emitter, const weft__lanes* lanes,
                            weft__parameter at[WEFT__PARAMETERS]) {
  for (uint32_t i = 0; i < WEFT__PARAMETERS; ++i) at[i] = (weft__parameter){WEFT__NONE, 0};
  const weft__links* links = emitter->constraints->links;
  const uint32_t spring = 1u << WEFT__SOLVER_SPRING;
  const uint32_t unswept = spring | 1u << WEFT__SOLVER_DIRECT | 1u << WEFT__SOLVER_ROD;
  const uint8_t* solver = are_swept(links, lanes) ? NULL : links->solver;
  const source rest = {.column = links->rest_length};
  const source relaxation = {links->relaxation, solver, unswept};
  const source compliance = {links->compliance, solver, spring};
  const source tear_ratio = {.column = links->tear_ratio};
  return emit_required(emitter, WEFT__EMIT_REST, lanes, rest, &at[WEFT__EMIT_REST]) &&
         emit_required(emitter, WEFT__EMIT_RELAXATION, lanes, relaxation,
                       &at[WEFT__EMIT_RELAXATION]) &&
         emit_optional(emitter, WEFT__EMIT_COMPLIANCE, lanes, compliance,
                       &at[WEFT__EMIT_COMPLIANCE]) &&
         emit_optional(emitter, WEFT__EMIT_TEAR_RATIO, lanes, tear_ratio,
                       &at[WEFT__EMIT_TEAR_RATIO]) &&
         emit_slack(emitter, lanes, at);
}

// Empty lanes repeat the first lane's ends: all reads stay within the patch.
static bool emit_indices(weft__emitter* emitter, const weft__lanes* lanes) {
  uint32_t* a = weft__emit_append(emitter, WEFT__EMIT_INDEX_A, WEFT__LANES);
  uint32_t* b = weft__emit_append(emitter, WEFT__EMIT_INDEX_B, WEFT__LANES);
  if (a == NULL || b == NULL) return false;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    const uint32_t link = lanes->item[lanes->item[lane] == WEFT__EMPTY_LANE ? 0 : lane];
    uint32_t ends[4];
    (void)weft__constraint_particles(emitter->constraints, link, ends);
    a[lane] = ends[0];
    b[lane] = ends[1];
  }
  return true;
}

static bool emit_locals(weft__emitter* emitter, const uint16_t* locals, uint32_t count) {
  uint16_t* to = weft__emit_append(emitter, WEFT__EMIT_LOCALS, count);
  if (to != NULL) memcpy(to, locals, count * sizeof(uint16_t));
  return to != NULL;
}

bool weft__emit_centers(weft__emitter* emitter, const uint16_t centers[WEFT__FAN_LANES]) {
  emitter->fan_centers = (uint32_t)emitter->count[WEFT__EMIT_LOCALS];
  return emit_locals(emitter, centers, WEFT__FAN_LANES);
}

// Lanes without windows.
static bool emit_ends(weft__emitter* emitter, const weft__lanes* lanes, uint32_t* index) {
  if (lanes->kind == WEFT__RUN_INDEXED) {
    *index = (uint32_t)emitter->count[WEFT__EMIT_INDEX_A];
    return emit_indices(emitter, lanes);
  }
  if (lanes->kind != WEFT__RUN_FAN) return true;
  *index = (uint32_t)emitter->count[WEFT__EMIT_LOCALS];
  return emit_locals(emitter, lanes->local, lanes->lane_count);
}

bool weft__emit_segments(weft__emitter* emitter, const weft__sort_item* particles, uint32_t count,
                         uint32_t* local_of, uint32_t* record_count) {
  const weft__emitted column = emits_links(emitter)       ? WEFT__EMIT_SEGMENTS
                               : emits_membranes(emitter) ? WEFT__EMIT_MEMBRANE_SEGMENTS
                                                          : WEFT__EMIT_HINGE_SEGMENTS;
  for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
    const uint32_t first = (uint32_t)particles[begin].key;
    uint32_t last = first;
    for (end = begin + 1; end < count && particles[end].key - last <= WEFT__SEGMENT_GAP; ++end) {
      last = (uint32_t)particles[end].key;
    }
    weft__segment* segment = weft__emit_append(emitter, column, 1);
    if (segment == NULL) return false;
    *segment = (weft__segment){first, last + 1 - first};
    for (uint32_t i = first; i <= last; ++i) local_of[i] = (*record_count)++;
  }
  return true;
}

// Lanes can be the run's next group. Each slot of a fan is a run.
static bool extends_run(const weft__run* run, const weft__lanes* lanes, const weft__parameter* at) {
  if (run->kind != lanes->kind || run->kind == WEFT__RUN_FAN) return false;
  const uint32_t groups = run->group_count;
  const uint32_t further = groups * WEFT__LANES;
  if (run->kind == WEFT__RUN_CONTIGUOUS &&
      (lanes->first[0] != run->a + further || lanes->first[1] != run->b + further)) {
    return false;
  }
  for (uint32_t i = 0; i < WEFT__PARAMETERS; ++i) {
    const weft__parameter* before = &run->parameter[i];
    if (at[i].stride != before->stride) return false;
    if (at[i].first != before->first + groups * before->stride) return false;
  }
  return true;
}

// Relaxation 0: membrane elements replace the links.
static bool are_idle(const weft__links* links, const weft__lanes* lanes) {
  for (uint32_t lane = 0; lane < lanes->lane_count; ++lane) {
    const uint32_t link = lanes->item[lane];
    if (link != WEFT__EMPTY_LANE && links->relaxation[link] != 0.0f) return false;
  }
  return true;
}

static bool push_run(weft__emitter* emitter, const weft__lanes* lanes, size_t group, uint32_t index,
                     const weft__parameter* at) {
  const size_t count = emitter->count[WEFT__EMIT_RUNS];
  weft__run* runs = *array_of(emitter, WEFT__EMIT_RUNS);
  if (count > emitter->batch_first_run && extends_run(&runs[count - 1], lanes, at)) {
    ++runs[count - 1].group_count;
    return true;
  }
  weft__run* run = weft__emit_append(emitter, WEFT__EMIT_RUNS, 1);
  if (run == NULL) return false;
  *run = (weft__run){
      .kind = lanes->kind,
      .is_idle = are_idle(emitter->constraints->links, lanes),
      .first_group = (uint32_t)group,
      .group_count = lanes->lane_count / WEFT__LANES,
      .a = lanes->first[0],
      .b = lanes->first[1],
      .index = index,
  };
  memcpy(run->parameter, at, sizeof(run->parameter));
  return true;
}

static bool emit_masks(weft__emitter* emitter, const weft__lanes* lanes, size_t group) {
  const weft__links* links = emitter->constraints->links;
  const size_t groups = lanes->lane_count / WEFT__LANES;
  uint16_t* masks = weft__emit_append(emitter, WEFT__EMIT_MASKS, groups);
  uint16_t* structural = weft__emit_append(emitter, WEFT__EMIT_STRUCTURAL, groups);
  if (masks == NULL || structural == NULL) return false;
  for (size_t g = 0; g < groups; ++g) {
    uint32_t mask = 0;
    uint32_t structural_mask = 0;
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      const uint32_t item = lanes->item[g * WEFT__LANES + lane];
      if (item == WEFT__EMPTY_LANE) continue;
      mask |= 1u << lane;
      if (links->kind[item] == WEFT_LINK_STRUCTURAL) structural_mask |= 1u << lane;
      emitter->schedule->links.slot_of_link[item] = (uint32_t)(group + g) * WEFT__LANES + lane;
    }
    masks[g] = (uint16_t)mask;
    structural[g] = (uint16_t)structural_mask;
  }
  return true;
}

bool weft__emit_lanes(weft__emitter* emitter, const weft__lanes* lanes) {
  const size_t group = emitter->count[WEFT__EMIT_MASKS];
  const size_t groups = lanes->lane_count / WEFT__LANES;
  if (group + groups > UINT32_MAX / WEFT__LANES) return false;  // slots have 32 bits
  weft__parameter at[WEFT__PARAMETERS];
  uint32_t index = 0;
  return emit_parameters(emitter, lanes, at) && emit_ends(emitter, lanes, &index) &&
         push_run(emitter, lanes, group, index, at) && emit_masks(emitter, lanes, group);
}

void weft__emit_rewind(weft__emitter* emitter, const weft__emitter* mark) {
  memcpy(emitter->count, mark->count, sizeof(emitter->count));
}

static bool finish_links(weft__emitter* emitter) {
  weft__schedule* schedule = emitter->schedule;
  const size_t* count = emitter->count;
  schedule->batch_count = (uint32_t)count[WEFT__EMIT_BATCHES] - 1;  // the last one is the end
  schedule->run_count = (uint32_t)count[WEFT__EMIT_RUNS];
  schedule->links.group_count = (uint32_t)count[WEFT__EMIT_MASKS];
  schedule->segment_count = (uint32_t)count[WEFT__EMIT_SEGMENTS];
  schedule->links.has_slack = count[WEFT__EMIT_SLACK_BELOW] > 0;
  schedule->links.can_tear = count[WEFT__EMIT_TEAR_RATIO] > 0;
  for (uint32_t r = 0; r < schedule->run_count; ++r) {
    const weft__run* run = &schedule->runs[r];
    if (run->kind == WEFT__RUN_CONTIGUOUS) schedule->run_group_count += run->group_count;
  }
  return count[WEFT__EMIT_COMPLIANCE] == 0 || weft__schedule_add(schedule, WEFT__LINK_MULTIPLIERS);
}

static bool finish_hinges(weft__emitter* emitter) {
  weft__hinge_schedule* hinges = &emitter->schedule->hinges;
  const size_t* count = emitter->count;
  hinges->piece_count = (uint32_t)count[WEFT__EMIT_PIECES];
  hinges->lanes_count = (uint32_t)count[WEFT__EMIT_LANES];
  hinges->segment_count = (uint32_t)count[WEFT__EMIT_HINGE_SEGMENTS];
  hinges->is_plastic = count[WEFT__EMIT_YIELD] > 0;
  return weft__schedule_add(emitter->schedule, WEFT__HINGE_MULTIPLIERS);
}

static bool finish_membranes(weft__emitter* emitter) {
  weft__membrane_schedule* membranes = &emitter->schedule->membranes;
  const size_t* count = emitter->count;
  membranes->membrane_count = emitter->constraints->count;
  membranes->piece_count = (uint32_t)count[WEFT__EMIT_MEMBRANE_PIECES];
  membranes->lanes_count = (uint32_t)count[WEFT__EMIT_MEMBRANE_LANES];
  membranes->segment_count = (uint32_t)count[WEFT__EMIT_MEMBRANE_SEGMENTS];
  return weft__schedule_add(emitter->schedule, WEFT__MEMBRANE_MULTIPLIERS);
}

bool weft__emit_finish(weft__emitter* emitter, uint32_t patch_count) {
  weft__emit_patch(emitter, patch_count);
  if (!weft__emit_batch_begin(emitter)) return false;
  // trims columns grown by doubling
  for (int i = 0; i < WEFT__EMIT_COLUMNS; ++i) {
    if (!is_own(emitter, (weft__emitted)i)) continue;
    const size_t count = emitter->count[i], size = weft__schedule_table.columns[i].size;
    if (!weft__resize(array_of(emitter, (weft__emitted)i), count, count, size)) return false;
    emitter->schedule->bytes += count * size;
  }
  if (emits_membranes(emitter)) return finish_membranes(emitter);
  return emits_links(emitter) ? finish_links(emitter) : finish_hinges(emitter);
}
