/* Partition of the patches of a schedule among ranks, and the messages that it needs: after each
 * phase a patch sends the particles that it touches to every other rank that has a patch which
 * touches them too. Any owner of each patch is allowed: bits do not depend on it. */
#ifndef WEFT_CLUSTER_PARTITION_H
#define WEFT_CLUSTER_PARTITION_H

#include "cluster/patch_graph.h"

/* Contiguous ranges of patches of equal cost: strips of a sheet. owner: [patch_count] */
void weft__partition_ranges(const weft__patch_graph* graph, uint32_t rank_count, uint32_t* owner);

/* Costs of patches, and the shares of ranks in them, relative to each other. */
typedef struct weft__cost_shares {
  const uint64_t* cost; /* [patch_count] */
  uint32_t patch_count;
  const float* share; /* > 0 [rank_count] */
  uint32_t rank_count;
} weft__cost_shares;

/* Contiguous ranges with the least bottleneck, the cost of a rank by its share. first: first patch
 * of each rank, and the end [rank_count + 1] */
void weft__partition_costs(const weft__cost_shares* of, uint32_t* first);

/* Bottleneck of ranges over the mean, >= 1. 1 without costs. */
double weft__partition_imbalance(const weft__cost_shares* of, const uint32_t* first);

/* Particles that a patch sends to one rank after a phase: in phase 0, integration, own ones. */
typedef struct weft__patch_message {
  uint32_t patch;
  uint32_t rank; /* receiver */
  uint32_t particles;
  uint32_t own_particles;
} weft__patch_message;

/* Lists the messages of a sweep by patch, then by rank: a particle that a patch touches goes to the
 * other ranks that own a patch which touches it. The caller frees the list. False if out of
 * memory. */
bool weft__partition_messages(const weft__patch_graph* graph, const uint32_t* owner,
                              weft__patch_message** messages, size_t* count);

/* Partition by a multilevel graph partitioner (Karypis and Kumar 1998, METIS), for meshes: only in
 * the library of many ranks. Every rank gets the same result. False if out of memory. */
bool weft__partition_mesh(const weft__patch_graph* graph, uint32_t rank_count, uint32_t* owner);

#endif
