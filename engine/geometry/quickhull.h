/* Convex hull of a point set.
 *
 * Quickhull (Barber, Dobkin, Huhdanpaa 1996, "The quickhull algorithm for convex hulls"): a
 * tetrahedron grows by the point farthest above a face; visible faces give way to a cone:
 *
 *        p                     visibility is decided in exact integers: points lie on a grid of
 *       . .                    2^30 along the longest side, and the determinant of four fits
 *      .   .                   into 128 bits. So the hull always closes, a point in the plane
 *     a--h--b  <- horizon      of a face is not above it, and there is no tolerance to tune.
 *    /  \ /  \
 *
 * Corners are input points, unrounded: the hull is convex to a billionth of its size. */
#ifndef WEFT_GEOMETRY_QUICKHULL_H
#define WEFT_GEOMETRY_QUICKHULL_H

#include <stdbool.h>
#include <stdint.h>

/* Points [count][3], finite: four are farther from a common plane than a millionth of the size. */
bool weft__points_are_solid(const float* points, uint32_t count);

typedef struct weft__hull_faces {
  uint32_t*
      /* [count][3] point numbers, counter-clockwise seen from outside; freed by the caller */
      corners;
  uint32_t count;
} weft__hull_faces;

/* Faces of solid points; a flat one is several triangles. False if out of memory. */
bool weft__quickhull(const float* points, uint32_t count, weft__hull_faces* faces);

#endif
