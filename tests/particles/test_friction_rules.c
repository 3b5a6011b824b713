/* Friction of two surfaces by each rule, against the closed form of sliding. */
#include "support/collided.h"
#include "support/test.h"

typedef struct rule_case {
  weft_friction_rule rule;
  float own, other; /* coefficients, static and dynamic */
  float in_table;   /* of materials 3 and 5; below 0 = none */
  double expected;
} rule_case;

static const rule_case cases[] = {
    {WEFT_FRICTION_RULE_ROOT_SUM_SQUARES, 0.3f, 0.4f, -1.0f, 0.5},
    {WEFT_FRICTION_RULE_MEAN, 0.3f, 0.4f, -1.0f, 0.35},
    {WEFT_FRICTION_RULE_MEAN, 0.0f, 0.4f, -1.0f, 0.2},
    {WEFT_FRICTION_RULE_TABLE, 0.3f, 0.4f, 0.1f, 0.1},
    {WEFT_FRICTION_RULE_TABLE, 0.3f, 0.4f, -1.0f, 0.5},
};

static weft_world* new_rule_world(const rule_case* c, weft_world_def def, const float* positions,
                                  uint32_t count) {
  def.friction_rule = c->rule;
  weft_world* world = new_points(&def, positions, count);
  if (c->in_table < 0.0f) return world;
  weft_surface_def pair = {0};
  pair.static_friction = pair.dynamic_friction = c->in_table;
  expect_ok(weft_world_set_material_pair(world, 5, 3, &pair));
  return world;
}

static weft_particle_shape_def box_of(float friction, uint32_t material, float half_width) {
  weft_particle_shape_def shape =
      shape_def(.shape = WEFT_PARTICLE_SHAPE_BOX, .half_size = {half_width, 0.1f, 0.1f},
                .friction = friction);
  shape.material = material;
  return shape;
}

// Support that a box slides on: a half-space, a box collider, a pinned body
enum { FLOOR, BLOCK, BODY, FLOORS };

LOOP_TEST(a_body_slides_as_far_as_the_rule_of_the_pair_has_it, 0,
          FLOORS*(int)(sizeof(cases) / sizeof(*cases))) {
  const rule_case* c = &cases[_i / FLOORS];
  const int floor = _i % FLOORS;
  const float positions[2][3] = {{0.0f, 0.1f, 0.0f}, {0.0f, -0.1f, 0.0f}};
  weft_world* world = new_rule_world(c, def_at(1000), positions[0], floor == BODY ? 2 : 1);
  const weft_particle_shape_def shape = box_of(c->own, 3, 0.1f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &shape));
  if (floor == BODY) {
    const weft_particle_shape_def wide = box_of(c->other, 5, 10.0f);
    const float pinned = 0.0f;
    expect_ok(weft_world_set_particle_shape(world, weft_range(1, 1), &wide));
    expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, 1, 1, &pinned, 0);
  } else {
    weft_collider_def ground = collider_of_shape(floor == FLOOR ? WEFT_COLLIDER_SHAPE_HALF_SPACE
                                                                : WEFT_COLLIDER_SHAPE_BOX);
    ground.half_size[0] = 10.0f;
    ground.position[1] = floor == BLOCK ? -0.5f : 0.0f;
    ground.surface.static_friction = ground.surface.dynamic_friction = c->other;
    ground.material = 5;
    (void)add_collider(world, &ground);
  }
  const float velocity[3] = {1.0f, 0.0f, 0.0f};
  weft_world_step(world, 10);
  double from[3], to[3], speed[3];
  read_particle(world, 0, from, speed);
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity, 0);
  weft_world_step(world, 1500);
  read_particle(world, 0, to, speed);
  const double expected = 1.0 / (2.0 * c->expected * GRAVITY);
  ck_assert_double_eq_tol(to[0] - from[0], expected, 0.01 * expected);
  ck_assert_double_eq_tol(speed[0], 0.0, 1e-4);
}

TEST(the_table_is_symmetric_and_holds_restitution_too) {
  const rule_case c = {.rule = WEFT_FRICTION_RULE_TABLE, .in_table = -1.0f};
  const float above[3] = {0.0f, 1.1f, 0.0f};
  weft_world* world = new_rule_world(&c, def_at(1000), above, 1);
  weft_surface_def pair = {0};
  pair.restitution = 0.5f;
  pair.static_friction = 0.25f;
  expect_ok(weft_world_set_material_pair(world, 2, 7, &pair));
  weft_particle_shape_def shape = sphere_contact(0.1f);
  shape.material = 7;
  touch_all(world, &shape);
  weft_collider_def ground = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
  ground.material = 2;
  (void)add_collider(world, &ground);
  double highest = 0.0, position[3], velocity[3];
  for (int step = 0; step < 900; ++step) {
    weft_world_step(world, 1);
    read_particle(world, 0, position, velocity);
    if (step > 460 && position[1] > highest) highest = position[1];
  }
  ck_assert_double_eq_tol(highest, 0.1 + 0.25, 0.005);
}

TEST(wrong_materials_are_named) {
  const float origin[3] = {0.0f, 0.0f, 0.0f};
  const rule_case table = cases[4];
  weft_world* world = new_rule_world(&table, def_at(60), origin, 1);
  weft_world* other = new_rule_world(&cases[0], def_at(60), origin, 1);
  const weft_surface_def pair = {0};
  expect_error(weft_world_set_material_pair(other, 0, 1, &pair), WEFT_ERROR_DISABLED,
               "weft_world_def.friction_rule");
  expect_error(weft_world_set_material_pair(world, 16, 1, &pair), WEFT_ERROR_INDEX, "a");
  expect_error(weft_world_set_material_pair(world, 1, 16, &pair), WEFT_ERROR_INDEX, "b");
}
