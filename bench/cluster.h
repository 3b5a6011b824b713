/* Predicted time of a step on many ranks, by a replay of all their patches: rank_replay.h. */
#ifndef BENCH_CLUSTER_H
#define BENCH_CLUSTER_H

#include <stdio.h>

#include "common/options.h"
#include "machine.h"
#include "rank_replay.h"
#include "rows.h"

enum { BENCH_CLUSTER_WORD = 32, BENCH_MAX_NETWORKS = 8 };

typedef enum bench_partition { BENCH_PARTITION_RANGES, BENCH_PARTITION_BLOCKS } bench_partition;

/* "ranges", "blocks" */
extern const char* const bench_partition_names[2];

typedef struct bench_cluster_row {
  char network[BENCH_CLUSTER_WORD];
  char partition[BENCH_CLUSTER_WORD];
  char order[BENCH_CLUSTER_WORD];
  uint32_t size; /* of the sheet, particles along each side */
  uint64_t particles;
  uint32_t ranks, workers; /* workers of each rank */
  uint32_t coarse_iterations;
  double step_ms;
  double speed_up, efficiency; /* over one rank with as many workers */
  double imbalance;            /* particles of the largest rank over the mean */
  uint64_t bytes, messages;    /* of a step, all ranks */
  uint64_t patch_messages;     /* before those of one neighbour are sent as one */
  double message_share;        /* of the time of all first workers, spent on messages */
} bench_cluster_row;

extern const bench_row_type bench_cluster_type;

typedef struct bench_cluster_request {
  tool_count_list particles, ranks;
  uint32_t workers, iterations, recorded_size;
  uint32_t coarse_iterations; /* sweeps of each coarse level; 0 = there are none */
  bench_partition partition;
  bench_rank_order order;
  bench_rank_costs costs;
  bench_network networks[BENCH_MAX_NETWORKS];
  uint32_t network_count;
} bench_cluster_request;

/* Measures the costs of one worker on a sheet of links; memory is unbounded. Also false, but
 * without a message, when interrupted. */
bool bench_measure_rank_costs(const bench_cluster_request* request, bench_rank_costs* costs,
                              tool_message* why);

/* Measures the memory that so many workers would have: machine_costs.h. */
bool bench_measure_rank_memory(const bench_machine* machine, uint32_t workers, bool quiet,
                               double* gb_per_s, tool_message* why);

/* Predicts [networks][particles][ranks] rows; prints each scene's once it is done. Also false, but
 * without a message, when interrupted. */
bool bench_cluster_predict(const bench_cluster_request* request, FILE* out, bench_rows* rows,
                           tool_message* why);

void bench_cluster_print_costs(FILE* out, const bench_cluster_request* request);
void bench_cluster_print(FILE* out, const bench_cluster_row* rows, size_t count);

#endif
