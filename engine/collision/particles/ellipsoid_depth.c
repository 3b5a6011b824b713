/* Penetration depth of ellipsoids, by a direct search for the separating direction.
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
 * Hill climbing (pattern search) runs from several starts for a few rounds and goes on from the
 * best: of four neighbours it takes the best, with a longer step after a success and a shorter one
 * after a failure. Overlapping bodies may have several local maxima, and the search may end on a
 * lower one. Any direction is a separating plane of that gap, so the error is towards contact. An
 * axis along which p is 0 stays 0 unless a start has it: bodies in a plane stay in it to the bit.
 *
 * Rejected: GJK and EPA, whose number of iterations depends on the data, and which take a page
 * each. */
#include <math.h>

#include "collision/particles/pair_table.h"

enum { STARTS = 6, FIRST_ROUNDS = 8, ROUNDS = 96 };

// Length of the first step, and of the longest.
#define FIRST_STEP 0.3
#define MAX_STEP 0.6
// radians: smaller steps change no gap in double precision
#define MIN_STEP 1e-9

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
  for (int axis = 0; axis < 3; ++axis) n[axis] *= rate;
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

// Unit vectors that span the plane normal to n.
static void span_plane(const double n[3], double u[3], double v[3]) {
  const int smallest = n[0] <= n[1] && n[0] <= n[2] ? 0 : n[1] <= n[2] ? 1 : 2;
  const int b = (smallest + 1) % 3;
  const int c = (smallest + 2) % 3;
  const double rate = 1.0 / sqrt(n[b] * n[b] + n[c] * n[c]);
  u[smallest] = 0.0;
  u[b] = -n[c] * rate;
  u[c] = n[b] * rate;
  v[0] = n[1] * u[2] - n[2] * u[1];
  v[1] = n[2] * u[0] - n[0] * u[2];
  v[2] = n[0] * u[1] - n[1] * u[0];
}

// One round; true if a neighbour improves the gap.
static bool climb(const search* s, const bool is_fixed[3], double step, double best[3],
                  double* best_gap) {
  double from[3], u[3], v[3];
  for (int axis = 0; axis < 3; ++axis) from[axis] = best[axis];
  span_plane(from, u, v);
  bool has_improved = false;
  for (int k = 0; k < 4; ++k) {
    const double* direction = k < 2 ? u : v;
    const double length = k % 2 == 0 ? step : -step;
    double n[3];
    for (int axis = 0; axis < 3; ++axis) {
      n[axis] = is_fixed[axis] ? from[axis] : from[axis] + length * direction[axis];
    }
    if (try_direction(s, n, best, best_gap)) has_improved = true;
  }
  return has_improved;
}

static void climb_up(const search* s, int rounds, double* step, double best[3], double* best_gap) {
  // components without offset are symmetric and stay 0
  bool is_fixed[3];
  for (int axis = 0; axis < 3; ++axis) is_fixed[axis] = !(s->p[axis] > 0.0);
  for (int round = 0; round < rounds && MIN_STEP < *step; ++round) {
    *step *= climb(s, is_fixed, *step, best, best_gap) ? 1.5 : 0.4;
    if (*step > MAX_STEP) *step = MAX_STEP;
  }
}

weft__overlap weft__search_overlap(weft_particle_shape first_shape, const float first[3],
                                   weft_particle_shape second_shape, const float second[3],
                                   const double offset[3]) {
  search s = {.radius = 0.0};
  for (int axis = 0; axis < 3; ++axis) s.p[axis] = fabs(offset[axis]);
  add_body(&s, 0, first_shape, first);
  add_body(&s, 1, second_shape, second);
  double n[3] = {0.0, 1.0, 0.0};
  double gap = -INFINITY;
  double step = FIRST_STEP;
  double starts[STARTS][3];
  list_starts(&s, starts);
  for (int k = 0; k < STARTS; ++k) {
    double from[3];
    double from_gap = -INFINITY;
    double from_step = FIRST_STEP;
    if (!try_direction(&s, starts[k], from, &from_gap)) continue;
    climb_up(&s, FIRST_ROUNDS, &from_step, from, &from_gap);
    if (!(from_gap > gap)) continue;
    gap = from_gap;
    step = from_step;
    for (int axis = 0; axis < 3; ++axis) n[axis] = from[axis];
  }
  climb_up(&s, ROUNDS, &step, n, &gap);
  weft__overlap overlap = {.depth = -gap};
  for (int axis = 0; axis < 3; ++axis) {
    overlap.normal[axis] = offset[axis] < 0.0 ? -n[axis] : n[axis];
  }
  return overlap;
}
