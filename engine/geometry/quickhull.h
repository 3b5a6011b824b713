/* The convex hull of points.
 *
 * Quickhull (Barber, Dobkin, Huhdanpaa 1996, "The quickhull algorithm for convex hulls"): a tetrahedron grows by the
 * point farthest above one of its faces; the faces that see it go, and what is left open is joined to it.
 *
 *        p                     which faces see p is asked in whole numbers, so it is exact: points are put on a
 *       . .                    grid of 2^30 along the longest side, and what three of them span with a fourth fits
 *      .   .                   into 128 bits. So faces always close, and what lies in the plane of a face sees it
 *     a--h--b  <- horizon      not and does no harm; no tolerance is needed, and none is to be tuned.
 *    /  \ /  \
 *
 * The hull's corners are points as they were given: it is convex to a billionth of its size. */
#ifndef WEFT_GEOMETRY_QUICKHULL_H
#define WEFT_GEOMETRY_QUICKHULL_H

#include <stdbool.h>
#include <stdint.h>

/* Whether points, [count][3] and finite, have a hull with an inside: four of them lie in no plane, by more than a
 * millionth of the size. */
bool weft__points_are_solid(const float* points, uint32_t count);

typedef struct weft__hull_faces {
  uint32_t*
      corners; /* [count][3], numbers of points, to be freed; seen from outside they turn left */
  uint32_t count;
} weft__hull_faces;

/* The faces of the hull of points that are solid; as many run along a plane as it takes. False when memory cannot be
 * had. */
bool weft__quickhull(const float* points, uint32_t count, weft__hull_faces* faces);

#endif
