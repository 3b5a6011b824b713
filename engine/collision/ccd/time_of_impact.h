/* Time of impact of a vertex and a face, or of two edges, by conservative advancement.
 *
 * A feature pair is four particles on straight paths: one against three, or two against two. Let n
 * be the direction between the closest points at some time. While every particle of the first side
 * is farther along n than every particle of the second, by `gap` or more, so are the features, as
 * convex combinations; and along a fixed direction the order of particles holds until a time that
 * one division gives. Time advances to where the order along n ends, the closest points are found
 * again, and so on, to the end of the interval or to a distance of at most 1.1 gaps. The
 * result is never late, parallel and coplanar motion included, and pairs that separate, rest or
 * slide, nearly all, are rejected in the first iteration. (Mirtich 1996, "Impulse-based dynamic
 * simulation of rigid body systems", conservative advancement; Zhang, Lee, Kim 2006, "Interactive
 * continuous collision detection for non-convex polyhedra", bounds along the normal; Li, Kaufman,
 * Jiang 2021, "Codimensional incremental potential contact", which advances by speeds alone)
 *
 * Rejected alternative: roots of the coplanarity cubic are more precise than needed and wrong where
 * the cubic vanishes, as it does for cloth that slides on itself. */
#ifndef WEFT_COLLISION_CCD_TIME_OF_IMPACT_H
#define WEFT_COLLISION_CCD_TIME_OF_IMPACT_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__toi {
  /* particles on the first side: 1 = vertex against face, 2 = edge against edge */
  int first_count;
  weft__vec3 start[4];        /* metres, relative to a nearby origin */
  weft__vec3 displacement[4]; /* metres: displacement from time 0 to 1 */
} weft__toi;

/* Closest points at a time. */
typedef struct weft__toi_closest {
  double distance;   /* metres */
  weft__vec3 normal; /* unit vector from the second side to the first; 0 if the distance is */
  double weight[4];  /* barycentric, negative on the second side: sum is 0 */
} weft__toi_closest;

weft__toi_closest weft__toi_closest_points(const weft__toi* toi, double time);

/* Smallest separation along a normal between particles of both sides, from `time` to 1: a lower
 * bound on the distance of the features in that interval. */
double weft__toi_bound(const weft__toi* toi, weft__vec3 normal, double time);

/* True if the features come as close as `gap`, which must be below their distance at the start;
 * then sets the time of impact, 0 to 1, and the closest points there. Inconclusive pairs count as
 * hits. */
bool weft__toi_advance(const weft__toi* toi, double gap, double* time, weft__toi_closest* nearness);

#endif
