/* Ranks of `weft-sim run` under mpirun: processes that compute one run together, by the same calls;
 * only the first writes files and messages. Without mpirun or MPI there is one. */
#ifndef TOOLS_SIM_RANKS_H
#define TOOLS_SIM_RANKS_H

#include "common/message.h"
#include "weft/cluster.h"

/* Joins the other ranks. Ranks but the first print nothing then, and only engine errors after
 * sim_ranks_hear(). */
void sim_ranks_join(int* argc, char*** argv);

/* Restores standard error, once the command line is read. */
void sim_ranks_hear(void);

/* Collective. */
void sim_ranks_leave(void);

/* Messages between ranks; NULL where there is one. */
const weft_transport* sim_ranks_transport(void);

/* True on the rank that writes files and messages. */
bool sim_ranks_is_first(void);

/* True if `ok` on all ranks. Else `why`, unless NULL, gets the first failing rank's message, on all
 * ranks. Collective. */
bool sim_ranks_agree(bool ok, tool_message* why);

/* A file of the first rank that all ranks write to, each its own triples of floats. */
typedef struct sim_ranks_file sim_ranks_file;

/* Opens the first rank's file on all; only its `path` counts. `numbers`: own triples, ascending.
 * Collective, as the following. */
bool sim_ranks_open_file(const char* path, const uint32_t* numbers, uint32_t count,
                         sim_ranks_file** file, tool_message* why);

/* Gives each rank other triples of the file. */
bool sim_ranks_share_file(sim_ranks_file* file, const uint32_t* numbers, uint32_t count,
                          tool_message* why);

/* Writes triples to their places behind `offset` bytes, the first rank's. */
bool sim_ranks_write(sim_ranks_file* file, uint64_t offset, const float* triples,
                     tool_message* why);

/* Closes the file and sets the pointer to NULL; NULL is allowed. */
void sim_ranks_close_file(sim_ranks_file** file);

#endif
