/* Four points that move along lines are coplanar where a cubic polynomial of time, their volume, is
 * 0. Its roots are bracketed by its derivative's, and bisected. */
#include "sim/passes.h"

#include <math.h>

/* Roots at most this far apart in time are one, in two triangles of a common edge. */
static const double same_time = 1e-7;

enum { MOST_HITS = 64 };

typedef struct hit {
  double time; /* 0 to 1 */
  int way;     /* 1 along the normal, -1 against it */
} hit;

typedef struct hits {
  hit items[MOST_HITS];
  int count;
} hits;

static void between(const float* from, const float* to, double time, double place[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    place[axis] = (double)from[axis] + time * ((double)to[axis] - (double)from[axis]);
  }
}

static void get_triangle(const sim_passage* passage, uint32_t triangle, double time,
                         double corners[3][3]) {
  for (uint32_t k = 0; k < 3; ++k) {
    const uint32_t particle = passage->triangles[(uint64_t)3 * triangle + k];
    between(passage->old_places + (uint64_t)3 * particle, passage->places + (uint64_t)3 * particle,
            time, corners[k]);
  }
}

static double volume_of(const double a[3], const double b[3], const double c[3],
                        const double d[3]) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum += (d[i] - a[i]) * ((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]));
  }
  return sum;
}

static double side_at(const sim_passage* passage, uint32_t triangle, double time) {
  double corners[3][3], place[3];
  get_triangle(passage, triangle, time, corners);
  between(passage->from, passage->to, time, place);
  return volume_of(corners[0], corners[1], corners[2], place);
}

/* True if a point of the triangle's plane is in the triangle, edges included. */
static bool is_inside(const sim_passage* passage, uint32_t triangle, double time) {
  double c[3][3], place[3], normal[3];
  get_triangle(passage, triangle, time, c);
  between(passage->from, passage->to, time, place);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    normal[i] =
        (c[1][j] - c[0][j]) * (c[2][k] - c[0][k]) - (c[1][k] - c[0][k]) * (c[2][j] - c[0][j]);
  }
  const double size = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
  for (int corner = 0; corner < 3; ++corner) {
    const double *a = c[corner], *b = c[(corner + 1) % 3];
    double area = 0.0;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      area += normal[i] * ((b[j] - a[j]) * (place[k] - a[k]) - (b[k] - a[k]) * (place[j] - a[j]));
    }
    if (area < -1e-9 * size) return false;
  }
  return size > 0.0;
}

static void add_hit(hits* all, double time, int way) {
  for (int i = 0; i < all->count; ++i) {
    if (all->items[i].way == way && fabs(all->items[i].time - time) <= same_time) return;
  }
  if (all->count < MOST_HITS) all->items[all->count++] = (hit){time, way};
}

/* Bisects for the time at which the side changes, if it differs at two times. */
static void search(const sim_passage* passage, uint32_t triangle, double low, double high,
                   hits* all) {
  const double first = side_at(passage, triangle, low), last = side_at(passage, triangle, high);
  if ((first < 0.0) == (last < 0.0)) return;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    if ((side_at(passage, triangle, middle) < 0.0) == (first < 0.0)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  if (is_inside(passage, triangle, high)) add_hit(all, high, first < 0.0 ? 1 : -1);
}

/* Extrema of the side, ascending, between 0 and 1; returns their count. */
static int find_turns(const sim_passage* passage, uint32_t triangle, double turns[2]) {
  // a cubic through its values at 0, 1/3, 2/3 and 1
  double f[4];
  for (int i = 0; i < 4; ++i) f[i] = side_at(passage, triangle, i / 3.0);
  const double c1 = (-11.0 * f[0] + 18.0 * f[1] - 9.0 * f[2] + 2.0 * f[3]) / 2.0;
  const double c2 = (18.0 * f[0] - 45.0 * f[1] + 36.0 * f[2] - 9.0 * f[3]) / 2.0;
  const double c3 = (-9.0 * f[0] + 27.0 * f[1] - 27.0 * f[2] + 9.0 * f[3]) / 2.0;
  const double under = c2 * c2 - 3.0 * c3 * c1;
  if (!(under > 0.0)) return 0;
  const double sum = -(c2 + (c2 < 0.0 ? -sqrt(under) : sqrt(under)));
  const double a = c3 != 0.0 ? sum / (3.0 * c3) : -1.0, b = sum != 0.0 ? c1 / sum : -1.0;
  int count = 0;
  if (fmin(a, b) > 0.0 && fmin(a, b) < 1.0) turns[count++] = fmin(a, b);
  if (fmax(a, b) > 0.0 && fmax(a, b) < 1.0) turns[count++] = fmax(a, b);
  return count;
}

static bool comes_near(const sim_passage* passage, uint32_t triangle) {
  for (int axis = 0; axis < 3; ++axis) {
    float lower = INFINITY, upper = -INFINITY;
    for (uint32_t k = 0; k < 3; ++k) {
      const uint64_t place = (uint64_t)3 * passage->triangles[(uint64_t)3 * triangle + k];
      const float before = passage->old_places[place + (uint64_t)axis];
      const float after = passage->places[place + (uint64_t)axis];
      lower = fminf(lower, fminf(before, after));
      upper = fmaxf(upper, fmaxf(before, after));
    }
    if (fmaxf(passage->from[axis], passage->to[axis]) < lower ||
        fminf(passage->from[axis], passage->to[axis]) > upper) {
      return false;
    }
  }
  return true;
}

int sim_count_passes(const sim_passage* passage) {
  hits all = {.count = 0};
  for (uint32_t t = 0; t < passage->triangle_count; ++t) {
    if (!comes_near(passage, t)) continue;
    double turns[2], low = 0.0;
    const int count = find_turns(passage, t, turns);
    for (int i = 0; i < count; ++i) {
      search(passage, t, low, turns[i], &all);
      low = turns[i];
    }
    search(passage, t, low, 1.0, &all);
  }
  int sum = 0;
  for (int i = 0; i < all.count; ++i) sum += all.items[i].way;
  return sum;
}
