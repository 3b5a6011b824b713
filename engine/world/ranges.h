/* Ranges of particles, and the caller's arrays over them: see Ranges in change.h. */
#ifndef WEFT_WORLD_RANGES_H
#define WEFT_WORLD_RANGES_H

#include "weft/weft.h"

/* The caller's array over a range: one element a particle. */
typedef struct weft__array {
  const float* data;
  size_t stride;     /* bytes from element to element; 0 = the same element for all */
  size_t floats;     /* floats of an element */
  const char* field; /* name in errors */
} weft__array;

/* Floats of element i, counted from the beginning of the range. */
static inline const float* weft__array_at(const weft__array* array, uint32_t i) {
  const void* element = (const char*)array->data + (size_t)i * array->stride;
  return element;
}

/* Checks for [first, first + count) within [0, total). */
weft_result weft__check_elements(uint32_t first, uint32_t count, uint32_t total);

/* Checks the world, the range, and the array's pointer and stride. */
weft_result weft__check_array(const weft_world* world, uint32_t first, uint32_t count,
                              const weft__array* array);

/* The same for a range within [0, total). */
weft_result weft__check_array_of(const weft_world* world, uint32_t first, uint32_t count,
                                 uint32_t total, const weft__array* array);

/* Checks that all floats are finite and within WEFT_MAX_MAGNITUDE. */
weft_result weft__check_array_magnitude(const weft__array* array, uint32_t count);

/* Checks weft__check_array() and the magnitudes of points or vectors, [3], which have z = 0 in a
 * world of a plane. */
weft_result weft__check_vectors(const weft_world* world, uint32_t first, uint32_t count,
                                const weft__array* array);

#endif
