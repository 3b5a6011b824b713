/* Ready-made bodies refuse invalid defs, name the field, and change nothing. */
#include "support/bodies.h"
#include "support/snapshot.h"
#include "support/test.h"

// expects the add call to fail with this error, to leave the scene unchanged and usable
static void expect_refusal(body_kind kind, const any_body_def* def, weft_error error,
                           const char* field, uint64_t index) {
  expect_not_added(add_body(scene, kind, def, &body), error, field, index);
}

static void expect_acceptance(body_kind kind, const any_body_def* def) {
  weft_scene* scene = new_scene();
  (void)add_good_body(scene, kind, def);
}

TEST(products_of_counts_are_limited_too) {
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

LOOP_TEST(nothing_is_made_of_null, 0, BODY_KINDS) {
  const body_kind kind = (body_kind)_i;
  const any_body_def def = default_body_def(kind);
  expect_null(add_body(NULL, kind, &def, NULL), "scene");
  weft_scene* scene = new_scene();
  expect_null(add_body(scene, kind, NULL, NULL), "def");
}

TEST(ropes_go_somewhere_and_pull) {
  any_body_def def = default_body_def(BODY_ROPE);
  memcpy(def.rope.end, def.rope.origin, sizeof(def.rope.end));
  expect_refusal(BODY_ROPE, &def, WEFT_ERROR_DEGENERATE, "weft_rope_def.end", 0);
  const float points[3][3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 3.0f}};
  const float bad_points[2][3] = {{0.0f, 0.0f, 0.0f}, {1.0f, NAN, 3.0f}};
  def = default_body_def(BODY_ROPE);
  def.rope.points = points[0];
  def.rope.point_count = 3;
  expect_refusal(BODY_ROPE, &def, WEFT_ERROR_DEGENERATE, "weft_rope_def.points", 2);
  def.rope.points = bad_points[0];
  def.rope.point_count = 2;
  expect_refusal(BODY_ROPE, &def, WEFT_ERROR_NOT_FINITE, "weft_rope_def.points", 1);
}

TEST(masses_and_places_that_the_scene_cannot_hold_are_blamed_on_their_fields) {
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
}

TEST(composites_refuse_bad_arrays_and_name_the_element) {
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

TEST(composites_refuse_links_that_are_not_there) {
  any_body_def def = default_body_def(BODY_COMPOSITE);
  def.composite.links = NULL;
  def.composite.link_count = 1;
  expect_refusal(BODY_COMPOSITE, &def, WEFT_ERROR_NULL, "weft_composite_def.links", 0);
  def.composite.link_count = 0;
  expect_acceptance(BODY_COMPOSITE, &def);
}

TEST(pinning_a_body_checks_it) {
  weft_scene* scene = new_scene();
  any_body_def def = default_body_def(BODY_BOX);
  weft_body body = add_good_body(scene, BODY_BOX, &def);
  expect_null(weft_scene_pin(NULL, weft_range(body.first_particle, body.particle_count)), "scene");
  body.particle_count = UINT32_MAX;
  expect_error(weft_scene_pin(scene, weft_range(body.first_particle, body.particle_count)),
               WEFT_ERROR_INDEX, "first + count");
}
