/* Ready-made bodies refuse invalid defs, name the field, and change nothing. */
#include <stdio.h>

#include "support/bad_float.h"
#include "support/bodies.h"
#include "support/scenes.h"
#include "support/snapshot.h"
#include "support/suite.h"

typedef struct body_float {
  body_kind kind;
  float_field field;
} body_float;

#define FIELD(kind, type, name, lower, upper)                \
  {                                                          \
    kind, {                                                  \
#type "." #name, offsetof(type, name), lower, upper, 0 \
    }                                                        \
  }
#define PAIR(kind, type, name, lower, upper)                                 \
  {kind, {#type "." #name, offsetof(type, name), lower, upper, 0}}, {        \
    kind, {                                                                  \
#type "." #name, offsetof(type, name) + sizeof(float), lower, upper, 1 \
    }                                                                        \
  }
#define LINK_FIELDS(kind, type) \
  FIELD(kind, type, relaxation, 1e-6f, 1.0f), FIELD(kind, type, compliance, 0.0f, 1e12f)

static const body_float floats[] = {
    FIELD(BODY_ROPE, weft_rope_def, slack, -0.9f, 100.0f),
    FIELD(BODY_ROPE, weft_rope_def, mass_per_metre, 1e-9f, 1e9f),
    FIELD(BODY_ROPE, weft_rope_def, relaxation, 1e-6f, 1.0f),
    FIELD(BODY_ROPE, weft_rope_def, compliance, 0.0f, 1e6f),
    FIELD(BODY_CIRCLE, weft_circle_def, radius, 1e-6f, 1e6f),
    FIELD(BODY_CIRCLE, weft_circle_def, mass, 1e-9f, 1e9f),
    LINK_FIELDS(BODY_CIRCLE, weft_circle_def),
    FIELD(BODY_BOX, weft_box_def, width, 1e-6f, 1e6f),
    FIELD(BODY_BOX, weft_box_def, height, 1e-6f, 1e6f),
    FIELD(BODY_BOX, weft_box_def, mass, 1e-9f, 1e9f),
    LINK_FIELDS(BODY_BOX, weft_box_def),
    FIELD(BODY_TRIANGLE, weft_triangle_def, width, 1e-6f, 1e6f),
    FIELD(BODY_TRIANGLE, weft_triangle_def, height, 1e-6f, 1e6f),
    FIELD(BODY_TRIANGLE, weft_triangle_def, mass, 1e-9f, 1e9f),
    LINK_FIELDS(BODY_TRIANGLE, weft_triangle_def),
    FIELD(BODY_TIRE, weft_tire_def, radius, 1e-6f, 1e6f),
    FIELD(BODY_TIRE, weft_tire_def, mass, 1e-9f, 1e9f),
    FIELD(BODY_TIRE, weft_tire_def, tread_relaxation, 1e-6f, 1.0f),
    FIELD(BODY_TIRE, weft_tire_def, tread_compliance, 0.0f, 1e12f),
    FIELD(BODY_TIRE, weft_tire_def, spoke_relaxation, 1e-6f, 1.0f),
    FIELD(BODY_TIRE, weft_tire_def, spoke_compliance, 0.0f, 1e12f),
    FIELD(BODY_COMPOSITE, weft_composite_def, scale, 1e-6f, 1e6f),
    FIELD(BODY_RAGDOLL, weft_ragdoll_def, height, 1e-3f, 1e3f),
    FIELD(BODY_RAGDOLL, weft_ragdoll_def, mass, 1e-6f, 1e6f),
    FIELD(BODY_TREE, weft_tree_def, length, 1e-6f, 1e6f),
    FIELD(BODY_TREE, weft_tree_def, length_ratio, 0.1f, 2.0f),
    FIELD(BODY_TREE, weft_tree_def, spread, 0.01f, 1.5f),
    FIELD(BODY_TREE, weft_tree_def, irregularity, 0.0f, 0.9f),
    FIELD(BODY_TREE, weft_tree_def, mass, 1e-9f, 1e9f),
    FIELD(BODY_TREE, weft_tree_def, bend_compliance, 0.0f, 1e6f),
    FIELD(BODY_TREE, weft_tree_def, softening, 1.0f, 100.0f),
    FIELD(BODY_WEB, weft_web_def, radius, 1e-6f, 1e6f),
    FIELD(BODY_WEB, weft_web_def, tension, 0.0f, 0.9f),
    FIELD(BODY_WEB, weft_web_def, mass_per_metre, 1e-9f, 1e9f),
    FIELD(BODY_WEB, weft_web_def, compliance, 0.0f, 1e6f),
    PAIR(BODY_DOUBLE_PENDULUM, weft_double_pendulum_def, lengths, 1e-6f, 1e6f),
    PAIR(BODY_DOUBLE_PENDULUM, weft_double_pendulum_def, angles, -100.0f, 100.0f),
    PAIR(BODY_DOUBLE_PENDULUM, weft_double_pendulum_def, masses, 1e-12f, 1e12f),
    FIELD(BODY_DOUBLE_PENDULUM, weft_double_pendulum_def, compliance, 0.0f, 1e12f),
    FIELD(BODY_BALL, weft_ball_def, radius, 1e-4f, 1e4f),
    FIELD(BODY_BALL, weft_ball_def, mass, 1e-6f, 1e6f),
    FIELD(BODY_BALL, weft_ball_def, bend_stiffness, 0.0f, 3.4e38f),
    FIELD(BODY_BALL, weft_ball_def, pressure, 0.0f, 1e12f),
};
enum { FLOATS = sizeof(floats) / sizeof(*floats) };

// expects the add call to fail with this error, to leave the scene unchanged and usable
static void expect_refusal(body_kind kind, const any_body_def* def, weft_error error,
                           const char* field, uint64_t index) {
  expect_not_added(add_body(scene, kind, def, &body), error, field, index);
}

static void expect_acceptance(body_kind kind, const any_body_def* def) {
  weft_scene* scene = new_scene();
  (void)add_good_body(scene, kind, def);
  weft_scene_destroy(&scene);
}

// sets a mass that suits the area of an extreme radius, or a radius that suits an extreme mass
static void fit_ball(weft_ball_def* def, const char* field) {
  const bool is_radius = strcmp(field, "weft_ball_def.radius") == 0;
  const bool is_mass = strcmp(field, "weft_ball_def.mass") == 0;
  def->level = 0;
  if (is_radius) def->mass = def->radius > 1.0f ? 1e6f : 1e-3f;
  if (is_mass) def->radius = def->mass > 1.0f ? 1.0f : 0.2f;
}

START_TEST(float_fields_refuse_what_is_not_finite_or_out_of_range) {
  const body_float* field = &floats[_i / BAD_FLOAT_COUNT];
  const bad_float bad = bad_float_of(&field->field, _i % BAD_FLOAT_COUNT);
  any_body_def def = default_body_def(field->kind);
  *float_at(&def, field->field.offset) = bad.value;
  if (field->kind == BODY_BALL) fit_ball(&def.ball, field->field.name);
  if (bad.error == WEFT_OK) {
    expect_acceptance(field->kind, &def);
  } else {
    expect_refusal(field->kind, &def, bad.error, field->field.name, field->field.index);
  }
}
END_TEST

// offset of the plane vectors in a def
static size_t offset_of_across(body_kind kind) {
  if (kind == BODY_ROPE || kind == BODY_BALL) return 0;
  return offsetof(weft_circle_def, across);
}

START_TEST(vectors_refuse_what_is_not_finite_and_name_the_axis) {
  const float bad[] = {NAN, INFINITY, -INFINITY};
  const body_kind kind = (body_kind)_i;
  const char* const names[] = {"origin", "across", "up"};
  for (size_t v = 0; v < (offset_of_across(kind) > 0 ? 3 : 1); ++v) {
    for (uint64_t axis = 0; axis < 3; ++axis) {
      for (int n = 0; n < 3; ++n) {
        char field[64];
        snprintf(field, sizeof(field), "%s.%s", body_def_name(kind), names[v]);
        any_body_def def = default_body_def(kind);
        *float_at(&def, (3 * v + axis) * sizeof(float)) = bad[n];
        expect_refusal(kind, &def, WEFT_ERROR_NOT_FINITE, field, axis);
      }
    }
  }
}
END_TEST

START_TEST(directions_must_be_unit_vectors_at_right_angles) {
  const body_kind kind = (body_kind)_i;
  if (offset_of_across(kind) == 0) return;
  const float lengths[] = {0.0f, 0.9f, 1.1f, 1e-20f, 1e30f, -0.5f};
  char across[64];
  char up[64];
  snprintf(across, sizeof(across), "%s.across", body_def_name(kind));
  snprintf(up, sizeof(up), "%s.up", body_def_name(kind));
  for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); ++i) {
    any_body_def def = default_body_def(kind);
    def.circle.across[0] = lengths[i];
    expect_refusal(kind, &def, WEFT_ERROR_RANGE, across, 0);
    def = default_body_def(kind);
    def.circle.up[1] = lengths[i];
    expect_refusal(kind, &def, WEFT_ERROR_RANGE, up, 0);
  }
  any_body_def def = default_body_def(kind);
  def.circle.up[0] = 0.6f;
  def.circle.up[1] = 0.8f;
  expect_refusal(kind, &def, WEFT_ERROR_RANGE, up, 0);
}
END_TEST

typedef struct body_count {
  body_kind kind;
  const char* name;
  size_t offset;
  uint32_t lower, upper;
} body_count;

#define COUNT(kind, type, name, lower, upper) \
  { kind, #type "." #name, offsetof(type, name), lower, upper }

static const body_count counts[] = {
    COUNT(BODY_ROPE, weft_rope_def, segments, 1, 1000000),
    COUNT(BODY_CIRCLE, weft_circle_def, count, 3, 1000000),
    COUNT(BODY_BOX, weft_box_def, columns, 2, 1000),
    COUNT(BODY_BOX, weft_box_def, rows, 2, 1000),
    COUNT(BODY_TIRE, weft_tire_def, count, 5, 1000000),
    COUNT(BODY_TREE, weft_tree_def, depth, 0, 16),
    COUNT(BODY_TREE, weft_tree_def, branches, 2, 16),
    COUNT(BODY_WEB, weft_web_def, radials, 3, 10000),
    COUNT(BODY_WEB, weft_web_def, rings, 1, 10000),
    COUNT(BODY_BALL, weft_ball_def, level, 0, 5),
};
enum { COUNTS = sizeof(counts) / sizeof(*counts) };

START_TEST(counts_below_and_above_their_ranges_are_refused) {
  const body_count* c = &counts[_i];
  for (int n = 0; n < 4; ++n) {
    const uint32_t values[4] = {0, c->lower - 1, c->upper + 1, UINT32_MAX};
    if (n < 2 && c->lower == 0) continue;
    const weft_error error = n >= 2           ? WEFT_ERROR_TOO_MANY
                             : values[n] == 0 ? WEFT_ERROR_EMPTY
                                              : WEFT_ERROR_RANGE;
    any_body_def def = default_body_def(c->kind);
    memcpy((char*)&def + c->offset, &values[n], sizeof(uint32_t));
    expect_refusal(c->kind, &def, error, c->name, 0);
  }
  any_body_def def = default_body_def(c->kind);
  memcpy((char*)&def + c->offset, &c->lower, sizeof(uint32_t));
  expect_acceptance(c->kind, &def);
}
END_TEST

START_TEST(products_of_counts_are_limited_too) {
  any_body_def def = default_body_def(BODY_WEB);
  def.web.radials = 10000;
  def.web.rings = 101;
  expect_refusal(BODY_WEB, &def, WEFT_ERROR_TOO_MANY, "weft_web_def.rings", 0);
  def = default_body_def(BODY_TREE);
  def.tree.depth = 16;
  def.tree.branches = 16;
  expect_refusal(BODY_TREE, &def, WEFT_ERROR_TOO_MANY, "weft_tree_def.depth", 0);
  uint32_t first;
  uint32_t count;
  expect_error(weft_tree_get_leaves(&def.tree, &first, &count), WEFT_ERROR_TOO_MANY,
               "weft_tree_def.depth");
}
END_TEST

START_TEST(tear_ratio_is_zero_or_above_one) {
  static const size_t offsets[BODY_KINDS] = {
      offsetof(weft_rope_def, tear_ratio),    offsetof(weft_circle_def, tear_ratio),
      offsetof(weft_box_def, tear_ratio),     offsetof(weft_triangle_def, tear_ratio),
      offsetof(weft_tire_def, tear_ratio),    0,
      offsetof(weft_ragdoll_def, tear_ratio), offsetof(weft_tree_def, tear_ratio),
      offsetof(weft_web_def, tear_ratio),     offsetof(weft_double_pendulum_def, tear_ratio),
      offsetof(weft_ball_def, tear_ratio)};
  const float bad[] = {NAN, INFINITY, -1.0f, 0.5f, 1.0f};
  const body_kind kind = (body_kind)_i;
  if (offsets[kind] == 0) return;
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i) {
    char field[64];
    snprintf(field, sizeof(field), "%s.tear_ratio", body_def_name(kind));
    any_body_def def = default_body_def(kind);
    *float_at(&def, offsets[kind]) = bad[i];
    const weft_error error = isfinite(bad[i]) ? WEFT_ERROR_RANGE : WEFT_ERROR_NOT_FINITE;
    expect_refusal(kind, &def, error, field, 0);
  }
}
END_TEST

START_TEST(nothing_is_made_of_null_or_of_a_def_not_made_by_its_default_function) {
  const body_kind kind = (body_kind)_i;
  any_body_def def = default_body_def(kind);
  expect_error(add_body(NULL, kind, &def, NULL), WEFT_ERROR_NULL, "scene");
  weft_scene* scene = new_scene();
  expect_error(add_body(scene, kind, NULL, NULL), WEFT_ERROR_NULL, "def");
  weft_scene_destroy(&scene);
  memset(&def, 0, sizeof(def));
  expect_refusal(kind, &def, WEFT_ERROR_DEF, body_def_name(kind), 0);
}
END_TEST

START_TEST(ropes_go_somewhere_and_pull) {
  any_body_def def = default_body_def(BODY_ROPE);
  memcpy(def.rope.end, def.rope.origin, sizeof(def.rope.end));
  expect_refusal(BODY_ROPE, &def, WEFT_ERROR_DEGENERATE, "weft_rope_def.end", 0);
  for (uint64_t axis = 0; axis < 3; ++axis) {
    def = default_body_def(BODY_ROPE);
    def.rope.end[axis] = NAN;
    expect_refusal(BODY_ROPE, &def, WEFT_ERROR_NOT_FINITE, "weft_rope_def.end", axis);
  }
  const float points[3][3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 3.0f}};
  const float bad_points[2][3] = {{0.0f, 0.0f, 0.0f}, {1.0f, NAN, 3.0f}};
  def = default_body_def(BODY_ROPE);
  def.rope.points = points[0];
  def.rope.point_count = 1;
  expect_refusal(BODY_ROPE, &def, WEFT_ERROR_RANGE, "weft_rope_def.point_count", 0);
  def.rope.point_count = 1000002;
  expect_refusal(BODY_ROPE, &def, WEFT_ERROR_TOO_MANY, "weft_rope_def.point_count", 0);
  def.rope.point_count = 3;
  expect_refusal(BODY_ROPE, &def, WEFT_ERROR_DEGENERATE, "weft_rope_def.points", 2);
  def.rope.points = bad_points[0];
  def.rope.point_count = 2;
  expect_refusal(BODY_ROPE, &def, WEFT_ERROR_NOT_FINITE, "weft_rope_def.points", 1);
  const int modes[] = {WEFT_LINK_MODE_COMPRESS, WEFT_LINK_MODE_RANGE, -1, 4};
  for (int i = 0; i < 4; ++i) {
    def = default_body_def(BODY_ROPE);
    def.rope.mode = (weft_link_mode)modes[i];
    expect_refusal(BODY_ROPE, &def, WEFT_ERROR_RANGE, "weft_rope_def.mode", 0);
  }
}
END_TEST

START_TEST(masses_and_places_that_the_scene_cannot_hold_are_blamed_on_their_fields) {
  any_body_def def = default_body_def(BODY_CIRCLE);
  def.circle.count = 100000;
  def.circle.mass = 1e-9f;
  expect_refusal(BODY_CIRCLE, &def, WEFT_ERROR_RANGE, "weft_circle_def.mass", 0);
  def = default_body_def(BODY_CIRCLE);
  def.circle.origin[0] = WEFT_MAX_MAGNITUDE;
  def.circle.radius = 1e6f;
  expect_refusal(BODY_CIRCLE, &def, WEFT_ERROR_RANGE, "weft_circle_def.origin", 0);
  def = default_body_def(BODY_BALL);
  def.ball.mass = 1e6f;
  def.ball.radius = 1e-4f;
  expect_refusal(BODY_BALL, &def, WEFT_ERROR_RANGE, "weft_ball_def.mass", 0);
  def = default_body_def(BODY_BALL);
  def.ball.stretch_stiffness = NAN;
  expect_refusal(BODY_BALL, &def, WEFT_ERROR_NOT_FINITE, "weft_ball_def.stretch_stiffness", 0);
  def.ball.stretch_stiffness = 0.0f;
  expect_refusal(BODY_BALL, &def, WEFT_ERROR_RANGE, "weft_ball_def.stretch_stiffness", 0);
  def.ball.stretch_stiffness = INFINITY;
  expect_acceptance(BODY_BALL, &def);
}
END_TEST

START_TEST(composites_refuse_bad_arrays_and_name_the_element) {
  any_body_def def = default_body_def(BODY_COMPOSITE);
  weft_link_def links[3];
  memcpy(links, def.composite.links, sizeof(links));
  def.composite.links = links;
  links[2].b = 4;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_INDEX, "weft_composite_def.links", 2);
  links[2].b = links[2].a;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_SELF_LINK, "weft_composite_def.links", 2);
  links[2] = links[0];
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_DUPLICATE, "weft_composite_def.links", 2);
  links[2].b = 2;
  links[2].a = 1;
  links[2].relaxation = 2.0f;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_RANGE, "weft_composite_def.links", 2);
  links[2].relaxation = 1.0f;
  links[2].rest_length = NAN;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_NOT_FINITE, "weft_composite_def.links", 2);
  links[2].rest_length = 0.0f;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_DEGENERATE, "weft_composite_def.links", 2);
  const float bad_positions[] = {0.0f, 0.0f, 0.0f, 0.0f, NAN, 0.0f};
  const float bad_masses[] = {1.0f, -1.0f};
  def = default_body_def(BODY_COMPOSITE);
  def.composite.particle_count = 2;
  def.composite.link_count = 1;
  def.composite.positions = bad_positions;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_NOT_FINITE, "weft_composite_def.positions", 1);
  def.composite.positions = NULL;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_NULL, "weft_composite_def.positions", 0);
  def = default_body_def(BODY_COMPOSITE);
  def.composite.inverse_masses = bad_masses;
  def.composite.particle_count = 2;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_RANGE, "weft_composite_def.inverse_masses", 1);
  def.composite.inverse_masses = NULL;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_NULL, "weft_composite_def.inverse_masses", 0);
}
END_TEST

START_TEST(composites_refuse_counts_that_no_scene_holds_before_they_read) {
  any_body_def def = default_body_def(BODY_COMPOSITE);
  def.composite.particle_count = 0;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_EMPTY, "weft_composite_def.particle_count", 0);
  def.composite.particle_count = UINT32_MAX;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_TOO_MANY, "weft_composite_def.particle_count", 0);
  def = default_body_def(BODY_COMPOSITE);
  def.composite.link_count = UINT32_MAX;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_TOO_MANY, "weft_composite_def.link_count", 0);
  def.composite.links = NULL;
  def.composite.link_count = 1;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_NULL, "weft_composite_def.links", 0);
  def.composite.link_count = 0;
  expect_acceptance(BODY_COMPOSITE, &def);
}
END_TEST

START_TEST(pinning_a_body_checks_it) {
  weft_scene* scene = new_scene();
  any_body_def def = default_body_def(BODY_BOX);
  weft_body body = add_good_body(scene, BODY_BOX, &def);
  expect_error(weft_scene_pin_body(NULL, &body), WEFT_ERROR_NULL, "scene");
  expect_error(weft_scene_pin_body(scene, NULL), WEFT_ERROR_NULL, "body");
  body.particle_count = UINT32_MAX;
  expect_error(weft_scene_pin_body(scene, &body), WEFT_ERROR_INDEX, "body");
  weft_scene_destroy(&scene);
}
END_TEST

SUITE(bodies_input) {
  tcase_add_loop_test(tests, float_fields_refuse_what_is_not_finite_or_out_of_range, 0,
                      FLOATS * BAD_FLOAT_COUNT);
  tcase_add_loop_test(tests, vectors_refuse_what_is_not_finite_and_name_the_axis, 0, BODY_KINDS);
  tcase_add_loop_test(tests, directions_must_be_unit_vectors_at_right_angles, 0, BODY_KINDS);
  tcase_add_loop_test(tests, counts_below_and_above_their_ranges_are_refused, 0, COUNTS);
  tcase_add_test(tests, products_of_counts_are_limited_too);
  tcase_add_loop_test(tests, tear_ratio_is_zero_or_above_one, 0, BODY_KINDS);
  tcase_add_loop_test(tests, nothing_is_made_of_null_or_of_a_def_not_made_by_its_default_function,
                      0, BODY_KINDS);
  tcase_add_test(tests, ropes_go_somewhere_and_pull);
  tcase_add_test(tests, masses_and_places_that_the_scene_cannot_hold_are_blamed_on_their_fields);
  tcase_add_test(tests, composites_refuse_bad_arrays_and_name_the_element);
  tcase_add_test(tests, composites_refuse_counts_that_no_scene_holds_before_they_read);
  tcase_add_test(tests, pinning_a_body_checks_it);
}
