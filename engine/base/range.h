/* Range of indices. */
#ifndef WEFT_BASE_RANGE_H
#define WEFT_BASE_RANGE_H

#include <stdint.h>

/* Indices [begin, end). */
typedef struct weft__range {
  uint32_t begin, end;
} weft__range;

#endif
