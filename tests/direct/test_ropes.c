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

LOOP_TEST(a_heavy_bob_on_a_rope_swings_with_the_period_of_a_pendulum, 0, 2) {
  rope_def def = hanging_rope(_i == 0 ? 100 : 7, 1000.0f);
  def.length = 1.0f;
  def.towards[0] = 0.1f;
  def.towards[1] = -sqrtf(0.99f);
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, def);
  weft_world* world = new_direct_world(scene, 4, 0.0f);
  double before = 1.0;
  double first = 0.0;
  double last = 0.0;
  uint32_t passes = 0;
  for (uint32_t step = 1; step <= 1200; ++step) {
    float bob[3];
    weft_world_step(world, 1);
    expect_ok(weft_world_get_positions(world, r.first + r.link_count, 1, bob));
    if (before > 0.0 && bob[0] <= 0.0f) {
      last = step - (double)bob[0] / ((double)bob[0] - before);
      if (passes++ == 0) first = last;
    }
    before = (double)bob[0];
  }
  ck_assert_uint_ge(passes, 8);
  const double period = (last - first) / (passes - 1) / 60.0;
  ck_assert_double_eq_tol(period, 2.0 * acos(-1.0) * sqrt(1.0 / 9.81), 0.02 * period);
}

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

// ---- free trees ----

// tree of free particles; rest lengths equal the drawn lengths, 1 cm at least
static weft_scene* new_free_tree(random_source* random, uint32_t count, float most_ratio) {
  weft_scene* scene = new_scene();
  float places[300][3];
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t to = i > 0 && random_chance(random, 4) ? random_below(random, i) : i - (i > 0);
    for (int k = 0; k < 3; ++k) {
      places[i][k] = i == 0 ? 0.0f : places[to][k] + random_float(random, -0.2f, 0.2f);
    }
    const float inverse_mass = powf(most_ratio, random_float(random, 0.0f, 1.0f));
    expect_ok(weft_scene_add_particles(scene, places[i], &inverse_mass, 1, NULL));
    if (i == 0) continue;
    const weft_link_def link = {.a = i,
                                .b = to,
                                .rest_length = fmaxf((float)distance(places[i], places[to]), 0.01f),
                                .relaxation = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return scene;
}

static void sum_momentum(const weft_world* world, const float* inverse_masses, uint32_t count,
                         double sum[3]) {
  float(*velocities)[3] = test_alloc(sizeof(*velocities) * count);
  expect_ok(weft_world_get_velocities(world, 0, count, velocities[0]));
  sum[0] = sum[1] = sum[2] = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) sum[k] += (double)velocities[i][k] / (double)inverse_masses[i];
  }
}

RANDOM_TEST(a_free_tree_keeps_its_momentum, ROUNDS(40, 8)) {
  const uint32_t count = random_from(&random, 3, 200);
  weft_scene* scene = new_free_tree(&random, count, _i % 2 == 0 ? 1.0f : 1e3f);
  float inverse_masses[200];
  float places[200][3];
  expect_ok(weft_scene_get_particles(scene, 0, count, places[0], inverse_masses));
  weft_world* world = new_plain_world(scene, .weightless = true, .undamped = true);
  double size = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const float velocity[3] = {random_float(&random, -1.0f, 1.0f),
                               random_float(&random, -1.0f, 1.0f),
                               random_float(&random, -1.0f, 1.0f)};
    place_particle(world, i, places[i], velocity);
    size += 1.0 / (double)inverse_masses[i];
  }
  double before[3];
  double after[3];
  sum_momentum(world, inverse_masses, count, before);
  weft_world_step(world, 60);
  sum_momentum(world, inverse_masses, count, after);
  // the bound covers 60 roundings of positions of some metres, each divided by a step of 1 / 60 s
  for (int k = 0; k < 3; ++k) ck_assert_double_eq_tol(after[k], before[k], 1e-3 * size);
}

RANDOM_TEST(whatever_the_state_nothing_flies_off, ROUNDS(32, 16)) {
  const uint32_t count = random_from(&random, 3, 300);
  weft_scene* scene = new_free_tree(&random, count, _i % 2 == 0 ? 1e3f : 1e6f);
  expect_ok(weft_scene_pin(scene, 0, 1));
  double reach = 0.0;
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link_def link;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    reach += (double)link.rest_length;
  }
  weft_world_def def = weft_plain_world_def();
  if (_i % 4 == 0) def.iterations = 0;
  def.direct_iterations = random_from(&random, 1, 8);
  weft_world* world = new_world(&def, scene);
  // random positions: crumpled, all in one point, or stretched up to ten times
  static const float sizes[] = {0.2f, 0.0f, 1.0f, 10.0f};
  const float size = sizes[_i / 4 % 4];
  for (uint32_t i = 1; i < count; ++i) {
    const float place[3] = {random_float(&random, -size, size), random_float(&random, -size, size),
                            random_float(&random, -size, size)};
    place_particle(world, i, place, NULL);
  }
  weft_world_step(world, 300);
  float* positions = new_positions(world);
  // an unsolvable tree may fall freely for five seconds; a correction of ten metres within one step
  // leaves a very large velocity
  const double bound = size > 1.0f ? 1e5 : 2.0 * reach + (double)size + 0.5 * 9.81 * 25.0;
  for (uint32_t i = 0; i < 3 * count; ++i) require(fabs((double)positions[i]) <= bound);
}
