#ifndef WEFT_BASE_RANGE_H
#define WEFT_BASE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* [begin, end) */
typedef struct weft__range {
  uint32_t begin, end;
} weft__range;

/* Intersection; 0 to 0 if empty. */
static inline weft__range weft__range_common(weft__range a, weft__range b) {
  const weft__range both = {a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end};
  return both.begin < both.end ? both : (weft__range){0, 0};
}

static inline bool weft__range_has(weft__range range, uint32_t index) {
  return index >= range.begin && index < range.end;
}

#endif
