/* Ranges and lists of particles, and the caller's arrays over them: see Ranges in change.h. */
#ifndef WEFT_WORLD_RANGES_H
#define WEFT_WORLD_RANGES_H

#include "parallel/worker_pool.h"
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

/* Particles of a call, in the caller's order: a range, or a list of numbers. */
typedef struct weft__selection {
  const uint32_t* solver_of; /* covers all particles of the world */
  const uint32_t* list;      /* numbers [count]; NULL = [first, first + count) */
  uint32_t first, count;
} weft__selection;

/* Particle n of a selection in solver order. */
static inline uint32_t weft__selected(const weft__selection* selection, uint32_t n) {
  const uint32_t* list = selection->list;
  return selection->solver_of[list != NULL ? list[n] : selection->first + n];
}

/* Calls task(context, items, worker) for the particles of a selection: on the caller, and on the
 * workers of `pool`, which may be NULL, if they are many. Between steps only. */
void weft__for_selection(weft__worker_pool* pool, const weft__selection* selection,
                         weft__range_task* task, void* context);

/* True for 0, and for a multiple of the size of a float that is at least an element. */
bool weft__is_stride(size_t stride, size_t floats);

/* Checks for [first, first + count) within [0, total). */
weft_result weft__check_elements(uint32_t first, uint32_t count, uint32_t total);

/* Check the world, the array that a call fills, and the range that it reads. */
weft_result weft__check_particles_read(const weft_world* world, uint32_t first, uint32_t count,
                                       const void* array, const char* field);
weft_result weft__check_links_read(const weft_world* world, uint32_t first, uint32_t count,
                                   const void* array, const char* field);

/* Floats of an element of each attribute. */
extern const uint8_t weft__attribute_floats[WEFT_ATTRIBUTE_COUNT];

/* Checks the world, the def, its particles and its arrays; sets the selection. */
weft_result weft__check_bulk(const weft_world* world, const weft_bulk_def* def,
                             weft__selection* at);

/* Checks the world, the range, and the array's pointer and stride. */
weft_result weft__check_array(const weft_world* world, uint32_t first, uint32_t count,
                              const weft__array* array);

/* Checks the same, for a range within [0, total). */
weft_result weft__check_array_of(const weft_world* world, uint32_t first, uint32_t count,
                                 uint32_t total, const weft__array* array);

/* Checks that all floats are finite and within WEFT_MAX_MAGNITUDE. */
weft_result weft__check_array_magnitude(const weft__array* array, uint32_t count);

/* Checks the magnitudes of vectors, [count][3], and that z = 0 in a world of a plane. */
weft_result weft__check_vectors(const weft_world* world, const weft__array* array, uint32_t count);

#endif
