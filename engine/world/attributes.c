/* Attributes: the table of their rows, and the checks and copies that all of them share. */
#include "world/attributes.h"

#include <string.h>

#include "base/float_mode.h"
#include "base/grain_size.h"
#include "base/memory.h"
#include "world/ranges.h"

// Elements of a piece of work: some ten microseconds, as they are scattered in memory.
#define GRAIN WEFT__GRAIN(2048u, 8u)

// attributes without a row here are a module's
static const weft__attribute* const rows[WEFT_ATTRIBUTE_COUNT] = {
    [WEFT_ATTRIBUTE_POSITION] = &weft__position_attribute,
    [WEFT_ATTRIBUTE_VELOCITY] = &weft__velocity_attribute,
    [WEFT_ATTRIBUTE_TARGET] = &weft__target_attribute,
    [WEFT_ATTRIBUTE_INVERSE_MASS] = &weft__inverse_mass_attribute,
    [WEFT_ATTRIBUTE_FORCE] = &weft__force_attribute,
    [WEFT_ATTRIBUTE_NORMAL] = &weft__normal_attribute,
    [WEFT_ATTRIBUTE_TANGENT] = &weft__tangent_attribute,
    [WEFT_ATTRIBUTE_REACTION] = &weft__reaction_attribute,
    [WEFT_ATTRIBUTE_BOUNDS_CONTACT] = &weft__bounds_contact_attribute,
    [WEFT_ATTRIBUTE_PATCH] = &weft__patch_attribute,
    [WEFT_ATTRIBUTE_LEVEL] = &weft__level_attribute,
    [WEFT_ATTRIBUTE_LINK_REST_LENGTH] = &weft__link_rest_length_attribute,
    [WEFT_ATTRIBUTE_LINK_COMPLIANCE] = &weft__link_compliance_attribute,
    [WEFT_ATTRIBUTE_LINK_TENSION] = &weft__link_tension_attribute,
    [WEFT_ATTRIBUTE_LINK_ENABLED] = &weft__link_enabled_attribute,
    [WEFT_ATTRIBUTE_LINK_TORN] = &weft__link_torn_attribute,
    [WEFT_ATTRIBUTE_ENVIRONMENT_GRAVITY] = &weft__environment_gravity_attribute,
    [WEFT_ATTRIBUTE_ENVIRONMENT_DAMPING] = &weft__environment_damping_attribute,
    [WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED] = &weft__environment_paused_attribute,
    [WEFT_ATTRIBUTE_ENVIRONMENT_STEP_COUNT] = &weft__environment_step_count_attribute,
};

static const weft__attribute* row_of(weft_attribute attribute) {
  return rows[attribute] != NULL ? rows[attribute] : weft__stages_attribute(attribute);
}

weft_result weft__find_attribute(weft_attribute attribute, const char* field,
                                 const weft__attribute** row) {
  WEFT__FAIL_IF((uint32_t)attribute >= WEFT_ATTRIBUTE_COUNT, WEFT_ERROR_RANGE, field);
  *row = row_of(attribute);
  WEFT__FAIL_IF(*row == NULL, WEFT_ERROR_UNSUPPORTED, field);
  return weft__ok();
}

// ---- selections ----

weft_result weft__check_selected(const weft_world* world, weft__owner of,
                                 const weft_selection* selection, weft__selection* at) {
  const weft__schedule* schedule = &world->stepper.schedule;
  const uint32_t totals[] = {
      [WEFT__OF_PARTICLES] = world->stepper.particles.count,
      [WEFT__OF_LINKS] = schedule->links.link_count,
      [WEFT__OF_ENVIRONMENTS] = schedule->environment_count,
  };
  const uint32_t* solver_of = of == WEFT__OF_PARTICLES ? schedule->solver_of : NULL;
  return weft__check_selection(selection, totals[of], solver_of, at);
}

weft_result weft__check_unique(const weft__selection* at) {
  uint64_t next = 0;
  uint32_t n = 0;
  for (; n < at->count; ++n) {
    if (!weft__selects(at, n)) continue;
    if (at->list[n] < next) break;
    next = (uint64_t)at->list[n] + 1;
  }
  if (n == at->count) return weft__ok();
  uint64_t* seen = weft__alloc_zeroed(at->hull.end / 64 + 1, sizeof(*seen));
  WEFT__FAIL_IF(seen == NULL, WEFT_ERROR_OUT_OF_MEMORY, "world");
  for (n = 0; n < at->count; ++n) {
    if (!weft__selects(at, n)) continue;
    uint64_t* word = &seen[at->list[n] / 64];
    const uint64_t bit = UINT64_C(1) << at->list[n] % 64;
    if ((*word & bit) != 0) break;
    *word |= bit;
  }
  weft__free(seen);
  if (n == at->count) return weft__ok();
  return weft__fail_at(WEFT_ERROR_DUPLICATE, "selection.indices", n);
}

bool weft__is_attribute_stride(const weft__attribute* row, size_t stride) {
  return stride == 0 || (stride % row->item == 0 && stride >= row->size && stride != WEFT_SAME);
}

// ---- reading ----

typedef struct read_job {
  const weft__attribute_read* read;
  const weft__selection* at;
  const weft_attribute_array* arrays;
  uint32_t array_count;
} read_job;

static size_t step_of(const weft_attribute_array* array, const weft__attribute* row) {
  return array->stride != 0 ? array->stride : row->size;
}

static void read_items(void* context, weft__range items, uint32_t worker) {
  (void)worker;
  const read_job* job = context;
  const weft__selection at = *job->at;
  for (uint32_t k = 0; k < job->array_count; ++k) {
    const weft__attribute* row = row_of(job->arrays[k].attribute);
    if (row->get == NULL) continue;
    const size_t step = step_of(&job->arrays[k], row);
    char* value = (char*)job->arrays[k].values + items.begin * step;
    for (uint32_t n = items.begin; n < items.end; ++n, value += step) {
      if (weft__selects(&at, n)) row->get(job->read, weft__selected(&at, n), value);
    }
  }
}

// Reads an attribute that is found for a range at once.
static weft_result read_range(const read_job* job, const weft__attribute* row,
                              const weft_attribute_array* array) {
  const weft__selection* at = job->at;
  if (step_of(array, row) == row->size && at->list == NULL && at->mask == NULL) {
    row->get_range(job->read->world, at->hull, array->values);
    return weft__ok();
  }
  char* values = weft__alloc_zeroed(at->hull.end - at->hull.begin, row->size);
  WEFT__FAIL_IF(values == NULL, WEFT_ERROR_OUT_OF_MEMORY, "world");
  row->get_range(job->read->world, at->hull, values);
  char* value = array->values;
  for (uint32_t n = 0; n < at->count; ++n, value += step_of(array, row)) {
    if (!weft__selects(at, n)) continue;
    const size_t place = weft__selected_number(at, n) - at->hull.begin;
    memcpy(value, values + place * row->size, row->size);
  }
  weft__free(values);
  return weft__ok();
}

weft__attribute_read weft__attribute_read_of(const weft_world* world) {
  return (weft__attribute_read){.world = world, .rate = (float)(1.0 / weft__last_substep(world))};
}

static void run(weft__worker_pool* pool, uint32_t count, weft__range_task* task, void* context) {
  if (count <= GRAIN) {
    task(context, (weft__range){0, count}, 0);
    return;
  }
  if (pool != NULL) weft__worker_pool_begin(pool);
  weft__worker_pool_run_loop(pool, count, GRAIN, task, "attributes", context);
}

weft_result weft__read_arrays(const weft__attribute_read* read, const weft__selection* at,
                              const weft_attribute_array* arrays, uint32_t array_count) {
  read_job job = {read, at, arrays, array_count};
  if (at->hull.begin >= at->hull.end) return weft__ok();
  for (uint32_t k = 0; k < array_count; ++k) {
    const weft__attribute* row = row_of(arrays[k].attribute);
    if (row->get == NULL) WEFT__TRY(read_range(&job, row, &arrays[k]));
  }
  run(read->world->stepper.pool, at->count, read_items, &job);
  return weft__ok();
}

static weft_result get(const weft_world* world, weft_attribute attribute,
                       const weft_selection* selection, void* values, size_t stride) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  const weft__attribute* row = NULL;
  WEFT__TRY(weft__find_attribute(attribute, "attribute", &row));
  WEFT__FAIL_IF(row->needs_texture, WEFT_ERROR_RANGE, "attribute");
  if (row->check != NULL) WEFT__TRY(row->check(world));
  WEFT__FAIL_IF(values == NULL && selection->count > 0, WEFT_ERROR_NULL, "values");
  weft__selection at;
  WEFT__TRY(weft__check_selected(world, row->of, selection, &at));
  WEFT__FAIL_IF(!weft__is_attribute_stride(row, stride), WEFT_ERROR_RANGE, "stride");
  const weft__attribute_read read = weft__attribute_read_of(world);
  return weft__read_arrays(&read, &at, &(weft_attribute_array){attribute, values, stride}, 1);
}

weft_result weft_world_get(const weft_world* world, weft_attribute attribute,
                           weft_selection selection, void* values, size_t stride) {
  WEFT__RETURN_COMPUTED(get, world, attribute, &selection, values, stride);
}

// ---- changes ----

// Completes `write`, which has the world, the array and its stride as given.
static weft_result change(weft__attribute_write* write, weft_attribute attribute,
                          const weft_selection* selection) {
  WEFT__FAIL_IF(write->world == NULL, WEFT_ERROR_NULL, "world");
  const weft__attribute* row = NULL;
  WEFT__TRY(weft__find_attribute(attribute, "attribute", &row));
  WEFT__FAIL_IF(!(write->is_sum ? row->is_added : row->is_set), WEFT_ERROR_RANGE, "attribute");
  const weft__array* array = &write->array;
  WEFT__FAIL_IF(array->data == NULL && selection->count > 0, WEFT_ERROR_NULL, "values");
  WEFT__TRY(weft__check_selected(write->world, row->of, selection, &write->at));
  WEFT__FAIL_IF(array->stride != WEFT_SAME && !weft__is_attribute_stride(row, array->stride),
                WEFT_ERROR_RANGE, "stride");
  const size_t stride = array->stride != 0 ? array->stride : row->size;
  write->array = weft__array_of(array->data, stride, row->size / sizeof(float), "values");
  write->array.mask = selection->mask;
  if (write->at.hull.begin >= write->at.hull.end) return weft__ok();
  if (write->at.list != NULL) WEFT__TRY(weft__check_unique(&write->at));
  WEFT__TRY(row->prepare(write));
  row->apply(write);
  return weft__ok();
}

weft_result weft_world_set(weft_world* world, weft_attribute attribute, weft_selection selection,
                           const void* values, size_t stride) {
  weft__attribute_write write = {.world = world,
                                 .array = {.data = values, .stride = stride, .field = "values"}};
  WEFT__RETURN_COMPUTED(change, &write, attribute, &selection);
}

weft_result weft_world_add(weft_world* world, weft_attribute attribute, weft_selection selection,
                           const void* values, size_t stride) {
  weft__attribute_write write = {.world = world,
                                 .array = {.data = values, .stride = stride, .field = "values"},
                                 .is_sum = true};
  WEFT__RETURN_COMPUTED(change, &write, attribute, &selection);
}

// ---- shared by changes ----

weft_result weft__fail_at_selected(const weft__attribute_write* write, weft_error error,
                                   uint32_t n) {
  const bool is_listed = write->at.list != NULL;
  return weft__fail_at(error, is_listed ? "selection.indices" : "selection.first", n);
}

void weft__for_selected(weft__worker_pool* pool, weft__attribute_write* write,
                        weft__range_task* task) {
  run(pool, write->at.count, task, write);
}

void weft__rouse_selected(weft_world* world, const weft__selection* at, weft__rouse* rouse) {
  for (uint32_t n = 0; n < at->count;) {
    const weft__range run = weft__selected_run(at, &n);
    rouse(world, run.begin, run.end - run.begin);
  }
}
