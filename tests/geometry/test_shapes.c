/* Collider shapes against brute force: an inside/outside test that shares no code with them, and
 * searches over surfaces and segments. */
#include "geometry/shape.h"

#include "geometry/convex.h"
#include "support/test.h"

// ---- random shapes ----

static weft__shape random_shape(random_source* random, weft_collider_shape kind) {
  weft__shape shape = {.kind = kind, .radius = (double)random_float(random, 0.05f, 2.0f)};
  for (int axis = 0; axis < 3; ++axis) {
    shape.half_size[axis] = (double)random_float(random, 0.05f, 2.0f);
    if (random_chance(random, 4)) shape.half_size[axis] = 0.5;
  }
  return shape;
}

static weft__vec3 random_point(random_source* random, float size) {
  weft__vec3 p = {(double)random_float(random, -size, size),
                  (double)random_float(random, -size, size),
                  (double)random_float(random, -size, size)};
  // also on axes and planes
  if (random_chance(random, 6)) p.x = 0.0;
  if (random_chance(random, 6)) p.y = 0.0;
  if (random_chance(random, 6)) p.z = 0.0;
  return p;
}

static double length_of(weft__vec3 a) {
  return sqrt(weft__dot(a, a));
}

static weft__vec3 between(weft__vec3 a, weft__vec3 b, double share) {
  return weft__plus(a, weft__scaled(share, weft__minus(b, a)));
}

// negative inside, 0 on the surface, positive outside; not a distance
static double side_of(const weft__shape* s, weft__vec3 p) {
  switch (s->kind) {
    case WEFT_COLLIDER_SHAPE_HALF_SPACE:
      return p.y;
    case WEFT_COLLIDER_SHAPE_SPHERE:
      return length_of(p) - s->radius;
    case WEFT_COLLIDER_SHAPE_CAPSULE: {
      const double past = fabs(p.y) - s->half_size[1];
      const double up = past > 0.0 ? past : 0.0;
      return sqrt(p.x * p.x + up * up + p.z * p.z) - s->radius;
    }
    case WEFT_COLLIDER_SHAPE_BOX:
      return fmax(fabs(p.x) - s->half_size[0],
                  fmax(fabs(p.y) - s->half_size[1], fabs(p.z) - s->half_size[2]));
    default:
      return hypot(hypot(p.x / s->half_size[0], p.y / s->half_size[1]), p.z / s->half_size[2]) -
             1.0;
  }
}

static const weft_collider_shape solids[] = {
    WEFT_COLLIDER_SHAPE_HALF_SPACE, WEFT_COLLIDER_SHAPE_SPHERE, WEFT_COLLIDER_SHAPE_CAPSULE,
    WEFT_COLLIDER_SHAPE_BOX, WEFT_COLLIDER_SHAPE_ELLIPSOID};
enum { SOLID_COUNT = 5 };

// ---- nearest points ----

// Least signed side over a sphere around a point, by random directions, then descent: negative if
// the sphere reaches the other side of the surface.
static double deepest(const weft__shape* s, random_source* random, weft__vec3 center, double radius,
                      double sign) {
  weft__vec3 best = {0.0, 1.0, 0.0};
  double lower = INFINITY;
  double width = 2.0;
  for (int k = 0; k < 600; ++k) {
    weft__vec3 way = k < 60 ? random_point(random, 1.0f)
                            : weft__plus(best, weft__scaled(width, random_point(random, 1.0f)));
    const double length = length_of(way);
    if (!(length > 0.0)) continue;
    way = weft__scaled(1.0 / length, way);
    const double value = sign * side_of(s, weft__plus(center, weft__scaled(radius, way)));
    if (value < lower) {
      lower = value;
      best = way;
    } else if (k >= 60) {
      width *= 0.98;
    }
  }
  return lower;
}

TEST(the_nearest_place_is_on_the_surface_and_none_is_nearer) {
  random_source random = {1};
  for (int round = 0; round < ROUNDS(3000, 200); ++round) {
    const weft_collider_shape kind = solids[round % SOLID_COUNT];
    const weft__shape s = random_shape(&random, kind);
    const weft__vec3 p = random_point(&random, 3.0f);
    weft__surface_point nearest;
    require(weft__shape_rows[kind]->find_nearest(&s, p, INFINITY, &nearest));
    const double side = side_of(&s, p);
    if (!(fabs(side_of(&s, nearest.point)) < 1e-9)) ck_abort_msg("kind %d: not on it", (int)kind);
    require(fabs(length_of(nearest.normal) - 1.0) < 1e-12);
    require(fabs(fabs(nearest.distance) - length_of(weft__minus(p, nearest.point))) < 1e-9);
    require(nearest.distance * side >= 0.0 || fabs(side) < 1e-9);
    // the point lies along the normal
    const weft__vec3 back = weft__minus(p, weft__scaled(nearest.distance, nearest.normal));
    if (!(length_of(weft__minus(back, nearest.point)) < 1e-6)) {
      ck_abort_msg("round %d, kind %d: the normal is off by %g", round, (int)kind,
                   length_of(weft__minus(back, nearest.point)));
    }
    // no smaller ball around the point reaches the other side
    const double sign = side < 0.0 ? -1.0 : 1.0;
    const double ball = fabs(nearest.distance) * 0.999 - 1e-9;
    if (ball > 0.0 && deepest(&s, &random, p, ball, sign) < 0.0) {
      ck_abort_msg("round %d, kind %d: there is a nearer one", round, (int)kind);
    }
    // the search radius is respected
    const bool in_reach =
        weft__shape_rows[kind]->find_nearest(&s, p, fabs(nearest.distance) * 0.99, &nearest);
    require(in_reach == (side < 0.0) || fabs(nearest.distance) < 1e-9);
  }
}

TEST(degenerate_points_are_answered) {
  random_source random = {2};
  for (int round = 0; round < 500; ++round) {
    const weft_collider_shape kind = solids[round % SOLID_COUNT];
    weft__shape s = random_shape(&random, kind);
    if (random_chance(&random, 3)) s.half_size[1] = s.half_size[0] = s.half_size[2];
    if (random_chance(&random, 3)) s.half_size[random_below(&random, 3)] = 1e-6;
    if (random_chance(&random, 3)) s.half_size[random_below(&random, 3)] = 1e9;
    const weft__vec3 points[3] = {
        {0.0, 0.0, 0.0}, {s.half_size[0], 0.0, 0.0}, {1e-300, s.half_size[1], 1e-160}};
    for (int k = 0; k < 3; ++k) {
      weft__surface_point nearest;
      require(weft__shape_rows[kind]->find_nearest(&s, points[k], INFINITY, &nearest));
      require(fabs(length_of(nearest.normal) - 1.0) < 1e-9);
      require(isfinite(nearest.distance));
      require(isfinite(weft__dot(nearest.point, nearest.point)));
    }
  }
}

TEST(a_plane_is_nearest_on_the_side_that_asks) {
  const weft__shape s = {.kind = WEFT_COLLIDER_SHAPE_PLANE};
  weft__surface_point nearest;
  ck_assert(weft__plane_row.find_nearest(&s, (weft__vec3){1.0, -2.0, 3.0}, 2.5, &nearest));
  ck_assert_double_eq(nearest.distance, 2.0);
  ck_assert_double_eq(nearest.normal.y, -1.0);
  ck_assert_double_eq(nearest.point.x, 1.0);
  ck_assert(!weft__plane_row.find_nearest(&s, (weft__vec3){1.0, 2.0, 3.0}, 1.5, &nearest));
}

// ---- casts ----

// signed distance by find_nearest(), which the test of nearest points checks
static double distance_of(const weft__shape* s, weft__vec3 p) {
  weft__surface_point nearest;
  (void)weft__shape_rows[s->kind]->find_nearest(s, p, INFINITY, &nearest);
  return nearest.distance;
}

// first fraction at which a sphere touches, by small steps; 2 = none, -1 = too close to decide
static double march(const weft__shape* s, weft__vec3 from, weft__vec3 to, double radius) {
  enum { STEPS = 2000 };
  double lower = INFINITY;
  for (int k = 0; k <= STEPS; ++k) {
    const double gap = distance_of(s, between(from, to, (double)k / STEPS)) - radius;
    if (gap <= 0.0) return (double)k / STEPS;
    if (gap < lower) lower = gap;
  }
  return lower < 1e-5 ? -1.0 : 2.0;
}

static void check_cast(const weft__shape* s, weft__vec3 from, weft__vec3 to, double radius) {
  weft__cast cast = {0};
  const weft_collider_shape kind = s->kind;
  const bool met = weft__shape_rows[kind]->cast(s, from, to, radius, &cast);
  const double expected = march(s, from, to, radius);
  if (expected < 0.0) return;
  if (met != (expected <= 1.0)) {
    // a grazing cast may hit between two steps
    if (met && fabs(distance_of(s, between(from, to, cast.fraction)) - radius) < 1e-9) return;
    ck_abort_msg("kind %d: met %d, expected at %g", (int)kind, met, expected);
  }
  if (!met) return;
  require(cast.fraction >= 0.0 && cast.fraction <= 1.0);
  require(fabs(length_of(cast.normal) - 1.0) < 1e-9);
  require(cast.fraction <= expected + 1e-9);
  const weft__vec3 here = between(from, to, cast.fraction);
  if (cast.fraction > 0.0) {
    require(fabs(distance_of(s, here) - radius) < 1e-7);
    const weft__vec3 out = weft__plus(cast.point, weft__scaled(radius, cast.normal));
    require(length_of(weft__minus(out, here)) < 1e-5);
    require(fabs(side_of(s, cast.point)) < 1e-7);
  } else {
    require(distance_of(s, from) <= radius + 1e-9);
  }
}

TEST(a_cast_meets_where_small_steps_meet) {
  random_source random = {3};
  for (int round = 0; round < ROUNDS(2500, 100); ++round) {
    const weft__shape s = random_shape(&random, solids[round % SOLID_COUNT]);
    const weft__vec3 from = random_point(&random, 4.0f);
    const weft__vec3 to = random_point(&random, random_chance(&random, 3) ? 0.3f : 4.0f);
    const double radius =
        random_chance(&random, 2) ? 0.0 : (double)random_float(&random, 0.01f, 0.5f);
    check_cast(&s, from, to, radius);
  }
}

TEST(a_cast_at_a_plane_meets_from_both_sides) {
  const weft__shape s = {.kind = WEFT_COLLIDER_SHAPE_PLANE};
  for (int side = -1; side <= 1; side += 2) {
    weft__cast cast;
    const weft__vec3 from = {0.0, 2.0 * side, 0.0};
    const weft__vec3 to = {4.0, -2.0 * side, 0.0};
    ck_assert(weft__plane_row.cast(&s, from, to, 0.0, &cast));
    ck_assert_double_eq_tol(cast.fraction, 0.5, 1e-12);
    ck_assert_double_eq_tol(cast.point.x, 2.0, 1e-12);
    ck_assert_double_eq(cast.normal.y, (double)side);
    ck_assert(weft__plane_row.cast(&s, from, to, 1.0, &cast));
    ck_assert_double_eq_tol(cast.fraction, 0.25, 1e-12);
    ck_assert(!weft__plane_row.cast(&s, from, (weft__vec3){0.0, 1.0 * side, 0.0}, 0.5, &cast));
    ck_assert(weft__plane_row.cast(&s, (weft__vec3){0.0, 0.5 * side, 0.0}, from, 1.0, &cast));
    ck_assert_double_eq(cast.fraction, 0.0);
  }
}

// ---- boxes ----

static weft__vec3 cross(weft__vec3 a, weft__vec3 b) {
  return (weft__vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// three perpendicular edges, some of zero length
static void random_edges(random_source* random, weft__vec3 edges[3]) {
  weft__vec3 a = random_point(random, 1.0f);
  weft__vec3 b = random_point(random, 1.0f);
  a.x += 2.0;
  b.y += 2.0;
  edges[0] = weft__scaled(1.0 / length_of(a), a);
  edges[2] = cross(edges[0], b);
  edges[2] = weft__scaled(1.0 / length_of(edges[2]), edges[2]);
  edges[1] = cross(edges[2], edges[0]);
  for (int k = 0; k < 3; ++k) {
    const double size = random_chance(random, 6) ? 0.0 : (double)random_float(random, 0.01f, 1.5f);
    edges[k] = weft__scaled(size, edges[k]);
  }
}

// least signed distance to the shape over the box, by random search
static double least_distance(const weft__shape* s, random_source* random, weft__vec3 center,
                             const weft__vec3 edges[3]) {
  double shares[3] = {0.0, 0.0, 0.0};
  double lower = distance_of(s, center);
  double width = 1.0;
  for (int k = 0; k < 1500; ++k) {
    double tried[3];
    weft__vec3 p = center;
    for (int axis = 0; axis < 3; ++axis) {
      tried[axis] = shares[axis] + width * (double)random_float(random, -1.0f, 1.0f);
      tried[axis] = fmax(-1.0, fmin(1.0, tried[axis]));
      p = weft__plus(p, weft__scaled(tried[axis], edges[axis]));
    }
    const double distance = distance_of(s, p);
    if (distance < lower) {
      lower = distance;
      for (int axis = 0; axis < 3; ++axis) shares[axis] = tried[axis];
    } else if (k > 100) {
      width *= 0.985;
    }
  }
  return lower;
}

TEST(a_box_meets_a_shape_where_a_point_of_it_does) {
  random_source random = {4};
  int near = 0;
  for (int round = 0; round < ROUNDS(3000, 100); ++round) {
    const weft__shape s = random_shape(&random, solids[round % SOLID_COUNT]);
    const weft__vec3 center = random_point(&random, 3.0f);
    weft__vec3 edges[3];
    random_edges(&random, edges);
    const double lower = least_distance(&s, &random, center, edges);
    // too close to contact for the search to decide
    if (fabs(lower) < 0.01) continue;
    ++near;
    if (weft__shape_rows[s.kind]->overlaps_box(&s, center, edges) != (lower < 0.0)) {
      ck_abort_msg("round %d, kind %d: least distance %g", round, (int)s.kind, lower);
    }
  }
  ck_assert_int_gt(near, ROUNDS(2000, 50));
}

TEST(a_box_meets_a_plane_that_it_is_on_both_sides_of) {
  const weft__shape s = {.kind = WEFT_COLLIDER_SHAPE_PLANE};
  const weft__vec3 edges[3] = {{1.0, 0.5, 0.0}, {-0.5, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  ck_assert(weft__plane_row.overlaps_box(&s, (weft__vec3){9.0, 1.49, 9.0}, edges));
  ck_assert(weft__plane_row.overlaps_box(&s, (weft__vec3){9.0, -1.49, 9.0}, edges));
  ck_assert(!weft__plane_row.overlaps_box(&s, (weft__vec3){9.0, 1.51, 9.0}, edges));
  ck_assert(!weft__plane_row.overlaps_box(&s, (weft__vec3){9.0, -1.51, 9.0}, edges));
}

// ---- bounds ----

TEST(bounds_touch_the_surface_on_all_sides) {
  random_source random = {5};
  for (int round = 0; round < 200; ++round) {
    const weft__shape s = random_shape(&random, solids[1 + round % (SOLID_COUNT - 1)]);
    weft__vec3 lower;
    weft__vec3 upper;
    weft__shape_rows[s.kind]->bound(&s, &lower, &upper);
    const weft__vec3 tips[6] = {{lower.x, 0.0, 0.0}, {upper.x, 0.0, 0.0}, {0.0, lower.y, 0.0},
                                {0.0, upper.y, 0.0}, {0.0, 0.0, lower.z}, {0.0, 0.0, upper.z}};
    for (int k = 0; k < 6; ++k) require(fabs(side_of(&s, tips[k])) < 1e-12);
  }
}
