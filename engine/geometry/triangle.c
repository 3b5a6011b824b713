#include "geometry/triangle.h"

#include <float.h>
#include <math.h>

static double clamp(double share) {
  if (!(share > 0.0)) return 0.0;
  return share < 1.0 ? share : 1.0;
}

static weft__vec3 along(weft__vec3 a, weft__vec3 b, double share) {
  return weft__plus(a, weft__scaled(share, weft__minus(b, a)));
}

// ---- segments ----

double weft__nearest_on_segment(weft__vec3 point, weft__vec3 a, weft__vec3 b) {
  const weft__vec3 way = weft__minus(b, a);
  const double length_sq = weft__dot(way, way);
  if (!(length_sq > 0.0)) return 0.0;
  return clamp(weft__dot(weft__minus(point, a), way) / length_sq);
}

// ---- nearest to a point ----

weft__vec3 weft__triangle_normal(const weft__triangle* triangle) {
  return weft__cross(weft__minus(triangle->b, triangle->a), weft__minus(triangle->c, triangle->a));
}

bool weft__has_no_area(const weft__triangle* triangle) {
  const weft__vec3 edges[3] = {weft__minus(triangle->b, triangle->a),
                               weft__minus(triangle->c, triangle->b),
                               weft__minus(triangle->a, triangle->c)};
  double longest_sq = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double length_sq = weft__dot(edges[k], edges[k]);
    if (length_sq > longest_sq) longest_sq = length_sq;
  }
  return !(weft__length(weft__triangle_normal(triangle)) > 1e-12 * longest_sq);
}

// twice the area that an edge spans with a point, as seen along the normal, times the normal's length
static double area_of(weft__vec3 normal, weft__vec3 point, weft__vec3 a, weft__vec3 b) {
  return weft__dot(normal, weft__cross(weft__minus(b, a), weft__minus(point, a)));
}

weft__triangle_point weft__nearest_on_triangle(weft__vec3 point, const weft__triangle* triangle) {
  const weft__vec3 corners[3] = {triangle->a, triangle->b, triangle->c};
  const weft__vec3 normal = weft__triangle_normal(triangle);
  const double normal_sq = weft__dot(normal, normal);
  weft__triangle_point nearest = {.distance = INFINITY};
  double shares[3];
  bool inside = normal_sq > 0.0;
  for (int k = 0; k < 3; ++k) {
    // what the corner k has a share of is across from it
    shares[k] = area_of(normal, point, corners[(k + 1) % 3], corners[(k + 2) % 3]);
    if (!(shares[k] >= 0.0)) inside = false;
  }
  if (inside) {
    const double height = weft__dot(normal, weft__minus(point, triangle->a)) / normal_sq;
    nearest.point = weft__minus(point, weft__scaled(height, normal));
    nearest.distance = fabs(height) * sqrt(normal_sq);
    const double sum = shares[0] + shares[1] + shares[2];
    for (int k = 0; k < 3; ++k) nearest.shares[k] = sum > 0.0 ? shares[k] / sum : k == 0;
    nearest.inside = true;
    return nearest;
  }
  // it is of an edge that the point is outside of
  for (int k = 0; k < 3; ++k) {
    if (normal_sq > 0.0 && shares[k] >= 0.0) continue;
    const int first = (k + 1) % 3;
    const int second = (k + 2) % 3;
    const double share = weft__nearest_on_segment(point, corners[first], corners[second]);
    const weft__vec3 at = along(corners[first], corners[second], share);
    const double distance = weft__length(weft__minus(point, at));
    if (!(distance < nearest.distance)) continue;
    nearest.distance = distance;
    nearest.point = at;
    nearest.shares[k] = 0.0;
    nearest.shares[first] = 1.0 - share;
    nearest.shares[second] = share;
  }
  return nearest;
}

// ---- a ball on its way ----

// what rounding may add up to, as a share of the numbers in it
#define SLACK (16.0 * DBL_EPSILON)

// Where a line meets the triangle's face, or passes its edges by no more than rounding. Of the volumes that the
// line spans with the edges, two triangles see that of an edge between them with opposite signs, bit for bit.
static bool is_crossed(weft__vec3 from, weft__vec3 way, const weft__triangle* triangle) {
  const weft__vec3 corners[3] = {weft__minus(triangle->a, from), weft__minus(triangle->b, from),
                                 weft__minus(triangle->c, from)};
  const double length = weft__length(way);
  bool left = true;
  bool right = true;
  for (int k = 0; k < 3; ++k) {
    const weft__vec3 a = corners[k];
    const weft__vec3 b = corners[(k + 1) % 3];
    const double volume = weft__dot(way, weft__cross(a, b));
    const double slack = SLACK * length * weft__length(a) * weft__length(b);
    if (!(volume >= -slack)) left = false;
    if (!(volume <= slack)) right = false;
  }
  return left || right;
}

// the face, on the side that the ball comes from
static bool meets_face(weft__vec3 from, weft__vec3 way, double radius, double limit,
                       const weft__triangle* triangle, weft__triangle_hit* hit) {
  const weft__vec3 normal = weft__triangle_normal(triangle);
  const double length = weft__length(normal);
  if (!(length > 0.0)) return false;
  const double height = weft__dot(normal, weft__minus(from, triangle->a)) / length;
  const weft__vec3 up = weft__scaled((height < 0.0 ? -1.0 : 1.0) / length, normal);
  const double closing = -weft__dot(up, way);
  const double gap = fabs(height) - radius;
  if (!(gap >= 0.0 && closing > 0.0 && gap <= limit * closing)) return false;
  // the ball's lowest point goes along a line
  const weft__vec3 lowest = weft__minus(from, weft__scaled(radius, up));
  if (!is_crossed(lowest, way, triangle)) return false;
  const double fraction = gap / closing;
  const weft__vec3 met = weft__plus(lowest, weft__scaled(fraction, way));
  *hit = (weft__triangle_hit){fraction, met, up};
  return true;
}

// Along the way the distance to a triangle is a convex function, which Newton's method comes down from the left: no
// tangent passes its first root. Where the ball only grazes, each step halves what is left.
enum { MOST_STEPS = 64 };

static bool meets_edges(weft__vec3 from, weft__vec3 way, double radius, double limit,
                        const weft__triangle* triangle, weft__triangle_hit* hit) {
  double fraction = 0.0;
  for (int step = 0; step < MOST_STEPS; ++step) {
    const weft__vec3 here = weft__plus(from, weft__scaled(fraction, way));
    const weft__triangle_point nearest = weft__nearest_on_triangle(here, triangle);
    const double gap = nearest.distance - radius;
    if (!(nearest.distance > 0.0)) break;
    const weft__vec3 normal =
        weft__scaled(1.0 / nearest.distance, weft__minus(here, nearest.point));
    *hit = (weft__triangle_hit){fraction, nearest.point, normal};
    if (gap <= 0.0) return true;
    const double closing = -weft__dot(normal, way);
    const double next = fraction + gap / closing;
    if (!(closing > 0.0 && next <= limit)) return false;
    // as near as numbers can tell
    if (next <= fraction * (1.0 + DBL_EPSILON)) return true;
    fraction = next;
  }
  return fraction > 0.0;
}

bool weft__ball_meets_triangle(weft__vec3 from, weft__vec3 way, double radius, double limit,
                               const weft__triangle* triangle, weft__triangle_hit* hit) {
  const weft__triangle_point start = weft__nearest_on_triangle(from, triangle);
  if (start.distance <= radius) {
    weft__vec3 normal = weft__minus(from, start.point);
    if (start.inside || !(start.distance > 0.0)) {
      normal = weft__triangle_normal(triangle);
      const double height = weft__dot(normal, weft__minus(from, triangle->a));
      if (height < 0.0) normal = weft__scaled(-1.0, normal);
    }
    const double length = weft__length(normal);
    if (length > 0.0) normal = weft__scaled(1.0 / length, normal);
    *hit = (weft__triangle_hit){0.0, start.point, normal};
    return true;
  }
  if (meets_face(from, way, radius, limit, triangle, hit)) return true;
  return radius > 0.0 && meets_edges(from, way, radius, limit, triangle, hit);
}

// ---- boxes ----

// whether a plane at right angles to an axis lies between
static bool is_apart(const weft__body* body, weft__vec3 center, const weft__vec3 half_edges[3],
                     weft__vec3 axis) {
  double reach = 0.0;
  for (int k = 0; k < 3; ++k) reach += fabs(weft__dot(half_edges[k], axis));
  double least = INFINITY;
  double most = -INFINITY;
  for (int k = 0; k < body->corner_count; ++k) {
    const double at = weft__dot(weft__minus(body->corners[k], center), axis);
    if (at < least) least = at;
    if (at > most) most = at;
  }
  // touching is meeting, rounding included
  const double slack = SLACK * (reach + fabs(least) + fabs(most));
  return least > reach + slack || most < -reach - slack;
}

bool weft__body_meets_box(const weft__body* body, weft__vec3 center,
                          const weft__vec3 half_edges[3]) {
  for (int k = 0; k < 3; ++k) {
    if (is_apart(body, center, half_edges, half_edges[k])) return false;
    // of boxes that are flat
    const weft__vec3 face = weft__cross(half_edges[k], half_edges[(k + 1) % 3]);
    if (is_apart(body, center, half_edges, face)) return false;
  }
  for (int k = 0; k < body->normal_count; ++k) {
    if (is_apart(body, center, half_edges, body->normals[k])) return false;
  }
  for (int k = 0; k < 3; ++k) {
    for (int edge = 0; edge < body->edge_count; ++edge) {
      const weft__vec3 axis = weft__cross(half_edges[k], body->edges[edge]);
      if (is_apart(body, center, half_edges, axis)) return false;
    }
  }
  return true;
}

bool weft__triangle_meets_box(const weft__triangle* triangle, weft__vec3 center,
                              const weft__vec3 half_edges[3]) {
  const weft__vec3 normal = weft__triangle_normal(triangle);
  weft__body body = {
      .corners = {triangle->a, triangle->b, triangle->c},
      .edges = {weft__minus(triangle->b, triangle->a), weft__minus(triangle->c, triangle->b),
                weft__minus(triangle->a, triangle->c), normal},
      .normals = {normal},
      .corner_count = 3,
      .edge_count = 4,
      .normal_count = 4};
  // within its plane, and of one that is a segment along it
  for (int k = 0; k < 3; ++k) body.normals[1 + k] = weft__cross(normal, body.edges[k]);
  for (int k = 0; k < 3; ++k) body.normals[body.normal_count++] = body.edges[k];
  return weft__body_meets_box(&body, center, half_edges);
}
