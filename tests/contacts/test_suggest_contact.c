/* Suggested thickness and substeps: by what they hold. */
#include <math.h>

#include "support/test.h"

enum { SIDE = 17, COUNT = SIDE * SIDE };

// height: of the upper one above the lower one, spacings
static weft_scene* new_layers(float spacing, float height, weft_body* upper) {
  weft_scene* scene = new_scene();
  const weft_body lower = add_cloth(scene, .side = SIDE, .spacing = spacing, .is_level = true);
  expect_ok(weft_scene_pin(scene, weft_range(lower.first_particle, lower.particle_count)));
  *upper = add_cloth(scene, .side = SIDE, .spacing = spacing, .is_level = true,
                     .origin = {0.37f * spacing, height * spacing, 0.21f * spacing});
  return scene;
}

static weft_contact_suggestion suggest(const weft_scene* scene, const weft_body* body,
                                       const weft_collider_def* collider, float speed) {
  weft_contact_suggestion s;
  expect_ok(weft_suggest_contact(scene, body, collider, speed, NULL, &s));
  return s;
}

// Particles of a sheet thrown at another one, the borders apart, that end below it.
static uint32_t count_passed_from(float height, float spacing, float speed, uint32_t substeps,
                                  float thickness) {
  weft_body upper;
  weft_scene* scene = new_layers(spacing, height, &upper);
  weft_world_def def = weft_default_world_def();
  def.solver.substeps = substeps;
  def.gravity[1] = 0.0f;
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.half_size[0] = thickness;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 2 * COUNT), &shape));
  float velocities[COUNT][3] = {{0}}, positions[COUNT][3];
  for (int i = 0; i < COUNT; ++i) velocities[i][1] = -speed;
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, COUNT, COUNT, velocities[0], 0);
  const uint32_t steps = (uint32_t)(60.0f * height * spacing / speed) + 3;
  weft_world_step(world, steps);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, COUNT, COUNT, positions[0]);
  uint32_t passed = 0;
  for (int row = 2; row < SIDE - 2; ++row)
    for (int column = 2; column < SIDE - 2; ++column)
      passed += positions[row * SIDE + column][1] < 0.0f;
  return passed;
}

// Where in a substep they meet differs.
static uint32_t count_passed(float spacing, float speed, uint32_t substeps, float thickness) {
  uint32_t passed = 0;
  for (int k = 0; k < 3; ++k)
    passed += count_passed_from(6.0f + 0.7f * (float)k, spacing, speed, substeps, thickness);
  return passed;
}

TEST(layers_stay_apart_with_suggested_settings_and_pass_when_far_faster) {
  const struct {
    float spacing, speed;
    weft_contact_reason reason;
  } rows[] = {
      {0.02f, 2.0f, WEFT_CONTACT_REASON_STIFFNESS},
      {0.02f, 5.0f, WEFT_CONTACT_REASON_SPEED},
      {0.005f, 1.2f, WEFT_CONTACT_REASON_SPEED},
      {0.05f, 13.0f, WEFT_CONTACT_REASON_SPEED},
  };
  for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); ++k) {
    weft_body upper;
    weft_scene* scene = new_layers(rows[k].spacing, 6.0f, &upper);
    const weft_contact_suggestion s = suggest(scene, &upper, NULL, rows[k].speed);
    ck_assert_int_eq(s.reason, rows[k].reason);
    ck_assert(s.collision == WEFT_COLLISION_SOFT && s.fastest >= rows[k].speed);
    ck_assert_uint_eq(count_passed(rows[k].spacing, rows[k].speed, s.substeps, s.thickness), 0);
    require(count_passed(rows[k].spacing, 16.0f * s.fastest, s.substeps, s.thickness) > COUNT / 4);
  }
}

TEST(what_substeps_do_not_hold_takes_ccd) {
  weft_body upper;
  weft_scene* scene = new_layers(0.02f, 6.0f, &upper);
  const weft_contact_suggestion s = suggest(scene, &upper, NULL, 50.0f);
  ck_assert_int_eq(s.reason, WEFT_CONTACT_REASON_TOO_FAST);
  ck_assert(s.collision == WEFT_COLLISION_EXACT && s.substeps == 32 && s.fastest < 50.0f);

  weft_scene* strip = new_scene();
  const float points[4][3] = {
      {0.0f, 0.0f, 0.0f}, {0.1f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {0.1f, 0.0f, 1.0f}};
  weft_mesh_def mesh = weft_default_mesh_def();
  mesh.positions = points[0];
  mesh.vertex_count = 4;
  mesh.triangles = (const uint32_t[]){0, 2, 1, 1, 2, 3};
  mesh.triangle_count = 2;
  weft_body body;
  expect_ok(weft_scene_add_mesh(strip, &mesh, &body));
  const weft_contact_suggestion long_faces = suggest(strip, &body, NULL, 0.0f);
  ck_assert_int_eq(long_faces.reason, WEFT_CONTACT_REASON_GAPS);
  ck_assert_int_eq(long_faces.collision, WEFT_COLLISION_EXACT);
}

// Deepest point of half a cell, by samples, whose corners touch a sphere.
static double sampled_dip(double radius, double thickness, double spacing) {
  const double r = spacing / sqrt(2.0);
  const double square = (radius + thickness) * (radius + thickness) - r * r;
  const double height = square > 0.0 ? sqrt(square) : 0.0;
  double nearest = INFINITY;
  for (int i = 0; i <= 200; ++i) {
    for (int k = 0; k <= 200 - i; ++k) {
      const double x = spacing * (i / 200.0 - 0.5), z = spacing * (k / 200.0 - 0.5);
      nearest = fmin(nearest, sqrt(x * x + z * z + height * height));
    }
  }
  return fmax(radius - nearest, 0.0);
}

TEST(dips_of_faces_into_colliders_are_reported) {
  const float spacings[] = {0.1f, 0.02f};
  const float radii[] = {0.5f, 0.1f, 0.02f, 0.01f, 0.003f};
  for (int a = 0; a < 2; ++a) {
    weft_body upper;
    weft_scene* scene = new_layers(spacings[a], 6.0f, &upper);
    for (int b = 0; b < 5; ++b) {
      weft_collider_def ball = weft_default_collider_def();
      ball.radius = radii[b];
      const weft_contact_suggestion s = suggest(scene, &upper, &ball, 1.0f);
      const double dip = sampled_dip((double)radii[b], (double)s.thickness, (double)spacings[a]);
      ck_assert_double_eq_tol((double)s.dip, dip, 1e-6);
    }
    weft_collider_def other = weft_default_collider_def();
    other.shape = WEFT_COLLIDER_SHAPE_BOX;
    ck_assert_float_eq(suggest(scene, &upper, &other, 1.0f).dip, 0.0f);
  }
}

TEST(a_suggestion_names_what_it_lacks) {
  weft_body upper, none = {.particle_count = 1};
  weft_scene* scene = new_layers(0.02f, 6.0f, &upper);
  weft_contact_suggestion s;
  expect_null(weft_suggest_contact(NULL, &upper, NULL, 1.0f, NULL, &s), "scene");
  expect_null(weft_suggest_contact(scene, NULL, NULL, 1.0f, NULL, &s), "body");
  expect_null(weft_suggest_contact(scene, &upper, NULL, 1.0f, NULL, NULL), "suggestion");
  expect_error(weft_suggest_contact(scene, &upper, NULL, -1.0f, NULL, &s), WEFT_ERROR_RANGE,
               "speed");
  expect_error(weft_suggest_contact(scene, &upper, NULL, NAN, NULL, &s), WEFT_ERROR_NOT_FINITE,
               "speed");
  expect_error(weft_suggest_contact(scene, &none, NULL, 1.0f, NULL, &s), WEFT_ERROR_DEGENERATE,
               "body");
  none.first_link = UINT32_MAX;
  none.link_count = 2;
  expect_error(weft_suggest_contact(scene, &none, NULL, 1.0f, NULL, &s), WEFT_ERROR_INDEX, "body");
  weft_collider_def ball = weft_default_collider_def();
  ball.radius = -1.0f;
  expect_error(weft_suggest_contact(scene, &upper, &ball, 1.0f, NULL, &s), WEFT_ERROR_RANGE,
               "weft_collider_def.radius");
  for (int reason = 0; reason < 4; ++reason)
    ck_assert_ptr_nonnull(weft_contact_reason_text((weft_contact_reason)reason));
  ck_assert_ptr_null(weft_contact_reason_text((weft_contact_reason)4));
}
