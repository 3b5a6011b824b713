/* Attributes: a row for each value of weft_attribute, here or in a module's stage. A row says how
 * large an element is, what it belongs to, and how it is read, set and added to; the checks of
 * selections, strides and pointers are one for all (world/attributes.c). */
#ifndef WEFT_STEP_ATTRIBUTE_H
#define WEFT_STEP_ATTRIBUTE_H

#include "base/result.h"
#include "base/selection.h"

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

/* Elements that have attributes. */
typedef enum weft__owner {
  WEFT__OF_PARTICLES = 0,
  WEFT__OF_LINKS,
  WEFT__OF_ENVIRONMENTS,
} weft__owner;

typedef struct weft__attribute {
  weft_attribute id;
  uint8_t size;       /* bytes of an element; 0 ends a list of rows */
  uint8_t item;       /* bytes of one number of it */
  uint8_t of;         /* weft__owner */
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
