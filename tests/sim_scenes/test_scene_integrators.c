/* The scene integrators: orders, energies against closed forms, and the table. */
#include <unistd.h>

#include "sim/report.h"
#include "support/sim_runs.h"
#include "support/test.h"

enum { INTEGRATORS = WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1, MOST_ROWS = 256 };

static const char* const names[INTEGRATORS] = {"position_verlet",     "velocity_verlet",
                                               "semi_implicit_euler", "explicit_euler",
                                               "implicit_euler",      "runge_kutta_4"};
static const double orders[INTEGRATORS] = {2.0, 2.0, 1.0, 1.0, 1.0, 4.0};
static const char* const systems[] = {"oscillator", "pendulum"};

static sim_run* new_finished_run(const sim_settings* settings) {
  sim_run* run = new_run("integrators", settings);
  take_steps(run, sim_run_length(run));
  return run;
}

static double order_of(const sim_run* run, const char* what, int system, int integrator) {
  char name[96];
  snprintf(name, sizeof name, "%s_%s_%s", what, systems[system], names[integrator]);
  return result_of(run, name);
}

// ---- table ----

typedef struct row {
  char system[32], integrator[32];
  /* NaN where the field is empty */
  double step, error, energy_error, ns_per_spring, reversal_error, area_ratio;
} row;

static double number_of(const char* text) {
  return *text == ',' || *text == '\n' ? NAN : strtod(text, NULL);
}

static int read_rows(const sim_run* run, row rows[MOST_ROWS]) {
  static const char path[] = "test_scene_integrators.csv";
  tool_message why;
  char line[256];
  int count = 0;
  ck_assert(sim_write_table(path, run, &why));
  FILE* file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  ck_assert_str_eq(
      line, "system,integrator,step,error,energy_error,ns_per_spring,reversal_error,area_ratio\n");
  for (; fgets(line, sizeof line, file); ++count) {
    row* read = &rows[count];
    ck_assert_int_lt(count, MOST_ROWS);
    ck_assert_int_eq(sscanf(line, "%31[^,],%31[^,],", read->system, read->integrator), 2);
    const char* at = line + strlen(read->system) + strlen(read->integrator) + 2;
    double* const numbers[] = {&read->step,          &read->error,          &read->energy_error,
                               &read->ns_per_spring, &read->reversal_error, &read->area_ratio};
    for (int i = 0; i < 6; ++i) {
      *numbers[i] = number_of(at);
      at += strcspn(at, ",\n") + 1;
    }
  }
  fclose(file);
  unlink(path);
  return count;
}

TEST(the_table_has_a_row_for_every_system_integrator_and_step) {
  sim_settings settings = sim_default_settings();
  const char* sets[1];
  set_param(&settings, sets, "halvings=3");
  settings.rate = 10.0;
  sim_run* run = new_finished_run(&settings);
  row rows[MOST_ROWS];
  ck_assert_int_eq(read_rows(run, rows), 2 * INTEGRATORS * 4);
  for (int i = 0; i < 2 * INTEGRATORS * 4; ++i) {
    ck_assert_str_eq(rows[i].system, systems[i / (4 * INTEGRATORS)]);
    ck_assert_str_eq(rows[i].integrator, names[i / 4 % INTEGRATORS]);
    ck_assert_double_eq_tol(rows[i].step, 0.1 / (1 << i % 4), 1e-9);
    ck_assert(rows[i].error > 0.0 && rows[i].energy_error > 0.0);
  }
}

// steps of 1/64 s and oscillator of 4 rad/s: 64 steps
TEST(the_table_has_the_error_there_and_back_and_the_area_in_phase_space) {
  const double growth = pow(1.0 + 1.0 / 256.0, 64.0);
  const double areas[INTEGRATORS] = {1.0, 1.0, 1.0, growth, 1.0 / growth, 1.0};
  const double least[INTEGRATORS] = {0.0, 0.0, 0.0, 0.05, 0.05, 0.0};
  const double most[INTEGRATORS] = {5e-3, 1e-4, 0.2, 1.0, 1.0, 1e-4};
  sim_settings settings = sim_default_settings();
  const char* sets[1];
  set_param(&settings, sets, "halvings=0");
  settings.rate = 64.0;
  sim_run* run = new_finished_run(&settings);
  row rows[MOST_ROWS];
  ck_assert_int_eq(read_rows(run, rows), 2 * INTEGRATORS);
  for (int i = 0; i < INTEGRATORS; ++i) {
    ck_assert_double_eq_tol(rows[i].area_ratio / areas[i], 1.0, 3e-3);
    ck_assert_double_ge(rows[i].reversal_error, least[i]);
    ck_assert_double_le(rows[i].reversal_error, most[i]);
    ck_assert(isnan(rows[INTEGRATORS + i].area_ratio));
    ck_assert(rows[INTEGRATORS + i].reversal_error >= 0.0);
  }
}

TEST(what_blows_up_stays_finite_and_has_a_large_error) {
  sim_settings settings = sim_default_settings();
  const char* sets[1];
  set_param(&settings, sets, "halvings=0");
  settings.rate = 1.0;
  settings.seconds = 200.0;
  sim_run* run = new_finished_run(&settings);
  row rows[MOST_ROWS];
  ck_assert_int_eq(read_rows(run, rows), 2 * INTEGRATORS);
  ck_assert(isfinite(rows[WEFT_INTEGRATOR_EXPLICIT_EULER].error));
  ck_assert_double_ge(rows[WEFT_INTEGRATOR_EXPLICIT_EULER].error, 1e6);
  ck_assert_double_ge(rows[WEFT_INTEGRATOR_EXPLICIT_EULER].energy_error, 1e12);
  ck_assert(isfinite(rows[WEFT_INTEGRATOR_IMPLICIT_EULER].error));
  ck_assert(isnan(order_of(run, "order", 0, WEFT_INTEGRATOR_EXPLICIT_EULER)));
}

TEST(a_scene_without_a_table_says_so) {
  const sim_settings settings = sim_default_settings();
  sim_run* run = new_run("sheet", &settings);
  ck_assert(!sim_run_has_table(run));
  ck_assert(!sim_run_write_table(run, stderr));
}

// ---- results ----

LOOP_TEST(orders_are_those_that_are_promised, 0, 4) {
  static const struct {
    double rate, seconds;
  } cases[] = {{8.0, 1.0}, {5.0, 2.0}, {30.0, 1.0}, {16.0, 1.5}};
  sim_settings settings = sim_default_settings();
  settings.rate = cases[_i].rate;
  settings.seconds = cases[_i].seconds;
  sim_run* run = new_finished_run(&settings);
  for (int system = 0; system < 2; ++system) {
    for (int i = 0; i < INTEGRATORS; ++i) {
      const double order = order_of(run, "order", system, i);
      const double energy_order = order_of(run, "energy_order", system, i);
      if (i == WEFT_INTEGRATOR_RUNGE_KUTTA_4) {
        // order 5 in the energy of an oscillator; short steps leave too few errors above rounding
        const bool good = fabs(order - orders[i]) < 0.25 && energy_order > 3.75;
        ck_assert_msg(_i >= 2 || good, "%s: %g, %g of the energy", systems[system], order,
                      energy_order);
        continue;
      }
      ck_assert_msg(fabs(order - orders[i]) < 0.1, "%s, %s: order %g", systems[system], names[i],
                    order);
      ck_assert_msg(fabs(energy_order - orders[i]) < 0.1, "%s, %s: order %g of the energy",
                    systems[system], names[i], energy_order);
    }
  }
}

/* Closed form: a substep of h multiplies (explicit) or divides (implicit) the energy of an
 * oscillator of w rad/s by 1 + (w h)^2. */
TEST(energies_of_the_oscillator_are_the_closed_forms) {
  const sim_settings settings = sim_default_settings();
  sim_run* run = new_finished_run(&settings);
  row rows[MOST_ROWS];
  const int count = read_rows(run, rows);
  for (int i = 0; i < count; ++i) {
    if (strcmp(rows[i].system, "oscillator") != 0) continue;
    const double gain = pow(1.0 + 16.0 * rows[i].step * rows[i].step, 1.0 / rows[i].step);
    if (strcmp(rows[i].integrator, "explicit_euler") == 0) {
      ck_assert_double_eq_tol(rows[i].energy_error / (gain - 1.0), 1.0, 0.002);
    } else if (strcmp(rows[i].integrator, "implicit_euler") == 0) {
      ck_assert_double_eq_tol(rows[i].energy_error / (1.0 - 1.0 / gain), 1.0, 0.002);
    }
  }
}

TEST(more_substeps_than_there_can_be_are_refused) {
  sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  tool_message why;
  settings.substeps = 2;
  ck_assert_int_eq(sim_run_create("integrators", &settings, &run, &why), SIM_FAILED);
  ck_assert_str_eq(why.text, "9 halvings of 2 substeps are more than 1000 substeps");
  const char* sets[1];
  set_param(&settings, sets, "halvings=8");
  run = new_finished_run(&settings);
  row rows[MOST_ROWS];
  (void)read_rows(run, rows);
  ck_assert_double_eq_tol(rows[0].step, 1.0 / 16.0, 1e-9);
}
