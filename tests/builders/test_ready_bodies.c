/* Ready-made ropes, rods and balls: their contact and air from the first step on. */
#include "support/test.h"

// Radius of the default rope, metres: 0.1 kg/m at 900 kg/m3.
#define ROPE_RADIUS 0.005947

static weft_world* new_rope_world(const weft_rope_def* def) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_rope(scene, def, NULL));
  return new_default_world(scene, .worker_count = 1);
}

static double speed_of(const weft_world* world) {
  const weft_measures m = measures_of(world);
  return m.mass > 0.0 ? sqrt(2.0 * m.kinetic / m.mass) : 0.0;
}

static void put_floor_below(weft_world* world) {
  (void)put_collider(world, .shape = WEFT_COLLIDER_SHAPE_HALF_SPACE, .friction = 0.3f);
}

// ---- shape and air ----

static weft_particle_shape_def shape_at(const weft_world* world, uint32_t particle) {
  weft_particle_shape_def shape;
  expect_ok(weft_world_get_particle_shapes(world, weft_range(particle, 1), &shape));
  return shape;
}

TEST(a_rope_is_as_thick_as_laid_rope_of_its_mass_and_no_thicker_than_its_links) {
  weft_rope_def def = weft_default_rope_def();
  const weft_particle_shape_def shape = shape_at(new_rope_world(&def), 3);
  ck_assert_int_eq(shape.shape, WEFT_PARTICLE_SHAPE_CLOTH);
  ck_assert_int_eq(shape.collision, WEFT_COLLISION_EXACT);
  ck_assert_double_eq_tol((double)shape.half_size[0], ROPE_RADIUS, 1e-5);
  ck_assert_float_eq(shape.surface.static_friction, 0.3f);
  ck_assert_float_eq(shape.surface.dynamic_friction, 0.3f);
  def.segments = 200;
  ck_assert_double_eq_tol((double)shape_at(new_rope_world(&def), 3).half_size[0], 0.55 / 200.0,
                          1e-6);
  def.thickness = 0.004f;
  ck_assert_float_eq(shape_at(new_rope_world(&def), 3).half_size[0], 0.004f);
  def.thickness = 0.0f;
  def.mass_per_metre = 1e-9f;
  ck_assert_float_eq(shape_at(new_rope_world(&def), 3).half_size[0], 1e-6f);
}

TEST(a_rod_has_its_radius_and_a_ball_a_thin_skin) {
  weft_rod_def rod = weft_default_rod_def();
  weft_ball_def ball = weft_default_ball_def();
  weft_body bodies[2];
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_rod(scene, &rod, &bodies[0]));
  ball.origin[0] = 3.0f;
  expect_ok(weft_scene_add_ball(scene, &ball, &bodies[1]));
  const weft_world* world = new_default_world(scene, .worker_count = 1);
  ck_assert_float_eq(shape_at(world, bodies[0].first_particle).half_size[0], 0.005f);
  ck_assert_float_eq_tol(shape_at(world, bodies[1].first_particle).half_size[0], 0.01f, 1e-6f);
  rod.rope.thickness = 0.02f;
  ball.level = 5;
  ball.radius = 50.0f;
  ball.thickness = 0.3f;
  scene = new_scene();
  expect_ok(weft_scene_add_rod(scene, &rod, &bodies[0]));
  expect_ok(weft_scene_add_ball(scene, &ball, &bodies[1]));
  world = new_default_world(scene, .worker_count = 1);
  ck_assert_float_eq(shape_at(world, bodies[0].first_particle).half_size[0], 0.02f);
  ck_assert_float_eq(shape_at(world, bodies[1].first_particle).half_size[0], 0.3f);
}

// a rope that falls broadside moves differently once the air is taken away
static bool is_in_air(const weft_rope_def* def) {
  const float gravity[3] = {10.0f, 0.0f, 0.0f};
  weft_world* worlds[] = {new_rope_world(def), new_rope_world(def)};
  expect_ok(weft_world_set_wind(worlds[1], NULL));
  for (int i = 0; i < 2; ++i) {
    expect_ok(weft_world_set_gravity(worlds[i], gravity));
    weft_world_step(worlds[i], 10);
  }
  return weft_world_hash(worlds[0]) != weft_world_hash(worlds[1]);
}

TEST(bare_bodies_have_no_contact_and_no_air) {
  const weft_rope_def def = bare_rope_def();
  const weft_rope_def whole = weft_default_rope_def();
  ck_assert(!is_in_air(&def));
  ck_assert_uint_eq(shape_at(new_rope_world(&def), 0).mask, 0);
  ck_assert(is_in_air(&whole));
}

TEST(fields_out_of_range_are_named_and_change_nothing) {
  weft_scene* scene = new_scene();
  weft_rope_def rope = weft_default_rope_def();
  rope.thickness = 1e-7f;
  expect_error(weft_scene_add_rope(scene, &rope, NULL), WEFT_ERROR_RANGE,
               "weft_rope_def.thickness");
  weft_ball_def ball = weft_default_ball_def();
  ball.friction = -1.0f;
  expect_error(weft_scene_add_ball(scene, &ball, NULL), WEFT_ERROR_RANGE, "weft_ball_def.friction");
  ck_assert_uint_eq(weft_scene_particle_count(scene), 0);
}

TEST(in_a_plane_ropes_and_cloth_are_points_and_rest_on_a_floor) {
  weft_scene* scene = new_scene();
  weft_rope_def rope = weft_default_rope_def();
  rope.origin[1] = rope.end[1] = 0.3f;
  rope.end[0] = 1.0f;
  weft_cloth_def cloth = weft_default_cloth_def();
  cloth.columns = 5;
  cloth.origin[0] = 3.0f;
  cloth.origin[1] = 1.5f;
  cloth.ripple = 0.0f;
  weft_body body;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  expect_ok(weft_scene_add_cloth(scene, &cloth, &body));
  weft_world_def def = weft_default_world_def();
  def.plane = true;
  weft_world* world = new_world(&def, scene);
  put_floor_below(world);
  for (uint32_t i = 0; i <= body.first_particle; i += body.first_particle) {
    ck_assert_int_eq(shape_at(world, i).shape, WEFT_PARTICLE_SHAPE_POINT);
    ck_assert_int_eq(shape_at(world, i).collision, WEFT_COLLISION_SOFT);
  }
  weft_world_step(world, 180);
  float at[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 8, 1, at);
  ck_assert_double_eq_tol((double)at[1], ROPE_RADIUS, 1e-4);
  ck_assert_double_ge(measures_of(world).lower[1], 0.0);
}

// ---- motion ----

TEST(a_rope_falls_on_a_floor_and_rests_there) {
  weft_rope_def def = weft_default_rope_def();
  def.origin[1] = 0.4f;
  def.end[0] = 0.9f;
  def.end[1] = 0.5f;
  weft_world* world = new_rope_world(&def);
  put_floor_below(world);
  weft_world_step(world, 300);
  const weft_measures m = measures_of(world);
  ck_assert_double_lt(speed_of(world), 1e-3);
  ck_assert_double_eq_tol((double)m.lower[1], ROPE_RADIUS, 1e-4);
  ck_assert_double_lt((double)m.upper[1], 0.02);
}

typedef struct side {
  double volume; /* six times the tetrahedron's of two segments; its sign is their side */
  bool is_over;  /* closest points lie within both */
} side;

// Two segments seen along the normal of both: crossed or not, and which of them is in front.
static side side_of(const float* a, const float* b) {
  double u[3], v[3], w[3];
  for (int axis = 0; axis < 3; ++axis) {
    u[axis] = (double)a[3 + axis] - (double)a[axis];
    v[axis] = (double)b[3 + axis] - (double)b[axis];
    w[axis] = (double)b[axis] - (double)a[axis];
  }
  const double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  const double vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  const double uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const double uw = u[0] * w[0] + u[1] * w[1] + u[2] * w[2];
  const double vw = v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
  const double s = (uw * vv - vw * uv) / (uu * vv - uv * uv);
  const double t = (uw * uv - vw * uu) / (uu * vv - uv * uv);
  const double volume = w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) +
                        w[2] * (u[0] * v[1] - u[1] * v[0]);
  return (side){volume, s > 0.02 && s < 0.98 && t > 0.02 && t < 0.98};
}

enum { COIL = 30 };

// Pairs of segments that lie across each other before and after a step, on other sides.
static uint32_t count_passed(const float* before, const float* after) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < COIL; ++i) {
    for (uint32_t k = i + 2; k < COIL; ++k) {
      const side first = side_of(before + (size_t)3 * i, before + (size_t)3 * k);
      const side last = side_of(after + (size_t)3 * i, after + (size_t)3 * k);
      count += first.is_over && last.is_over && first.volume * last.volume < 0.0;
    }
  }
  return count;
}

static uint32_t count_passed_in_coil(weft_collision collision) {
  weft_rope_def def = weft_default_rope_def();
  def.segments = COIL;
  def.origin[1] = 1.6f;
  def.end[0] = 0.02f;
  def.end[1] = 0.1f;
  def.collision = collision;
  weft_world* world = new_rope_world(&def);
  put_floor_below(world);
  uint32_t passed = 0;
  float* before = new_positions(world);
  for (int step = 0; step < 180; ++step) {
    weft_world_step(world, 1);
    float* after = new_positions(world);
    passed += count_passed(before, after);
    before = after;
  }
  if (collision == WEFT_COLLISION_EXACT) ck_assert_double_lt(speed_of(world), 0.05);
  return passed;
}

TEST(a_rope_coils_on_a_floor_without_passing_through_itself) {
  ck_assert_uint_eq(count_passed_in_coil(WEFT_COLLISION_EXACT), 0);
}

// Height of the middle of a rope that falls on another, between particles of both.
static double height_over_another(weft_collision collision) {
  weft_scene* scene = new_scene();
  weft_rope_def def = weft_default_rope_def();
  def.end[0] = 1.0f;
  def.end[1] = 0.0f;
  def.segments = 15;
  def.pin_origin = def.pin_end = true;
  def.collision = collision;
  expect_ok(weft_scene_add_rope(scene, &def, NULL));
  weft_rope_def over = weft_default_rope_def();
  over.segments = 15;
  over.collision = collision;
  over.origin[0] = over.end[0] = over.end[2] = 0.5f;
  over.origin[1] = over.end[1] = 0.5f;
  over.origin[2] = -0.5f;
  weft_body body;
  expect_ok(weft_scene_add_rope(scene, &over, &body));
  weft_world* world = new_default_world(scene, .worker_count = 1);
  weft_world_step(world, 180);
  float at[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, body.first_particle + 8, 1, at);
  return (double)at[1];
}

TEST(a_rope_hangs_over_another) {
  ck_assert_double_gt(height_over_another(WEFT_COLLISION_EXACT), -0.3);
  ck_assert_double_lt(height_over_another(WEFT_COLLISION_SOFT), -2.0);
}

TEST(a_ball_bounces_on_a_floor_and_rests_there) {
  weft_scene* scene = new_scene();
  weft_ball_def def = weft_default_ball_def();
  def.origin[1] = 1.2f;
  def.pressure = 500.0f;
  expect_ok(weft_scene_add_ball(scene, &def, NULL));
  weft_world* world = new_default_world(scene, .worker_count = 1);
  put_floor_below(world);
  weft_world_step(world, 900);
  const weft_measures m = measures_of(world);
  ck_assert_double_lt(speed_of(world), 0.01);
  ck_assert_double_eq_tol((double)m.lower[1], 0.01, 1e-3);
  ck_assert_double_gt((double)m.upper[1], 0.9);
}
