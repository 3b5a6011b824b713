/* Invalid queries: the expected error, and no output written. */
#include "support/test.h"

typedef struct asking {
  weft_world* world;
  weft_query_filter_def filter;
  float from[3], to[3];
  float size;
  uint32_t capacity;
  weft_query_hit hits[4];
  uint32_t count;
  bool found;
} asking;

static asking new_asking(void) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 4, 4, ALL_FAMILIES);
  asking a = {.world = new_world_of(scene), .filter = weft_default_query_filter_def()};
  a.to[0] = a.to[1] = a.to[2] = 1.0f;
  a.size = 0.5f;
  a.capacity = 4;
  a.count = 77;
  return a;
}

enum {
  CAST_RAY,
  CAST_SEGMENT,
  CAST_SPHERE,
  FIND_NEAR,
  FIND_IN_BOX,
  FIND_CLOSEST,
  FIND_NEAREST,
  CALLS
};

static weft_result call(asking* a, int number) {
  switch (number) {
    case CAST_RAY:
      return weft_world_cast_ray(a->world, a->from, a->to, a->size, &a->filter, a->hits, &a->found);
    case CAST_SEGMENT:
      return weft_world_cast_segment(a->world, a->from, a->to, &a->filter, a->hits, &a->found);
    case CAST_SPHERE:
      return weft_world_cast_sphere(a->world, a->from, a->to, a->size, &a->filter, a->hits,
                                    &a->found);
    case FIND_NEAR:
      return weft_world_overlap_sphere(a->world, a->from, a->size, &a->filter, a->capacity, a->hits,
                                       &a->count);
    case FIND_IN_BOX:
      return weft_world_overlap_box(a->world, a->from, a->to, &a->filter, a->capacity, a->hits,
                                    &a->count);
    case FIND_CLOSEST:
      return weft_world_find_closest(a->world, a->from, a->size, &a->filter, a->hits, &a->found);
    default:
      return weft_world_find_nearest(a->world, a->from, a->size, &a->filter, a->capacity, a->hits,
                                     &a->count);
  }
}

// names of the two vectors and of the size; NULL = the call has none
static const char* const from_names[CALLS] = {"origin", "from",  "from", "point",
                                              "lower",  "point", "point"};
static const char* const to_names[CALLS] = {"direction", "to", "to", NULL, "upper", NULL, NULL};
static const char* const size_names[CALLS] = {"length", NULL,           "radius",      "radius",
                                              NULL,     "max_distance", "max_distance"};

static void expect_unwritten(const asking* a) {
  static const weft_query_hit none;
  ck_assert(!a->found && a->count == 77);
  for (int i = 0; i < 4; ++i) ck_assert_mem_eq(&a->hits[i], &none, sizeof(none));
}

LOOP_TEST(what_is_not_finite_is_refused_with_its_name_and_axis, 0, 3) {
  const float bad[] = {NAN, INFINITY, -INFINITY};
  asking a = new_asking();
  for (int number = 0; number < CALLS; ++number) {
    for (uint64_t axis = 0; axis < 3; ++axis) {
      const asking good = a;
      a.from[axis] = bad[_i];
      expect_error_at(call(&a, number), WEFT_ERROR_NOT_FINITE, from_names[number], axis);
      a.from[axis] = good.from[axis];
      a.to[axis] = bad[_i];
      if (to_names[number] != NULL) {
        expect_error_at(call(&a, number), WEFT_ERROR_NOT_FINITE, to_names[number], axis);
      }
      a.to[axis] = good.to[axis];
    }
  }
  expect_unwritten(&a);
}

TEST(sizes_below_zero_and_what_is_no_number_are_refused_and_zero_is_a_radius) {
  asking a = new_asking();
  for (int number = 0; number < CALLS; ++number) {
    if (size_names[number] == NULL) continue;
    a.size = NAN;
    expect_error(call(&a, number), WEFT_ERROR_NOT_FINITE, size_names[number]);
    a.size = -1e-30f;
    expect_error(call(&a, number), WEFT_ERROR_RANGE, size_names[number]);
    expect_unwritten(&a);
    asking b = a;
    b.size = 0.0f;
    if (number == CAST_RAY) {
      expect_error(call(&b, number), WEFT_ERROR_RANGE, "length");
    } else {
      expect_ok(call(&b, number));
    }
    b = a;
    b.size = INFINITY;
    if (number == CAST_SPHERE || number == FIND_NEAR) {
      expect_error(call(&b, number), WEFT_ERROR_NOT_FINITE, "radius");
    } else {
      expect_ok(call(&b, number));
    }
  }
}

TEST(a_direction_of_no_length_and_a_box_turned_inside_out_are_refused) {
  asking a = new_asking();
  for (int axis = 0; axis < 3; ++axis) a.to[axis] = 0.0f;
  expect_error(call(&a, CAST_RAY), WEFT_ERROR_RANGE, "direction");
  expect_unwritten(&a);
  // denormal and very large directions are valid
  asking b = a;
  b.to[1] = 1e-45f;
  expect_ok(call(&b, CAST_RAY));
  b.to[1] = b.to[0] = 3.4e38f;
  expect_ok(call(&b, CAST_RAY));
  for (uint64_t axis = 0; axis < 3; ++axis) {
    b = a;
    b.from[axis] = 1e-7f;
    expect_error_at(call(&b, FIND_IN_BOX), WEFT_ERROR_RANGE, "lower", axis);
  }
  // a box may be a point, and a cast may have zero length
  b = a;
  expect_ok(call(&b, FIND_IN_BOX));
  expect_ok(call(&b, CAST_SEGMENT));
  expect_ok(call(&b, CAST_SPHERE));
}

TEST(filters_not_made_by_their_default_function_are_refused) {
  asking a = new_asking();
  a.filter.cookie = 0;
  for (int number = 0; number < CALLS; ++number) {
    expect_error(call(&a, number), WEFT_ERROR_DEF, "weft_query_filter_def");
  }
  expect_unwritten(&a);
}

TEST(pointers_that_are_needed_and_missing_are_named) {
  asking a = new_asking();
  const weft_world* w = a.world;
  const float* p = a.from;
  weft_query_hit* h = a.hits;
  uint32_t* c = &a.count;
  bool* f = &a.found;
  expect_null(weft_world_build_index(NULL), "world");
  expect_null(weft_world_cast_ray(NULL, p, a.to, 1, NULL, h, f), "world");
  expect_null(weft_world_cast_ray(w, NULL, a.to, 1, NULL, h, f), "origin");
  expect_null(weft_world_cast_ray(w, p, NULL, 1, NULL, h, f), "direction");
  expect_null(weft_world_cast_ray(w, p, a.to, 1, NULL, NULL, f), "hit");
  expect_null(weft_world_cast_ray(w, p, a.to, 1, NULL, h, NULL), "found");
  expect_null(weft_world_cast_segment(NULL, p, p, NULL, h, f), "world");
  expect_null(weft_world_cast_segment(w, NULL, p, NULL, h, f), "from");
  expect_null(weft_world_cast_segment(w, p, NULL, NULL, h, f), "to");
  expect_null(weft_world_cast_segment(w, p, p, NULL, NULL, f), "hit");
  expect_null(weft_world_cast_sphere(NULL, p, p, 1, NULL, h, f), "world");
  expect_null(weft_world_cast_sphere(w, p, p, 1, NULL, h, NULL), "found");
  expect_null(weft_world_overlap_sphere(NULL, p, 1, NULL, 4, h, c), "world");
  expect_null(weft_world_overlap_sphere(w, NULL, 1, NULL, 4, h, c), "point");
  expect_null(weft_world_overlap_sphere(w, p, 1, NULL, 4, NULL, c), "hits");
  expect_null(weft_world_overlap_sphere(w, p, 1, NULL, 4, h, NULL), "count");
  expect_null(weft_world_overlap_box(NULL, p, p, NULL, 4, h, c), "world");
  expect_null(weft_world_overlap_box(w, NULL, p, NULL, 4, h, c), "lower");
  expect_null(weft_world_overlap_box(w, p, NULL, NULL, 4, h, c), "upper");
  expect_null(weft_world_overlap_box(w, p, p, NULL, 4, NULL, c), "hits");
  expect_null(weft_world_overlap_box(w, p, p, NULL, 4, h, NULL), "count");
  expect_null(weft_world_find_closest(NULL, p, 1, NULL, h, f), "world");
  expect_null(weft_world_find_closest(w, NULL, 1, NULL, h, f), "point");
  expect_null(weft_world_find_closest(w, p, 1, NULL, NULL, f), "hit");
  expect_null(weft_world_find_closest(w, p, 1, NULL, h, NULL), "found");
  expect_null(weft_world_find_nearest(NULL, p, 1, NULL, 4, h, c), "world");
  expect_null(weft_world_find_nearest(w, NULL, 1, NULL, 4, h, c), "point");
  expect_null(weft_world_find_nearest(w, p, 1, NULL, 4, NULL, c), "hits");
  expect_null(weft_world_find_nearest(w, p, 1, NULL, 4, h, NULL), "count");
  expect_unwritten(&a);
  // capacity 0 allows NULL hits, and a NULL filter includes everything
  expect_ok(weft_world_overlap_sphere(w, p, 1, NULL, 0, NULL, c));
  expect_ok(weft_world_overlap_box(w, p, a.to, NULL, 0, NULL, c));
  expect_ok(weft_world_find_nearest(w, p, 1, NULL, 0, NULL, c));
}
