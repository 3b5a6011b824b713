/* Cloth squeezed between colliders: it is held up to Coulomb's limit, and goes along with them. */
#include "support/collided.h"
#include "support/test.h"

// metres
#define RADIUS 0.005
// share of their distance by which two layers overlap
#define COMPRESSION 0.4
// pascals, of cloth pressed to nothing
#define PRESSURE 1e4

// newtons: normal force between a layer of one particle and its collider
static const double force = PRESSURE * COMPRESSION * 4.0 * RADIUS * RADIUS;

static weft_collider add_plate(weft_world* world, double side, float friction) {
  weft_collider_def plate = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
  for (int axis = 0; axis < 3; ++axis) plate.half_size[axis] = axis == 2 ? 0.1f : 10.0f;
  // layers at their distance from the plates, and from each other too close
  plate.position[2] = (float)(side * (RADIUS * (2.0 - COMPRESSION) + 0.1));
  plate.static_friction = plate.dynamic_friction = friction;
  return add_collider(world, &plate);
}

typedef struct press {
  weft_world* world;
  weft_collider plates[2];
} press;

/* Two particles of cloth between plates that lie above each other along z; their friction is that
 * of the plates alone. */
static press new_press(double mass, float friction, uint32_t substeps, bool is_one_layer) {
  weft_world_def def = def_at(60);
  def.substeps = substeps;
  def.loads = true;
  const float z = (float)(RADIUS * (1.0 - COMPRESSION));
  const float at[2][3] = {{0.0f, 0.0f, -z}, {0.0f, is_one_layer ? 1.0f : 0.0f, z}};
  press made = {.world = new_points(&def, at[0], 2)};
  for (uint32_t i = 0; i < 2; ++i) set_inverse_mass(made.world, i, (float)(1.0 / mass));
  weft_particle_shape_def cloth =
      shape_def(.shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = (float)RADIUS);
  cloth.static_friction = cloth.dynamic_friction = 0.0f;
  touch_all(made.world, &cloth);
  for (int k = 0; k < 2; ++k) made.plates[k] = add_plate(made.world, k == 0 ? -1.0 : 1.0, friction);
  return made;
}

/* Velocity of the lower particle after a second, metres a second. */
static double speed_after_a_second(double mass, float friction, uint32_t substeps,
                                   bool is_one_layer) {
  press made = new_press(mass, friction, substeps, is_one_layer);
  double position[3];
  double velocity[3];
  weft_world_step(made.world, 60);
  read_particle(made.world, 0, position, velocity);
  weft_world_destroy(&made.world);
  return -velocity[1];
}

TEST(squeezed_layers_hold_up_to_coulombs_limit_and_slide_beyond) {
  static const struct {
    float friction;
    double load;  // weight over the limit of friction
  } cases[] = {{0.5f, 0.98}, {0.5f, 1.02}, {0.5f, 2.0}, {0.1f, 0.98}, {0.1f, 1.02}, {0.1f, 2.0}};
  for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); ++k) {
    const double mass = cases[k].load * (double)cases[k].friction * force / GRAVITY;
    const double expected = cases[k].load > 1.0 ? GRAVITY * (1.0 - 1.0 / cases[k].load) : 0.0;
    for (uint32_t substeps = 4; substeps <= 16; substeps *= 4) {
      const double speed = speed_after_a_second(mass, cases[k].friction, substeps, false);
      if (fabs(speed - expected) > 0.005 * GRAVITY || (expected == 0.0 && speed != 0.0)) {
        ck_abort_msg("case %zu, %u substeps: %g, not %g m/s", k, (unsigned)substeps, speed,
                     expected);
      }
    }
  }
}

TEST(what_is_not_squeezed_falls_between_colliders) {
  const double mass = 0.5 * force / GRAVITY;
  ck_assert_double_eq_tol(speed_after_a_second(mass, 1.0f, 8, true), GRAVITY, 0.01);
  ck_assert_double_eq_tol(speed_after_a_second(mass, 0.0f, 8, false), GRAVITY, 0.01);
}

/* A link between opposite layers, of two particles each, in plates without gravity. */
static press new_linked_press(float half, float z) {
  const float at[4][3] = {{-half, 0, -z}, {half, 0, z}, {-half, 0, z}, {half, 0, -z}};
  const float inverse_mass[4] = {3e4f, 3e4f, 3e4f, 3e4f};
  weft_scene* scene = new_points_scene(at[0], inverse_mass, 4);
  weft_link_def link = weft_default_link_def();
  link.b = 1;
  link.rest_length = 2.0f * hypotf(half, z);
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  weft_world_def def = def_at(60);
  def.substeps = 8;
  def.gravity[1] = 0.0f;
  press made = {.world = new_world(&def, scene)};
  const weft_particle_shape_def cloth =
      shape_def(.shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = (float)RADIUS);
  touch_all(made.world, &cloth);
  for (int k = 0; k < 2; ++k) made.plates[k] = add_plate(made.world, k == 0 ? -1.0 : 1.0, 1.0f);
  return made;
}

TEST(colliders_that_slide_past_each_other_hold_no_cloth) {
  static const struct {
    double slide;  // metres of each plate in a second, apart
    double turn;   // radians of both plates about the middle of the link
    bool is_held;
  } cases[] = {{0.0, 0.0, true},   {0.003, 0.0, true},  {0.0, 3.0, true},
               {0.003, 3.0, true}, {0.006, 0.0, false}, {0.25, 0.0, false}};
  const float half = (float)(3.0 * RADIUS);
  const float z = (float)(RADIUS * (1.0 - COMPRESSION));
  for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); ++n) {
    press made = new_linked_press(half, z);
    double ends[2][3];
    double velocity[3];
    const double sine = sin(cases[n].turn);
    const double cosine = cos(cases[n].turn);
    for (int step = 1; step <= 60; ++step) {
      const double angle = cases[n].turn * step / 60.0;
      const float rotation[4] = {0.0f, (float)sin(0.5 * angle), 0.0f, (float)cos(0.5 * angle)};
      for (int k = 0; k < 2; ++k) {
        const double side = k == 0 ? -1.0 : 1.0;
        const double away = side * (RADIUS * (2.0 - COMPRESSION) + 0.1);
        const double slid = side * cases[n].slide * step / 60.0;
        const float place[3] = {(float)(away * sin(angle) + slid * cos(angle)), 0.0f,
                                (float)(away * cos(angle) - slid * sin(angle))};
        expect_ok(weft_world_move_collider(made.world, made.plates[k], place, rotation));
      }
      weft_world_step(made.world, 1);
    }
    for (uint32_t i = 0; i < 2; ++i) read_particle(made.world, i, ends[i], velocity);
    const double length = hypot(ends[1][0] - ends[0][0], ends[1][2] - ends[0][2]);
    const double along = (double)half + (cases[n].is_held ? cases[n].slide : 0.0);
    ck_assert_double_eq_tol(length, 2.0 * hypot(along, (double)z), 1e-4);
    if (cases[n].is_held) {
      ck_assert_double_eq_tol(ends[1][0], along * cosine + (double)z * sine, 1e-4);
      ck_assert_double_eq_tol(ends[1][2], (double)z * cosine - along * sine, 1e-4);
    }
    weft_world_destroy(&made.world);
  }
}
