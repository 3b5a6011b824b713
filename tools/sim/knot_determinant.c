/* A line projected across z has crossings; its undercrossings cut it into arcs. Each has an
 * equation, 2 over - in - out = 0, of the arc above and the two that meet; the last arc and the
 * first are one. Without one equation and one arc they have the determinant of the knot (Fox 1962,
 * "A quick trip through knot theory"). */
#include "sim/knot_determinant.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define PRIME 2147483647u

enum { MAX_CROSSINGS = 4096 };

typedef struct crossing {
  double over, under; /* positions along the line, in segments */
} crossing;

/* A projected point: right, up, and towards the eye. */
static void project(const float point[3], double seen[3]) {
  /* no axis of a scene, so that crossings are not at points */
  const double c = 0.9271, s = 0.3748;
  seen[0] = c * (double)point[1] - s * (double)point[0];
  seen[1] = (double)point[2];
  seen[2] = c * (double)point[0] + s * (double)point[1];
}

static bool are_apart(double a, double b, double c, double d) {
  return fmax(a, b) < fmin(c, d) || fmax(c, d) < fmin(a, b);
}

static bool cross(const float* points, uint32_t i, uint32_t k, crossing* found) {
  double a[3], b[3], c[3], d[3];
  project(points + 3 * (size_t)i, a);
  project(points + 3 * (size_t)i + 3, b);
  project(points + 3 * (size_t)k, c);
  project(points + 3 * (size_t)k + 3, d);
  if (are_apart(a[0], b[0], c[0], d[0]) || are_apart(a[1], b[1], c[1], d[1])) return false;
  const double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {d[0] - c[0], d[1] - c[1]},
               w[2] = {c[0] - a[0], c[1] - a[1]};
  const double area = u[0] * v[1] - u[1] * v[0];
  const double s = (w[0] * v[1] - w[1] * v[0]) / area, t = (w[0] * u[1] - w[1] * u[0]) / area;
  if (!(s >= 0.0 && s < 1.0 && t >= 0.0 && t < 1.0)) return false;
  const bool is_above = a[2] + s * (b[2] - a[2]) > c[2] + t * (d[2] - c[2]);
  *found = is_above ? (crossing){i + s, k + t} : (crossing){k + t, i + s};
  return true;
}

static int by_under(const void* a, const void* b) {
  const double first = ((const crossing*)a)->under, second = ((const crossing*)b)->under;
  return (first > second) - (first < second);
}

/* Arc of a point of the line: the sorted undercrossings before it. */
static uint32_t arc_of(const crossing* sorted, uint32_t count, double point) {
  uint32_t arc = 0;
  while (arc < count && sorted[arc].under < point) ++arc;
  return arc % count;
}

static uint64_t power(uint64_t base, uint32_t exponent) {
  uint64_t result = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % PRIME) {
    if (exponent % 2 != 0) result = result * base % PRIME;
  }
  return result;
}

/* Determinant of the first n rows and columns, by elimination. */
static uint64_t determinant(uint64_t* matrix, uint32_t n, size_t columns) {
  uint64_t product = 1;
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t pivot = k;
    while (pivot < n && matrix[pivot * columns + k] == 0) ++pivot;
    if (pivot == n) return 0;
    for (uint32_t c = k; c < n && pivot != k; ++c) {
      const uint64_t kept = matrix[k * columns + c];
      matrix[k * columns + c] = matrix[pivot * columns + c];
      matrix[pivot * columns + c] = kept;
    }
    product = product * matrix[k * columns + k] % PRIME;
    const uint64_t inverse = power(matrix[k * columns + k], PRIME - 2);
    for (uint32_t r = k + 1; r < n; ++r) {
      const uint64_t share = matrix[r * columns + k] * inverse % PRIME;
      if (share == 0) continue;
      for (uint32_t c = k; c < n; ++c) {
        uint64_t* at = &matrix[r * columns + c];
        *at = (*at + (PRIME - share) * matrix[k * columns + c]) % PRIME;
      }
    }
  }
  return product;
}

static void add(uint64_t* row, uint32_t arc, uint32_t value) {
  row[arc] = (row[arc] + value) % PRIME;
}

static uint32_t determinant_of(crossing* found, uint32_t count, uint64_t* matrix) {
  qsort(found, count, sizeof *found, by_under);
  for (uint32_t k = 0; k < count; ++k) {
    uint64_t* row = matrix + (size_t)k * count;
    add(row, arc_of(found, count, found[k].over), 2);
    add(row, k, PRIME - 1);
    add(row, (k + 1) % count, PRIME - 1);
  }
  const uint64_t found_minor = determinant(matrix, count - 1, count);
  /* the sign depends on the order of rows */
  return (uint32_t)(found_minor > PRIME / 2 ? PRIME - found_minor : found_minor);
}

uint32_t sim_knot_determinant(const float* points, uint32_t count) {
  crossing* found = malloc(MAX_CROSSINGS * sizeof *found);
  uint32_t crossings = 0;
  bool fits = found != NULL;
  for (uint32_t i = 0; i + 1 < count && fits; ++i) {
    for (uint32_t k = i + 2; k + 1 < count && fits; ++k) {
      crossing one;
      if (!cross(points, i, k, &one)) continue;
      fits = crossings < MAX_CROSSINGS;
      if (fits) found[crossings++] = one;
    }
  }
  uint64_t* matrix = calloc((size_t)crossings * crossings + 1, sizeof *matrix);
  uint32_t result = 0;
  if (fits && matrix != NULL) {
    result = crossings < 2 ? 1 : determinant_of(found, crossings, matrix);
  }
  free(matrix);
  free(found);
  return result;
}
