/* Substeps of steps in which cloth and colliders are fast, seen from each other. */
#include "support/cloths.h"
#include "support/saved.h"
#include "support/test.h"

enum { SIDE = 24, COUNT = SIDE * SIDE, SET = 8 };

#define CELL 0.02f
#define MIDDLE (0.5f * CELL * (SIDE - 1))
#define STEP_SECONDS (16666667e-9)

typedef struct substep_case {
  const char* name;
  collider_changes collider;  // its place relative to the middle of the sheet
  float cloth[3];             // metres a second
  uint32_t max_substeps;      // 0: WEFT_AUTO
  double speed;               // metres a second, of both, seen from each other
  uint32_t most;              // substeps
  bool has_no_shape, has_twin;
} substep_case;

#define BALL(...) \
  { .shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 0.05f, __VA_ARGS__ }
#define ABOVE .position = {0.0f, 0.0f, 0.055f}

static const substep_case cases[] = {
    {"slow", BALL(ABOVE, .velocity = {0, 0, -1}), .speed = 1.0, .most = 32},
    {"fast", BALL(ABOVE, .velocity = {0, 0, -6}), .speed = 6.0, .most = 32},
    {"sideways", BALL(ABOVE, .velocity = {5, 0, 0}), .speed = 5.0, .most = 32},
    {"too fast", BALL(ABOVE, .velocity = {0, 0, -40}), .speed = 40.0, .most = 32},
    {"limit", BALL(ABOVE, .velocity = {0, 0, -40}), .max_substeps = 19, .speed = 40.0, .most = 19},
    {"fixed", BALL(ABOVE, .velocity = {0, 0, -40}), .max_substeps = 1, .speed = 40.0, .most = SET},
    {"cloth", BALL(ABOVE), .cloth = {0, 0, 7}, .speed = 7.0, .most = 32},
    {"meet", BALL(ABOVE, .velocity = {0, 0, -4}), .cloth = {0, 0, 4}, .speed = 8.0, .most = 32},
    {"together", BALL(ABOVE, .velocity = {9, 0, -9}), .cloth = {9, 0, -9}, .most = 32},
    {"far", BALL(.position = {0, 0, 3}, .velocity = {0, 0, -40}), .most = 32},
    {"flat", {.position = {0, 0, -0.1f}, .velocity = {0, 9, 0}}, .cloth = {9, 0, 0}, .most = 32},
    {"no shape", BALL(ABOVE, .velocity = {0, 0, -6}), .most = 32, .has_no_shape = true},
    {"environments", BALL(ABOVE, .velocity = {0, 0, -6}), .most = 32, .has_twin = true},
};

static weft_scene* new_sheet(const float origin[3]) {
  weft_scene* scene = new_scene();
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = def.rows = SIDE;
  def.spacing = CELL;
  memcpy(def.origin, origin, sizeof(def.origin));
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  return scene;
}

static weft_world* new_fast_world(const substep_case* c, weft_collider* collider) {
  weft_scene* scene = new_sheet((const float[3]){-MIDDLE, MIDDLE, 0.0f});
  if (c->has_twin) {
    const weft_scene* twin = new_sheet((const float[3]){0.0f, 9.0f, 9.0f});
    expect_ok(weft_scene_add_scene(scene, twin, NULL, NULL, 1, NULL));
  }
  weft_world_def def = weft_default_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.solver.substeps = SET;
  if (c->max_substeps > 0) def.solver.max_substeps = c->max_substeps;
  weft_world* world = new_world(&def, scene);
  if (!c->has_no_shape) make_cloth(world, 0, COUNT, 0.4f * CELL, 0.3f);
  for (uint32_t i = 0; i < COUNT; ++i)
    expect_set(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, c->cloth, 0);
  *collider = put_collider_by(world, changed_collider_def(c->collider));
  return world;
}

static weft_world* new_world_of_defaults(const weft_scene* scene) {
  const weft_world_def def = weft_default_world_def();
  return new_world(&def, scene);
}

static uint32_t last_substeps(const weft_world* world) {
  weft_world_stats stats;
  expect_ok(weft_world_get_stats(world, &stats));
  ck_assert_uint_eq(stats.substeps, SET);
  return stats.last_substeps;
}

// Motion of a step over 0.4 x 1.25 of the distance from a face's corners to its middle.
LOOP_TEST(steps_take_substeps_in_which_cloth_and_collider_move_by_a_third_of_a_cell, 0,
          sizeof(cases) / sizeof(*cases)) {
  const substep_case* c = &cases[_i];
  weft_collider collider;
  weft_world* world = new_fast_world(c, &collider);
  weft_world_step(world, 1);
  const double share = 0.4 * 1.25 * sqrt(0.5) * (double)CELL;
  const double wanted = ceil(c->speed * STEP_SECONDS / share);
  ck_assert_uint_eq(last_substeps(world), (uint32_t)fmin(fmax(wanted, SET), c->most));
}

TEST(the_number_falls_after_a_sixth_of_a_second) {
  weft_collider collider;
  weft_world* world = new_fast_world(&cases[1], &collider);
  weft_world_step(world, 1);
  const uint32_t risen = last_substeps(world);
  ck_assert_uint_gt(risen, SET);
  expect_ok(weft_world_remove_collider(world, collider));
  for (int step = 0; step < 20; ++step) {
    weft_world_step(world, 1);
    ck_assert_uint_eq(last_substeps(world), step < 9 ? risen : SET);
  }
}

TEST(a_call_sets_the_number_anew) {
  weft_collider collider;
  weft_world* world = new_fast_world(&cases[3], &collider);
  weft_world_step(world, 1);
  expect_ok(weft_world_set_substeps(world, 2));
  weft_world_def def;
  expect_ok(weft_world_get_def(world, &def));
  ck_assert_uint_eq(def.solver.substeps, 2);
  ck_assert_uint_eq(def.solver.max_substeps, 8);
}

TEST(snapshots_go_on_with_the_number) {
  weft_collider collider;
  weft_world* world = new_fast_world(&cases[1], &collider);
  weft_world* other = new_fast_world(&cases[1], &collider);
  weft_world_step(world, 3);
  const saved_world saved = save_world(world);
  restore_world(other, &saved);
  weft_world_step(world, 20);
  weft_world_step(other, 20);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(other));
}

// A capsule as wide as six cells, which is in front of a hung sheet, goes through its place.
LOOP_TEST(cloth_that_a_fast_collider_hits_is_free_when_it_stops, 0, 3) {
  static const float speeds[] = {4.0f, 10.0f, 40.0f};
  weft_scene* scene = new_sheet((const float[3]){-MIDDLE, MIDDLE, 0.0f});
  expect_ok(weft_scene_pin(scene, weft_range(0, SIDE)));
  weft_world* world = new_world_of_defaults(scene);
  make_cloth(world, 0, COUNT, 0.45f * CELL, 0.3f);
  weft_collider_def def = collider_def(.shape = WEFT_COLLIDER_SHAPE_CAPSULE, .radius = 0.06f,
                                       .half_size = {0.0f, 0.15f, 0.0f}, .friction = 0.3f,
                                       .position = {0.0f, 0.0f, 0.2f});
  def.rotation[2] = def.rotation[3] = sqrtf(0.5f);  // along x
  const weft_collider capsule = put_collider_by(world, def);
  const float end = -0.15f;
  for (int step = 1; step <= ROUNDS(150, 60); ++step) {
    const float at[3] = {0.0f, 0.0f, fmaxf(0.2f - speeds[_i] * (float)step / 60.0f, end)};
    expect_ok(weft_world_move_collider(world, capsule, at, NULL));
    weft_world_step(world, 1);
  }
  ck_assert_double_le(measures_of(world).max_strain, 0.2);
}

// A ball that flies past the edge: its path is not near, its box is.
TEST(a_rise_moves_cloth_at_rest_by_less_than_a_millimetre) {
  weft_scene* scene = new_sheet((const float[3]){0.0f, 0.0f, 0.0f});
  expect_ok(weft_scene_pin(scene, weft_range(0, SIDE)));
  weft_world* world = new_world_of_defaults(scene);
  make_cloth(world, 0, COUNT, 0.4f * CELL, 0.3f);
  weft_world_step(world, 600);
  float before[COUNT][3], after[COUNT][3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, COUNT, before[0]);
  put_collider(world, .shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 0.01f,
               .position = {-0.6f, -0.2f, -0.3f}, .velocity = {40, 0, 40});
  uint32_t most = 0;
  for (int step = 0; step < 60; ++step) {
    weft_world_step(world, 1);
    most = last_substeps(world) > most ? last_substeps(world) : most;
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, COUNT, after[0]);
    for (uint32_t i = 0; i < COUNT; ++i)
      for (int axis = 0; axis < 3; ++axis) require(fabsf(after[i][axis] - before[i][axis]) < 1e-3f);
  }
  ck_assert_uint_eq(most, 4 * SET);
}
