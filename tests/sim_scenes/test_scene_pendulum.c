/* The scenes pendulum and double-pendulum: periods against closed forms, lengths, and energies. */
#include "support/sim_runs.h"
#include "support/test.h"

#define PI 3.14159265358979323846

enum { INTEGRATORS = WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1 };

static const char* const integrator_sets[INTEGRATORS] = {
    "integrator=position_verlet", "integrator=velocity_verlet", "integrator=semi_implicit_euler",
    "integrator=explicit_euler",  "integrator=implicit_euler",  "integrator=runge_kutta_4"};

/* Creates a run and steps it to its end. */
static sim_run* new_finished_run(const char* name, const sim_settings* settings) {
  sim_run* run = new_run(name, settings);
  take_steps(run, sim_run_length(run));
  return run;
}

/* Period in seconds, as a series in the sine of half the angle: 2 pi sqrt(L / g) (1 + k^2 / 4 + 9
 * k^4 / 64 + ..), each factor being the square of (2 n - 1) / (2 n) times the one before. */
static double period_of(double length, double degrees) {
  const double k = sin(0.5 * degrees * PI / 180.0);
  double sum = 0.0, term = 1.0;
  for (int n = 1; n < 400; ++n) {
    sum += term;
    const double factor = (2.0 * n - 1.0) / (2.0 * n) * k;
    term *= factor * factor;
  }
  return 2.0 * PI * sqrt(length / 9.81) * sum;
}

// ---- pendulum ----

static void expect_period(const char* name, const sim_settings* settings, double expected) {
  sim_run* run = new_finished_run("pendulum", settings);
  const double period = result_of(run, name), exact = result_of(run, "exact_period");
  ck_assert_msg(fabs(exact / expected - 1.0) < 1e-9, "exact: %.9g, not %.9g", exact, expected);
  ck_assert_msg(fabs(period / expected - 1.0) < 0.005, "%s, %s: %.6g, not %.6g", settings->sets[0],
                settings->sets[1], period, expected);
}

LOOP_TEST(a_swing_takes_its_time_by_every_integrator_on_every_link, 0, INTEGRATORS) {
  static const double angles[] = {2.0, 90.0, -45.0};
  static const double lengths[] = {1.0, 0.05, 20.0};
  static const double rates[] = {240.0, 30.0, 480.0};
  for (int rigid = 0; rigid < 2; ++rigid) {
    // explicit Euler is unstable with stiff springs
    if (!rigid && _i == WEFT_INTEGRATOR_EXPLICIT_EULER) continue;
    for (int n = 0; n < 9; ++n) {
      const double degrees = angles[n % 3], length = lengths[n / 3];
      char angle[32], size[32];
      const char* sets[4];
      sim_settings settings = sim_default_settings();
      snprintf(angle, sizeof angle, "angle=%g", degrees);
      snprintf(size, sizeof size, "length=%g", length);
      set_param(&settings, sets, integrator_sets[_i]);
      set_param(&settings, sets, rigid ? "link=rigid" : "link=spring");
      set_param(&settings, sets, angle);
      set_param(&settings, sets, size);
      settings.rate = rates[(n + n / 3) % 3];
      settings.seconds = 2.0 * period_of(length, degrees);
      expect_period("first_period", &settings, period_of(length, degrees));
    }
  }
}

TEST(the_closed_form_of_a_small_swing_is_the_schoolbooks) {
  ck_assert_double_eq_tol(period_of(1.0, 2.0) / (2.0 * PI * sqrt(1.0 / 9.81)), 1.0, 1e-4);
  ck_assert_double_eq_tol(period_of(1.0, 90.0) / (2.0 * PI * sqrt(1.0 / 9.81)), 1.1803406, 1e-7);
}

TEST(a_rigid_link_keeps_its_length) {
  for (int i = 0; i < INTEGRATORS; ++i) {
    const char* sets[3];
    sim_settings settings = sim_default_settings();
    sim_facts facts;
    tool_message why;
    set_param(&settings, sets, integrator_sets[i]);
    set_param(&settings, sets, "link=rigid");
    set_param(&settings, sets, "angle=179");
    sim_run* run = new_run("pendulum", &settings);
    for (int n = 0; n < ROUNDS(100, 5); ++n) {
      take_steps(run, 17);
      ck_assert(sim_run_facts(run, &facts, &why));
      require(facts.measures.max_strain < 1e-6);
    }
  }
}

// ---- double pendulum ----

/* Slow mode of two equal masses on equal rods: both swing in phase, the lower angle sqrt(2) times
 * the upper, at sqrt((2 - sqrt(2)) g / L) rad/s. */
TEST(the_slow_swing_of_a_stiff_double_pendulum_is_the_closed_form) {
  const char* sets[2];
  sim_settings settings = sim_default_settings();
  set_param(&settings, sets, "angle1=2");
  set_param(&settings, sets, "angle2=2.8284271");
  sim_run* run = new_run("double-pendulum", &settings);
  double passes[3] = {0.0}, before = 0.0;
  int count = 0;
  for (int n = 0; n < 3000 && count < 3; ++n) {
    float now[6];
    take_steps(run, 1);
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 1, 2, now);
    const double x = (double)now[0], share = x / (x - before);
    if (n > 0 && before < 0.0 && x >= 0.0) passes[count++] = (n + 1.0 - share) / 240.0;
    before = x;
    // the mode shape is kept
    require(fabs((double)now[3] - x * (1.0 + sqrt(2.0))) < 0.005);
  }
  ck_assert_int_eq(count, 3);
  const double expected = 2.0 * PI / sqrt((2.0 - sqrt(2.0)) * 9.81);
  ck_assert_double_eq_tol((passes[2] - passes[0]) / 2.0 / expected, 1.0, 0.005);
}
