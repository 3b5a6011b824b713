/* Edge colouring of a small bipartite graph in as many slots as its maximum degree: fan.h. */
#ifndef WEFT_SCHEDULE_FAN_SLOTS_H
#define WEFT_SCHEDULE_FAN_SLOTS_H

#include <stdint.h>

#include "tables/schedule.h"

#define WEFT__MAX_SLOTS 64u
#define WEFT__MAX_EDGES (WEFT__FAN_LANES * WEFT__MAX_SLOTS)

/* Scratch, undefined between calls. */
typedef struct weft__slots {
  uint64_t lane_used[WEFT__FAN_LANES]; /* used slots, a bit each */
  uint64_t other_used[WEFT__MAX_EDGES];
  uint16_t lane_edge[WEFT__FAN_LANES][WEFT__MAX_SLOTS];
  uint16_t other_edge[WEFT__MAX_EDGES][WEFT__MAX_SLOTS];
} weft__slots;

/* Other ends are numbered from 0 without gaps. */
typedef struct weft__edge {
  uint16_t lane;
  uint16_t other;
  uint16_t slot; /* result */
} weft__edge;

/* Returns the number of slots. Edges are unique, at most WEFT__MAX_SLOTS at a lane. */
uint32_t weft__assign_slots(weft__slots* slots, weft__edge* edges, uint32_t edge_count,
                            uint32_t other_count);

#endif
