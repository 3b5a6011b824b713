#include <math.h>

#include "support/isas.h"
#include "support/one_particle.h"
#include "support/passing.h"
#include "support/worlds.h"

#define SPACING 0.02f

// ---- worlds ----

static weft_world_def faces_def(void) {
  weft_world_def def = weft_plain_world_def();
  def.faces = true;
  def.damping = 0.0f;
  return def;
}

static weft_particle_shape_def cloth_contact(void) {
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  contact.half_size[0] = 1e-4f;
  contact.ccd = true;
  return contact;
}

// flat sheet at a height, centred on the y axis
static weft_body add_flat(weft_scene* scene, uint32_t side, float height) {
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = side;
  sheet.spacing = SPACING;
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  sheet.origin[0] = sheet.origin[2] = -0.5f * SPACING * (float)(side - 1);
  sheet.origin[1] = height;
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &body));
  return body;
}

// pins the rim of the first sheet of side x side particles
static void pin_rim(weft_world* world, uint32_t side) {
  for (uint32_t n = 0; n < side * side; ++n) {
    const uint32_t column = n % side;
    const uint32_t row = n / side;
    if (column % (side - 1) != 0 && row % (side - 1) != 0) continue;
    pin_particles(world, n, 1);
  }
}

static void fling(weft_world* world, random_source* random, uint32_t first, uint32_t count,
                  float speed) {
  float* positions = new_positions(world);
  for (uint32_t i = first; i < first + count; ++i) {
    float velocity[3];
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = random_float(random, -speed, speed);
    place_particle(world, i, positions + (size_t)3 * i, velocity);
  }
  free(positions);
}

// ---- non-penetration ----

static void check_crumpling(uint32_t side, uint32_t steps, uint32_t substeps, float speed,
                            uint64_t seed) {
  random_source random = {seed};
  weft_world_def def = faces_def();
  def.substeps = substeps;
  weft_scene* scene = new_scene();
  add_flat(scene, side, 0.0f);
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
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
    free(positions);
  }
  free_face_mesh(&mesh);
  weft_world_destroy(&world);
}

START_TEST(a_sheet_thrown_at_itself_never_goes_through_itself) {
  check_crumpling(ROUNDS(17, 7), ROUNDS(100, 20), 1, 4.0f, 1);
  check_crumpling(ROUNDS(13, 5), ROUNDS(50, 10), 4, 8.0f, 2);
  // slow enough that one CCD pass covers several substeps
  check_crumpling(ROUNDS(13, 5), ROUNDS(50, 10), 16, 0.5f, 3);
}
END_TEST

START_TEST(two_sheets_that_cross_do_not_pass) {
  enum { SIDE = 13 };
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.3f);
  add_flat(scene, SIDE, 0.0f);
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  const weft_particle_shape_def contact = cloth_contact();
  const uint32_t count = SIDE * SIDE;
  expect_ok(weft_world_set_particle_shape(world, 0, 2 * count, &contact));
  float* start = new_positions(world);
  for (uint32_t i = 0; i < 2 * count; ++i) {
    const float velocity[3] = {i < count ? 1.0f : 0.0f, i < count ? -10.0f : 10.0f, 0.3f};
    place_particle(world, i, start + (size_t)3 * i, velocity);
  }
  free(start);
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
    free(positions);
  }
  // the upper sheet is still above
  require(upper > lower);
  require(contact_stats_of(world).lost_ccd_pairs == 0);
  free_face_mesh(&mesh);
  weft_world_destroy(&world);
}
END_TEST

// a sheet thrown onto another, whose shape is set before, or only while the first falls
static void check_joining(bool joins_late) {
  enum { SIDE = 9, COUNT = SIDE * SIDE };
  weft_world_def def = faces_def();
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  add_flat(scene, SIDE, 0.1f);
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
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
  free(positions);
  free_face_mesh(&mesh);
  weft_world_destroy(&world);
}

START_TEST(cloth_that_joins_while_the_world_runs_holds_what_falls_on_it) {
  check_joining(false);
  check_joining(true);
}
END_TEST

// sheet pinned along its rim, with bullets above it
static weft_world* new_range(const weft_world_def* def, uint32_t side, uint32_t bullets,
                             float friction, const weft_contact_limits_def* limits) {
  random_source random = {7};
  weft_scene* scene = new_scene();
  add_flat(scene, side, 0.0f);
  const float half = 0.5f * SPACING * (float)(side - 1);
  for (uint32_t b = 0; b < bullets; ++b) {
    const float place[3] = {random_float(&random, -0.9f * half, 0.9f * half),
                            random_float(&random, 0.5f, 3.0f),
                            random_float(&random, -0.9f * half, 0.9f * half)};
    const float inverse_mass = 1e4f;
    expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
  }
  weft_world* world = new_world(def, scene);
  weft_scene_destroy(&scene);
  pin_rim(world, side);
  if (limits != NULL) expect_ok(weft_world_set_contact_limits(world, limits));
  weft_particle_shape_def contact = cloth_contact();
  contact.static_friction = contact.dynamic_friction = friction;
  expect_ok(weft_world_set_particle_shape(world, 0, side * side, &contact));
  contact = weft_default_particle_shape_def();
  contact.shape = WEFT_PARTICLE_SHAPE_SPHERE;
  contact.half_size[0] = 0.002f;
  expect_ok(weft_world_set_particle_shape(world, side * side, bullets, &contact));
  float* start = new_positions(world);
  for (uint32_t i = side * side; i < side * side + bullets; ++i) {
    const float velocity[3] = {random_float(&random, -10.0f, 10.0f), -100.0f,
                               random_float(&random, -10.0f, 10.0f)};
    place_particle(world, i, start + (size_t)3 * i, velocity);
  }
  free(start);
  return world;
}

// Number of bullets below the sheet: a vertical segment from there up crosses it an odd number of
// times. Bullets beyond the rim are skipped: there the parity says nothing.
static uint32_t count_below(const weft_world* world, uint32_t side, uint32_t bullets) {
  face_mesh mesh = new_sheet_mesh(side, side, 1);
  float* positions = new_positions(world);
  uint32_t below = 0;
  const float half = 0.5f * SPACING * (float)(side - 1);
  for (uint32_t i = side * side; i < side * side + bullets; ++i) {
    const float* from = positions + (size_t)3 * i;
    if (fabsf(from[0]) > half || fabsf(from[2]) > half) continue;
    const float up[3] = {from[0], 1000.0f, from[2]};
    below += count_passed(&mesh, positions, from, up) % 2;
  }
  free(positions);
  free_face_mesh(&mesh);
  return below;
}

START_TEST(bullets_do_not_pass_a_sheet) {
  enum { SIDE = ROUNDS(33, 9), BULLETS = ROUNDS(1000, 50) };
  const weft_world_def def = faces_def();
  weft_world* world = new_range(&def, SIDE, BULLETS, 0.0f, NULL);
  for (int s = 0; s < ROUNDS(8, 4); ++s) {
    weft_world_step(world, 1);
    require(count_below(world, SIDE, BULLETS) == 0);
  }
  require(contact_stats_of(world).lost_ccd_pairs == 0);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(where_there_is_no_room_pairs_are_counted_and_nothing_passes) {
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_ccd_pairs = 10;
  for (uint32_t workers = 1; workers <= 3; ++workers) {
    weft_world_def def = faces_def();
    def.worker_count = workers;
    weft_world* world = new_range(&def, 9, 50, 0.0f, &limits);
    uint32_t over_budget = 0;
    for (int s = 0; s < 5; ++s) {
      weft_world_step(world, 1);
      over_budget += contact_stats_of(world).ccd_over_budget;
    }
    require(contact_stats_of(world).lost_ccd_pairs > 0 && over_budget > 0);
    require(count_below(world, 9, 50) == 0);
    static uint64_t first_hash;
    uint64_t hash = 0;
    hash = weft_world_hash(world);
    if (workers == 1) first_hash = hash;
    require(hash == first_hash);
    weft_world_destroy(&world);
  }
}
END_TEST

// ---- cloth that starts penetrated, limits, friction ----

// the faces of a sheet fill whole clusters of 16
enum { TANGLE_SIDE = 9, TANGLE_COUNT = TANGLE_SIDE * TANGLE_SIDE };

// two sheets that cross, and a third one 5 m away
static weft_world* new_tangle(uint32_t workers, uint32_t substeps) {
  weft_world_def def = faces_def();
  def.worker_count = workers;
  def.substeps = substeps;
  weft_scene* scene = new_scene();
  add_flat(scene, TANGLE_SIDE, 0.0f);
  weft_sheet_def upright = weft_default_sheet_def();
  upright.columns = upright.rows = TANGLE_SIDE;
  upright.spacing = SPACING;
  upright.origin[0] = -0.5f * SPACING * (float)(TANGLE_SIDE - 1) + 0.0017f;
  upright.origin[1] = 0.14f;
  upright.origin[2] = 0.0031f;
  expect_ok(weft_scene_add_sheet(scene, &upright, NULL));
  upright.origin[0] += 5.0f;
  expect_ok(weft_scene_add_sheet(scene, &upright, NULL));
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  weft_particle_shape_def contact = cloth_contact();
  contact.half_size[0] = 0.4f * SPACING;
  expect_ok(weft_world_set_particle_shape(world, 0, 3 * TANGLE_COUNT, &contact));
  return world;
}

// metres that the centre of a sheet has fallen
static double fall_of(const float* start, const float* end, uint32_t sheet) {
  double fall = 0.0;
  for (uint32_t i = sheet * TANGLE_COUNT; i < (sheet + 1) * TANGLE_COUNT; ++i) {
    fall += (double)(start[3 * i + 1] - end[3 * i + 1]) / TANGLE_COUNT;
  }
  return fall;
}

// the two that cross from border to border leave each other as a whole, and fall freely on average
START_TEST(sheets_that_cross_at_the_start_leave_each_other_and_hold_up_nothing) {
  enum { STEPS = 30, SUBSTEPS = 8, PARTED = 12 };
  weft_world* world = new_tangle(1, SUBSTEPS);
  float* start = new_positions(world);
  uint64_t crossed = 0;
  for (int s = 0; s < STEPS; ++s) {
    weft_world_step(world, 1);
    crossed += contact_stats_of(world).crossings;
    require(s < PARTED || contact_stats_of(world).crossings == 0);
  }
  float* end = new_positions(world);
  // g h^2 n (n + 1) / 2, in n substeps
  const double h = 1.0 / (60.0 * SUBSTEPS);
  const double n = STEPS * SUBSTEPS;
  const double expected = 9.81 * h * h * n * (n + 1.0) / 2.0;
  const double mean = 0.5 * (fall_of(start, end, 0) + fall_of(start, end, 1));
  require(fabs(mean - expected) < 2e-2 * expected);
  require(fabs(fall_of(start, end, 2) - expected) < 1e-3 * expected);
  require(crossed > 0);
  require(contact_stats_of(world).ccd_rollbacks == 0);
  free(start);
  free(end);
  weft_world_destroy(&world);
}
END_TEST

// Places the particles of the first two sheets at random in a cube, so that most cluster pairs
// overlap.
static void tangle_sheets(weft_world* world) {
  random_source random = {5};
  for (uint32_t i = 0; i < 2 * TANGLE_COUNT; ++i) {
    const float place[3] = {random_float(&random, 0.0f, 0.2f), random_float(&random, 0.0f, 0.2f),
                            random_float(&random, 0.0f, 0.2f)};
    const float velocity[3] = {0.0f, 0.0f, 0.0f};
    place_particle(world, i, place, velocity);
  }
}

// Returns the hash.
static uint64_t step_heap(uint32_t workers) {
  enum { CLUSTERS = 3 * 2 * (TANGLE_SIDE - 1) * (TANGLE_SIDE - 1) / 16 };
  weft_world* world = new_tangle(workers, 2);
  tangle_sheets(world);
  float* start = new_positions(world);
  uint32_t over_budget = 0;
  for (int s = 0; s < 4; ++s) {
    weft_world_step(world, 1);
    const weft_contact_stats stats = contact_stats_of(world);
    require(stats.ccd_tests <= CLUSTERS * (8192u + 2u * 4096u));
    require(stats.ccd_rounds > 2 && stats.ccd_rounds <= 2u * 55u);
    over_budget += stats.ccd_over_budget;
  }
  require(over_budget > 0);
  // the third sheet collides with neither and falls freely
  float* end = new_positions(world);
  require(fabs(fall_of(start, end, 2) - 9.81 / 14400.0 * 36.0) < 1e-5);
  free(start);
  free(end);
  const uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
  return hash;
}

// Stacks the three sheets, level and at rest, at random heights, in half their size.
static void stack_sheets(weft_world* world) {
  random_source random = {7};
  const float velocity[3] = {0.0f, 0.0f, 0.0f};
  for (uint32_t i = 0; i < 3 * TANGLE_COUNT; ++i) {
    const uint32_t place = i % TANGLE_COUNT;
    const float height = 0.003f * (float)(i / TANGLE_COUNT) + random_float(&random, 0.0f, 0.002f);
    const float at[3] = {0.5f * SPACING * (float)(place % TANGLE_SIDE), height,
                         0.5f * SPACING * (float)(place / TANGLE_SIDE)};
    place_particle(world, i, at, velocity);
  }
}

// A stack needs fewer tests than are refunded, though more than are refunded after a tangle.
START_TEST(clusters_over_budget_recover_when_the_cause_has_gone) {
  enum { TANGLED = 4, STACKED = 40 };
  weft_world* world = new_tangle(1, 2);
  tangle_sheets(world);
  weft_world_step(world, TANGLED);
  stack_sheets(world);
  weft_world_step(world, 1);
  require(contact_stats_of(world).ccd_over_budget > 0);
  weft_world_step(world, STACKED);
  require(contact_stats_of(world).ccd_over_budget == 0);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(the_work_of_a_step_is_bounded_whatever_is_near) {
  const uint64_t expected = step_heap(1);
  require(step_heap(2) == expected);
  require(step_heap(3) == expected);
}
END_TEST

static uint64_t hash_of_crumpling(uint32_t workers, int isa) {
  random_source random = {3};
  weft_world_def def = faces_def();
  def.worker_count = workers;
  def.isa = (weft_isa)isa;
  weft_scene* scene = new_scene();
  add_flat(scene, 41, 0.0f);
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  weft_particle_shape_def contact = cloth_contact();
  contact.static_friction = contact.dynamic_friction = 0.4f;
  expect_ok(weft_world_set_particle_shape(world, 0, 41 * 41, &contact));
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = -0.05f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  fling(world, &random, 0, 41 * 41, 2.0f);
  weft_world_step(world, ROUNDS(12, 5));
  require(contact_stats_of(world).ccd_hits > 0);
  uint64_t hash = 0;
  hash = weft_world_hash(world);
  weft_world_destroy(&world);
  return hash;
}

START_TEST(the_bits_are_the_same_for_any_workers_and_instruction_sets) {
  const uint64_t expected = hash_of_crumpling(1, WEFT_ISA_AUTO);
  const uint32_t counts[] = {2, 3, 7};
  for (size_t n = 0; n < sizeof(counts) / sizeof(*counts); ++n) {
    require(hash_of_crumpling(counts[n], WEFT_ISA_AUTO) == expected);
  }
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    require(hash_of_crumpling(2, isa) == expected);
  }
}
END_TEST

// throws a particle at a free sheet; total momentum is conserved
static void throw_particle(float speed, uint32_t substeps) {
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  def.substeps = substeps;
  weft_scene* scene = new_scene();
  add_flat(scene, 9, 0.0f);
  const float place[3] = {0.013f, 0.05f, 0.007f};
  const float inverse_mass = 500.0f;
  expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  const weft_particle_shape_def contact = cloth_contact();
  expect_ok(weft_world_set_particle_shape(world, 0, 82, &contact));
  const float velocity[3] = {0.05f * speed, -speed, 0.025f * speed};
  place_particle(world, 81, place, velocity);
  weft_world_step(world, 10);
  double momentum[3] = {0.0, 0.0, 0.0};
  float velocities[82][3];
  expect_ok(weft_world_get_velocities(world, 0, 82, velocities[0]));
  for (int i = 0; i < 82; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      momentum[axis] += (double)velocities[i][axis] * (i == 81 ? 0.002 : 0.001);
    }
  }
  const weft_contact_stats stats = contact_stats_of(world);
  require(stats.ccd_rollbacks == 0);
  for (int axis = 0; axis < 3; ++axis) {
    require(fabs(momentum[axis] - 0.002 * (double)velocity[axis]) < 1e-6 * (double)speed + 2e-6);
  }
  // the particle was slowed, and did not bounce
  require(velocities[81][1] > -0.95f * speed && velocities[81][1] < 0.15f * speed);
  weft_world_destroy(&world);
}

START_TEST(no_momentum_is_lost_or_made) {
  throw_particle(20.0f, 1);
  throw_particle(20.0f, 8);
  // slow enough that one CCD pass covers several substeps
  throw_particle(0.6f, 16);
}
END_TEST

// displacement of a particle that slides over a pinned sheet
static float slide(float friction) {
  enum { SIDE = 17 };
  const weft_world_def def = faces_def();
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  const float place[3] = {-0.1f, 0.001f, 0.003f};
  const float inverse_mass = 1000.0f;
  expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  pin_particles(world, 0, SIDE * SIDE);
  weft_particle_shape_def contact = cloth_contact();
  contact.static_friction = contact.dynamic_friction = friction;
  expect_ok(weft_world_set_particle_shape(world, 0, SIDE * SIDE + 1, &contact));
  const float velocity[3] = {0.3f, 0.0f, 0.0f};
  place_particle(world, SIDE * SIDE, place, velocity);
  weft_world_step(world, 30);
  float end[3];
  expect_ok(weft_world_get_positions(world, SIDE * SIDE, 1, end));
  require(end[1] > 0.0f);
  weft_world_destroy(&world);
  return end[0] - place[0];
}

// kinetic energy of a hanging cloth 1 s after a sphere appeared within it, as a share of its weight
// times its side
static double energy_around_sphere(bool ccd) {
  enum { SIDE = 12 };
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = SIDE;
  sheet.spacing = SPACING;
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &body));
  expect_ok(weft_scene_pin(scene, 0, SIDE));
  weft_world_def def = weft_plain_world_def();
  def.faces = true;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  weft_particle_shape_def contact = cloth_contact();
  contact.ccd = ccd;
  contact.half_size[0] = 0.4f * SPACING;
  contact.static_friction = contact.dynamic_friction = 0.3f;
  expect_ok(weft_world_set_particle_shape(world, 0, body.particle_count, &contact));
  const float side = SPACING * (float)(SIDE - 1);
  weft_collider_def sphere = weft_default_collider_def();
  sphere.position[0] = 0.5f * side;
  sphere.position[1] = -0.5f * side;
  sphere.radius = 0.25f * side;
  weft_collider added;
  expect_ok(weft_world_add_collider(world, &sphere, &added));
  weft_world_step(world, 60);
  weft_measures measures;
  expect_ok(weft_world_measure(world, &measures));
  weft_world_destroy(&world);
  return measures.kinetic / (9.81 * measures.mass * (double)side);
}

// the sphere pushes cloth through cloth in each step, and CCD pushes it back
START_TEST(cloth_that_a_sphere_appears_in_comes_to_rest) {
  require(energy_around_sphere(false) < 1e-6);
  require(energy_around_sphere(true) < 1e-6);
}
END_TEST

START_TEST(friction_slows_what_slides) {
  const float free_way = slide(0.0f);
  const float slowed = slide(0.2f);
  require(free_way > 0.14f);
  // v^2 / 2 mu g = 0.023
  require(slowed < 0.05f && slowed > 0.005f);
}
END_TEST

SUITE(ccd) {
  tcase_add_test(tests, a_sheet_thrown_at_itself_never_goes_through_itself);
  tcase_add_test(tests, two_sheets_that_cross_do_not_pass);
  tcase_add_test(tests, cloth_that_joins_while_the_world_runs_holds_what_falls_on_it);
  tcase_add_test(tests, bullets_do_not_pass_a_sheet);
  tcase_add_test(tests, where_there_is_no_room_pairs_are_counted_and_nothing_passes);
  tcase_add_test(tests, sheets_that_cross_at_the_start_leave_each_other_and_hold_up_nothing);
  tcase_add_test(tests, the_work_of_a_step_is_bounded_whatever_is_near);
  tcase_add_test(tests, clusters_over_budget_recover_when_the_cause_has_gone);
  tcase_add_test(tests, the_bits_are_the_same_for_any_workers_and_instruction_sets);
  tcase_add_test(tests, no_momentum_is_lost_or_made);
  tcase_add_test(tests, cloth_that_a_sphere_appears_in_comes_to_rest);
  tcase_add_test(tests, friction_slows_what_slides);
}
