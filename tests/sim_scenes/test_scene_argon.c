/* The scene argon: energy within walls, and the drop of a cold gas. */
#include "support/sim_runs.h"
#include "support/test.h"

LOOP_TEST(a_gas_keeps_its_energy_within_elastic_walls, 0, 2) {
  static const char* const integrators[] = {"integrator=velocity_verlet",
                                            "integrator=position_verlet"};
  sim_run* run = new_run_of("argon", 250.0, 8.0, SETS("atoms=6", "temperature=2", integrators[_i]));
  run_to_the_end(run);
  const double energy = result_of(run, "energy_start");
  ck_assert_double_gt(energy, 216.0);
  ck_assert_double_lt(result_of(run, "energy_most") - energy, 0.005 * energy);
  ck_assert_double_lt(energy - result_of(run, "energy_least"), 0.005 * energy);
  ck_assert_double_eq_tol(result_of(run, "energy_end"), energy, 0.005 * energy);
}

// particles that fall together heat up
TEST(a_cold_gas_gathers_and_warms_up) {
  sim_run* run = new_run_of("argon", 250.0, 20.0, SETS("atoms=6", "temperature=0.2"));
  run_to_the_end(run);
  ck_assert_double_lt(result_of(run, "potential_per_atom"), -0.7);
  ck_assert_double_gt(result_of(run, "temperature"), 0.5);
}
