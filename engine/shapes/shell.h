/* Triangles in space, and a tree to find those that matter: the surface of meshes and of hulls. */
#ifndef WEFT_SHAPES_SHELL_H
#define WEFT_SHAPES_SHELL_H

#include "base/triangle.h"
#include "contact/box_tree.h"
#include "shapes/shape.h"

typedef struct weft__shell {
  float (*points)[3];       /* [point_count] */
  uint32_t (*triangles)[3]; /* [triangle_count] */
  uint32_t point_count, triangle_count;
  weft__box_tree tree;
  size_t bytes;
} weft__shell;

/* Copies all of it. False when memory cannot be had; then it is all zero. */
bool weft__shell_create(weft__shell* shell, const float* points, uint32_t point_count,
                        const uint32_t* triangles, uint32_t triangle_count);
void weft__shell_destroy(weft__shell* shell);

weft__triangle weft__shell_triangle(const weft__shell* shell, uint32_t triangle);

/* The box around it. */
void weft__shell_bound(const weft__shell* shell, weft__vector* least, weft__vector* most);

/* What of a shell is nearest to a point. */
typedef struct weft__shell_point {
  double distance;     /* metres */
  weft__vector point;  /* of the shell */
  weft__vector normal; /* of length 1, towards the point that was asked about */
  weft__vector out;    /* of length 1: that of the triangle, in the turn of its corners */
} weft__shell_point;

/* False if nothing is within `reach`, which may be infinite. Of equals, the triangle with the lowest number. */
bool weft__shell_find_nearest(const weft__shell* shell, weft__vector point, double reach,
                              weft__shell_point* nearest);

/* The first that a ball meets that is farther than `radius` where it begins. */
bool weft__shell_cast(const weft__shell* shell, weft__vector from, weft__vector to, double radius,
                      weft__cast* cast);

/* Whether a triangle meets the box, exact but for rounding. */
bool weft__shell_meets_box(const weft__shell* shell, weft__vector center,
                           const weft__vector half_edges[3]);

/* The direction from a triangle's nearest place to the point that was asked about, of length 1: where they are as
 * good as one that is the triangle's normal, times `side`; and where that is 0, on the point's side. */
weft__vector weft__direction_from(const weft__triangle* triangle,
                                  const weft__triangle_point* nearest, weft__vector point,
                                  double side);

/* The box along the axes around one that is not. */
weft__box weft__box_around_turned(weft__vector center, const weft__vector half_edges[3]);

#endif
