/* Shell whose points move on straight lines in a substep, interpolated to points that the caller
 * gives for the end of the next step. The boxes of the BVH, refitted once a step, bound the paths
 * in it: one tree serves the search for lists (triangle_list.h) in all substeps.
 *
 * Spheres are swept by conservative advancement, along a fixed normal until the first corner. */
#ifndef WEFT_GEOMETRY_MOVING_SHELL_H
#define WEFT_GEOMETRY_MOVING_SHELL_H

#include "base/min_max.h"
#include "geometry/shape.h"
#include "geometry/shell.h"

typedef struct weft__moving_shell {
  weft__shell shell; /* points at the end of the substep; boxes of the paths in the step */
  weft__moving_points points;
  float (*begin)[3];        /* points at the beginning of the substep [point_count] */
  float (*step_begin)[3];   /* at the beginning of the step */
  weft__aabb* boxes;        /* of paths in the step [triangle_count] */
  bool is_at_rest;          /* all points and boxes are equal */
  weft__slice_of_time time; /* substep's, as shares of the step; empty at rest */
  void* block;
  size_t bytes;
} weft__moving_shell;

/* Creates the shell at rest. False if out of memory; then it is all zero. */
bool weft__moving_shell_create(weft__moving_shell* moving, const float* points,
                               uint32_t point_count, const uint32_t* triangles,
                               uint32_t triangle_count);
void weft__moving_shell_destroy(weft__moving_shell* moving);

/* Place of a point at a share of the substep. */
static inline weft__vec3 weft__moving_point(const weft__moving_shell* m, uint32_t point,
                                            double share) {
  const float* a = m->begin[point];
  const float* b = m->shell.points[point];
  const weft__vec3 end = {(double)b[0], (double)b[1], (double)b[2]};
  if (share >= 1.0) return end;
  const weft__vec3 begin = {(double)a[0], (double)a[1], (double)a[2]};
  if (share <= 0.0) return begin;
  return weft__plus(begin, weft__scaled(share, weft__minus(end, begin)));
}

/* Largest displacement of three corners relative to one that moves by `path`. */
static inline double weft__relative_travel(const weft__vec3 corner_paths[3], weft__vec3 path) {
  double sq = 0.0;
  for (int k = 0; k < 3; ++k) {
    const weft__vec3 apart = weft__minus(corner_paths[k], path);
    sq = weft__max(sq, weft__dot(apart, apart));
  }
  return sqrt(sq);
}

/* The shape's data is a moving shell. */
extern const weft__moving_row weft__moving_shell_row;

#endif
