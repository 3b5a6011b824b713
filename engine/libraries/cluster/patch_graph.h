/* Patches of a schedule, and the particles that several of them touch.
 *
 * A *share* is a set of patches and the number of particles that these, and no others, touch: a net
 * of a hypergraph whose cut is the traffic between ranks (Catalyurek and Aykanat 1999,
 * "Hypergraph-partitioning-based decomposition for parallel sparse-matrix vector multiplication");
 * edges between pairs would count a particle at the corner of three patches twice.
 *
 *     patch 0 | patch 1      shares {0 1}, {2 3}, {0 2}, {1 3}: along a border
 *    ---------+---------            {0 1 2 3}: corner
 *     patch 2 | patch 3 */
#ifndef WEFT_LIBRARIES_CLUSTER_PATCH_GRAPH_H
#define WEFT_LIBRARIES_CLUSTER_PATCH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schedule/order.h"
#include "tables/schedule.h"

typedef struct weft__patch_graph {
  uint32_t patch_count;
  uint32_t share_count;
  uint64_t* cost;            /* in one phase, lane groups [patch_count] */
  uint32_t* particles;       /* own ones [patch_count] */
  uint32_t* share_first;     /* into share_patches [share_count + 1] */
  uint32_t* share_patches;   /* two or more per share, the particles' own one first */
  uint32_t* share_particles; /* [share_count] */
  size_t capacity[3];        /* share arrays' */
} weft__patch_graph;

bool weft__patch_graph_of_schedule(weft__patch_graph* graph, const weft__schedule* schedule);

void weft__patch_graph_destroy(weft__patch_graph* graph);

/* Row by row. */
typedef struct weft__tiling {
  uint32_t columns, rows; /* particles */
  weft__tile_size size;
  uint32_t across, down; /* tiles */
} weft__tiling;

weft__tiling weft__tiling_of(uint32_t columns, uint32_t rows);

#endif
