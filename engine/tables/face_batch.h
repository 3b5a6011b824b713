#ifndef WEFT_TABLES_FACE_BATCH_H
#define WEFT_TABLES_FACE_BATCH_H

#include <stdint.h>

#define WEFT__BATCH_FACES 64

typedef struct weft__face_batch {
  uint32_t count;
  float corner[3][3][WEFT__BATCH_FACES]; /* metres, by corner and axis */
  float edge_sq[WEFT__BATCH_FACES];
  float lower[3], upper[3];
} weft__face_batch;

#endif
