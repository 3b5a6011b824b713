/* weft-bench-mpi under mpirun: weft-bench itself links no MPI. */
#ifndef BENCH_MPIRUN_H
#define BENCH_MPIRUN_H

#include <jansson.h>
#include <stdint.h>

#include "common/message.h"

/* Runs `launcher -n ranks weft-bench-mpi arguments`, the program beside this one, and reads the
 * line of JSON that it prints. The launcher is a command with its options, "mpirun" in its place if
 * NULL. The caller frees the answer. */
bool bench_mpirun(const char* launcher, uint32_t ranks, const char* arguments, json_t** answer,
                  tool_message* why);

#endif
