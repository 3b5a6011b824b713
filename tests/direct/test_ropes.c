/* Purpose of the direct solver: ropes and chains that bear a load and move physically. */
#include "support/ropes.h"
#include "support/test.h"

LOOP_TEST(a_rope_that_bears_a_thousand_times_its_mass_keeps_its_length_hanging_and_swinging, 0, 9) {
  static const float ratios[] = {0.01f, 1.0f, 1000.0f};
  rope_def def = hanging_rope(100, ratios[_i % 3]);
  if (_i >= 3) def.towards[0] = _i < 6 ? 1.0f : 0.8f;
  if (_i >= 3) def.towards[1] = _i < 6 ? 0.0f : -0.6f;
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, def);
  weft_world* world = new_world_of(scene);
  ck_assert_double_lt(worst_strain_in(world, r, 0.02, 300), 0.01);
}

TEST(without_the_direct_solve_it_does_not) {
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(100, 1000.0f));
  weft_world* world = new_direct_world(scene, 0, 0.1f);
  ck_assert_double_gt(worst_strain_in(world, r, 0.02, 60), 1.0);
}

// ---- closed forms ----

// half of the span over the catenary's parameter; `half` is the length over the span
static double solve_catenary(double half) {
  double low = 1e-6;
  double high = 50.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (sinh(middle) / middle < half) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

LOOP_TEST(a_chain_between_two_pins_hangs_in_a_catenary, 0, 4) {
  static const double spans[] = {0.5, 1.0, 1.5, 1.9};
  const double span = spans[_i];
  weft_scene* scene = new_scene();
  rope_def def = hanging_rope(100, 0.0f);
  def.load = 0.0f;
  def.towards[0] = 1.0f;
  def.towards[1] = 0.0f;
  const rope r = add_rope(scene, def);
  weft_world* world = new_direct_world(scene, 4, 2.0f);
  // start on two straight lines, so that the second pin is at its position
  const double drop = sqrt(1.0 - 0.25 * span * span);
  for (uint32_t i = 0; i <= 100; ++i) {
    const double share = i <= 50 ? i / 50.0 : (100 - i) / 50.0;
    const float place[3] = {(float)(0.01 * i * span), (float)(-share * drop), 0.0f};
    place_particle(world, r.first + i, place, NULL);
  }
  weft_world_step(world, 1200);
  float* positions = new_positions(world);
  const double b = solve_catenary(2.0 / span);
  const double a = 0.5 * span / b;
  const double sag = a * (cosh(b) - 1.0);
  for (uint32_t i = 0; i <= 100; ++i) {
    const double along = 0.02 * i - 1.0;
    const double expected = sqrt(a * a + along * along) - a - sag;
    ck_assert_double_eq_tol((double)positions[(size_t)3 * (r.first + i) + 1], expected, 0.01 * sag);
  }
  ck_assert_double_lt(worst_strain(world, r, 0.02), 0.01);
}

LOOP_TEST(a_link_gives_way_by_its_compliance_times_the_force_that_it_bears, 0, 2) {
  rope_def def = hanging_rope(3, 10.0f);
  def.compliance = _i == 0 ? 1e-3f : 1e-2f;
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, def);
  weft_world* world = new_direct_world(scene, 4, 3.0f);
  weft_world_step(world, 1200);
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < 3; ++i) {
    const double length =
        distance(positions + (size_t)3 * (r.first + i), positions + (size_t)3 * (r.first + i) + 3);
    const double force = 9.81 * (1.0 + 0.1 / 3.0 * (2 - i));
    const double stretch = (double)def.compliance * force;
    ck_assert_double_eq_tol(length - (double)(2.0f / 3.0f), stretch, 0.01 * stretch);
  }
}
