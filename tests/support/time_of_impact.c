#include "support/time_of_impact.h"

#include <math.h>

#include "geometry/closest_points.h"

// Largest distance of a pair in contact, as a multiple of the gap.
#define TOLERANCE 1.1
// Pairs that rotate about each other need most iterations, about ten; a pair that needs more counts
// as a hit.
#define MAX_ADVANCES 64

static weft__vec3 position_at(const toi_motion* toi, int particle, double time) {
  return weft__plus(toi->start[particle], weft__scaled(time, toi->displacement[particle]));
}

toi_closest toi_closest_points(const toi_motion* toi, double time) {
  weft__vec3 at[4];
  for (int k = 0; k < 4; ++k) at[k] = position_at(toi, k, time);
  toi_closest near = {0};
  double distance_sq = 0.0;
  if (toi->first_count == 1) {
    distance_sq = weft__closest_on_triangle(at[0], at + 1, near.weight + 1);
    near.weight[0] = 1.0;
    for (int k = 1; k < 4; ++k) near.weight[k] = -near.weight[k];
  } else {
    double along[2];
    distance_sq = weft__closest_on_segments(at, at + 2, along);
    near.weight[0] = 1.0 - along[0];
    near.weight[1] = along[0];
    near.weight[2] = -(1.0 - along[1]);
    near.weight[3] = -along[1];
  }
  near.distance = sqrt(distance_sq);
  if (!(near.distance > 0.0)) return near;
  weft__vec3 gap_vector = {0.0, 0.0, 0.0};
  for (int k = 0; k < 4; ++k)
    gap_vector = weft__plus(gap_vector, weft__scaled(near.weight[k], at[k]));
  near.normal = weft__scaled(1.0 / near.distance, gap_vector);
  return near;
}

static double min_separation(const toi_motion* toi, const double along[4]) {
  double first = along[0];
  if (toi->first_count == 2 && along[1] < first) first = along[1];
  double second = along[3];
  for (int k = toi->first_count; k < 3; ++k) {
    if (along[k] > second) second = along[k];
  }
  return first - second;
}

double toi_bound(const toi_motion* toi, weft__vec3 normal, double time) {
  double now[4];
  double end[4];
  for (int k = 0; k < 4; ++k) {
    const double start = weft__dot(normal, toi->start[k]);
    const double displacement = weft__dot(normal, toi->displacement[k]);
    now[k] = start + time * displacement;
    end[k] = start + displacement;
  }
  const double lowest_now = min_separation(toi, now);
  const double lowest_end = min_separation(toi, end);
  return lowest_now < lowest_end ? lowest_now : lowest_end;
}

// Time until which particles of both sides keep their order along a normal with the gap between
// them; at least 1 if to the end.
static double ordered_time(const toi_motion* toi, weft__vec3 normal, double gap, double time) {
  double start[4];
  double displacement[4];
  for (int k = 0; k < 4; ++k) {
    start[k] = weft__dot(normal, toi->start[k]);
    displacement[k] = weft__dot(normal, toi->displacement[k]);
  }
  double until = 2.0;
  for (int a = 0; a < toi->first_count; ++a) {
    for (int b = toi->first_count; b < 4; ++b) {
      const double speed = displacement[b] - displacement[a];
      const double slack = start[a] - start[b] - time * speed - gap;
      if (!(speed > 0.0)) {
        if (slack < 0.0) return time;
        continue;
      }
      const double reached = time + slack / speed;
      if (reached < until) until = reached;
    }
  }
  return until;
}

bool toi_advance(const toi_motion* toi, double gap, double* time, toi_closest* closest) {
  *time = 0.0;
  for (int n = 0; n < MAX_ADVANCES; ++n) {
    *closest = toi_closest_points(toi, *time);
    if (closest->distance <= gap * TOLERANCE) {
      // the pair may separate from here on
      return !(toi_bound(toi, closest->normal, *time) >= gap);
    }
    const double until = ordered_time(toi, closest->normal, gap, *time);
    if (until >= 1.0) return false;
    if (!(until > *time)) return true;
    *time = until;
  }
  return true;
}
