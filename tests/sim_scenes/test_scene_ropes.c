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

TEST(the_head_follows_its_target_and_the_rope_its_head) {
  static const char* const targets[] = {"target=circle", "target=eight", "target=path"};
  for (size_t i = 0; i < 3; ++i) {
    sim_run* run = new_run_of("rope", rates[i], 4.0, SETS(targets[i], "load=0.2"));
    float head[3], far = 0.0f;
    for (uint64_t step = 0; step < sim_run_length(run); ++step) {
      take_steps(run, 1);
      expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 0, 1, head);
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

// ---- elastic rope ----

/* Each end moves in by less than a link: all inner particles keep their positions to the bit, as
 * links of an eighth of a metre have no rounding. */
TEST(pushed_together_it_goes_slack_and_nothing_resists) {
  sim_run* run = new_run_of("rope-elastic", 60.0, 3.0,
                            SETS("ends=both", "span=0.93", "gravity=0", "links=16"));
  float before[51], now[51];
  expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 0, 17, before);
  for (uint64_t step = 0; step < sim_run_length(run); ++step) {
    take_steps(run, 1);
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 0, 17, now);
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
