/* Ranks of `weft-sim run` under mpirun: processes that compute one run together. All of them do the
 * same, but the first alone writes files and speaks. Without mpirun, and in a build without MPI,
 * there is one. */
#ifndef TOOLS_SIM_RANKS_H
#define TOOLS_SIM_RANKS_H

#include "common/message.h"
#include "weft/cluster.h"

/* Joins the other ranks. Ranks but the first print nothing then, and nothing but engine errors
 * after sim_ranks_hear(). */
void sim_ranks_join(int* argc, char*** argv);

/* Ends the silence of standard error, once the command line is read. */
void sim_ranks_hear(void);

/* Leaves, once all ranks do. */
void sim_ranks_leave(void);

/* Messages between ranks; NULL where there is one. */
const weft_transport* sim_ranks_transport(void);

/* True on the rank that writes and speaks. */
bool sim_ranks_is_first(void);

/* True if `ok` on all ranks. Elsewhere `why`, if it is not NULL, is the message of the first rank
 * that fails, on all of them. Collective. */
bool sim_ranks_agree(bool ok, tool_message* why);

#endif
