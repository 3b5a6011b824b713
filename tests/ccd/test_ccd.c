/* CCD of cloth against cloth: nothing passes. */
#include "support/ccd_sheets.h"
#include "support/passing.h"
#include "support/test.h"

static void check_crumpling(uint32_t side, uint32_t steps, uint32_t substeps, float speed,
                            uint64_t seed) {
  random_source random = {seed};
  weft_world_def def = faces_def();
  def.substeps = substeps;
  weft_scene* scene = new_scene();
  add_flat(scene, side, 0.0f);
  weft_world* world = new_world(&def, scene);
  const weft_particle_shape_def contact = cloth_contact();
  expect_ok(weft_world_set_particle_shape(world, 0, side * side, &contact));
  face_mesh mesh = new_sheet_mesh(side, side, 1);
  for (uint32_t s = 0; s < steps; ++s) {
    if (s % 40 == 0) fling(world, &random, 0, side * side, speed);
    weft_world_step(world, 1);
    float* positions = new_positions(world);
    const weft_contact_stats stats = contact_stats_of(world);
    require(stats.lost_ccd_pairs == 0);
    if (s % 5 == 0 || s + 1 == steps) require(count_crossings(&mesh, positions) == 0);
  }
}

TEST(a_sheet_thrown_at_itself_never_goes_through_itself) {
  check_crumpling(ROUNDS(17, 7), ROUNDS(100, 20), 1, 4.0f, 1);
  check_crumpling(ROUNDS(13, 5), ROUNDS(50, 10), 4, 8.0f, 2);
  // slow enough that one CCD pass covers several substeps
  check_crumpling(ROUNDS(13, 5), ROUNDS(50, 10), 16, 0.5f, 3);
}

TEST(two_sheets_that_cross_do_not_pass) {
  enum { SIDE = 13 };
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.3f);
  add_flat(scene, SIDE, 0.0f);
  weft_world* world = new_world(&def, scene);
  const weft_particle_shape_def contact = cloth_contact();
  const uint32_t count = SIDE * SIDE;
  expect_ok(weft_world_set_particle_shape(world, 0, 2 * count, &contact));
  float* start = new_positions(world);
  for (uint32_t i = 0; i < 2 * count; ++i) {
    const float velocity[3] = {i < count ? 1.0f : 0.0f, i < count ? -10.0f : 10.0f, 0.3f};
    place_particle(world, i, start + (size_t)3 * i, velocity);
  }
  face_mesh mesh = new_sheet_mesh(SIDE, SIDE, 2);
  double upper = 0.0;
  double lower = 0.0;
  for (int s = 0; s < 20; ++s) {
    weft_world_step(world, 1);
    float* positions = new_positions(world);
    require(count_crossings(&mesh, positions) == 0);
    upper = lower = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
      upper += (double)positions[3 * i + 1] / count;
      lower += (double)positions[3 * (i + count) + 1] / count;
    }
  }
  // the upper sheet is still above
  require(upper > lower);
  require(contact_stats_of(world).lost_ccd_pairs == 0);
}

// a sheet thrown onto another, whose shape is set before, or only while the first falls
static void check_joining(bool joins_late) {
  enum { SIDE = 9, COUNT = SIDE * SIDE };
  weft_world_def def = faces_def();
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  add_flat(scene, SIDE, 0.1f);
  weft_world* world = new_world(&def, scene);
  const weft_particle_shape_def contact = cloth_contact();
  weft_particle_shape_def ghost = contact;
  ghost.ccd = false;
  expect_ok(weft_world_set_particle_shape(world, 0, 2 * COUNT, &contact));
  if (joins_late) expect_ok(weft_world_set_particle_shape(world, 0, COUNT, &ghost));
  pin_rim(world, SIDE);
  weft_world_step(world, 1);
  // fewer particles than the world has: a step builds clusters, or finds them unchanged
  expect_ok(weft_world_set_particle_shape(world, 0, COUNT - 1, &contact));
  expect_ok(weft_world_set_particle_shape(world, COUNT - 1, 1, &contact));
  weft_world_step(world, 30);
  face_mesh mesh = new_sheet_mesh(SIDE, SIDE, 2);
  float* positions = new_positions(world);
  require(contact_stats_of(world).ccd_hits > 0);
  require(count_crossings(&mesh, positions) == 0);
  for (uint32_t i = COUNT; i < 2 * COUNT; ++i) require(positions[3 * i + 1] > -0.1f);
}

TEST(cloth_that_joins_while_the_world_runs_holds_what_falls_on_it) {
  check_joining(false);
  check_joining(true);
}

// kinetic energy of a hanging cloth 1 s after a sphere appeared within it, as a share of its weight
// times its side
static double energy_around_sphere(bool ccd) {
  enum { SIDE = 12 };
  weft_scene* scene = new_scene();
  const weft_body body = add_cloth(scene, .side = SIDE, .spacing = SPACING);
  expect_ok(weft_scene_pin(scene, 0, SIDE));
  const weft_world_def def = plain_def(.faces = true);
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def contact = cloth_contact();
  contact.ccd = ccd;
  contact.half_size[0] = 0.4f * SPACING;
  contact.static_friction = contact.dynamic_friction = 0.3f;
  expect_ok(weft_world_set_particle_shape(world, 0, body.particle_count, &contact));
  const float side = SPACING * (float)(SIDE - 1);
  const weft_collider_def sphere =
      collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 0.25f * side,
                   .position = {0.5f * side, -0.5f * side});
  weft_collider added;
  expect_ok(weft_world_add_collider(world, &sphere, &added));
  weft_world_step(world, 60);
  weft_measures measures;
  expect_ok(weft_world_measure(world, &measures));
  return measures.kinetic / (9.81 * measures.mass * (double)side);
}

// the sphere pushes cloth through cloth in each step, and CCD pushes it back
TEST(cloth_that_a_sphere_appears_in_comes_to_rest) {
  require(energy_around_sphere(false) < 1e-6);
  require(energy_around_sphere(true) < 1e-6);
}

// Filters of a level sheet, and of the upper and the lower half of one that crosses it upright.
typedef struct crossing_filters {
  uint32_t category[3], mask[3];
  uint32_t environment; /* of the upright sheet */
  bool is_crossing;
} crossing_filters;

// Two sheets at rest without gravity; true if they are found to cross, and all stay in place if
// they are not.
static bool is_found_to_cross(const crossing_filters* filters) {
  enum { SIDE = 7, COUNT = SIDE * SIDE, UPPER = 4 * SIDE };
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  const weft_body body =
      add_cloth(scene, .side = SIDE, .spacing = SPACING,
                .origin = {-0.5f * SPACING * (float)(SIDE - 1) + 0.0017f, 3.5f * SPACING, 0.0031f});
  if (filters->environment > 0)
    expect_ok(weft_scene_set_environment(scene, &body, filters->environment));
  weft_world* world = new_world(&def, scene);
  const uint32_t first[4] = {0, COUNT, COUNT + UPPER, 2 * COUNT};
  for (int k = 0; k < 3; ++k) {
    weft_particle_shape_def contact = cloth_contact();
    contact.category = filters->category[k];
    contact.mask = filters->mask[k];
    expect_ok(weft_world_set_particle_shape(world, first[k], first[k + 1] - first[k], &contact));
  }
  float* start = new_positions(world);
  weft_world_step(world, 20);
  const bool is_found = contact_stats_of(world).crossings_found > 0;
  float* end = new_positions(world);
  for (uint32_t k = 0; k < 3 * 2 * COUNT && !is_found; ++k)
    require(fabsf(end[k] - start[k]) < 1e-6f);
  return is_found;
}

TEST(what_filters_let_pass_is_not_pulled_apart) {
  const crossing_filters cases[] = {
      {{1, 1, 1}, {1, 1, 1}, 0, true},   // all collide
      {{1, 2, 2}, {1, 2, 2}, 0, false},  // cloths with themselves alone
      {{1, 1, 1}, {2, 2, 2}, 0, false},  // none
      {{1, 1, 2}, {1, 3, 2}, 0, false},  // the lower half may be below
      {{1, 1, 1}, {1, 1, 1}, 1, false},  // environments
  };
  for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); ++n) {
    require(is_found_to_cross(&cases[n]) == cases[n].is_crossing);
  }
}

static uint64_t hash_of_crumpling(uint32_t workers, int isa) {
  random_source random = {3};
  weft_world_def def = faces_def();
  def.worker_count = workers;
  def.isa = (weft_isa)isa;
  weft_scene* scene = new_scene();
  add_flat(scene, 41, 0.0f);
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def contact = cloth_contact();
  contact.static_friction = contact.dynamic_friction = 0.4f;
  expect_ok(weft_world_set_particle_shape(world, 0, 41 * 41, &contact));
  put_floor(world, -0.05f, 0.0f);
  fling(world, &random, 0, 41 * 41, 2.0f);
  weft_world_step(world, ROUNDS(12, 5));
  require(contact_stats_of(world).ccd_hits > 0);
  uint64_t hash = 0;
  hash = weft_world_hash(world);
  return hash;
}

TEST(the_bits_are_the_same_for_any_workers_and_instruction_sets) {
  const uint64_t expected = hash_of_crumpling(1, WEFT_ISA_AUTO);
  const uint32_t counts[] = {2, 3, 7};
  for (size_t n = 0; n < sizeof(counts) / sizeof(*counts); ++n) {
    require(hash_of_crumpling(counts[n], WEFT_ISA_AUTO) == expected);
  }
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    require(hash_of_crumpling(2, isa) == expected);
  }
}
