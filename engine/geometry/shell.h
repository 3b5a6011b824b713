/* Triangles in space, and a tree to find those that matter: the surface of meshes and of hulls. */
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
  size_t bytes;
} weft__shell;

/* Copies all of it. False when memory cannot be had; then it is all zero. */
bool weft__shell_create(weft__shell* shell, const float* points, uint32_t point_count,
                        const uint32_t* triangles, uint32_t triangle_count);
void weft__shell_destroy(weft__shell* shell);

weft__triangle weft__shell_triangle(const weft__shell* shell, uint32_t triangle);

/* The box around it. */
void weft__shell_bound(const weft__shell* shell, weft__vec3* least, weft__vec3* most);

/* What of a shell is nearest to a point. */
typedef struct weft__shell_point {
  double distance;   /* metres */
  weft__vec3 point;  /* of the shell */
  weft__vec3 normal; /* of length 1, towards the point that was asked about */
  weft__vec3 out;    /* of length 1: that of the triangle, in the turn of its corners */
} weft__shell_point;

/* False if nothing is within `reach`, which may be infinite. Of equals, the triangle with the lowest number. */
bool weft__shell_find_nearest(const weft__shell* shell, weft__vec3 point, double reach,
                              weft__shell_point* nearest);

/* The first that a ball meets that is farther than `radius` where it begins. */
bool weft__shell_cast(const weft__shell* shell, weft__vec3 from, weft__vec3 to, double radius,
                      weft__cast* cast);

/* Whether a triangle meets the box, exact but for rounding. */
bool weft__shell_meets_box(const weft__shell* shell, weft__vec3 center,
                           const weft__vec3 half_edges[3]);

/* The direction from a triangle's nearest place to the point that was asked about, of length 1: where they are as
 * good as one that is the triangle's normal, times `side`; and where that is 0, on the point's side. */
weft__vec3 weft__direction_from(const weft__triangle* triangle, const weft__triangle_point* nearest,
                                weft__vec3 point, double side);

/* The box along the axes around one that is not. */
weft__box weft__aabb_around_rotated(weft__vec3 center, const weft__vec3 half_edges[3]);

#endif
