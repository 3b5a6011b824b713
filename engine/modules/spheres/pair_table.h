/* Narrow phase of two bodies: a table of functions by their shapes, the only place that tells
 * shapes apart.
 *
 * Boxes and ellipsoids are aligned with the axes and never rotate, so each is symmetric along every
 * axis, and the normal of a pair lies in the octant of the offset between the centres. */
#ifndef WEFT_MODULES_SPHERES_PAIR_TABLE_H
#define WEFT_MODULES_SPHERES_PAIR_TABLE_H

#include "weft/weft.h"

/* Shapes of bodies: weft_particle_shape minus WEFT_PARTICLE_SHAPE_SPHERE. */
#define WEFT__BODY_SHAPES 3

/* Apart by `depth` along the normal the bodies touch. */
typedef struct weft__overlap {
  double normal[3]; /* unit vector, from the first body to the second */
  double depth;     /* metres; negative = gap */
} weft__overlap;

/* Half sizes in metres, and the offset from the first centre to the second. */
typedef weft__overlap weft__pair_function(const float first[3], const float second[3],
                                          const double offset[3]);

/* Spheres, boxes and sphere against box are exact. Ellipsoids use a search with a limited number of
 * steps: the depth is never below the true one, and exceeds it by less than a millionth of the
 * larger size, for half axes of up to 1 : 10. In a plane the shapes are discs, rectangles and
 * ellipses in z = 0: half sizes along z have no effect, and the offset and the normal have z =
 * 0. */
weft__pair_function* weft__pair_function_of(weft_particle_shape first, weft_particle_shape second,
                                            bool is_plane);

/* Search along the first `axes` axes, 2 or 3: see ellipsoid_depth.c. */
weft__overlap weft__search_overlap(weft_particle_shape first_shape, const float first[3],
                                   weft_particle_shape second_shape, const float second[3],
                                   const double offset[3], int axes);

#endif
