/* Edits of a running world: teleports, rest lengths, compliances, pressure. */
#include "support/collided.h"
#include "support/moved.h"
#include "support/saved.h"
#include "support/test.h"

// ---- teleport ----

// Rotations about z, x, and an oblique axis.
static void get_rotation(int number, float rotation[4]) {
  static const float rotations[3][4] = {
      {0.0f, 0.0f, 0.6f, 0.8f}, {0.8f, 0.0f, 0.0f, 0.6f}, {0.5f, -0.5f, 0.5f, 0.5f}};
  memcpy(rotation, rotations[number], sizeof(float[4]));
}

// Rotates by a quaternion.
static void rotate(const float q[4], const float v[3], double out[3]) {
  const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
  const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  for (int k = 0; k < 3; ++k) {
    out[k] = m[k][0] * (double)v[0] + m[k][1] * (double)v[1] + m[k][2] * (double)v[2];
  }
}

// A rope and a cloth that swing, with attachments.
static weft_scene* new_swing(void) {
  weft_scene* scene = new_scene();
  weft_rope_def rope = bare_rope_def();
  weft_sheet_def sheet = sheet_def(.side = 12, .origin = {1.0f});
  rope.end[0] = 0.7f;
  rope.end[1] = -0.2f;
  rope.pin_origin = true;
  sheet.down[1] = -0.6f;
  sheet.down[2] = 0.8f;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  weft_body cloth;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &cloth));
  expect_ok(weft_scene_pin(scene, weft_range(cloth.first_particle, 12)));
  return scene;
}

// A world whose particles and gravity are turned in mid-swing goes on as in the turned frame.
LOOP_TEST(bodies_that_are_teleported_go_on_as_in_the_turned_frame, 0, 6) {
  const weft_world_def def =
      default_def(.integrator = _i % 2 == 0 ? WEFT_INTEGRATOR_POSITION_VERLET
                                            : WEFT_INTEGRATOR_VELOCITY_VERLET);
  weft_scene* scene = new_swing();
  weft_world* world = new_world(&def, scene);
  weft_world* still = new_world(&def, scene);
  const uint32_t count = particle_count_of(world);
  const float offset[3] = {1.0f, -2.0f, 0.5f};
  float rotation[4];
  double down[3];
  get_rotation(_i / 2, rotation);
  weft_world_step(world, 20);
  weft_world_step(still, 20);
  expect_ok(weft_world_teleport(world, weft_range(0, count), offset, rotation));
  rotate(rotation, def.gravity, down);
  const float gravity[3] = {(float)down[0], (float)down[1], (float)down[2]};
  expect_ok(weft_world_set_gravity(world, gravity));
  weft_world_step(world, 20);
  weft_world_step(still, 20);
  float* positions = new_positions(world);
  float* expected = new_positions(still);
  double largest = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    double at[3];
    rotate(rotation, expected + (size_t)3 * i, at);
    for (int k = 0; k < 3; ++k) {
      const double error =
          fabs((double)positions[(size_t)3 * i + (size_t)k] - (at[k] + (double)offset[k]));
      largest = error > largest ? error : largest;
    }
  }
  ck_assert_double_lt(largest, 2e-3);
}

TEST(a_teleport_turns_velocities_targets_and_spheres) {
  const float positions[2][3] = {{1.0f, 0.0f, 0.0f}, {2.0f, 0.0f, 0.0f}};
  const float inverse_masses[2] = {1.0f, 0.0f}, velocity[3] = {0.0f, 3.0f, 0.0f};
  const float spin[3] = {1.0f, 0.0f, 0.0f}, target[3] = {2.0f, 0.0f, 1.0f};
  const float quarter[4] = {0.0f, 0.0f, (float)sqrt(0.5), (float)sqrt(0.5)};
  weft_world_def def = weft_plain_world_def();
  weft_world* world = new_particles(&def, positions[0], inverse_masses, 2);
  weft_particle_shape_def sphere = sphere_contact(0.1f);
  sphere.turns = true;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &sphere));
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity, 0);
  expect_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, spin, 0);
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 1, 1, target, 0);
  expect_ok(weft_world_teleport(world, weft_range(0, 2), NULL, quarter));
  const float expected[5][4] = {{0.0f, 1.0f, 0.0f},
                                {-3.0f, 0.0f, 0.0f},
                                {0.0f, 1.0f, 0.0f},
                                {quarter[0], quarter[1], quarter[2], quarter[3]},
                                {0.0f, 2.0f, 1.0f}};
  float values[5][4] = {{0.0f}};
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, values[0]);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, values[1]);
  expect_get(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, values[2]);
  expect_get(world, WEFT_ATTRIBUTE_ORIENTATION, 0, 1, values[3]);
  expect_get(world, WEFT_ATTRIBUTE_TARGET, 1, 1, values[4]);
  for (int n = 0; n < 5; ++n) {
    for (int k = 0; k < 4; ++k) require(fabsf(values[n][k] - expected[n][k]) < 1e-5f);
  }
}

// A wall that is placed behind a particle does not take it along; one that is moved does.
TEST(a_collider_that_is_placed_sweeps_nothing) {
  const float position[3] = {0.0f, 0.0f, 0.0f}, there[3] = {3.0f, 0.0f, 0.0f};
  const weft_world_def def = plain_def(.weightless = true);
  for (int is_moved = 0; is_moved < 2; ++is_moved) {
    weft_world* world = new_points(&def, position, 1);
    weft_collider_def ball = collider_of_shape(WEFT_COLLIDER_SHAPE_SPHERE);
    const weft_particle_shape_def point = sphere_contact(0.0f);
    float at[3], rotation[4];
    touch_all(world, &point);
    ball.position[0] = -3.0f;
    ball.velocity[1] = 0.5f;
    const weft_collider collider = add_collider(world, &ball);
    if (is_moved == 1) expect_ok(weft_world_move_collider(world, collider, there, NULL));
    if (is_moved == 0) expect_ok(place_collider(world, collider, there));
    weft_world_step(world, 1);
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, at);
    ck_assert_int_eq(at[0] != 0.0f, is_moved);
    expect_ok(get_pose(world, collider, at, rotation));
    ck_assert_float_eq(at[0], 3.0f);
    ck_assert_int_eq(at[1] > 0.0f, !is_moved);
  }
}

// ---- links ----

// A sheet with ranges, a rope, an elastic rope, and a cloth of two springs.
static weft_scene* new_links(float scale, bool is_edited) {
  weft_scene* scene = new_scene();
  random_source random = {.state = 9};
  weft_sheet_def sheet = sheet_def(.columns = 21, .rows = 17);
  weft_material_def material = weft_default_material_def();
  weft_rope_def rope = bare_rope_def();
  weft_scene* parts = new_scene();
  expect_ok(weft_scene_add_sheet(parts, &sheet, NULL));
  sheet.material = &material;
  sheet.origin[2] = 1.0f;
  expect_ok(weft_scene_add_sheet(parts, &sheet, NULL));
  rope.pin_origin = true;
  expect_ok(weft_scene_add_rope(parts, &rope, NULL));
  rope.compliance = 1e-3f;
  rope.origin[0] = rope.end[0] = 2.0f;
  expect_ok(weft_scene_add_rope(parts, &rope, NULL));
  add_random_graph(parts, &random, 60);
  // the same particles and links, with every third link changed
  const uint32_t particles = weft_scene_particle_count(parts);
  const uint32_t links = weft_scene_link_count(parts);
  float* positions = test_alloc(sizeof(float[4]) * particles);
  weft_link_def* list = test_alloc(sizeof(*list) * links);
  expect_ok(weft_scene_get_particles(parts, 0, particles, positions, positions + 3 * particles));
  expect_ok(weft_scene_get_links(parts, 0, links, list));
  for (uint32_t i = 0; i < links && is_edited; i += 3) {
    list[i].rest_length *= scale;
    if (list[i].mode == WEFT_LINK_MODE_RANGE) {
      list[i].max_length += list[i].rest_length - list[i].rest_length / scale;
    }
    if (list[i].compliance > 0.0f) list[i].compliance *= 2.0f;
  }
  expect_ok(weft_scene_add_particles(scene, positions, positions + 3 * particles, particles, NULL));
  expect_ok(weft_scene_add_links(scene, list, links, NULL));
  return scene;
}

static void edit_links(weft_world* world, const weft_scene* scene, float scale) {
  const uint32_t links = weft_scene_link_count(scene);
  for (uint32_t i = 0; i < links; i += 3) {
    weft_link_def link;
    float was = 0.0f, compliance = 0.0f;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    expect_get(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, i, 1, &was);
    expect_get(world, WEFT_ATTRIBUTE_LINK_COMPLIANCE, i, 1, &compliance);
    ck_assert_float_eq(was, link.rest_length);
    require(fabsf(compliance - link.compliance) <= 1e-6f * link.compliance);
    const float length = link.rest_length * scale, soft = 2.0f * link.compliance;
    expect_set(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, i, 1, &length, 0);
    if (soft > 0.0f) expect_set(world, WEFT_ATTRIBUTE_LINK_COMPLIANCE, i, 1, &soft, 0);
    expect_get(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, i, 1, &was);
    ck_assert_float_eq(was, length);
  }
}

// Bit 0: springs, bit 1: longer.
LOOP_TEST(links_that_are_edited_have_the_bits_of_a_new_world_with_any_workers, 0, 4) {
  static const uint32_t workers[] = {1, 2, 3};
  weft_world_def def = plain_def(.springs = (_i & 1) != 0, .step_ns = 2000000);
  const float scale = (_i & 2) != 0 ? 1.25f : 0.75f;
  weft_scene* scene = new_links(scale, false);
  weft_scene* edited = new_links(scale, true);
  for (machine m = {0}; next_machine(&m, 3, _i);) {
    def.isa = m.isa;
    def.worker_count = workers[m.w];
    weft_world* world = new_world(&def, scene);
    weft_world* expected = new_world(&def, edited);
    edit_links(world, scene, scale);
    weft_world_step(world, 10);
    weft_world_step(expected, 10);
    ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(expected));
  }
}

// A hung cloth with attachments and levels hangs at the lengths that it is given.
TEST(a_hung_rope_of_cloth_gets_longer) {
  weft_scene* scene = new_cloth_scene(.columns = 3, .rows = 40);
  expect_ok(weft_scene_pin(scene, weft_range(0, 3)));
  const weft_world_def def = default_def(.damping = 5.0f, .attachments = 2, .coarse_iterations = 2);
  weft_world* world = new_world(&def, scene);
  const uint32_t links = weft_scene_link_count(scene);
  float* lengths = test_alloc(sizeof(float) * links);
  expect_get(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, 0, links, lengths);
  for (int round = 0; round < 50; ++round) {
    for (uint32_t i = 0; i < links; ++i) lengths[i] *= 1.008143f;
    expect_set(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, 0, links, lengths, 0);
    weft_world_step(world, 4);
  }
  float at[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 3 * 39 + 1, 1, at);
  ck_assert_float_eq_tol(at[1], -39.0f * 0.05f * 1.5f, 0.03f);
}

// ---- bodies that come and go ----

// Boxes stacked on a floor, with two reserved particles before them.
static weft_world* new_tower(uint32_t height) {
  weft_scene* scene = new_scene();
  const float inverse_mass = 1.0f;
  expect_ok(weft_scene_reserve_particles(scene, 2, NULL));
  for (uint32_t k = 0; k < height; ++k) {
    const float position[3] = {0.0f, 0.1f + 0.2f * (float)k, 0.0f};
    expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
  }
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_world(&def, scene);
  const weft_collider_def floor = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
  shape_particles(world, 2, height, .shape = WEFT_PARTICLE_SHAPE_BOX,
                  .half_size = {0.1f, 0.1f, 0.1f});
  (void)add_collider(world, &floor);
  return world;
}

// Warm starts of bodies at rest outlast bodies that come and go elsewhere.
TEST(a_tower_does_not_feel_bodies_that_come_and_go_far_away) {
  enum { HEIGHT = 12 };
  weft_world* world = new_tower(HEIGHT);
  weft_world* alone = new_tower(HEIGHT);
  weft_particle_shape_def ball = sphere_contact(0.1f);
  weft_particle_def def = weft_default_particle_def();
  weft_particle particle;
  def.shape = &ball;
  def.position[0] = 100.0f;
  def.position[1] = 5.0f;
  weft_world_step(world, 200);
  weft_world_step(alone, 200);
  for (int round = 0; round < 4; ++round) {
    expect_ok(weft_world_add_particle(world, &def, &particle));
    weft_world_step(world, 2);
    expect_ok(weft_world_remove_particle(world, particle));
    weft_world_step(world, 2);
  }
  weft_world_step(alone, 16);
  float* positions = new_positions(world);
  float* expected = new_positions(alone);
  for (uint32_t i = 6; i < 3 * (HEIGHT + 2); ++i) {
    require(fabsf(positions[i] - expected[i]) < 2e-6f);
  }
}

// ---- gas ----

TEST(a_ball_at_another_pressure_is_one_that_had_it) {
  weft_scene* scenes[2];
  weft_world* worlds[2];
  const weft_world_def def = weft_default_world_def();
  weft_ball_def ball = bare_ball_def();
  for (int k = 0; k < 2; ++k) {
    scenes[k] = new_scene();
    ball.pressure = k == 0 ? 100.0f : 300.0f;
    expect_ok(weft_scene_add_ball(scenes[k], &ball, NULL));
    worlds[k] = new_world(&def, scenes[k]);
  }
  float pressure = 0.0f;
  expect_ok(weft_world_get_pressure(worlds[0], 7, &pressure));
  ck_assert_float_eq(pressure, 100.0f);
  expect_ok(weft_world_set_pressure(worlds[0], 7, 300.0f));
  for (int k = 0; k < 2; ++k) weft_world_step(worlds[k], 5);
  ck_assert_uint_eq(weft_world_hash(worlds[0]), weft_world_hash(worlds[1]));
}

// ---- snapshots ----

TEST(bad_edits_are_refused_and_change_nothing) {
  weft_world_def def = weft_default_world_def();
  weft_scene* scene = new_links(1.0f, false);
  weft_world* world = new_world(&def, scene);
  const uint32_t count = particle_count_of(world), links = weft_scene_link_count(scene);
  const float zero = 0.0f, nan = NAN, one = 1.0f, bad[4] = {1.0f, 1.0f, 0.0f, 0.0f};
  const float far[3] = {WEFT_MAX_MAGNITUDE, 0.0f, 0.0f};
  weft_world_step(world, 2);
  const uint64_t hash = weft_world_hash(world);
  // the first links of the two ropes: rigid and elastic ones of the direct solver
  const uint32_t of_sheet = 2 * (20 * 17 + 21 * 16 + 2 * 20 * 16);
  expect_null(weft_world_teleport(NULL, weft_range(0, 1), NULL, NULL), "world");
  expect_past_end(weft_world_teleport(world, weft_range(1, count), NULL, NULL));
  expect_error(weft_world_teleport(world, weft_range(0, 1), NULL, bad), WEFT_ERROR_RANGE,
               "rotation");
  expect_error_at(weft_world_teleport(world, weft_range(0, 9), far, NULL), WEFT_ERROR_RANGE,
                  "offset", 1);
  expect_null(weft_world_set(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, weft_range(0, 1), NULL, 0),
              "values");
  expect_error(weft_world_set(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, weft_range(0, 1), &zero, 0),
               WEFT_ERROR_RANGE, "values");
  expect_error(weft_world_set(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, weft_range(0, 1), &nan, 0),
               WEFT_ERROR_NOT_FINITE, "values");
  expect_past_end(
      weft_world_set(world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, weft_range(links, 1), &one, 0));
  expect_error(
      weft_world_set(world, WEFT_ATTRIBUTE_LINK_COMPLIANCE, weft_range(of_sheet, 1), &one, 0),
      WEFT_ERROR_RANGE, "values");
  expect_error(
      weft_world_set(world, WEFT_ATTRIBUTE_LINK_COMPLIANCE, weft_range(of_sheet + 16, 1), &zero, 0),
      WEFT_ERROR_RANGE, "values");
  expect_error(weft_world_set_pressure(world, 0, 1.0f), WEFT_ERROR_DISABLED, "particle");
  expect_error(weft_world_set_pressure(world, count, 1.0f), WEFT_ERROR_INDEX, "particle");
  ck_assert_uint_eq(weft_world_hash(world), hash);
}
