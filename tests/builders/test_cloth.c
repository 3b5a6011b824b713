/* Ready-made cloth: its shape, its contact and air from the first step on, its rest. */
#include "support/test.h"

typedef struct made_cloth {
  weft_scene* scene;
  weft_body body;
} made_cloth;

static made_cloth new_cloth(const weft_cloth_def* def) {
  made_cloth made = {.scene = new_scene()};
  expect_ok(weft_scene_add_cloth(made.scene, def, &made.body));
  return made;
}

static double speed_of(const weft_world* world) {
  weft_measures m;
  expect_ok(weft_world_measure(world, &m));
  return m.mass > 0.0 ? sqrt(2.0 * m.kinetic / m.mass) : 0.0;
}

// ---- shape ----

TEST(a_rectangle_has_its_size_its_mass_and_its_hooks) {
  weft_cloth_def def = weft_default_cloth_def();
  def.width = 1.6f;
  def.height = 0.8f;
  def.hooks = 5;
  const made_cloth made = new_cloth(&def);
  ck_assert_uint_eq(made.body.particle_count, 65 * 33);
  float corner[3];
  expect_ok(weft_scene_get_particles(made.scene, 65 * 33 - 1, 1, corner, NULL));
  ck_assert_float_eq_tol(corner[0], 1.6f, 1e-6f);
  ck_assert_float_eq_tol(corner[1], -0.8f, 1e-6f);
  uint32_t pins = 0;
  for (uint32_t i = 0; i < made.body.particle_count; ++i) {
    float inverse_mass;
    expect_ok(weft_scene_get_particles(made.scene, i, 1, NULL, &inverse_mass));
    if (inverse_mass > 0.0f) continue;
    ck_assert(i % 16 == 0 && i <= 64);
    ++pins;
  }
  ck_assert_uint_eq(pins, 5);
}

TEST(a_ripple_lies_along_the_normal_and_depends_on_its_seed) {
  weft_cloth_def def = weft_default_cloth_def();
  float first[3 * 65 * 65], second[3 * 65 * 65];
  expect_ok(weft_scene_get_particles(new_cloth(&def).scene, 0, 65 * 65, first, NULL));
  def.seed = 2;
  expect_ok(weft_scene_get_particles(new_cloth(&def).scene, 0, 65 * 65, second, NULL));
  const float amplitude = 1e-5f / 64.0f;
  float largest = 0.0f;
  uint32_t differ = 0;
  for (int i = 0; i < 65 * 65; ++i) {
    ck_assert(first[3 * i] == second[3 * i] && first[3 * i + 1] == second[3 * i + 1]);
    largest = fmaxf(largest, fabsf(first[3 * i + 2]));
    differ += first[3 * i + 2] != second[3 * i + 2];
  }
  ck_assert(largest > 0.9f * amplitude && largest <= amplitude);
  ck_assert_uint_gt(differ, 4000);
}

TEST(a_mesh_is_a_cloth_and_errors_name_its_fields) {
  static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1};
  static const uint32_t triangles[] = {0, 2, 1, 1, 2, 3};
  static const uint32_t bad[] = {0, 2, 1, 1, 2, 4};
  weft_cloth_def def = weft_default_cloth_def();
  def.positions = positions;
  def.vertex_count = 4;
  def.triangles = triangles;
  def.triangle_count = 2;
  ck_assert_uint_eq(new_cloth(&def).body.link_count, 5);
  weft_scene* scene = new_scene();
  def.triangles = bad;
  expect_error_at(weft_scene_add_cloth(scene, &def, NULL), WEFT_ERROR_INDEX,
                  "weft_cloth_def.triangles", 1);
  def.hooks = 2;
  expect_error(weft_scene_add_cloth(scene, &def, NULL), WEFT_ERROR_RANGE, "weft_cloth_def.hooks");
  def = weft_default_cloth_def();
  def.down[0] = 1.0f;
  def.down[1] = 0.0f;
  expect_error(weft_scene_add_cloth(scene, &def, NULL), WEFT_ERROR_DEGENERATE,
               "weft_cloth_def.down");
  def = weft_default_cloth_def();
  def.height = 1e4f;
  expect_error(weft_scene_add_cloth(scene, &def, NULL), WEFT_ERROR_TOO_MANY,
               "weft_cloth_def.height");
  ck_assert_uint_eq(weft_scene_particle_count(scene), 0);
}

// ---- the outset ----

TEST(contacts_and_wind_of_a_scene_are_those_of_calls_on_its_world) {
  weft_cloth_def def = weft_default_cloth_def();
  def.columns = 11;
  def.down[1] = 0.0f;
  def.down[2] = 1.0f;
  weft_cloth_def bare = def;
  bare.collision = WEFT_COLLISION_NONE;
  bare.in_air = false;
  made_cloth whole = new_cloth(&def), by_calls = new_cloth(&bare);
  weft_scene* merged = new_scene();
  expect_ok(weft_scene_add_scene(merged, whole.scene, NULL, NULL, 0, NULL));
  weft_world_def world_def = weft_default_world_def();
  world_def.solver.substeps = 8;
  weft_world* worlds[] = {new_world(&world_def, whole.scene), new_world(&world_def, by_calls.scene),
                          new_world(&world_def, merged)};
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.collision = WEFT_COLLISION_EXACT;
  shape.half_size[0] = 0.055f;
  shape.surface.static_friction = shape.surface.dynamic_friction = 0.3f;
  expect_ok(weft_world_set_particle_shape(worlds[1], weft_range(0, by_calls.body.particle_count),
                                          &shape));
  const weft_wind_def air = weft_default_wind_def();
  expect_ok(weft_world_set_wind(worlds[1], &air));
  uint64_t hash[3];
  for (int round = 0; round < 2; ++round) {
    for (int k = 0; k < 3; ++k) {
      weft_collider_def ball = weft_default_collider_def();
      ball.radius = 0.3f;
      ball.position[0] = ball.position[2] = 0.5f;
      ball.position[1] = -0.4f;
      weft_collider collider;
      expect_ok(weft_world_add_collider(worlds[k], &ball, &collider));
      weft_world_step(worlds[k], 60);
      hash[k] = weft_world_hash(worlds[k]);
    }
    ck_assert(hash[0] == hash[1] && hash[0] == hash[2]);
    for (int k = 0; k < 3; k += 2) expect_ok(weft_world_reset(worlds[k], whole.scene));
    expect_ok(weft_world_reset(worlds[1], whole.scene));
  }
}

// ---- motion ----

// Speed after a fall from rest, for dv/dt = g - (0.6 / 0.12) (v + 0.5) v.
static double speed_of_fall(double seconds) {
  double v = 0.0;
  for (double t = 0.0; t < seconds; t += 1e-5) v += 1e-5 * (9.81 - 5.0 * (v + 0.5) * v);
  return v;
}

// Flat cloth falls as drag and weight say.
TEST(cloth_falls_by_drag_and_weight_at_any_spacing_and_step) {
  static const struct {
    uint32_t columns;
    int64_t step_ns;
  } rows[] = {{11, 16666667}, {21, 16666667}, {21, 5000000}};
  for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); ++r) {
    weft_cloth_def def = weft_default_cloth_def();
    def.columns = rows[r].columns;
    def.down[1] = 0.0f;
    def.down[2] = 1.0f;
    def.ripple = 0.0f;
    weft_world_def world_def = weft_default_world_def();
    world_def.step_ns = rows[r].step_ns;
    world_def.damping = 0.0f;
    weft_world* world = new_world(&world_def, new_cloth(&def).scene);
    weft_world_step(world, (uint32_t)(300000000 / rows[r].step_ns));
    weft_measures m;
    expect_ok(weft_world_measure(world, &m));
    const double expected = -speed_of_fall(0.3);
    ck_assert_double_eq_tol(m.momentum[1] / m.mass, expected, 0.02 * fabs(expected));
  }
}

// A strip, clamped along two rows, swings down and rests.
LOOP_TEST(a_clamped_strip_comes_to_rest_within_five_seconds, 0, 4) {
  weft_cloth_def def = weft_default_cloth_def();
  def.width = 0.2f;
  def.height = _i % 2 == 0 ? 0.3f : 1.0f;
  def.columns = _i < 2 ? 6 : 11;
  def.down[1] = 0.0f;
  def.down[2] = 1.0f;
  made_cloth made = new_cloth(&def);
  expect_ok(weft_scene_pin(made.scene, weft_range(0, _i < 2 ? 12 : 22)));
  const weft_world_def world_def = weft_default_world_def();
  weft_world* world = new_world(&world_def, made.scene);
  weft_world_step(world, 120);
  ck_assert_double_lt(speed_of(world), 0.1);
  weft_world_step(world, 180);
  ck_assert_double_lt(speed_of(world), 0.001);
}

// A spin in the plane of the cloth meets no air.
TEST(air_and_material_take_nothing_from_a_spin) {
  weft_cloth_def def = weft_default_cloth_def();
  def.columns = 11;
  def.ripple = 0.0f;
  def.collision = WEFT_COLLISION_NONE;
  made_cloth made = new_cloth(&def);
  weft_world_def world_def = weft_default_world_def();
  world_def.damping = 0.0f;
  world_def.gravity[1] = 0.0f;
  weft_world* world = new_world(&world_def, made.scene);
  for (uint32_t i = 0; i < made.body.particle_count; ++i) {
    float x[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, x);
    const float v[3] = {-(x[1] + 0.5f), x[0] - 0.5f, 0.0f};
    expect_set(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, v, 0);
  }
  weft_measures first, last;
  expect_ok(weft_world_measure(world, &first));
  weft_world_step(world, 300);
  expect_ok(weft_world_measure(world, &last));
  ck_assert_double_eq_tol(last.angular_momentum[2], first.angular_momentum[2],
                          1e-3 * fabs(first.angular_momentum[2]));
}

// Drawn together in its plane to half its width it folds, instead of being pressed.
TEST(a_curtain_that_is_drawn_together_folds) {
  weft_cloth_def def = weft_default_cloth_def();
  def.columns = 25;
  def.hooks = 5;
  made_cloth made = new_cloth(&def);
  const weft_world_def world_def = weft_default_world_def();
  weft_world* world = new_world(&world_def, made.scene);
  for (int step = 1; step <= 120; ++step) {
    for (uint32_t h = 0; h < 5; ++h) {
      const float at[3] = {0.25f * (float)h * (1.0f - 0.5f * (float)step / 120.0f), 0.0f, 0.0f};
      expect_set(world, WEFT_ATTRIBUTE_TARGET, 6 * h, 1, at, 0);
    }
    weft_world_step(world, 1);
  }
  weft_world_step(world, 120);
  weft_measures m;
  expect_ok(weft_world_measure(world, &m));
  ck_assert_double_lt(m.mean_strain, 0.01);
  ck_assert_float_gt(m.upper[2] - m.lower[2], 0.05f);
}

static uint32_t sweeps_of(const weft_world* world) {
  weft_world_stats stats;
  expect_ok(weft_world_get_stats(world, &stats));
  return stats.sweeps;
}

static double distance_to(const weft_world* world, uint32_t count, const float center[3]) {
  double nearest = INFINITY;
  for (uint32_t i = 0; i < count; ++i) {
    float x[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, x);
    const double d[3] = {(double)x[0] - center[0], (double)x[1] - center[1],
                         (double)x[2] - center[2]};
    nearest = fmin(nearest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
  }
  return nearest;
}

TEST(a_curtain_at_rest_takes_long_substeps_until_something_comes_near) {
  weft_cloth_def def = weft_default_cloth_def();
  def.columns = 25;
  def.hooks = 25;
  const made_cloth made = new_cloth(&def);
  const weft_world_def world_def = weft_default_world_def();
  weft_world* world = new_world(&world_def, made.scene);
  weft_collider_def ball = weft_default_collider_def();
  ball.radius = 0.15f;
  ball.position[0] = 0.5f;
  ball.position[1] = -0.6f;
  ball.position[2] = 1.0f;
  weft_collider collider;
  expect_ok(weft_world_add_collider(world, &ball, &collider));
  weft_world_step(world, 360);
  const uint32_t calm = sweeps_of(world);
  ck_assert_uint_le(calm, 8);
  const float velocity[3] = {0.0f, 0.0f, -1.5f};
  expect_ok(steer_collider(world, collider, velocity, NULL));
  uint32_t most = 0;
  for (int step = 0; step < 60; ++step) {
    weft_world_step(world, 1);
    most = sweeps_of(world) > most ? sweeps_of(world) : most;
    float center[3];
    expect_ok(get_pose(world, collider, center, NULL));
    ck_assert_double_ge(distance_to(world, made.body.particle_count, center), 0.15);
  }
  ck_assert_uint_eq(most, 32);
  const float away[3] = {0.5f, -0.6f, -9.0f};
  expect_ok(place_collider(world, collider, away));
  const float still[3] = {0};
  expect_ok(steer_collider(world, collider, still, NULL));
  weft_world_step(world, 480);
  ck_assert_uint_le(sweeps_of(world), calm);
}

// A rope in front of a curtain: at rest, then swinging into it. Sweeps of a step: the curtain's 4
// and the rope's 2; later 32 of both.
TEST(a_curtain_at_rest_takes_long_substeps_until_a_rope_comes_near) {
  weft_cloth_def def = weft_default_cloth_def();
  def.columns = 25;
  def.hooks = 25;
  made_cloth made = new_cloth(&def);
  weft_rope_def rope = weft_default_rope_def();
  rope.origin[0] = rope.end[0] = 0.5f;
  rope.origin[2] = rope.end[2] = 0.2f;
  rope.end[1] = -0.6f;
  rope.pin_origin = true;
  weft_body body;
  expect_ok(weft_scene_add_rope(made.scene, &rope, &body));
  weft_world* world = new_default_world(made.scene, .worker_count = 1);
  weft_world_step(world, 360);
  ck_assert_uint_eq(sweeps_of(world), 4 + 2);
  const float kick[3] = {0.0f, 0.0f, -3.0f};
  const uint32_t last = body.first_particle + body.particle_count - 1;
  for (uint32_t i = 0; i < 5; ++i) expect_set(world, WEFT_ATTRIBUTE_VELOCITY, last - i, 1, kick, 0);
  uint32_t fewest = 36;
  float push = 0.0f;
  for (int step = 0; step < 40; ++step) {
    weft_world_step(world, 1);
    float at[3], cloth[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, last, 1, at);
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 25 * 14 + 12, 1, cloth);
    ck_assert_float_gt(at[2], cloth[2]);
    fewest = sweeps_of(world) < fewest ? sweeps_of(world) : fewest;
    push = fminf(push, cloth[2]);
  }
  ck_assert_uint_eq(fewest, 32);
  ck_assert_float_lt(push, -0.01f);
}
