/* Two bodies of any shapes: how far one is in the other, and which way out. A table of functions, indexed by the
 * two shapes; nobody else knows the kinds apart. A new shape is a new row and a new column.
 *
 * Bodies lie along the axes and never turn, so that each is its own mirror image along every axis, and the best
 * direction between two of them lies in the octant of the offset between their centres. */
#ifndef WEFT_COLLISION_PARTICLES_PAIR_TABLE_H
#define WEFT_COLLISION_PARTICLES_PAIR_TABLE_H

#include "weft/weft.h"

/* The shapes of bodies, by weft_contact_shape less WEFT_CONTACT_SPHERE. */
#define WEFT__BODY_SHAPES 3

/* How two bodies lie to each other. Moved apart by `depth` along the normal they touch and no more. */
typedef struct weft__overlap {
  double normal[3]; /* of length 1, from the first body to the second */
  double depth;     /* metres; negative = the gap between them */
} weft__overlap;

/* From half sizes, metres, and the way from the centre of the first body to that of the second. */
typedef weft__overlap weft__pair_function(const float first[3], const float second[3],
                                          const double offset[3]);

/* The function for two shapes of bodies: spheres, boxes and spheres against boxes are exact. Ellipsoids are found
 * by a search of a fixed number of rounds: the depth is never less than the true one, so that no gap is seen
 * where there is none, and above it by less than a millionth of the larger size, for half axes of up to 1 : 10. */
weft__pair_function* weft__pair_function_of(weft_contact_shape first, weft_contact_shape second);

/* The search, for any two of its shapes: see pair_search.c. */
weft__overlap weft__search_overlap(weft_contact_shape first_shape, const float first[3],
                                   weft_contact_shape second_shape, const float second[3],
                                   const double offset[3]);

#endif
