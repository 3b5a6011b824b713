/* Fans: batches for the links of an irregular patch.
 *
 * Each link of the patch is assigned to one of its ends, its centre. Up to 32 particles that are
 * not linked to each other form a fan, one lane each, and one link of every centre is solved in
 * each slot: the centres stay in registers or cache, only the other ends are loaded and stored.
 *
 *             slot 0   slot 1   slot 2
 *   lane 0    7-31     7-40     7-52       other ends: any particles, distinct within a slot, and
 *   lane 1    8-29     8-31     8-77       none of the centres 7 8 12 ..
 *   lane 2    12-40    12-9     .
 *
 * Lanes are full if all centres have equally many links, so links are oriented evenly: a graph of
 * average degree 2 k can nearly always be oriented with out-degree k; the rest is kept together by
 * putting the busiest centres into the first fans. Slots are full if there are no more of them than
 * a centre has links, and the bipartite graph of centres and other ends always has such an edge
 * colouring (Koenig 1916; computed by the alternating paths of the usual proof). */
#ifndef WEFT_SCHEDULE_FAN_H
#define WEFT_SCHEDULE_FAN_H

#include <stdbool.h>

#include "schedule/emit.h"
#include "schedule/order.h"

typedef struct weft__fans weft__fans;

/* Scratch for patches of up to most_links links. NULL if out of memory. */
weft__fans* weft__fans_create(const weft__order* order, const weft__links* links,
                              uint32_t most_links);
void weft__fans_destroy(weft__fans* fans);

typedef enum weft__fans_result {
  WEFT__FANS_MADE,
  WEFT__FANS_TOO_LARGE, /* touches more than WEFT__MAX_LOCALS particles; nothing was emitted */
  WEFT__FANS_NO_MEMORY,
} weft__fans_result;

/* Emits all links of a patch, numbers [count], and its segments. */
weft__fans_result weft__fans_emit(weft__fans* fans, weft__emitter* emitter, uint32_t patch,
                                  const uint32_t* link_numbers, uint32_t count);

#endif
