#include "modules/ccd/flatness.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"
#include "base/vec3.h"
#include "modules/ccd/kernels.h"

// Smallest certified eigenvalue of P D, which is about the identity: a bound on rounding.
#define MIN_EIGENVALUE 0.02f
// Accumulated change of derivatives that is bounded without recomputing them.
#define MAX_DRIFT 0.05f
// Eigenvalue that a correction of P gives to the face that failed.
#define CORRECTED 0.15f

// Ratio of projected areas that prefers another axis.
#define AXIS_PREFERENCE 1.01

#define CLUSTERS(name) WEFT__COLUMN(weft__flatness, name, cluster_count, WEFT__CACHE)
#define FACES(name) \
  WEFT__VECTOR_TIMES(weft__flatness, name, WEFT__CLUSTER_FACES, cluster_count, 0, WEFT__CACHE)

static const weft__column columns[] = {
    FACES(inverse),
    FACES(start[0]),
    FACES(now[0]),
    FACES(start[1]),
    FACES(now[1]),
    CLUSTERS(start_drift),
    CLUSTERS(now_drift),
    CLUSTERS(is_new),
    CLUSTERS(is_wanted),
    CLUSTERS(axis),
    CLUSTERS(surrounding_count),
    CLUSTERS(surrounding),
    CLUSTERS(start_frame),
    CLUSTERS(now_frame),
    CLUSTERS(rate),
    CLUSTERS(region_count),
    CLUSTERS(regions),
};

const weft__table weft__flatness_table = WEFT__TABLE(columns);

// ---- the plane ----

static uint8_t normal_axis(const weft__ccd_clusters* clusters, const weft__faces* faces,
                           uint32_t cluster) {
  const weft__range range = weft__cluster_faces(clusters, cluster);
  double area[3] = {0.0, 0.0, 0.0};
  for (uint32_t f = range.begin; f < range.end; ++f) {
    const uint32_t* corner = faces->corner[clusters->face[f]];
    double edge[2][3];
    for (int k = 0; k < 2; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        edge[k][axis] =
            (double)faces->place[axis][corner[k + 1]] - (double)faces->place[axis][corner[0]];
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3;
      const int v = (axis + 2) % 3;
      area[axis] += fabs(edge[0][u] * edge[1][v] - edge[0][v] * edge[1][u]);
    }
  }
  // ties are decided alike for all clusters in one plane, despite rounding
  if (AXIS_PREFERENCE * area[2] >= area[0] && AXIS_PREFERENCE * area[2] >= area[1]) return 2;
  return AXIS_PREFERENCE * area[1] >= area[0] ? 1 : 0;
}

// A face at right angles to the plane has an infinite or NaN inverse, and is never certified.
static void invert_face(const weft__flatness* flatness, const float* u, const float* v,
                        const uint32_t corner[3], uint32_t n) {
  const double a[2] = {(double)u[corner[1]] - (double)u[corner[0]],
                       (double)v[corner[1]] - (double)v[corner[0]]};
  const double b[2] = {(double)u[corner[2]] - (double)u[corner[0]],
                       (double)v[corner[2]] - (double)v[corner[0]]};
  const double det = a[0] * b[1] - a[1] * b[0];
  flatness->inverse[0][n] = (float)(b[1] / det);
  flatness->inverse[1][n] = (float)(-b[0] / det);
  flatness->inverse[2][n] = (float)(-a[1] / det);
  flatness->inverse[3][n] = (float)(a[0] / det);
}

// Bound on the change of a derivative if each corner moves by one metre, 1 / metre.
static float derivative_rate(const weft__flatness* flatness, uint32_t n) {
  float sq = 0.0f;
  for (int k = 0; k < 2; ++k) {
    const float a = flatness->inverse[k][n];
    const float b = flatness->inverse[k + 2][n];
    const float sum = fabsf(a) + fabsf(b) + fabsf(a + b);
    sq += sum * sum;
  }
  return sqrtf(sq) * 1.0001f;
}

void weft__flatness_choose_plane(const weft__flatness* flatness, const weft__ccd_clusters* clusters,
                                 const weft__faces* faces, uint32_t cluster) {
  const weft__range range = weft__cluster_faces(clusters, cluster);
  const int across = flatness->axis[cluster] = normal_axis(clusters, faces, cluster);
  const float* u = faces->place[(across + 1) % 3];
  const float* v = faces->place[(across + 2) % 3];
  flatness->rate[cluster] = 0.0f;
  if (weft__cluster_is_of_strands(clusters, cluster)) {
    for (int k = 0; k < 4; ++k) {
      float* inverse = flatness->inverse[k] + (size_t)cluster * WEFT__CLUSTER_FACES;
      memset(inverse, 0, WEFT__CLUSTER_FACES * sizeof(*inverse));
    }
    return;
  }
  for (uint32_t f = range.begin; f < range.begin + WEFT__CLUSTER_FACES; ++f) {
    // the last cluster is padded with its last face
    const uint32_t face = clusters->face[f < range.end ? f : range.end - 1];
    invert_face(flatness, u, v, faces->corner[face], f);
    flatness->rate[cluster] = weft__maxf(flatness->rate[cluster], derivative_rate(flatness, f));
  }
}

// ---- derivatives ----

// faces of a cluster, in vectors
enum { VECTORS = WEFT__CLUSTER_FACES / WIDE_LANES };

// Computes one coordinate of both derivatives, by k, for all faces of a cluster.
static void differentiate(const weft__flatness* flatness, const uint8_t (*corner)[3],
                          const float* at, uint32_t first, wide by[2][VECTORS]) {
  float edge[2][WEFT__CLUSTER_FACES];
  for (uint32_t f = 0; f < WEFT__CLUSTER_FACES; ++f) {
    const float origin = at[corner[f][0]];
    edge[0][f] = at[corner[f][1]] - origin;
    edge[1][f] = at[corner[f][2]] - origin;
  }
  for (uint32_t n = 0; n < VECTORS; ++n) {
    const wide a = wide_load(edge[0] + 4 * n);
    const wide b = wide_load(edge[1] + 4 * n);
    for (int k = 0; k < 2; ++k) {
      by[k][n] = a * wide_load(flatness->inverse[k] + first + 4 * n) +
                 b * wide_load(flatness->inverse[k + 2] + first + 4 * n);
    }
  }
}

static float mean_of(wide v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) / 4.0f;
}

// Recomputes derivatives; returns a bound on the change of a face's derivative.
static float recompute(const weft__flatness* flatness, const weft__ccd_clusters* clusters,
                       float* const* at, uint32_t cluster) {
  const uint32_t first = cluster * WEFT__CLUSTER_FACES;
  const uint32_t member = clusters->first_member[4 * cluster];
  const uint8_t(*corner)[3] = (const uint8_t(*)[3])clusters->corner + first;
  wide changed[VECTORS] = {{0}};
  for (int axis = 0; axis < 3; ++axis) {
    wide by[2][VECTORS];
    differentiate(flatness, corner, at[axis] + member, first, by);
    for (int k = 0; k < 2; ++k) {
      float* column = flatness->now[k][axis] + first;
      for (uint32_t n = 0; n < VECTORS; ++n) {
        const wide change = by[k][n] - wide_load(column + 4 * n);
        changed[n] += change * change;
      }
      memcpy(column, by[k], sizeof(by[k]));
      flatness->now_frame[cluster].mean[k][axis] =
          mean_of((by[k][0] + by[k][1]) + (by[k][2] + by[k][3])) / (float)VECTORS;
    }
  }
  const wide largest = wide_max(wide_max(changed[0], changed[1]), wide_max(changed[2], changed[3]));
  return sqrtf(wide_max_lane(largest)) * 1.0001f;
}

float weft__flatness_update(const weft__flatness* flatness, const weft__ccd_clusters* clusters,
                            float* const* at, uint32_t cluster, float displacement) {
  const float change = flatness->rate[cluster] * displacement;
  if (flatness->now_drift[cluster] + change <= MAX_DRIFT && !flatness->is_wanted[cluster]) {
    flatness->now_drift[cluster] += change;
    return change;
  }
  flatness->now_drift[cluster] = 0.0f;
  flatness->is_wanted[cluster] = 0;
  flatness->is_new[cluster] = 1;
  return recompute(flatness, clusters, at, cluster);
}

void weft__flatness_begin_pass(const weft__flatness* flatness, uint32_t cluster) {
  flatness->start_drift[cluster] = flatness->now_drift[cluster];
  if (!flatness->is_new[cluster]) return;
  flatness->is_new[cluster] = 0;
  flatness->start_frame[cluster] = flatness->now_frame[cluster];
  for (int k = 0; k < 2; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      const size_t first = (size_t)cluster * WEFT__CLUSTER_FACES;
      memcpy(flatness->start[k][axis] + first, flatness->now[k][axis] + first,
             WEFT__CLUSTER_FACES * sizeof(float));
    }
  }
}

// ---- certificates ----

weft__flat_region* weft__flatness_region(const weft__flatness* flatness, uint32_t a, uint32_t b) {
  const uint32_t first = a < b ? a : b;
  const uint32_t second = a < b ? b : a;
  for (uint32_t n = 0; n < flatness->region_count[first]; ++n) {
    if (flatness->regions[first][n].other == second) return &flatness->regions[first][n];
  }
  return NULL;
}

static void set_norm(weft__flatness_test* test) {
  const float p = weft__dot3(test->row[0], test->row[0]);
  const float q = weft__dot3(test->row[1], test->row[1]);
  const float r = weft__dot3(test->row[0], test->row[1]);
  test->norm = sqrtf(0.5f * (p + q) + sqrtf(0.25f * (p - q) * (p - q) + r * r)) * 1.0001f;
}

// Fits P: the least-squares inverse of the mean derivative of a region, over start and now.
static bool fit_map(const weft__flatness* flatness, weft__flatness_test* test) {
  float mean[2][3] = {{0}};
  const float share = 0.5f / (float)test->count;
  for (uint32_t n = 0; n < test->count; ++n) {
    const weft__ccd_frame* start = &flatness->start_frame[test->cluster[n]];
    const weft__ccd_frame* now = &flatness->now_frame[test->cluster[n]];
    for (int k = 0; k < 2; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        mean[k][axis] += share * (start->mean[k][axis] + now->mean[k][axis]);
      }
    }
  }
  const float a = weft__dot3(mean[0], mean[0]);
  const float b = weft__dot3(mean[0], mean[1]);
  const float c = weft__dot3(mean[1], mean[1]);
  const float det = a * c - b * b;
  if (!(det > 1e-3f * a * c)) return false;
  for (int axis = 0; axis < 3; ++axis) {
    test->row[0][axis] = (c * mean[0][axis] - b * mean[1][axis]) / det;
    test->row[1][axis] = (a * mean[1][axis] - b * mean[0][axis]) / det;
  }
  set_norm(test);
  return true;
}

// Corrects P for the face that failed: adds the multiple of v (D v)^T, v the eigenvector of its
// smallest eigenvalue, that makes v . P D v equal CORRECTED v . v.
static void correct_map(weft__flatness_test* test) {
  float by[2][3];
  for (int k = 0; k < 2; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      by[k][axis] = test->by[test->failed_end][k][axis][test->failed_face];
    }
  }
  const float a = weft__dot3(test->row[0], by[0]);
  const float c = weft__dot3(test->row[1], by[1]);
  const float b = 0.5f * (weft__dot3(test->row[0], by[1]) + weft__dot3(test->row[1], by[0]));
  const float half = 0.5f * (a - c);
  const float eigenvalue = 0.5f * (a + c) - sqrtf(half * half + b * b);
  // from the longer row of the matrix less the eigenvalue
  const float v[2] = {a > c ? -b : c - eigenvalue, a > c ? a - eigenvalue : -b};
  float direction[3];
  for (int axis = 0; axis < 3; ++axis) direction[axis] = v[0] * by[0][axis] + v[1] * by[1][axis];
  const float share = (CORRECTED - eigenvalue) / weft__dot3(direction, direction);
  for (int k = 0; k < 2; ++k) {
    for (int axis = 0; axis < 3; ++axis) test->row[k][axis] += share * v[k] * direction[axis];
  }
  set_norm(test);
}

// Requests exact derivatives of a region for the next update; false if it has them.
static bool request_recompute(const weft__flatness* flatness, const weft__flat_region* region) {
  bool is_requested = false;
  for (uint32_t n = 0; n < region->count; ++n) {
    const uint32_t cluster = region->part[n];
    if (!(flatness->now_drift[cluster] > 0.0f)) continue;
    // relaxed: all workers write the same value
    __atomic_store_n(&flatness->is_wanted[cluster], 1, __ATOMIC_RELAXED);
    is_requested = true;
  }
  return is_requested;
}

bool weft__flatness_certifies(const weft__flatness* flatness, const weft__flat_region* region,
                              weft__flatness_test* test, float* slack) {
  *test = (weft__flatness_test){.min_eigenvalue = MIN_EIGENVALUE,
                                .count = region->count,
                                .cluster = region->part,
                                .faces = region->faces,
                                .by = {flatness->now, flatness->start},
                                .drift = {flatness->now_drift, flatness->start_drift}};
  float margin = -1.0f;
  if (fit_map(flatness, test)) {
    margin = weft__ccd_kernels_of(flatness->kernels)->test_flatness(test);
    if (margin < 0.0f) {
      correct_map(test);
      margin = weft__ccd_kernels_of(flatness->kernels)->test_flatness(test);
    }
  }
  if (margin < 0.0f) {
    *slack = request_recompute(flatness, region) ? INFINITY : 0.0f;
    return false;
  }
  *slack = margin / test->norm;
  return true;
}
