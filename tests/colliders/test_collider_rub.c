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
  def.surface.restitution = restitution;
  return def;
}

static void bounce(weft_collider_shape shape, float radius, int rate, uint32_t substeps,
                   weft_integrator integrator) {
  weft_world_def def = def_at(rate);
  def.solver.substeps = substeps;
  def.solver.integrator = integrator;
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
  contact.surface.restitution = 1.0f;
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

// ---- friction ----

// flat collider, tilted by this angle so that it falls towards x
static void slope_of(double angle, weft_collider_shape shape, float friction,
                     weft_collider_def* slope) {
  *slope = collider_of_shape(shape);
  turn_about_z(-angle, slope->rotation);
  slope->surface.static_friction = slope->surface.dynamic_friction = friction;
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
  def.solver.substeps = substeps;
  def.solver.integrator = integrator;
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

// ---- between two colliders ----

typedef struct grip {
  weft_collider_shape pads;
  float gap;  // radii that the pads are apart
  float friction;
  uint32_t substeps;
} grip;

// Two pads that leave a particle no room rise by 0.3 m in a second; returns how far they leave it
// behind.
static double slip_out(const grip* g) {
  const float radius = 0.01f, origin[3] = {0.0f, 0.0f, 0.0f};
  weft_world_def def = def_at(60);
  def.solver.substeps = g->substeps;
  weft_world* world = new_points(&def, origin, 1);
  weft_particle_shape_def contact = sphere_contact(radius);
  contact.surface.static_friction = contact.surface.dynamic_friction = g->friction;
  touch_all(world, &contact);
  weft_collider pads[2];
  float at[2][3] = {{0}};
  for (int k = 0; k < 2; ++k) {
    weft_collider_def pad = collider_of_shape(g->pads);
    const float half = 0.05f;
    for (int axis = 0; axis < 3; ++axis) pad.half_size[axis] = half;
    pad.radius = half;
    pad.surface.static_friction = pad.surface.dynamic_friction = g->friction;
    at[k][2] = (k == 0 ? -1.0f : 1.0f) * (half + 0.5f * g->gap * radius);
    memcpy(pad.position, at[k], sizeof(pad.position));
    pads[k] = add_collider(world, &pad);
  }
  for (int step = 1; step <= 120; ++step) {
    for (int k = 0; k < 2; ++k) {
      at[k][1] = 0.3f * (float)(step < 60 ? step : 60) / 60.0f;
      expect_ok(weft_world_move_collider(world, pads[k], at[k], NULL));
    }
    weft_world_step(world, 1);
  }
  double position[3], velocity[3];
  read_particle(world, 0, position, velocity);
  return 0.3 - position[1];
}

TEST(what_two_colliders_press_is_held_by_both) {
  static const grip held[] = {
      {WEFT_COLLIDER_SHAPE_BOX, 1.9f, 0.3f, 8},
      {WEFT_COLLIDER_SHAPE_BOX, 1.0f, 0.3f, 8},
      {WEFT_COLLIDER_SHAPE_BOX, 1.0f, 0.3f, 1},
      {WEFT_COLLIDER_SHAPE_CAPSULE, 1.0f, 0.3f, 8},
  };
  for (size_t k = 0; k < sizeof(held) / sizeof(held[0]); ++k) {
    const double left = slip_out(&held[k]);
    if (!(fabs(left) < 1e-3)) ck_abort_msg("row %zu: left behind by %g m", k, left);
  }
  const grip slippery = {WEFT_COLLIDER_SHAPE_BOX, 1.0f, 0.0f, 8};
  ck_assert_double_gt(slip_out(&slippery), 1.0);
}
