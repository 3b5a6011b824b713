/* Invalid queries: the expected error, and no output written. */
#include "support/test.h"

typedef struct asking {
  weft_world* world;
  weft_query_def def;
  weft_query_hit hits[4];
  uint32_t count;
} asking;

static asking new_asking(weft_query_kind kind) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 4, 4, ALL_FAMILIES);
  asking a = {.world = new_world_of(scene), .def = weft_default_query_def(), .count = 77};
  a.def.kind = kind;
  a.def.to[0] = a.def.to[1] = a.def.to[2] = 1.0f;
  a.def.radius = a.def.length = 0.5f;
  return a;
}

static weft_result call(asking* a) {
  return weft_world_query(a->world, &a->def, 4, a->hits, &a->count);
}

static void expect_unwritten(const asking* a) {
  static const weft_query_hit none;
  ck_assert(a->count == 77);
  for (int i = 0; i < 4; ++i) ck_assert_mem_eq(&a->hits[i], &none, sizeof(none));
}

LOOP_TEST(numbers_out_of_range_are_refused_with_name_and_axis, 0, WEFT_QUERY_NEAREST + 1) {
  const float bad[] = {NAN, INFINITY, -INFINITY};
  asking a = new_asking((weft_query_kind)_i);
  const weft_query_def good = a.def;
  for (int k = 0; k < 3; ++k) {
    for (uint64_t axis = 0; axis < 3; ++axis) {
      a.def.point[axis] = bad[k];
      expect_error_at(call(&a), WEFT_ERROR_NOT_FINITE, "weft_query_def.point", axis);
      a.def = good;
      a.def.to[axis] = bad[k];
      expect_error_at(call(&a), WEFT_ERROR_NOT_FINITE, "weft_query_def.to", axis);
      a.def = good;
    }
  }
  a.def.radius = -1e-30f;
  expect_error(call(&a), WEFT_ERROR_RANGE, "weft_query_def.radius");
  a.def.radius = INFINITY;
  expect_error(call(&a), WEFT_ERROR_NOT_FINITE, "weft_query_def.radius");
  a.def = good;
  a.def.length = -1e-30f;
  expect_error(call(&a), WEFT_ERROR_RANGE, "weft_query_def.length");
  a.def.length = NAN;
  expect_error(call(&a), WEFT_ERROR_NOT_FINITE, "weft_query_def.length");
  a.def = good;
  a.def.kind = (weft_query_kind)(WEFT_QUERY_NEAREST + 1);
  expect_error(call(&a), WEFT_ERROR_RANGE, "weft_query_def.kind");
  expect_unwritten(&a);
  a.def = good;
  a.def.length = INFINITY;
  a.def.radius = 0.0f;
  expect_ok(call(&a));
}

TEST(rays_without_direction_or_length_and_boxes_turned_inside_out_are_refused) {
  asking a = new_asking(WEFT_QUERY_RAY);
  const weft_query_def good = a.def;
  a.def.length = 0.0f;
  expect_error(call(&a), WEFT_ERROR_RANGE, "weft_query_def.length");
  a.def = good;
  for (int axis = 0; axis < 3; ++axis) a.def.to[axis] = 0.0f;
  expect_error(call(&a), WEFT_ERROR_RANGE, "weft_query_def.to");
  expect_unwritten(&a);
  // denormal and very large directions are valid
  a.def.to[1] = 1e-45f;
  expect_ok(call(&a));
  a.def.to[1] = a.def.to[0] = WEFT_MAX_MAGNITUDE;
  expect_ok(call(&a));
  asking box = new_asking(WEFT_QUERY_BOX);
  for (uint64_t axis = 0; axis < 3; ++axis) {
    const weft_query_def turned = box.def;
    box.def.point[axis] = 1.1f;
    expect_error_at(call(&box), WEFT_ERROR_RANGE, "weft_query_def.point", axis);
    box.def = turned;
  }
}

TEST(boxes_may_be_points_and_casts_and_searches_may_have_no_length) {
  for (int kind = WEFT_QUERY_CAST; kind <= WEFT_QUERY_NEAREST; ++kind) {
    asking a = new_asking((weft_query_kind)kind);
    for (int axis = 0; axis < 3; ++axis) a.def.to[axis] = a.def.point[axis];
    a.def.length = a.def.radius = 0.0f;
    expect_ok(call(&a));
    ck_assert(a.count < 77);
  }
}

TEST(pointers_that_are_needed_and_missing_are_named) {
  for (int kind = WEFT_QUERY_RAY; kind <= WEFT_QUERY_NEAREST; ++kind) {
    asking a = new_asking((weft_query_kind)kind);
    const weft_query_def def = a.def;
    expect_null(weft_world_query(NULL, &def, 4, a.hits, &a.count), "world");
    expect_null(weft_world_query(a.world, NULL, 4, a.hits, &a.count), "def");
    expect_null(weft_world_query(a.world, &def, 4, NULL, &a.count), "hits");
    expect_null(weft_world_query(a.world, &def, 4, a.hits, NULL), "count");
    a.def.cookie = 0;
    expect_error(call(&a), WEFT_ERROR_DEF, "weft_query_def");
    expect_unwritten(&a);
    expect_ok(weft_world_query(a.world, &def, 0, NULL, &a.count));
  }
  expect_null(weft_world_build_index(NULL), "world");
}
