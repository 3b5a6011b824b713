/* Fans: batches for the links of an irregular patch.
 *
 * Each link has one of its ends as its centre. Up to 32 particles not linked to each other form a
 * fan, one lane each, and a slot solves one link of every centre: centres stay in registers or
 * cache, only other ends are loaded and stored.
 *
 *             slot 0   slot 1   slot 2
 *   lane 0    7-31     7-40     7-52       other ends: any particles, distinct within a slot, and
 *   lane 1    8-29     8-31     8-77       none of the centres 7 8 12 ..
 *   lane 2    12-40    12-9     .
 *
 * Lanes are full if all centres have equally many links: a graph of average degree 2 k can nearly
 * always be oriented with out-degree k; the rest is kept together by putting the busiest centres
 * into the first fans. The bipartite graph of centres and other ends always has an edge colouring
 * with no more slots than a centre has links (Koenig 1916; computed by the alternating paths of the
 * usual proof). */
#ifndef WEFT_SCHEDULE_FAN_H
#define WEFT_SCHEDULE_FAN_H

#include <stdbool.h>

#include "schedule/emit.h"
#include "schedule/order.h"

typedef struct weft__fans weft__fans;

/* Scratch for patches of up to most_links links. */
weft__fans* weft__fans_create(const weft__order* order, const weft__links* links,
                              uint32_t most_links);
void weft__fans_destroy(weft__fans* fans);

typedef enum weft__fans_result {
  WEFT__FANS_MADE,
  WEFT__FANS_TOO_LARGE, /* more than WEFT__MAX_LOCALS particles; nothing was emitted */
  WEFT__FANS_NO_MEMORY,
} weft__fans_result;

/* All links of a patch, and its segments. link_numbers: [count] */
weft__fans_result weft__fans_emit(weft__fans* fans, weft__emitter* emitter, uint32_t patch,
                                  const uint32_t* link_numbers, uint32_t count);

#endif
