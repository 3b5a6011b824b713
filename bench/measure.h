/* Steps all rungs of a ladder by turns and times every step. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder.h"

typedef struct bench_schedule {
  uint32_t warmup;  /* steps of each rung before the first repeat, not timed */
  uint32_t steps;   /* steps of each rung in a repeat; 0 = bench_default_steps() */
  uint32_t repeats; /* turns of each rung */
} bench_schedule;

/* As many steps as the slowest rung takes in about half a second, but 3 to 100: the first step of a
 * turn finds the caches full of another rung, and must not be the only one. */
uint32_t bench_default_steps(uint32_t link_count, uint32_t iterations);

/* Fills the rungs' samples (milliseconds a step) and round trips. False when interrupted. */
bool bench_measure(const bench_schedule* schedule, const bench_scene* scene, bool quiet,
                   bench_ladder* ladder);

#endif
