/* Ranks of a cluster in one process: a thread each, and messages in memory. */
#ifndef TESTS_SUPPORT_RANKS_H
#define TESTS_SUPPORT_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

enum { MAX_TEST_RANKS = 8 };

/* Runs on the thread of a rank. */
typedef void rank_main(void* context, const weft_transport* transport);

/* Runs a function as each of `count` ranks, and waits for all. `shuffles`: messages arrive in
 * another order than they were sent, and late. */
void run_ranks(uint32_t count, bool shuffles, rank_main* run, void* context);

/* Takes steps, and before each gives ranks random shares of the costs, some of them next to
 * nothing. Collective. */
WEFT_RESULT step_and_move(weft_cluster* cluster, uint32_t count);

#endif
