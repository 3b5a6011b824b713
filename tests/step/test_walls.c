/* Particles that bounce off walls, slide along them and come to rest, by the closed forms. */
#include "support/colliding.h"
#include "support/stage.h"
#include "support/test.h"

// ---- bouncing ----

TEST(each_bounce_reaches_the_square_of_the_restitution_of_the_height_before) {
  const int rates[] = {30, 60, 240};
  for (int r = 0; r < 3; ++r) {
    for (uint32_t substeps = 1; substeps <= 4; substeps += 3) {
      stage s = new_floor(rates[r], 0.9f, 0.0f);
      const double h = step_of(&s);
      s.def.solver.substeps = substeps;
      place_at(&s, 0.0f, 1.0f, 0.0f);
      // a Verlet fall from rest equals one from this much higher
      const double missed = GRAVITY * h * h / (8.0 * substeps * substeps);
      double expected = 1.0 + missed;
      for (int bounce = 1; bounce <= 6; ++bounce) {
        expected *= 0.81;
        const double apex = next_apex(&s);
        // sampling between steps, and rounding of floats
        ck_assert_double_eq_tol(apex, expected, GRAVITY * h * h / 8.0 + 2e-3 * expected);
      }
      weft_world_destroy(&s.world);
    }
  }
}

LOOP_TEST(every_integrator_bounces_as_high_and_knows_its_velocity, 0,
          2 * WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 2) {
  stage s = new_floor(240, 0.9f, 0.0f);
  s.def.solver.integrator = (weft_integrator)(_i / 2);
  s.def.solver.springs = _i % 2 == 1;
  place_at(&s, 0.0f, 1.0f, 0.0f);
  double expected = 1.0;
  for (int bounce = 1; bounce <= 4; ++bounce) {
    expected *= 0.81;
    const double apex = next_apex(&s);
    // Euler schemes are of first order
    ck_assert_double_eq_tol(apex, expected, 0.015);
    for (int step = 0; step < 20; ++step) {
      weft_world_step(s.world, 1);
      weft_measures m;
      expect_ok(weft_world_measure(s.world, &m));
      ck_assert_double_eq_tol(m.kinetic + m.gravitational, 0.5 * GRAVITY * expected, 0.12);
    }
  }
  // energy stays bounded in steps with a bounce as well, for any integrator
  for (int step = 0; step < 400; ++step) {
    weft_measures m;
    weft_world_step(s.world, 1);
    expect_ok(weft_world_measure(s.world, &m));
    require(m.kinetic + m.gravitational < 0.5 * GRAVITY * expected + 0.12);
  }
  weft_world_step(s.world, 4000);
  float position[3], velocity[3];
  read_state(&s, position, velocity);
  ck_assert_float_eq(position[1], 0.0f);
  ck_assert_double_eq_tol((double)velocity[1], 0.0, GRAVITY / 240.0);
}

LOOP_TEST(friction_holds_and_lets_slide_under_every_integrator, 0,
          2 * WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 2) {
  const float heads[] = {0.0f, 0.9f};
  for (int i = 0; i < 2; ++i) {
    stage s = new_floor(60, 0.0f, 0.5f);
    s.def.solver.integrator = (weft_integrator)(_i / 2);
    s.def.solver.springs = _i % 2 == 1;
    const double angle = i == 0 ? atan(0.49) : 0.8;
    s.def.gravity[0] = (float)(GRAVITY * sin(angle));
    s.def.gravity[1] = (float)(-GRAVITY * cos(angle));
    place_at(&s, heads[i], 0.0f, 0.0f);
    weft_world_step(s.world, 60);
    const double acceleration = i == 0 ? 0.0 : GRAVITY * (sin(angle) - 0.5 * cos(angle));
    float position[3];
    expect_get(s.world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
    if (i == 0) ck_assert_float_eq(position[0], heads[i]);
    ck_assert_double_eq_tol((double)position[0], (double)heads[i] + acceleration / 2.0,
                            acceleration / 59.0 + 1e-6);
    ck_assert_float_eq(position[1], 0.0f);
    weft_world_destroy(&s.world);
  }
}

LOOP_TEST(what_bounces_comes_to_rest_when_the_closed_form_does, 0, 5) {
  const float restitutions[] = {0.0f, 0.1f, 0.5f, 0.8f, 0.95f};
  const double e = (double)restitutions[_i];
  stage s = new_floor(240, restitutions[_i], 0.0f);
  place_at(&s, 0.0f, 1.0f, 0.0f);
  // sum of the times of all bounces, a geometric series
  const double time = sqrt(2.0 / GRAVITY) * (1.0 + e) / (1.0 - e);
  // resting starts at the first bounce slower than two steps of gravity: up to this much earlier
  const double before = 4.0 * step_of(&s) / (1.0 - e);
  uint32_t steps = 0;
  float position[3] = {0.0f, 1.0f, 0.0f}, velocity[3] = {0.0f, 1.0f, 0.0f};
  while (position[1] != 0.0f || velocity[1] != 0.0f) {
    weft_world_step(s.world, 1);
    read_state(&s, position, velocity);
    require(++steps < 100000);
  }
  const double rested = (double)steps * step_of(&s);
  ck_assert_double_le(rested, time + 3.0 * step_of(&s));
  ck_assert_double_ge(rested, time - before - 3.0 * step_of(&s));
  // at rest for good
  const uint64_t hash = weft_world_hash(s.world);
  weft_world_step(s.world, 500);
  ck_assert_uint_eq(weft_world_hash(s.world), hash);
}

TEST(a_ball_between_two_walls_keeps_the_closed_forms_place_and_speed) {
  for (int axis = 0; axis < 3; ++axis) {
    stage s = new_stage(60);
    memset(s.def.gravity, 0, sizeof(s.def.gravity));
    s.bounds.lower[axis] = -1.0f;
    s.bounds.upper[axis] = 1.0f;
    s.bounds.surface.restitution = 0.5f;
    float position[3] = {0.0f}, velocity[3] = {0.0f};
    velocity[axis] = 4.0f;
    place(&s, position, velocity);
    // 1 metre at 4 m/s, 2 at 2 m/s, 2 at 1 m/s: 3.25 s; a quarter of a second more at 0.5 m/s
    weft_world_step(s.world, 210);
    read_state(&s, position, velocity);
    ck_assert_double_eq_tol((double)position[axis], 1.0 - 0.125, 1e-4);
    ck_assert_double_eq_tol((double)velocity[axis], -0.5, 1e-4);
    weft_world_destroy(&s.world);
  }
}

// ---- friction ----

// gravity in the frame of a slope that falls towards x, or between x and z
static void tilt(stage* s, double angle, double heading) {
  s->def.gravity[0] = (float)(GRAVITY * sin(angle) * cos(heading));
  s->def.gravity[1] = (float)(-GRAVITY * cos(angle));
  s->def.gravity[2] = (float)(GRAVITY * sin(angle) * sin(heading));
}

LOOP_TEST(on_a_slope_that_friction_holds_nothing_creeps, 0, 4) {
  const float places[] = {0.0f, 0.3f, 7.0f, -1000.0f};
  for (int p = 0; p < 4; ++p) {
    stage s = new_floor(60, 0.0f, 0.5f);
    s.def.solver.substeps = (uint32_t)(1 + p % 2 * 4);
    s.def.damping = 0.1f;
    s.bounds.lower[1] = places[3 - p];
    tilt(&s, atan(0.49), 0.4 * _i);
    place_at(&s, places[p], places[3 - p], 0.0f - places[p]);
    const uint64_t hash = weft_world_hash(s.world);
    weft_world_step(s.world, 1000);
    ck_assert_uint_eq(weft_world_hash(s.world), hash);
    weft_world_destroy(&s.world);
  }
}

LOOP_TEST(on_a_slope_between_the_coefficients_it_sticks_at_rest_and_slides_once_it_moves, 0, 2) {
  const double slope = 0.45;
  for (int moves = 0; moves < 2; ++moves) {
    stage s = new_floor(_i == 0 ? 60 : 240, 0.0f, 0.3f);
    s.bounds.surface.static_friction = 0.6f;
    tilt(&s, slope, 0.0);
    const float pushed[3] = {moves == 0 ? 0.0f : 1.0f, 0.0f, 0.0f};
    place(&s, (const float[3]){0.0f, 0.0f, 0.0f}, pushed);
    weft_world_step(s.world, (uint32_t)(1e9 / (double)s.def.step_ns + 0.5));
    const double acceleration = GRAVITY * (sin(slope) - 0.3 * cos(slope));
    float position[3], velocity[3];
    read_state(&s, position, velocity);
    if (moves == 0) ck_assert_float_eq(position[0], 0.0f);
    if (moves == 1) ck_assert_double_eq_tol((double)velocity[0], 1.0 + acceleration, 3e-3);
    if (moves == 1) {
      // sum of a Verlet motion
      const double way = 1.0 + acceleration * (1.0 + step_of(&s)) / 2.0;
      ck_assert_double_eq_tol((double)position[0], way, 3e-3);
    }
    weft_world_destroy(&s.world);
  }
}

LOOP_TEST(what_slides_along_a_floor_stops_by_dynamic_friction_alone, 0, 2) {
  stage s = new_floor(_i == 0 ? 60 : 240, 0.0f, 0.2f);
  s.bounds.surface.static_friction = 0.8f;
  const float start[3] = {0.0f, 0.0f, 0.0f}, pushed[3] = {3.0f, 0.0f, 0.0f};
  place(&s, start, pushed);
  const double h = step_of(&s);
  double before = 3.0;
  // static friction stops what it can stop within a step
  while (before > 0.8 * GRAVITY * h + 1e-3) {
    float position[3], velocity[3];
    weft_world_step(s.world, 1);
    read_state(&s, position, velocity);
    ck_assert_double_eq_tol((double)velocity[0], before - 0.2 * GRAVITY * h, 1e-3);
    before = (double)velocity[0];
  }
  weft_world_step(s.world, 2);
  float position[3], velocity[3];
  read_state(&s, position, velocity);
  ck_assert_float_eq(velocity[0], 0.0f);
  ck_assert_double_eq_tol((double)position[0], 9.0 / (2.0 * 0.2 * GRAVITY), 3.0 * h);
}

TEST(a_bounce_takes_friction_times_what_it_turns_round) {
  stage s = new_stage(60);
  memset(s.def.gravity, 0, sizeof(s.def.gravity));
  s.bounds.lower[1] = 0.0f;
  s.bounds.surface.restitution = 0.5f;
  s.bounds.surface.static_friction = s.bounds.surface.dynamic_friction = 0.2f;
  const float start[3] = {0.0f, 1.0f, 0.0f}, thrown[3] = {3.0f, -4.0f, 4.0f};
  place(&s, start, thrown);
  // a quarter of a second to the floor, and half a second from there
  weft_world_step(s.world, 45);
  float position[3], velocity[3];
  read_state(&s, position, velocity);
  // friction takes 0.2 (1 + 0.5) 4 of the 5 m/s along the floor
  const double left = (5.0 - 1.2) / 5.0;
  ck_assert_double_eq_tol((double)velocity[0], 3.0 * left, 1e-4);
  ck_assert_double_eq_tol((double)velocity[1], 2.0, 1e-4);
  ck_assert_double_eq_tol((double)velocity[2], 4.0 * left, 1e-4);
  ck_assert_double_eq_tol((double)position[0], 3.0 * (0.25 + 0.5 * left), 1e-4);
  ck_assert_double_eq_tol((double)position[1], 1.0, 1e-4);
  ck_assert_double_eq_tol((double)position[2], 4.0 * (0.25 + 0.5 * left), 1e-4);
}

LOOP_TEST(in_a_corner_things_rest, 0, 10) {
  stage s = new_floor(60, 0.3f, 0.1f * (float)_i);
  s.bounds.upper[0] = 0.7f;
  s.bounds.upper[2] = 0.3f;
  tilt(&s, 0.8, 0.6);
  place_at(&s, 0.1f, 0.4f, -0.6f);
  weft_world_step(s.world, 1200);
  const uint64_t hash = weft_world_hash(s.world);
  float position[3], velocity[3];
  read_state(&s, position, velocity);
  ck_assert_float_eq(position[1], 0.0f);
  ck_assert_double_eq(
      fabs((double)velocity[0]) + fabs((double)velocity[1]) + fabs((double)velocity[2]), 0.0);
  weft_world_step(s.world, 100);
  ck_assert_uint_eq(weft_world_hash(s.world), hash);
  if (_i == 0) ck_assert(position[0] == 0.7f && position[2] == 0.3f);
}

// ---- particles outside ----

TEST(a_particle_that_is_put_outside_comes_back_and_keeps_what_takes_it_in) {
  const float speeds[] = {2.0f, 0.0f, -2.0f};
  for (int i = 0; i < 3; ++i) {
    stage s = new_stage(60);
    memset(s.def.gravity, 0, sizeof(s.def.gravity));
    s.bounds.lower[0] = 0.0f;
    const float thrown[3] = {speeds[i], 1.0f, 0.0f};
    place(&s, (const float[3]){-5.0f, 0.0f, 0.0f}, thrown);
    weft_world_step(s.world, 1);
    float position[3], velocity[3];
    read_state(&s, position, velocity);
    ck_assert_float_eq(position[0], 0.0f);
    ck_assert_double_eq_tol((double)velocity[0], fmax((double)speeds[i], 0.0), 1e-4);
    ck_assert_double_eq_tol((double)velocity[1], 1.0, 1e-4);
    weft_world_destroy(&s.world);
  }
}

TEST(a_pinned_particle_stays_outside) {
  stage s = new_floor(60, 0.0f, 1.0f);
  place_at(&s, 0.0f, -1.0f, 0.0f);
  pin_particles(s.world, 0, 1);
  weft_world_step(s.world, 3);
  int8_t touch[3] = {9, 9, 9};
  expect_get(s.world, WEFT_ATTRIBUTE_BOUNDS_CONTACT, 0, 1, touch);
  ck_assert(touch[0] == 0 && touch[1] == 0 && touch[2] == 0);
  ck_assert_float_eq(height(&s), -1.0f);
  set_inverse_mass(s.world, 0, 1.0f);
  weft_world_step(s.world, 1);
  ck_assert_float_eq(height(&s), 0.0f);
}

TEST(what_is_drawn_between_steps_is_inside_too) {
  stage s = new_floor(60, 1.0f, 0.0f);
  place_at(&s, 0.0f, 1.0f, 0.0f);
  for (int step = 0; step < 200; ++step) {
    weft_world_step(s.world, 1);
    for (float amount = 0.0f; amount <= 1.0f; amount += 0.125f) {
      float position[3];
      expect_ok(read_interpolated(s.world, amount, 0, 1, position));
      require(position[1] >= 0.0f);
    }
  }
}
