/* Motion of all kinds of bodies at steps of changing lengths, against fixed steps. */
#include "support/joined.h"
#include "support/ropes.h"
#include "support/test.h"

static void add_hung_sheet(weft_scene* scene) {
  (void)add_sheet(scene, 12, 12, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, 0, 12));
}

static void add_flapping_sheet(weft_scene* scene) {
  (void)add_sheet(scene, 12, 12, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, 0, 1));
}

static void add_ragdoll(weft_scene* scene) {
  const weft_ragdoll_def def = weft_default_ragdoll_def();
  expect_ok(weft_scene_add_ragdoll(scene, &def, NULL));
  expect_ok(weft_scene_pin(scene, WEFT_RAGDOLL_HAND_LEFT, 1));
}

static void add_swinging_rope(weft_scene* scene) {
  weft_rope_def def = weft_default_rope_def();
  def.pin_origin = true;
  expect_ok(weft_scene_add_rope(scene, &def, NULL));
}

static void add_falling_rod(weft_scene* scene) {
  weft_rod_def def = weft_default_rod_def();
  def.rope.pin_origin = def.clamp_origin = true;
  def.bend_stiffness = def.twist_stiffness = 0.02f;
  expect_ok(weft_scene_add_rod(scene, &def, NULL));
}

static void add_gas_ball(weft_scene* scene) {
  weft_ball_def def = weft_default_ball_def();
  def.pressure = 500.0f;
  expect_ok(weft_scene_add_ball(scene, &def, NULL));
  expect_ok(weft_scene_pin(scene, 0, 1));
}

// Triangles around a tip, held at one corner.
static void add_cone(weft_scene* scene) {
  enum { AROUND = 12 };
  float positions[AROUND + 1][3] = {[AROUND] = {0.0f, 0.15f, 0.0f}};
  uint32_t triangles[AROUND][3];
  for (uint32_t i = 0; i < AROUND; ++i) {
    const double angle = 2.0 * acos(-1.0) * i / AROUND;
    positions[i][0] = (float)(0.1 * cos(angle));
    positions[i][2] = (float)(0.1 * sin(angle));
    memcpy(triangles[i], (uint32_t[]){AROUND, (i + 1) % AROUND, i}, sizeof(triangles[i]));
  }
  (void)add_mesh_body(scene, .positions = positions[0], .vertex_count = AROUND + 1,
                      .triangles = triangles[0], .triangle_count = AROUND);
  expect_ok(weft_scene_pin(scene, 0, 1));
}

// The first one hangs from the second one, which is held by a corner.
static void add_two_sheets(weft_scene* scene) {
  weft_sheet_def def = sheet_def(.side = 12);
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  def.origin[1] = def.spacing * (float)(def.rows - 1);
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  expect_ok(weft_scene_pin(scene, 144, 1));
}

static void join_sheets(weft_world* world) {
  for (uint32_t i = 0; i < 12; ++i) {
    const weft_joint_def joint = joint_between(i, 276 + i);
    (void)add_joint(world, &joint);
  }
}

static void put_on_sphere(weft_world* world) {
  shape_particles(world, 0, particle_count_of(world), .shape = WEFT_PARTICLE_SHAPE_CLOTH,
                  .radius = 0.01f);
  const weft_collider_def sphere =
      collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 0.3f, .position = {0.0f, -0.9f});
  weft_collider collider;
  expect_ok(weft_world_add_collider(world, &sphere, &collider));
}

static const struct moving_body {
  const char* name;
  void (*add)(weft_scene* scene);
  void (*finish)(weft_world* world);  // may be NULL
} moving_bodies[] = {
    {"hung sheet", add_hung_sheet, NULL},
    {"flapping sheet", add_flapping_sheet, NULL},
    {"flapping sheet on a sphere", add_flapping_sheet, put_on_sphere},
    {"cone", add_cone, NULL},
    {"rope", add_swinging_rope, NULL},
    {"ragdoll", add_ragdoll, NULL},
    {"rod", add_falling_rod, NULL},
    {"gas ball", add_gas_ball, NULL},
    {"two sheets", add_two_sheets, join_sheets},
};
enum { BODIES = sizeof(moving_bodies) / sizeof(moving_bodies[0]) };

// Lengths of steps in nanoseconds; the first ones are fixed.
enum { EVERY_30_MS, EVERY_60TH, EVERY_4_MS, EVERY_QUARTER_MS, FIXED_LENGTHS };
enum { RANDOM = FIXED_LENGTHS, FRAMES, BY_TURNS, ONE_MICROSECOND, FALLING, RISING, ALL_LENGTHS };

static int64_t length_of_step(random_source* random, int lengths, int step) {
  const int64_t longest = 30000000;
  const int64_t microsecond = 1000;
  switch (lengths) {
    case EVERY_30_MS:
      return longest;
    case EVERY_4_MS:
      return 4000000;
    case EVERY_QUARTER_MS:
      return 250000;
    case RANDOM:
    case FRAMES:
      return (int64_t)random_from(random, 4000000, 30000000);
    case BY_TURNS:
      return step % 2 == 0 ? microsecond : longest;
    case ONE_MICROSECOND:
      return step == 30 ? microsecond : 16666667;
    case FALLING:
      return (int64_t)((double)longest * pow(0.8, step % 46)) + microsecond;
    case RISING:
      return (int64_t)((double)longest * pow(0.8, 45 - step % 46)) + microsecond;
    default:
      return 16666667;
  }
}

typedef struct speeds {
  double rms, largest; /* of all particles, and of one; metres a second */
} speeds;

static speeds fastest(speeds a, speeds b) {
  return (speeds){fmax(a.rms, b.rms), fmax(a.largest, b.largest)};
}

static speeds present_speeds(const weft_world* world) {
  const uint32_t count = particle_count_of(world);
  float* velocities = test_alloc(sizeof(float[3]) * count);
  expect_ok(weft_world_get_velocities(world, 0, count, velocities));
  double largest = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const float* v = velocities + (size_t)3 * i;
    largest = fmax(largest, sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                                 (double)v[2] * (double)v[2]));
  }
  const weft_measures m = measures_of(world);
  return (speeds){sqrt(2.0 * m.kinetic / m.mass), largest};
}

// Largest speeds over a second.
static speeds fastest_motion(const struct moving_body* body, bool is_plain, int lengths) {
  random_source random = {(uint64_t)lengths};
  weft_scene* scene = new_scene();
  body->add(scene);
  weft_world_def def = is_plain ? weft_plain_world_def() : weft_default_world_def();
  if (lengths == FRAMES) def.remainder = WEFT_REMAINDER_STEP;
  if (lengths < FIXED_LENGTHS) def.step_ns = length_of_step(&random, lengths, 0);
  weft_world* world = new_world(&def, scene);
  if (body->finish != NULL) body->finish(world);
  int64_t elapsed = 0;
  speeds largest = {0.0, 0.0};
  for (int step = 0; elapsed < 1000000000; ++step) {
    const int64_t step_ns = length_of_step(&random, lengths, step);
    if (lengths == FRAMES) {
      expect_ok(weft_world_advance(world, step_ns, NULL));
    } else {
      expect_ok(weft_world_set_step(world, step_ns));
      weft_world_step(world, 1);
    }
    elapsed += step_ns;
    largest = fastest(largest, present_speeds(world));
  }
  return largest;
}

// Shares of the speeds at fixed steps. The tip of what flaps or crumples, as a whip's, depends on
// small differences.
static const double most_rms = 1.05;
static const double most_of_one = 1.1;

LOOP_TEST(nothing_is_faster_than_at_fixed_steps_whatever_the_steps, 0, LONG_RUN(2 * BODIES)) {
  const struct moving_body* body = &moving_bodies[_i / 2];
  const bool is_plain = _i % 2 == 0;
  speeds fixed = {0.0, 0.0};
  for (int lengths = 0; lengths < FIXED_LENGTHS; ++lengths) {
    fixed = fastest(fixed, fastest_motion(body, is_plain, lengths));
  }
  for (int lengths = FIXED_LENGTHS; lengths < ALL_LENGTHS; ++lengths) {
    const speeds s = fastest_motion(body, is_plain, lengths);
    // what hangs at rest stays below two centimetres a second
    ck_assert_msg(s.rms <= most_rms * fixed.rms + 0.02, "%s, %s, lengths %d: rms %g m/s, fixed %g",
                  body->name, is_plain ? "plain" : "default", lengths, s.rms, fixed.rms);
    ck_assert_msg(s.largest <= most_of_one * fixed.largest + 0.02,
                  "%s, %s, lengths %d: %g m/s, fixed %g", body->name,
                  is_plain ? "plain" : "default", lengths, s.largest, fixed.largest);
  }
}

LOOP_TEST(a_swing_keeps_its_energy_whatever_the_steps, 0, LONG_RUN(3)) {
  for (int lengths = FIXED_LENGTHS; lengths < ALL_LENGTHS; ++lengths) {
    random_source random = {(uint64_t)_i};
    weft_scene* scene = new_scene();
    add_rope(scene, (rope_def){.link_count = 1, .length = 1.0f, .load = 1.0f, .towards = {1.0f}});
    weft_world* world = new_default_world(scene, .undamped = true);
    for (int64_t step = 0, elapsed = 0; elapsed < 1000000000; ++step) {
      const int64_t step_ns = length_of_step(&random, lengths, (int)step);
      expect_ok(weft_world_set_step(world, step_ns));
      weft_world_step(world, 1);
      elapsed += step_ns;
      const weft_measures m = measures_of(world);
      // joules; the kilogram has 9.81 at its lowest place
      ck_assert_double_eq_tol(m.kinetic + m.gravitational, 0.0, 0.05 * 9.81);
    }
  }
}

LOOP_TEST(a_load_that_is_drawn_keeps_its_distance_whatever_the_steps, 0, 4) {
  const double speed = 3.0;
  weft_scene* scene = new_scene();
  const weft_link_def link = {.a = 0, .b = 1, .rest_length = 1.0f, .relaxation = 1.0f};
  const float positions[6] = {1.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  weft_world_def def = weft_plain_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.direct_iterations = _i % 2 == 0 ? 0 : 4;
  weft_world* world = new_world(&def, scene);
  random_source random = {(uint64_t)_i};
  double seconds = 0.0;
  for (int step = 0; step < 200; ++step) {
    const int64_t step_ns = length_of_step(&random, step < 60 ? EVERY_30_MS : RANDOM, step);
    seconds += (double)step_ns * 1e-9;
    const float target[3] = {(float)(1.0 + speed * seconds), 0.0f, 0.0f};
    expect_ok(weft_world_move_particles(world, 0, 1, target, 0));
    expect_ok(weft_world_set_step(world, step_ns));
    weft_world_step(world, 1);
    float now[6];
    expect_ok(weft_world_get_positions(world, 0, 2, now));
    if (step < 20) continue;
    ck_assert_double_eq_tol((double)now[0] - (double)now[3], 1.0, 5e-3);
    ck_assert_double_eq_tol(present_speeds(world).largest, speed, 0.05);
  }
}
