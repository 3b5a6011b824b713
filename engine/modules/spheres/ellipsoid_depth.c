/* Penetration depth of ellipsoids, by a search for the separating direction.
 *
 * Along a unit direction n, two bodies whose centres are p apart leave a gap of
 *
 *     gap(n) = n . p - s(n) - s'(n)       s: support function of a body
 *
 * and the distance of two convex bodies, or minus their penetration depth, is the maximum of the
 * gap over all directions. Bodies are aligned with the axes and symmetric, so the octant of p
 * suffices. There, with half sizes h:
 *
 *     sphere  h |n|       box  h . n       ellipsoid  sqrt(h1^2 n1^2 + h2^2 n2^2 + h3^2 n3^2)
 *
 * Fixed-point iteration runs from several starts, as there may be several local maxima. With
 * D = diag(sum of h^2 / s over the ellipsoids), q = p minus the half sizes of the boxes,
 * g = n . q - n . D n, and every component clamped to the octant,
 *
 *     n' = (q + max(-g, 0) n) / (D + max(g, 0)), normalised
 *
 * No step lowers the gap (minorize-maximize; Hunter, Lange 2004, "A tutorial on MM algorithms"): n'
 * maximises a lower bound of gap(n) - g |n| that is exact at n. In it each root is replaced by its
 * tangent as a function of the square, and |n|, if g is negative, by its tangent plane. Any
 * direction is a separating plane of its gap, so the error is towards contact. An axis along which
 * p is 0 stays 0: bodies in a plane stay in it to the bit.
 *
 * Rejected: GJK and EPA, a page each; Newton's method on the sphere, twice as fast and twice the
 * code. */
#include <math.h>

#include "modules/spheres/pair_table.h"

enum { STARTS = 6, MAX_STEPS = 256 };

// smaller components are 0: at a maximum they change the gap by 1e-14 of its size
#define MIN_COMPONENT 1e-7

typedef struct search {
  double p[3];          // offset between the centres, in the first octant
  double box[3];        // sum of half sizes of the boxes
  double square[2][3];  // squared half axes of the ellipsoids
  double radius;        // sum of radii of the spheres
} search;

static void add_body(search* s, int body, weft_particle_shape shape, const float half[3]) {
  if (shape == WEFT_PARTICLE_SHAPE_SPHERE) s->radius += (double)half[0];
  for (int axis = 0; axis < 3; ++axis) {
    const double h = (double)half[axis];
    if (shape == WEFT_PARTICLE_SHAPE_BOX) s->box[axis] += h;
    if (shape == WEFT_PARTICLE_SHAPE_ELLIPSOID) s->square[body][axis] = h * h;
  }
}

static double gap_along(const search* s, const double n[3]) {
  double gap = -s->radius;
  double square[2] = {0.0, 0.0};
  for (int axis = 0; axis < 3; ++axis) {
    gap += n[axis] * (s->p[axis] - s->box[axis]);
    for (int k = 0; k < 2; ++k) square[k] += s->square[k][axis] * n[axis] * n[axis];
  }
  return gap - sqrt(square[0]) - sqrt(square[1]);
}

// Clamps to the octant and normalises; false if nothing is left.
static bool make_direction(double n[3]) {
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(n[axis] > 0.0)) n[axis] = 0.0;
    square += n[axis] * n[axis];
  }
  if (!(square > 0.0)) return false;
  const double rate = 1.0 / sqrt(square);
  for (int axis = 0; axis < 3; ++axis) {
    n[axis] *= rate;
    if (n[axis] < MIN_COMPONENT) n[axis] = 0.0;
  }
  return true;
}

static bool try_direction(const search* s, double n[3], double best[3], double* best_gap) {
  if (!make_direction(n)) return false;
  const double gap = gap_along(s, n);
  if (!(gap > *best_gap)) return false;
  *best_gap = gap;
  for (int axis = 0; axis < 3; ++axis) best[axis] = n[axis];
  return true;
}

// Starts: the axes, the line of centres, a normal of the Minkowski sum, and the diagonal.
static void list_starts(const search* s, double starts[STARTS][3]) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < 3; ++k) starts[k][axis] = k == axis ? 1.0 : 0.0;
    double half = s->radius + s->box[axis];
    for (int k = 0; k < 2; ++k) half += sqrt(s->square[k][axis]);
    starts[3][axis] = s->p[axis];
    starts[4][axis] = s->p[axis] / (half * half);
    starts[5][axis] = s->p[axis] > 0.0 ? 1.0 : 0.0;
  }
}

static bool improve(const search* s, double best[3], double* best_gap) {
  double support[2] = {0.0, 0.0};
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < 2; ++k) support[k] += s->square[k][axis] * best[axis] * best[axis];
  }
  double q[3];
  double curvature[3] = {0.0, 0.0, 0.0};
  double gap = 0.0;  // without spheres
  for (int axis = 0; axis < 3; ++axis) {
    q[axis] = s->p[axis] - s->box[axis];
    for (int k = 0; k < 2; ++k) {
      if (support[k] > 0.0) curvature[axis] += s->square[k][axis] / sqrt(support[k]);
    }
    gap += best[axis] * (q[axis] - curvature[axis] * best[axis]);
  }
  double n[3];
  for (int axis = 0; axis < 3; ++axis) {
    n[axis] = gap < 0.0 ? (q[axis] - gap * best[axis]) / curvature[axis]
                        : q[axis] / (curvature[axis] + gap);
  }
  return try_direction(s, n, best, best_gap);
}

weft__overlap weft__search_overlap(weft_particle_shape first_shape, const float first[3],
                                   weft_particle_shape second_shape, const float second[3],
                                   const double offset[3], int axes) {
  search s = {.radius = 0.0};
  for (int axis = 0; axis < axes; ++axis) s.p[axis] = fabs(offset[axis]);
  add_body(&s, 0, first_shape, first);
  add_body(&s, 1, second_shape, second);
  double n[3] = {0.0, 1.0, 0.0};
  double gap = -INFINITY;
  double starts[STARTS][3];
  list_starts(&s, starts);
  for (int k = 0; k < STARTS; ++k) {
    // an axis across the plane
    if (k >= axes && k < 3) continue;
    double from[3];
    double from_gap = -INFINITY;
    if (!try_direction(&s, starts[k], from, &from_gap)) continue;
    for (int step = 0; step < MAX_STEPS && improve(&s, from, &from_gap); ++step) continue;
    if (!(from_gap > gap)) continue;
    gap = from_gap;
    for (int axis = 0; axis < 3; ++axis) n[axis] = from[axis];
  }
  weft__overlap overlap = {.depth = -gap};
  for (int axis = 0; axis < 3; ++axis) {
    overlap.normal[axis] = offset[axis] < 0.0 ? -n[axis] : n[axis];
  }
  return overlap;
}
