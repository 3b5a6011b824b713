/* Pins that are moved to a target, and bodies that hang on them. */
#include "support/moved.h"
#include "support/ropes.h"
#include "support/test.h"

// ---- pins ----

LOOP_TEST(a_pin_arrives_with_the_velocity_of_its_way_and_then_stands, 0, 4) {
  weft_world* world = new_world_with(new_pinned_sheet(), 1 + (uint32_t)_i);
  float start[3];
  float here[3];
  float velocity[3];
  get_one(world, 0, start, velocity);
  const float target[3] = {start[0] + 0.1f, start[1] - 0.03f, start[2] + 0.2f};
  expect_ok(weft_world_move_particles(world, 0, 1, target, 0));
  get_one(world, 0, here, velocity);
  ck_assert_mem_eq(here, start, sizeof(here));
  weft_world_step(world, 1);
  get_one(world, 0, here, velocity);
  ck_assert_mem_eq(here, target, sizeof(here));
  float before[3];
  expect_ok(weft_world_get_interpolated(world, 0.0f, 0, 1, before));
  for (int axis = 0; axis < 3; ++axis) {
    const double expected = ((double)target[axis] - (double)start[axis]) / STEP_SECONDS;
    ck_assert_double_eq_tol((double)velocity[axis], expected, 1e-3);
    ck_assert_float_eq_tol(before[axis], start[axis], 1e-5f);
  }
  weft_world_step(world, 1);
  get_one(world, 0, here, velocity);
  ck_assert_mem_eq(here, target, sizeof(here));
  for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq(velocity[axis], 0.0f);
}

LOOP_TEST(a_move_takes_one_step_of_those_that_are_asked_for_at_once, 0, 3) {
  weft_world* at_once = new_world_with(new_pinned_sheet(), 1 + (uint32_t)_i);
  weft_world* in_turns = new_world_with(new_pinned_sheet(), 1 + (uint32_t)_i);
  const float target[3] = {0.05f, 0.1f, -0.1f};
  expect_ok(weft_world_move_particles(at_once, 0, 1, target, 0));
  expect_ok(weft_world_move_particles(in_turns, 0, 1, target, 0));
  weft_world_step(at_once, 4);
  for (int step = 0; step < 4; ++step) weft_world_step(in_turns, 1);
  ck_assert_uint_eq(weft_world_hash(at_once), weft_world_hash(in_turns));
}

LOOP_TEST(a_move_over_substeps_is_as_many_moves_over_steps, 0, 8) {
  weft_world_def def =
      plain_def(.coarse_iterations = _i % 2 == 0 ? 2 : 0, .attachments = _i / 2 % 2 == 0 ? 1 : 0,
                .step_ns = 16000000, .substeps = 4);
  weft_scene* scene = new_pinned_sheet();
  weft_world* whole = new_world(&def, scene);
  def.step_ns = 4000000;
  def.substeps = 1;
  weft_world* parts = new_world(&def, scene);
  random_source random = {(uint64_t)_i};
  for (int move = 0; move < 5; ++move) {
    float start[3];
    float target[3];
    expect_ok(weft_world_get_positions(whole, 0, 1, start));
    for (int axis = 0; axis < 3; ++axis) {
      target[axis] = start[axis] + random_float(&random, -0.1f, 0.1f);
    }
    expect_ok(weft_world_move_particles(whole, 0, 1, target, 0));
    weft_world_step(whole, 1);
    for (int quarter = 1; quarter <= 4; ++quarter) {
      float part[3];
      for (int axis = 0; axis < 3; ++axis) {
        const double way = (double)target[axis] - (double)start[axis];
        part[axis] = (float)((double)start[axis] + way * quarter / 4.0);
      }
      expect_ok(weft_world_move_particles(parts, 0, 1, part, 0));
      weft_world_step(parts, 1);
    }
    ck_assert_uint_eq(weft_world_hash(whole), weft_world_hash(parts));
  }
}

LOOP_TEST(the_last_of_several_moves_before_a_step_counts_for_each_of_many_pins, 0, 3) {
  enum { COUNT = 500 };
  static float positions[3 * COUNT];
  static float inverse_masses[COUNT];
  weft_world* world = new_world_of(new_points_scene(positions, inverse_masses, COUNT));
  random_source random = {(uint64_t)_i};
  float expected[3 * COUNT] = {0};
  for (int step = 0; step < 5; ++step) {
    for (int call = 0; call < 2 * COUNT; ++call) {
      const uint32_t particle = random_below(&random, COUNT);
      float* target = expected + (size_t)3 * particle;
      for (int axis = 0; axis < 3; ++axis) target[axis] = random_float(&random, -9.0f, 9.0f);
      expect_ok(weft_world_move_particles(world, particle, 1, target, 0));
    }
    weft_world_step(world, 1);
    float* now = new_positions(world);
    ck_assert_mem_eq(now, expected, sizeof(expected));
  }
}

LOOP_TEST(a_particle_that_is_unpinned_before_the_step_is_not_moved, 0, 2) {
  weft_world* moved = new_world_with(new_pinned_sheet(), 2);
  weft_world* left = new_world_with(new_pinned_sheet(), 2);
  const float target[3] = {0.5f, 0.5f, 0.5f};
  pin_particles(moved, 5, 1);
  pin_particles(left, 5, 1);
  expect_ok(weft_world_move_particles(moved, 0, 1, target, 0));
  expect_ok(weft_world_move_particles(moved, 5, 1, target, 0));
  expect_ok(weft_world_move_particles(left, 5, 1, target, 0));
  set_inverse_mass(moved, 0, 1000.0f);
  set_inverse_mass(left, 0, 1000.0f);
  if (_i == 1) {
    // pinned again: the move stays cancelled
    pin_particles(moved, 0, 1);
    pin_particles(left, 0, 1);
  }
  weft_world_step(moved, 3);
  weft_world_step(left, 3);
  ck_assert_uint_eq(weft_world_hash(moved), weft_world_hash(left));
}

TEST(a_pin_that_is_freed_after_its_move_flies_on) {
  const float origin[3] = {0};
  const float pinned = 0.0f;
  weft_world_def def = weft_plain_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.damping = 0.0f;
  def.substeps = 3;
  weft_world* world = new_world(&def, new_points_scene(origin, &pinned, 1));
  const float target[3] = {0.03f, -0.06f, 0.0f};
  expect_ok(weft_world_move_particles(world, 0, 1, target, 0));
  weft_world_step(world, 1);
  set_inverse_mass(world, 0, 1.0f);
  weft_world_step(world, 1);
  float here[3];
  float velocity[3];
  get_one(world, 0, here, velocity);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_float_eq_tol(here[axis], 2.0f * target[axis], 1e-6f);
  }
}

TEST(a_move_waits_for_a_step_however_often_time_is_added) {
  weft_world* world = new_world_with(new_pinned_sheet(), 1);
  const float target[3] = {0.5f, 0.5f, 0.5f};
  expect_ok(weft_world_move_particles(world, 0, 1, target, 0));
  const uint64_t hash = weft_world_hash(world);
  for (int call = 0; call < 3; ++call) expect_ok(weft_world_advance(world, 4000000, NULL));
  ck_assert_uint_eq(weft_world_hash(world), hash);
  expect_ok(weft_world_advance(world, 5000000, NULL));
  float here[3];
  expect_ok(weft_world_get_positions(world, 0, 1, here));
  ck_assert_mem_eq(here, target, sizeof(here));
}

// ---- ropes on moved pins ----

LOOP_TEST(a_rope_whose_head_is_moved_follows, 0, 4) {
  const uint32_t substeps = 1 + (uint32_t)_i % 2;
  const uint32_t links = 12;
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(links, 2.0f));
  weft_world_def def = plain_def(.damping = 3.0f, .substeps = substeps);
  // direct solver, or iterations alone
  def.direct_iterations = _i < 2 ? 6 : 0;
  def.iterations = _i < 2 ? 10 : 300;
  weft_world* world = new_world(&def, scene);
  float head[3] = {0};
  double worst = 0.0;
  for (int step = 0; step < 60; ++step) {
    head[0] += 0.02f;
    head[1] += 0.01f;
    expect_ok(weft_world_move_particles(world, r.first, 1, head, 0));
    weft_world_step(world, 1);
    worst = fmax(worst, worst_strain(world, r, 2.0 / links));
  }
  ck_assert_double_le(worst, 0.02);
  weft_world_step(world, 600);
  float tail[3];
  expect_ok(weft_world_get_positions(world, r.first + links, 1, tail));
  ck_assert_float_eq_tol(tail[0], head[0], 2e-2f);
  ck_assert_float_eq_tol(tail[1], head[1] - 2.0f, 2e-2f);
}

LOOP_TEST(attachments_follow_a_moved_pin_in_each_substep, 0, 4) {
  enum { COUNT = 40 };
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(COUNT, 1.0f));
  weft_world_def def = weft_plain_world_def();
  // attachments alone
  def.iterations = 0;
  def.direct_iterations = 0;
  def.attachments = 1;
  def.substeps = 1 + (uint32_t)_i;
  weft_world* world = new_world(&def, scene);
  float head[3] = {0};
  for (int step = 0; step < 20; ++step) {
    head[step % 3] += 0.7f;
    expect_ok(weft_world_move_particles(world, r.first, 1, head, 0));
    weft_world_step(world, 1);
    float* positions = new_positions(world);
    for (uint32_t i = 1; i <= COUNT; ++i) {
      const double reach = 2.0 / COUNT * i;
      require(distance(head, positions + (size_t)3 * i) <= 1.0001 * reach);
    }
  }
}

LOOP_TEST(a_cloth_with_coarse_levels_follows_its_moved_row, 0, 1) {
  enum { SIDE = 24 };
  weft_scene* scene = new_scene();
  const weft_body sheet = add_sheet(scene, SIDE, SIDE, STRUCTURAL | SHEAR);
  expect_ok(weft_scene_pin(scene, sheet.first_particle, SIDE));
  weft_world* world = new_plain_world(scene, .damping = 2.0f, .coarse_iterations = 8);
  float* start = new_positions(world);
  weft_world_step(world, 200);
  float* hung = new_positions(world);
  for (int step = 1; step <= 100; ++step) {
    for (uint32_t i = 0; i < SIDE; ++i) {
      float target[3];
      memcpy(target, start + (size_t)3 * i, sizeof(target));
      target[2] += 0.01f * (float)step;
      expect_ok(weft_world_move_particles(world, i, 1, target, 0));
    }
    weft_world_step(world, 1);
  }
  weft_world_step(world, 600);
  float* now = new_positions(world);
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    hung[3 * i + 2] += 1.0f;
    require(distance(hung + (size_t)3 * i, now + (size_t)3 * i) <= 0.05);
  }
}

// ---- any ISA, any number of workers ----

static weft_scene* new_mixed_scene(void) {
  random_source random = {11};
  weft_scene* scene = new_sheet_scene(60, 50, ALL_FAMILIES);
  (void)add_random_mesh(scene, &random, 30);
  rope_def def = hanging_rope(30, 5.0f);
  def.compliance = 1e-4f;
  for (int i = 0; i < 40; ++i) {
    def.from[2] = 0.1f * (float)i;
    (void)add_rope(scene, def);
  }
  for (uint32_t i = 0; i < 60; i += 4) expect_ok(weft_scene_pin(scene, i, 1));
  return scene;
}

// all calls that move particles, in steps of many lengths
static uint64_t live(const weft_scene* scene, weft_isa isa, uint32_t worker_count, int steps) {
  weft_world_def def = plain_def(.isa = isa, .worker_count = worker_count, .substeps = 2,
                                 .coarse_iterations = 2, .attachments = 1);
  def.remainder = WEFT_REMAINDER_STEP;
  def.smooth_elapsed = true;
  weft_world* world = new_world(&def, scene);
  random_source random = {5};
  const weft_body sheet = {.particle_count = 60 * 50};
  for (int step = 0; step < steps; ++step) {
    for (uint32_t i = 0; i < 60; i += 4) {
      float target[3];
      expect_ok(weft_world_get_positions(world, i, 1, target));
      target[step % 3] += random_float(&random, -0.05f, 0.1f);
      expect_ok(weft_world_move_particles(world, i, 1, target, 0));
    }
    const float from[3] = {1.0f, -1.0f, 0.0f};
    const float to[3] = {1.0f, -0.9f, 0.1f};
    weft_grip grip;
    expect_ok(weft_world_add_grip(world, from, 0.5f, &grip));
    expect_ok(weft_world_move_grip(world, grip, to));
    const float offset[3] = {0.01f, 0.0f, 0.02f};
    expect_ok(weft_world_shift_body(world, &sheet, offset));
    const float gravity[3] = {0.0f, -9.0f, (float)step};
    expect_ok(weft_world_set_gravity(world, gravity));
    expect_ok(weft_world_set_damping(world, 0.1f * (float)step));
    expect_ok(weft_world_set_time_scale(world, random_float(&random, 0.5f, 1.5f)));
    expect_ok(weft_world_set_step(world, random_from(&random, 8000000, 20000000)));
    expect_ok(weft_world_advance(world, random_from(&random, 10000000, 40000000), NULL));
    expect_ok(weft_world_remove_grip(world, grip));
  }
  return weft_world_hash(world);
}

TEST(every_isa_and_every_number_of_workers_gives_the_same_hash_whatever_is_moved) {
  static const uint32_t worker_counts[] = {1, 2, 3, 7};
  const int steps = ROUNDS(6, 3);
  weft_scene* scene = new_mixed_scene();
  const uint64_t expected = live(scene, WEFT_ISA_SCALAR, 1, steps);
  for (machine m = {0}; next_machine(&m, 4, 0);) {
    ck_assert_uint_eq(live(scene, m.isa, worker_counts[m.w], steps), expected);
  }
}
