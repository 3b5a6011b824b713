/* Links of an irregular patch as fans.
 *
 * Every link of the patch is given to one of its ends, its centre. Up to 32 particles that are not
 * linked to each other are centres together, a lane each, and slot by slot one link of every centre is
 * solved: the centres stay at hand, and only the other ends are fetched and stored.
 *
 *             slot 0   slot 1   slot 2
 *   lane 0    7-31     7-40     7-52       other ends: any particles, different ones in a slot, and
 *   lane 1    8-29     8-31     8-77       none of the centres 7 8 12 ..
 *   lane 2    12-40    12-9     .
 *
 * Lanes are full when all centres have as many links, so links are given to ends evenly: a graph of
 * average degree 2 k can nearly always be oriented with k links out of each particle; what cannot be
 * evened out is kept together, the busiest centres in the first fans. Slots are full when no more are
 * needed than a centre has links, and a bipartite graph of centres and other ends can always be
 * coloured so (Koenig 1916; the alternating paths of the usual proof are the method here). */
#ifndef WEFT_SCHEDULE_FAN_H
#define WEFT_SCHEDULE_FAN_H

#include <stdbool.h>

#include "schedule/emit.h"
#include "schedule/order.h"

typedef struct weft__fans weft__fans;

/* Scratch for patches of up to most_links links. NULL when memory cannot be had. */
weft__fans* weft__fans_create(const weft__order* order, const weft__links* links,
                              uint32_t most_links);
void weft__fans_destroy(weft__fans* fans);

typedef enum weft__fans_result {
  WEFT__FANS_MADE,
  WEFT__FANS_TOO_LARGE, /* the patch touches more than WEFT__MAX_LOCALS particles; nothing emitted
                         */
  WEFT__FANS_NO_MEMORY,
} weft__fans_result;

/* Emits all links of a patch, numbers [count], and its segments. */
weft__fans_result weft__fans_emit(weft__fans* fans, weft__emitter* emitter, uint32_t patch,
                                  const uint32_t* link_numbers, uint32_t count);

#endif
