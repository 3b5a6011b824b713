#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "mesh.h"

/* One side of one triangle. */
typedef struct half_edge {
  uint32_t low, high; /* its two ends */
  bool is_rising;     /* the triangle goes from low to high */
} half_edge;

/* Disjoint sets of vertices; a root is its own parent. */
static uint32_t find_set(uint32_t* parents, uint32_t vertex) {
  while (parents[vertex] != vertex) {
    parents[vertex] = parents[parents[vertex]];
    vertex = parents[vertex];
  }
  return vertex;
}

static uint32_t* make_sets(uint32_t count) {
  uint32_t* parents = resize_array(NULL, count, sizeof *parents);
  for (uint32_t i = 0; i < count; ++i) parents[i] = i;
  return parents;
}

static int compare_half_edges(const void* left, const void* right) {
  const half_edge *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return 0;
}

static half_edge* sorted_half_edges(const mesh* cloth) {
  size_t count = (size_t)cloth->triangle_count * 3;
  half_edge* sides = resize_array(NULL, count, sizeof *sides);
  for (size_t i = 0; i < count; ++i) {
    uint32_t from = cloth->triangles[i / 3][i % 3], to = cloth->triangles[i / 3][(i + 1) % 3];
    sides[i] = (half_edge){from < to ? from : to, from < to ? to : from, from < to};
  }
  qsort(sides, count, sizeof *sides, compare_half_edges);
  return sides;
}

typedef struct vertex_count {
  uint32_t triangles, edges, boundary_edges;
} vertex_count;

/* Walks over the edges, two equal half edges at a time. */
static const char* check_edges(const mesh* cloth, const half_edge* sides, vertex_count* counts,
                               uint32_t* pieces, uint32_t* loops, mesh_report* report) {
  size_t side_count = (size_t)cloth->triangle_count * 3, used;
  for (size_t i = 0; i < side_count; i += used) {
    const half_edge* side = &sides[i];
    used = 1;
    while (i + used < side_count && compare_half_edges(side, side + used) == 0) ++used;
    if (used > 2) return "an edge has more than two triangles";
    if (used == 2 && side[0].is_rising == side[1].is_rising) return "neighbours face opposite ways";
    uint32_t is_boundary = used == 1;
    report->edge_count++;
    report->boundary_edge_count += is_boundary;
    counts[side->low].edges++;
    counts[side->high].edges++;
    counts[side->low].boundary_edges += is_boundary;
    counts[side->high].boundary_edges += is_boundary;
    pieces[find_set(pieces, side->low)] = find_set(pieces, side->high);
    if (is_boundary) loops[find_set(loops, side->low)] = find_set(loops, side->high);
  }
  return NULL;
}

/* A vertex inside the cloth has as many edges as triangles, on the boundary one more. Two fans of
 * triangles that meet in one corner have two edges more. */
static const char* check_vertices(const mesh* cloth, const vertex_count* counts, uint32_t* pieces,
                                  uint32_t* loops, mesh_report* report) {
  for (uint32_t i = 0; i < cloth->vertex_count; ++i) {
    const vertex_count* count = &counts[i];
    if (count->triangles == 0) return "a vertex is not used";
    if (count->boundary_edges != 0 && count->boundary_edges != 2)
      return "two fans meet in a vertex";
    if (count->edges != count->triangles + count->boundary_edges / 2) {
      return "a vertex is not surrounded by one fan";
    }
    report->piece_count += find_set(pieces, i) == i;
    report->loop_count += count->boundary_edges != 0 && find_set(loops, i) == i;
  }
  return NULL;
}

static const char* check_topology(const mesh* cloth, mesh_report* report) {
  half_edge* sides = sorted_half_edges(cloth);
  vertex_count* counts = zeroed_array(cloth->vertex_count, sizeof *counts);
  uint32_t *pieces = make_sets(cloth->vertex_count), *loops = make_sets(cloth->vertex_count);
  for (uint32_t i = 0; i < cloth->triangle_count * 3; ++i) {
    counts[cloth->triangles[i / 3][i % 3]].triangles++;
  }
  const char* fault = check_edges(cloth, sides, counts, pieces, loops, report);
  if (!fault) fault = check_vertices(cloth, counts, pieces, loops, report);
  free(sides);
  free(counts);
  free(pieces);
  free(loops);
  return fault;
}

static double length_between(const mesh* cloth, uint32_t a, uint32_t b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    double d = (double)cloth->positions[a][i] - (double)cloth->positions[b][i];
    sum += d * d;
  }
  return sqrt(sum);
}

/* Degrees of the angle opposite the shortest side; notes all three sides. */
static double smallest_angle(const mesh* cloth, uint32_t triangle, mesh_report* report) {
  const uint32_t* t = cloth->triangles[triangle];
  double sides[3];
  for (int i = 0; i < 3; ++i) {
    sides[i] = length_between(cloth, t[i], t[(i + 1) % 3]);
    report->mean_edge += sides[i];
    report->shortest_edge = fmin(report->shortest_edge, sides[i]);
    report->longest_edge = fmax(report->longest_edge, sides[i]);
  }
  double lower = fmin(sides[0], fmin(sides[1], sides[2]));
  double upper = fmax(sides[0], fmax(sides[1], sides[2]));
  double middle = sides[0] + sides[1] + sides[2] - lower - upper;
  double cosine = (middle * middle + upper * upper - lower * lower) / (2 * middle * upper);
  return acos(fmax(-1, fmin(1, cosine))) * 180 / 3.14159265358979323846;
}

static int compare_doubles(const void* left, const void* right) {
  double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static const char* check_triangles(const mesh* cloth, mesh_report* report) {
  uint32_t count = cloth->triangle_count;
  double* angles = resize_array(NULL, count, sizeof *angles);
  report->shortest_edge = HUGE_VAL;
  for (uint32_t i = 0; i < count; ++i) angles[i] = smallest_angle(cloth, i, report);
  qsort(angles, count, sizeof *angles, compare_doubles);
  report->smallest_angle = angles[0];
  report->median_smallest_angle = angles[count / 2];
  report->mean_edge /= 3.0 * count;
  free(angles);
  return report->smallest_angle > 1 ? NULL : "a triangle has almost no area";
}

const char* mesh_check(const mesh* cloth, mesh_report* report) {
  *report = (mesh_report){0};
  if (cloth->triangle_count == 0) return "there are no triangles";
  const char* fault = check_topology(cloth, report);
  return fault ? fault : check_triangles(cloth, report);
}

void mesh_free(mesh* cloth) {
  free(cloth->positions);
  free(cloth->triangles);
  *cloth = (mesh){0};
}
