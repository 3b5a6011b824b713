/* Shell whose points move on straight lines in a substep, interpolated to points that the caller
 * gives for the end of the next step. The boxes of the BVH, refitted each substep, bound motions:
 * one tree serves sweeps and, with points at the end of the substep, nearest points.
 *
 * Spheres are swept by conservative advancement, along a fixed normal until the first corner. */
#ifndef WEFT_GEOMETRY_MOVING_SHELL_H
#define WEFT_GEOMETRY_MOVING_SHELL_H

#include "geometry/shape.h"
#include "geometry/shell.h"

typedef struct weft__moving_shell {
  weft__shell shell; /* points at the end of the substep; boxes of the motion in it */
  weft__moving_points points;
  float (*begin)[3];      /* points at the beginning of the substep [point_count] */
  float (*step_begin)[3]; /* at the beginning of the step */
  weft__aabb* boxes;      /* [triangle_count] */
  bool is_at_rest;        /* begin and end are equal, and so are the boxes */
  void* block;
  size_t bytes;
} weft__moving_shell;

/* Creates the shell at rest. False if out of memory; then it is all zero. */
bool weft__moving_shell_create(weft__moving_shell* moving, const float* points,
                               uint32_t point_count, const uint32_t* triangles,
                               uint32_t triangle_count);
void weft__moving_shell_destroy(weft__moving_shell* moving);

/* The shape's data is a moving shell. */
extern const weft__moving_row weft__moving_shell_row;

#endif
