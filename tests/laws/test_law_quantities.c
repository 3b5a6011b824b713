/* The oracles of the laws, on motions of a closed form. */
#include "laws/trial.h"
#include "support/test.h"

static law_trial* open_case(const char* name, const trial_def* def) {
  law_case c;
  require(law_find_case(name, &c));
  return trial_open(&c, def);
}

static const char* const fall_settings[] = {"default",       "plain",    "velocity-verlet",
                                            "semi-implicit", "implicit", "runge-kutta"};

// 0 for the time of the velocities, whatever the integrator
LOOP_TEST(energy_of_a_free_fall_is_kept, 0, 6) {
  char name[LAW_CASE_SIZE];
  snprintf(name, sizeof(name), "energy heap none %s", fall_settings[_i]);
  const trial_def def = default_trial();
  law_trial* trial = open_case(name, &def);
  trial_throw(trial, (const float[3]){1.0f, 2.0f, -0.5f});
  const double first = trial_kinetic(trial) + trial_potential(trial);
  for (int i = 0; i < 60; ++i) {
    trial_step(trial, 1);
    trial_read(trial);
    const double now = trial_kinetic(trial) + trial_potential(trial);
    require(fabs(now - first) < 1e-5 * trial_kinetic(trial));
  }
  trial_close(trial);
}

TEST(angular_momentum_of_a_turn_is_its_inertia_times_its_speed) {
  trial_def def = default_trial();
  def.offset[0] = 3.0f;
  law_trial* trial = open_case("energy circle none default", &def);
  trial_spin(trial, (const float[3]){0.0f, 0.0f, 2.0f});
  trial_throw(trial, (const float[3]){5.0f, 0.0f, 0.0f});
  double momentum[3], inertia;
  trial_angular_momentum(trial, momentum, &inertia);
  // a ring of 1 kg and 0.5 m
  require(fabs(momentum[2] - 0.25 * 2.0) < 1e-5);
  trial_momentum(trial, momentum);
  require(fabs(momentum[0] - 5.0) < 1e-4);
  trial_close(trial);
}

TEST(crossings_are_seen) {
  trial_def def = default_trial();
  law_trial* trial = open_case("passes ball cloth-exact default", &def);
  require(trial_crossings(trial) == 0);
  trial_close(trial);
  def.gap = -0.2f;
  trial = open_case("passes ball cloth-exact default", &def);
  require(trial_crossings(trial) > 0);
  trial_close(trial);
}

TEST(a_shuffled_body_is_the_same_body) {
  trial_def def = default_trial();
  law_trial* built = open_case("order rigid-tire-12 none default", &def);
  def.shuffle = 5;
  law_trial* shuffled = open_case("order rigid-tire-12 none default", &def);
  for (uint32_t i = 0; i < built->count; ++i) {
    const uint32_t k = shuffled->number_of[i];
    require(memcmp(built->positions + 3 * i, shuffled->positions + 3 * k, 12) == 0);
  }
  require(built->link_count == shuffled->link_count && trial_max_strain(shuffled, true) < 1e-6);
  trial_close(built), trial_close(shuffled);
}
