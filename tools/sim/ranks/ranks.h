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

/* A file of the first rank that all ranks write to, each its own triples of floats. */
typedef struct sim_ranks_file sim_ranks_file;

/* Opens the file of the first rank on all; `path` counts there alone. `numbers`: own triples,
 * ascending. Collective, as the following are. */
bool sim_ranks_open_file(const char* path, const uint32_t* numbers, uint32_t count,
                         sim_ranks_file** file, tool_message* why);

/* Gives each rank other triples of the file. */
bool sim_ranks_share_file(sim_ranks_file* file, const uint32_t* numbers, uint32_t count,
                          tool_message* why);

/* Writes triples to their places behind `offset` bytes, which count on the first rank alone. */
bool sim_ranks_write(sim_ranks_file* file, uint64_t offset, const float* triples,
                     tool_message* why);

/* Closes the file, and sets the pointer to NULL; NULL is allowed. */
void sim_ranks_close_file(sim_ranks_file** file);

#endif
