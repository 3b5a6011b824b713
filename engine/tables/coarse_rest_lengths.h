/* Rest lengths of a coarse level's links. A coarse particle is at the mean of its followers, apart
 * from its own cloth particle at borders and bends; links shall have the strain of the cloth
 * between their own particles:
 *
 *     rest = max(least, drawn + |distance of the means| - |distance of the particles|) */
#ifndef WEFT_TABLES_COARSE_REST_LENGTHS_H
#define WEFT_TABLES_COARSE_REST_LENGTHS_H

#include <stdint.h>

typedef struct weft__coarse_rest_lengths {
  uint32_t particle_count, group_count;
  /* metres: cloth particles; one block with `center` [particle_count + padding] */
  float* own[3];
  float* center[3]; /* metres: followers' means [particle_count + padding] */
  float* drawn;     /* metres, as drawn from own particles [group_count x WEFT__LANES] */
  float* lower;     /* metres [group_count x WEFT__LANES] */
  /* ends of lanes, for runs that are not contiguous; NULL if all are [as drawn] */
  uint32_t* end_a;
  uint32_t* end_b;
} weft__coarse_rest_lengths;

#endif
