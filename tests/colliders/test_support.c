/* Colliders given by a support function, against the same shapes of the library. */
#include "support/ask.h"
#include "support/collided.h"
#include "support/test.h"

static const float half[3] = {0.7f, 0.4f, 0.9f};

static void box_point(const void* context, const float* direction, float* point) {
  const float* size = context;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] = direction[axis] < 0.0f ? -size[axis] : size[axis];
}

static void sphere_point(const void* context, const float* direction, float* point) {
  const float* radius = context;
  for (int axis = 0; axis < 3; ++axis) point[axis] = *radius * direction[axis];
}

static void flat_point(const void* context, const float* direction, float* point) {
  box_point(context, direction, point);
  point[1] = 0.0f;
}

static void no_point(const void* context, const float* direction, float* point) {
  box_point(context, direction, point);
  if (direction[2] > 0.9f) point[0] = NAN;
}

static weft_collider_def def_of(weft_support_function* support, const void* context) {
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_SUPPORT);
  def.support = support;
  def.support_context = context;
  return def;
}

// a world with one particle, far away
static weft_world* new_world_of_def(const weft_collider_def* def) {
  const float away[3] = {0.0f, 50.0f, 0.0f};
  const weft_world_def world_def = def_at(60);
  weft_world* world = new_points(&world_def, away, 1);
  (void)add_collider(world, def);
  return world;
}

static weft_query_def colliders_only(void) {
  weft_query_def filter = weft_default_query_def();
  filter.particles = false;
  return filter;
}

TEST(a_collider_by_a_support_function_is_that_shape) {
  weft_collider_def box = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
  for (int axis = 0; axis < 3; ++axis) box.half_size[axis] = half[axis];
  weft_collider_def own = def_of(box_point, half);
  turn_about_z(0.7, box.rotation);
  turn_about_z(0.7, own.rotation);
  weft_world* worlds[2] = {new_world_of_def(&box), new_world_of_def(&own)};
  const weft_query_def filter = colliders_only();
  random_source random = {9};
  int hits = 0;
  for (int n = 0; n < 2000; ++n) {
    float from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = random_float(&random, -2.0f, 2.0f);
      to[axis] = random_float(&random, -2.0f, 2.0f);
    }
    const float radius = n % 2 ? 0.3f : 0.0f;
    weft_query_hit hit[2];
    bool found[2];
    uint32_t count[2];
    for (int k = 0; k < 2; ++k) {
      expect_ok(ask_cast(worlds[k], from, to, radius, &filter, &hit[k], &found[k]));
      expect_ok(ask_sphere(worlds[k], from, 0.1f, &filter, 0, NULL, &count[k]));
    }
    ck_assert_uint_eq(count[0], count[1]);
    ck_assert_int_eq(found[0], found[1]);
    if (!found[0]) continue;
    ++hits;
    ck_assert_float_eq_tol(hit[0].fraction, hit[1].fraction, 1e-5f);
    for (int k = 0; k < 2; ++k) {
      expect_ok(ask_closest(worlds[k], from, INFINITY, &filter, &hit[k], &found[k]));
    }
    ck_assert_float_eq_tol(hit[0].distance, hit[1].distance, 1e-5f);
  }
  ck_assert_int_gt(hits, 500);
}

// distance of the surface from the centre along a direction, against the radius
LOOP_TEST(smooth_shapes_are_within_the_bound_of_their_level, 0, 5) {
  static const uint32_t levels[] = {4, 16, 32, 64, 127};
  const float radius = 2.0f;
  const float far_away = 5.0f, none[3] = {0.0f, 0.0f, 0.0f};
  weft_collider_def def = def_of(sphere_point, &radius);
  def.support_level = levels[_i];
  weft_world* world = new_world_of_def(&def);
  const weft_query_def filter = colliders_only();
  const double bound = (double)radius / (double)(levels[_i] * levels[_i]);
  random_source random = {4};
  double deepest = 0.0;
  for (int n = 0; n < 3000; ++n) {
    float from[3], length = 0.0f;
    for (int axis = 0; axis < 3; ++axis) from[axis] = random_float(&random, -1.0f, 1.0f);
    for (int axis = 0; axis < 3; ++axis) length += from[axis] * from[axis];
    for (int axis = 0; axis < 3; ++axis) from[axis] *= far_away / sqrtf(length);
    weft_query_hit hit;
    bool found = false;
    expect_ok(ask_segment(world, from, none, &filter, &hit, &found));
    ck_assert(found);
    const double cut = (double)radius - (double)far_away * (1.0 - (double)hit.fraction);
    ck_assert_double_gt(cut, -1e-5);
    deepest = fmax(deepest, cut);
  }
  ck_assert_double_lt(deepest, bound + 1e-5);
}

TEST(wrong_support_functions_are_named) {
  const weft_collider_def good = def_of(box_point, half);
  weft_world* world = new_world_of_def(&good);
  weft_collider_def defs[3] = {good, good, good};
  defs[0].support = NULL;
  defs[1].support = flat_point;
  defs[2].support = no_point;
  weft_collider collider;
  expect_null(weft_world_add_collider(world, &defs[0], &collider), "weft_collider_def.support");
  expect_error(weft_world_add_collider(world, &defs[1], &collider), WEFT_ERROR_DEGENERATE,
               "weft_collider_def.support");
  const weft_result result = weft_world_add_collider(world, &defs[2], &collider);
  ck_assert_int_eq((int)result.error, WEFT_ERROR_RANGE);
  ck_assert_str_eq(result.field, "weft_collider_def.support");
  ck_assert_uint_eq(contact_stats_of(world).collider_count, 1);
}
