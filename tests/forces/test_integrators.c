/* Orders and energies of the integrators, for oscillators and pendulums. */
#include "support/accuracy.h"
#include "support/test.h"

#define INTEGRATORS (WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1)
#define PI 3.14159265358979323846

// orders of the first five
static const double orders[INTEGRATORS] = {
    [WEFT_INTEGRATOR_POSITION_VERLET] = 2.0,     [WEFT_INTEGRATOR_VELOCITY_VERLET] = 2.0,
    [WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER] = 1.0, [WEFT_INTEGRATOR_EXPLICIT_EULER] = 1.0,
    [WEFT_INTEGRATOR_IMPLICIT_EULER] = 1.0,
};

// ---- orders of accuracy ----

// fits the order to errors after `eighths` of a second, for steps of 2^-first seconds, halved four
// times
static void expect_order(const sim_oscillator* o, weft_integrator integrator, int first,
                         uint32_t eighths, bool of_velocity) {
  double steps[5];
  double errors[5];
  for (int i = 0; i < 5; ++i) {
    const int64_t step_ns = 1000000000 >> (first + i);
    steps[i] = (double)step_ns;
    const motion_error error = oscillator_error(o, integrator, step_ns, eighths << (first + i - 3));
    errors[i] = of_velocity ? error.vel : error.pos;
  }
  const double order = sim_fitted_order(steps, errors, 5);
  ck_assert_msg(fabs(order - orders[integrator]) < 0.15, "integrator %d: %.3f, errors %g to %g",
                (int)integrator, order, errors[0], errors[4]);
}

// angular frequency 2 rad/s, along the x axis
static const sim_oscillator weak = {.mass = 0.5, .length = 1.0, .compliance = 0.5, .pos = {1.25}};

// Steps with errors well above the rounding of a float, yet small. Starts are general: from rest,
// semi-implicit Euler is off by a time shift of half a step only, which hides its error at some
// times.
static int first_step_of(weft_integrator integrator) {
  return orders[integrator] > 1.5 ? 3 : 6;
}

LOOP_TEST(the_damping_of_a_spring_costs_no_order, 0, WEFT_INTEGRATOR_RUNGE_KUTTA_4) {
  sim_oscillator o = weak;
  o.damping = 0.5;
  o.vel[0] = -0.5;
  const int first = first_step_of((weft_integrator)_i);
  expect_order(&o, (weft_integrator)_i, first, 8, false);
  expect_order(&o, (weft_integrator)_i, first, 8, true);
}

LOOP_TEST(errors_of_a_pendulum_fall_with_the_step_by_the_order, 0, WEFT_INTEGRATOR_RUNGE_KUTTA_4) {
  // angular frequency of the spring: ten rad/s
  const sim_oscillator o = sim_pendulum_of(1.0, 0.01, 0.5 * PI);
  const int first = orders[_i] > 1.5 ? 6 : 9;
  expect_order(&o, (weft_integrator)_i, first, 3, false);
}

// Position and velocity together, at three times: an error of the phase alone would hide at some.
LOOP_TEST(errors_of_runge_kutta_fall_sixteenfold_with_each_halving_of_the_step, 0, 4) {
  static const struct {
    sim_oscillator o;
    double rate;  // radians per second
    int first;    // steps of 2^-first seconds, halved twice
  } cases[] = {
      {{.mass = 0.5, .length = 1.0, .compliance = 0.5, .pos = {1.75}}, 2.0, 2},
      {{.mass = 0.5, .length = 1.0, .compliance = 0.5, .pos = {1.75}, .vel = {-0.5}}, 2.0, 2},
      {{.mass = 0.5, .length = 1.0, .compliance = 0.5, .damping = 0.5, .pos = {1.75}}, 2.0, 2},
      {{.mass = 1.0, .length = 1.0, .compliance = 0.01, .gravity = 9.81, .pos = {0.9, -0.5}},
       10.0,
       4},
  };
  const sim_oscillator* o = &cases[_i].o;
  for (uint32_t seconds = 1; seconds <= 3; ++seconds) {
    double steps[3], errors[3];
    for (int i = 0; i < 3; ++i) {
      const int halvings = cases[_i].first + i;
      const motion_error error = oscillator_error(o, WEFT_INTEGRATOR_RUNGE_KUTTA_4,
                                                  1000000000 >> halvings, seconds << halvings);
      steps[i] = pow(0.5, i);
      errors[i] = hypot(error.pos, error.vel / cases[_i].rate);
    }
    const double order = sim_fitted_order(steps, errors, 3);
    ck_assert_msg(fabs(order - 4.0) < 0.25, "%u s: %.3f, errors %g to %g", seconds, order,
                  errors[0], errors[2]);
  }
}

TEST(the_solution_to_compare_with_is_the_closed_form) {
  sim_oscillator o = weak;
  o.damping = 0.5;
  o.vel[0] = -0.75;
  const double rate = 0.5 * o.damping / o.mass;
  const double fast = sqrt(1.0 / (o.mass * o.compliance) - rate * rate);
  for (double t = 0.25; t < 3.0; t += 0.25) {
    const double sine = (o.vel[0] + rate * 0.25) / fast;
    const double expected = exp(-rate * t) * (0.25 * cos(fast * t) + sine * sin(fast * t));
    ck_assert_double_eq_tol(oscillator_solution(&o, t).pos[0], 1.0 + expected, 1e-9);
  }
}

// ---- energies ----

// period in seconds: 4 K(sin(angle / 2)) sqrt(L / g), by the arithmetic-geometric mean
static double period_of(double length, double angle) {
  double a = 1.0;
  double b = cos(0.5 * angle);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 2.0 * PI / a * sqrt(length / 9.81);
}

// largest energy error of a pendulum, relative to the energy of the swing
static double worst_energy(const sim_oscillator* o, weft_world* world, uint64_t steps) {
  const double swing = o->mass * o->gravity * o->length;
  const sim_motion start = oscillator_read(world);
  const double energy = sim_oscillator_energy(o, &start);
  double worst = 0.0;
  for (uint64_t n = 0; n < steps; n += 997) {
    weft_world_step(world, 997);
    const sim_motion now = oscillator_read(world);
    worst = fmax(worst, fabs(sim_oscillator_energy(o, &now) - energy) / swing);
  }
  return worst;
}

LOOP_TEST(verlet_keeps_the_energy_of_a_stiff_pendulum_for_a_thousand_periods, 0, 4) {
  static const int64_t rates[] = {240, 480};
  const int64_t rate = rates[_i / 2];
  const sim_oscillator o = sim_pendulum_of(1.0, 1e-4, 0.5 * PI);
  const weft_world_def def = plain_def(.step_ns = 1000000000 / rate,
                                       .integrator = _i % 2 == 0 ? WEFT_INTEGRATOR_POSITION_VERLET
                                                                 : WEFT_INTEGRATOR_VELOCITY_VERLET);
  weft_world* world = new_oscillator_world(&def, &o);
  const double seconds = ROUNDS(1000.0, 20.0) * period_of(o.length, 0.5 * PI);
  const double worst = worst_energy(&o, world, (uint64_t)(seconds * (double)rate));
  ck_assert_msg(worst < 0.01, "off by %.3f %%", 100.0 * worst);
}

// energy of an oscillator without gravity after `count` steps, relative to the start
static double energy_after(weft_integrator integrator, int64_t step_ns, uint32_t count) {
  const weft_world_def def = plain_def(.integrator = integrator, .step_ns = step_ns);
  weft_world* world = new_oscillator_world(&def, &weak);
  const sim_motion before = oscillator_read(world);
  weft_world_step(world, count);
  const sim_motion after = oscillator_read(world);
  return sim_oscillator_energy(&weak, &after) / sim_oscillator_energy(&weak, &before);
}

// w h = 0.1
static double energy_ratio(weft_integrator integrator) {
  return energy_after(integrator, 50000000, 100);
}

TEST(explicit_euler_gains_and_implicit_euler_loses_what_the_closed_form_says) {
  const double gain = pow(1.01, 100.0);
  ck_assert_double_eq_tol(energy_ratio(WEFT_INTEGRATOR_EXPLICIT_EULER) / gain, 1.0, 1e-4);
  ck_assert_double_eq_tol(energy_ratio(WEFT_INTEGRATOR_IMPLICIT_EULER) * gain, 1.0, 1e-4);
}

LOOP_TEST(runge_kutta_loses_what_the_closed_form_says, 0, 2) {
  // y = w h is 0.5 and 1: the square of the amplification factor is 1 - y^6 / 72 + y^8 / 576
  static const struct {
    int64_t step_ns;
    uint32_t steps;
    double factor;
  } cases[] = {{250000000, 200, 1.0 - 1.0 / 64.0 / 72.0 + 1.0 / 256.0 / 576.0},
               {500000000, 40, 1.0 - 1.0 / 72.0 + 1.0 / 576.0}};
  const double energy =
      energy_after(WEFT_INTEGRATOR_RUNGE_KUTTA_4, cases[_i].step_ns, cases[_i].steps);
  ck_assert_double_eq_tol(energy / pow(cases[_i].factor, cases[_i].steps), 1.0, 1e-4);
}

// ---- time reversal, and area in phase space ----

enum { PHASE_STEPS = 240 };

static const sim_oscillator swinging = {.mass = 0.5,
                                        .length = 1.0,
                                        .compliance = 0.125,
                                        .pos = {1.25, 0.0, 0.0},
                                        .vel = {0.3, 0.0, 0.0}};

static weft_world* new_swing(const sim_oscillator* o, weft_integrator integrator) {
  weft_scene* scene = NULL;
  weft_world_def def = plain_def(.integrator = integrator, .step_ns = 1000000000 / PHASE_STEPS);
  expect_ok(weft_scene_create(&scene));
  expect_ok(sim_oscillator_describe(o, scene, &def));
  weft_world* world = NULL;
  expect_ok(weft_world_create(&def, scene, &world));
  expect_ok(sim_oscillator_push(o, world));
  return world;
}

// distance from the start, as a share of it, after a second there and a second back
static double reversal_error(weft_integrator integrator) {
  weft_world* world = new_swing(&swinging, integrator);
  float velocity[3];
  sim_motion end;
  weft_world_step(world, PHASE_STEPS);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 1, 1, velocity);
  for (int axis = 0; axis < 3; ++axis) velocity[axis] = -velocity[axis];
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 1, 1, velocity, 0);
  weft_world_step(world, PHASE_STEPS);
  expect_ok(sim_oscillator_read(world, &end));
  // 4 radians a second
  return hypot(end.pos[0] - swinging.pos[0], (end.vel[0] + swinging.vel[0]) / 4.0) / 0.25;
}

LOOP_TEST(there_and_back_order_2_and_above_return_and_the_others_do_not, 0,
          WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  static const struct {
    double lower, upper;
  } errors[] = {
      [WEFT_INTEGRATOR_POSITION_VERLET] = {0.0, 1e-4},
      [WEFT_INTEGRATOR_VELOCITY_VERLET] = {0.0, 1e-4},
      [WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER] = {1e-3, 0.05},
      [WEFT_INTEGRATOR_EXPLICIT_EULER] = {0.05, 0.2},
      [WEFT_INTEGRATOR_IMPLICIT_EULER] = {0.05, 0.2},
      [WEFT_INTEGRATOR_RUNGE_KUTTA_4] = {0.0, 1e-4},
  };
  const double error = reversal_error((weft_integrator)_i);
  if (error < errors[_i].lower || error > errors[_i].upper) {
    ck_abort_msg("integrator %d: %g of the amplitude off", _i, error);
  }
}
