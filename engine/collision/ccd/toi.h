/* Whether a particle and a face, or two edges, come near each other while all of their particles go straight.
 *
 * They are given as four particles with signs: one against three, or two against two. At any time, let n be the
 * direction between their nearest points. As long as every particle of the one side is further along n than
 * every one of the other, by `gap` or more, so are the two things themselves, as these are mixtures of their
 * particles; and along one direction particles that go straight stay in order for a time that a division tells.
 * So time is advanced to where the order along n is lost, the nearest points are looked for again there, and so
 * on, until the end is reached or the distance is the gap, but for a tenth. This is never late, whatever is
 * parallel or flat, and it is found at once that two do not meet that part, stay or slide, as nearly all do.
 * (Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems", conservative advancement; Zhang, Lee,
 * Kim 2006, "Interactive continuous collision detection for non-convex polyhedra", bounds along the normal; Li,
 * Kaufman, Jiang 2021, "Codimensional incremental potential contact", which advances by speeds alone)
 *
 * The rejected alternative, roots of a cubic, tells coplanar times to more digits than are needed and is wrong
 * where the cubic vanishes: cloth that slides on itself is such a place. */
#ifndef WEFT_COLLISION_CCD_TOI_H
#define WEFT_COLLISION_CCD_TOI_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__toi {
  /* how many particles are on the first side: 1, and a face on the other, or 2, and an edge on either */
  int first_count;
  weft__vec3 start[4]; /* metres, from wherever is near */
  weft__vec3 way[4];   /* what each goes until time 1 */
} weft__toi;

/* The nearest points at a time. */
typedef struct weft__nearness {
  double distance;   /* metres */
  weft__vec3 normal; /* from the second side to the first, of length 1; 0 where the distance is */
  double weight[4];  /* shares in the nearest points, those of the second side negative */
} weft__nearness;

weft__nearness weft__toi_nearness(const weft__toi* toi, double time);

/* The least distance along a normal between any two particles of both sides, from `time` to 1: a lower bound of
 * how far apart both stay. */
double weft__toi_bound(const weft__toi* toi, weft__vec3 normal, double time);

/* Whether both come as near as `gap`, less than their distance at the start, whose nearness is given; then
 * *time and the nearness there. */
bool weft__toi_find(const weft__toi* toi, double gap, double* time, weft__nearness* nearness);

#endif
