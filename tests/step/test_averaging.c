/* Time integration by averaged forces, against closed forms: weft_world_def.averaging_time. */
#include <math.h>
#include <string.h>

#include "support/collided.h"
#include "support/isas.h"
#include "support/one_particle.h"
#include "support/saved.h"

static const double pi = 3.14159265358979323846;

// at this many steps a second, without damping
static weft_world_def averaged_at(int rate, uint32_t substeps) {
  weft_world_def def = def_at(rate);
  def.substeps = substeps;
  def.averaging_time = WEFT_AVERAGING_TIME;
  return def;
}

// ---- a pendulum of a metre ----

static weft_world* new_pendulum(const weft_world_def* def, double angle, float compliance) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, (float)sin(angle), (float)-cos(angle), 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  const weft_link_def link = {
      .a = 0, .b = 1, .rest_length = 1.0f, .relaxation = 1.0f, .compliance = compliance};
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  return new_world_from(def, scene);
}

// Period by the complete elliptic integral, by the arithmetic-geometric mean.
static double period_of(double angle) {
  double a = 1.0, g = cos(angle / 2.0);
  for (int i = 0; i < 6; ++i) {
    const double mean = (a + g) / 2.0;
    g = sqrt(a * g);
    a = mean;
  }
  return 2.0 * pi / (a * sqrt(GRAVITY));
}

// Energy in the middle of three steps, joules, of particle 1.
static double energy_after(weft_world* world, uint32_t steps, double h) {
  float before[3], at[3], after[3];
  weft_world_step(world, steps - 1);
  expect_ok(weft_world_get_positions(world, 1, 1, before));
  weft_world_step(world, 1);
  expect_ok(weft_world_get_positions(world, 1, 1, at));
  weft_world_step(world, 1);
  expect_ok(weft_world_get_positions(world, 1, 1, after));
  double energy = GRAVITY * (1.0 + (double)at[1]);
  for (int axis = 0; axis < 3; ++axis) {
    const double speed = ((double)after[axis] - (double)before[axis]) / (2.0 * h);
    energy += speed * speed / 2.0;
  }
  return energy;
}

// Share of the energy of a swing of a radian that is lost in a second.
static double swing_loss(weft_world_def def, int rate, double averaging_time) {
  def.averaging_time = (float)averaging_time;
  weft_world* world = new_pendulum(&def, 1.0, 0.0f);
  const double energy = energy_after(world, (uint32_t)rate, 1.0 / rate);
  weft_world_destroy(&world);
  return 1.0 - energy / (GRAVITY * (1.0 - cos(1.0)));
}

START_TEST(a_swing_of_a_radian_loses_ten_times_less_than_in_first_order) {
  static const int rates[] = {60, 120, 60, 120};
  static const uint32_t substeps[] = {1, 1, 2, 4};
  for (int i = 0; i < 4; ++i) {
    for (uint32_t direct = 0; direct <= 6; direct += 6) {
      weft_world_def def = averaged_at(rates[i], substeps[i]);
      def.direct_iterations = direct;
      const double loss = swing_loss(def, rates[i], (double)def.averaging_time);
      require(loss < 0.002 && loss > -1e-4);
      require(fabs(loss) < 0.1 * swing_loss(def, rates[i], 0.0));
    }
  }
}
END_TEST

// Seconds between the first two times at which it comes from the right through the middle.
static double measured_period(weft_world* world, double h) {
  double crossings[2], last = 1.0;
  for (int n = 0, found = 0; n < 10000 && found < 2; ++n) {
    float at[3];
    weft_world_step(world, 1);
    expect_ok(weft_world_get_positions(world, 1, 1, at));
    const double x = (double)at[0];
    if (last > 0.0 && x <= 0.0) crossings[found++] = h * (n + last / (last - x));
    last = x;
  }
  return crossings[1] - crossings[0];
}

START_TEST(the_period_of_a_pendulum_is_near_its_elliptic_integral) {
  for (int angle = 1; angle <= 2; ++angle) {
    double errors[2];
    for (int i = 0; i < 2; ++i) {
      const int rate = 60 << (2 * i);
      const weft_world_def def = averaged_at(rate, 1);
      weft_world* world = new_pendulum(&def, angle, 0.0f);
      const double h = (double)def.step_ns * 1e-9;
      errors[i] = fabs(measured_period(world, h) / period_of(angle) - 1.0);
      weft_world_destroy(&world);
    }
    require(errors[0] < 0.02 && errors[1] < 0.003);
  }
}
END_TEST

// ---- a mass on a spring ----

START_TEST(a_mass_on_a_spring_hangs_as_deep_and_oscillates_as_the_closed_form) {
  const double k = 400.0;
  for (int i = 0; i < 2; ++i) {
    const int rate = 240 << (2 * i);
    const weft_world_def def = averaged_at(rate, 1);
    weft_world* world = new_pendulum(&def, 0.0, (float)(1.0 / k));
    const double h = (double)def.step_ns * 1e-9, sag = GRAVITY / k, w = sqrt(k);
    float at[3];
    double lowest = 0.0, highest = -2.0;
    for (int n = 1; n <= rate; ++n) {
      weft_world_step(world, 1);
      expect_ok(weft_world_get_positions(world, 1, 1, at));
      const double x = -1.0 - sag * (1.0 - cos(w * h * (n + 0.5)));
      // it begins half a step late; phase and amplitude by h^2 T
      require(fabs((double)at[1] - x) < sag * (i == 0 ? 0.75 : 0.1));
      lowest = fmin(lowest, (double)at[1]);
      if (n > rate - rate / 3) highest = fmax(highest, (double)at[1]);
    }
    require(lowest > -1.0 - 2.001 * sag);
    require(highest < -1.0 + 0.001 * sag);
    require(i == 0 || highest > -1.0 - 0.15 * sag);
    // at rest
    expect_ok(weft_world_set_damping(world, 20.0f));
    weft_world_step(world, (uint32_t)(4 * rate));
    expect_ok(weft_world_get_positions(world, 1, 1, at));
    // a substep of gravity on top of a position that rounds
    ck_assert_double_eq_tol((double)at[1], -1.0 - sag, sag * 1.5e-7 / (GRAVITY * h * h));
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(no_step_and_no_averaging_time_lets_a_spring_gain_energy) {
  static const float times[] = {0.0001f, 0.01f, WEFT_AVERAGING_TIME, 0.1f, 10.0f};
  for (int i = 0; i < 5; ++i) {
    for (float compliance = 1e-7f; compliance < 10.0f; compliance *= 3.0f) {
      weft_world_def def = averaged_at(60, 1);
      memset(def.gravity, 0, sizeof(def.gravity));
      def.averaging_time = times[i];
      weft_world* world = new_pendulum(&def, 0.0, compliance);
      const float stretched[3] = {0.0f, -1.2f, 0.0f};
      place_particle(world, 1, stretched, NULL);
      for (int n = 0; n < 600; ++n) {
        float at[3];
        weft_world_step(world, 1);
        expect_ok(weft_world_get_positions(world, 1, 1, at));
        require(fabs((double)at[1] + 1.0) < 0.201);
      }
      weft_world_destroy(&world);
    }
  }
}
END_TEST

// ---- a spinning sheet ----

static weft_world* new_spinning_sheet(const weft_world_def* def, uint32_t side, double spin) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = side;
  sheet.spacing = 1.0f / (float)(side - 1);
  sheet.origin[0] = -0.5f;
  sheet.origin[1] = 0.5f;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  weft_world* world = new_world_from(def, scene);
  for (uint32_t i = 0; i < side * side; ++i) {
    float at[3];
    expect_ok(weft_world_get_positions(world, i, 1, at));
    const float velocity[3] = {(float)-spin * at[1] + 1.0f, (float)spin * at[0], 0.0f};
    expect_ok(weft_world_set_velocities(world, i, 1, velocity, 0));
  }
  return world;
}

// Share of the angular momentum at 6 radians a second that is lost in one, and drift of the
// momentum: it flies at 1 m/s.
static double spin_loss(weft_world_def def, uint32_t side, double averaging_time) {
  memset(def.gravity, 0, sizeof(def.gravity));
  def.averaging_time = (float)averaging_time;
  weft_world* world = new_spinning_sheet(&def, side, 6.0);
  const weft_measures before = measures_of(world);
  weft_world_step(world, (uint32_t)(1000000000 / def.step_ns));
  const weft_measures after = measures_of(world);
  weft_world_destroy(&world);
  // both orders drift by the rounding of positions, most in short substeps
  require(fabs(after.momentum[0] - before.momentum[0]) < 6e-3 * before.momentum[0]);
  require(fabs(after.momentum[1]) < 6e-3 * before.momentum[0]);
  // without what its flight adds
  const double own = after.angular_momentum[2] -
                     (after.center[0] * after.momentum[1] - after.center[1] * after.momentum[0]);
  return 1.0 - own / before.angular_momentum[2];
}

START_TEST(a_spin_of_six_radians_a_second_loses_ten_times_less_than_in_first_order) {
  static const uint32_t substeps[] = {1, 2, 4, 16};
  const uint32_t side = _i % 2 == 0 ? 9 : 17;
  for (int i = 0; i < 4; ++i) {
    const weft_world_def def = averaged_at(_i < 2 ? 60 : 120, substeps[i]);
    const double loss = spin_loss(def, side, (double)def.averaging_time);
    require(loss < 0.03 && loss > -1e-3);
    require(fabs(loss) < 0.1 * spin_loss(def, side, 0.0));
  }
}
END_TEST

// ---- cloth ----

START_TEST(hung_cloth_never_has_more_energy_than_when_it_was_let_go) {
  random_source random = {(uint64_t)_i};
  weft_material_def material = random_material(&random);
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = 12;
  if (_i % 4 > 0) sheet.material = &material;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_pin(scene, 0, 1));
  if (_i % 2 == 0) expect_ok(weft_scene_pin(scene, 11, 1));
  weft_world_def def = averaged_at(60, 1u << _i % 5);
  def.iterations = random_from(&random, def.substeps == 1 ? 2 : 1, 12);
  weft_world* world = new_world_from(&def, scene);
  const weft_measures start = measures_of(world);
  const double height = 2.0 * 9.81 * 0.55 * start.mass;
  for (int second = 0; second < 10; ++second) {
    weft_world_step(world, 60);
    const weft_measures m = measures_of(world);
    // cloth that its sweeps leave soft stores what no measure tells, but it gets no faster
    require(isfinite(m.kinetic) &&
            m.kinetic <= start.gravitational - m.gravitational + 0.02 * height);
  }
  weft_world_destroy(&world);
}
END_TEST

START_TEST(cloth_that_falls_flat_onto_a_floor_neither_bounces_nor_creeps) {
  for (uint32_t substeps = 1; substeps <= 16; substeps *= 4) {
    weft_scene* scene = new_scene();
    weft_sheet_def sheet = weft_default_sheet_def();
    sheet.columns = sheet.rows = 9;
    sheet.down[1] = 0.0f;
    sheet.down[2] = 1.0f;
    sheet.origin[1] = 0.2f;
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
    weft_world_def def = averaged_at(60, substeps);
    weft_world* world = new_world_from(&def, scene);
    weft_bounds_def floor = weft_default_bounds_def();
    floor.lower[1] = 0.0f;
    floor.static_friction = floor.dynamic_friction = 0.5f;
    expect_ok(weft_world_set_bounds(world, &floor));
    for (uint32_t i = 0; i < 81; ++i) {
      const float thrown[3] = {1.0f, 0.0f, 0.0f};
      expect_ok(weft_world_set_velocities(world, i, 1, thrown, 0));
    }
    weft_world_step(world, 60);
    const weft_measures lying = measures_of(world);
    require(lying.upper[1] <= 1e-3f);
    // falls for 0.2 s at 1 m/s, stops at the impact or slides for v^2 / (2 mu g) at most
    require(lying.center[0] > 0.2 + 0.19 && lying.center[0] < 0.2 + 0.205 + 0.11);
    weft_world_step(world, 60);
    require(fabs(measures_of(world).center[0] - lying.center[0]) < 1e-5);
    weft_world_destroy(&world);
  }
}
END_TEST

// ---- changes from outside ----

START_TEST(free_particles_move_as_without_to_the_bit) {
  uint64_t hashes[2];
  for (int i = 0; i < 2; ++i) {
    weft_world_def def = averaged_at(60, 4);
    if (i == 1) def.averaging_time = 0.0f;
    const float start[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    const float thrown[3] = {2.0f, -3.0f, 0.5f};
    weft_world* world = new_points(&def, start, 2);
    expect_ok(weft_world_set_velocities(world, 0, 1, thrown, 0));
    weft_world_step(world, 100);
    hashes[i] = weft_world_hash(world);
    weft_world_destroy(&world);
  }
  require(hashes[0] == hashes[1]);
}
END_TEST

START_TEST(steps_of_changing_lengths_keep_a_swing_and_a_body_at_rest) {
  const weft_world_def def = averaged_at(60, 1);
  weft_world* swinging = new_pendulum(&def, 1.0, 0.0f);
  weft_world* hanging = new_pendulum(&def, 0.0, 0.01f);
  float start[3], at[3];
  expect_ok(weft_world_set_damping(hanging, 20.0f));
  weft_world_step(hanging, 600);
  expect_ok(weft_world_get_positions(hanging, 1, 1, start));
  for (int i = 0; i < 120; ++i) {
    const int64_t step_ns = i % 2 == 0 ? 5000000 : 11666667;
    expect_ok(weft_world_set_step(swinging, step_ns));
    expect_ok(weft_world_set_step(hanging, step_ns));
    if (i < 119) weft_world_step(swinging, 1);
    weft_world_step(hanging, 1);
    expect_ok(weft_world_get_positions(hanging, 1, 1, at));
    require(fabs((double)at[1] - (double)start[1]) < 1e-5);
  }
  const double energy = energy_after(swinging, 2, 0.011666667);
  require(fabs(energy / (GRAVITY * (1.0 - cos(1.0))) - 1.0) < 0.02);
  weft_world_destroy(&swinging);
  weft_world_destroy(&hanging);
}
END_TEST

static weft_world* new_swing(weft_isa isa, uint32_t workers) {
  weft_world_def def = averaged_at(60, 2);
  def.isa = isa;
  def.worker_count = workers;
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 40, 40, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, 0, 3));
  return new_world_from(&def, scene);
}

START_TEST(workers_and_instruction_sets_give_the_same_bits) {
  uint64_t expected = 0;
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (uint32_t workers = 1; workers <= 3; ++workers) {
      weft_world* world = new_swing((weft_isa)isa, workers);
      weft_world_step(world, 20);
      const uint64_t hash = weft_world_hash(world);
      if (expected == 0) expected = hash;
      require(hash == expected);
      weft_world_destroy(&world);
    }
  }
}
END_TEST

START_TEST(snapshots_of_a_world_and_of_a_range_hold_the_averages) {
  weft_world* world = new_swing(WEFT_ISA_AUTO, 1);
  const uint32_t count = particle_count_of(world);
  weft_world_step(world, 20);
  saved_world saved = save_world(world), range = save_range(world, 0, count);
  weft_world_step(world, 20);
  const uint64_t hash = weft_world_hash(world);
  for (int i = 0; i < 2; ++i) {
    if (i == 0) restore_world(world, &saved);
    if (i == 1) restore_range(world, &range);
    weft_world_step(world, 20);
    require(weft_world_hash(world) == hash);
  }
  free_saved(&saved);
  free_saved(&range);
  weft_world_destroy(&world);
}
END_TEST

// The world that is turned goes on as the one that is not, turned.
START_TEST(a_teleport_turns_the_averages) {
  weft_world_def def = averaged_at(60, 1);
  memset(def.gravity, 0, sizeof(def.gravity));
  weft_world* worlds[2];
  const float quarter[4] = {0.0f, 0.0f, sqrtf(0.5f), sqrtf(0.5f)};
  for (int i = 0; i < 2; ++i) {
    worlds[i] = new_spinning_sheet(&def, 5, 6.0);
    weft_world_step(worlds[i], 20);
    if (i == 1) expect_ok(weft_world_teleport(worlds[i], 0, 25, NULL, quarter));
    weft_world_step(worlds[i], 20);
  }
  for (uint32_t i = 0; i < 25; ++i) {
    float at[2][3];
    for (int w = 0; w < 2; ++w) expect_ok(weft_world_get_positions(worlds[w], i, 1, at[w]));
    require(fabsf(at[1][0] + at[0][1]) < 1e-4f && fabsf(at[1][1] - at[0][0]) < 1e-4f);
  }
  weft_world_destroy(&worlds[0]);
  weft_world_destroy(&worlds[1]);
}
END_TEST

START_TEST(what_has_no_averages_is_refused) {
  const char* field = "weft_world_def.averaging_time";
  static const float bad[] = {-0.5f, 10.5f, NAN};
  weft_scene* scene = new_scene();
  weft_world* world = NULL;
  (void)add_sheet(scene, 3, 3, ALL_FAMILIES);
  for (int i = 0; i < 3; ++i) {
    weft_world_def def = weft_plain_world_def();
    def.averaging_time = bad[i];
    expect_error(weft_world_create(&def, scene, &world),
                 i < 2 ? WEFT_ERROR_RANGE : WEFT_ERROR_NOT_FINITE, field);
  }
  for (int i = 0; i < 3; ++i) {
    weft_world_def def = averaged_at(60, 1);
    if (i == 0) def.integrator = WEFT_INTEGRATOR_VELOCITY_VERLET;
    if (i == 1) def.springs = true;
    if (i == 2) def.pair_force.kind = WEFT_PAIR_FORCE_SPRING;
    expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_RANGE, field);
  }
  weft_scene_destroy(&scene);
  scene = new_scene();
  weft_ball_def ball = weft_default_ball_def();
  ball.pressure = 500.0f;
  expect_ok(weft_scene_add_ball(scene, &ball, NULL));
  const weft_world_def def = averaged_at(60, 1);
  expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_RANGE, field);
  weft_scene_destroy(&scene);
}
END_TEST

SUITE(averaging) {
  tcase_add_test(tests, a_swing_of_a_radian_loses_ten_times_less_than_in_first_order);
  tcase_add_test(tests, the_period_of_a_pendulum_is_near_its_elliptic_integral);
  tcase_add_test(tests, a_mass_on_a_spring_hangs_as_deep_and_oscillates_as_the_closed_form);
  tcase_add_test(tests, no_step_and_no_averaging_time_lets_a_spring_gain_energy);
  tcase_add_loop_test(
      tests, a_spin_of_six_radians_a_second_loses_ten_times_less_than_in_first_order, 0, 4);
  tcase_add_loop_test(tests, hung_cloth_never_has_more_energy_than_when_it_was_let_go, 0,
                      ROUNDS(40, 10));
  tcase_add_test(tests, cloth_that_falls_flat_onto_a_floor_neither_bounces_nor_creeps);
  tcase_add_test(tests, free_particles_move_as_without_to_the_bit);
  tcase_add_test(tests, steps_of_changing_lengths_keep_a_swing_and_a_body_at_rest);
  tcase_add_test(tests, workers_and_instruction_sets_give_the_same_bits);
  tcase_add_test(tests, snapshots_of_a_world_and_of_a_range_hold_the_averages);
  tcase_add_test(tests, a_teleport_turns_the_averages);
  tcase_add_test(tests, what_has_no_averages_is_refused);
}
