/* Attributes: a row for each value of weft_attribute, here or in a module's stage. A row says how
 * large an element is, what it belongs to, and how it is read, set and added to; the checks of
 * selections, strides and pointers are one for all (world/attributes.c). */
#ifndef WEFT_STEP_ATTRIBUTE_H
#define WEFT_STEP_ATTRIBUTE_H

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

/* Particles or links of a call, in the caller's order. */
typedef struct weft__selection {
  const uint32_t* solver_of; /* covers all particles of the world; NULL: links */
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

/* Element n: a particle in solver order, or a link. */
static inline uint32_t weft__selected(const weft__selection* selection, uint32_t n) {
  const uint32_t number = weft__selected_number(selection, n);
  return selection->solver_of != NULL ? selection->solver_of[number] : number;
}

/* One reading. */
typedef struct weft__attribute_read {
  const weft_world* world;
  float rate;       /* 1 / seconds of the last substep */
  bool is_between;  /* positions are interpolated */
  float amount;     /* share of the present position; the rest is the previous one's */
  const float* uvs; /* texture coordinates, [2], by number; NULL = none */
  size_t uv_stride; /* bytes */
} weft__attribute_read;

/* One setting or adding. */
typedef struct weft__attribute_write {
  weft_world* world;
  weft__selection at;
  weft__array array;
  bool is_sum; /* adds to the present values */
} weft__attribute_write;

typedef struct weft__attribute {
  weft_attribute id;
  uint8_t size;       /* bytes of an element; 0 ends a list of rows */
  uint8_t item;       /* bytes of one number of it */
  bool is_of_links;   /* else of particles */
  bool needs_texture; /* weft__attribute_read.uvs */
  /* Requirements of reading, beyond the world itself; NULL: none. */
  weft_result (*check)(const weft_world* world);
  /* Reads one element, a particle in solver order or a link, on any worker; or all numbers of a
   * range, packed, where one by one takes longer. */
  void (*get)(const weft__attribute_read* read, uint32_t element, void* value);
  void (*get_range)(const weft_world* world, weft__range numbers, void* values);
  /* Changing: prepare checks all elements and reserves memory, apply cannot fail. */
  bool is_set, is_added; /* by weft_world_set(), weft_world_add() */
  weft_result (*prepare)(const weft__attribute_write* write);
  void (*apply)(weft__attribute_write* write);
} weft__attribute;

#endif
