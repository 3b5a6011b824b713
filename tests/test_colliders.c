/* How particles bounce off colliders, rub against them, are stopped and swept along by them. */
#include "colliders/colliders.h"

#include "support/collided.h"
#include "support/isas.h"

#define PI 3.14159265358979323846

// ---- bouncing ----

// the highest point between this bounce and the next
static double next_apex(weft_world* world, int axis, double floor) {
  double apex = 0.0;
  double position[3];
  double velocity[3];
  read_particle(world, 0, position, velocity);
  double before = position[axis] - floor;
  for (bool rises = false;;) {
    weft_world_step(world, 1);
    read_particle(world, 0, position, velocity);
    const double now = position[axis] - floor;
    if (rises && now < before) return apex;
    rises = now > before;
    before = now;
    if (rises && now > apex) apex = now;
  }
}

static weft_collider_def bouncy(weft_shape shape, float restitution) {
  weft_collider_def def = collider_of_shape(shape);
  def.restitution = restitution;
  return def;
}

static void bounce(weft_shape shape, float radius, int rate, uint32_t substeps,
                   weft_integrator integrator) {
  weft_world_def def = def_at(rate);
  def.substeps = substeps;
  def.integrator = integrator;
  const float e = 0.8f;
  weft_collider_def collider = bouncy(shape, e);
  const double top = shape == WEFT_SHAPE_PLANE || shape == WEFT_SHAPE_HALF_SPACE ? 0.0 : 0.5;
  collider.radius = 0.5f;
  if (shape == WEFT_SHAPE_CAPSULE) collider.radius = 0.25f;
  if (shape == WEFT_SHAPE_CAPSULE) collider.half_size[1] = 0.25f;
  const double height = 1.0;
  const float start[3] = {0.0f, (float)(top + height) + radius, 0.0f};
  weft_world* world = new_points(&def, start, 1);
  weft_contact contact = sphere_contact(radius);
  contact.restitution = 1.0f;
  touch_all(world, &contact);
  (void)add_collider(world, &collider);
  double expected = height;
  for (int k = 0; k < 3; ++k) {
    expected *= (double)(e * e);
    const double apex = next_apex(world, 1, top + (double)radius);
    // what is seen of an apex between two steps may be half a step's fall below it
    const double unseen = GRAVITY / 8.0 / rate / rate;
    if (fabs(apex - expected) > 0.004 * expected + unseen) {
      ck_abort_msg("shape %d, %d Hz: %g, not %g", (int)shape, rate, apex, expected);
    }
  }
  weft_world_destroy(&world);
}

START_TEST(a_bounce_comes_to_the_square_of_the_restitution_at_any_step) {
  for (int shape = WEFT_SHAPE_PLANE; shape <= WEFT_SHAPE_ELLIPSOID; ++shape) {
    for (int rate = 30; rate <= 240; rate *= 2) {
      bounce((weft_shape)shape, 0.0f, rate, 1, WEFT_POSITION_VERLET);
      bounce((weft_shape)shape, 0.1f, rate, 1, WEFT_POSITION_VERLET);
    }
    bounce((weft_shape)shape, 0.1f, 60, 4, WEFT_POSITION_VERLET);
    bounce((weft_shape)shape, 0.1f, 60, 1, WEFT_VELOCITY_VERLET);
    bounce((weft_shape)shape, 0.0f, 60, 4, WEFT_VELOCITY_VERLET);
  }
}
END_TEST

START_TEST(what_has_stopped_bouncing_lies_still) {
  for (int shape = WEFT_SHAPE_PLANE; shape <= WEFT_SHAPE_ELLIPSOID; ++shape) {
    const weft_world_def def = def_at(60);
    weft_collider_def collider = bouncy((weft_shape)shape, 0.5f);
    const float start[3] = {0.0f, 1.5f, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    weft_contact contact = sphere_contact(0.02f);
    contact.restitution = 0.5f;
    touch_all(world, &contact);
    (void)add_collider(world, &collider);
    weft_world_step(world, 600);
    double before[3];
    double after[3];
    double velocity[3];
    read_particle(world, 0, before, velocity);
    weft_world_step(world, 100);
    read_particle(world, 0, after, velocity);
    ck_assert_double_eq(before[1], after[1]);
    ck_assert_double_eq_tol(velocity[1], 0.0, 1e-5);
    weft_world_destroy(&world);
  }
}
END_TEST

// ---- friction ----

// the direction down a slope by this angle, which falls towards x
static void slope_of(double angle, weft_shape shape, float friction, weft_collider_def* slope) {
  *slope = collider_of_shape(shape);
  turn_about_z(-angle, slope->rotation);
  slope->static_friction = slope->dynamic_friction = friction;
  slope->half_size[0] = slope->half_size[2] = 100.0f;
  if (shape != WEFT_SHAPE_BOX) return;
  slope->position[0] = (float)(-0.5 * sin(angle));
  slope->position[1] = (float)(-0.5 * cos(angle));
}

static const weft_shape flat_shapes[] = {WEFT_SHAPE_PLANE, WEFT_SHAPE_HALF_SPACE, WEFT_SHAPE_BOX};
enum { FLAT_COUNT = 3 };

// how far a particle that lies on a slope gets in some seconds
static double slide(weft_shape shape, double angle, float friction, uint32_t substeps,
                    double seconds, weft_integrator integrator) {
  weft_world_def def = def_at(60);
  def.substeps = substeps;
  def.integrator = integrator;
  const float radius = 0.05f;
  const float start[3] = {radius * (float)sin(angle), radius * (float)cos(angle), 0.3f};
  weft_world* world = new_points(&def, start, 1);
  const weft_contact contact = sphere_contact(radius);
  touch_all(world, &contact);
  weft_collider_def slope;
  slope_of(angle, shape, friction, &slope);
  (void)add_collider(world, &slope);
  weft_world_step(world, (uint32_t)(seconds * 60.0 + 0.5));
  double position[3];
  double velocity[3];
  read_particle(world, 0, position, velocity);
  const double way = hypot(position[0] - (double)start[0], position[1] - (double)start[1]);
  ck_assert_double_eq_tol(position[0] * sin(angle) + position[1] * cos(angle), (double)radius,
                          1e-4);
  weft_world_destroy(&world);
  return way;
}

START_TEST(what_friction_holds_does_not_creep) {
  const double angle = 20.0 * PI / 180.0;
  const float friction = (float)tan(angle) * 1.02f;
  for (int k = 0; k < FLAT_COUNT; ++k) {
    for (uint32_t substeps = 1; substeps <= 8; substeps *= 8) {
      ck_assert_double_lt(
          slide(flat_shapes[k], angle, friction, substeps, 60.0, WEFT_POSITION_VERLET), 1e-3);
      ck_assert_double_lt(
          slide(flat_shapes[k], angle, friction, substeps, 10.0, WEFT_VELOCITY_VERLET), 1e-3);
    }
  }
}
END_TEST

START_TEST(what_friction_cannot_hold_slides_as_the_closed_form_does) {
  const double angle = 20.0 * PI / 180.0;
  const float friction = 0.2f;
  const double a = GRAVITY * (sin(angle) - (double)friction * cos(angle));
  for (int k = 0; k < FLAT_COUNT; ++k) {
    for (uint32_t substeps = 1; substeps <= 8; substeps *= 8) {
      const double way =
          slide(flat_shapes[k], angle, friction, substeps, 2.0, WEFT_POSITION_VERLET);
      ck_assert_double_eq_tol(way, a * 2.0, 0.01 * a * 2.0);
    }
  }
}
END_TEST

START_TEST(what_slides_stops_after_the_way_of_the_closed_form) {
  const float friction = 0.3f;
  const float speed = 5.0f;
  for (int k = 0; k < FLAT_COUNT; ++k) {
    for (int rate = 60; rate <= 240; rate *= 4) {
      const weft_world_def def = def_at(rate);
      const float start[3] = {0.0f, 0.1f, 0.0f};
      weft_world* world = new_points(&def, start, 1);
      const weft_contact contact = sphere_contact(0.1f);
      touch_all(world, &contact);
      weft_collider_def floor;
      slope_of(0.0, flat_shapes[k], friction, &floor);
      (void)add_collider(world, &floor);
      // begins to slide in the middle of a substep's way
      expect_ok(
          weft_world_set_particle(world, 0, start, (float[3]){0.6f * speed, 0.0f, 0.8f * speed}));
      weft_world_step(world, (uint32_t)rate * 4);
      double position[3];
      double velocity[3];
      read_particle(world, 0, position, velocity);
      const double expected = (double)(speed * speed) / (2.0 * (double)friction * GRAVITY);
      const double way = hypot(position[0], position[2]);
      ck_assert_double_eq_tol(way, expected, 0.01 * expected + 0.5 * (double)speed / rate);
      ck_assert_double_eq(velocity[0], 0.0);
      ck_assert_double_eq_tol(position[0] / way, 0.6, 1e-4);
      weft_world_destroy(&world);
    }
  }
}
END_TEST

static double sheet_creep(uint32_t substeps, uint32_t iterations, weft_shape shape) {
  enum { SIDE = 17 };
  const double angle = 20.0 * PI / 180.0;
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = SIDE;
  sheet.spacing = 1.0f / (float)(SIDE - 1);
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &body));
  weft_world_def def = def_at(60);
  def.substeps = substeps;
  def.iterations = iterations;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  const float radius = 0.01f;
  // laid onto the slope
  for (uint32_t i = 0; i < body.particle_count; ++i) {
    const double u = (double)(i % SIDE) / (SIDE - 1) - 0.5;
    const double v = (double)(i / SIDE) / (SIDE - 1) - 0.5;
    const double n = (double)radius;
    const float place[3] = {(float)(u * cos(angle) + n * sin(angle)),
                            (float)(-u * sin(angle) + n * cos(angle)), (float)v};
    expect_ok(weft_world_set_particle(world, i, place, NULL));
  }
  weft_contact contact = sphere_contact(radius);
  contact.shape = WEFT_CONTACT_POINT;
  touch_all(world, &contact);
  weft_collider_def slope;
  slope_of(angle, shape, 0.5f, &slope);
  (void)add_collider(world, &slope);
  weft_world_step(world, 120);
  float* before = new_positions(world);
  weft_world_step(world, 60 * ROUNDS(60, 2));
  float* after = new_positions(world);
  double most = 0.0;
  for (uint32_t i = 0; i < 3 * body.particle_count; ++i) {
    most = fmax(most, fabs((double)after[i] - (double)before[i]));
  }
  free(before);
  free(after);
  weft_world_destroy(&world);
  return most;
}

START_TEST(a_sheet_on_a_slope_does_not_creep) {
  ck_assert_double_lt(sheet_creep(1, 10, WEFT_SHAPE_PLANE), 1e-3);
  ck_assert_double_lt(sheet_creep(4, 2, WEFT_SHAPE_HALF_SPACE), 1e-3);
  ck_assert_double_lt(sheet_creep(4, 2, WEFT_SHAPE_BOX), 1e-3);
}
END_TEST

// ---- nothing passes ----

static weft_collider_def thin_one(bool is_plane) {
  weft_collider_def def = collider_of_shape(is_plane ? WEFT_SHAPE_PLANE : WEFT_SHAPE_BOX);
  def.half_size[0] = def.half_size[2] = 50.0f;
  def.half_size[1] = 0.0005f;
  def.position[1] = 0.3f;
  turn_about_z(0.3, def.rotation);
  return def;
}

// which side of it a place is on
static double side_of(const weft_collider_def* def, const double place[3]) {
  return -sin(0.3) * place[0] + cos(0.3) * (place[1] - (double)def->position[1]);
}

START_TEST(nothing_fast_passes_through_what_is_thin) {
  random_source random = {5};
  for (int round = 0; round < ROUNDS(400, 40); ++round) {
    weft_world_def def = def_at(60);
    def.substeps = random_from(&random, 1, 2);
    if (random_chance(&random, 4)) def.springs = true;
    const weft_collider_def collider = thin_one(random_chance(&random, 2));
    const float start[3] = {random_float(&random, -2.0f, 2.0f), random_float(&random, 1.2f, 3.0f),
                            random_float(&random, -2.0f, 2.0f)};
    weft_world* world = new_points(&def, start, 1);
    weft_contact contact = sphere_contact(random_chance(&random, 2) ? 0.0f : 0.01f);
    contact.restitution = random_chance(&random, 2) ? 0.0f : 0.7f;
    touch_all(world, &contact);
    weft_collider_def bouncing = collider;
    bouncing.restitution = 1.0f;
    bouncing.static_friction = bouncing.dynamic_friction = random_float(&random, 0.0f, 1.0f);
    (void)add_collider(world, &bouncing);
    for (int step = 0; step < 60; ++step) {
      // thrown down again and again
      double position[3];
      double velocity[3];
      read_particle(world, 0, position, velocity);
      if (!(side_of(&collider, position) > 0.0)) ck_abort_msg("round %d, step %d", round, step);
      const float here[3] = {(float)position[0], (float)position[1], (float)position[2]};
      const float fast[3] = {random_float(&random, -50.0f, 50.0f), -100.0f,
                             random_float(&random, -50.0f, 50.0f)};
      if (step % 3 == 0) expect_ok(weft_world_set_particle(world, 0, here, fast));
      weft_world_step(world, 1);
    }
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(a_plane_is_passed_from_neither_side) {
  const weft_world_def def = def_at(60);
  const float start[6] = {0.0f, 1.0f, 0.0f, 1.0f, -1.0f, 0.0f};
  weft_world* world = new_points(&def, start, 2);
  const weft_contact contact = weft_default_contact();
  touch_all(world, &contact);
  const weft_collider_def plane = collider_of_shape(WEFT_SHAPE_PLANE);
  (void)add_collider(world, &plane);
  expect_ok(weft_world_set_particle(world, 0, start, (float[3]){0.0f, -100.0f, 0.0f}));
  expect_ok(weft_world_set_particle(world, 1, start + 3, (float[3]){0.0f, 100.0f, 0.0f}));
  weft_world_step(world, 2);
  double above[3];
  double below[3];
  double velocity[3];
  read_particle(world, 0, above, velocity);
  read_particle(world, 1, below, velocity);
  ck_assert(above[1] > 0.0 && above[1] < 1e-6);
  ck_assert(below[1] < 0.0 && below[1] > -0.02);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_fast_plate_sweeps_particles_along) {
  for (int kind = 0; kind < 4; ++kind) {
    const weft_world_def def = def_at(60);
    float start[60];
    for (int i = 0; i < 20; ++i) {
      start[3 * i] = 0.11f + 0.037f * (float)i;
      start[3 * i + 1] = 0.05f * (float)(i % 5);
      start[3 * i + 2] = 0.05f * (float)(i % 3);
    }
    weft_world* world = new_points(&def, start, 20);
    expect_ok(weft_world_set_gravity(world, (float[3]){0.0f, 0.0f, 0.0f}));
    // they pass through each other
    weft_contact contact = sphere_contact(kind % 2 == 0 ? 0.0f : 0.01f);
    contact.category = 2;
    contact.mask = 1;
    touch_all(world, &contact);
    weft_collider_def plate = collider_of_shape(kind < 2 ? WEFT_SHAPE_PLANE : WEFT_SHAPE_BOX);
    turn_about_z(-PI / 2.0, plate.rotation);
    plate.half_size[0] = plate.half_size[2] = 2.0f;
    plate.half_size[1] = 0.0005f;
    plate.velocity[0] = 100.0f;
    const uint32_t number = add_collider(world, &plate);
    weft_world_step(world, 60);
    float where[3];
    expect_ok(weft_world_get_collider(world, number, where, NULL));
    ck_assert_float_eq_tol(where[0], 100.0f, 1e-3f);
    for (uint32_t i = 0; i < 20; ++i) {
      double position[3];
      double velocity[3];
      read_particle(world, i, position, velocity);
      ck_assert_double_gt(position[0], (double)where[0]);
      ck_assert_double_lt(position[0], (double)where[0] + 0.02);
      ck_assert_double_eq_tol(velocity[0], 100.0, 0.01);
      ck_assert_double_eq_tol(velocity[1], 0.0, 0.01);
    }
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(what_is_sent_gets_there_with_the_step_and_stands_still) {
  for (uint32_t substeps = 1; substeps <= 5; ++substeps) {
    weft_world_def def = def_at(60);
    def.substeps = substeps;
    const float start[3] = {0.0f, 10.0f, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    weft_collider_def box = collider_of_shape(WEFT_SHAPE_BOX);
    box.velocity[1] = 3.0f;
    const uint32_t number = add_collider(world, &box);
    const float place[3] = {1.0f, 2.0f, -3.0f};
    float rotation[4];
    turn_about_z(1.0, rotation);
    // the same turn by the opposite quaternion
    for (int k = 0; k < 4; ++k) rotation[k] = -rotation[k];
    expect_ok(weft_world_move_collider(world, number, place, rotation));
    for (int step = 0; step < 3; ++step) {
      weft_world_step(world, 1);
      float where[3];
      float turned[4];
      expect_ok(weft_world_get_collider(world, number, where, turned));
      for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq(where[axis], place[axis]);
      for (int k = 0; k < 4; ++k) ck_assert_float_eq_tol(turned[k], rotation[k], 1e-6f);
    }
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(a_spin_turns_by_its_angle) {
  const double spins[4] = {0.1, 3.0, 50.0, 1000.0};
  for (int k = 0; k < 4; ++k) {
    const weft_world_def def = def_at(100);
    const float start[3] = {0.0f, 10.0f, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    weft_collider_def box = collider_of_shape(WEFT_SHAPE_BOX);
    box.spin[2] = (float)spins[k];
    const uint32_t number = add_collider(world, &box);
    weft_world_step(world, 100);
    float turned[4];
    expect_ok(weft_world_get_collider(world, number, NULL, turned));
    const double half = 0.5 * (double)box.spin[2];
    // one rotation has two quaternions
    const double same = sin(half) * (double)turned[2] + cos(half) * (double)turned[3];
    ck_assert_double_eq_tol(fabs(same), 1.0, 1e-6);
    weft_world_destroy(&world);
  }
}
END_TEST

// rolls of a drum's wall: friction takes what lies on a turntable round with it
START_TEST(what_lies_on_a_turntable_goes_round_with_it) {
  weft_world_def def = def_at(60);
  def.substeps = 4;
  const float start[3] = {0.5f, 0.02f, 0.0f};
  weft_world* world = new_points(&def, start, 1);
  const weft_contact contact = sphere_contact(0.02f);
  touch_all(world, &contact);
  weft_collider_def table = collider_of_shape(WEFT_SHAPE_HALF_SPACE);
  table.static_friction = table.dynamic_friction = 1.0f;
  table.spin[1] = 1.0f;
  (void)add_collider(world, &table);
  weft_world_step(world, 240);
  double position[3];
  double velocity[3];
  read_particle(world, 0, position, velocity);
  const double angle = 4.0;
  ck_assert_double_eq_tol(position[0], 0.5 * cos(angle), 0.02);
  ck_assert_double_eq_tol(position[2], -0.5 * sin(angle), 0.02);
  ck_assert_double_eq_tol(hypot(velocity[0], velocity[2]), 0.5, 0.01);
  weft_world_destroy(&world);
}
END_TEST

// ---- depth that is none of a movement's ----

START_TEST(what_a_collider_appears_on_is_put_out_and_gets_no_velocity) {
  for (int shape = WEFT_SHAPE_HALF_SPACE; shape <= WEFT_SHAPE_ELLIPSOID; ++shape) {
    for (int springs = 0; springs < 2; ++springs) {
      weft_world_def def = def_at(60);
      def.springs = springs != 0;
      const float start[3] = {0.0f, -0.1f, 0.0f};
      weft_world* world = new_points(&def, start, 1);
      expect_ok(weft_world_set_gravity(world, (float[3]){0.0f, 0.0f, 0.0f}));
      const weft_contact contact = sphere_contact(0.05f);
      touch_all(world, &contact);
      weft_collider_def collider = bouncy((weft_shape)shape, 1.0f);
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
      weft_world_destroy(&world);
    }
  }
}
END_TEST

START_TEST(what_is_squeezed_between_two_colliders_stays_calm) {
  random_source random = {9};
  for (int round = 0; round < ROUNDS(25, 10); ++round) {
    weft_scene* scene = new_scene();
    const weft_body body = add_sheet(scene, 9, 9, STRUCTURAL | SHEAR);
    weft_world_def def = def_at(60);
    def.substeps = random_from(&random, 1, 3);
    weft_world* world = new_world(&def, scene);
    weft_scene_destroy(&scene);
    // they pass through each other
    weft_contact contact = sphere_contact(random_chance(&random, 2) ? 0.0f : 0.02f);
    contact.category = 2;
    contact.mask = 1;
    touch_all(world, &contact);
    double position[3];
    double velocity[3];
    read_particle(world, 40, position, velocity);
    for (int side = -1; side <= 1; side += 2) {
      weft_collider_def ball = collider_of_shape(
          (weft_shape)random_from(&random, WEFT_SHAPE_SPHERE, WEFT_SHAPE_ELLIPSOID));
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
        if (!(speed < 60.0)) ck_abort_msg("round %d, step %d: %g m/s", round, step, speed);
      }
    }
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(in_a_wedge_the_particle_stays_outside_of_both) {
  random_source random = {3};
  for (int round = 0; round < ROUNDS(200, 30); ++round) {
    const weft_world_def def = def_at(60);
    const float start[3] = {0.0f, 1.0f, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    const weft_contact contact = sphere_contact(random_chance(&random, 2) ? 0.0f : 0.05f);
    touch_all(world, &contact);
    const double angles[2] = {(double)random_float(&random, 0.2f, 1.3f),
                              (double)random_float(&random, -1.3f, -0.2f)};
    for (int k = 0; k < 2; ++k) {
      weft_collider_def wall = collider_of_shape(WEFT_SHAPE_PLANE);
      turn_about_z(angles[k], wall.rotation);
      wall.restitution = 0.0f;
      (void)add_collider(world, &wall);
    }
    expect_ok(weft_world_set_particle(
        world, 0, start, (float[3]){random_float(&random, -20.0f, 20.0f), -30.0f, 0.0f}));
    for (int step = 0; step < 60; ++step) {
      weft_world_step(world, 1);
      double position[3];
      double velocity[3];
      read_particle(world, 0, position, velocity);
      for (int k = 0; k < 2; ++k) {
        const double side = -sin(angles[k]) * position[0] + cos(angles[k]) * position[1];
        if (!(side > -2e-6)) ck_abort_msg("round %d, step %d: wall %d, %g", round, step, k, side);
      }
    }
    weft_world_destroy(&world);
  }
}
END_TEST

// ---- who meets whom ----

START_TEST(filters_and_pins_and_shapes_are_kept) {
  const weft_world_def def = def_at(60);
  float start[18];
  for (int i = 0; i < 6; ++i) {
    start[3 * i] = 2.0f * (float)i;
    start[3 * i + 1] = 1.0f;
    start[3 * i + 2] = 0.0f;
  }
  weft_world* world = new_points(&def, start, 6);
  // 0 has no contact, 1 another mask, 2 is pinned, 3 a box, 4 an ellipsoid, 5 cloth
  weft_contact contact = weft_default_contact();
  contact.mask = 2;
  expect_ok(weft_world_set_contact(world, 1, 1, &contact));
  contact = weft_default_contact();
  expect_ok(weft_world_set_contact(world, 2, 1, &contact));
  expect_ok(weft_world_set_inverse_mass(world, 2, 0.0f));
  const weft_contact_shape shapes[3] = {WEFT_CONTACT_BOX, WEFT_CONTACT_ELLIPSOID,
                                        WEFT_CONTACT_CLOTH};
  for (uint32_t k = 0; k < 3; ++k) {
    contact.shape = shapes[k];
    contact.half_size[0] = 0.3f;
    contact.half_size[1] = 0.2f;
    contact.half_size[2] = 0.1f;
    expect_ok(weft_world_set_contact(world, 3 + k, 1, &contact));
  }
  const weft_collider_def floor = collider_of_shape(WEFT_SHAPE_HALF_SPACE);
  const uint32_t number = add_collider(world, &floor);
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
  weft_contact_stats stats;
  expect_ok(weft_world_get_contact_stats(world, &stats));
  ck_assert_uint_eq(stats.collider_count, 1);
  // bodies that lie still may be carried by impulses alone
  ck_assert_uint_ge(stats.collider_contacts, 1);
  ck_assert_uint_le(stats.collider_contacts, 3);
  expect_ok(weft_world_remove_collider(world, number));
  weft_world_step(world, 60);
  double position[3];
  read_particle(world, 5, position, velocity);
  ck_assert_double_lt(position[1], -4.0);
  expect_ok(weft_world_get_contact_stats(world, &stats));
  ck_assert_uint_eq(stats.collider_count, 0);
  ck_assert_uint_eq(stats.collider_contacts, 0);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(far_away_they_hold_as_well) {
  const double away = 1e8;
  for (int shape = WEFT_SHAPE_PLANE; shape <= WEFT_SHAPE_ELLIPSOID; ++shape) {
    const weft_world_def def = def_at(60);
    const float start[3] = {0.0f, (float)away, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    const weft_contact contact = sphere_contact(1.0f);
    touch_all(world, &contact);
    weft_collider_def collider = collider_of_shape((weft_shape)shape);
    collider.position[1] = (float)(away - 1000.0);
    collider.radius = 200.0f;
    for (int axis = 0; axis < 3; ++axis) collider.half_size[axis] = 300.0f;
    (void)add_collider(world, &collider);
    expect_ok(weft_world_set_particle(world, 0, start, (float[3]){0.0f, -6000.0f, 0.0f}));
    weft_world_step(world, 120);
    double position[3];
    double velocity[3];
    read_particle(world, 0, position, velocity);
    const double tops[] = {0.0, 0.0, 200.0, 500.0, 300.0, 300.0};
    // coordinates there are eight metres apart
    ck_assert_double_eq_tol(position[1], away - 1000.0 + tops[shape] + 1.0, 32.0);
    ck_assert_double_lt(fabs(velocity[1]), 600.0);
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(a_planet_holds_what_falls_on_it) {
  const weft_world_def def = def_at(60);
  const float start[3] = {3.0f, 2.0f, 1.0f};
  weft_world* world = new_points(&def, start, 1);
  const weft_contact contact = sphere_contact(0.5f);
  touch_all(world, &contact);
  weft_collider_def planet = collider_of_shape(WEFT_SHAPE_SPHERE);
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
  weft_world_destroy(&world);
}
END_TEST

// ---- events ----

START_TEST(what_lies_there_tells_its_weight) {
  weft_world_def def = def_at(60);
  def.substeps = 3;
  const float start[3] = {0.0f, 0.1f, 0.0f};
  weft_world* world = new_points(&def, start, 1);
  const weft_contact contact = sphere_contact(0.1f);
  touch_all(world, &contact);
  weft_contact_limits limits = weft_default_contact_limits();
  limits.max_events = 100;
  limits.with_stays = true;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  const weft_collider_def floor = collider_of_shape(WEFT_SHAPE_HALF_SPACE);
  const uint32_t number = add_collider(world, &floor);
  weft_world_step(world, 10);
  weft_contact_event events[100];
  uint32_t count = 0;
  expect_ok(weft_world_take_contacts(world, 100, events, &count));
  ck_assert_uint_eq(count, 10);
  for (uint32_t k = 0; k < count; ++k) {
    ck_assert_int_eq(events[k].kind, k == 0 ? WEFT_CONTACT_BEGIN : WEFT_CONTACT_STAY);
    ck_assert_uint_eq(events[k].other, number);
    ck_assert(events[k].is_collider);
    ck_assert_float_eq(events[k].normal[1], 1.0f);
    if (k > 0) ck_assert_double_eq_tol((double)events[k].impulse, GRAVITY / 60.0, 1e-3);
  }
  weft_world_destroy(&world);
}
END_TEST

// ---- the same bits ----

enum { SHEET_SIDE = 50 };

static weft_scene* new_mixed_scene(void) {
  weft_scene* scene = new_scene();
  random_source random = {77};
  (void)add_sheet(scene, SHEET_SIDE, SHEET_SIDE, ALL_FAMILIES);
  (void)add_cloud(scene, &random, 1000, 4.0f);
  return scene;
}

static void add_many(weft_world* world) {
  random_source random = {78};
  for (int k = 0; k < 40; ++k) {
    weft_collider_def def = collider_of_shape(
        (weft_shape)random_from(&random, WEFT_SHAPE_SPHERE, WEFT_SHAPE_ELLIPSOID));
    if (k == 0) def.shape = WEFT_SHAPE_PLANE;
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
    (void)add_collider(world, &def);
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
  weft_scene_destroy(&scene);
  random_source random = {79};
  const uint32_t count = particle_count_of(world);
  for (uint32_t i = 0; i < count; i += 50) {
    weft_contact contact = sphere_contact(random_chance(&random, 3) ? 0.0f : 0.01f);
    // the sheet is of points and of cloth
    const weft_contact_shape of_sheet[2] = {WEFT_CONTACT_POINT, WEFT_CONTACT_CLOTH};
    contact.shape = i < SHEET_SIDE * SHEET_SIDE ? of_sheet[random_below(&random, 2)]
                                                : (weft_contact_shape)random_below(&random, 5);
    for (int axis = 0; axis < 3; ++axis)
      contact.half_size[axis] = random_float(&random, 0.01f, 0.1f);
    contact.restitution = random_float(&random, 0.0f, 1.0f);
    // bodies lie in each other here: they meet colliders alone
    contact.category = 2;
    contact.mask = 1;
    if (random_chance(&random, 9)) continue;
    expect_ok(weft_world_set_contact(world, i, count - i < 50 ? count - i : 50, &contact));
  }
  add_many(world);
  weft_world_step(world, ROUNDS(15, 5));
  expect_ok(weft_world_move_collider(world, 3, (float[3]){0.0f, 0.0f, 0.0f}, NULL));
  expect_ok(weft_world_remove_collider(world, 5));
  weft_world_step(world, ROUNDS(8, 5));
  uint64_t hash = 0;
  hash = weft_world_hash(world);
  weft_contact_stats stats;
  expect_ok(weft_world_get_contact_stats(world, &stats));
  ck_assert_uint_gt(stats.collider_contacts, 50);
  hash = hash * 31 + stats.collider_contacts;
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < 3 * count; ++i) require(isfinite(positions[i]));
  free(positions);
  weft_world_destroy(&world);
  return hash;
}

START_TEST(all_workers_and_instruction_sets_give_one_result) {
  for (int springs = 0; springs < 2; ++springs) {
    const uint64_t wanted = hash_of(1, WEFT_ISA_AUTO, springs != 0);
    const uint32_t workers[] = {2, 3, 7};
    for (int k = 0; k < 3; ++k) {
      ck_assert_uint_eq(hash_of(workers[k], WEFT_ISA_AUTO, springs != 0), wanted);
    }
    for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
      ck_assert_uint_eq(hash_of(2, (weft_isa)isa, springs != 0), wanted);
    }
  }
}
END_TEST

int main(void) {
  test_suite suite = new_suite("colliders");
  tcase_add_test(suite.tests, a_bounce_comes_to_the_square_of_the_restitution_at_any_step);
  tcase_add_test(suite.tests, what_has_stopped_bouncing_lies_still);
  tcase_add_test(suite.tests, what_friction_holds_does_not_creep);
  tcase_add_test(suite.tests, what_friction_cannot_hold_slides_as_the_closed_form_does);
  tcase_add_test(suite.tests, what_slides_stops_after_the_way_of_the_closed_form);
  tcase_add_test(suite.tests, a_sheet_on_a_slope_does_not_creep);
  tcase_add_test(suite.tests, nothing_fast_passes_through_what_is_thin);
  tcase_add_test(suite.tests, a_plane_is_passed_from_neither_side);
  tcase_add_test(suite.tests, a_fast_plate_sweeps_particles_along);
  tcase_add_test(suite.tests, what_is_sent_gets_there_with_the_step_and_stands_still);
  tcase_add_test(suite.tests, a_spin_turns_by_its_angle);
  tcase_add_test(suite.tests, what_lies_on_a_turntable_goes_round_with_it);
  tcase_add_test(suite.tests, what_a_collider_appears_on_is_put_out_and_gets_no_velocity);
  tcase_add_test(suite.tests, what_is_squeezed_between_two_colliders_stays_calm);
  tcase_add_test(suite.tests, in_a_wedge_the_particle_stays_outside_of_both);
  tcase_add_test(suite.tests, filters_and_pins_and_shapes_are_kept);
  tcase_add_test(suite.tests, far_away_they_hold_as_well);
  tcase_add_test(suite.tests, a_planet_holds_what_falls_on_it);
  tcase_add_test(suite.tests, what_lies_there_tells_its_weight);
  tcase_add_test(suite.tests, all_workers_and_instruction_sets_give_one_result);
  return run_suite(suite);
}
