/* Contacts of particles with colliders: filters, depenetration, and the same bits. */
#include "collision/colliders/colliders.h"

#include "support/collided.h"
#include "support/handles.h"
#include "support/test.h"

// ---- depenetration ----

TEST(what_a_collider_appears_on_is_put_out_and_gets_no_velocity) {
  for (int shape = WEFT_COLLIDER_SHAPE_HALF_SPACE; shape <= WEFT_COLLIDER_SHAPE_ELLIPSOID;
       ++shape) {
    for (int springs = 0; springs < 2; ++springs) {
      weft_world_def def = def_at(60);
      def.springs = springs != 0;
      const float start[3] = {0.0f, -0.1f, 0.0f};
      weft_world* world = new_points(&def, start, 1);
      expect_ok(weft_world_set_gravity(world, (float[3]){0.0f, 0.0f, 0.0f}));
      const weft_particle_shape_def contact = sphere_contact(0.05f);
      touch_all(world, &contact);
      weft_collider_def collider = collider_of_shape((weft_collider_shape)shape);
      collider.restitution = 1.0f;
      collider.half_size[0] = collider.half_size[2] = 2.0f;
      (void)add_collider(world, &collider);
      double position[3];
      double velocity[3];
      for (int step = 0; step < 5; ++step) {
        weft_world_step(world, 1);
        read_particle(world, 0, position, velocity);
        ck_assert_double_lt(hypot(hypot(velocity[0], velocity[1]), velocity[2]), 1e-4);
      }
      ck_assert_double_gt(fabs(position[1]), 0.04);
    }
  }
}

LOOP_TEST(in_a_corner_both_colliders_take_the_velocity_along_their_normals, 0, 3) {
  const int third = _i;
  const int walls[2] = {(third + 1) % 3, (third + 2) % 3};
  weft_world_def def = def_at(60);
  for (int axis = 0; axis < 3; ++axis) def.gravity[axis] = 0.0f;
  float start[3] = {0.05f, 0.05f, 0.05f};
  float velocity[3] = {-4.0f, -4.0f, -4.0f};
  weft_world* world = new_points(&def, start, 1);
  const weft_particle_shape_def contact = sphere_contact(0.0f);
  touch_all(world, &contact);
  for (int k = 0; k < 2; ++k) {
    weft_collider_def box = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
    for (int axis = 0; axis < 3; ++axis) box.half_size[axis] = 2.0f;
    box.position[walls[k]] = -2.0f;
    (void)add_collider(world, &box);
  }
  place_particle(world, 0, start, velocity);
  weft_world_step(world, 1);
  double after[3];
  double position[3];
  read_particle(world, 0, position, after);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_eq_tol(after[axis], axis == third ? -4.0 : 0.0, 1e-3);
    if (axis != third) ck_assert_double_eq_tol(position[axis], 0.0, 1e-5);
  }
}

// particles in a row along an axis, more than a block of them, one of which is in a sphere
LOOP_TEST(one_in_a_row_is_found_wherever_the_others_are, 0, 6) {
  enum { ROW = 200 };
  static const uint32_t ones[] = {0, 1, 77, ROW - 1};
  const int axis = _i % 3;
  const float spacing = _i < 3 ? 1.0f : -1.0f;
  weft_world_def def = def_at(60);
  for (int k = 0; k < 3; ++k) def.gravity[k] = 0.0f;
  float start[ROW][3] = {{0.0f}};
  for (int i = 0; i < ROW; ++i) start[i][axis] = spacing * (float)i;
  for (size_t n = 0; n < sizeof(ones) / sizeof(*ones); ++n) {
    weft_world* world = new_points(&def, start[0], ROW);
    const weft_particle_shape_def contact = sphere_contact(0.0f);
    touch_all(world, &contact);
    weft_collider_def ball = collider_of_shape(WEFT_COLLIDER_SHAPE_SPHERE);
    ball.radius = 0.4f;
    memcpy(ball.position, start[ones[n]], sizeof(ball.position));
    ball.position[(axis + 1) % 3] += 0.1f;
    (void)add_collider(world, &ball);
    weft_world_step(world, 1);
    float end[ROW][3];
    expect_ok(weft_world_get_positions(world, 0, ROW, end[0]));
    for (uint32_t i = 0; i < ROW; ++i) {
      float change = 0.0f;
      for (int k = 0; k < 3; ++k) change = fmaxf(change, fabsf(end[i][k] - start[i][k]));
      ck_assert_float_eq_tol(change, i == ones[n] ? 0.3f : 0.0f, 1e-4f);
    }
  }
}

TEST(what_is_squeezed_between_two_colliders_stays_calm) {
  random_source random = {9};
  for (int round = 0; round < ROUNDS(25, 10); ++round) {
    weft_scene* scene = new_scene();
    const weft_body body = add_sheet(scene, 9, 9, STRUCTURAL | SHEAR);
    weft_world_def def = def_at(60);
    def.substeps = random_from(&random, 1, 3);
    weft_world* world = new_world(&def, scene);
    // particles do not collide with each other
    weft_particle_shape_def contact = sphere_contact(random_chance(&random, 2) ? 0.0f : 0.02f);
    contact.category = 2;
    contact.mask = 1;
    touch_all(world, &contact);
    double position[3];
    double velocity[3];
    read_particle(world, 40, position, velocity);
    for (int side = -1; side <= 1; side += 2) {
      weft_collider_def ball = collider_of_shape((weft_collider_shape)random_from(
          &random, WEFT_COLLIDER_SHAPE_SPHERE, WEFT_COLLIDER_SHAPE_ELLIPSOID));
      ball.radius = 0.4f;
      for (int axis = 0; axis < 3; ++axis) ball.position[axis] = (float)position[axis];
      const int axis = (int)random_below(&random, 3);
      ball.position[axis] += (float)side;
      ball.velocity[axis] = (float)-side;
      ball.static_friction = ball.dynamic_friction = random_float(&random, 0.0f, 1.0f);
      (void)add_collider(world, &ball);
    }
    for (int step = 0; step < 120; ++step) {
      weft_world_step(world, 1);
      for (uint32_t i = 0; i < body.particle_count; ++i) {
        read_particle(world, i, position, velocity);
        const double speed = hypot(hypot(velocity[0], velocity[1]), velocity[2]);
        // what gets out jumps by at most two diameters in a step
        if (!(speed < 60.0 * 1.6)) ck_abort_msg("round %d, step %d: %g m/s", round, step, speed);
      }
    }
  }
}

TEST(in_a_wedge_the_particle_stays_outside_of_both) {
  random_source random = {3};
  for (int round = 0; round < ROUNDS(200, 30); ++round) {
    const weft_world_def def = def_at(60);
    const float start[3] = {0.0f, 1.0f, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    const weft_particle_shape_def contact =
        sphere_contact(random_chance(&random, 2) ? 0.0f : 0.05f);
    touch_all(world, &contact);
    const double angles[2] = {(double)random_float(&random, 0.2f, 1.3f),
                              (double)random_float(&random, -1.3f, -0.2f)};
    for (int k = 0; k < 2; ++k) {
      weft_collider_def wall = collider_of_shape(WEFT_COLLIDER_SHAPE_PLANE);
      turn_about_z(angles[k], wall.rotation);
      wall.restitution = 0.0f;
      (void)add_collider(world, &wall);
    }
    place_particle(world, 0, start, (float[3]){random_float(&random, -20.0f, 20.0f), -30.0f, 0.0f});
    for (int step = 0; step < 60; ++step) {
      weft_world_step(world, 1);
      double position[3];
      double velocity[3];
      read_particle(world, 0, position, velocity);
      for (int k = 0; k < 2; ++k) {
        const double side = -sin(angles[k]) * position[0] + cos(angles[k]) * position[1];
        if (!(side > -2e-6)) ck_abort_msg("round %d, step %d: wall %d, %g", round, step, k, side);
        // more than gravity gives in a step is no velocity into the wall
        const double inward = sin(angles[k]) * velocity[0] - cos(angles[k]) * velocity[1];
        if (side < 1e-4) ck_assert_double_lt(inward, 0.2);
      }
    }
  }
}

// ---- filters ----

TEST(filters_and_pins_and_shapes_are_kept) {
  const weft_world_def def = def_at(60);
  float start[18];
  for (int i = 0; i < 6; ++i) {
    start[3 * i] = 2.0f * (float)i;
    start[3 * i + 1] = 1.0f;
    start[3 * i + 2] = 0.0f;
  }
  weft_world* world = new_points(&def, start, 6);
  // 0 has no contact, 1 another mask, 2 is pinned, 3 a box, 4 an ellipsoid, 5 cloth
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.mask = 2;
  expect_ok(weft_world_set_particle_shape(world, 1, 1, &contact));
  contact = weft_default_particle_shape_def();
  expect_ok(weft_world_set_particle_shape(world, 2, 1, &contact));
  pin_particles(world, 2, 1);
  const weft_particle_shape shapes[3] = {WEFT_PARTICLE_SHAPE_BOX, WEFT_PARTICLE_SHAPE_ELLIPSOID,
                                         WEFT_PARTICLE_SHAPE_CLOTH};
  for (uint32_t k = 0; k < 3; ++k) {
    contact.shape = shapes[k];
    contact.half_size[0] = 0.3f;
    contact.half_size[1] = 0.2f;
    contact.half_size[2] = 0.1f;
    expect_ok(weft_world_set_particle_shape(world, 3 + k, 1, &contact));
  }
  const weft_collider_def floor = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
  const weft_collider handle = add_collider(world, &floor);
  weft_world_step(world, 120);
  double height[6];
  double velocity[3];
  for (uint32_t i = 0; i < 6; ++i) {
    double position[3];
    read_particle(world, i, position, velocity);
    height[i] = position[1];
  }
  ck_assert_double_lt(height[0], -5.0);
  ck_assert_double_lt(height[1], -5.0);
  ck_assert_double_eq(height[2], 1.0);
  ck_assert_double_eq_tol(height[3], 0.2, 1e-6);
  ck_assert_double_eq_tol(height[4], 0.2, 1e-6);
  ck_assert_double_eq_tol(height[5], 0.3, 1e-6);
  weft_contact_stats stats = contact_stats_of(world);
  ck_assert_uint_eq(stats.collider_count, 1);
  // particle shapes at rest may be carried by impulses alone
  ck_assert_uint_ge(stats.collider_contacts, 1);
  ck_assert_uint_le(stats.collider_contacts, 3);
  expect_ok(weft_world_remove_collider(world, handle));
  weft_world_step(world, 60);
  double position[3];
  read_particle(world, 5, position, velocity);
  ck_assert_double_lt(position[1], -4.0);
  stats = contact_stats_of(world);
  ck_assert_uint_eq(stats.collider_count, 0);
  ck_assert_uint_eq(stats.collider_contacts, 0);
}

TEST(far_away_they_hold_as_well) {
  const double away = 1e8;
  for (int shape = WEFT_COLLIDER_SHAPE_PLANE; shape <= WEFT_COLLIDER_SHAPE_ELLIPSOID; ++shape) {
    const weft_world_def def = def_at(60);
    const float start[3] = {0.0f, (float)away, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    const weft_particle_shape_def contact = sphere_contact(1.0f);
    touch_all(world, &contact);
    weft_collider_def collider = collider_of_shape((weft_collider_shape)shape);
    collider.position[1] = (float)(away - 1000.0);
    collider.radius = 200.0f;
    for (int axis = 0; axis < 3; ++axis) collider.half_size[axis] = 300.0f;
    (void)add_collider(world, &collider);
    place_particle(world, 0, start, (float[3]){0.0f, -6000.0f, 0.0f});
    weft_world_step(world, 120);
    double position[3];
    double velocity[3];
    read_particle(world, 0, position, velocity);
    const double tops[] = {0.0, 0.0, 200.0, 500.0, 300.0, 300.0};
    // floats are eight metres apart there
    ck_assert_double_eq_tol(position[1], away - 1000.0 + tops[shape] + 1.0, 32.0);
    ck_assert_double_lt(fabs(velocity[1]), 600.0);
  }
}

TEST(a_planet_holds_what_falls_on_it) {
  const weft_world_def def = def_at(60);
  const float start[3] = {3.0f, 2.0f, 1.0f};
  weft_world* world = new_points(&def, start, 1);
  const weft_particle_shape_def contact = sphere_contact(0.5f);
  touch_all(world, &contact);
  weft_collider_def planet = collider_of_shape(WEFT_COLLIDER_SHAPE_SPHERE);
  planet.radius = 1e8f;
  planet.position[1] = -1e8f;
  planet.static_friction = planet.dynamic_friction = 0.5f;
  (void)add_collider(world, &planet);
  weft_world_step(world, 600);
  double position[3];
  double velocity[3];
  read_particle(world, 0, position, velocity);
  ck_assert_double_eq_tol(position[1], 0.5, 1e-5);
  ck_assert_double_eq_tol(position[0], 3.0, 1e-5);
}

// ---- events ----

TEST(what_lies_there_tells_its_weight) {
  weft_world_def def = def_at(60);
  def.substeps = 3;
  const float start[3] = {0.0f, 0.1f, 0.0f};
  weft_world* world = new_points(&def, start, 1);
  const weft_particle_shape_def contact = sphere_contact(0.1f);
  touch_all(world, &contact);
  weft_contact_limits_def limits = event_limits(100);
  limits.with_stays = true;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  const weft_collider_def floor = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
  const weft_collider handle = add_collider(world, &floor);
  weft_world_step(world, 10);
  weft_contact_event events[100];
  uint32_t count = 0;
  expect_ok(weft_world_take_contact_events(world, 100, events, &count));
  ck_assert_uint_eq(count, 10);
  for (uint32_t k = 0; k < count; ++k) {
    ck_assert_int_eq(events[k].kind, k == 0 ? WEFT_CONTACT_EVENT_BEGIN : WEFT_CONTACT_EVENT_STAY);
    ck_assert(SAME_HANDLE(events[k].collider, handle));
    ck_assert_float_eq(events[k].normal[1], 1.0f);
    if (k > 0) ck_assert_double_eq_tol((double)events[k].impulse, GRAVITY / 60.0, 1e-3);
  }
}

// ---- the same bits ----

enum { SHEET_SIDE = 50 };

static weft_scene* new_mixed_scene(void) {
  weft_scene* scene = new_scene();
  random_source random = {77};
  (void)add_sheet(scene, SHEET_SIDE, SHEET_SIDE, ALL_FAMILIES);
  (void)add_cloud(scene, &random, 1000, 4.0f);
  return scene;
}

enum { MANY = 40 };

static void add_many(weft_world* world, weft_collider colliders[MANY]) {
  random_source random = {78};
  for (int k = 0; k < MANY; ++k) {
    weft_collider_def def = collider_of_shape((weft_collider_shape)random_from(
        &random, WEFT_COLLIDER_SHAPE_SPHERE, WEFT_COLLIDER_SHAPE_ELLIPSOID));
    if (k == 0) def.shape = WEFT_COLLIDER_SHAPE_PLANE;
    for (int axis = 0; axis < 3; ++axis) {
      def.position[axis] = random_float(&random, -3.0f, 3.0f);
      def.velocity[axis] = random_chance(&random, 2) ? 0.0f : random_float(&random, -2.0f, 2.0f);
      def.spin[axis] = random_chance(&random, 2) ? 0.0f : random_float(&random, -9.0f, 9.0f);
      def.half_size[axis] = random_float(&random, 0.1f, 0.6f);
    }
    if (k == 0) def.position[1] = -3.0f;
    def.radius = random_float(&random, 0.1f, 0.6f);
    def.restitution = random_float(&random, 0.0f, 1.0f);
    def.static_friction = def.dynamic_friction = random_float(&random, 0.0f, 1.0f);
    colliders[k] = add_collider(world, &def);
  }
}

static uint64_t hash_of(uint32_t workers, weft_isa isa, bool springs) {
  weft_scene* scene = new_mixed_scene();
  weft_world_def def = def_at(60);
  def.worker_count = workers;
  def.isa = isa;
  def.substeps = 2;
  def.springs = springs;
  weft_world* world = new_world(&def, scene);
  random_source random = {79};
  const uint32_t count = particle_count_of(world);
  for (uint32_t i = 0; i < count; i += 50) {
    weft_particle_shape_def contact = sphere_contact(random_chance(&random, 3) ? 0.0f : 0.01f);
    // the sheet has points and cloth
    const weft_particle_shape of_sheet[2] = {WEFT_PARTICLE_SHAPE_POINT, WEFT_PARTICLE_SHAPE_CLOTH};
    contact.shape = i < SHEET_SIDE * SHEET_SIDE ? of_sheet[random_below(&random, 2)]
                                                : (weft_particle_shape)random_below(&random, 5);
    for (int axis = 0; axis < 3; ++axis)
      contact.half_size[axis] = random_float(&random, 0.01f, 0.1f);
    contact.restitution = random_float(&random, 0.0f, 1.0f);
    // particle shapes overlap here: they collide with colliders alone
    contact.category = 2;
    contact.mask = 1;
    if (random_chance(&random, 9)) continue;
    expect_ok(weft_world_set_particle_shape(world, i, count - i < 50 ? count - i : 50, &contact));
  }
  weft_collider colliders[MANY];
  add_many(world, colliders);
  weft_world_step(world, ROUNDS(5, 4));
  expect_ok(weft_world_move_collider(world, colliders[3], (float[3]){0.0f, 0.0f, 0.0f}, NULL));
  expect_ok(weft_world_remove_collider(world, colliders[5]));
  weft_world_step(world, ROUNDS(3, 2));
  uint64_t hash = 0;
  hash = weft_world_hash(world);
  const weft_contact_stats stats = contact_stats_of(world);
  ck_assert_uint_gt(stats.collider_contacts, 50);
  hash = hash * 31 + stats.collider_contacts;
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < 3 * count; ++i) require(isfinite(positions[i]));
  return hash;
}

TEST(all_workers_and_instruction_sets_give_one_result) {
  for (int springs = 0; springs < 2; ++springs) {
    const uint64_t wanted = hash_of(1, WEFT_ISA_AUTO, springs != 0);
    const uint32_t workers[] = {2, 3, 7, 4};
    for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
      ck_assert_uint_eq(hash_of(workers[(isa + springs) % 4], (weft_isa)isa, springs != 0), wanted);
    }
  }
}
