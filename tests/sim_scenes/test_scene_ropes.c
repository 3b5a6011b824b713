/* The scenes `rope`, `rope-elastic` and `rod`, against the catenary, Hooke's law, and the paths of
 * their targets. */
#include "sim/catenary.h"
#include "sim/path.h"
#include "support/sim_runs.h"
#include "support/test.h"

static const double rates[] = {30.0, 60.0, 120.0, 480.0};

// ---- catenary ----

/* The slope of a catenary grows in proportion to its length: the horizontal tension is constant,
 * the vertical one bears the weight below. */
TEST(a_catenary_meets_both_ends_and_its_slope_grows_with_its_length) {
  static const double ends[][3] = {
      {1.0, 0.0, 0.0}, {0.3, 1.0, -2.0}, {0.0, 0.1, 0.5}, {3.9, 0.0, 0.5}, {-1.0, -3.0, 0.2}};
  const double from[3] = {0.5, -2.0, 7.0}, length = 4.0;
  for (size_t k = 0; k < sizeof ends / sizeof ends[0]; ++k) {
    const double to[3] = {from[0] + ends[k][0], from[1] + ends[k][1], from[2] + ends[k][2]};
    const sim_catenary c = sim_catenary_between(from, to, length);
    double at[3], before[3], growth = 0.0, last_slope = 0.0;
    sim_catenary_at(&c, length, at);
    for (int axis = 0; axis < 3; ++axis) ck_assert_double_eq_tol(at[axis], to[axis], 1e-9);
    sim_catenary_at(&c, 0.0, before);
    for (int axis = 0; axis < 3; ++axis) ck_assert_double_eq_tol(before[axis], from[axis], 1e-9);
    for (int i = 1; i <= 4000; ++i) {
      sim_catenary_at(&c, length * i / 4000.0, at);
      const double x = hypot(at[0] - before[0], at[2] - before[2]), y = at[1] - before[1];
      ck_assert_double_eq_tol(hypot(x, y), length / 4000.0, 1e-6);
      const double slope = y / x;
      if (i == 2) growth = slope - last_slope;
      if (i > 2 && x > 1e-6) ck_assert_double_eq_tol((slope - last_slope) / growth, 1.0, 0.02);
      last_slope = slope;
      for (int axis = 0; axis < 3; ++axis) before[axis] = at[axis];
    }
  }
}

TEST(a_catenary_between_ends_too_far_apart_is_straight_and_one_without_width_folds) {
  const double from[3] = {0.0, 0.0, 0.0}, far[3] = {3.0, 4.0, 0.0}, above[3] = {0.0, 1.0, 0.0};
  double at[3];
  sim_catenary c = sim_catenary_between(from, far, 5.0);
  sim_catenary_at(&c, 2.5, at);
  ck_assert_double_eq_tol(at[0], 1.5, 1e-12);
  ck_assert_double_eq_tol(at[1], 2.0, 1e-12);
  c = sim_catenary_between(from, above, 3.0);
  sim_catenary_at(&c, 1.0, at);
  ck_assert_double_eq_tol(at[1], -1.0, 1e-12);
  sim_catenary_at(&c, 2.0, at);
  ck_assert_double_eq_tol(at[1], 0.0, 1e-12);
}

// ---- paths ----

TEST(a_sine_of_turns_is_the_librarys) {
  for (double turns = -3.0; turns < 3.0; turns += 0.0037) {
    double sine = 0.0, cosine = 0.0;
    sim_sine_of_turns(turns, &sine, &cosine);
    ck_assert_double_eq_tol(sine, sin(turns * 2.0 * acos(-1.0)), 1e-14);
    ck_assert_double_eq_tol(cosine, cos(turns * 2.0 * acos(-1.0)), 1e-14);
  }
}

TEST(ways_begin_where_they_start_and_go_straight_between_places) {
  sim_path path = {.kind = SIM_PATH_CIRCLE, .radius = 2.0, .period = 4.0};
  tool_message why;
  double at[3];
  for (; path.kind <= SIM_PATH_EIGHT; ++path.kind) {
    for (double time = 0.0; time < 9.0; time += 4.0) {
      sim_path_at(&path, time, at);
      for (int axis = 0; axis < 3; ++axis) ck_assert_double_eq_tol(at[axis], 0.0, 1e-12);
    }
  }
  path.kind = SIM_PATH_CIRCLE;
  for (double time = 0.0; time < 9.0; time += 0.1) {
    sim_path_at(&path, time, at);
    ck_assert_double_eq_tol(hypot(at[0] + 2.0, at[1]), 2.0, 1e-12);
  }
  path.kind = SIM_PATH_PLACES;
  ck_assert(sim_path_read("path", " 1 2 0,3 2 -4 1 ", &path, &why));
  ck_assert_uint_eq(path.place_count, 2);
  sim_path_at(&path, 0.25, at);
  ck_assert_double_eq(at[0], 0.5);
  sim_path_at(&path, 2.0, at);
  ck_assert(at[0] == 2.0 && at[1] == -2.0 && at[2] == 0.5);
  sim_path_at(&path, 99.0, at);
  ck_assert(at[0] == 2.0 && at[1] == -4.0 && at[2] == 1.0);
  sim_path_free(&path);
}

TEST(a_way_that_cannot_be_read_is_refused_in_words) {
  static const char* const cases[][2] = {
      {"1 2", "path: a place is a time, x, y and maybe z: '1' begins one of 2"},
      {"x 1 2", "path: 'x' is not a number from 0 to 1e+06"},
      {"1 1 nan", "path: 'nan' is not a number from -1e+06 to 1e+06"},
      {"1 1 1, 1 2 2", "path: the time 1 is not after the one before"},
      {"1 1 1,", "path: nothing between two commas, or at an end"},
      {",", "path: nothing between two commas, or at an end"},
      {"1 1 1 1 1 1 1 1 12345", "path: too long at '12345'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sim_path path = {.kind = SIM_PATH_PLACES};
    tool_message why;
    ck_assert(!sim_path_read("path", cases[i][0], &path, &why));
    ck_assert_str_eq(why.text, cases[i][1]);
    sim_path_free(&path);
  }
}

// ---- rigid rope ----

TEST(a_rope_held_at_both_ends_hangs_in_a_catenary) {
  static const struct {
    const char *span, *rise, *links;
  } cases[] = {{"span=0.7", "rise=0", "links=100"},
               {"span=0.3", "rise=0.5", "links=101"},
               {"span=0.95", "rise=-0.3", "links=33"},
               {"span=0.5", "rise=0", "links=300"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sim_run* run = new_run_of(
        "rope", rates[i], ROUNDS(12.0, 8.0),
        SETS("ends=both", "damping=2", "load=5", cases[i].span, cases[i].rise, cases[i].links));
    run_to_the_end(run);
    ck_assert_double_lt(result_of(run, "catenary_error"), 0.01);
    ck_assert_double_lt(result_of(run, "greatest_strain"), 0.01);
  }
}

TEST(a_rope_at_rest_keeps_its_length_whatever_it_bears) {
  static const char* const loads[] = {"load=0", "load=0.1", "load=10", "load=10000"};
  for (size_t i = 0; i < 4; ++i) {
    sim_run* run = new_run_of("rope", rates[i], 8.0, SETS("target=still", "damping=3", loads[i]));
    run_to_the_end(run);
    ck_assert_double_eq_tol(result_of(run, "length_error"), 0.0, 1e-4);
    ck_assert_double_eq_tol(result_of(run, "span"), 2.0, 0.002);
  }
}

TEST(the_head_follows_its_target_and_the_rope_its_head) {
  static const char* const targets[] = {"target=circle", "target=eight", "target=path"};
  for (size_t i = 0; i < 3; ++i) {
    sim_run* run = new_run_of("rope", rates[i], 4.0, SETS(targets[i], "load=0.2"));
    float head[3], far = 0.0f;
    for (uint64_t step = 0; step < sim_run_length(run); ++step) {
      take_steps(run, 1);
      expect_ok(weft_world_get_positions(sim_run_world(run), 0, 1, head));
      const double phase = 2.0 * acos(-1.0) * sim_run_moment(run).time / 4.0;
      far = fmaxf(far, fabsf(head[0]) + fabsf(head[1]));
      if (i > 0) continue;
      ck_assert_double_eq_tol((double)head[0], 0.5 * cos(phase) - 0.5, 1e-6);
      ck_assert_double_eq_tol((double)head[1], 0.5 * sin(phase), 1e-6);
    }
    ck_assert_float_gt(far, 0.4f);
    ck_assert_double_eq(result_of(run, "head_error"), 0.0);
    ck_assert_double_lt(result_of(run, "greatest_strain"), 0.01);
    ck_assert_double_eq_tol(result_of(run, "length"), 2.0, 0.02);
  }
}

/* The period is short enough for the free end to whip. */
TEST(a_rope_that_is_swung_fast_or_has_many_links_keeps_its_length) {
  for (size_t i = 0; i < 4; ++i) {
    sim_run* run = new_run_of("rope", rates[i], 3.0, SETS("target=eight", "period=1"));
    run_to_the_end(run);
    ck_assert_double_lt(result_of(run, "greatest_strain"), 0.01);
  }
  sim_run* run = new_run_of("rope", 60.0, ROUNDS(2.0, 0.5), SETS("links=3000"));
  run_to_the_end(run);
  ck_assert_double_lt(result_of(run, "greatest_strain"), 0.01);
}

// ---- elastic rope ----

TEST(an_elastic_rope_is_as_long_as_hooke_says) {
  static const char* const links[] = {"links=1", "links=24", "links=72", "links=100"};
  for (size_t i = 0; i < 4; ++i) {
    sim_run* run = new_run_of("rope-elastic", rates[i], ROUNDS(10.0, 5.0),
                              SETS("target=still", "damping=2", links[i]));
    run_to_the_end(run);
    // 2 m at 0.05 a newton; 0.5 kg and on average half of the rope's 0.1 kg
    const double longer = 2.0 * 0.05 * 9.81 * 0.55;
    ck_assert_double_eq_tol(result_of(run, "length_hanging"), 2.0 + longer, 1e-12);
    ck_assert_double_eq_tol(result_of(run, "length"), 2.0 + longer, 0.01 * longer);
    ck_assert_double_gt(result_of(run, "greatest_strain"), 1.2 * longer / 2.0);
  }
}

TEST(drawn_apart_it_pulls_and_stores_what_hooke_says) {
  sim_run* run = new_run_of("rope-elastic", 60.0, ROUNDS(10.0, 6.0),
                            SETS("ends=both", "span=1.5", "gravity=0", "damping=3"));
  run_to_the_end(run);
  const sim_facts facts = facts_of(run);
  // stretch of half a length: 0.5 / 0.05 newtons; energy over 1 m with a force that grows from 0
  ck_assert_double_eq_tol(result_of(run, "head_pull"), 10.0, 0.01);
  ck_assert_double_eq_tol(result_of(run, "stretch_energy"), 5.0, 0.01);
  ck_assert_double_eq_tol(facts.measures.elastic, 5.0, 0.01);
  ck_assert_double_eq(result_of(run, "slack_share"), 0.0);
}

/* Each end moves in by less than a link: all inner particles keep their positions to the bit, as
 * links of an eighth of a metre have no rounding. */
TEST(pushed_together_it_goes_slack_and_nothing_resists) {
  sim_run* run = new_run_of("rope-elastic", 60.0, 3.0,
                            SETS("ends=both", "span=0.93", "gravity=0", "links=16"));
  float before[51], now[51];
  expect_ok(weft_world_get_positions(sim_run_world(run), 0, 17, before));
  for (uint64_t step = 0; step < sim_run_length(run); ++step) {
    take_steps(run, 1);
    expect_ok(weft_world_get_positions(sim_run_world(run), 0, 17, now));
    ck_assert_mem_eq(now + 3, before + 3, sizeof now - 6 * sizeof *now);
  }
  const sim_facts facts = facts_of(run);
  ck_assert_float_eq_tol(now[0], 0.07f, 1e-6f);
  ck_assert_float_eq_tol(now[48], 1.93f, 1e-6f);
  ck_assert_double_eq_tol(result_of(run, "length"), 1.86, 1e-6);
  ck_assert_double_eq(result_of(run, "head_pull"), 0.0);
  ck_assert_double_lt(facts.measures.elastic, 1e-9);
  ck_assert_double_eq(facts.measures.kinetic, 0.0);
}

TEST(a_rope_too_stiff_to_step_is_refused_with_what_to_change) {
  sim_settings settings = sim_default_settings();
  settings.sets = SETS("give=1e-9");
  settings.set_count = 1;
  sim_run* run = NULL;
  tool_message why;
  ck_assert_int_eq(sim_run_create("rope-elastic", &settings, &run, &why), SIM_FAILED);
  ck_assert_ptr_nonnull(strstr(why.text, "substeps a step, and 1000 are the most"));
}

// ---- a twisted cable ----

/* The twist about the axis and the writhe of the curve add up to the turns of the clamp, however
 * they are shared (Calugareanu 1959). Few turns twist; more coil the cable around itself. */
TEST(twist_and_writhe_of_a_cable_add_up_to_the_turns_of_its_clamp) {
  static const struct {
    const char *turns, *approach;
    double expected, lower, upper; /* turns, and bounds of the writhe */
  } cables[] = {{"turns=1", "approach=0", 1.0, -1e-3, 1e-3},
                {"turns=-3", "approach=0.2", -3.0, -1.0, -0.1},
                {"turns=4", "approach=0.4", 4.0, 1.5, 3.0}};
  for (size_t c = 0; c < sizeof cables / sizeof *cables; ++c) {
    sim_run* run = new_run_of("rod", 60.0, ROUNDS(4.0, 0.5),
                              SETS("size=64", cables[c].turns, cables[c].approach));
    take_steps(run, sim_run_length(run));
    const double writhe = result_of(run, "writhe");
    const double done = ROUNDS(1.0, 0.25);
    if (done == 1.0) {
      ck_assert_double_eq_tol(result_of(run, "twist") + writhe, cables[c].expected, 0.05);
      ck_assert(cables[c].lower < writhe && writhe < cables[c].upper);
    }
  }
}
