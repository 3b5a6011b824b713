/* Ranges of particles and links, and the caller's arrays over them: see Ranges in change.h. */
#ifndef WEFT_WORLD_RANGES_H
#define WEFT_WORLD_RANGES_H

#include "step/attribute.h"
#include "weft/weft.h"

/* True for 0, and for a multiple of the size of a float that is at least an element. */
bool weft__is_stride(size_t stride, size_t floats);

/* Checks for [first, first + count) within [0, total). */
weft_result weft__check_elements(uint32_t first, uint32_t count, uint32_t total);

/* Check the world, the array that a call fills, and the range that it reads. */
weft_result weft__check_particles_read(const weft_world* world, uint32_t first, uint32_t count,
                                       const void* array, const char* field);
weft_result weft__check_links_read(const weft_world* world, uint32_t first, uint32_t count,
                                   const void* array, const char* field);

/* Checks the world, the range, and the array's pointer and stride. */
weft_result weft__check_array(const weft_world* world, uint32_t first, uint32_t count,
                              const weft__array* array);

/* Checks the same, for a range within [0, total). */
weft_result weft__check_array_of(const weft_world* world, uint32_t first, uint32_t count,
                                 uint32_t total, const weft__array* array);

/* Checks that all floats of elements that count are finite and within WEFT_MAX_MAGNITUDE. */
weft_result weft__check_array_magnitude(const weft__array* array, uint32_t count);

/* Checks the magnitudes of vectors, [count][3], and that z = 0 in a world of a plane. */
weft_result weft__check_vectors(const weft_world* world, const weft__array* array, uint32_t count);

#endif
