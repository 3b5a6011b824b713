/* The scene `player`, against closed forms of a point mass that is thrown, slides and bounces. */
#include "sim/keys.h"
#include "support/sim_runs.h"
#include "support/test.h"

static const double rates[] = {30.0, 60.0, 144.0, 480.0};

enum { RATES = 4 };

static const double earth = 9.81, moon = 1.62;

static sim_run* finished(double rate, double seconds, const char* const* sets) {
  sim_run* run = new_run_of("player", rate, seconds, sets);
  run_to_the_end(run);
  return run;
}

/* One result of a complete run. */
static double outcome(double rate, double seconds, const char* name, const char* const* sets) {
  sim_run* run = finished(rate, seconds, sets);
  return result_of(run, name);
}

static void velocity_of(const sim_run* run, float velocity[3]) {
  expect_ok(weft_world_get_velocities(sim_run_world(run), 0, 1, velocity));
}

// ---- scripts ----

TEST(a_press_holds_from_its_second_to_its_end_and_for_one_step_at_least) {
  const double h = 1.0 / 60.0;
  const sim_press half = {0, 0.5, 2.0}, tap = {0, 0.5, 0.5}, between = {0, 0.501, 0.502};
  for (uint64_t step = 0; step < 200; ++step) {
    ck_assert(sim_press_holds(&half, step, h) == (step >= 30 && step < 120));
    ck_assert(sim_press_holds(&tap, step, h) == (step == 30));
    ck_assert(sim_press_holds(&between, step, h) == (step == 31));
  }
}

TEST(a_script_is_read_or_refused_in_words) {
  static const char* const names[] = {"left", "right", "jump", NULL};
  static const char* const cases[][2] = {
      {"jmp 1", "script: 'jmp' is not a key (did you mean jump?)"},
      {"jump", "script: 'jump' is followed by SECOND or FROM-TO"},
      {"jump 1 2", "script: 'jump' is followed by SECOND or FROM-TO"},
      {"jump 1, left 3-2", "script: '3-2' ends before it begins"},
      {"jump -1", "script: '' is not a number from 0 to 1e+06"},
      {"jump 1-x", "script: 'x' is not a number from 0 to 1e+06"},
      {"jump 1,,jump 2", "script: nothing between two commas, or at an end"},
  };
  sim_script script = {.count = 0};
  tool_message why;
  ck_assert(sim_script_read("script", " right 0.5-2,jump 1.5 ", names, &script, &why));
  ck_assert_uint_eq(script.count, 2);
  ck_assert(script.presses[0].key == 1 && script.presses[1].key == 2);
  ck_assert(script.presses[0].from == 0.5 && script.presses[0].to == 2.0);
  ck_assert(script.presses[1].from == 1.5 && script.presses[1].to == 1.5);
  sim_script_free(&script);
  ck_assert(sim_script_read("script", "  ", names, &script, &why) && script.count == 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ck_assert(!sim_script_read("script", cases[i][0], names, &script, &why));
    ck_assert_str_eq(why.text, cases[i][1]);
    sim_script_free(&script);
  }
}

// ---- jump ----

TEST(a_jump_is_as_high_as_its_speed_makes_it) {
  static const struct {
    const char* set;
    double height;
  } cases[] = {{"jump_height=0.3", 0.3}, {"jump_height=1", 1.0}, {"jump_height=3", 3.0}};
  for (size_t i = 0; i < 3 * RATES; ++i) {
    const double height = cases[i / RATES].height, rate = rates[i % RATES];
    sim_run* run =
        finished(rate, 3.0, SETS("script=jump 0.5", "gravity=9.81", cases[i / RATES].set));
    const double v = result_of(run, "jump_speed");
    ck_assert_double_eq_tol(v * v / (2.0 * earth), height, 1e-9);
    ck_assert_double_eq_tol(result_of(run, "highest_jump"), height, 0.001 * height);
    ck_assert_double_eq_tol(result_of(run, "time_in_air"), 2.0 * v / earth, 2.0 / rate);
    ck_assert_double_eq(result_of(run, "y"), 0.0);
  }
}

TEST(on_the_moon_it_jumps_as_much_higher_as_it_pulls_less) {
  for (size_t i = 0; i < RATES; ++i) {
    const double here = outcome(rates[i], 8.0, "highest_jump", SETS("script=jump 0"));
    const double there =
        outcome(rates[i], 8.0, "highest_jump", SETS("script=jump 0", "gravity=1.62"));
    ck_assert_double_eq_tol(there / here, earth / moon, 0.001 * earth / moon);
  }
}

TEST(it_jumps_only_when_it_touches_the_floor) {
  for (size_t i = 0; i < RATES; ++i) {
    // the drop takes 0.64 seconds, a jump 0.9
    ck_assert_double_eq(outcome(rates[i], 3.0, "jumps", SETS("drop=2", "script=jump 0.3")), 0.0);
    ck_assert_double_eq(outcome(rates[i], 3.0, "jumps", SETS("drop=2", "script=jump 0.3-0.6")),
                        0.0);
    ck_assert_double_eq(outcome(rates[i], 3.0, "jumps", SETS("drop=2", "script=jump 0.3-2")), 1.0);
    ck_assert_double_eq(outcome(rates[i], 3.0, "jumps", SETS("script=jump 0, jump 0.4, jump 0.8")),
                        1.0);
    ck_assert_double_eq(outcome(rates[i], 3.0, "jumps", SETS("script=jump 0, jump 1.2")), 2.0);
  }
}

// ---- walking ----

TEST(it_walks_as_the_force_less_friction_has_it_and_stops) {
  for (size_t i = 0; i < RATES; ++i) {
    sim_run* run = finished(rates[i], 3.0, SETS("script=right 0.5-1", "max_speed_x=100"));
    const double slowing = 0.6 * earth, a = 1000.0 / 85.0 - slowing;
    const double speed = 0.5 * a;
    const double way = 0.5 * speed * 0.5 + speed * speed / (2.0 * slowing);
    // walls act to first order in the step: half a step of extra friction
    const double late = 0.55 * slowing / rates[i];
    ck_assert_double_eq_tol(result_of(run, "top_speed_x"), speed, late);
    ck_assert_double_eq_tol(result_of(run, "x"), way, late);
    float velocity[3];
    velocity_of(run, velocity);
    // zero up to rounding of positions
    ck_assert_float_eq_tol(velocity[0], 0.0f, 1e-4f);
    // the left key gives the mirror image; both keys cancel
    ck_assert_double_eq(outcome(rates[i], 3.0, "x", SETS("script=left 0.5-1")),
                        -outcome(rates[i], 3.0, "x", SETS("script=right 0.5-1")));
    ck_assert_double_eq(outcome(rates[i], 3.0, "x", SETS("script=left 0-1, right 0-1")), 0.0);
  }
}

TEST(it_has_little_control_in_the_air) {
  static const char* const shares[] = {"air_control=0", "air_control=0.1", "air_control=0.5"};
  static const double expected[] = {0.0, 0.1, 0.5};
  for (size_t i = 0; i < 3 * RATES; ++i) {
    const double rate = rates[i % RATES];
    const double floor = outcome(rate, 1.5, "top_speed_x",
                                 SETS("friction=0", "max_speed_x=1000", "script=right 0.5-1"));
    sim_run* run = finished(rate, 1.5,
                            SETS("friction=0", "max_speed_x=1000", "drop=100", shares[i / RATES],
                                 "script=right 0.5-1"));
    ck_assert_double_eq(result_of(run, "time_on_floor"), 0.0);
    ck_assert_double_eq_tol(result_of(run, "top_speed_x") / floor, expected[i / RATES], 0.001);
  }
}

// ---- the floor ----

TEST(bounces_are_as_high_as_the_elasticity_has_them) {
  static const char* const names[] = {"bounce_1", "bounce_2", "bounce_3", "bounce_4",
                                      "bounce_5", "bounce_6", "bounce_7", "bounce_8"};
  for (size_t i = 0; i < RATES; ++i) {
    sim_run* run = finished(rates[i], 9.0, SETS("drop=2", "elasticity=0.9", "script="));
    ck_assert_double_ge(result_of(run, "bounces"), 8.0);
    double height = 2.0;
    for (int n = 0; n < 8; ++n) {
      height *= 0.9 * 0.9;
      ck_assert_double_eq_tol(result_of(run, names[n]), height, 0.001 * height);
    }
    ck_assert_double_eq_tol(result_of(run, "highest"), 2.0, 1e-6);
    run = finished(rates[i], 6.0, SETS("drop=2", "elasticity=0", "script="));
    ck_assert_double_eq(result_of(run, "bounces"), 0.0);
    ck_assert_double_eq(result_of(run, "y"), 0.0);
    run = finished(rates[i], 20.0, SETS("drop=2", "elasticity=0.5", "script="));
    ck_assert_double_eq(result_of(run, "y"), 0.0);
  }
}

TEST(friction_stops_it_where_it_should) {
  static const struct {
    const char *friction, *launch;
    double mu, v;
  } cases[] = {{"friction=0.6", "launch_x=5", 0.6, 5.0},
               {"friction=0.1", "launch_x=-2", 0.1, -2.0},
               {"friction=0.3", "launch_x=3", 0.3, 3.0}};
  for (size_t i = 0; i < 3 * RATES; ++i) {
    const double v = cases[i / RATES].v, mu = cases[i / RATES].mu;
    sim_run* run = finished(rates[i % RATES], 6.0,
                            SETS(cases[i / RATES].friction, cases[i / RATES].launch, "script="));
    const double way = v * fabs(v) / (2.0 * mu * earth);
    ck_assert_double_eq_tol(result_of(run, "x"), way, 0.01 * fabs(way));
    // no creep after coming to rest
    const double rests_at = result_of(run, "x");
    take_steps(run, 100);
    ck_assert_double_eq(result_of(run, "x"), rests_at);
  }
}

TEST(without_friction_it_slides_on) {
  for (size_t i = 0; i < RATES; ++i) {
    sim_run* run =
        finished(rates[i], 10.0, SETS("friction=0", "launch_x=3", "launch_z=-4", "script="));
    float velocity[3];
    velocity_of(run, velocity);
    ck_assert_double_eq_tol((double)velocity[0], 3.0, 0.01);
    ck_assert_double_eq_tol((double)velocity[2], -4.0, 0.01);
    ck_assert_double_eq_tol(result_of(run, "x"), 30.0, 0.01);
    ck_assert_double_eq_tol(result_of(run, "z"), -40.0, 0.01);
  }
}

TEST(drag_slows_it_as_it_should) {
  for (size_t i = 0; i < RATES; ++i) {
    const double x =
        outcome(rates[i], 20.0, "x", SETS("friction=0", "launch_x=3", "drag=0.8", "script="));
    // drag acts before the first move: half a step of the initial speed less
    ck_assert_double_eq_tol(x, 3.0 / 0.8 - 1.5 / rates[i], 0.001);
  }
}

TEST(its_speed_is_held_along_each_axis) {
  for (size_t i = 0; i < RATES; ++i) {
    sim_run* run = finished(rates[i], 4.0,
                            SETS("friction=0", "launch_x=30", "launch_z=-30", "drop=50",
                                 "max_speed_x=2", "max_speed_y=3", "max_speed_z=4", "script="));
    ck_assert_double_eq_tol(result_of(run, "top_speed_x"), 2.0, 0.001);
    ck_assert_double_eq_tol(result_of(run, "top_speed_y"), 3.0, 0.001);
    ck_assert_double_eq_tol(result_of(run, "top_speed_z"), 4.0, 0.001);
    ck_assert_double_eq_tol(result_of(run, "x"), 8.0, 0.01);
    ck_assert_double_eq_tol(result_of(run, "z"), -16.0, 0.01);
    ck_assert_double_eq_tol(outcome(rates[i], 4.0, "top_speed_x",
                                    SETS("script=right 0-4", "max_speed_x=1.5", "friction=0")),
                            1.5, 0.001);
  }
}

TEST(its_ellipsoid_stands_on_the_floor) {
  sim_run* run = finished(60.0, 3.0, SETS("height=3", "drop=1", "script="));
  float position[3];
  expect_ok(weft_world_get_positions(sim_run_world(run), 0, 1, position));
  ck_assert_float_eq(position[1], 1.5f);
  const sim_facts facts = facts_of(run);
  ck_assert_double_eq_tol(facts.measures.mass, 85.0, 1e-4);
}

// ---- the original tuning ----

static const double standard_gravity = 9.80665, resistance = 4.0, mass = 85.0;

TEST(the_original_falls_at_208_39_metres_per_second_at_last) {
  for (size_t i = 0; i < 2; ++i) {
    sim_run* run = finished(rates[i], 260.0, SETS("preset=original", "drop=90000", "script="));
    // in single precision the speed stops growing where a step adds less than half a digit
    ck_assert_double_eq_tol(result_of(run, "top_speed_y"), 208.39, 0.03);
    ck_assert_double_eq_tol(result_of(run, "acceleration_y"), 0.0, 0.001);
    ck_assert_double_eq_tol(result_of(run, "force_y"), 0.0, 0.1);
    // a tenth of a second into the fall its weight is nearly all there is
    run = finished(rates[i], 0.1, SETS("preset=original", "drop=90000", "script="));
    ck_assert_double_eq_tol(result_of(run, "acceleration_y"), -standard_gravity, 0.05);
    ck_assert_double_eq_tol(result_of(run, "force_y"), -mass * standard_gravity, 5.0);
  }
}

TEST(the_original_jumps_as_high_as_its_increment_and_the_air_have_it) {
  // v' = -g - k v from v = 5: h = v / k - g / k^2 ln(1 + k v / g)
  const double k = resistance / mass, g = standard_gravity, v = 5.0;
  const double height = v / k - g / (k * k) * log(1.0 + k * v / g);
  for (size_t i = 1; i < RATES; ++i) {
    sim_run* run = finished(rates[i], 3.0, SETS("preset=original", "script=jump 0.5"));
    ck_assert_double_eq(result_of(run, "jump_speed"), v);
    ck_assert_double_eq_tol(result_of(run, "highest_jump"), height, 0.005 * height);
    ck_assert_double_eq(result_of(run, "jumps"), 1.0);
    ck_assert_double_eq(result_of(run, "x"), 0.0);
  }
}

TEST(a_jump_pushes_half_as_strongly_along_the_way_of_the_keys) {
  static const struct {
    const char *script, *axis;
    double sign;
  } cases[] = {{"script=right 0-0.01, jump 0", "x", 1.0},
               {"script=left 0-0.01, jump 0", "x", -1.0},
               {"script=forward 0-0.01, jump 0", "z", -1.0},
               {"script=back 0-0.01, jump 0", "z", 1.0}};
  for (size_t i = 0; i < 4; ++i) {
    sim_run* run = finished(60.0, 0.5,
                            SETS("preset=original", "resistance=0", "walk_step=0", "fly_step=0",
                                 "contact_drag=0", cases[i].script));
    ck_assert_double_eq_tol(result_of(run, cases[i].axis), cases[i].sign * 2.5 * 0.5, 1e-4);
    ck_assert_double_eq_tol(result_of(run, "top_speed_y"), 5.0, 0.2);
  }
}

TEST(keys_add_their_increment_in_each_step_less_in_the_air) {
  static const char* const where[] = {"drop=0", "drop=50"};
  static const double added[] = {0.5, 0.05};
  for (size_t i = 0; i < 2 * RATES; ++i) {
    // 15 steps of a held key
    char script[64];
    const double rate = rates[i % RATES];
    snprintf(script, sizeof script, "script=back 0-%.9g", 14.9 / rate);
    const double speed = outcome(
        rate, 20.0 / rate, "top_speed_z",
        SETS("preset=original", "resistance=0", "contact_drag=0", where[i / RATES], script));
    ck_assert_double_eq_tol(speed, 15.0 * added[i / RATES], 1e-4);
  }
}

TEST(each_contact_takes_its_share_of_the_speed_in_each_step) {
  sim_run* run = finished(60.0, 0.5, SETS("preset=original", "launch_x=4", "script="));
  double speed = 4.0, x = 0.0;
  for (int step = 0; step < 30; ++step) {
    speed *= 0.9;
    x += (speed - 0.5 * resistance / mass * speed / 60.0) / 60.0;
    speed *= 1.0 - resistance / mass / 60.0;
  }
  ck_assert_double_eq_tol(result_of(run, "x"), x, 1e-3);
  run = finished(60.0, 1.0, SETS("preset=original", "launch_x=40", "room=1", "script="));
  ck_assert_double_eq_tol(result_of(run, "x"), 1.0, 0.005);
}

TEST(the_soft_floor_takes_back_30_percent_of_the_penetration_and_leaves_its_margin) {
  // without gravity: 0.1 m deep after the first step
  for (int steps = 1; steps < 30; ++steps) {
    sim_run* run =
        new_run_of("player", 60.0, 1.0,
                   SETS("preset=original", "gravity=0", "resistance=0", "launch_y=-6", "script="));
    take_steps(run, (uint64_t)steps);
    const double depth = 0.01 + 0.09 * pow(0.7, steps - 1);
    ck_assert_double_eq_tol(result_of(run, "y"), -depth, 1e-5);
  }
  // at rest the share is what gravity adds in a step
  for (size_t i = 0; i < RATES; ++i) {
    const double h = 1.0 / rates[i], depth = 0.01 + 0.5 * standard_gravity * h * h / 0.3;
    sim_run* run = finished(rates[i], 4.0, SETS("preset=original", "drop=0.5", "script="));
    ck_assert_double_eq_tol(result_of(run, "y"), -depth, 0.01 * depth);
    ck_assert_double_eq(result_of(run, "bounces"), 0.0);
  }
}

TEST(the_soft_floor_bounces_and_rubs_as_the_hard_one) {
  for (size_t i = 1; i < RATES; ++i) {
    const double first = outcome(rates[i], 3.0, "bounce_1",
                                 SETS("floor=soft", "drop=2", "elasticity=0.9", "script="));
    // it is found up to a step below the floor: a share of the speed of 6.3 m/s
    ck_assert_double_eq_tol(first, 1.62, 6.3 / rates[i] + 0.02);
    const double way =
        outcome(rates[i], 6.0, "x", SETS("floor=soft", "launch_x=3", "friction=0.3", "script="));
    ck_assert_double_eq_tol(way, 9.0 / (2.0 * 0.3 * earth), 0.03);
  }
}

TEST(what_is_set_stands_above_the_preset) {
  sim_run* run = finished(60.0, 1.0, SETS("resistance=0", "preset=original", "drop=10", "script="));
  ck_assert_double_eq_tol(result_of(run, "top_speed_y"), standard_gravity, 0.01);
}

// ---- slow motion ----

/* Slow motion by four, with frames as long as a step: script and positions depend on steps only, so
 * all states are equal to the bit. */
TEST(slow_motion_shows_the_same_path) {
  for (size_t i = 0; i < RATES; ++i) {
    sim_run* run = new_run_at("player", rates[i], 6.5, 1.0, SETS("elasticity=0.5"));
    sim_run* slow = new_run_at("player", rates[i], 6.5, 0.25, SETS("elasticity=0.5"));
    for (uint64_t step = 0; step < sim_run_length(run); ++step) {
      float here[3], there[3];
      take_steps(run, 1);
      take_steps(slow, 1);
      expect_ok(weft_world_get_positions(sim_run_world(run), 0, 1, here));
      expect_ok(weft_world_get_positions(sim_run_world(slow), 0, 1, there));
      ck_assert_mem_eq(here, there, sizeof here);
    }
    ck_assert_uint_eq(weft_world_hash(sim_run_world(run)), weft_world_hash(sim_run_world(slow)));
    const sim_facts facts = facts_of(slow);
    ck_assert_double_eq_tol(facts.elapsed, 4.0 * sim_run_moment(run).time, 1e-9);
    ck_assert_double_gt(result_of(run, "bounces"), 0.0);
    const sim_results results = sim_run_results(run);
    for (size_t k = 0; k < results.count; ++k) {
      ck_assert_double_eq(results.items[k].value, result_of(slow, results.items[k].name));
    }
  }
}
