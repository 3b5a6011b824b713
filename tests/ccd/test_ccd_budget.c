/* Bounded work of CCD: budgets of clusters, and impact zones of those beyond. */
#include "support/ccd_sheets.h"
#include "support/saved.h"
#include "support/test.h"

// the faces of a sheet fill whole clusters of 16
enum { TANGLE_SIDE = 9, TANGLE_COUNT = TANGLE_SIDE * TANGLE_SIDE };

// Adds an upright sheet whose upper edge has its middle at (x, y, z), metres.
static void add_upright(weft_scene* scene, uint32_t side, float x, float y, float z) {
  (void)add_cloth(scene, .side = side, .spacing = SPACING,
                  .origin = {-0.5f * SPACING * (float)(side - 1) + x, y, z});
}

// two sheets that cross, and a third one 5 m away
static weft_world* new_tangle(uint32_t workers, uint32_t substeps) {
  weft_world_def def = faces_def();
  def.worker_count = workers;
  def.solver.substeps = substeps;
  weft_scene* scene = new_scene();
  add_flat(scene, TANGLE_SIDE, 0.0f);
  add_upright(scene, TANGLE_SIDE, 0.0017f, 0.14f, 0.0031f);
  add_upright(scene, TANGLE_SIDE, 5.0017f, 0.14f, 0.0031f);
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def contact = cloth_contact();
  contact.half_size[0] = 0.4f * SPACING;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 3 * TANGLE_COUNT), &contact));
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
TEST(sheets_that_cross_at_the_start_leave_each_other_and_hold_up_nothing) {
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
}

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
    require(stats.ccd_rounds >= 2 && stats.ccd_rounds <= 2u * 63u);
    over_budget += stats.ccd_over_budget;
  }
  require(over_budget > 0);
  // the third sheet collides with neither and falls freely
  float* end = new_positions(world);
  require(fabs(fall_of(start, end, 2) - 9.81 / 14400.0 * 36.0) < 1e-5);
  return weft_world_hash(world);
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
LOOP_TEST(clusters_over_budget_recover_when_the_cause_has_gone, 0, LONG_RUN(1)) {
  enum { TANGLED = 4, STACKED = 41 };
  weft_world* world = new_tangle(1, 2);
  tangle_sheets(world);
  uint32_t over_budget = 0;
  for (int s = 0; s < TANGLED; ++s) {
    weft_world_step(world, 1);
    over_budget += contact_stats_of(world).ccd_over_budget;
  }
  require(over_budget > 0);
  stack_sheets(world);
  weft_world_step(world, STACKED);
  require(contact_stats_of(world).ccd_over_budget == 0);
}

// A sheet in looped pleats: contours end inside it.
static weft_world* new_loops(uint32_t workers) {
  enum { SIDE = 30, COUNT = SIDE * SIDE, LOOPS = 4 };
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  def.worker_count = workers;
  def.solver.substeps = 8;
  def.damping = 0.5f;
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  weft_world* world = new_world(&def, scene);
  const float still[3] = {0.0f, 0.0f, 0.0f};
  const double full_turn = 6.283185307179586;
  const double radius = SPACING * (double)SIDE / (full_turn * LOOPS);
  random_source random = {3};
  for (uint32_t i = 0; i < COUNT; ++i) {
    const double turn = full_turn * LOOPS * (double)(i % SIDE) / (SIDE - 1);
    const float place[3] = {(float)(0.2 * radius * turn - 0.9 * radius * sin(turn)),
                            (float)(0.9 * radius * cos(turn)) + random_float(&random, 0.0f, 1e-3f),
                            SPACING * (float)(i / SIDE)};
    place_particle(world, i, place, still);
  }
  weft_particle_shape_def contact = cloth_contact();
  contact.half_size[0] = 0.4f * SPACING;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), &contact));
  return world;
}

// It is drawn to its flat shape until nothing crosses.
LOOP_TEST(a_sheet_in_loops_comes_apart, 0, LONG_RUN(1)) {
  enum { STEPS = 80 };
  weft_world* world = new_loops(1);
  weft_world_step(world, 1);
  require(contact_stats_of(world).crossings > 100);
  weft_world_step(world, STEPS);
  require(contact_stats_of(world).crossings == 0);
  require(measures_of(world).mean_strain < 0.01);
}

// A sheet that forces have pulled into a ball through itself, at rest.
static weft_world* new_ball(uint32_t side) {
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  def.solver.substeps = 8;
  def.damping = 0.1f;
  weft_scene* scene = new_scene();
  (void)add_cloth(scene, .side = side, .spacing = SPACING);
  weft_world* world = new_world(&def, scene);
  random_source random = {side};
  for (int s = 0; s < 45; ++s) {
    float* positions = new_positions(world);
    for (uint32_t i = 0; i < side * side; ++i) {
      float force[3];
      for (int axis = 0; axis < 3; ++axis) {
        const float middle = axis == 2 ? 0.0f : (axis == 0 ? 0.5f : -0.5f) * SPACING * (float)side;
        force[axis] = 0.1f * (middle - positions[3 * i + (uint32_t)axis]) +
                      random_float(&random, -1e-3f, 1e-3f);
      }
      expect_add(world, WEFT_ATTRIBUTE_FORCE, i, 1, force, 0);
    }
    weft_world_step(world, 1);
  }
  const float still[3] = {0.0f, 0.0f, 0.0f};
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < side * side; ++i) {
    const float place[3] = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
    place_particle(world, i, place, still);
  }
  weft_particle_shape_def contact = cloth_contact();
  contact.half_size[0] = 0.55f * SPACING;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, side * side), &contact));
  return world;
}

static const uint32_t ball_sides[] = {20, 25, 30};

// It comes free within two seconds. Where CCD undoes a push on one side, the other side keeps some
// momentum.
LOOP_TEST(a_crumpled_sheet_comes_free, 0, LONG_RUN(sizeof ball_sides / sizeof *ball_sides)) {
  weft_world* world = new_ball(ball_sides[_i]);
  weft_world_step(world, 1);
  require(contact_stats_of(world).crossings > 100);
  weft_world_step(world, 119);
  require(contact_stats_of(world).crossings == 0);
  const weft_measures m = measures_of(world);
  require(m.mean_strain < 0.03);
  for (int axis = 0; axis < 3; ++axis) require(fabs(m.momentum[axis]) < 0.05 * m.mass);
}

// Two sheets whose particles are at random places come apart, and nothing is thrown about.
LOOP_TEST(sheets_at_random_places_come_free, 0, LONG_RUN(3)) {
  enum { SIDE = 16, COUNT = 2 * SIDE * SIDE };
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  def.solver.substeps = 8;
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  add_flat(scene, SIDE, SPACING);
  weft_world* world = new_world(&def, scene);
  random_source random = {(uint64_t)_i};
  const float still[3] = {0.0f, 0.0f, 0.0f};
  for (uint32_t i = 0; i < COUNT; ++i) {
    float place[3];
    for (int axis = 0; axis < 3; ++axis)
      place[axis] = random_float(&random, 0.0f, SPACING * (float)SIDE);
    place_particle(world, i, place, still);
  }
  const weft_particle_shape_def contact = cloth_contact();
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), &contact));
  weft_world_step(world, 1);
  require(contact_stats_of(world).crossings > 10000);
  weft_world_step(world, 300);
  require(contact_stats_of(world).crossings == 0);
  require(measures_of(world).mean_strain < 0.01);
}

// Matched cloth goes on from a snapshot with any workers: after 15 steps on a contour the first
// particles are matched.
TEST(untangling_has_the_same_bits_with_any_workers_and_from_a_snapshot) {
  static const uint32_t steps[] = {16, 20};
  weft_world* world = new_loops(1);
  weft_world* other = new_loops(3);
  for (uint32_t n = 0; n < ROUNDS(2, 1); ++n) {
    weft_world_step(world, steps[n]);
    weft_world_step(other, steps[n]);
    ck_assert_uint_eq(weft_world_hash(other), weft_world_hash(world));
    saved_world saved = save_world(other);
    other = new_loops(2);
    restore_world(other, &saved);
  }
  weft_world_step(world, 5);
  weft_world_step(other, 5);
  ck_assert_uint_eq(weft_world_hash(other), weft_world_hash(world));
}

// Throws a free sheet at another, edge on: clusters go over their budget, and impact zones conserve
// the total momentum.
static void throw_sheet(uint32_t substeps) {
  enum { SIDE = 16, COUNT = SIDE * SIDE };
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  def.solver.substeps = substeps;
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  add_upright(scene, SIDE, 0.005f, 0.45f, -0.02f);
  weft_world* world = new_world(&def, scene);
  const weft_particle_shape_def contact = cloth_contact();
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 2 * COUNT), &contact));
  float velocities[2 * COUNT][3];
  for (uint32_t i = 0; i < 2 * COUNT; ++i) {
    memcpy(velocities[i], i < COUNT ? (float[3]){0.5f, 12.0f, 0.0f} : (float[3]){0.0f, -8.0f, 0.3f},
           sizeof(float[3]));
  }
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 2 * COUNT, velocities[0], 0);
  uint32_t over_budget = 0;
  for (int s = 0; s < 8; ++s) {
    weft_world_step(world, 1);
    over_budget += contact_stats_of(world).ccd_over_budget;
  }
  const double speed[3] = {0.25, 2.0, 0.15};
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 2 * COUNT, velocities[0]);
  double mean[3] = {0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < 2 * COUNT; ++i) {
    for (int axis = 0; axis < 3; ++axis) mean[axis] += (double)velocities[i][axis] / (2 * COUNT);
  }
  require(over_budget > 0 && contact_stats_of(world).ccd_rollbacks == 0);
  for (int axis = 0; axis < 3; ++axis) require(fabs(mean[axis] - speed[axis]) < 1e-5 * 20.0);
}

TEST(impact_zones_keep_momentum) {
  throw_sheet(1);
  throw_sheet(4);
}

// Two sheets at rest, one zone for lack of room, in a wall that appears aslant in them: it pushes
// them out, without velocity as it does particles.
TEST(colliders_push_impact_zones_out_without_velocity) {
  enum { SIDE = 9, COUNT = SIDE * SIDE };
  for (uint32_t substeps = 1; substeps <= 8; substeps *= 8) {
    weft_world_def def = faces_def();
    def.gravity[1] = 0.0f;
    def.solver.substeps = substeps;
    weft_scene* scene = new_scene();
    add_flat(scene, SIDE, 0.0f);
    add_flat(scene, SIDE, 0.001f);
    weft_world* world = new_world(&def, scene);
    weft_particle_shape_def contact = cloth_contact();
    // without contacts between the sheets, which push, too
    contact.shape = WEFT_PARTICLE_SHAPE_POINT;
    expect_ok(weft_world_set_particle_shape(world, weft_range(0, 2 * COUNT), &contact));
    weft_contact_limits_def limits = weft_default_contact_limits_def();
    limits.max_ccd_pairs = 1;
    expect_ok(weft_world_set_contact_limits(world, &limits));
    weft_collider_def wall = collider_def(.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE);
    wall.rotation[2] = 0.5f;
    wall.rotation[3] = sqrtf(0.75f);
    weft_collider added;
    expect_ok(weft_world_add_collider(world, &wall, &added));
    weft_world_step(world, 1);
    require(contact_stats_of(world).ccd_over_budget > 0);
    weft_world_step(world, 9);
    weft_measures measures;
    expect_ok(weft_world_measure(world, &measures));
    // 5 cm in a substep are 3 and 24 m/s
    require(sqrt(2.0 * measures.kinetic / measures.mass) < 0.2);
  }
}

TEST(the_work_of_a_step_is_bounded_whatever_is_near) {
  const uint64_t expected = step_heap(1);
  require(step_heap(2) == expected);
  require(step_heap(3) == expected);
}
