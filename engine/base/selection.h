/* Elements of a call, in the caller's order, and the caller's arrays over them. */
#ifndef WEFT_BASE_SELECTION_H
#define WEFT_BASE_SELECTION_H

#include "base/range.h"
#include "base/result.h"

/* The caller's array over a range or a list: one element each. */
typedef struct weft__array {
  const float* data;
  size_t stride;     /* bytes from element to element; 0 = the same element for all */
  size_t floats;     /* floats of an element */
  const char* field; /* name in errors */
  const bool* mask;  /* elements that count; NULL = all */
} weft__array;

/* Array with a stride as in weft/attributes.h. */
static inline weft__array weft__array_of(const void* data, size_t stride, size_t floats,
                                         const char* field) {
  const size_t apart = stride == WEFT_SAME ? 0 : stride == 0 ? floats * sizeof(float) : stride;
  return (weft__array){.data = data, .stride = apart, .floats = floats, .field = field};
}

/* Floats of element i, counted from the beginning of the array. */
static inline const float* weft__array_at(const weft__array* array, uint32_t i) {
  const void* element = (const char*)array->data + (size_t)i * array->stride;
  return element;
}

/* Flag of element i; any byte but 0 is true. */
static inline bool weft__flag_at(const weft__array* array, uint32_t i) {
  return *((const unsigned char*)(const void*)array->data + (size_t)i * array->stride) != 0;
}

/* Particles, links or environments of a call, in the caller's order. */
typedef struct weft__selection {
  const uint32_t* solver_of; /* of particles in a world; NULL: numbers are places */
  const uint32_t* list;      /* numbers [count]; NULL = [first, first + count) */
  const bool* mask;          /* [count]; NULL = all */
  uint32_t first, count;
  weft__range hull; /* lowest and highest number that counts; empty without any */
} weft__selection;

/* True if element n counts. */
static inline bool weft__selects(const weft__selection* selection, uint32_t n) {
  return selection->mask == NULL || selection->mask[n];
}

/* Number of element n in the caller's order. */
static inline uint32_t weft__selected_number(const weft__selection* selection, uint32_t n) {
  return selection->list != NULL ? selection->list[n] : selection->first + n;
}

/* Place of element n: of a particle in solver order. */
static inline uint32_t weft__selected(const weft__selection* selection, uint32_t n) {
  const uint32_t number = weft__selected_number(selection, n);
  return selection->solver_of != NULL ? selection->solver_of[number] : number;
}

/* Next range of consecutive numbers that count, from element *n on, which becomes the element after
 * it; empty at the end. */
weft__range weft__selected_run(const weft__selection* selection, uint32_t* n);

/* Checks a selection among `total` elements, and completes it. */
weft_result weft__check_selection(const weft_selection* given, uint32_t total,
                                  const uint32_t* solver_of, weft__selection* selection);

/* Checks for [first, first + count) within [0, total). */
weft_result weft__check_elements(uint32_t first, uint32_t count, uint32_t total);

#endif
