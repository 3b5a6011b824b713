/* Time of impact of a vertex and a face, or of two edges, one pair at a time: reference of
 * modules/ccd/time_of_impact.inl, which explains it. */
#ifndef TESTS_SUPPORT_TIME_OF_IMPACT_H
#define TESTS_SUPPORT_TIME_OF_IMPACT_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct toi_motion {
  /* particles on the first side: 1 = vertex against face, 2 = edge against edge */
  int first_count;
  weft__vec3 start[4];        /* metres, relative to a nearby origin */
  weft__vec3 displacement[4]; /* metres: displacement from time 0 to 1 */
} toi_motion;

/* Closest points at a time. */
typedef struct toi_closest {
  double distance;   /* metres */
  weft__vec3 normal; /* unit vector from the second side to the first; 0 if the distance is */
  double weight[4];  /* barycentric, negative on the second side: sum is 0 */
} toi_closest;

toi_closest toi_closest_points(const toi_motion* toi, double time);

/* Smallest separation along a normal between particles of both sides, from `time` to 1: a lower
 * bound on the features' distance. */
double toi_bound(const toi_motion* toi, weft__vec3 normal, double time);

/* True if the features come as close as `gap`, which must be below their initial distance; sets the
 * time of impact, 0 to 1, and the closest points. Inconclusive pairs count as hits. */
bool toi_advance(const toi_motion* toi, double gap, double* time, toi_closest* closest);

#endif
