/* Refused input of the calls on a world: the right error, and nothing changed. */
#include <sched.h>

#include "support/bad_float.h"
#include "support/test.h"

enum { COLUMNS = 6, ROWS = 5, COUNT = COLUMNS * ROWS };

static weft_scene* new_small_scene(void) {
  return new_sheet_scene(COLUMNS, ROWS, ALL_FAMILIES);
}

// creation fails with this error, leaves the pointer alone, and the scene can still be used
static void expect_refusal(const weft_world_def* def, weft_error error, const char* field,
                           uint64_t index) {
  weft_scene* scene = new_small_scene();
  weft_world* const nowhere = (weft_world*)(void*)&error;
  weft_world* world = nowhere;
  expect_error_at(weft_world_create(def, scene, &world), error, field, index);
  ck_assert_ptr_eq(world, nowhere);
  world = new_world_of(scene);
  weft_world_step(world, 1);
}

static void expect_acceptance(const weft_world_def* def) {
  weft_scene* scene = new_small_scene();
  weft_world* world = new_world(def, scene);
  weft_world_step(world, 1);
}

// ---- weft_world_create ----

TEST(a_world_needs_a_def_a_scene_and_a_place_to_go) {
  const weft_world_def def = weft_plain_world_def();
  weft_scene* scene = new_small_scene();
  weft_world* world = NULL;
  expect_null(weft_world_create(NULL, scene, &world), "def");
  expect_null(weft_world_create(&def, NULL, &world), "scene");
  expect_null(weft_world_create(&def, scene, NULL), "world");
  scene = new_scene();
  expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_EMPTY, "scene");
  ck_assert_ptr_null(world);
}

TEST(least_and_most_elapsed_times_are_in_order) {
  weft_world_def def = weft_plain_world_def();
  def.max_elapsed_ns = def.step_ns - 1;
  expect_refusal(&def, WEFT_ERROR_RANGE, "weft_world_def.max_elapsed_ns", 0);
  def.max_elapsed_ns = def.step_ns;
  def.min_elapsed_ns = def.step_ns + 1;
  expect_refusal(&def, WEFT_ERROR_RANGE, "weft_world_def.min_elapsed_ns", 0);
}

#ifdef __linux__
TEST(cpus_that_are_not_there_are_refused) {
  weft_world_def def = weft_plain_world_def();
  def.worker_count = 3;
  const uint32_t here = (uint32_t)sched_getcpu();
  const uint32_t impossible[] = {1u << 20, INT32_MAX, UINT32_MAX};
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t cpus[] = {here, here, here};
    cpus[i] = impossible[i];
    def.worker_cpus = cpus;
    expect_refusal(&def, WEFT_ERROR_RANGE, "weft_world_def.worker_cpus", i);
  }
  const uint32_t cpus[] = {here, here, here};
  def.worker_cpus = cpus;
  expect_acceptance(&def);
}
#endif

TEST(an_isa_that_is_not_there_is_refused) {
  for (int isa = -1; isa < 10; ++isa) {
    weft_world_def def = weft_plain_world_def();
    def.isa = (weft_isa)isa;
    if (weft_isa_supported(def.isa)) {
      expect_acceptance(&def);
    } else {
      expect_refusal(&def, WEFT_ERROR_UNSUPPORTED, "weft_world_def.isa", 0);
    }
  }
}

// ---- calls on a world ----

TEST(advancing_refuses_null_and_time_that_runs_backwards) {
  weft_world* world = new_world_of(new_small_scene());
  weft_advance advance = {.steps = 7, .interpolation = 0.5f, .dropped_ns = 9};
  expect_null(weft_world_advance(NULL, 1, &advance), "world");
  expect_error(weft_world_advance(world, -1, &advance), WEFT_ERROR_RANGE, "elapsed_ns");
  expect_error(weft_world_advance(world, INT64_MIN, &advance), WEFT_ERROR_RANGE, "elapsed_ns");
  ck_assert_uint_eq(advance.steps, 7);
  ck_assert_int_eq(advance.dropped_ns, 9);
}

typedef weft_result reader(const weft_world* world, uint32_t first, uint32_t count, float* out);

static weft_result read_positions(const weft_world* world, uint32_t first, uint32_t count,
                                  float* out) {
  return weft_world_get(world, WEFT_ATTRIBUTE_POSITION, weft_range(first, count), out, 0);
}

static weft_result read_halfway(const weft_world* world, uint32_t first, uint32_t count,
                                float* out) {
  return read_interpolated(world, 0.5f, first, count, out);
}

static weft_result read_velocities(const weft_world* world, uint32_t first, uint32_t count,
                                   float* out) {
  return weft_world_get(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(first, count), out, 0);
}

LOOP_TEST(reading_takes_any_range_inside_the_world_and_none_outside, 0, 3) {
  static reader* const readers[] = {read_positions, read_halfway, read_velocities};
  const char* const fields[] = {"values", "weft_attribute_array.values", "values"};
  weft_world* world = new_world_of(new_small_scene());
  float out[3 * COUNT];
  reader* read = readers[_i];
  expect_null(read(NULL, 0, 1, out), "world");
  expect_null(read(world, 0, 1, NULL), fields[_i]);
  expect_past_end(read(world, 1, COUNT, out));
  expect_past_end(read(world, COUNT + 1, 0, out));
  expect_past_end(read(world, UINT32_MAX, UINT32_MAX, out));
  expect_ok(read(world, 0, COUNT, out));
  expect_ok(read(world, COUNT - 1, 1, out));
  expect_ok(read(world, COUNT, 0, NULL));
}

LOOP_TEST(interpolation_outside_zero_to_one_is_refused, 0, BAD_FLOAT_COUNT) {
  const bad_float bad = bad_float_of(0.0f, 1.0f, _i);
  weft_world* world = new_world_of(new_small_scene());
  float out[3];
  if (bad.error == WEFT_OK) {
    expect_ok(read_interpolated(world, bad.value, 0, 1, out));
  } else {
    expect_error(read_interpolated(world, bad.value, 0, 1, out), bad.error,
                 "weft_vertices_def.interpolation");
  }
}

TEST(stats_refuse_null) {
  weft_world* world = new_world_of(new_small_scene());
  weft_world_stats stats;
  expect_null(weft_world_get_stats(NULL, &stats), "world");
  expect_null(weft_world_get_stats(world, NULL), "stats");
}

TEST(destroying_nothing_is_harmless_and_destroying_clears_the_pointer) {
  weft_world* world = NULL;
  weft_world_destroy(NULL);
  weft_world_destroy(&world);
  world = new_world_of(new_small_scene());
  weft_world_destroy(&world);
  ck_assert_ptr_null(world);
  weft_world_destroy(&world);
  weft_world_step(NULL, 3);
}
