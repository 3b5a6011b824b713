/* Edge colouring of a small bipartite graph: the lanes of a fan on one side, what they are linked
 * to on the other. Edges that meet get different slots, in as few slots as the busiest particle has
 * edges (Koenig 1916). */
#ifndef WEFT_SCHEDULE_EDGE_COLORING_H
#define WEFT_SCHEDULE_EDGE_COLORING_H

#include <stdint.h>

#include "tables/schedule.h"

/* The most edges that one lane may have. */
#define WEFT__MAX_SLOTS 64u
#define WEFT__MAX_EDGES (WEFT__FAN_LANES * WEFT__MAX_SLOTS)

/* Room to work in; its contents mean nothing between calls. */
typedef struct weft__slots {
  uint64_t lane_used[WEFT__FAN_LANES]; /* a bit for each slot taken */
  uint64_t other_used[WEFT__MAX_EDGES];
  uint16_t lane_edge[WEFT__FAN_LANES][WEFT__MAX_SLOTS]; /* the edge in a slot */
  uint16_t other_edge[WEFT__MAX_EDGES][WEFT__MAX_SLOTS];
} weft__slots;

/* A lane and one of its other ends, numbered from 0 without gaps. */
typedef struct weft__edge {
  uint16_t lane;
  uint16_t other;
  uint16_t slot; /* the result */
} weft__edge;

/* Fills edges[..].slot, and returns how many slots there are. No edge may be there twice, and no
 * lane may have more than WEFT__MAX_SLOTS of them. */
uint32_t weft__assign_slots(weft__slots* slots, weft__edge* edges, uint32_t edge_count,
                            uint32_t other_count);

#endif
