/* Worlds of a plane: z is 0 to the bit, contacts are those of discs, rectangles and ellipses, and
 * all that leaves the plane is refused by its name. */
#include "support/colliding.h"
#include "support/test.h"

static weft_world_def plane_def(double h) {
  weft_world_def def = weightless_def(h);
  def.plane = true;
  return def;
}

// ---- everything in one world ----

enum { BODIES = 150 };

// a tree of links, an elastic sheet with bend elements, and bodies
static weft_scene* new_crowd(void) {
  weft_scene* scene = new_scene();
  random_source random = {7};
  float positions[BODIES][3] = {{0}}, inverse_masses[BODIES];
  for (int i = 0; i < BODIES; ++i) {
    positions[i][0] = 0.3f * (float)(i % 12) + random_float(&random, 0.0f, 0.1f);
    positions[i][1] = 0.3f * (float)(i / 12) + random_float(&random, 0.0f, 0.1f);
    inverse_masses[i] = i % 29 == 0 ? 0.0f : random_float(&random, 0.5f, 2.0f);
  }
  expect_ok(weft_scene_add_particles(scene, positions[0], inverse_masses, BODIES, NULL));
  const weft_material_def material = weft_default_material_def();
  weft_body body = add_cloth(scene, .side = 12, .material = &material, .origin = {-2.0f, 4.0f});
  expect_ok(weft_scene_pin(scene, weft_range(body.first_particle, 1)));
  weft_rope_def rope = bare_rope_def();
  rope.origin[0] = 4.0f;
  rope.origin[1] = 5.0f;
  expect_ok(weft_scene_add_rope(scene, &rope, &body));
  expect_ok(weft_scene_pin(scene, weft_range(body.first_particle, 1)));
  return scene;
}

static void add_obstacles(weft_world* world) {
  for (int shape = 0; shape <= WEFT_COLLIDER_SHAPE_ELLIPSOID; ++shape) {
    weft_collider_def def =
        collider_def(.shape = (weft_collider_shape)shape, .radius = 0.3f,
                     .position = {(float)shape - 1.0f,
                                  shape <= WEFT_COLLIDER_SHAPE_HALF_SPACE ? -2.0f : -0.8f},
                     .half_size = {0.4f, 0.2f});
    // flat along z: its cross-section goes on
    def.half_size[2] = 1e-3f;
    turn_about_z(0.2 * shape, def.rotation);
    if (shape >= WEFT_COLLIDER_SHAPE_CAPSULE) def.spin[2] = (float)shape;
    def.surface.static_friction = def.surface.dynamic_friction = 0.4f;
    def.surface.restitution = 0.3f;
    (void)add_collider(world, &def);
  }
}

static void shape_bodies(weft_world* world) {
  random_source random = {8};
  for (uint32_t i = 0; i < particle_count_of(world); ++i) {
    const bool is_body = i < BODIES;
    const int kind = is_body ? WEFT_PARTICLE_SHAPE_SPHERE + (int)(i % 3) : 0;
    weft_particle_shape_def def =
        contact_of((weft_particle_shape)kind, random_float(&random, 0.03f, 0.14f),
                   random_float(&random, 0.03f, 0.14f), 1e-6f);
    def.surface.static_friction = 0.5f;
    def.surface.dynamic_friction = 0.3f;
    def.surface.restitution = 0.4f;
    def.turns = kind == WEFT_PARTICLE_SHAPE_SPHERE && i % 2 == 0;
    expect_ok(weft_world_set_particle_shape(world, weft_range(i, 1), &def));
  }
}

static weft_world* new_crowded_world(const weft_world_def* def) {
  weft_scene* scene = new_crowd();
  weft_world* world = new_world(def, scene);
  shape_bodies(world);
  add_obstacles(world);
  weft_bounds_def bounds = floor_bounds(-2.5f, 0.3f);
  bounds.lower[0] = -3.0f;
  bounds.upper[0] = 5.0f;
  bounds.surface.restitution = 0.5f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  log_events(world, 1u << 16);
  return world;
}

// Returns the number of contact events.
static uint32_t expect_flat(weft_world* world) {
  const uint32_t count = particle_count_of(world);
  for (uint32_t i = 0; i < count; ++i) {
    float p[3], v[3], w[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, p);
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, v);
    expect_get(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, i, 1, w);
    ck_assert_float_eq(p[2], 0.0f);
    ck_assert_float_eq(v[2], 0.0f);
    ck_assert_float_eq(w[0], 0.0f);
    ck_assert_float_eq(w[1], 0.0f);
    require(isfinite(p[0]) && isfinite(p[1]));
  }
  weft_contact_event event;
  uint32_t events = 1, all = 0;
  while (events > 0) {
    const weft_result result = weft_world_take_contact_events(world, 1, &event, &events);
    // a world without events
    if (result.error == WEFT_ERROR_DISABLED) break;
    expect_ok(result);
    if (events > 0) ck_assert_float_eq(event.normal[2], 0.0f);
    all += events;
  }
  return all;
}

// drags, pushes, joins and moves colliders while it steps
static uint64_t run_crowd(const weft_world_def* def, uint32_t steps) {
  weft_world* world = new_crowded_world(def);
  weft_grip grip;
  weft_joint joint;
  expect_ok(weft_world_add_grip(world, (const float[3]){1.0f, 1.0f, 0.0f}, 0.2f, &grip));
  weft_joint_def tie = weft_default_joint_def();
  tie.particle = 3;
  tie.to[0] = BODIES + 20;
  tie.rest_length = 1.0f;
  expect_ok(weft_world_add_joint(world, &tie, &joint));
  for (uint32_t step = 0; step < steps; ++step) {
    const float at[3] = {1.0f + 0.02f * (float)(step % 60), 1.0f, 0.0f};
    const float force[3] = {3.0f, -2.0f, 0.0f};
    expect_ok(weft_world_move_grip(world, grip, at));
    expect_add(world, WEFT_ATTRIBUTE_FORCE, 40, 20, force, WEFT_SAME);
    weft_world_step(world, 1);
  }
  ck_assert_uint_gt(expect_flat(world), 20);
  return weft_world_hash(world);
}

// settings that run every solver of links, and every integrator
static weft_world_def setting(int number) {
  weft_world_def def = weft_default_world_def();
  def.plane = true;
  def.max_events = 0;
  if (number == 0) return def;
  def.solver.substeps = 2;
  def.solver.integrator = (weft_integrator)(number - 1);
  def.solver.springs = number > 1;
  def.solver.coarse_iterations = number == 1 ? 3 : 0;
  def.solver.attachments = number == 1 ? 2 : 0;
  return def;
}
enum { SETTINGS = 7 };

LOOP_TEST(z_is_zero_to_the_bit_with_one_hash_for_all_workers_and_instruction_sets, 0, SETTINGS) {
  static const uint32_t worker_counts[] = {1, 2, 7};
  weft_world_def def = setting(_i);
  const uint32_t steps = _i == 0 ? ROUNDS(30, 15) : 15;
  def.isa = WEFT_ISA_SCALAR;
  const uint64_t expected = run_crowd(&def, steps);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (size_t w = 0; w < 3; ++w) {
      if (!in_turn(isa, w, 3, _i) || (isa == WEFT_ISA_SCALAR && w == 0)) continue;
      def.isa = (weft_isa)isa;
      def.worker_count = worker_counts[w];
      ck_assert_uint_eq(run_crowd(&def, steps), expected);
    }
  }
}

// ---- closed forms ----

// the second body at rest; both of this shape and of 1 kg and 3 kg
static void hit(weft_particle_shape shape, double restitution, const float second_at[3],
                const float speed[3], float velocities[2][3]) {
  const weft_world_def def = plane_def(1.0 / 240.0);
  float positions[2][3] = {{0.0f}};
  for (int axis = 0; axis < 3; ++axis) positions[1][axis] = second_at[axis];
  const float inverse_masses[2] = {1.0f, 1.0f / 3.0f};
  weft_world* world = new_particles(&def, positions[0], inverse_masses, 2);
  weft_particle_shape_def contact = contact_of(shape, 0.2f, 0.2f, 1e-6f);
  contact.surface.restitution = (float)restitution;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 2), &contact));
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, speed, 0);
  weft_world_step(world, 240);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 2, velocities[0]);
}

LOOP_TEST(discs_rectangles_and_ellipses_part_as_the_closed_form_says, 0, 9) {
  static const weft_particle_shape shapes[] = {WEFT_PARTICLE_SHAPE_SPHERE, WEFT_PARTICLE_SHAPE_BOX,
                                               WEFT_PARTICLE_SHAPE_ELLIPSOID};
  const double restitution = 0.5 * (_i / 3);
  const float second_at[3] = {2.0f, 0.16f, 0.0f};
  const float speed[3] = {4.0f, 0.0f, 0.0f};
  float v[2][3];
  hit(shapes[_i % 3], restitution, second_at, speed, v);
  // equal half axes are a disc; the sides of rectangles meet head on
  const double sine = _i % 3 == 1 ? 0.0 : 0.16 / 0.4;
  const double normal[2] = {sqrt(1.0 - sine * sine), sine};
  const double impulse = (1.0 + restitution) * 4.0 * normal[0] / (1.0 + 1.0 / 3.0);
  for (int axis = 0; axis < 2; ++axis) {
    const double first = (axis == 0 ? 4.0 : 0.0) - impulse * normal[axis];
    ck_assert_double_eq_tol(number_of(&v[0][axis]), first, 4e-3);
    ck_assert_double_eq_tol(number_of(&v[1][axis]), impulse / 3.0 * normal[axis], 4e-3);
  }
}

// ---- cells ----

// Long planks and small discs: sizes along z have no part in the cells, so pairs are those that
// overlap in the plane.
LOOP_TEST(pairs_are_those_that_overlap_in_the_plane, 0, 3) {
  enum { COUNT = 300 };
  const weft_world_def def = plane_def(1.0 / 60.0);
  float positions[COUNT][3] = {{0}}, inverse_masses[COUNT];
  weft_particle_shape_def shapes[COUNT];
  random_source random = {(uint64_t)_i};
  for (int i = 0; i < COUNT; ++i) {
    positions[i][0] = random_float(&random, -5.0f, 5.0f);
    positions[i][1] = random_float(&random, -5.0f, 5.0f);
    inverse_masses[i] = 1.0f;
    const bool is_plank = i % 10 == 0;
    shapes[i] = contact_of(is_plank ? WEFT_PARTICLE_SHAPE_BOX : WEFT_PARTICLE_SHAPE_SPHERE,
                           is_plank && i % 20 == 0 ? 3.0f : 0.05f, is_plank ? 0.1f : 0.05f, 9.0f);
  }
  weft_world* world = new_particles(&def, positions[0], inverse_masses, COUNT);
  for (uint32_t i = 0; i < COUNT; ++i) {
    expect_ok(weft_world_set_particle_shape(world, weft_range(i, 1), &shapes[i]));
  }
  uint32_t touching = 0;
  for (int i = 0; i < COUNT; ++i) {
    for (int k = 0; k < i; ++k) {
      bool overlaps = true;
      for (int axis = 0; axis < 2; ++axis) {
        const float a = shapes[i].half_size[shapes[i].shape == WEFT_PARTICLE_SHAPE_BOX ? axis : 0];
        const float b = shapes[k].half_size[shapes[k].shape == WEFT_PARTICLE_SHAPE_BOX ? axis : 0];
        overlaps = overlaps && fabsf(positions[i][axis] - positions[k][axis]) < a + b;
      }
      touching += overlaps ? 1 : 0;
    }
  }
  weft_world_step(world, 1);
  const uint32_t pairs = contact_stats_of(world).particle_pairs;
  // boxes of the broad phase have a margin
  require(pairs >= touching && pairs < 3 * touching);
  (void)expect_flat(world);
}

// ---- what is refused ----

static const float off[3] = {0.0f, 0.0f, 0.5f};

TEST(what_leaves_the_plane_is_refused_by_its_name) {
  const weft_world_def good = plane_def(1.0 / 60.0);
  const float positions[2][3] = {{0.0f}, {1.0f, 0.0f, 0.0f}};
  const float inverse_masses[2] = {1.0f, 0.0f};
  weft_world* world = new_particles(&good, positions[0], inverse_masses, 2);
  weft_world_step(world, 1);
  const uint64_t before = weft_world_hash(world);
  const float path[2][3] = {{0.0f}, {0.0f, 0.0f, 0.5f}};
  const float turned[4] = {0.6f, 0.0f, 0.0f, 0.8f};
  weft_grip grip;
  expect_error_at(weft_world_set_gravity(world, off), WEFT_ERROR_RANGE, "gravity", 2);
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_POSITION, weft_range(0, 2), path[0], 0),
                  WEFT_ERROR_RANGE, "values", 1);
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(0, 1), off, 0),
                  WEFT_ERROR_RANGE, "values", 0);
  expect_error_at(weft_world_add(world, WEFT_ATTRIBUTE_FORCE, weft_range(0, 1), off, 0),
                  WEFT_ERROR_RANGE, "values", 0);
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(1, 1), off, 0),
                  WEFT_ERROR_RANGE, "values", 0);
  expect_error_at(weft_world_add(world, WEFT_ATTRIBUTE_POSITION, weft_range(0, 2), off, WEFT_SAME),
                  WEFT_ERROR_RANGE, "values", 0);
  expect_error_at(weft_world_add_grip(world, off, 1.0f, &grip), WEFT_ERROR_RANGE, "place", 2);
  weft_particle_def born = weft_default_particle_def();
  weft_particle particle;
  memcpy(born.velocity, off, sizeof born.velocity);
  expect_error_at(weft_world_add_particle(world, &born, &particle), WEFT_ERROR_RANGE,
                  "weft_particle_def.velocity", 2);
  weft_wind_def wind = weft_default_wind_def();
  expect_error_at(weft_world_set_wind(world, &wind), WEFT_ERROR_DISABLED, "weft_world_def.plane",
                  0);
  expect_ok(weft_world_set_wind(world, NULL));
  float normal[3];
  expect_error(weft_world_get(world, WEFT_ATTRIBUTE_NORMAL, weft_range(0, 1), normal, 0),
               WEFT_ERROR_DISABLED, "weft_world_def.plane");
  uint32_t face_count;
  expect_error_at(weft_world_get_faces(world, 0, NULL, &face_count), WEFT_ERROR_DISABLED,
                  "weft_world_def.plane", 0);
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[2] = -1.0f;
  expect_error_at(weft_world_set_bounds(world, &bounds), WEFT_ERROR_RANGE, "weft_bounds_def.lower",
                  2);
  weft_particle_shape_def cloth = contact_of(WEFT_PARTICLE_SHAPE_CLOTH, 0.1f, 0.1f, 0.1f);
  expect_error_at(weft_world_set_particle_shape(world, weft_range(0, 1), &cloth), WEFT_ERROR_RANGE,
                  "weft_particle_shape_def.shape", 0);
  weft_particle_shape_def exact = contact_of(WEFT_PARTICLE_SHAPE_SPHERE, 0.1f, 0.1f, 0.1f);
  exact.collision = WEFT_COLLISION_EXACT;
  expect_error_at(weft_world_set_particle_shape(world, weft_range(0, 1), &exact),
                  WEFT_ERROR_DISABLED, "weft_particle_shape_def.collision", 0);
  weft_collider_def flat = weft_default_collider_def();
  weft_collider collider;
  expect_ok(weft_world_add_collider(world, &flat, &collider));
  expect_error_at(weft_world_move_collider(world, collider, off, NULL), WEFT_ERROR_RANGE,
                  "position", 2);
  expect_error_at(weft_world_move_collider(world, collider, NULL, turned), WEFT_ERROR_RANGE,
                  "rotation", 0);
  expect_error_at(steer_collider(world, collider, off, NULL), WEFT_ERROR_RANGE,
                  "weft_collider_def.velocity", 2);
  expect_error_at(steer_collider(world, collider, NULL, (const float[3]){0.0f, 1.0f, 0.0f}),
                  WEFT_ERROR_RANGE, "weft_collider_def.spin", 1);
  ck_assert_uint_eq(weft_world_hash(world), before);
}

LOOP_TEST(colliders_that_are_not_of_the_plane_are_refused, 0, 5) {
  const weft_world_def good = plane_def(1.0 / 60.0);
  const float position[3] = {0.0f};
  const float inverse_mass = 1.0f;
  weft_world* world = new_particles(&good, position, &inverse_mass, 1);
  static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  weft_collider_def hull = collider_of_shape(WEFT_COLLIDER_SHAPE_HULL);
  hull.points = corners[0];
  hull.point_count = 4;
  weft_collider_def defs[5];
  for (int i = 0; i < 5; ++i) defs[i] = weft_default_collider_def();
  defs[0] = hull;
  defs[1].position[2] = 1.0f;
  defs[2].rotation[1] = 1.0f;
  defs[2].rotation[3] = 0.0f;
  defs[3].velocity[2] = 1.0f;
  defs[4].spin[0] = 1.0f;
  static const char* const fields[5] = {"weft_collider_def.shape", "weft_collider_def.position",
                                        "weft_collider_def.rotation", "weft_collider_def.velocity",
                                        "weft_collider_def.spin"};
  static const uint64_t indices[5] = {0, 2, 1, 2, 0};
  weft_collider added;
  expect_error_at(weft_world_add_collider(world, &defs[_i], &added), WEFT_ERROR_RANGE, fields[_i],
                  indices[_i]);
  ck_assert_uint_eq(contact_stats_of(world).collider_count, 0);
}

TEST(scenes_and_defs_that_are_not_of_the_plane_are_refused) {
  weft_world_def def = plane_def(1.0 / 60.0);
  const float positions[2][3] = {{0.0f}, {1.0f, 0.0f, -0.25f}};
  const float inverse_masses[2] = {1.0f, 1.0f};
  weft_scene* flat = new_points_scene(positions[0], inverse_masses, 1);
  weft_scene* deep = new_points_scene(positions[0], inverse_masses, 2);
  weft_world* world = NULL;
  expect_error_at(weft_world_create(&def, deep, &world), WEFT_ERROR_RANGE, "scene", 1);
  def.gravity[2] = 1.0f;
  expect_error_at(weft_world_create(&def, flat, &world), WEFT_ERROR_RANGE, "weft_world_def.gravity",
                  2);
  def.gravity[2] = 0.0f;
  world = new_world(&def, flat);
  expect_error_at(weft_world_reset(world, deep), WEFT_ERROR_RANGE, "scene", 1);
  expect_ok(weft_world_reset(world, flat));
  weft_world_def read;
  expect_ok(weft_world_get_def(world, &read));
  require(read.plane);
}
