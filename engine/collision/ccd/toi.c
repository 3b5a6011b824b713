#include "collision/ccd/toi.h"

#include <math.h>

#include "geometry/closest_points.h"

// near enough to the gap to say that it is reached
#define TOLERANCE 1.1
// Pairs that turn about each other need the most, some ten; who needs more is said to meet.
#define MAX_ADVANCES 64

static weft__vec3 place_at(const weft__toi* m, int particle, double time) {
  return weft__plus(m->start[particle], weft__scaled(time, m->way[particle]));
}

weft__nearness weft__toi_nearness(const weft__toi* m, double time) {
  weft__vec3 at[4];
  for (int k = 0; k < 4; ++k) at[k] = place_at(m, k, time);
  weft__nearness near = {0};
  double distance_sq = 0.0;
  if (m->first_count == 1) {
    distance_sq = weft__nearest_of_triangle(at[0], at + 1, near.weight + 1);
    near.weight[0] = 1.0;
    for (int k = 1; k < 4; ++k) near.weight[k] = -near.weight[k];
  } else {
    double a = 0.0;
    double b = 0.0;
    distance_sq = weft__segments_nearest(at, at + 2, &a, &b);
    near.weight[0] = 1.0 - a;
    near.weight[1] = a;
    near.weight[2] = -(1.0 - b);
    near.weight[3] = -b;
  }
  near.distance = sqrt(distance_sq);
  if (!(near.distance > 0.0)) return near;
  weft__vec3 apart = {0.0, 0.0, 0.0};
  for (int k = 0; k < 4; ++k) apart = weft__plus(apart, weft__scaled(near.weight[k], at[k]));
  near.normal = weft__scaled(1.0 / near.distance, apart);
  return near;
}

static double least_between(const weft__toi* m, const double along[4]) {
  double first = along[0];
  if (m->first_count == 2 && along[1] < first) first = along[1];
  double second = along[3];
  for (int k = m->first_count; k < 3; ++k) {
    if (along[k] > second) second = along[k];
  }
  return first - second;
}

double weft__toi_bound(const weft__toi* m, weft__vec3 normal, double time) {
  double now[4];
  double end[4];
  for (int k = 0; k < 4; ++k) {
    const double start = weft__dot(normal, m->start[k]);
    const double way = weft__dot(normal, m->way[k]);
    now[k] = start + time * way;
    end[k] = start + way;
  }
  const double least_now = least_between(m, now);
  const double least_end = least_between(m, end);
  return least_now < least_end ? least_now : least_end;
}

// The time until which all particles of both sides stay in order along a normal with the gap between them; 1 or
// more where they do to the end.
static double ordered_until(const weft__toi* m, weft__vec3 normal, double gap, double time) {
  double start[4];
  double way[4];
  for (int k = 0; k < 4; ++k) {
    start[k] = weft__dot(normal, m->start[k]);
    way[k] = weft__dot(normal, m->way[k]);
  }
  double until = 2.0;
  for (int a = 0; a < m->first_count; ++a) {
    for (int b = m->first_count; b < 4; ++b) {
      const double speed = way[b] - way[a];
      const double room = start[a] - start[b] - time * speed - gap;
      if (!(speed > 0.0)) {
        if (room < 0.0) return time;
        continue;
      }
      const double reached = time + room / speed;
      if (reached < until) until = reached;
    }
  }
  return until;
}

bool weft__toi_find(const weft__toi* m, double gap, double* time, weft__nearness* nearness) {
  *time = 0.0;
  for (int n = 0; n < MAX_ADVANCES; ++n) {
    *nearness = weft__toi_nearness(m, *time);
    if (nearness->distance <= gap * TOLERANCE) {
      // it may be parting from there on
      if (!(weft__toi_bound(m, nearness->normal, *time) >= gap)) return true;
      return false;
    }
    const double until = ordered_until(m, nearness->normal, gap, *time);
    if (until >= 1.0) return false;
    if (!(until > *time)) return true;
    *time = until;
  }
  return true;
}
