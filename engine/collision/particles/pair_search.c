/* How far ellipsoids are in other bodies, found by search.
 *
 * Along a direction n of length 1 two bodies with their centres p apart leave a gap of
 *
 *     gap(n) = n . p - s(n) - s'(n)       s the support function: how far a body reaches along n
 *
 * and the distance of two convex bodies, or less the depth of their overlap, is the greatest gap of any
 * direction. All bodies lie along the axes and are their own mirror images, so that it is enough to look at the
 * octant that p is in. There, with h the half sizes:
 *
 *     sphere  h |n|       box  h . n       ellipsoid  sqrt(h1^2 n1^2 + h2^2 n2^2 + h3^2 n3^2)
 *
 * The search climbs from a few directions, and on from where the best of them has led: of four neighbours it goes to
 * the best one, a longer step after it has gone, and a shorter one where none is better. Where bodies overlap there
 * may be several hilltops, and it may end on a lower one. Whatever it ends at is a plane that no body
 * crosses, so that it errs to the side of touching. An axis along which p is nothing is left alone unless the
 * search begins there: what lies in a plane stays there to the bit.
 *
 * Rejected: GJK and EPA, which end when they are done, and take a page each. */
#include <math.h>

#include "collision/particles/pair_table.h"

enum { STARTS = 6, FIRST_ROUNDS = 8, ROUNDS = 96 };

// the first step is so long, and no step is longer
#define FIRST_STEP 0.3
#define LONGEST_STEP 0.6
// radians: steps below this change no gap that a double could tell
#define LAST_STEP 1e-9

typedef struct search {
  double p[3];          // into the first octant
  double box[3];        // half sizes of all boxes
  double square[2][3];  // half axes of the ellipsoids, squared
  double radius;        // of all spheres
} search;

static void add_body(search* s, int which, weft_contact_shape shape, const float half[3]) {
  if (shape == WEFT_CONTACT_SPHERE) s->radius += (double)half[0];
  for (int axis = 0; axis < 3; ++axis) {
    const double h = (double)half[axis];
    if (shape == WEFT_CONTACT_BOX) s->box[axis] += h;
    if (shape == WEFT_CONTACT_ELLIPSOID) s->square[which][axis] = h * h;
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

// into the octant, and to length 1; false where nothing is left
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

// where the search begins: along the axes, along the centres, across the surfaces there, and between all
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

// two directions at right angles to n and to each other
static void span_plane(const double n[3], double u[3], double v[3]) {
  const int least = n[0] <= n[1] && n[0] <= n[2] ? 0 : n[1] <= n[2] ? 1 : 2;
  const int b = (least + 1) % 3;
  const int c = (least + 2) % 3;
  const double rate = 1.0 / sqrt(n[b] * n[b] + n[c] * n[c]);
  u[least] = 0.0;
  u[b] = -n[c] * rate;
  u[c] = n[b] * rate;
  v[0] = n[1] * u[2] - n[2] * u[1];
  v[1] = n[2] * u[0] - n[0] * u[2];
  v[2] = n[0] * u[1] - n[1] * u[0];
}

// one round: true where a neighbour is better
static bool climb(const search* s, const bool stays[3], double step, double best[3],
                  double* best_gap) {
  double from[3], u[3], v[3];
  for (int axis = 0; axis < 3; ++axis) from[axis] = best[axis];
  span_plane(from, u, v);
  bool has_gone = false;
  for (int way = 0; way < 4; ++way) {
    const double* along = way < 2 ? u : v;
    const double length = way % 2 == 0 ? step : -step;
    double n[3];
    for (int axis = 0; axis < 3; ++axis) {
      n[axis] = stays[axis] ? from[axis] : from[axis] + length * along[axis];
    }
    if (try_direction(s, n, best, best_gap)) has_gone = true;
  }
  return has_gone;
}

static void climb_up(const search* s, int rounds, double* step, double best[3], double* best_gap) {
  // what is nothing in both stays nothing
  bool stays[3];
  for (int axis = 0; axis < 3; ++axis) stays[axis] = !(s->p[axis] > 0.0);
  for (int round = 0; round<rounds&& * step> LAST_STEP; ++round) {
    *step *= climb(s, stays, *step, best, best_gap) ? 1.5 : 0.4;
    if (*step > LONGEST_STEP) *step = LONGEST_STEP;
  }
}

weft__overlap weft__search_overlap(weft_contact_shape first_shape, const float first[3],
                                   weft_contact_shape second_shape, const float second[3],
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
