/* First fit: edges, one after the other, get the lowest colour that no edge before has at any of their particles.
 *
 * Colours are bits of words. A particle keeps the word that holds its first free colour; the few colours past it,
 * which come from edges to particles with more edges, stand in a list of further words:
 *
 *     hub      full full full [ 0..0111 ]                  word 3
 *     a leaf   [ 0..0001 ]  ->  word 3: 0..0100            word 0, and one in its list
 *
 * so that an edge costs the same however many its particles have; rounds of 64 colours over all edges that are
 * left would take the square of a hub's edges. */
#ifndef WEFT_SCHEDULE_FIRST_FIT_H
#define WEFT_SCHEDULE_FIRST_FIT_H

#include <stdint.h>

#include "base/arena.h"

/* Colours that a particle has in one word. */
typedef struct weft__color_word {
  uint64_t colors;
  uint32_t word;
  uint32_t next; /* of the same particle; UINT32_MAX = none */
} weft__color_word;

typedef struct weft__first_fit {
  uint32_t particle_count;
  uint64_t* colors;          /* of its free word [particle_count] */
  uint32_t* free_word;       /* the first one in which it lacks a colour [particle_count] */
  uint32_t* first_further;   /* in `further`; UINT32_MAX = none [particle_count] */
  weft__color_word* further; /* [most ends of edges] */
  uint32_t further_count;
} weft__first_fit;

/* Takes the arrays from the arena, for edges with at most `most_ends` ends in all. */
void weft__first_fit_place(weft__first_fit* fit, weft__arena* arena, uint32_t particle_count,
                           size_t most_ends);

/* Begins with no colours anywhere. */
void weft__first_fit_start(weft__first_fit* fit);

/* The colour of the next edge, of `count` different particles. */
uint32_t weft__first_fit_color(weft__first_fit* fit, const uint32_t* particles, uint32_t count);

/* Takes all colours from the particles of edges; once it has been called for all of them, the next edges begin
 * anew. */
void weft__first_fit_forget(weft__first_fit* fit, const uint32_t* particles, uint32_t count);

#endif
