/* Rest lengths of a coarse level's links, which follow the shape of the cloth.
 *
 * A coarse particle is at the mean of the particles that follow it, which is beside its own particle of the cloth at a
 * border and where the cloth bends. Its links are to be strained as much as the cloth between their own particles is,
 * and therefore are that much shorter or longer than drawn, but never shorter than in the scene as drawn:
 *
 *     rest = max(least, drawn + |distance of the means| - |distance of the particles|)
 */
#ifndef WEFT_TABLES_RESTS_H
#define WEFT_TABLES_RESTS_H

#include <stdint.h>

typedef struct weft__rests {
  float* own
      [3]; /* metres: where each particle's own one of the cloth was [particle_count + padding] */
  float* center[3]; /* metres: where the mean of what follows it was [particle_count + padding] */
  float* drawn;     /* metres, by the distance of own particles [group_count x WEFT__LANES] */
  float* least;     /* metres [group_count x WEFT__LANES] */
  /* the ends of the lanes, for those of runs that are not contiguous; NULL where all are [as drawn] */
  uint32_t* end_a;
  uint32_t* end_b;
} weft__rests;

#endif
