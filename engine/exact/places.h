/* Where the particles of blocks are, quarter by quarter, so that a block is read in a row. What two quarters share
 * stands here twice. */
#ifndef WEFT_EXACT_PLACES_H
#define WEFT_EXACT_PLACES_H

#include "base/arena.h"
#include "exact/blocks.h"
#include "exact/boxes.h"

/* Columns along the members of all blocks: see weft__exact_blocks. */
typedef struct weft__exact_places {
  float* start[3]; /* metres: when the substep began */
  float* now[3];   /* metres: when they were last looked at */
} weft__exact_places;

void weft__exact_places_take(weft__exact_places* places, size_t members, weft__arena* arena);

/* Where particles were when they were last looked at the next substep begins. */
void weft__exact_places_begin(weft__exact_places* places);

/* Where they have been moved since then: takes over where they begin, from columns by particles. */
void weft__exact_places_set(const weft__exact_places* places, const uint32_t* member,
                            weft__range members, float* const* at);

/* The longest ways of a block's particles, metres. */
typedef struct weft__block_ways {
  float way;   /* in all */
  float aside; /* from where they would be, had all gone as far as the first one */
} weft__block_ways;

/* Takes over where the particles of a block are; returns their ways since the substep began, or else since they were
 * last looked at in it. */
weft__block_ways weft__exact_places_look(const weft__exact_places* places, const uint32_t* member,
                                         weft__range members, const weft__particles* particles,
                                         bool since_begin);

/* The longest way of a block's particles from the start of the substep, metres. */
float weft__exact_places_way(const weft__exact_places* places, weft__range members);

/* The box around their ways. */
weft__moving_box weft__exact_places_box(const weft__exact_places* places, weft__range members);

/* Whether a plane can be laid between two blocks. Then how much more than `gap` is left between them, in metres:
 * all the way since the substep began, and where they are now. */
bool weft__exact_places_part(const weft__exact_places* places, weft__range a, weft__range b,
                             const float direction[3], float gap, float* room);

#endif
