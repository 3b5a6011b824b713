/* Ranks of a cluster in one process: a thread each, and messages in memory. */
#ifndef TESTS_SUPPORT_RANKS_H
#define TESTS_SUPPORT_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

enum { MAX_TEST_RANKS = 8 };

/* Runs on the thread of a rank. */
typedef void rank_main(void* context, const weft_transport* transport);

/* Runs a function as each of `count` ranks, and waits for all. `shuffles`: messages arrive out of
 * order, and late. */
void run_ranks(uint32_t count, bool shuffles, rank_main* run, void* context);

/* Ranks of a run of a case, each with as many workers. */
typedef struct rank_run {
  uint32_t ranks, workers;
  weft_isa isa;
  bool shuffles; /* messages */
  bool moves;    /* patches, before each step */
} rank_run;

/* Next run of case `c` of a table after `run`, NULL to begin with; NULL at the end. The first run
 * is of every case, the eight others go round the cases, `others` for each: a failure of some
 * number of ranks shows in any case with messages of its kind. Sanitizers see only the first
 * run. */
const rank_run* next_rank_run(const rank_run* run, uint32_t c, uint32_t others);

/* Takes steps, and before each gives ranks random shares of the costs, some next to nothing.
 * Collective. */
WEFT_RESULT step_and_move(weft_cluster* cluster, uint32_t count);

#endif
