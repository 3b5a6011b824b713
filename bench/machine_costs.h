/* Costs of this machine that tools/predict replays steps with:
 *
 *   round_trip_ns   of a cache line between two cores; null on one core
 *   cpus, gb_per_s  memory, read or triad, the faster, of as many threads as there are CPUs
 *   l3_bytes        sum over all L3 caches
 *   slowdown        by threads: those that solve a sheet in L1 beside each other and alone, by
 *                   turns and in time on a core, without other processes: SMT siblings,
 *                   lower clocks */
#ifndef BENCH_MACHINE_COSTS_H
#define BENCH_MACHINE_COSTS_H

#include <jansson.h>

#include "common/options.h"
#include "machine.h"

/* Slowdowns of the threads listed, of powers of two and of all CPUs, 64 threads at most. NULL on
 * failure, and without a message when interrupted. */
json_t* bench_costs_json(const bench_machine* machine, const tool_count_list* threads, bool quiet,
                         tool_message* why);

#endif
