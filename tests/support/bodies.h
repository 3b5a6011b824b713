/* The ready-made bodies as a list, for tests of all of them. */
#ifndef TESTS_SUPPORT_BODIES_H
#define TESTS_SUPPORT_BODIES_H

#include "weft/weft.h"

typedef union any_body_def {
  weft_rope_def rope;
  weft_circle_def circle;
  weft_box_def box;
  weft_triangle_def triangle;
  weft_tire_def tire;
  weft_composite_def composite;
  weft_ragdoll_def ragdoll;
  weft_tree_def tree;
  weft_web_def web;
  weft_double_pendulum_def double_pendulum;
  weft_ball_def ball;
} any_body_def;

typedef enum body_kind {
  BODY_ROPE,
  BODY_CIRCLE,
  BODY_BOX,
  BODY_TRIANGLE,
  BODY_TIRE,
  BODY_COMPOSITE,
  BODY_RAGDOLL,
  BODY_TREE,
  BODY_WEB,
  BODY_DOUBLE_PENDULUM,
  BODY_BALL,
  BODY_KINDS,
} body_kind;

/* Default def of a body; a composite gets a few particles and links, as its default has none. */
any_body_def default_body_def(body_kind kind);

weft_result add_body(weft_scene* scene, body_kind kind, const any_body_def* def, weft_body* body);

/* Adds a body, which must succeed. */
weft_body add_good_body(weft_scene* scene, body_kind kind, const any_body_def* def);

#endif
