/* All that is set can be read. */
#include "support/collided.h"
#include "support/test.h"

static weft_world* new_settled_world(void) {
  return new_world_by(weft_default_world_def(), new_sheet_scene(9, 7, ALL_FAMILIES));
}

TEST(the_def_of_a_world_makes_a_world_of_the_same_settings) {
  weft_scene* scene = new_scene_by(sheet_def(.side = 65, .tear_ratio = 2.0f));
  weft_world* world = new_default_world(scene, .worker_count = 2);
  const float gravity[3] = {1.0f, 2.0f, 3.0f}, max_speed[3] = {4.0f, 5.0f, INFINITY};
  expect_ok(weft_world_set_gravity(world, gravity));
  expect_ok(weft_world_set_max_speed(world, max_speed));
  expect_ok(weft_world_set_damping(world, 0.75f));
  expect_ok(weft_world_set_step(world, 12345678));
  weft_world_def read;
  const weft_world_stats stats = stats_of(world);
  expect_ok(weft_world_get_def(world, &read));
  ck_assert_mem_eq(read.gravity, gravity, sizeof gravity);
  ck_assert(read.max_speed[0] == 4.0f && read.max_speed[2] == WEFT_MAX_MAGNITUDE);
  ck_assert(read.damping == 0.75f && read.step_ns == 12345678 && read.worker_count == 2);
  ck_assert(read.solver.substeps == stats.substeps && read.solver.iterations == stats.iterations);
  ck_assert(read.solver.coarse_iterations == stats.coarse_iterations && read.isa == stats.isa);
  ck_assert_uint_eq(read.solver.attachments, stats.attachments);
  weft_world* twin = new_world(&read, scene);
  expect_ok(weft_world_reset(world, scene));
  expect_ok(weft_world_set_gravity(world, gravity));
  expect_ok(weft_world_set_max_speed(world, max_speed));
  expect_ok(weft_world_set_damping(world, 0.75f));
  expect_ok(weft_world_set_step(world, 12345678));
  weft_world_step(world, 3);
  weft_world_step(twin, 3);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(twin));
}

TEST(the_def_leaves_open_what_bodies_differ_in) {
  weft_scene* scene = new_sheet_scene(9, 7, ALL_FAMILIES);
  add_sheet(scene, 65, 65, ALL_FAMILIES);
  weft_rope_def rope = bare_rope_def();
  rope.pin_origin = true;
  expect_ok(weft_scene_pin(scene, weft_range(0, 9)));
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  weft_world* world = new_default_world(scene, .worker_count = 2);
  weft_world_def read;
  expect_ok(weft_world_get_def(world, &read));
  ck_assert(read.solver.coarse_iterations == WEFT_AUTO && read.solver.iterations == WEFT_AUTO);
  weft_world* twin = new_world(&read, scene);
  weft_world_step(world, 3);
  weft_world_step(twin, 3);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(twin));
  expect_ok(weft_world_set_substeps(world, 3));
  expect_ok(weft_world_get_def(world, &read));
  ck_assert_uint_eq(read.solver.substeps, 3);
}

// A cloth, a rope and a mesh: as many as the stats have.
TEST(bend_elements_of_bodies_are_those_of_the_world) {
  static const float places[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}};
  static const uint32_t triangles[2][3] = {{0, 2, 1}, {1, 2, 3}};
  weft_scene* scene = new_scene();
  weft_cloth_def cloth = weft_default_cloth_def(), mesh = cloth;
  const weft_rope_def rope = weft_default_rope_def();
  weft_body_settings bodies[3];
  uint32_t count = 0;
  cloth.columns = 9;
  mesh.positions = &places[0][0];
  mesh.vertex_count = 4;
  mesh.triangles = &triangles[0][0];
  mesh.triangle_count = 2;
  expect_ok(weft_scene_add_cloth(scene, &cloth, NULL));
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  expect_ok(weft_scene_add_cloth(scene, &mesh, NULL));
  weft_world* world = new_default_world(scene, .worker_count = 1);
  expect_ok(weft_world_explain(world, 3, bodies, &count));
  ck_assert_uint_eq(count, 3);
  // three consecutive particles of a row or a column, the twist of a cell; two triangles on an edge
  enum { OF_CLOTH = 2 * 9 * 7 + 8 * 8 };
  ck_assert_uint_eq(bodies[0].bend_count, OF_CLOTH);
  ck_assert_uint_eq(bodies[1].bend_count, 0);
  ck_assert_uint_eq(bodies[2].bend_count, 1);
  ck_assert_uint_eq(stats_of(world).bend_count, OF_CLOTH + 1);
}

TEST(bounds_are_read_back) {
  weft_world* world = new_settled_world();
  weft_bounds_def bounds = weft_default_bounds_def(), read_bounds;
  bool is_set = true;
  expect_ok(weft_world_get_bounds(world, &read_bounds, &is_set));
  ck_assert(!is_set && isinf(read_bounds.lower[0]));
  bounds.lower[1] = -3.0f;
  bounds.surface.static_friction = 0.5f;
  bounds.surface.dynamic_friction = 0.25f;
  bounds.surface.restitution = 0.125f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  expect_ok(weft_world_get_bounds(world, &read_bounds, &is_set));
  ck_assert(is_set);
  ck_assert_mem_eq(&read_bounds, &bounds, sizeof bounds);
}

TEST(shapes_masses_and_links_of_particles_are_read_back) {
  weft_world* world = new_settled_world();
  weft_particle_shape_def box = weft_default_particle_shape_def(), read[63];
  float masses[3];
  bool enabled[4];
  expect_ok(weft_world_get_particle_shapes(world, weft_range(0, 63), read));
  ck_assert(read[5].shape == WEFT_PARTICLE_SHAPE_POINT && read[5].mask == 0);
  box.shape = WEFT_PARTICLE_SHAPE_BOX;
  for (int axis = 0; axis < 3; ++axis) box.half_size[axis] = 0.1f * (float)(axis + 1);
  box.surface.static_friction = 0.5f;
  box.category = 6;
  box.mask = 3;
  const weft_particle_shape_def sphere = sphere_contact(0.5f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(10, 5), &box));
  expect_ok(weft_world_set_particle_shape(world, weft_range(20, 1), &sphere));
  expect_ok(weft_world_get_particle_shapes(world, weft_range(0, 63), read));
  ck_assert_mem_eq(&read[12], &box, sizeof box);
  ck_assert(read[20].shape == WEFT_PARTICLE_SHAPE_SPHERE && read[20].half_size[0] == 0.5f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(20, 1), &read[20]));
  const float inverse_masses[3] = {2.0f, 0.0f, 3.0f};
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, 7, 3, inverse_masses, 0);
  expect_get(world, WEFT_ATTRIBUTE_INVERSE_MASS, 7, 3, masses);
  ck_assert_mem_eq(masses, inverse_masses, sizeof masses);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 3, 1, &(bool){false}, 0);
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 4, 1, &(bool){true}, 0);
  expect_get(world, WEFT_ATTRIBUTE_LINK_ENABLED, 2, 4, enabled);
  ck_assert(enabled[0] && !enabled[1] && !enabled[2] && enabled[3]);
  expect_past_end(weft_world_get_particle_shapes(world, weft_range(60, 4), read));
  expect_null(weft_world_get(world, WEFT_ATTRIBUTE_INVERSE_MASS, weft_range(0, 1), NULL, 0),
              "values");
  expect_null(weft_world_get_def(world, NULL), "def");
  expect_null(weft_world_get_bounds(NULL, NULL, NULL), "world");
}

TEST(the_mass_of_a_shape_is_its_volume_times_the_density) {
  static const struct {
    weft_particle_shape shape;
    double volume; /* of half sizes 1, 2, 3 */
  } cases[] = {{WEFT_PARTICLE_SHAPE_SPHERE, 4.1887902047863905},
               {WEFT_PARTICLE_SHAPE_BOX, 48.0},
               {WEFT_PARTICLE_SHAPE_ELLIPSOID, 25.132741228718345}};
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  float mass = -1.0f;
  for (int axis = 0; axis < 3; ++axis) shape.half_size[axis] = (float)(axis + 1);
  for (size_t i = 0; i < 3; ++i) {
    shape.shape = cases[i].shape;
    expect_ok(weft_particle_shape_get_mass(&shape, 7.0f, &mass));
    ck_assert_double_eq_tol((double)mass, 7.0 * cases[i].volume, 1e-6 * 7.0 * cases[i].volume);
  }
  mass = -1.0f;
  expect_error(weft_particle_shape_get_mass(&shape, 0.0f, &mass), WEFT_ERROR_RANGE, "density");
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  expect_error(weft_particle_shape_get_mass(&shape, 1.0f, &mass), WEFT_ERROR_RANGE,
               "weft_particle_shape_def.shape");
  shape.shape = WEFT_PARTICLE_SHAPE_BOX;
  shape.half_size[2] = NAN;
  expect_error_at(weft_particle_shape_get_mass(&shape, 1.0f, &mass), WEFT_ERROR_NOT_FINITE,
                  "weft_particle_shape_def.half_size", 2);
  ck_assert_float_eq(mass, -1.0f);
}

LOOP_TEST(defs_and_motions_of_colliders_are_read_back, 0, WEFT_COLLIDER_SHAPE_HULL) {
  weft_world* world = new_settled_world();
  weft_collider_def def = weft_default_collider_def(), read;
  const weft_collider_shape shape = (weft_collider_shape)_i;
  def.shape = shape;
  for (int axis = 0; axis < 3; ++axis) {
    def.position[axis] = 1.5f * (float)axis;
    def.half_size[axis] = 0.25f + 0.5f * (float)axis;
    def.velocity[axis] = 0.125f * (float)axis;
    def.spin[axis] = -0.375f * (float)axis;
  }
  def.radius = 0.75f;
  def.surface.restitution = 0.5f;
  def.surface.static_friction = 0.25f;
  def.surface.dynamic_friction = 0.125f;
  def.category = 6;
  def.mask = 5;
  def.material = 11;
  const weft_collider collider = add_collider(world, &def);
  expect_ok(weft_world_get_collider(world, collider, &read));
  ck_assert_mem_eq(&read, &def, sizeof def);
  // a move takes the place of the velocity and lasts a step
  const float to[3] = {3.0f, 4.0f, 5.0f};
  expect_ok(weft_world_move_collider(world, collider, to, NULL));
  weft_world_step(world, 1);
  expect_ok(weft_world_get_collider(world, collider, &read));
  ck_assert(read.velocity[1] == 0.0f && read.position[0] == 3.0f);
  // what is set is read, and a def that is not changed changes nothing
  const uint64_t hash = weft_world_hash(world);
  expect_ok(weft_world_set_collider(world, collider, &read));
  read.position[1] = -7.0f;
  read.surface.restitution = 0.75f;
  read.category = 3;
  expect_ok(weft_world_set_collider(world, collider, &read));
  expect_ok(weft_world_get_collider(world, collider, &def));
  ck_assert_mem_eq(&read, &def, sizeof def);
  ck_assert_uint_eq(weft_world_hash(world), hash);
  read.shape =
      shape == WEFT_COLLIDER_SHAPE_BOX ? WEFT_COLLIDER_SHAPE_SPHERE : WEFT_COLLIDER_SHAPE_BOX;
  expect_error(weft_world_set_collider(world, collider, &read), WEFT_ERROR_RANGE,
               "weft_collider_def.shape");
  expect_ok(weft_world_remove_collider(world, collider));
  expect_error(weft_world_get_collider(world, collider, &read), WEFT_ERROR_STALE, "collider");
}

TEST(joints_forces_targets_and_grips_are_read_back) {
  weft_world* world = new_settled_world();
  weft_joint_def def = weft_default_joint_def(), read;
  def.particle = 40;
  def.to[0] = 2;
  def.to[1] = 7;
  def.weights[0] = 0.25f;
  def.weights[1] = 0.75f;
  def.rest_length = 0.5f;
  def.compliance = 0.001f;
  def.break_force = 30.0f;
  def.mode = WEFT_LINK_MODE_STRETCH;
  weft_joint joint;
  expect_ok(weft_world_add_joint(world, &def, &joint));
  expect_ok(weft_world_get_joint(world, joint, &read, NULL, NULL));
  ck_assert_mem_eq(&read, &def, sizeof def);
  const float push[3] = {1.0f, -2.0f, 0.5f};
  float forces[2][3], targets[2][3], radius = 0.0f;
  expect_get(world, WEFT_ATTRIBUTE_FORCE, 5, 2, forces[0]);
  ck_assert(forces[0][0] == 0.0f);
  expect_add(world, WEFT_ATTRIBUTE_FORCE, 6, 1, push, 0);
  expect_add(world, WEFT_ATTRIBUTE_FORCE, 6, 1, push, 0);
  expect_get(world, WEFT_ATTRIBUTE_FORCE, 5, 2, forces[0]);
  ck_assert(forces[0][1] == 0.0f && forces[1][1] == -4.0f);
  weft_world_step(world, 1);
  expect_get(world, WEFT_ATTRIBUTE_FORCE, 5, 2, forces[0]);
  ck_assert(forces[1][1] == 0.0f);
  const float pinned = 0.0f, to[3] = {0.0f, 9.0f, 0.0f};
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, 11, 1, &pinned, 0);
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 11, 1, to, 0);
  expect_get(world, WEFT_ATTRIBUTE_TARGET, 10, 2, targets[0]);
  ck_assert(targets[0][1] < 1.0f && targets[1][1] == 9.0f);
  weft_grip grip;
  expect_ok(weft_world_add_grip(world, to, 0.625f, &grip));
  expect_ok(weft_world_get_grip(world, grip, NULL, &radius, NULL));
  ck_assert(radius == 0.625f);
  expect_ok(weft_world_remove_grip(world, grip));
  expect_error(weft_world_get_grip(world, grip, NULL, &radius, NULL), WEFT_ERROR_STALE, "grip");
}
