/* Profile of the stages: named, adds up to the spans of the steps, and changes no bit. */
#include <time.h>

#include "support/test.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static weft_world* new_profiled(uint32_t size, uint32_t workers, bool profile) {
  weft_world_def def = plain_def(.worker_count = workers, .substeps = 3);
  def.profile = profile;
  weft_world* world = new_world(&def, new_sheet_scene(size, size, ALL_FAMILIES));
  put_floor(world, -1.0f, 0.0f);
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 3.0f;
  expect_ok(weft_world_set_wind(world, &wind));
  return world;
}

TEST(stages_have_names_of_their_own) {
  for (int a = 0; a < WEFT_STAGE_COUNT; ++a) {
    const char* name = weft_stage_name((weft_stage)a);
    ck_assert_str_ne(name, "unknown");
    for (int b = 0; b < a; ++b) ck_assert_str_ne(name, weft_stage_name((weft_stage)b));
  }
  ck_assert_str_eq(weft_stage_name(WEFT_STAGE_LINKS), "links");
  ck_assert_str_eq(weft_stage_name(WEFT_STAGE_TEARS), "tears");
  ck_assert_str_eq(weft_stage_name(WEFT_STAGE_EVENTS), "events");
  ck_assert_str_eq(weft_stage_name((weft_stage)WEFT_STAGE_COUNT), "unknown");
  ck_assert_str_eq(weft_stage_name((weft_stage)-1), "unknown");
}

TEST(a_profile_is_only_there_where_it_was_asked_for) {
  double seconds[WEFT_STAGE_COUNT];
  weft_world* world = new_profiled(8, 1, false);
  expect_null(weft_world_get_profile(NULL, seconds), "world");
  expect_null(weft_world_get_profile(world, NULL), "seconds");
  expect_error(weft_world_get_profile(world, seconds), WEFT_ERROR_DISABLED,
               "weft_world_def.profile");
  world = new_profiled(8, 1, true);
  expect_ok(weft_world_get_profile(world, seconds));
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) ck_assert(seconds[stage] == 0.0);
}

// Totals are those of the spans, which cover a step without gaps: see test_spans.c.
LOOP_TEST(stages_add_up_to_the_spans_of_the_workers, 0, 2) {
  weft_world* world = new_profiled(160, 1 + (uint32_t)_i, true);
  double seconds[WEFT_STAGE_COUNT], expected[WEFT_STAGE_COUNT] = {0.0};
  expect_ok(weft_world_set_span_capacity(world, 1 << 16));
  const double start = now();
  for (int step = 0; step < 5; ++step) {
    weft_spans spans;
    weft_world_step(world, 1);
    expect_ok(weft_world_get_spans(world, 0, &spans));
    for (uint32_t i = 0; i < spans.count; ++i) {
      const weft_span* span = &spans.items[i];
      if (span->kind != WEFT_SPAN_STAGE) continue;
      expected[span->stage] += 1e-9 * (double)(span->end_ns - span->begin_ns);
    }
  }
  const double wall = now() - start;
  double sum = 0.0;
  expect_ok(weft_world_get_profile(world, seconds));
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    ck_assert_double_eq_tol(seconds[stage], expected[stage], 1e-9);
    sum += seconds[stage];
  }
  ck_assert(sum <= wall + 1e-6);
  ck_assert(seconds[WEFT_STAGE_LINKS] > 0.0);
  ck_assert(seconds[WEFT_STAGE_FORCES] > 0.0);
  ck_assert(seconds[WEFT_STAGE_BOUNDS] > 0.0);
  // stages that this scene does not use
  ck_assert(seconds[WEFT_STAGE_DIRECT] == 0.0);
  ck_assert(seconds[WEFT_STAGE_TEARS] == 0.0);
  ck_assert(seconds[WEFT_STAGE_COLLIDERS] == 0.0);
}
