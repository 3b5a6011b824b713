/* A shell whose points move: each on a straight line in a substep, from where the last one ended.
 *
 * The caller gives points for the end of the next step; substeps interpolate them. The boxes of
 * the BVH, which is refitted each substep, bound the motion of triangles, so that the same tree
 * serves sweeps and, with points at the end of the substep, nearest points.
 *
 * A sphere is swept against a moving triangle by conservative advancement, along a fixed normal
 * until it meets the first corner. */
#ifndef WEFT_GEOMETRY_MOVING_SHELL_H
#define WEFT_GEOMETRY_MOVING_SHELL_H

#include "geometry/shell.h"

struct weft__moving_shell {
  weft__shell shell;      /* points at the end of the substep; boxes of the motion in it */
  float (*begin)[3];      /* points at the beginning of the substep [point_count] */
  float (*step_begin)[3]; /* at the beginning of the step */
  float (*target)[3];     /* at the end of the next step */
  weft__aabb* boxes;      /* [triangle_count] */
  bool has_target;        /* points move in the next step */
  bool is_at_rest;        /* begin and end are equal, and so are the boxes */
  bool one_sided;         /* hits from behind, against the winding, are ignored */
  double travel;          /* metres: largest displacement of a point in the substep */
  void* block;
  size_t bytes;
};

/* Creates the shell at rest. False if out of memory; then it is all zero. */
bool weft__moving_shell_create(weft__moving_shell* moving, const float* points,
                               uint32_t point_count, const uint32_t* triangles,
                               uint32_t triangle_count);
void weft__moving_shell_destroy(weft__moving_shell* moving);

/* Advances the points through a substep; true if they move in it. */
bool weft__moving_shell_advance(weft__moving_shell* moving, uint32_t substep, uint32_t substeps,
                                weft__worker_pool* pool);

/* Part of a substep, as shares of it: rotations are swept in slices. */
typedef struct weft__slice_of_time {
  double begin, end;
} weft__slice_of_time;

/* Contact of a sphere with a moving triangle. */
typedef struct weft__moving_hit {
  double fraction;   /* fraction of the slice at the first contact */
  weft__vec3 point;  /* on the shell, at the end of the slice */
  weft__vec3 normal; /* unit, towards the sphere's centre, at the end of the slice */
  weft__vec3 carry;  /* metres: displacement of the point in the slice */
} weft__moving_hit;

/* First contact of a sphere whose centre moves along a segment in the slice. Initial overlap gives
 * fraction 0. */
bool weft__moving_shell_cast(const weft__moving_shell* moving, weft__slice_of_time slice,
                             weft__vec3 from, weft__vec3 to, double radius, weft__moving_hit* hit);

/* Moves a point along with the triangle that is nearest to it at the beginning of the slice: its
 * position at the end is at the same distance, on the same side. */
weft__vec3 weft__moving_shell_follow(const weft__moving_shell* moving, weft__slice_of_time slice,
                                     weft__vec3 point);

/* Nearest point at the end of the slice, if it is within `reach`, and in front of a one-sided
 * triangle. */
bool weft__moving_shell_find_nearest(const weft__moving_shell* moving, weft__slice_of_time slice,
                                     weft__vec3 point, double reach, double* distance,
                                     weft__moving_hit* hit);

#endif
