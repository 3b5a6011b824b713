/* Edge colouring of a small bipartite graph: lanes of a fan on one side, the particles they are
 * linked to on the other. Adjacent edges get different slots, with as few slots as the maximum
 * degree (Koenig 1916). */
#ifndef WEFT_SCHEDULE_FAN_SLOTS_H
#define WEFT_SCHEDULE_FAN_SLOTS_H

#include <stdint.h>

#include "tables/schedule.h"

/* Maximum number of edges at one lane. */
#define WEFT__MAX_SLOTS 64u
#define WEFT__MAX_EDGES (WEFT__FAN_LANES * WEFT__MAX_SLOTS)

/* Scratch; contents are undefined between calls. */
typedef struct weft__slots {
  uint64_t lane_used[WEFT__FAN_LANES]; /* one bit for each used slot */
  uint64_t other_used[WEFT__MAX_EDGES];
  uint16_t lane_edge[WEFT__FAN_LANES][WEFT__MAX_SLOTS]; /* edge in a slot */
  uint16_t other_edge[WEFT__MAX_EDGES][WEFT__MAX_SLOTS];
} weft__slots;

/* Edge between a lane and one of its other ends, which are numbered from 0 without gaps. */
typedef struct weft__edge {
  uint16_t lane;
  uint16_t other;
  uint16_t slot; /* result */
} weft__edge;

/* Colours the edges: fills edges[..].slot and returns the number of slots. Edges are unique, at
 * most WEFT__MAX_SLOTS at a lane. */
uint32_t weft__assign_slots(weft__slots* slots, weft__edge* edges, uint32_t edge_count,
                            uint32_t other_count);

#endif
