#include "collision/colliders/face_shape.h"

#include <math.h>

#include "base/min_max.h"
#include "geometry/closest_points.h"

// Weights, sines and lengths below this are rounding.
#define TOLERANCE 1e-9

static weft__vec3 normal_of(const weft__vec3 corner[3]) {
  const weft__vec3 normal =
      weft__cross(weft__minus(corner[1], corner[0]), weft__minus(corner[2], corner[0]));
  const double length = weft__length(normal);
  return length > 0.0 ? weft__scaled(1.0 / length, normal) : (weft__vec3){0.0, 0.0, 0.0};
}

// 0 for a sphere
static double half_axis(const weft__shape* shape) {
  return shape->kind == WEFT_COLLIDER_SHAPE_CAPSULE ? shape->half_size[1] : 0.0;
}

static weft__vec3 axis_point(double half, double y) {
  return (weft__vec3){0.0, weft__max(-half, weft__min(y, half)), 0.0};
}

static double least_along(const weft__vec3 corner[3], weft__vec3 normal) {
  return weft__min(weft__dot(corner[0], normal),
                   weft__min(weft__dot(corner[1], normal), weft__dot(corner[2], normal)));
}

static bool is_apart_from_capsule(const weft__shape* shape, const weft__vec3 corner[3],
                                  double reach) {
  static const double thirds[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  const double half = half_axis(shape);
  const weft__vec3 center = weft__blend(corner, thirds);
  const weft__vec3 out = weft__minus(center, axis_point(half, center.y));
  const double length = weft__length(out);
  if (!(length > 0.0)) return false;
  const weft__vec3 normal = weft__scaled(1.0 / length, out);
  return least_along(corner, normal) - half * fabs(normal.y) >= shape->radius + reach;
}

static bool is_beyond(double a, double b, double c, double half) {
  return (a >= half && b >= half && c >= half) || (a <= -half && b <= -half && c <= -half);
}

bool weft__face_is_apart(const weft__shape* shape, const weft__vec3 corner[3], double reach) {
  if (shape->kind != WEFT_COLLIDER_SHAPE_BOX) return is_apart_from_capsule(shape, corner, reach);
  const double* half = shape->half_size;
  return is_beyond(corner[0].x, corner[1].x, corner[2].x, half[0] + reach) ||
         is_beyond(corner[0].y, corner[1].y, corner[2].y, half[1] + reach) ||
         is_beyond(corner[0].z, corner[1].z, corner[2].z, half[2] + reach);
}

// Closest points of the triangle and the axis.
typedef struct nearness {
  double distance_sq;
  double share[3];
  weft__vec3 on_axis;
} nearness;

static void take_nearer(nearness* best, double distance_sq, const double share[3],
                        weft__vec3 on_axis) {
  if (!(distance_sq < best->distance_sq)) return;
  *best = (nearness){distance_sq, {share[0], share[1], share[2]}, on_axis};
}

// True if the axis crosses the triangle between its ends.
static bool cross_face(const weft__vec3 corner[3], double half, nearness* crossing) {
  const weft__vec3 normal = normal_of(corner);
  if (fabs(normal.y) < TOLERANCE) return false;
  const double y = weft__dot(normal, corner[0]) / normal.y;
  if (fabs(y) > half) return false;
  const weft__vec3 at = {0.0, y, 0.0};
  const double distance_sq = weft__closest_on_triangle(at, corner, crossing->share);
  crossing->on_axis = at;
  crossing->distance_sq = distance_sq;
  return distance_sq <= TOLERANCE * TOLERANCE;
}

static nearness nearest_to_axis(const weft__vec3 corner[3], double half) {
  nearness best = {.distance_sq = INFINITY};
  if (half > 0.0 && cross_face(corner, half, &best)) return best;
  best.distance_sq = INFINITY;
  const weft__vec3 axis[2] = {{0.0, -half, 0.0}, {0.0, half, 0.0}};
  for (int end = 0; end < (half > 0.0 ? 2 : 1); ++end) {
    double share[3];
    const double distance_sq = weft__closest_on_triangle(axis[end], corner, share);
    take_nearer(&best, distance_sq, share, axis[end]);
  }
  for (int k = 0; k < 3 && half > 0.0; ++k) {
    const weft__vec3 edge[2] = {corner[k], corner[(k + 1) % 3]};
    double along[2];
    const double distance_sq = weft__closest_on_segments(edge, axis, along);
    double share[3] = {0.0, 0.0, 0.0};
    share[k] = 1.0 - along[0];
    share[(k + 1) % 3] = along[0];
    take_nearer(&best, distance_sq, share, (weft__vec3){0.0, half * (2.0 * along[1] - 1.0), 0.0});
  }
  return best;
}

static bool is_within(const double share[3]) {
  return share[0] > TOLERANCE && share[1] > TOLERANCE && share[2] > TOLERANCE;
}

// Contact within the face, on the axis' side at the beginning.
static double side_of_face(const weft__local_face* face, const nearness* at, weft__vec3* normal) {
  const weft__vec3 before = weft__minus(weft__blend(face->previous, at->share), at->on_axis);
  const double side = weft__dot(normal_of(face->previous), before);
  *normal = weft__scaled(side < 0.0 ? -1.0 : 1.0, normal_of(face->corner));
  return weft__dot(*normal, weft__minus(weft__blend(face->corner, at->share), at->on_axis));
}

static bool find_on_capsule(const weft__shape* shape, const weft__local_face* face, double reach,
                            weft__face_contact* contact) {
  const nearness at = nearest_to_axis(face->corner, half_axis(shape));
  double distance = sqrt(at.distance_sq);
  const double wanted = shape->radius + reach;
  if (!(distance < wanted)) return false;
  if (is_within(at.share)) {
    distance = side_of_face(face, &at, &contact->normal);
  } else if (distance > TOLERANCE) {
    const weft__vec3 out = weft__minus(weft__blend(face->corner, at.share), at.on_axis);
    contact->normal = weft__scaled(1.0 / distance, out);
  } else {
    return false;
  }
  for (int k = 0; k < 3; ++k) contact->share[k] = at.share[k];
  contact->point = weft__plus(at.on_axis, weft__scaled(shape->radius, contact->normal));
  return distance < wanted;
}

typedef struct penetration {
  double depth;
  weft__vec3 normal;
  int box_edge, face_edge;  // -1: a vertex, or the face
} penetration;

// Tests both directions of an axis; false if it separates.
static bool test_axis(const double half[3], const weft__vec3 corner[3], double reach,
                      weft__vec3 axis, int box_edge, int face_edge, penetration* least) {
  const double extent =
      half[0] * fabs(axis.x) + half[1] * fabs(axis.y) + half[2] * fabs(axis.z) + reach;
  for (int side = 0; side < 2; ++side) {
    const weft__vec3 normal = side == 0 ? axis : weft__scaled(-1.0, axis);
    const double depth = extent - least_along(corner, normal);
    if (!(depth > 0.0)) return false;
    if (depth < least->depth) *least = (penetration){depth, normal, box_edge, face_edge};
  }
  return true;
}

static bool find_axis(const double half[3], const weft__vec3 corner[3], double reach,
                      penetration* least) {
  static const weft__vec3 box_axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int i = 0; i < 3; ++i) {
    if (!test_axis(half, corner, reach, box_axes[i], -1, -1, least)) return false;
  }
  const weft__vec3 normal = normal_of(corner);
  if (weft__dot(normal, normal) > 0.0 && !test_axis(half, corner, reach, normal, -1, 3, least))
    return false;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const weft__vec3 edge = weft__minus(corner[(k + 1) % 3], corner[k]);
      const weft__vec3 axis = weft__cross(box_axes[i], edge);
      const double length = weft__length(axis);
      // parallel edges: other axes separate
      if (!(length > 1e-6 * weft__length(edge))) continue;
      if (!test_axis(half, corner, reach, weft__scaled(1.0 / length, axis), i, k, least))
        return false;
    }
  }
  return true;
}

// Furthest coordinate along a component of the normal; near `beside` if that is 0.
static double support(double half, double component, double beside) {
  if (fabs(component) < 1e-6) return weft__max(-half, weft__min(beside, half));
  return component > 0.0 ? half : -half;
}

static weft__vec3 support_of_box(const double half[3], weft__vec3 normal, weft__vec3 beside) {
  return (weft__vec3){support(half[0], normal.x, beside.x), support(half[1], normal.y, beside.y),
                      support(half[2], normal.z, beside.z)};
}

static void share_of_edges(const double half[3], const weft__vec3 corner[3],
                           const penetration* least, weft__vec3 center, double share[3]) {
  weft__vec3 ends[2];
  ends[0] = ends[1] = support_of_box(half, least->normal, center);
  double* const along[2][3] = {{&ends[0].x, &ends[0].y, &ends[0].z},
                               {&ends[1].x, &ends[1].y, &ends[1].z}};
  *along[0][least->box_edge] = -half[least->box_edge];
  *along[1][least->box_edge] = half[least->box_edge];
  const int k = least->face_edge;
  const weft__vec3 edge[2] = {corner[k], corner[(k + 1) % 3]};
  double nearest[2];
  (void)weft__closest_on_segments(edge, ends, nearest);
  share[k] = 1.0 - nearest[0];
  share[(k + 1) % 3] = nearest[0];
  share[(k + 2) % 3] = 0.0;
}

static void share_of_corner(const weft__vec3 corner[3], weft__vec3 normal, double share[3]) {
  int deepest = 0;
  for (int k = 1; k < 3; ++k) {
    if (weft__dot(corner[k], normal) < weft__dot(corner[deepest], normal)) deepest = k;
  }
  for (int k = 0; k < 3; ++k) share[k] = k == deepest ? 1.0 : 0.0;
}

static bool find_on_box(const weft__shape* shape, const weft__local_face* face, double reach,
                        weft__face_contact* contact) {
  static const double thirds[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  const double* half = shape->half_size;
  penetration least = {.depth = INFINITY};
  if (!find_axis(half, face->corner, reach, &least)) return false;
  const weft__vec3 center = weft__blend(face->corner, thirds);
  if (least.box_edge >= 0) {
    share_of_edges(half, face->corner, &least, center, contact->share);
  } else if (least.face_edge == 3) {
    (void)weft__closest_on_triangle(support_of_box(half, least.normal, center), face->corner,
                                    contact->share);
  } else {
    share_of_corner(face->corner, least.normal, contact->share);
  }
  contact->normal = least.normal;
  contact->point = weft__plus(weft__blend(face->corner, contact->share),
                              weft__scaled(least.depth - reach, least.normal));
  return true;
}

bool weft__face_find_contact(const weft__shape* shape, const weft__local_face* face, double reach,
                             weft__face_contact* contact) {
  return shape->kind == WEFT_COLLIDER_SHAPE_BOX ? find_on_box(shape, face, reach, contact)
                                                : find_on_capsule(shape, face, reach, contact);
}
