/* Step times of one scene by number of ranks, under mpirun. */
#ifndef BENCH_SCALING_RANKS_H
#define BENCH_SCALING_RANKS_H

#include "scaling.h"

enum { BENCH_RANK_ROUNDS = 3 };

/* A number of ranks: the run with the shortest median of some rounds, in which rows take turns. */
typedef struct bench_ranks_row {
  char scene[BENCH_WORD];
  char isa[BENCH_WORD];
  uint32_t size, particles;
  uint32_t ranks, threads; /* threads of each rank */
  uint32_t steps;
  double step_ms_min, step_ms_median, step_ms_mean;
  double waited_ms; /* a step's, the rank that waits longest for messages */
  double peak_mib;  /* most resident memory of a rank */
  double imbalance; /* largest cost of a rank over the mean; NaN of a sheet by its rows */
  double speed_up, efficiency; /* over the first row, by particles a second */
  double messages, bytes;      /* a step's, all ranks */
  double model_bytes;          /* with as many messages: weft__partition_messages() */
  uint64_t state_hash;
} bench_ranks_row;

extern const bench_row_type bench_ranks_type;

/* Appends a row for each number of ranks, and prints them; appends the graphs of their patches
 * unless `graphs` is NULL. Fails where hashes of one scene differ. Also false, but without a
 * message, when interrupted. */
bool bench_scaling_measure_ranks(const bench_scaling_request* request, const tool_count_list* ranks,
                                 uint32_t threads, const char* launcher, FILE* out,
                                 bench_rows* rows, json_t* graphs, tool_message* why);

/* Runs `launcher -n ranks weft-bench-mpi arguments`, the program beside this one, and reads the
 * line of JSON that it prints. The launcher is a command with its options, "mpirun" in its place if
 * NULL. The caller frees the answer. */
bool bench_mpirun(const char* launcher, uint32_t ranks, const char* arguments, json_t** answer,
                  tool_message* why);

#endif
