#include "support/bodies.h"

#include "support/scenes.h"
#include "support/suite.h"

static weft_composite_def default_composite(void) {
  static const float positions[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,
                                    0.0f, 2.0f, 0.0f, 0.0f, 0.0f, 3.0f};
  static const float inverse_masses[] = {0.0f, 1.0f, 2.0f, 4.0f};
  static const weft_link_def links[] = {
      {.a = 0, .b = 1, .rest_length = 1.0f, .relaxation = 1.0f},
      {.a = 2, .b = 0, .rest_length = 2.0f, .relaxation = 0.5f, .tear_ratio = 3.0f},
      {.a = 0,
       .b = 3,
       .rest_length = 2.5f,
       .relaxation = 1.0f,
       .kind = WEFT_LINK_SUPPORT,
       .mode = WEFT_LINK_MODE_RANGE,
       .max_length = 3.5f},
  };
  weft_composite_def def = weft_default_composite_def();
  def.positions = positions;
  def.inverse_masses = inverse_masses;
  def.particle_count = 4;
  def.links = links;
  def.link_count = 3;
  return def;
}

any_body_def default_body_def(body_kind kind) {
  switch (kind) {
    case BODY_ROPE:
      return (any_body_def){.rope = bare_rope_def()};
    case BODY_CIRCLE:
      return (any_body_def){.circle = weft_default_circle_def()};
    case BODY_BOX:
      return (any_body_def){.box = weft_default_box_def()};
    case BODY_TRIANGLE:
      return (any_body_def){.triangle = weft_default_triangle_def()};
    case BODY_TIRE:
      return (any_body_def){.tire = weft_default_tire_def()};
    case BODY_COMPOSITE:
      return (any_body_def){.composite = default_composite()};
    case BODY_RAGDOLL:
      return (any_body_def){.ragdoll = weft_default_ragdoll_def()};
    case BODY_TREE:
      return (any_body_def){.tree = weft_default_tree_def()};
    case BODY_WEB:
      return (any_body_def){.web = weft_default_web_def()};
    case BODY_DOUBLE_PENDULUM:
      return (any_body_def){.double_pendulum = weft_default_double_pendulum_def()};
    default:
      return (any_body_def){.ball = bare_ball_def()};
  }
}

weft_result add_body(weft_scene* scene, body_kind kind, const any_body_def* any, weft_body* body) {
  // `any` may be NULL: access through a member would be undefined
  const void* def = any;
  switch (kind) {
    case BODY_ROPE:
      return weft_scene_add_rope(scene, def, body);
    case BODY_CIRCLE:
      return weft_scene_add_circle(scene, def, body);
    case BODY_BOX:
      return weft_scene_add_box(scene, def, body);
    case BODY_TRIANGLE:
      return weft_scene_add_triangle(scene, def, body);
    case BODY_TIRE:
      return weft_scene_add_tire(scene, def, body);
    case BODY_COMPOSITE:
      return weft_scene_add_composite(scene, def, body);
    case BODY_RAGDOLL:
      return weft_scene_add_ragdoll(scene, def, body);
    case BODY_TREE:
      return weft_scene_add_tree(scene, def, body);
    case BODY_WEB:
      return weft_scene_add_web(scene, def, body);
    case BODY_DOUBLE_PENDULUM:
      return weft_scene_add_double_pendulum(scene, def, body);
    default:
      return weft_scene_add_ball(scene, def, body);
  }
}

weft_body add_good_body(weft_scene* scene, body_kind kind, const any_body_def* def) {
  weft_body body;
  expect_ok(add_body(scene, kind, def, &body));
  return body;
}
