/* Sizes of particles at walls, and which walls have held a particle. */
#include "support/colliding.h"
#include "support/stage.h"
#include "support/test.h"

// ---- sizes ----

static void set_shape(const stage* s, const weft_particle_shape_def* shape) {
  expect_ok(weft_world_set_particle_shape(s->world, weft_range(0, 1), shape));
}

LOOP_TEST(a_particle_rests_at_the_size_of_its_shape_from_each_wall, 0, 5) {
  const weft_particle_shape kind = (weft_particle_shape)_i;
  const bool is_single = kind != WEFT_PARTICLE_SHAPE_BOX && kind != WEFT_PARTICLE_SHAPE_ELLIPSOID;
  weft_particle_shape_def shape = contact_of(kind, 0.5f, 0.25f, 0.125f);
  shape.mask = 0;
  stage s = new_stage(60);
  const float gravity[3] = {3.0f, -4.0f, 5.0f};
  memcpy(s.def.gravity, gravity, sizeof(gravity));
  for (int axis = 0; axis < 3; ++axis) {
    s.bounds.lower[axis] = -1.0f;
    s.bounds.upper[axis] = 2.0f;
  }
  place_at(&s, 0.0f, 0.0f, 0.0f);
  set_shape(&s, &shape);
  weft_world_step(s.world, 120);
  float position[3];
  expect_get(s.world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
  ck_assert_float_eq(position[0], 1.5f);
  ck_assert_float_eq(position[1], is_single ? -0.5f : -0.75f);
  ck_assert_float_eq(position[2], is_single ? 1.5f : 1.875f);
}

TEST(the_order_of_bounds_and_shape_does_not_matter) {
  const weft_particle_shape_def shape = contact_of(WEFT_PARTICLE_SHAPE_POINT, 0.25f, 0.0f, 0.0f);
  const float start[3] = {0.0f, 1.0f, 0.0f}, velocity[3] = {1.0f, 0.0f, 0.5f}, inverse_mass = 2.0f;
  uint64_t hash[2];
  for (int order = 0; order < 2; ++order) {
    stage s = new_floor(60, 0.5f, 0.2f);
    s.world = new_particles(&s.def, start, &inverse_mass, 1);
    place_particle(s.world, 0, start, velocity);
    if (order == 0) expect_ok(weft_world_set_bounds(s.world, &s.bounds));
    set_shape(&s, &shape);
    if (order == 1) expect_ok(weft_world_set_bounds(s.world, &s.bounds));
    weft_world_step(s.world, 90);
    hash[order] = weft_world_hash(s.world);
    ck_assert_float_ge(height(&s), 0.25f);
    weft_world_destroy(&s.world);
  }
  ck_assert_uint_eq(hash[0], hash[1]);
}

TEST(a_particle_that_loses_its_shape_is_a_point_again) {
  stage s = new_floor(60, 0.0f, 0.0f);
  place_at(&s, 0.0f, 1.0f, 0.0f);
  const weft_particle_shape_def shape = contact_of(WEFT_PARTICLE_SHAPE_SPHERE, 0.25f, 0.0f, 0.0f);
  set_shape(&s, &shape);
  weft_world_step(s.world, 60);
  ck_assert_float_eq(height(&s), 0.25f);
  expect_ok(weft_world_set_particle_shape(s.world, weft_range(0, 1), NULL));
  weft_world_step(s.world, 60);
  ck_assert_float_eq(height(&s), 0.0f);
}

TEST(a_particle_larger_than_the_box_is_in_its_middle) {
  stage s = new_stage(60);
  for (int axis = 0; axis < 3; ++axis) {
    s.bounds.lower[axis] = -1.0f;
    s.bounds.upper[axis] = 2.0f;
  }
  place_at(&s, 0.0f, 0.0f, 0.0f);
  const weft_particle_shape_def shape = contact_of(WEFT_PARTICLE_SHAPE_BOX, 1e6f, 2.0f, 1.5f);
  set_shape(&s, &shape);
  weft_world_step(s.world, 2);
  float position[3];
  expect_get(s.world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
  for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq(position[axis], 0.5f);
}

// ---- contacts ----

static void expect_touch(const stage* s, int x, int y, int z) {
  int8_t touch[3] = {9, 9, 9};
  expect_get(s->world, WEFT_ATTRIBUTE_BOUNDS_CONTACT, 0, 1, touch);
  ck_assert_int_eq(touch[0], x);
  ck_assert_int_eq(touch[1], y);
  ck_assert_int_eq(touch[2], z);
}

TEST(touch_says_which_walls_have_held_a_particle) {
  stage s = new_floor(60, 0.0f, 0.0f);
  s.bounds.upper[0] = 1.0f;
  const float start[3] = {0.0f, 0.1f, 0.0f}, thrown[3] = {2.0f, 0.0f, 0.0f};
  place(&s, start, thrown);
  expect_touch(&s, 0, 0, 0);
  weft_world_step(s.world, 5);
  expect_touch(&s, 0, 0, 0);
  weft_world_step(s.world, 10);
  expect_touch(&s, 0, -1, 0);
  weft_world_step(s.world, 20);
  expect_touch(&s, 1, -1, 0);
  expect_ok(weft_world_set_bounds(s.world, NULL));
  expect_touch(&s, 0, 0, 0);
  weft_world_step(s.world, 2);
  expect_touch(&s, 0, 0, 0);
  ck_assert_float_lt(height(&s), 0.0f);
}

TEST(touch_tells_of_a_bounce_in_any_substep_and_of_that_step_alone) {
  stage s = new_floor(60, 0.9f, 0.0f);
  s.def.solver.substeps = 10;
  place_at(&s, 0.0f, 1.0f, 0.0f);
  int told = 0, turned = 0;
  float before = -1.0f;
  for (int step = 0; step < 60; ++step) {
    weft_world_step(s.world, 1);
    float position[3], velocity[3];
    int8_t touch[3];
    read_state(&s, position, velocity);
    expect_get(s.world, WEFT_ATTRIBUTE_BOUNDS_CONTACT, 0, 1, touch);
    ck_assert(touch[0] == 0 && touch[2] == 0);
    told += touch[1] == -1;
    turned += before < 0.0f && velocity[1] > 0.0f;
    ck_assert_int_eq(touch[1], before < 0.0f && velocity[1] > 0.0f ? -1 : 0);
    before = velocity[1];
  }
  ck_assert_int_eq(turned, 1);
  ck_assert_int_eq(told, 1);
}
