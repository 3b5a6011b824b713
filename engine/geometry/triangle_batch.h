/* Balls on their paths and triangles near them, a pair a lane. */
#ifndef WEFT_GEOMETRY_TRIANGLE_BATCH_H
#define WEFT_GEOMETRY_TRIANGLE_BATCH_H

#include <stdint.h>

enum { WEFT__BATCH_TRIANGLES = 64 }; /* a multiple of the lanes of any ISA */

typedef struct weft__triangle_batch {
  uint32_t count;
  uint32_t triangle[WEFT__BATCH_TRIANGLES];
  /* metres: centre at the end, and its displacement */
  double point[3][WEFT__BATCH_TRIANGLES];
  double path[3][WEFT__BATCH_TRIANGLES];
  /* metres: corners at the beginning and at the end; x, y, z of each */
  float begin[9][WEFT__BATCH_TRIANGLES];
  float end[9][WEFT__BATCH_TRIANGLES];

  /* Results, at the end: weft__nearest_on_triangle(), weft__relative_travel(). */
  double distance[WEFT__BATCH_TRIANGLES];
  double nearest[3][WEFT__BATCH_TRIANGLES];
  double share[3][WEFT__BATCH_TRIANGLES];
  double travel[WEFT__BATCH_TRIANGLES];
  uint64_t inside; /* lanes */
  uint64_t behind; /* lanes whose centre is against the winding: weft__triangle_direction() */
} weft__triangle_batch;

#endif
