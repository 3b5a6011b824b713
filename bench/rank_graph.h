/* Patches of all ranks: neighbours, colours, owners, and the messages between ranks. */
#ifndef BENCH_RANK_GRAPH_H
#define BENCH_RANK_GRAPH_H

#include "cluster/partition.h"

#define BENCH_NO_MESSAGE UINT32_MAX

/* A neighbour, as a patch sees it: directly, or by a message if it is another rank's. */
typedef struct bench_rank_edge {
  uint32_t patch;
  uint32_t message; /* the neighbour's to the rank of this patch, or BENCH_NO_MESSAGE */
} bench_rank_edge;

typedef struct bench_rank_graph {
  uint32_t patch_count, rank_count;
  uint32_t* owner;               /* [patch_count] */
  uint32_t* color;               /* [patch_count] */
  const uint32_t* particles;     /* of the patch graph [patch_count] */
  uint32_t* first_edge;          /* [patch_count + 1] */
  bench_rank_edge* edges;        /* by neighbour, ascending */
  uint32_t* first_message;       /* of those that a patch sends [patch_count + 1] */
  weft__patch_message* messages; /* [message_count] */
  uint32_t message_count;
  uint32_t* position;  /* of a patch among those of its rank, ascending [patch_count] */
  uint32_t* own_count; /* patches of each rank [rank_count] */
} bench_rank_graph;

/* Colours are first fit in patch order, as the engine's are. The patch graph must outlive this.
 * Takes the owner of each patch, below rank_count. False if memory cannot be had. */
bool bench_rank_graph_create(bench_rank_graph* made, const weft__patch_graph* graph,
                             const uint32_t* owner, uint32_t rank_count);
void bench_rank_graph_free(bench_rank_graph* graph);

#endif
