#include "support/near.h"

#include <math.h>

point point_of(const float* at) {
  return (point){{(double)at[0], (double)at[1], (double)at[2]}};
}

static point between(point a, point b, double share) {
  point p;
  for (int k = 0; k < 3; ++k) p.x[k] = (1.0 - share) * a.x[k] + share * b.x[k];
  return p;
}

static double dot(point a, point b) {
  return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static point minus(point a, point b) {
  return (point){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static double apart(point a, point b) {
  const point d = minus(a, b);
  return sqrt(dot(d, d));
}

static double point_to_segment(point p, point a, point b) {
  const point along = minus(b, a);
  const double length_sq = dot(along, along);
  const double share = length_sq > 0.0 ? dot(minus(p, a), along) / length_sq : 0.0;
  return apart(p, between(a, b, fmin(fmax(share, 0.0), 1.0)));
}

// barycentric coordinates of the projection onto the plane; outside of the triangle, its edges
static double point_to_triangle(point p, const point t[3]) {
  const point u = minus(t[1], t[0]);
  const point v = minus(t[2], t[0]);
  const point w = minus(p, t[0]);
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v);
  const double area = uu * vv - uv * uv;
  const double s = (wu * vv - wv * uv) / area;
  const double r = (wv * uu - wu * uv) / area;
  if (area > 0.0 && s >= 0.0 && r >= 0.0 && s + r <= 1.0) {
    point foot = t[0];
    for (int k = 0; k < 3; ++k) foot.x[k] += s * u.x[k] + r * v.x[k];
    return apart(p, foot);
  }
  return fmin(point_to_segment(p, t[0], t[1]),
              fmin(point_to_segment(p, t[1], t[2]), point_to_segment(p, t[2], t[0])));
}

typedef double to_shape(point p, const point* shape);

static double to_segment(point p, const point* shape) {
  return point_to_segment(p, shape[0], shape[1]);
}

// ternary search: the distance to a convex set is convex along a line
static double search(point a, point b, to_shape* distance, const point* shape) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 80; ++i) {
    const double left = low + (high - low) / 3.0;
    const double right = high - (high - low) / 3.0;
    if (distance(between(a, b, left), shape) < distance(between(a, b, right), shape)) {
      high = right;
    } else {
      low = left;
    }
  }
  const double ends = fmin(distance(a, shape), distance(b, shape));
  return fmin(ends, distance(between(a, b, 0.5 * (low + high)), shape));
}

double segment_to_segment(point a, point b, point c, point d) {
  const point shape[2] = {c, d};
  return search(a, b, to_segment, shape);
}

double segment_to_triangle(point a, point b, const point triangle[3]) {
  return search(a, b, point_to_triangle, triangle);
}
