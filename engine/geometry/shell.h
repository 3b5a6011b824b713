/* Indexed triangles with a BVH: the surface of meshes and hulls. */
#ifndef WEFT_GEOMETRY_SHELL_H
#define WEFT_GEOMETRY_SHELL_H

#include "geometry/bvh.h"
#include "geometry/shape.h"
#include "geometry/triangle.h"

typedef struct weft__shell {
  float (*points)[3];       /* [point_count] */
  uint32_t (*triangles)[3]; /* [triangle_count] */
  uint32_t point_count, triangle_count;
  weft__bvh tree;
  double spacing; /* metres: size of triangles at the start */
  size_t bytes;
} weft__shell;

/* Copies the arrays. False if out of memory; then the shell is all zero. */
bool weft__shell_create(weft__shell* shell, const float* points, uint32_t point_count,
                        const uint32_t* triangles, uint32_t triangle_count);
/* Sets points and triangles of a def to the shell's. */
void weft__shell_describe(const weft__shell* shell, weft_collider_def* def);
void weft__shell_destroy(weft__shell* shell);

weft__triangle weft__shell_triangle(const weft__shell* shell, uint32_t triangle);

void weft__shell_bound(const weft__shell* shell, weft__vec3* lower, weft__vec3* upper);

typedef struct weft__shell_point {
  double distance; /* metres */
  weft__vec3 point;
  weft__vec3 normal; /* unit, towards the query point */
  weft__vec3 out;    /* unit normal of the triangle, by the winding of its corners */
} weft__shell_point;

/* False if nothing is within `reach`, which may be infinite. Ties go to the lowest triangle. `set`:
 * all triangles within reach, in any order; NULL: the tree finds them. */
bool weft__shell_find_nearest(const weft__shell* shell, const weft__triangle_set* set,
                              weft__vec3 point, double reach, weft__shell_point* nearest);

/* The sphere must start farther than `radius` from the shell. `set`: all triangles that near its
 * path, or NULL. */
bool weft__shell_cast(const weft__shell* shell, const weft__triangle_set* set, weft__vec3 from,
                      weft__vec3 to, double radius, weft__cast* cast);

/* Exact up to rounding. */
bool weft__shell_meets_box(const weft__shell* shell, weft__vec3 center,
                           const weft__vec3 half_edges[3]);

/* Unit direction to the query point. Where they nearly coincide, or the point projects into the
 * face: the triangle's normal times the sign of `side`; for side 0 on the point's side. */
weft__vec3 weft__triangle_direction(const weft__triangle* triangle,
                                    const weft__triangle_point* nearest, weft__vec3 point,
                                    double side);

weft__aabb weft__aabb_around_rotated(weft__vec3 center, const weft__vec3 half_edges[3]);

#endif
