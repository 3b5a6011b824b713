/* Restitution and friction between particles and colliders. */
#include "support/collided.h"
#include "support/test.h"

#define PI 3.14159265358979323846

// ---- bouncing ----

// height of the apex between this bounce and the next
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

static weft_collider_def bouncy(weft_collider_shape shape, float restitution) {
  weft_collider_def def = collider_of_shape(shape);
  def.restitution = restitution;
  return def;
}

static void bounce(weft_collider_shape shape, float radius, int rate, uint32_t substeps,
                   weft_integrator integrator) {
  weft_world_def def = def_at(rate);
  def.substeps = substeps;
  def.integrator = integrator;
  const float e = 0.8f;
  weft_collider_def collider = bouncy(shape, e);
  const double top =
      shape == WEFT_COLLIDER_SHAPE_PLANE || shape == WEFT_COLLIDER_SHAPE_HALF_SPACE ? 0.0 : 0.5;
  collider.radius = 0.5f;
  if (shape == WEFT_COLLIDER_SHAPE_CAPSULE) collider.radius = 0.25f;
  if (shape == WEFT_COLLIDER_SHAPE_CAPSULE) collider.half_size[1] = 0.25f;
  const double height = 1.0;
  const float start[3] = {0.0f, (float)(top + height) + radius, 0.0f};
  weft_world* world = new_points(&def, start, 1);
  weft_particle_shape_def contact = sphere_contact(radius);
  contact.restitution = 1.0f;
  touch_all(world, &contact);
  (void)add_collider(world, &collider);
  double expected = height;
  for (int k = 0; k < 3; ++k) {
    expected *= (double)(e * e);
    const double apex = next_apex(world, 1, top + (double)radius);
    // apex sampled between two steps: up to half a step's fall below the true one
    const double unseen = GRAVITY / 8.0 / rate / rate;
    if (fabs(apex - expected) > 0.004 * expected + unseen) {
      ck_abort_msg("shape %d, %d Hz: %g, not %g", (int)shape, rate, apex, expected);
    }
  }
}

TEST(a_bounce_comes_to_the_square_of_the_restitution_at_any_step) {
  for (int shape = WEFT_COLLIDER_SHAPE_PLANE; shape <= WEFT_COLLIDER_SHAPE_ELLIPSOID; ++shape) {
    for (int rate = 30; rate <= 240; rate *= 2) {
      bounce((weft_collider_shape)shape, 0.0f, rate, 1, WEFT_INTEGRATOR_POSITION_VERLET);
      bounce((weft_collider_shape)shape, 0.1f, rate, 1, WEFT_INTEGRATOR_POSITION_VERLET);
    }
    bounce((weft_collider_shape)shape, 0.1f, 60, 4, WEFT_INTEGRATOR_POSITION_VERLET);
    bounce((weft_collider_shape)shape, 0.1f, 60, 1, WEFT_INTEGRATOR_VELOCITY_VERLET);
    bounce((weft_collider_shape)shape, 0.0f, 60, 4, WEFT_INTEGRATOR_VELOCITY_VERLET);
  }
}

TEST(what_has_stopped_bouncing_lies_still) {
  for (int shape = WEFT_COLLIDER_SHAPE_PLANE; shape <= WEFT_COLLIDER_SHAPE_ELLIPSOID; ++shape) {
    const weft_world_def def = def_at(60);
    weft_collider_def collider = bouncy((weft_collider_shape)shape, 0.5f);
    const float start[3] = {0.0f, 1.5f, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    weft_particle_shape_def contact = sphere_contact(0.02f);
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
  }
}

// ---- friction ----

// flat collider, tilted by this angle so that it falls towards x
static void slope_of(double angle, weft_collider_shape shape, float friction,
                     weft_collider_def* slope) {
  *slope = collider_of_shape(shape);
  turn_about_z(-angle, slope->rotation);
  slope->static_friction = slope->dynamic_friction = friction;
  slope->half_size[0] = slope->half_size[2] = 100.0f;
  if (shape != WEFT_COLLIDER_SHAPE_BOX) return;
  slope->position[0] = (float)(-0.5 * sin(angle));
  slope->position[1] = (float)(-0.5 * cos(angle));
}

static const weft_collider_shape flat_shapes[] = {
    WEFT_COLLIDER_SHAPE_PLANE, WEFT_COLLIDER_SHAPE_HALF_SPACE, WEFT_COLLIDER_SHAPE_BOX};
enum { FLAT_COUNT = 3 };

// displacement of a particle on a slope in some seconds
static double slide(weft_collider_shape shape, double angle, float friction, uint32_t substeps,
                    double seconds, weft_integrator integrator) {
  weft_world_def def = def_at(60);
  def.substeps = substeps;
  def.integrator = integrator;
  const float radius = 0.05f;
  const float start[3] = {radius * (float)sin(angle), radius * (float)cos(angle), 0.3f};
  weft_world* world = new_points(&def, start, 1);
  const weft_particle_shape_def contact = sphere_contact(radius);
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
  return way;
}

TEST(what_friction_holds_does_not_creep) {
  const double angle = 20.0 * PI / 180.0;
  const float friction = (float)tan(angle) * 1.02f;
  for (int k = 0; k < FLAT_COUNT; ++k) {
    for (uint32_t substeps = 1; substeps <= 8; substeps *= 8) {
      ck_assert_double_lt(
          slide(flat_shapes[k], angle, friction, substeps, 60.0, WEFT_INTEGRATOR_POSITION_VERLET),
          1e-3);
      ck_assert_double_lt(
          slide(flat_shapes[k], angle, friction, substeps, 10.0, WEFT_INTEGRATOR_VELOCITY_VERLET),
          1e-3);
    }
  }
}

TEST(what_friction_cannot_hold_slides_as_the_closed_form_does) {
  const double angle = 20.0 * PI / 180.0;
  const float friction = 0.2f;
  const double a = GRAVITY * (sin(angle) - (double)friction * cos(angle));
  for (int k = 0; k < FLAT_COUNT; ++k) {
    for (uint32_t substeps = 1; substeps <= 8; substeps *= 8) {
      const double way =
          slide(flat_shapes[k], angle, friction, substeps, 2.0, WEFT_INTEGRATOR_POSITION_VERLET);
      ck_assert_double_eq_tol(way, a * 2.0, 0.01 * a * 2.0);
    }
  }
}

TEST(what_slides_stops_after_the_way_of_the_closed_form) {
  const float friction = 0.3f;
  const float speed = 5.0f;
  for (int k = 0; k < FLAT_COUNT; ++k) {
    for (int rate = 60; rate <= 240; rate *= 4) {
      const weft_world_def def = def_at(rate);
      const float start[3] = {0.0f, 0.1f, 0.0f};
      weft_world* world = new_points(&def, start, 1);
      const weft_particle_shape_def contact = sphere_contact(0.1f);
      touch_all(world, &contact);
      weft_collider_def floor;
      slope_of(0.0, flat_shapes[k], friction, &floor);
      (void)add_collider(world, &floor);
      // starts in contact, with `speed` along the floor
      place_particle(world, 0, start, (float[3]){0.6f * speed, 0.0f, 0.8f * speed});
      weft_world_step(world, (uint32_t)rate * 4);
      double position[3];
      double velocity[3];
      read_particle(world, 0, position, velocity);
      const double expected = (double)(speed * speed) / (2.0 * (double)friction * GRAVITY);
      const double way = hypot(position[0], position[2]);
      ck_assert_double_eq_tol(way, expected, 0.01 * expected + 0.5 * (double)speed / rate);
      ck_assert_double_eq(velocity[0], 0.0);
      ck_assert_double_eq_tol(position[0] / way, 0.6, 1e-4);
    }
  }
}

static double sheet_creep(uint32_t substeps, uint32_t iterations, weft_collider_shape shape) {
  enum { SIDE = 17 };
  const double angle = 20.0 * PI / 180.0;
  weft_scene* scene = new_scene();
  const weft_sheet_def sheet = sheet_def(.side = SIDE, .spacing = 1.0f / (float)(SIDE - 1));
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &body));
  weft_world_def def = def_at(60);
  def.substeps = substeps;
  def.iterations = iterations;
  weft_world* world = new_world(&def, scene);
  const float radius = 0.01f;
  // sheet on the slope
  for (uint32_t i = 0; i < body.particle_count; ++i) {
    const double u = (double)(i % SIDE) / (SIDE - 1) - 0.5;
    const double v = (double)(i / SIDE) / (SIDE - 1) - 0.5;
    const double n = (double)radius;
    const float place[3] = {(float)(u * cos(angle) + n * sin(angle)),
                            (float)(-u * sin(angle) + n * cos(angle)), (float)v};
    place_particle(world, i, place, NULL);
  }
  weft_particle_shape_def contact = sphere_contact(radius);
  contact.shape = WEFT_PARTICLE_SHAPE_POINT;
  touch_all(world, &contact);
  weft_collider_def slope;
  slope_of(angle, shape, 0.5f, &slope);
  (void)add_collider(world, &slope);
  weft_world_step(world, 120);
  float* before = new_positions(world);
  weft_world_step(world, 60 * ROUNDS(60, 2));
  float* after = new_positions(world);
  double upper = 0.0;
  for (uint32_t i = 0; i < 3 * body.particle_count; ++i) {
    upper = fmax(upper, fabs((double)after[i] - (double)before[i]));
  }
  return upper;
}

TEST(a_sheet_on_a_slope_does_not_creep) {
  ck_assert_double_lt(sheet_creep(1, 10, WEFT_COLLIDER_SHAPE_PLANE), 1e-3);
  ck_assert_double_lt(sheet_creep(4, 2, WEFT_COLLIDER_SHAPE_HALF_SPACE), 1e-3);
  ck_assert_double_lt(sheet_creep(4, 2, WEFT_COLLIDER_SHAPE_BOX), 1e-3);
}
