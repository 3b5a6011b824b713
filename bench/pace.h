/* Speed of the engine alone on one scene: the best of all steps, as a limit is not to contain other
 * load of the machine. */
#ifndef BENCH_PACE_H
#define BENCH_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/progress.h"
#include "scenes.h"

typedef struct bench_pace_request {
  weft_isa isa;
  uint32_t threads;
  uint32_t iterations;
  uint32_t steps; /* in one take; bench_pace_steps() */
} bench_pace_request;

typedef struct bench_pace {
  weft_isa isa;                /* never auto */
  double ns_per_link;          /* the best step of the last take, over links times iterations */
  uint32_t threads;            /* at work, fewer than asked for where the scene is small */
  uint64_t bytes;              /* that the world holds */
  uint64_t state_hash;         /* after the first take */
  uint32_t takes;              /* 1 to BENCH_MAX_TAKES */
  double round_trip_before_ns; /* in the last take; NaN for one thread */
  double round_trip_after_ns;
} bench_pace;

/* Takes of several threads are repeated, up to this many, if the round trip between two cores has
 * changed meanwhile. */
enum { BENCH_MAX_TAKES = 4 };

/* As many steps as the engine takes in about a quarter of a second, but 5 to 1000. The same on
 * every machine, so that their state hashes can be compared. */
uint32_t bench_pace_steps(uint32_t link_count, uint32_t iterations);

/* Steps a described scene. Takes after the first add to the progress' total. Also false, but
 * without a message, when interrupted. */
bool bench_measure_pace(const bench_pace_request* request, const bench_scene* scene,
                        const char* label, tool_progress* progress, bench_pace* pace,
                        tool_message* why);

#endif
