/* Costs of a replay, as far as this machine tells them, and as they are assumed for larger ones.
 *
 *   handoff      half of the round trip between two cores
 *   slowdown     of as many workers as this machine has CPUs: threads that solve a sheet in L1
 * beside each other and alone, by turns and in time on a core, without that of other processes: SMT
 * siblings, lower clocks. Of more: none, each worker has a core of its own. memory       read or
 * triad, the faster, of as many threads as the machine has CPUs; of more workers in proportion, up
 * to a socket of twelve channels DDR5-4800
 *
 * Private caches grow with the cores: their part of the work is in the recorded costs. */
#ifndef BENCH_MACHINE_COSTS_H
#define BENCH_MACHINE_COSTS_H

#include "machine.h"
#include "replay.h"

enum { BENCH_MAX_SLOWDOWNS = 64 };

typedef struct bench_machine_costs {
  double round_trip_ns;
  uint32_t cpus;
  double slowdown[BENCH_MAX_SLOWDOWNS + 1]; /* by threads; NaN = not measured */
  double all_gb_per_s;                      /* memory, of all CPUs */
  double given_gb_per_s;                    /* of larger machines; 0 = in proportion */
  uint64_t l3_bytes;                        /* sum over all L3 caches */
} bench_machine_costs;

/* Bandwidth of a socket with twelve channels DDR5-4800, above which none is assumed. */
#define BENCH_SOCKET_GB_PER_S 460.0

/* Measures memory and round trip; slowdowns are measured apart. Also false, but without a message,
 * when interrupted. */
bool bench_measure_costs(const bench_machine* machine, bool quiet, bench_machine_costs* costs,
                         tool_message* why);

/* Measures the slowdown of some number of threads, if it is at most the number of CPUs. */
bool bench_measure_slowdown(bench_machine_costs* costs, uint32_t threads, tool_message* why);

/* Gigabytes a second of some number of workers together. */
double bench_memory_of(const bench_machine_costs* costs, uint32_t workers);

/* Costs for the replay on some number of workers, but for the bytes of the stages. */
bench_replay_costs bench_costs_for(const bench_machine_costs* costs, uint32_t workers);

/* Traffic between memory and L3 of each stage in a step, [WEFT_STAGE_COUNT]; 0 where data that is
 * used again stays in L3. */
void bench_memory_traffic(const bench_machine_costs* costs, const weft_world* world,
                          double bytes[WEFT_STAGE_COUNT]);

#endif
