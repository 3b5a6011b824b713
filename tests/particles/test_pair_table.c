/* Overlap of two convex particle shapes, against many directions: the gap along each follows from
 * their support functions, and none is greater than that along the normal. */
#include "modules/spheres/pair_table.h"

#include "support/test.h"

static const weft_particle_shape shapes[] = {WEFT_PARTICLE_SHAPE_SPHERE, WEFT_PARTICLE_SHAPE_BOX,
                                             WEFT_PARTICLE_SHAPE_ELLIPSOID};

enum { SHAPES = 3, DIRECTIONS = ROUNDS(20000, 4000) };

typedef struct body {
  weft_particle_shape shape;
  float half[3];
} body;

#define BALL(r)                   \
  {                               \
    WEFT_PARTICLE_SHAPE_SPHERE, { \
      r, r, r                     \
    }                             \
  }
#define BOX(x, y, z)           \
  {                            \
    WEFT_PARTICLE_SHAPE_BOX, { \
      x, y, z                  \
    }                          \
  }
#define EGG(x, y, z)                 \
  {                                  \
    WEFT_PARTICLE_SHAPE_ELLIPSOID, { \
      x, y, z                        \
    }                                \
  }

static body random_body(random_source* random, weft_particle_shape shape, float ratio) {
  body made = {.shape = shape};
  for (int axis = 0; axis < 3; ++axis) {
    made.half[axis] = random_float(random, 0.2f, 0.2f * ratio);
    if (shape == WEFT_PARTICLE_SHAPE_SPHERE) made.half[axis] = made.half[0];
  }
  return made;
}

// support function: extent of a shape along a unit direction
static double reach(const body* b, const double n[3]) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double part = (double)b->half[axis] * n[axis];
    sum += b->shape == WEFT_PARTICLE_SHAPE_BOX ? fabs(part) : part * part;
  }
  return b->shape == WEFT_PARTICLE_SHAPE_BOX ? sum : sqrt(sum);
}

static double depth_along(const body* a, const body* b, const double offset[3], const double n[3]) {
  double along = 0.0;
  for (int axis = 0; axis < 3; ++axis) along += n[axis] * offset[axis];
  return reach(a, n) + reach(b, n) - along;
}

static void random_direction(random_source* random, double n[3]) {
  double square = 0.0;
  while (square < 1e-4 || square > 1.0) {
    square = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      n[axis] = (double)random_float(random, -1.0f, 1.0f);
      square += n[axis] * n[axis];
    }
  }
  for (int axis = 0; axis < 3; ++axis) n[axis] /= sqrt(square);
}

// smallest depth of many directions: random ones, then ones that close in on the best so far
static double sampled_depth(const body* a, const body* b, const double offset[3],
                            random_source* random) {
  double best[3] = {0.0, 1.0, 0.0};
  double lower = depth_along(a, b, offset, best);
  for (int i = 0; i < 2 * DIRECTIONS; ++i) {
    double n[3];
    random_direction(random, n);
    const double share = i < DIRECTIONS ? 1.0 : pow(1e-5, (double)(i - DIRECTIONS) / DIRECTIONS);
    double square = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      n[axis] = i < DIRECTIONS ? n[axis] : best[axis] + share * n[axis];
      square += n[axis] * n[axis];
    }
    if (i < 3) {
      for (int axis = 0; axis < 3; ++axis) n[axis] = axis == i ? copysign(1.0, offset[axis]) : 0.0;
      square = 1.0;
    }
    if (square < 1e-6) continue;
    for (int axis = 0; axis < 3; ++axis) n[axis] /= sqrt(square);
    const double depth = depth_along(a, b, offset, n);
    if (depth >= lower) continue;
    lower = depth;
    for (int axis = 0; axis < 3; ++axis) best[axis] = n[axis];
  }
  return lower;
}

static weft__overlap overlap_of(const body* a, const body* b, const double offset[3]) {
  return weft__pair_function_of(a->shape, b->shape, false)(a->half, b->half, offset);
}

static double length_of(const double n[3]) {
  return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

LOOP_TEST(no_direction_is_better_than_the_normal, 0, SHAPES* SHAPES) {
  const weft_particle_shape first = shapes[_i / SHAPES];
  const weft_particle_shape second = shapes[_i % SHAPES];
  random_source random = {(uint64_t)_i};
  for (int round = 0; round < ROUNDS(20, 10); ++round) {
    const body a = random_body(&random, first, 5.0f);
    const body b = random_body(&random, second, 5.0f);
    double offset[3];
    random_direction(&random, offset);
    const double far =
        (double)random_float(&random, 0.3f, 1.6f) * (reach(&a, offset) + reach(&b, offset));
    for (int axis = 0; axis < 3; ++axis) offset[axis] *= far;
    const weft__overlap overlap = overlap_of(&a, &b, offset);
    ck_assert_double_eq_tol(length_of(overlap.normal), 1.0, 1e-12);
    ck_assert_double_eq_tol(depth_along(&a, &b, offset, overlap.normal), overlap.depth, 1e-9);
    const double sampled = sampled_depth(&a, &b, offset, &random);
    // separated boxes: the depth is that along an axis, not the distance
    const bool are_boxes = first == WEFT_PARTICLE_SHAPE_BOX && second == WEFT_PARTICLE_SHAPE_BOX;
    if (are_boxes && overlap.depth < 0.0) {
      require(sampled <= overlap.depth + 1e-9 && sampled < 0.0);
      continue;
    }
    require(overlap.depth <= sampled + 1e-6);
    require(overlap.depth >= sampled - 2e-3);
  }
}

// depth and normal in closed form; of equal depths along two axes the last with an offset counts
static const struct {
  body first, second;
  double offset[3];
  double depth;
  double normal[3];
} closed_forms[] = {
    // boxes: separated, overlapping, equal depths with and without offset
    {BOX(0.5f, 0.25f, 1), BOX(0.5f, 0.25f, 1), {1.5, -0.6, 0}, -0.5, {1, 0, 0}},
    {BOX(1, 1, 1), BOX(1, 1, 1), {0, -1.5, 1}, 0.5, {0, -1, 0}},
    {BOX(1, 0.5f, 1), BOX(1, 0.5f, 1), {1, 0, 0}, 1, {1, 0, 0}},
    {BOX(1, 1, 1), BOX(1, 1, 1), {1, -1, 0}, 1, {0, -1, 0}},
    {BOX(1, 1, 1), BOX(1, 1, 1), {-1, 1, 1}, 1, {0, 0, 1}},
    // a sphere beside a face, an edge and a corner of a box, and within it
    {BOX(1, 2, 3), BALL(1), {1.5, 1, -2}, 0.5, {1, 0, 0}},
    {BOX(1, 2, 3), BALL(1), {1.3, -2.4, 0}, 0.5, {0.6, -0.8, 0}},
    {BOX(1, 2, 3), BALL(4), {2, 4, -5}, 1, {1.0 / 3, 2.0 / 3, -2.0 / 3}},
    {BOX(1, 2, 3), BALL(0.5f), {0.25, 1.5, 0}, 1, {0, 1, 0}},
    {BALL(1), BOX(1, 2, 3), {0, 0, -3.5}, 0.5, {0, 0, -1}},
    // spheres: overlapping, separated, concentric
    {BALL(1), BALL(2), {0, 1.6, -1.2}, 1, {0, 0.8, -0.6}},
    {BALL(1), BALL(2), {0, 0, 4}, -1, {0, 0, 1}},
    {BALL(1), BALL(2), {0, 0, 0}, 3, {0, 1, 0}},
    // ellipsoids along their axes
    {EGG(1, 2, 3), BALL(1), {0, -2.5, 0}, 0.5, {0, -1, 0}},
    {EGG(1, 2, 3), EGG(3, 2, 1), {0, 0, 3.5}, 0.5, {0, 0, 1}},
    {BOX(1, 1, 1), EGG(1, 2, 3), {-1.5, 0, 0}, 0.5, {-1, 0, 0}},
};
enum { CLOSED_FORMS = sizeof(closed_forms) / sizeof(*closed_forms) };

LOOP_TEST(depth_and_normal_are_those_of_the_closed_form, 0, CLOSED_FORMS) {
  const weft__overlap overlap =
      overlap_of(&closed_forms[_i].first, &closed_forms[_i].second, closed_forms[_i].offset);
  ck_assert_double_eq_tol(overlap.depth, closed_forms[_i].depth, 1e-6);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_eq_tol(overlap.normal[axis], closed_forms[_i].normal[axis], 1e-6);
  }
}

TEST(who_is_first_turns_the_normal_and_nothing_else) {
  random_source random = {77};
  for (int round = 0; round < 300; ++round) {
    const body a = random_body(&random, shapes[round % SHAPES], 4.0f);
    const body b = random_body(&random, shapes[round / SHAPES % SHAPES], 4.0f);
    double there[3], back[3];
    for (int axis = 0; axis < 3; ++axis) {
      there[axis] = (double)random_float(&random, -1.5f, 1.5f);
      back[axis] = -there[axis];
    }
    const weft__overlap one = overlap_of(&a, &b, there);
    const weft__overlap other = overlap_of(&b, &a, back);
    ck_assert_double_eq_tol(one.depth, other.depth, 1e-7);
    for (int axis = 0; axis < 3; ++axis) {
      ck_assert_double_eq_tol(one.normal[axis], -other.normal[axis], 1e-4);
    }
  }
}

TEST(what_lies_in_a_plane_stays_there_to_the_bit) {
  random_source random = {9};
  for (int round = 0; round < 300; ++round) {
    body a = random_body(&random, shapes[round % SHAPES], 3.0f);
    body b = random_body(&random, shapes[round / SHAPES % SHAPES], 3.0f);
    if (a.shape != WEFT_PARTICLE_SHAPE_SPHERE) a.half[2] = 10.0f;
    if (b.shape != WEFT_PARTICLE_SHAPE_SPHERE) b.half[2] = 10.0f;
    const double offset[3] = {(double)random_float(&random, -1.0f, 1.0f),
                              (double)random_float(&random, 0.1f, 1.0f), 0.0};
    ck_assert_double_eq(overlap_of(&a, &b, offset).normal[2], 0.0);
  }
}

TEST(one_in_the_middle_of_another_has_a_way_out) {
  const double nowhere[3] = {0.0, 0.0, 0.0};
  for (int first = 0; first < SHAPES; ++first) {
    for (int second = 0; second < SHAPES; ++second) {
      const body a = {shapes[first], {0.5f, 0.5f, 0.5f}};
      const body b = {shapes[second], {0.25f, 0.25f, 0.25f}};
      const weft__overlap overlap = overlap_of(&a, &b, nowhere);
      ck_assert_double_eq_tol(overlap.depth, 0.75, 1e-9);
      ck_assert_double_eq_tol(length_of(overlap.normal), 1.0, 1e-12);
    }
  }
}
