/* Checks of ranges of particles and links, and of the caller's arrays. */
#ifndef WEFT_WORLD_RANGES_H
#define WEFT_WORLD_RANGES_H

#include "base/selection.h"
#include "weft/weft.h"

/* True for 0, and for a multiple of the size of a float that is at least an element. */
bool weft__is_stride(size_t stride, size_t floats);

/* Check the world, the array that a call fills, and the range that it reads. */
weft_result weft__check_particles_read(const weft_world* world, uint32_t first, uint32_t count,
                                       const void* array, const char* field);
weft_result weft__check_links_read(const weft_world* world, uint32_t first, uint32_t count,
                                   const void* array, const char* field);

/* Checks that all floats of elements that count are finite and within WEFT_MAX_MAGNITUDE. */
weft_result weft__check_array_magnitude(const weft__array* array, uint32_t count);

/* Checks the magnitudes of vectors, [count][3], and that z = 0 in a world of a plane. */
weft_result weft__check_vectors(const weft_world* world, const weft__array* array, uint32_t count);

#endif
