/* First-fit colouring: each edge gets the lowest colour that no earlier edge at its particles has.
 *
 * A particle keeps the word of bits with its first free colour; the few colours beyond it, of edges
 * to particles of higher degree, are in a list of overflow words:
 *
 *     hub      full full full [ 0..0111 ]                  word 3
 *     a leaf   [ 0..0001 ]  ->  word 3: 0..0100            word 0, and one in its list
 *
 * The cost of an edge does not depend on degrees. Rejected: rounds of 64 colours over all remaining
 * edges, which cost the square of a hub's degree. */
#ifndef WEFT_SCHEDULE_FIRST_FIT_COLORING_H
#define WEFT_SCHEDULE_FIRST_FIT_COLORING_H

#include <stdint.h>

#include "base/arena.h"

typedef struct weft__color_word {
  uint64_t colors;
  uint32_t word;
  uint32_t next; /* same particle; UINT32_MAX: none */
} weft__color_word;

typedef struct weft__first_fit {
  uint32_t particle_count;
  uint64_t* colors;           /* in its free word [particle_count] */
  uint32_t* free_word;        /* first with a free colour [particle_count] */
  uint32_t* first_overflow;   /* in `overflow`; UINT32_MAX: none [particle_count] */
  weft__color_word* overflow; /* [most_ends] */
  uint32_t overflow_count;
} weft__first_fit;

/* most_ends: of all edges */
void weft__first_fit_lay_out(weft__first_fit* fit, weft__arena* arena, uint32_t particle_count,
                             size_t most_ends);

void weft__first_fit_clear(weft__first_fit* fit);

uint32_t weft__first_fit_color(weft__first_fit* fit, const uint32_t* particles, uint32_t count);

/* Once all edges are cleared, a new colouring can start. */
void weft__first_fit_clear_particles(weft__first_fit* fit, const uint32_t* particles,
                                     uint32_t count);

#endif
