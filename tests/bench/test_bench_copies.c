/* `--count`: copies of a sheet in one scene of the bench. */
#include "ladder.h"
#include "support/test.h"

enum { SIZE = 9, COUNT = 7, PARTICLES = SIZE * SIZE, ITERATIONS = 3, STEPS = 20 };

static bench_scene new_copies(uint32_t count, bench_pin_rule pin) {
  const bench_scene_request request = {.sheet_size = SIZE, .count = count, .pin = pin};
  bench_scene scene;
  tool_message why;
  if (!bench_scene_make(&request, &scene, &why)) ck_abort_msg("%s", why.text);
  return scene;
}

static bench_scene new_flat_copies(uint32_t count, bench_pin_rule pin) {
  bench_scene scene = new_copies(count, pin);
  tool_message why;
  if (!bench_scene_add_flat(&scene, &why)) ck_abort_msg("%s", why.text);
  return scene;
}

LOOP_TEST(every_copy_has_the_links_and_the_pins_of_the_sheet, 0, 2) {
  const bench_pin_rule pins[] = {{.kind = BENCH_PIN_DEFAULT}, {BENCH_PIN_SIDE, 0, true, 0.3}};
  bench_scene one = new_flat_copies(1, pins[_i]);
  bench_scene many = new_flat_copies(COUNT, pins[_i]);
  ck_assert_uint_eq(many.size, SIZE);
  ck_assert_uint_eq(many.count, COUNT);
  ck_assert_uint_eq(many.particle_count, COUNT * PARTICLES);
  ck_assert_uint_eq(many.link_count, COUNT * one.link_count);
  for (uint32_t i = 0; i < many.particle_count; ++i) {
    require(many.inverse_masses[i] == one.inverse_masses[i % PARTICLES]);
  }
  for (uint32_t i = 0; i < many.link_count; ++i) {
    const weft_link_def* link = &one.links[i % one.link_count];
    const uint32_t first = i / one.link_count * PARTICLES;
    require(many.links[i].a == first + link->a && many.links[i].b == first + link->b);
    require(many.links[i].rest_length == link->rest_length);
  }
  bench_scene_free(&one);
  bench_scene_free(&many);
}

TEST(no_two_copies_stand_in_one_place) {
  bench_scene scene = new_flat_copies(COUNT, (bench_pin_rule){.kind = BENCH_PIN_DEFAULT});
  const size_t stride = (size_t)3 * PARTICLES;
  for (size_t a = 0; a < COUNT; ++a) {
    for (size_t b = 0; b < a; ++b) {
      const float* p = scene.positions + a * stride;
      const float* q = scene.positions + b * stride;
      // copies of the sheet, 2 m wide and flat, do not overlap
      require(p[0] - q[0] > 2.0f || q[0] - p[0] > 2.0f || p[2] - q[2] > 0.1f);
    }
  }
  bench_scene_free(&scene);
}

static void step_all(bench_ladder* ladder) {
  for (uint32_t r = 0; r < ladder->count; ++r) {
    for (int step = 0; step < STEPS; ++step) bench_rung_step(&ladder->rungs[r]);
  }
}

// the fall of each particle is the same in every copy
static void expect_equal_falls(const bench_rung* rung) {
  static float positions[COUNT * PARTICLES][3];
  bench_rung_positions(rung, COUNT * PARTICLES, positions[0]);
  ck_assert(positions[PARTICLES - 1][1] < -2.0f);
  for (uint32_t i = 0; i < COUNT * PARTICLES; ++i) {
    ck_assert_float_eq_tol(positions[i][1], positions[i % PARTICLES][1], 1e-3f);
  }
}

TEST(every_rung_steps_every_copy) {
  bench_plan plan = bench_default_plan("8");
  plan.iterations = ITERATIONS;
  plan.threads = (tool_count_list){.items = {1, 2}, .count = 2};
  plan.isas = (tool_isa_list){.items = {WEFT_ISA_AUTO}, .count = 1};
  bench_scene scene = new_copies(COUNT, (bench_pin_rule){.kind = BENCH_PIN_DEFAULT});
  bench_ladder ladder;
  tool_message why;
  if (!bench_ladder_make(&plan, 1, &scene, &ladder, &why)) ck_abort_msg("%s", why.text);
  ck_assert_uint_eq(ladder.count, 4);
  step_all(&ladder);
  for (uint32_t r = 0; r < ladder.count; ++r) expect_equal_falls(&ladder.rungs[r]);
  ck_assert(bench_rung_hash(&ladder.rungs[2]) == bench_rung_hash(&ladder.rungs[3]));
  bench_ladder_free(&ladder);
  bench_scene_free(&scene);
}

// ---- the option ----

static const tool_option copy_options[] = {BENCH_COPY_OPTIONS};

static bool complete_plan(const char* size, const char* count, bench_plan* plan,
                          tool_message* why) {
  const tool_count_list threads = {.items = {1}, .count = 1};
  *plan = bench_default_plan("8");
  return tool_option_take(&copy_options[0], plan, count, why) &&
         bench_plan_add_sheets(plan, size, why) && bench_plan_complete(plan, &threads, NULL, why);
}

TEST(a_count_is_a_whole_number_from_1_to_100000) {
  static const char* const bad[] = {"0", "100001", "-1", "", "2,3", "1e3", " 4"};
  bench_plan plan = bench_default_plan("8");
  tool_message why;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    char expected[128];
    snprintf(expected, sizeof expected, "--count: '%s' is not a whole number from 1 to 100000",
             bad[i]);
    ck_assert(!tool_option_take(&copy_options[0], &plan, bad[i], &why));
    ck_assert_str_eq(why.text, expected);
  }
  ck_assert(complete_plan("8,16", "100000", &plan, &why));
  ck_assert_uint_eq(plan.scenes[0].count, 100000);
  ck_assert_uint_eq(plan.scenes[1].count, 100000);
}

TEST(a_mesh_has_no_copies) {
  bench_plan plan = bench_default_plan("8");
  tool_message why;
  plan.scenes[plan.scene_count++] = (bench_scene_request){.mesh_path = "dress.obj", .count = 1};
  plan.count = 2;
  ck_assert(!bench_plan_complete(&plan, &plan.threads, &plan.isas, &why));
  ck_assert_str_eq(why.text, "--count: copies are of sheets, and dress.obj is a mesh");
}

TEST(too_many_copies_are_refused_before_they_are_made) {
  const bench_machine small = {.memory_bytes = UINT64_C(1) << 30};
  bench_plan plan;
  tool_message why;
  ck_assert(complete_plan("1024", "10", &plan, &why));
  ck_assert(bench_plan_fits(&plan, 100.0, &small, &why));
  ck_assert(complete_plan("1024", "11", &plan, &why));
  ck_assert(!bench_plan_fits(&plan, 100.0, &small, &why));
  ck_assert_str_eq(why.text,
                   "--count: 11 sheets of size 1024 need about 1.1 GiB, and this machine has 1.0");
  ck_assert(complete_plan("8192", "4", &plan, &why));
  ck_assert(!complete_plan("8192", "5", &plan, &why));
  ck_assert_str_eq(why.text, "--count: 5 sheets of size 8192 have more than 268435456 particles");
}

// ---- output ----

TEST(columns_keep_their_places_and_new_ones_follow) {
  static const struct {
    size_t place;
    const char* name;
  } columns[] = {{0, "scene"}, {1, "size"}, {21, "state_hash"}, {22, "count"}, {23, "step_ms_max"}};
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i) {
    ck_assert_str_eq(bench_result_type.columns[columns[i].place].name, columns[i].name);
  }
}

TEST(a_title_tells_copies_only_where_there_are_some) {
  char title[BENCH_MAX_TITLE];
  bench_scene_title("sheet", 32, 1, title);
  ck_assert_str_eq(title, "sheet 32");
  bench_scene_title("sheet", 32, 1000, title);
  ck_assert_str_eq(title, "1000 sheets 32 x 32");
  bench_scene_title("dress.obj", 40000, 1, title);
  ck_assert_str_eq(title, "dress.obj 40000");
}
