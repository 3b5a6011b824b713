/* Steps of one worker as JSON, which tools/predict replays on other machines:
 *
 *     particles, iterations, substeps    of the world
 *     traffic    bytes that a stage moves in a step with one sweep, by stage: profile.h
 *     levels     patches by level as in weft_span, null of levels that no job has: `colors`, and
 *                `neighbors` of patch p from first_neighbor[p] on
 *     steps      stages and jobs in their order, in nanoseconds since the step's begin; `parts` of
 *                a job are triples: first item, items, nanoseconds of a loop's pieces; patch,
 *                phase, nanoseconds of a wavefront
 *
 *     {"kind": "stage", "stage": "links", "begin_ns": 0, "end_ns": 950}
 *     {"kind": "loop", .., "name": "restrict", "count": 512, "grain": 64, "parts": []}
 *     {"kind": "wavefront", .., "name": "sweep", "phases": 11, "level": 0, "parts": []} */
#ifndef BENCH_RECORDING_H
#define BENCH_RECORDING_H

#include "scaling.h"

/* Costs of this machine, with which tools/predict replays steps:
 *
 *   round_trip_ns   of a cache line between two cores; null on one core
 *   cpus, gb_per_s  memory, read or triad, the faster, of as many threads as there are CPUs
 *   l3_bytes        sum over all L3 caches
 *   slowdown        by threads: several that solve a sheet in L1 beside each other and one, by
 *                   turns and in time on a core: SMT siblings, lower clocks */
/* Slowdowns of the threads listed, of powers of two and of all CPUs, 64 threads at most. NULL on
 * failure, without a message when interrupted. */
json_t* bench_costs_json(const bench_machine* machine, const tool_count_list* threads, bool quiet,
                         tool_message* why);

enum { BENCH_RECORDED_STEPS = 20 };

/* Steps the scene with one worker. NULL on failure, without a message when interrupted. */
json_t* bench_record_steps(const bench_scaling_request* request, tool_message* why);

json_t* bench_integers_json(const uint32_t* values, size_t count);

#endif
