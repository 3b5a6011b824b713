/* Partition of patches among ranks, and its messages: after each phase a patch sends the particles
 * that it touches to every other rank with a patch that touches them. Bits do not depend on
 * owners. */
#ifndef WEFT_LIBRARIES_CLUSTER_PARTITION_H
#define WEFT_LIBRARIES_CLUSTER_PARTITION_H

#include "libraries/cluster/patch_graph.h"

/* Contiguous ranges of equal cost: strips of a sheet. owner: [patch_count] */
void weft__partition_ranges(const weft__patch_graph* graph, uint32_t rank_count, uint32_t* owner);

/* Shares are relative to each other. */
typedef struct weft__cost_shares {
  const uint64_t* cost; /* [patch_count] */
  uint32_t patch_count;
  const float* share; /* > 0 [rank_count] */
  uint32_t rank_count;
} weft__cost_shares;

/* Contiguous ranges with the least bottleneck, a rank's cost by its share. first: patches, and the
 * end [rank_count + 1] */
void weft__partition_costs(const weft__cost_shares* of, uint32_t* first);

/* Bottleneck over the mean, >= 1. 1 without costs. */
double weft__partition_imbalance(const weft__cost_shares* of, const uint32_t* first);

/* To one rank after a phase: in phase 0, integration, own particles. */
typedef struct weft__patch_message {
  uint32_t patch;
  uint32_t rank; /* receiver */
  uint32_t particles;
  uint32_t own_particles;
} weft__patch_message;

/* Messages of a sweep by patch, then by rank; freed by the caller. */
bool weft__partition_messages(const weft__patch_graph* graph, const uint32_t* owner,
                              weft__patch_message** messages, size_t* count);

/* Multilevel graph partitioner (Karypis and Kumar 1998, METIS), for meshes: only in the library of
 * many ranks. Every rank gets the same result. */
bool weft__partition_mesh(const weft__patch_graph* graph, uint32_t rank_count, uint32_t* owner);

#endif
