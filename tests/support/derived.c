#include "support/derived.h"

#include <math.h>
#include <string.h>

#include "support/isas.h"
#include "support/suite.h"

void derive(const laid* l, place* at, uint32_t f, double by[2][3]) {
  const uint32_t block = f / WEFT__CLUSTER_FACES;
  const uint32_t* c = corners_of(l, f);
  double edge[2][2];
  double now[2][3];
  for (int k = 0; k < 2; ++k) {
    for (int d = 0; d < 2; ++d) {
      edge[k][d] = in_plane(l, block, c[k + 1], d) - in_plane(l, block, c[0], d);
    }
    for (int axis = 0; axis < 3; ++axis) {
      now[k][axis] = (double)at[c[k + 1]][axis] - (double)at[c[0]][axis];
    }
  }
  const double det = edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0];
  for (int axis = 0; axis < 3; ++axis) {
    by[0][axis] = (now[0][axis] * edge[1][1] - now[1][axis] * edge[0][1]) / det;
    by[1][axis] = (now[1][axis] * edge[0][0] - now[0][axis] * edge[1][0]) / det;
  }
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static plane_map map_of(double mean[2][3]) {
  const double a = dot(mean[0], mean[0]);
  const double b = dot(mean[0], mean[1]);
  const double c = dot(mean[1], mean[1]);
  const double det = a * c - b * b;
  plane_map map = {.angle = det / (a * c)};
  for (int axis = 0; axis < 3; ++axis) {
    map.row[0][axis] = (c * mean[0][axis] - b * mean[1][axis]) / det;
    map.row[1][axis] = (a * mean[1][axis] - b * mean[0][axis]) / det;
  }
  map.norm = sqrt(dot(map.row[0], map.row[0]) + dot(map.row[1], map.row[1]));
  return map;
}

plane_map map_of_region(const laid* l, const weft__flat_region* region, place* start, place* now) {
  double mean[2][3] = {{0.0}};
  for (uint32_t n = 0; n < region->count; ++n) {
    for (uint32_t k = 0; k < 2 * WEFT__CLUSTER_FACES; ++k) {
      double by[2][3];
      derive(l, k % 2 == 0 ? start : now, face_of(l, region->part[n], k / 2), by);
      for (int d = 0; d < 6; ++d) mean[d / 3][d % 3] += by[d / 3][d % 3];
    }
  }
  const double count = 2.0 * (double)WEFT__CLUSTER_FACES * (double)region->count;
  for (int d = 0; d < 6; ++d) mean[d / 3][d % 3] /= count;
  return map_of(mean);
}

plane_map map_of_test(const weft__flatness_test* test) {
  plane_map map = {.angle = 1.0};
  for (int d = 0; d < 6; ++d) map.row[d / 3][d % 3] = (double)test->row[d / 3][d % 3];
  map.norm = sqrt(dot(map.row[0], map.row[0]) + dot(map.row[1], map.row[1]));
  return map;
}

bool certify_region(const laid* l, const weft__flat_region* region, weft__flatness_test* test,
                    float* slack) {
  const bool holds = weft__flatness_certifies(&l->flats, region, test, slack);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__flatness flats = l->flats;
    flats.kernels = weft__kernels_select((weft_isa)isa);
    weft__flatness_test other;
    float other_slack;
    require(weft__flatness_certifies(&flats, region, &other, &other_slack) == holds);
    require(memcmp(other.row, test->row, sizeof(other.row)) == 0 && other_slack == *slack);
  }
  return holds;
}

static double lowest_eigenvalue(const plane_map* map, double by[2][3], double vector[2]) {
  const double a = dot(map->row[0], by[0]);
  const double c = dot(map->row[1], by[1]);
  const double b = 0.5 * (dot(map->row[0], by[1]) + dot(map->row[1], by[0]));
  const double lower = 0.5 * (a + c) - hypot(0.5 * (a - c), b);
  const double angle = 0.5 * atan2(2.0 * b, a - c);
  vector[0] = -sin(angle);
  vector[1] = cos(angle);
  return lower;
}

bool is_in_region(const weft__flat_region* region, uint32_t n, uint32_t k) {
  return (region->faces[n] >> k & 1) != 0;
}

double lowest_of_region(const laid* l, const weft__flat_region* region, const plane_map* map,
                        place* at, double vector[2]) {
  double lower = INFINITY;
  for (uint32_t n = 0; n < region->count; ++n) {
    for (uint32_t k = 0; k < WEFT__CLUSTER_FACES; ++k) {
      double by[2][3];
      double here_vector[2];
      if (!is_in_region(region, n, k)) continue;
      derive(l, at, face_of(l, region->part[n], k), by);
      const double here = lowest_eigenvalue(map, by, here_vector);
      if (!(here < lower)) continue;
      lower = here;
      memcpy(vector, here_vector, sizeof(here_vector));
    }
  }
  return lower;
}

double change_of(const laid* l, const weft__flat_region* region, place* from, place* to) {
  double upper = 0.0;
  for (uint32_t n = 0; n < region->count; ++n) {
    for (uint32_t k = 0; k < WEFT__CLUSTER_FACES; ++k) {
      const uint32_t f = face_of(l, region->part[n], k);
      double a[2][3];
      double b[2][3];
      derive(l, from, f, a);
      derive(l, to, f, b);
      double sq = 0.0;
      for (int d = 0; d < 6; ++d) {
        sq += (a[d / 3][d % 3] - b[d / 3][d % 3]) * (a[d / 3][d % 3] - b[d / 3][d % 3]);
      }
      upper = fmax(upper, sqrt(sq));
    }
  }
  return upper;
}
