/* Rods in a world: shapes at rest, tears, sleep, wrong input. */
#include "support/rods.h"
#include "support/saved.h"
#include "support/test.h"

// ---- what holds a rod ----

LOOP_TEST(a_rod_keeps_its_shape_or_takes_that_at_rest, 0, 2) {
  // a ring of given points stays; a straight rod with a curvature at rest becomes one
  enum { SEGMENTS = 32 };
  const double ring = 0.1;
  float points[SEGMENTS + 1][3] = {{0.0f}};
  weft_rod_def rod = held_rod(SEGMENTS, 0.01);
  if (_i == 0) {
    for (int k = 0; k <= SEGMENTS; ++k) {
      points[k][0] = (float)(ring * sin(2.0 * M_PI * k / SEGMENTS));
      points[k][1] = (float)(ring * (1.0 - cos(2.0 * M_PI * k / SEGMENTS)));
    }
    rod.rope.points = points[0];
    rod.rope.point_count = SEGMENTS + 1;
  } else {
    rod.rope.end[0] = (float)(2.0 * SEGMENTS * ring * sin(M_PI / SEGMENTS));
    rod.keeps_shape = false;
    rod.normal[2] = 1.0f;
    rod.rest_strain[0] = (float)(2.0 * M_PI / SEGMENTS * SEGMENTS / (double)rod.rope.end[0]);
  }
  const weft_world_def def = world_def(16, 4.0f, 0.0f);
  weft_world* world = new_rod(&rod, &def);
  weft_world_step(world, 300);
  double end[3], middle[3];
  position_of(world, SEGMENTS, end);
  position_of(world, SEGMENTS / 2, middle);
  for (int i = 0; i < 3; ++i) ck_assert_double_eq_tol(end[i], 0.0, _i == 0 ? 1e-5 : 0.012);
  ck_assert_double_eq_tol(sqrt(middle[0] * middle[0] + middle[1] * middle[1]), 2.0 * ring, 1e-3);
}

TEST(a_hanging_rod_tells_its_tension) {
  weft_rod_def rod = held_rod(10, 0.2);
  rod.rope.end[0] = 0.0f;
  rod.rope.end[1] = (float)-rod_length;
  weft_world_def def = world_def(8, 5.0f, 9.81f);
  def.loads = true;
  weft_world* world = new_rod(&rod, &def);
  weft_world_step(world, 60);
  float tensions[10];
  expect_get(world, WEFT_ATTRIBUTE_LINK_TENSION, 0, 10, tensions);
  for (int s = 0; s < 10; ++s) {
    const double below = 0.2 * rod_length * (9.5 - s) / 10.0;
    ck_assert_double_eq_tol((double)tensions[s], 9.81 * below, 1e-3);
  }
}

TEST(a_torn_segment_bends_no_more) {
  const weft_rod_def rod = held_rod(20, 0.02);
  const weft_world_def def = world_def(16, 4.0f, 9.81f);
  weft_world* world = new_rod(&rod, &def);
  weft_world_step(world, 120);
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 9, 1, &(bool){true}, 0);
  weft_world_step(world, 60);
  float moments[21][3];
  expect_ok(weft_world_get_rod_moments(world, 0, 21, moments[0]));
  ck_assert_double_gt(fabs((double)moments[5][2]), 1e-6);
  for (int i = 0; i < 3; ++i) {
    ck_assert(moments[9][i] == 0.0f);
    ck_assert(moments[10][i] == 0.0f);
  }
  // the rest falls, as stiff as it was
  double end[3], middle[3], near_end[3];
  position_of(world, 20, end);
  position_of(world, 15, middle);
  position_of(world, 10, near_end);
  ck_assert_double_lt(end[1], -1.5);
  for (int i = 0; i < 3; ++i)
    ck_assert_double_eq_tol(0.5 * (end[i] + near_end[i]), middle[i], 2e-3);
}

// ---- the state ----

// A rod of one segment, and one of points whose longest segment has two metres.
LOOP_TEST(half_a_turn_at_rest_is_the_most_of_a_segment, 0, 2) {
  const float points[3][3] = {{0.0f, 0.0f, 0.0f}, {0.5f, 0.0f, 0.0f}, {2.5f, 0.0f, 0.0f}};
  const bool is_of_points = _i == 1;
  const double most = M_PI / (is_of_points ? 2.0 : rod_length);
  weft_scene* scene = new_scene();
  for (int share = 0; share < 2; ++share) {
    const float strain = (float)(most * (share == 0 ? 0.999 : 1.001));
    const float part = strain * 0.70710678f;
    const float rest[4][3] = {{0}, {0.0f, -strain, 0.0f}, {0.0f, 0.0f, strain}, {part, 0.0f, part}};
    for (int k = 0; k < 4; ++k) {
      weft_rod_def rod = held_rod(1, 1.0);
      if (is_of_points) rod.rope.points = points[0], rod.rope.point_count = 3;
      memcpy(rod.rest_strain, rest[k], sizeof(rest[k]));
      rod.twist = k == 0 ? -strain : 0.0f;
      rod.keeps_shape = k == 0;
      const weft_result result = weft_scene_add_rod(scene, &rod, NULL);
      if (share == 0) expect_ok(result);
      if (share == 1 && k == 0) expect_error(result, WEFT_ERROR_RANGE, "weft_rod_def.twist");
      if (share == 1 && k > 0) {
        expect_error_at(result, WEFT_ERROR_RANGE, "weft_rod_def.rest_strain",
                        k == 3 ? 0 : (uint64_t)k);
      }
    }
  }
  ck_assert_uint_eq(weft_scene_particle_count(scene), is_of_points ? 12 : 8);
}

TEST(bad_input_is_refused_by_name) {
  weft_scene* scene = new_scene();
  weft_rod_def rod = held_rod(4, 0.05);
  rod.rope.mode = WEFT_LINK_MODE_STRETCH;
  expect_error(weft_scene_add_rod(scene, &rod, NULL), WEFT_ERROR_RANGE, "weft_rope_def.mode");
  rod = held_rod(4, 0.05);
  expect_ok(weft_scene_add_rod(scene, &rod, NULL));
  weft_world* world = NULL;
  weft_world_def def = weft_plain_world_def();
  def.solver.direct_iterations = 0;
  expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_RANGE,
               "weft_solver_def.direct_iterations");
  def = weft_plain_world_def();
  def.plane = true;
  expect_error(weft_world_create(&def, scene, &world), WEFT_ERROR_UNSUPPORTED,
               "weft_world_def.plane");
  def.plane = false;
  world = new_world(&def, scene);
  weft_rod_end end = {.clamped = true, .frame = {0.0f, 0.0f, 0.0f, 2.0f}};
  float values[3] = {1.0f, 1.0f, 1.0f};
  expect_error(weft_world_set_rod_end(world, 0, &end), WEFT_ERROR_RANGE, "weft_rod_end.frame");
  expect_error(weft_world_set_rod_end(world, 2, &end), WEFT_ERROR_RANGE, "particle");
  expect_error(weft_world_set_rod_end(world, 5, &end), WEFT_ERROR_INDEX, "particle");
  expect_error(weft_world_set(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, weft_range(0, 1), values, 0),
               WEFT_ERROR_UNSUPPORTED, "selection.first");
}
