/* Purpose of coarse levels: large cloths do not stretch, and nothing else changes. */
#include "scene/scene.h"
#include "support/test.h"

// sheet of side x side particles, 2 metres wide, with positions free of rounding
static weft_scene* new_sheet(uint32_t side, bool shear) {
  weft_scene* scene = new_scene();
  weft_sheet_def def = sheet_def(.side = side, .spacing = 2.0f / (float)(side - 1));
  def.shear = shear;
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  return scene;
}

static weft_world* new_leveled_world(const weft_scene* scene, uint32_t iterations, uint32_t coarse,
                                     bool gravity) {
  weft_world_def def = plain_def(.coarse_iterations = coarse);
  def.solver.iterations = iterations;
  if (!gravity) def.gravity[1] = 0.0f;
  return new_world(&def, scene);
}

// mean strain of structural links, relative to the rest lengths
static double mean_strain(const weft_scene* scene, const weft_world* world) {
  float* positions = new_positions(world);
  double sum = 0.0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link_def link;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    if (link.kind != WEFT_LINK_STRUCTURAL) continue;
    const float* a = positions + (size_t)3 * link.a;
    const float* b = positions + (size_t)3 * link.b;
    const double length = hypot(hypot((double)a[0] - (double)b[0], (double)a[1] - (double)b[1]),
                                (double)a[2] - (double)b[2]);
    sum += fabs(length / (double)link.rest_length - 1.0);
    ++count;
  }
  return sum / (double)count;
}

static double strain_after(const weft_scene* scene, uint32_t iterations, uint32_t coarse) {
  weft_world* world = new_leveled_world(scene, iterations, coarse, true);
  weft_world_step(world, 120);
  return mean_strain(scene, world);
}

TEST(a_hung_sheet_keeps_its_length_with_coarse_levels_and_does_not_without) {
  weft_scene* scene = new_sheet(65, true);
  expect_ok(weft_scene_pin(scene, weft_range(0, 65)));
  ck_assert_double_lt(strain_after(scene, 2, 8), 0.01);
  ck_assert_double_gt(strain_after(scene, 10, 0), 0.03);
}

// Compresses a sheet without increasing any distance: scales every axis down, then folds the sheet
// like a concertina.
static void compress(weft_world* world, const weft_scene* scene, random_source* random) {
  const float share[2] = {random_float(random, 0.3f, 0.9f), random_float(random, 0.3f, 0.9f)};
  const float fold = random_float(random, 0.1f, 0.5f);
  for (uint32_t i = 0; i < weft_scene_particle_count(scene); ++i) {
    const float* rest = scene->positions + (size_t)3 * i;
    const float along = fmodf(share[0] * rest[0], 2.0f * fold);
    const float place[3] = {along < fold ? along : 2.0f * fold - along, share[1] * rest[1],
                            rest[2]};
    place_particle(world, i, place, NULL);
  }
}

// Many steps without fine sweeps, or one step with them: fine sweeps push the cloth apart, and the
// levels then correct links that have become too long.
LOOP_TEST(links_that_are_too_short_are_none_of_the_coarse_levels_business, 0, ROUNDS(16, 8)) {
  const uint32_t iterations = _i % 2 == 0 ? 0 : 4;
  weft_scene* scene = new_sheet(20 + (uint32_t)_i, _i % 4 < 2);
  weft_world* plain = new_leveled_world(scene, iterations, 0, false);
  weft_world* leveled = new_leveled_world(scene, iterations, 8, false);
  random_source random = {(uint64_t)_i};
  compress(plain, scene, &random);
  random.state = (uint64_t)_i;
  compress(leveled, scene, &random);
  weft_world_step(plain, iterations == 0 ? 10 : 1);
  weft_world_step(leveled, iterations == 0 ? 10 : 1);
  ck_assert_uint_eq(weft_world_hash(plain), weft_world_hash(leveled));
}

// largest displacement from `places` after 20 steps without gravity
static double drift_of(const weft_scene* scene, const float* places) {
  weft_world* world = new_leveled_world(scene, 2, 8, false);
  const uint32_t count = particle_count_of(world);
  for (uint32_t i = 0; i < count; ++i) {
    place_particle(world, i, places + (size_t)3 * i, NULL);
  }
  weft_world_step(world, 20);
  float* positions = new_positions(world);
  double farthest = 0.0;
  for (uint32_t i = 0; i < 3 * count; ++i) {
    farthest = fmax(farthest, fabs((double)positions[i] - (double)places[i]));
  }
  return farthest;
}

// grid with diagonals; rest lengths are `slack` times the drawn lengths
static void add_slack_grid(weft_scene* scene, uint32_t side, float slack) {
  for (uint32_t i = 0; i < side * side; ++i) {
    const float position[3] = {(float)(i % side), -(float)(i / side), 0.0f};
    const float inverse_mass = 1.0f;
    expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
  }
  for (uint32_t i = 0; i < side * side; ++i) {
    const bool right = i % side + 1 < side;
    const bool down = i / side + 1 < side;
    const weft_link_def links[3] = {
        {.a = i, .b = i + 1, .rest_length = slack, .relaxation = 1.0f},
        {.a = i, .b = i + side, .rest_length = slack, .relaxation = 1.0f},
        {.a = i, .b = i + side + 1, .rest_length = slack * sqrtf(2.0f), .relaxation = 1.0f}};
    if (right) expect_ok(weft_scene_add_links(scene, &links[0], 1, NULL));
    if (down) expect_ok(weft_scene_add_links(scene, &links[1], 1, NULL));
    if (right && down) expect_ok(weft_scene_add_links(scene, &links[2], 1, NULL));
  }
}

LOOP_TEST(a_cloth_that_the_scene_draws_slack_or_tight_stays_in_its_rest_shape, 0, 10) {
  static const float slacks[] = {0.8f, 0.98f, 1.02f, 1.1f, 1.25f};
  const uint32_t side = _i < 5 ? 3 : 33;
  const float slack = slacks[_i % 5];
  weft_scene* scene = new_scene();
  add_slack_grid(scene, side, slack);
  float* places = test_alloc(sizeof(float[3]) * side * side);
  for (uint32_t i = 0; i < 3 * side * side; ++i) places[i] = slack * scene->positions[i];
  ck_assert_double_lt(drift_of(scene, places), 1e-3);
}
