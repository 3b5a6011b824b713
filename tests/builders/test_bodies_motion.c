/* Gas in ready-made balls. */
#include "support/bodies.h"
#include "support/test.h"

// scene with one body
static weft_scene* new_scene_with(body_kind kind, const any_body_def* def, weft_body* body) {
  weft_scene* scene = new_scene();
  *body = add_good_body(scene, kind, def);
  return scene;
}

// extent in metres along an axis
static double extent(const float* positions, uint32_t count, size_t axis) {
  float lower = INFINITY;
  float upper = -INFINITY;
  for (size_t i = 0; i < count; ++i) {
    lower = fminf(lower, positions[3 * i + axis]);
    upper = fmaxf(upper, positions[3 * i + axis]);
  }
  return (double)upper - (double)lower;
}

// height and width of a ball after three seconds on a floor
static void rest_ball(float pressure, double* height, double* width) {
  any_body_def def = default_body_def(BODY_BALL);
  def.ball.pressure = pressure;
  def.ball.level = 3;
  def.ball.mass = 8.0f;
  weft_body body;
  weft_scene* scene = new_scene_with(BODY_BALL, &def, &body);
  weft_world* world = new_plain_world(scene, .substeps = 4);
  const weft_bounds_def bounds = floor_bounds(-0.6f, 0.8f);
  expect_ok(weft_world_set_bounds(world, &bounds));
  weft_world_step(world, 180);
  float* positions = new_positions(world);
  *height = extent(positions, body.particle_count, 1);
  *width = extent(positions, body.particle_count, 0);
}

TEST(a_ball_with_gas_in_it_stays_round_and_an_empty_one_falls_in) {
  double height;
  double width;
  rest_ball(2000.0f, &height, &width);
  ck_assert_double_gt(height, 0.95);
  ck_assert_double_lt(fabs(width - height), 0.1);
  rest_ball(0.0f, &height, &width);
  ck_assert_double_lt(height, 0.8);
}

TEST(gas_swells_a_ball_as_the_tension_of_its_skin_allows) {
  any_body_def def = default_body_def(BODY_BALL);
  def.ball.level = 3;
  def.ball.pressure = 2000.0f;
  def.ball.mass = 10.0f;
  weft_body body;
  weft_scene* scene = new_scene_with(BODY_BALL, &def, &body);
  weft_world* world = new_plain_world(scene, .weightless = true, .damping = 2.0f, .substeps = 8);
  weft_world_step(world, 240);
  float* positions = new_positions(world);
  const double swelling = extent(positions, body.particle_count, 0) - 1.0;
  // the skin bears p r / 2 in both directions and has a Poisson's ratio of 1/3: strain e = (1 -
  // 1/3) p r / (2 Y) = 6.7 %, less the pressure lost by the larger volume
  ck_assert_double_gt(swelling, 0.055);
  ck_assert_double_lt(swelling, 0.0667);
}
