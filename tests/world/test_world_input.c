/* Refused input of the calls on a world: the right error, and nothing changed. */
#include <math.h>
#include <sched.h>
#include <string.h>

#include "support/bad_float.h"
#include "support/worlds.h"

enum { COLUMNS = 6, ROWS = 5, COUNT = COLUMNS * ROWS };

static weft_scene* new_small_scene(void) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, COLUMNS, ROWS, ALL_FAMILIES);
  return scene;
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
  weft_world_destroy(&world);
}

static void expect_acceptance(const weft_world_def* def) {
  weft_scene* scene = new_small_scene();
  weft_world* world = new_world_from(def, scene);
  weft_world_step(world, 1);
  weft_world_destroy(&world);
}

// ---- weft_world_create ----

START_TEST(a_world_needs_a_def_a_scene_and_a_place_to_go) {
  const weft_world_def def = weft_plain_world_def();
  weft_scene* scene = new_small_scene();
  weft_world* world = NULL;
  expect_error(weft_world_create(NULL, scene, &world), WEFT_ERROR_NULL, "def");
  expect_error(weft_world_create(&def, NULL, &world), WEFT_ERROR_NULL, "scene");
  expect_error(weft_world_create(&def, scene, NULL), WEFT_ERROR_NULL, "world");
  weft_scene_destroy(&scene);
  scene = new_scene();
  expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_EMPTY, "scene");
  ck_assert_ptr_null(world);
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(a_def_not_made_by_its_default_function_is_refused) {
  weft_world_def def = weft_plain_world_def();
  def.cookie = 0;
  expect_refusal(&def, WEFT_ERROR_DEF, "weft_world_def", 0);
  memset(&def, 0, sizeof(def));
  expect_refusal(&def, WEFT_ERROR_DEF, "weft_world_def", 0);
}
END_TEST

START_TEST(gravity_and_damping_refuse_what_is_not_finite_or_negative) {
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (uint64_t axis = 0; axis < 3; ++axis) {
    weft_world_def def = weft_plain_world_def();
    def.gravity[axis] = bad[_i];
    expect_refusal(&def, WEFT_ERROR_NOT_FINITE, "weft_world_def.gravity", axis);
  }
  weft_world_def def = weft_plain_world_def();
  def.damping = bad[_i];
  expect_refusal(&def, WEFT_ERROR_NOT_FINITE, "weft_world_def.damping", 0);
  def.damping = -1e-30f;
  expect_refusal(&def, WEFT_ERROR_RANGE, "weft_world_def.damping", 0);
  def.damping = 0.0f;
  expect_acceptance(&def);
}
END_TEST

#define WHOLE_NUMBER(member, value, error) \
  { "weft_world_def." #member, offsetof(weft_world_def, member), value, error }

static const struct {
  const char* field;
  size_t offset;
  uint32_t value;
  weft_error error;
} bad_numbers[] = {
    WHOLE_NUMBER(iterations, 10001, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(coarse_iterations, 10001, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(coarse_every, 0, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(coarse_every, 1001, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(direct_iterations, 101, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(substeps, 0, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(substeps, 1001, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(attachments, 5, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(max_steps, 0, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(worker_count, 0, WEFT_ERROR_RANGE),
    WHOLE_NUMBER(worker_count, WEFT_MAX_WORKERS + 1, WEFT_ERROR_TOO_MANY),
};
enum { BAD_NUMBERS = sizeof(bad_numbers) / sizeof(*bad_numbers) };

START_TEST(whole_numbers_out_of_range_are_refused) {
  weft_world_def def = weft_plain_world_def();
  memcpy((char*)&def + bad_numbers[_i].offset, &bad_numbers[_i].value, sizeof(uint32_t));
  expect_refusal(&def, bad_numbers[_i].error, bad_numbers[_i].field, 0);
}
END_TEST

START_TEST(times_out_of_range_are_refused) {
  const int64_t bad_steps[] = {INT64_MIN, -1, 0, 999, 1000000001, INT64_MAX};
  for (size_t i = 0; i < sizeof(bad_steps) / sizeof(*bad_steps); ++i) {
    weft_world_def def = weft_plain_world_def();
    def.step_ns = bad_steps[i];
    expect_refusal(&def, WEFT_ERROR_RANGE, "weft_world_def.step_ns", 0);
  }
  weft_world_def def = weft_plain_world_def();
  def.min_elapsed_ns = -1;
  expect_refusal(&def, WEFT_ERROR_RANGE, "weft_world_def.min_elapsed_ns", 0);
  def.max_elapsed_ns = def.step_ns;
  def.min_elapsed_ns = def.step_ns + 1;
  expect_refusal(&def, WEFT_ERROR_RANGE, "weft_world_def.min_elapsed_ns", 0);
}
END_TEST

#ifdef __linux__
START_TEST(cpus_that_are_not_there_are_refused) {
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
END_TEST
#endif

START_TEST(the_ends_of_ranges_are_accepted) {
  weft_world_def def = weft_plain_world_def();
  def.step_ns = 1000;
  def.iterations = 0;
  def.max_steps = UINT32_MAX;
  def.worker_count = WEFT_MAX_WORKERS;
  expect_acceptance(&def);
  def.step_ns = 1000000000;
  def.iterations = 10000;
  def.attachments = 4;
  expect_acceptance(&def);
}
END_TEST

START_TEST(an_isa_that_is_not_there_is_refused) {
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
END_TEST

// ---- calls on a world ----

// a world in motion, and an undisturbed twin
typedef struct disturbed {
  weft_world* world;
  weft_world* undisturbed;
} disturbed;

static disturbed new_disturbed(void) {
  disturbed d = {new_world_of(new_small_scene()), new_world_of(new_small_scene())};
  weft_world_step(d.world, 3);
  weft_world_step(d.undisturbed, 3);
  return d;
}

// the same hash, now and after more steps
static void expect_undisturbed(disturbed* d) {
  ck_assert_uint_eq(weft_world_hash(d->world), weft_world_hash(d->undisturbed));
  weft_world_step(d->world, 3);
  weft_world_step(d->undisturbed, 3);
  ck_assert_uint_eq(weft_world_hash(d->world), weft_world_hash(d->undisturbed));
  weft_world_destroy(&d->world);
  weft_world_destroy(&d->undisturbed);
}

START_TEST(advancing_refuses_null_and_time_that_runs_backwards) {
  disturbed d = new_disturbed();
  weft_advance advance = {.steps = 7, .interpolation = 0.5f, .dropped_ns = 9};
  expect_error(weft_world_advance(NULL, 1, &advance), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_advance(d.world, -1, &advance), WEFT_ERROR_RANGE, "elapsed_ns");
  expect_error(weft_world_advance(d.world, INT64_MIN, &advance), WEFT_ERROR_RANGE, "elapsed_ns");
  ck_assert_uint_eq(advance.steps, 7);
  ck_assert_int_eq(advance.dropped_ns, 9);
  expect_undisturbed(&d);
}
END_TEST

typedef weft_result reader(const weft_world* world, uint32_t first, uint32_t count, float* out);

static weft_result read_halfway(const weft_world* world, uint32_t first, uint32_t count,
                                float* out) {
  return weft_world_get_interpolated(world, 0.5f, first, count, out);
}

START_TEST(reading_takes_any_range_inside_the_world_and_none_outside) {
  static reader* const readers[] = {weft_world_get_positions, read_halfway,
                                    weft_world_get_velocities};
  const char* const fields[] = {"positions", "positions", "velocities"};
  disturbed d = new_disturbed();
  float out[3 * COUNT];
  reader* read = readers[_i];
  expect_error(read(NULL, 0, 1, out), WEFT_ERROR_NULL, "world");
  expect_error(read(d.world, 0, 1, NULL), WEFT_ERROR_NULL, fields[_i]);
  expect_error(read(d.world, 1, COUNT, out), WEFT_ERROR_INDEX, "first + count");
  expect_error(read(d.world, COUNT + 1, 0, out), WEFT_ERROR_INDEX, "first + count");
  expect_error(read(d.world, UINT32_MAX, UINT32_MAX, out), WEFT_ERROR_INDEX, "first + count");
  expect_ok(read(d.world, 0, COUNT, out));
  expect_ok(read(d.world, COUNT - 1, 1, out));
  expect_ok(read(d.world, COUNT, 0, NULL));
  expect_undisturbed(&d);
}
END_TEST

START_TEST(interpolation_outside_zero_to_one_is_refused) {
  const float_field field = {"interpolation", 0, 0.0f, 1.0f, 0};
  const bad_float bad = bad_float_of(&field, _i);
  disturbed d = new_disturbed();
  float out[3];
  if (bad.error == WEFT_OK) {
    expect_ok(weft_world_get_interpolated(d.world, bad.value, 0, 1, out));
  } else {
    expect_error(weft_world_get_interpolated(d.world, bad.value, 0, 1, out), bad.error,
                 "interpolation");
  }
  expect_undisturbed(&d);
}
END_TEST

START_TEST(stats_refuse_null) {
  disturbed d = new_disturbed();
  weft_world_stats stats;
  expect_error(weft_world_get_stats(NULL, &stats), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_get_stats(d.world, NULL), WEFT_ERROR_NULL, "stats");
  expect_undisturbed(&d);
}
END_TEST

START_TEST(destroying_nothing_is_harmless_and_destroying_clears_the_pointer) {
  weft_world* world = NULL;
  weft_world_destroy(NULL);
  weft_world_destroy(&world);
  world = new_world_of(new_small_scene());
  weft_world_destroy(&world);
  ck_assert_ptr_null(world);
  weft_world_destroy(&world);
  weft_world_step(NULL, 3);
}
END_TEST

SUITE(world_input) {
  tcase_add_test(tests, a_world_needs_a_def_a_scene_and_a_place_to_go);
  tcase_add_test(tests, a_def_not_made_by_its_default_function_is_refused);
  tcase_add_loop_test(tests, gravity_and_damping_refuse_what_is_not_finite_or_negative, 0, 3);
  tcase_add_loop_test(tests, whole_numbers_out_of_range_are_refused, 0, BAD_NUMBERS);
  tcase_add_test(tests, times_out_of_range_are_refused);
#ifdef __linux__
  tcase_add_test(tests, cpus_that_are_not_there_are_refused);
#endif
  tcase_add_test(tests, the_ends_of_ranges_are_accepted);
  tcase_add_test(tests, an_isa_that_is_not_there_is_refused);
  tcase_add_test(tests, advancing_refuses_null_and_time_that_runs_backwards);
  tcase_add_loop_test(tests, reading_takes_any_range_inside_the_world_and_none_outside, 0, 3);
  tcase_add_loop_test(tests, interpolation_outside_zero_to_one_is_refused, 0, BAD_FLOAT_COUNT);
  tcase_add_test(tests, stats_refuse_null);
  tcase_add_test(tests, destroying_nothing_is_harmless_and_destroying_clears_the_pointer);
}
