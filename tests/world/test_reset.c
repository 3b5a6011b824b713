/* A world that is reset has the bits of a new one, whatever has been done to it. */
#include "support/collided.h"
#include "support/isas.h"

#define STEPS ROUNDS(20, 5)

// cloth that tears, a rope, a ball with gas, and two spheres without links
static weft_scene* new_busy_scene(void) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = 20;
  sheet.tear_ratio = 1.3f;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_pin(scene, 0, 20));
  weft_rope_def rope = weft_default_rope_def();
  rope.origin[0] = rope.end[0] = 2.0f;
  rope.pin_origin = true;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  weft_ball_def ball = weft_default_ball_def();
  ball.origin[0] = -2.0f;
  ball.pressure = 500.0f;
  expect_ok(weft_scene_add_ball(scene, &ball, NULL));
  const float spheres[2][3] = {{4.0f, 0.0f, 0.0f}, {4.02f, 0.5f, 0.0f}};
  const float inverse_masses[2] = {1.0f, 1.0f};
  expect_ok(weft_scene_add_particles(scene, spheres[0], inverse_masses, 2, NULL));
  return scene;
}

// walls, a collider, shapes, wind, a joint, a grip, settings
static void set_up(weft_world* world) {
  const uint32_t last = particle_count_of(world) - 1;
  const weft_particle_shape_def shape = sphere_contact(0.2f);
  weft_collider_def collider = collider_of_shape(WEFT_COLLIDER_SHAPE_SPHERE);
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  weft_bounds_def bounds = weft_default_bounds_def();
  weft_wind_def wind = weft_default_wind_def();
  weft_joint_def joint = weft_default_joint_def();
  const float gravity[3] = {0.5f, -9.0f, 0.0f}, place[3] = {0.5f, -0.5f, 0.0f};
  const float target[3] = {0.5f, -0.5f, 2.0f};
  weft_joint joined;
  weft_grip grip;
  limits.max_events = 100;
  bounds.lower[1] = -1.5f;
  bounds.restitution = 0.3f;
  wind.velocity[2] = 3.0f;
  wind.gust = 0.5f;
  collider.position[1] = -1.0f;
  collider.radius = 0.3f;
  joint.particle = 410;
  joint.to[0] = 399;
  joint.rest_length = 1.0f;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  expect_ok(weft_world_set_particle_shape(world, last - 1, 2, &shape));
  expect_ok(weft_world_set_bounds(world, &bounds));
  expect_ok(weft_world_set_wind(world, &wind));
  expect_ok(weft_world_set_gravity(world, gravity));
  expect_ok(weft_world_set_damping(world, 0.4f));
  (void)add_collider(world, &collider);
  expect_ok(weft_world_add_joint(world, &joint, &joined));
  expect_ok(weft_world_add_grip(world, place, 0.2f, &grip));
  expect_ok(weft_world_move_grip(world, grip, target));
}

// Changes that set_up() does not make: links off, pins, a removed body, step, time scale, time
// left.
static void disturb(weft_world* world) {
  const weft_body rope = {400, 17, 0, 0};
  const float free_mass = 10.0f, place[3] = {1.0f, 2.0f, 3.0f};
  weft_advance advance;
  expect_ok(weft_world_tear_links(world, 30, 5));
  expect_ok(weft_world_set_inverse_masses(world, 0, 5, &free_mass, 0));
  expect_ok(weft_world_set_positions(world, 50, 1, place, 0));
  expect_ok(weft_world_remove_body(world, &rope));
  expect_ok(weft_world_set_time_scale(world, 0.3f));
  expect_ok(weft_world_set_step(world, 10000000));
  expect_ok(weft_world_advance(world, 12345678, &advance));
  expect_ok(weft_world_build_index(world));
}

// hash over what can be read after some steps
static uint64_t run(weft_world* world, bool with_things) {
  weft_advance advance;
  weft_world_stats stats;
  uint32_t links[8] = {0}, count = 0;
  if (with_things) set_up(world);
  weft_world_step(world, STEPS);
  expect_ok(weft_world_advance(world, 20000000, &advance));
  expect_ok(weft_world_get_stats(world, &stats));
  expect_ok(weft_world_take_torn(world, 8, links, &count));
  const weft_contact_stats contacts = contact_stats_of(world);
  uint64_t hash = weft_world_hash(world);
  const uint64_t rest[] = {stats.step_count,
                           stats.torn_count,
                           stats.joint_count,
                           stats.lost_events,
                           contacts.collider_count,
                           contacts.particle_pairs,
                           advance.steps,
                           count,
                           links[0],
                           (uint64_t)((double)advance.interpolation * 0x1p24)};
  for (size_t i = 0; i < sizeof rest / sizeof rest[0]; ++i) hash = hash * 31 + rest[i];
  return hash;
}

static weft_world_def busy_def(weft_integrator integrator) {
  weft_world_def def = weft_default_world_def();
  def.integrator = integrator;
  def.springs = integrator != WEFT_INTEGRATOR_POSITION_VERLET;
  def.faces = true;
  def.substeps = 4;
  return def;
}

START_TEST(a_world_that_is_reset_has_the_bits_of_a_new_one) {
  static const uint32_t workers[] = {1, 2, 3};
  weft_scene* scene = new_busy_scene();
  weft_world_def def = busy_def((weft_integrator)_i);
  uint64_t first[2] = {0, 0};
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (size_t w = 0; w < 3; ++w) {
      if (!goes_with(isa, w, 3, _i)) continue;
      def.isa = (weft_isa)isa;
      def.worker_count = workers[w];
      for (int things = 0; things < 2; ++things) {
        weft_world* world = new_world(&def, scene);
        weft_world* const same = world;
        const uint64_t fresh = run(world, things == 1);
        if (first[things] == 0) first[things] = fresh;
        ck_assert_uint_eq(fresh, first[things]);
        if (things == 0) set_up(world);
        disturb(world);
        expect_ok(weft_world_reset(world, scene));
        ck_assert_ptr_eq(world, same);
        ck_assert_uint_eq(run(world, things == 1), fresh);
        // and again
        expect_ok(weft_world_reset(world, scene));
        ck_assert_uint_eq(run(world, things == 1), fresh);
        weft_world_destroy(&world);
      }
    }
  }
  ck_assert_uint_ne(first[0], first[1]);
  weft_scene_destroy(&scene);
}
END_TEST

START_TEST(a_world_may_be_reset_to_another_scene) {
  const weft_world_def def = weft_default_world_def();
  weft_scene* scene = new_busy_scene();
  weft_scene* other = new_scene_case(3);
  weft_world* world = new_world(&def, scene);
  weft_world* expected = new_world(&def, other);
  weft_world_step(world, 3);
  expect_ok(weft_world_reset(world, other));
  weft_world_step(world, 3);
  weft_world_step(expected, 3);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(expected));
  weft_world_destroy(&world);
  weft_world_destroy(&expected);
  weft_scene_destroy(&scene);
  weft_scene_destroy(&other);
}
END_TEST

START_TEST(a_reset_that_cannot_be_changes_nothing) {
  const weft_world_def def = weft_default_world_def();
  weft_scene* scene = new_busy_scene();
  weft_scene* empty = new_scene();
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 3);
  const uint64_t hash = weft_world_hash(world);
  expect_error(weft_world_reset(NULL, scene), WEFT_ERROR_NULL, "world");
  expect_error(weft_world_reset(world, NULL), WEFT_ERROR_NULL, "scene");
  expect_error(weft_world_reset(world, empty), WEFT_ERROR_EMPTY, "scene");
  ck_assert_uint_eq(weft_world_hash(world), hash);
  weft_world_destroy(&world);
  weft_scene_destroy(&scene);
  weft_scene_destroy(&empty);
}
END_TEST

SUITE(reset) {
  tcase_add_loop_test(tests, a_world_that_is_reset_has_the_bits_of_a_new_one, 0,
                      WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1);
  tcase_add_test(tests, a_world_may_be_reset_to_another_scene);
  tcase_add_test(tests, a_reset_that_cannot_be_changes_nothing);
}
