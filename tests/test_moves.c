/* Particles that the caller moves: pins that are sent to a place, what a pointer drags, bodies shifted. */
#include <math.h>
#include <string.h>

#include "support/isas.h"
#include "support/ropes.h"
#include "support/worlds.h"

#define STEP_NS 16666667
static const double step_seconds = STEP_NS * 1e-9;

static void get_one(const weft_world* world, uint32_t particle, float* position, float* velocity) {
  expect_ok(weft_world_get_positions(world, particle, 1, position));
  expect_ok(weft_world_get_velocities(world, particle, 1, velocity));
}

static float* new_velocities(const weft_world* world) {
  const uint32_t count = particle_count_of(world);
  float* velocities = malloc(sizeof(float[3]) * count);
  expect_ok(weft_world_get_velocities(world, 0, count, velocities));
  return velocities;
}

static weft_world* new_world_with(weft_scene* scene, uint32_t substeps) {
  weft_world_def def = weft_default_world_def();
  def.substeps = substeps;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  return world;
}

// a sheet whose first particle is pinned
static weft_scene* new_pinned_sheet(void) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 9, 7, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, 0));
  return scene;
}

// ---- pins ----

START_TEST(a_pin_arrives_with_the_velocity_of_its_way_and_then_stands) {
  weft_world* world = new_world_with(new_pinned_sheet(), 1 + (uint32_t)_i);
  float start[3];
  float here[3];
  float velocity[3];
  get_one(world, 0, start, velocity);
  const float target[3] = {start[0] + 0.1f, start[1] - 0.03f, start[2] + 0.2f};
  expect_ok(weft_world_move_particle(world, 0, target));
  get_one(world, 0, here, velocity);
  ck_assert_mem_eq(here, start, sizeof(here));
  weft_world_step(world, 1);
  get_one(world, 0, here, velocity);
  ck_assert_mem_eq(here, target, sizeof(here));
  float before[3];
  expect_ok(weft_world_get_interpolated(world, 0.0f, 0, 1, before));
  for (int axis = 0; axis < 3; ++axis) {
    const double expected = ((double)target[axis] - (double)start[axis]) / step_seconds;
    ck_assert_double_eq_tol((double)velocity[axis], expected, 1e-3);
    ck_assert_float_eq_tol(before[axis], start[axis], 1e-5f);
  }
  weft_world_step(world, 1);
  get_one(world, 0, here, velocity);
  ck_assert_mem_eq(here, target, sizeof(here));
  for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq(velocity[axis], 0.0f);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_move_takes_one_step_of_those_that_are_asked_for_at_once) {
  weft_world* at_once = new_world_with(new_pinned_sheet(), 1 + (uint32_t)_i);
  weft_world* in_turns = new_world_with(new_pinned_sheet(), 1 + (uint32_t)_i);
  const float target[3] = {0.05f, 0.1f, -0.1f};
  expect_ok(weft_world_move_particle(at_once, 0, target));
  expect_ok(weft_world_move_particle(in_turns, 0, target));
  weft_world_step(at_once, 4);
  for (int step = 0; step < 4; ++step) weft_world_step(in_turns, 1);
  ck_assert_uint_eq(weft_world_hash(at_once), weft_world_hash(in_turns));
  weft_world_destroy(&at_once);
  weft_world_destroy(&in_turns);
}
END_TEST

START_TEST(a_move_over_substeps_is_as_many_moves_over_steps) {
  weft_world_def def = weft_default_world_def();
  weft_scene* scene = new_pinned_sheet();
  def.coarse_iterations = _i % 2 == 0 ? 2 : 0;
  def.attachments = _i / 2 % 2 == 0 ? 1 : 0;
  def.step_ns = 16000000;
  def.substeps = 4;
  weft_world* whole = new_world(&def, scene);
  def.step_ns = 4000000;
  def.substeps = 1;
  weft_world* parts = new_world(&def, scene);
  weft_scene_destroy(&scene);
  random_source random = {(uint64_t)_i};
  for (int move = 0; move < 5; ++move) {
    float start[3];
    float target[3];
    expect_ok(weft_world_get_positions(whole, 0, 1, start));
    for (int axis = 0; axis < 3; ++axis) {
      target[axis] = start[axis] + random_float(&random, -0.1f, 0.1f);
    }
    expect_ok(weft_world_move_particle(whole, 0, target));
    weft_world_step(whole, 1);
    for (int quarter = 1; quarter <= 4; ++quarter) {
      float part[3];
      for (int axis = 0; axis < 3; ++axis) {
        const double way = (double)target[axis] - (double)start[axis];
        part[axis] = (float)((double)start[axis] + way * quarter / 4.0);
      }
      expect_ok(weft_world_move_particle(parts, 0, part));
      weft_world_step(parts, 1);
    }
    ck_assert_uint_eq(weft_world_hash(whole), weft_world_hash(parts));
  }
  weft_world_destroy(&whole);
  weft_world_destroy(&parts);
}
END_TEST

START_TEST(the_last_of_several_moves_before_a_step_counts_for_each_of_many_pins) {
  enum { COUNT = 500 };
  static float positions[3 * COUNT];
  static float inverse_masses[COUNT];
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, COUNT, NULL));
  weft_world* world = new_world_of(scene);
  random_source random = {(uint64_t)_i};
  float expected[3 * COUNT] = {0};
  for (int step = 0; step < 5; ++step) {
    for (int call = 0; call < 2 * COUNT; ++call) {
      const uint32_t particle = random_below(&random, COUNT);
      float* target = expected + (size_t)3 * particle;
      for (int axis = 0; axis < 3; ++axis) target[axis] = random_float(&random, -9.0f, 9.0f);
      expect_ok(weft_world_move_particle(world, particle, target));
    }
    weft_world_step(world, 1);
    float* now = new_positions(world);
    ck_assert_mem_eq(now, expected, sizeof(expected));
    free(now);
  }
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_particle_that_is_unpinned_before_the_step_is_not_moved) {
  weft_world* moved = new_world_with(new_pinned_sheet(), 2);
  weft_world* left = new_world_with(new_pinned_sheet(), 2);
  const float target[3] = {0.5f, 0.5f, 0.5f};
  expect_ok(weft_world_set_inverse_mass(moved, 5, 0.0f));
  expect_ok(weft_world_set_inverse_mass(left, 5, 0.0f));
  expect_ok(weft_world_move_particle(moved, 0, target));
  expect_ok(weft_world_move_particle(moved, 5, target));
  expect_ok(weft_world_move_particle(left, 5, target));
  expect_ok(weft_world_set_inverse_mass(moved, 0, 1000.0f));
  expect_ok(weft_world_set_inverse_mass(left, 0, 1000.0f));
  if (_i == 1) {
    // and pinned again: the move stays off
    expect_ok(weft_world_set_inverse_mass(moved, 0, 0.0f));
    expect_ok(weft_world_set_inverse_mass(left, 0, 0.0f));
  }
  weft_world_step(moved, 3);
  weft_world_step(left, 3);
  ck_assert_uint_eq(weft_world_hash(moved), weft_world_hash(left));
  weft_world_destroy(&moved);
  weft_world_destroy(&left);
}
END_TEST

START_TEST(a_pin_that_is_freed_after_its_move_flies_on) {
  const float origin[3] = {0};
  const float pinned = 0.0f;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, origin, &pinned, 1, NULL));
  weft_world_def def = weft_default_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.damping = 0.0f;
  def.substeps = 3;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  const float target[3] = {0.03f, -0.06f, 0.0f};
  expect_ok(weft_world_move_particle(world, 0, target));
  weft_world_step(world, 1);
  expect_ok(weft_world_set_inverse_mass(world, 0, 1.0f));
  weft_world_step(world, 1);
  float here[3];
  float velocity[3];
  get_one(world, 0, here, velocity);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_float_eq_tol(here[axis], 2.0f * target[axis], 1e-6f);
  }
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_move_waits_for_a_step_however_often_time_is_added) {
  weft_world* world = new_world_with(new_pinned_sheet(), 1);
  const float target[3] = {0.5f, 0.5f, 0.5f};
  expect_ok(weft_world_move_particle(world, 0, target));
  const uint64_t hash = weft_world_hash(world);
  for (int call = 0; call < 3; ++call) expect_ok(weft_world_advance(world, 4000000, NULL));
  ck_assert_uint_eq(weft_world_hash(world), hash);
  expect_ok(weft_world_advance(world, 5000000, NULL));
  float here[3];
  expect_ok(weft_world_get_positions(world, 0, 1, here));
  ck_assert_mem_eq(here, target, sizeof(here));
  weft_world_destroy(&world);
}
END_TEST

// ---- what hangs on them ----

START_TEST(a_rope_whose_head_is_moved_follows) {
  const uint32_t substeps = 1 + (uint32_t)_i % 2;
  const uint32_t links = 12;
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(links, 2.0f));
  weft_world_def def = weft_default_world_def();
  def.damping = 3.0f;
  def.substeps = substeps;
  // as a tree, and by sweeps alone
  def.direct_iterations = _i < 2 ? 6 : 0;
  def.iterations = _i < 2 ? 10 : 300;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  float head[3] = {0};
  double worst = 0.0;
  for (int step = 0; step < 60; ++step) {
    head[0] += 0.02f;
    head[1] += 0.01f;
    expect_ok(weft_world_move_particle(world, r.first, head));
    weft_world_step(world, 1);
    worst = fmax(worst, worst_strain(world, r, 2.0 / links));
  }
  ck_assert_double_le(worst, 0.02);
  weft_world_step(world, 600);
  float tail[3];
  expect_ok(weft_world_get_positions(world, r.first + links, 1, tail));
  ck_assert_float_eq_tol(tail[0], head[0], 2e-2f);
  ck_assert_float_eq_tol(tail[1], head[1] - 2.0f, 2e-2f);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(attachments_follow_a_moved_pin_in_each_substep) {
  enum { COUNT = 40 };
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(COUNT, 1.0f));
  weft_world_def def = weft_default_world_def();
  // nothing but the attachments
  def.iterations = 0;
  def.direct_iterations = 0;
  def.attachments = 1;
  def.substeps = 1 + (uint32_t)_i;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  float head[3] = {0};
  for (int step = 0; step < 20; ++step) {
    head[step % 3] += 0.7f;
    expect_ok(weft_world_move_particle(world, r.first, head));
    weft_world_step(world, 1);
    float* positions = new_positions(world);
    for (uint32_t i = 1; i <= COUNT; ++i) {
      const double reach = 2.0 / COUNT * i;
      require(distance(head, positions + (size_t)3 * i) <= 1.0001 * reach);
    }
    free(positions);
  }
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_cloth_with_coarse_levels_follows_its_moved_row) {
  enum { SIDE = 24 };
  weft_scene* scene = new_scene();
  const weft_body sheet = add_sheet(scene, SIDE, SIDE, STRUCTURAL | SHEAR);
  for (uint32_t i = 0; i < SIDE; ++i) expect_ok(weft_scene_pin(scene, sheet.first_particle + i));
  weft_world_def def = weft_default_world_def();
  def.damping = 2.0f;
  def.coarse_iterations = 8;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  float* start = new_positions(world);
  weft_world_step(world, 200);
  float* hung = new_positions(world);
  for (int step = 1; step <= 100; ++step) {
    for (uint32_t i = 0; i < SIDE; ++i) {
      float target[3];
      memcpy(target, start + (size_t)3 * i, sizeof(target));
      target[2] += 0.01f * (float)step;
      expect_ok(weft_world_move_particle(world, i, target));
    }
    weft_world_step(world, 1);
  }
  weft_world_step(world, 600);
  float* now = new_positions(world);
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    hung[3 * i + 2] += 1.0f;
    require(distance(hung + (size_t)3 * i, now + (size_t)3 * i) <= 0.05);
  }
  free(start);
  free(hung);
  free(now);
  weft_world_destroy(&world);
}
END_TEST

// ---- drag ----

START_TEST(a_pointer_takes_what_is_near_along_with_its_velocity_and_nothing_else) {
  random_source random = {(uint64_t)_i};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, 400, 2.0f);
  float inverse_masses[400];
  expect_ok(weft_scene_get_particles(scene, 0, 400, NULL, inverse_masses));
  weft_world* world = new_world_with(scene, 1 + (uint32_t)_i % 4);
  weft_world_step(world, 3);
  float from[3];
  float to[3];
  for (int axis = 0; axis < 3; ++axis) {
    from[axis] = random_float(&random, -1.0f, 1.0f);
    to[axis] = from[axis] + random_float(&random, -0.2f, 0.2f);
  }
  const float radius = random_float(&random, 0.1f, 2.0f);
  float* before = new_positions(world);
  float* velocities_before = new_velocities(world);
  uint32_t dragged = 7;
  expect_ok(weft_world_drag(world, from, to, radius, &dragged));
  float* now = new_positions(world);
  float* velocities = new_velocities(world);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < 400; ++i) {
    const size_t at = (size_t)3 * i;
    const double apart = distance(before + at, from);
    // too near to the edge to tell
    if (fabs(apart - (double)radius) < 1e-6) continue;
    const bool is_taken = inverse_masses[i] > 0.0f && apart < (double)radius;
    expected += is_taken ? 1 : 0;
    if (!is_taken) {
      require(memcmp(before + at, now + at, sizeof(float[3])) == 0);
      require(memcmp(velocities_before + at, velocities + at, sizeof(float[3])) == 0);
      continue;
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      const double way = (double)to[axis] - (double)from[axis];
      require(fabs((double)now[at + axis] - (double)before[at + axis] - way) <= 1e-6);
      require(fabs((double)velocities[at + axis] - way / step_seconds) <= 1e-3);
    }
  }
  ck_assert_uint_eq(dragged, expected);
  free(before);
  free(velocities_before);
  free(now);
  free(velocities);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(what_was_dragged_flies_as_far_in_the_next_step_whatever_its_length_was) {
  weft_scene* scene = new_scene();
  const float place[3] = {0.25f, 0.0f, 0.0f};
  const float inverse_mass = 1.0f;
  expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
  weft_world_def def = weft_default_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.damping = 0.0f;
  def.substeps = 1 + (uint32_t)_i;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  weft_world_step(world, 1);
  expect_ok(weft_world_set_step(world, 5000000));
  const float from[3] = {0.2f, 0.0f, 0.0f};
  const float to[3] = {0.3f, -0.05f, 0.0f};
  // the number may be left out
  expect_ok(weft_world_drag(world, from, to, 0.1f, NULL));
  float here[3];
  float velocity[3];
  get_one(world, 0, here, velocity);
  ck_assert_float_eq_tol(velocity[0], 0.1f / 0.005f, 1e-3f);
  weft_world_step(world, 1);
  get_one(world, 0, here, velocity);
  ck_assert_float_eq_tol(here[0], 0.45f, 1e-5f);
  ck_assert_float_eq_tol(here[1], -0.1f, 1e-5f);
  ck_assert_float_eq_tol(velocity[0], 0.1f / 0.005f, 1e-3f);
  weft_world_destroy(&world);
}
END_TEST

// ---- shift ----

START_TEST(a_body_that_is_shifted_keeps_its_velocities_and_others_stay) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 9, 7, ALL_FAMILIES);
  const weft_body body = add_sheet(scene, 8, 5, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, body.first_particle + 3));
  (void)add_sheet(scene, 6, 6, ALL_FAMILIES);
  weft_world* world = new_world_with(scene, 1 + (uint32_t)_i);
  weft_world_step(world, 3);
  const uint32_t count = particle_count_of(world);
  float* before = new_positions(world);
  float* velocities_before = new_velocities(world);
  const float offset[3] = {1.5f, -0.25f, 0.3f};
  expect_ok(weft_world_shift_body(world, &body, offset));
  float* now = new_positions(world);
  float* velocities = new_velocities(world);
  for (uint32_t i = 0; i < 3 * count; ++i) {
    const uint32_t particle = i / 3;
    const bool is_its =
        particle >= body.first_particle && particle < body.first_particle + body.particle_count;
    require(now[i] == before[i] + (is_its ? offset[i % 3] : 0.0f));
    require(fabsf(velocities[i] - velocities_before[i]) <= (is_its ? 1e-3f : 0.0f));
  }
  free(before);
  free(velocities_before);
  free(now);
  free(velocities);
  weft_world_destroy(&world);
}
END_TEST

// ---- what is refused ----

// a world, and another one to which nothing is done
typedef struct pair {
  weft_world* world;
  weft_world* undisturbed;
} pair;

static pair new_pair(void) {
  const pair p = {new_world_with(new_pinned_sheet(), 2), new_world_with(new_pinned_sheet(), 2)};
  weft_world_step(p.world, 2);
  weft_world_step(p.undisturbed, 2);
  return p;
}

static void expect_undisturbed(pair p) {
  ck_assert_uint_eq(weft_world_hash(p.world), weft_world_hash(p.undisturbed));
  weft_world_step(p.world, 2);
  weft_world_step(p.undisturbed, 2);
  ck_assert_uint_eq(weft_world_hash(p.world), weft_world_hash(p.undisturbed));
  weft_world_destroy(&p.world);
  weft_world_destroy(&p.undisturbed);
}

static const float not_finite[] = {NAN, INFINITY, -INFINITY};

START_TEST(a_move_that_cannot_be_is_refused) {
  pair p = new_pair();
  const uint32_t count = particle_count_of(p.world);
  const float good[3] = {0};
  expect_error(weft_world_move_particle(NULL, 0, good), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_move_particle(p.world, 0, NULL), WEFT_ERROR_NULL, "target");
  expect_error(weft_world_move_particle(p.world, count, good), WEFT_ERROR_INDEX, "particle");
  expect_error(weft_world_move_particle(p.world, UINT32_MAX, good), WEFT_ERROR_INDEX, "particle");
  expect_error(weft_world_move_particle(p.world, 1, good), WEFT_ERROR_RANGE, "particle");
  for (uint64_t axis = 0; axis < 3; ++axis) {
    float bad[3] = {0};
    bad[axis] = not_finite[_i];
    expect_error_at(weft_world_move_particle(p.world, 0, bad), WEFT_ERROR_NOT_FINITE, "target",
                    axis);
  }
  expect_undisturbed(p);
}
END_TEST

START_TEST(a_drag_that_cannot_be_is_refused) {
  pair p = new_pair();
  const float good[3] = {0};
  uint32_t dragged = 7;
  expect_error(weft_world_drag(NULL, good, good, 1.0f, &dragged), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_drag(p.world, NULL, good, 1.0f, &dragged), WEFT_ERROR_NULL, "from");
  expect_error(weft_world_drag(p.world, good, NULL, 1.0f, &dragged), WEFT_ERROR_NULL, "to");
  for (uint64_t axis = 0; axis < 3; ++axis) {
    float bad[3] = {0};
    bad[axis] = not_finite[_i];
    expect_error_at(weft_world_drag(p.world, bad, good, 1.0f, &dragged), WEFT_ERROR_NOT_FINITE,
                    "from", axis);
    expect_error_at(weft_world_drag(p.world, good, bad, 1.0f, &dragged), WEFT_ERROR_NOT_FINITE,
                    "to", axis);
  }
  expect_error(weft_world_drag(p.world, good, good, not_finite[_i], &dragged),
               WEFT_ERROR_NOT_FINITE, "radius");
  expect_error(weft_world_drag(p.world, good, good, 0.0f, &dragged), WEFT_ERROR_RANGE, "radius");
  expect_error(weft_world_drag(p.world, good, good, -1.0f, &dragged), WEFT_ERROR_RANGE, "radius");
  // beyond all floats: what lies between the pointer and them goes further than it
  const float far[3] = {3.4028235e38f, 0.0f, 0.0f};
  const float back[3] = {-3e31f, 0.0f, 0.0f};
  expect_error(weft_world_drag(p.world, back, far, 1e38f, &dragged), WEFT_ERROR_RANGE, "to");
  ck_assert_uint_eq(dragged, 7);
  expect_undisturbed(p);
}
END_TEST

START_TEST(a_shift_that_cannot_be_is_refused) {
  pair p = new_pair();
  const uint32_t count = particle_count_of(p.world);
  const float good[3] = {1.0f, 2.0f, 3.0f};
  const weft_body body = {.particle_count = count};
  const weft_body behind = {.first_particle = 1, .particle_count = count};
  const weft_body huge = {.first_particle = UINT32_MAX, .particle_count = UINT32_MAX};
  expect_error(weft_world_shift_body(NULL, &body, good), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_shift_body(p.world, NULL, good), WEFT_ERROR_NULL, "body");
  expect_error(weft_world_shift_body(p.world, &body, NULL), WEFT_ERROR_NULL, "offset");
  expect_error(weft_world_shift_body(p.world, &behind, good), WEFT_ERROR_INDEX, "body");
  expect_error(weft_world_shift_body(p.world, &huge, good), WEFT_ERROR_INDEX, "body");
  for (uint64_t axis = 0; axis < 3; ++axis) {
    float bad[3] = {0};
    bad[axis] = not_finite[_i];
    expect_error_at(weft_world_shift_body(p.world, &body, bad), WEFT_ERROR_NOT_FINITE, "offset",
                    axis);
  }
  const weft_body nothing = {.first_particle = count};
  expect_ok(weft_world_shift_body(p.world, &nothing, good));
  expect_undisturbed(p);
}
END_TEST

START_TEST(a_shift_beyond_all_floats_is_refused_and_moves_nothing) {
  weft_scene* scene = new_scene();
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, 3e38f, 0.0f};
  const float inverse_masses[2] = {0.0f, 0.0f};
  weft_body body;
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, &body));
  weft_world* world = new_world_of(scene);
  const uint64_t hash = weft_world_hash(world);
  const float offset[3] = {1.0f, 3e38f, 0.0f};
  expect_error_at(weft_world_shift_body(world, &body, offset), WEFT_ERROR_RANGE, "offset", 1);
  ck_assert_uint_eq(weft_world_hash(world), hash);
  weft_world_destroy(&world);
}
END_TEST

// ---- any ISA, any number of workers ----

static weft_scene* new_mixed_scene(void) {
  random_source random = {11};
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 60, 50, ALL_FAMILIES);
  (void)add_random_mesh(scene, &random, 30);
  rope_def def = hanging_rope(30, 5.0f);
  def.compliance = 1e-4f;
  for (int i = 0; i < 40; ++i) {
    def.from[2] = 0.1f * (float)i;
    (void)add_rope(scene, def);
  }
  for (uint32_t i = 0; i < 60; i += 4) expect_ok(weft_scene_pin(scene, i));
  return scene;
}

// everything that moves by hand, in steps of many lengths
static uint64_t live(const weft_scene* scene, weft_isa isa, uint32_t worker_count, int steps) {
  weft_world_def def = weft_default_world_def();
  def.isa = isa;
  def.worker_count = worker_count;
  def.substeps = 2;
  def.coarse_iterations = 2;
  def.attachments = 1;
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
      expect_ok(weft_world_move_particle(world, i, target));
    }
    const float from[3] = {1.0f, -1.0f, 0.0f};
    const float to[3] = {1.0f, -0.9f, 0.1f};
    expect_ok(weft_world_drag(world, from, to, 0.5f, NULL));
    const float offset[3] = {0.01f, 0.0f, 0.02f};
    expect_ok(weft_world_shift_body(world, &sheet, offset));
    const float gravity[3] = {0.0f, -9.0f, (float)step};
    expect_ok(weft_world_set_gravity(world, gravity));
    expect_ok(weft_world_set_damping(world, 0.1f * (float)step));
    expect_ok(weft_world_set_time_scale(world, random_float(&random, 0.5f, 1.5f)));
    expect_ok(weft_world_set_step(world, random_from(&random, 8000000, 20000000)));
    expect_ok(weft_world_advance(world, random_from(&random, 10000000, 40000000), NULL));
  }
  const uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
  return hash;
}

START_TEST(every_isa_and_every_number_of_workers_gives_the_same_hash_whatever_is_moved) {
  static const uint32_t worker_counts[] = {1, 2, 3, 7};
  const int steps = ROUNDS(6, 3);
  weft_scene* scene = new_mixed_scene();
  const uint64_t expected = live(scene, WEFT_ISA_SCALAR, 1, steps);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (size_t w = 0; w < 4; ++w) {
      if (!goes_with(isa, w, 4, 0)) continue;
      ck_assert_uint_eq(live(scene, (weft_isa)isa, worker_counts[w], steps), expected);
    }
  }
  weft_scene_destroy(&scene);
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("moves");
  TCase* tests = suite.tests;
  const int few = ROUNDS(20, 5);
  tcase_add_loop_test(tests, a_pin_arrives_with_the_velocity_of_its_way_and_then_stands, 0, 4);
  tcase_add_loop_test(tests, a_move_takes_one_step_of_those_that_are_asked_for_at_once, 0, 3);
  tcase_add_loop_test(tests, a_move_over_substeps_is_as_many_moves_over_steps, 0, 8);
  tcase_add_loop_test(tests, the_last_of_several_moves_before_a_step_counts_for_each_of_many_pins,
                      0, 3);
  tcase_add_loop_test(tests, a_particle_that_is_unpinned_before_the_step_is_not_moved, 0, 2);
  tcase_add_test(tests, a_pin_that_is_freed_after_its_move_flies_on);
  tcase_add_test(tests, a_move_waits_for_a_step_however_often_time_is_added);
  tcase_add_loop_test(tests, a_rope_whose_head_is_moved_follows, 0, 4);
  tcase_add_loop_test(tests, attachments_follow_a_moved_pin_in_each_substep, 0, 4);
  tcase_add_test(tests, a_cloth_with_coarse_levels_follows_its_moved_row);
  tcase_add_loop_test(tests, a_pointer_takes_what_is_near_along_with_its_velocity_and_nothing_else,
                      0, few);
  tcase_add_loop_test(tests, what_was_dragged_flies_as_far_in_the_next_step_whatever_its_length_was,
                      0, 3);
  tcase_add_loop_test(tests, a_body_that_is_shifted_keeps_its_velocities_and_others_stay, 0, 3);
  tcase_add_loop_test(tests, a_move_that_cannot_be_is_refused, 0, 3);
  tcase_add_loop_test(tests, a_drag_that_cannot_be_is_refused, 0, 3);
  tcase_add_loop_test(tests, a_shift_that_cannot_be_is_refused, 0, 3);
  tcase_add_test(tests, a_shift_beyond_all_floats_is_refused_and_moves_nothing);
  tcase_add_test(tests,
                 every_isa_and_every_number_of_workers_gives_the_same_hash_whatever_is_moved);
  return run_suite(suite);
}
