/* Feature pairs of one kind on their paths of a CCD pass, one a lane.
 *
 * Resolution. Positions are rounded to floats, so a pair that moves as one changes its distance by
 * up to 2 sqrt(3) 2^-24 of its largest coordinate. A distance of less than ten times that, 2^-19 of
 * the coordinate, is lost in rounding: such a pair touches and has no side. The resolution is at
 * most half of the gap. A pair that starts above it stays above it. */
#ifndef WEFT_MODULES_CCD_TOI_BATCH_H
#define WEFT_MODULES_CCD_TOI_BATCH_H

#include <stdint.h>

/* Whole vectors on every ISA. */
#define WEFT__TOI_LANES 16u

typedef struct weft__toi_batch {
  uint32_t count;  /* lanes in use; others hold any numbers */
  int first_count; /* particles on the first side: 1 in vertex against face, 2 in edge against edge
                    */
  float start[4][3][WEFT__TOI_LANES]; /* metres: when the pass began */
  float now[4][3][WEFT__TOI_LANES];
  float gap[WEFT__TOI_LANES]; /* metres */
  uint32_t may_hit;           /* lanes whose time of impact is wanted */
  /* results */
  double distance[WEFT__TOI_LANES];
  double bound[WEFT__TOI_LANES];      /* metres: lower bound in the pass */
  uint32_t hits;                      /* lanes that come closer than their gap */
  double resolution[WEFT__TOI_LANES]; /* metres up to which a pair touches; of hits */
  /* Closest points of hits at the time of impact: unit vector from second side to first,
   * barycentric weights, negative on the second side. */
  double normal[3][WEFT__TOI_LANES];
  double weight[4][WEFT__TOI_LANES];
} weft__toi_batch;

#endif
