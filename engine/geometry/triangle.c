#define WIDE_LANES 1
#include "geometry/triangle.h"

#include <float.h>
#include <math.h>

#include "geometry/advancement.inl"

bool weft__triangle_is_degenerate(const weft__triangle* triangle) {
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

// Relative error bound of rounding.
#define SLACK (16.0 * DBL_EPSILON)

// True also if the line misses by no more than rounding. Watertight: two triangles compute the
// signed volume of a shared edge with opposite signs, bit for bit.
static bool line_crosses(weft__vec3 from, weft__vec3 displacement, const weft__triangle* triangle) {
  const weft__vec3 corners[3] = {weft__minus(triangle->a, from), weft__minus(triangle->b, from),
                                 weft__minus(triangle->c, from)};
  const double length = weft__length(displacement);
  bool left = true;
  bool right = true;
  for (int k = 0; k < 3; ++k) {
    const weft__vec3 a = corners[k];
    const weft__vec3 b = corners[(k + 1) % 3];
    const double volume = weft__dot(displacement, weft__cross(a, b));
    const double slack = SLACK * length * weft__length(a) * weft__length(b);
    if (!(volume >= -slack)) left = false;
    if (!(volume <= slack)) right = false;
  }
  return left || right;
}

// On the side that the sphere comes from.
static bool cast_at_face(weft__vec3 from, weft__vec3 displacement, double radius, double limit,
                         const weft__triangle* triangle, weft__triangle_hit* hit) {
  const weft__vec3 normal = weft__triangle_normal(triangle);
  const double length = weft__length(normal);
  if (!(length > 0.0)) return false;
  const double height = weft__dot(normal, weft__minus(from, triangle->a)) / length;
  const weft__vec3 up = weft__scaled((height < 0.0 ? -1.0 : 1.0) / length, normal);
  const double closing = -weft__dot(up, displacement);
  const double gap = fabs(height) - radius;
  if (!(gap >= 0.0 && closing > 0.0 && gap <= limit * closing)) return false;
  // path of the sphere's lowest point
  const weft__vec3 lowest = weft__minus(from, weft__scaled(radius, up));
  if (!line_crosses(lowest, displacement, triangle)) return false;
  const double fraction = gap / closing;
  const weft__vec3 contact = weft__plus(lowest, weft__scaled(fraction, displacement));
  *hit = (weft__triangle_hit){fraction, contact, up};
  return true;
}

typedef struct triangle_cast {
  const weft__triangle* triangle;
  weft__vec3 from, displacement;
  double radius;
  weft__triangle_hit* hit;
} triangle_cast;

static double separated(void* context, double time, dwide_mask active) {
  (void)active;
  const triangle_cast* c = context;
  const weft__vec3 here = weft__plus(c->from, weft__scaled(time, c->displacement));
  const weft__triangle_point nearest = weft__nearest_on_triangle(here, c->triangle);
  if (!(nearest.distance > 0.0)) return time > 0.0 ? time : INFINITY;
  const weft__vec3 normal = weft__scaled(1.0 / nearest.distance, weft__minus(here, nearest.point));
  *c->hit = (weft__triangle_hit){time, nearest.point, normal};
  return closes_at(time, nearest.distance - c->radius, 0.0, -weft__dot(normal, c->displacement));
}

static bool cast_at_edges(weft__vec3 from, weft__vec3 displacement, double radius, double limit,
                          const weft__triangle* triangle, weft__triangle_hit* hit) {
  triangle_cast c = {triangle, from, displacement, radius, hit};
  return advance_to_contact(separated, &c, -1, limit, MAX_ADVANCES) != 0;
}

bool weft__sphere_cast_triangle(weft__vec3 from, weft__vec3 displacement, double radius,
                                double limit, const weft__triangle* triangle,
                                weft__triangle_hit* hit) {
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
  const double travel = limit * weft__length(displacement);
  if (start.distance - radius > travel * (1.0 + 0x1p-40)) return false;
  if (cast_at_face(from, displacement, radius, limit, triangle, hit)) return true;
  return radius > 0.0 && cast_at_edges(from, displacement, radius, limit, triangle, hit);
}

static bool is_apart(const weft__polyhedron* body, weft__vec3 center,
                     const weft__vec3 half_edges[3], weft__vec3 axis) {
  double reach = 0.0;
  for (int k = 0; k < 3; ++k) reach += fabs(weft__dot(half_edges[k], axis));
  double lower = INFINITY;
  double upper = -INFINITY;
  for (int k = 0; k < body->corner_count; ++k) {
    const double at = weft__dot(weft__minus(body->corners[k], center), axis);
    if (at < lower) lower = at;
    if (at > upper) upper = at;
  }
  // touching counts as overlap, rounding included
  const double slack = SLACK * (reach + fabs(lower) + fabs(upper));
  return lower > reach + slack || upper < -reach - slack;
}

bool weft__polyhedron_meets_box(const weft__polyhedron* body, weft__vec3 center,
                                const weft__vec3 half_edges[3]) {
  for (int k = 0; k < 3; ++k) {
    if (is_apart(body, center, half_edges, half_edges[k])) return false;
    // cross product: valid for flat boxes
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
  weft__polyhedron body = {
      .corners = {triangle->a, triangle->b, triangle->c},
      .edges = {weft__minus(triangle->b, triangle->a), weft__minus(triangle->c, triangle->b),
                weft__minus(triangle->a, triangle->c), normal},
      .normals = {normal},
      .corner_count = 3,
      .edge_count = 4,
      .normal_count = 4};
  // in-plane edge normals; edges themselves for a triangle that is a segment
  for (int k = 0; k < 3; ++k) body.normals[1 + k] = weft__cross(normal, body.edges[k]);
  for (int k = 0; k < 3; ++k) body.normals[body.normal_count++] = body.edges[k];
  return weft__polyhedron_meets_box(&body, center, half_edges);
}
