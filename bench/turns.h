/* Steps of several worlds in turn: a machine that slows down for a while slows all of them down. */
#ifndef BENCH_TURNS_H
#define BENCH_TURNS_H

#include "binding.h"
#include "common/message.h"
#include "common/progress.h"

enum { BENCH_TURN_LABEL = 128 };

typedef struct bench_schedule {
  uint32_t warmup;  /* steps of each world before the first turn, not timed */
  uint32_t steps;   /* steps of each world in a turn */
  uint32_t repeats; /* turns of each world */
} bench_schedule;

typedef struct bench_turns {
  uint32_t count; /* worlds */
  bench_schedule schedule;
  const bench_binding* binding; /* of the calling thread in a turn; NULL = none */
  tool_progress* progress;      /* NULL = one of its own, in steps */
  uint64_t units;               /* of the given progress, a step */
  bool quiet;
  /* takes a step of a world, and times it unless it is of the warm-up */
  bool (*step)(void* context, uint32_t world, bool is_timed, tool_message* why);
  /* before and after each turn, outside the binding; NULL = nothing */
  void (*begin)(void* context, uint32_t world, uint32_t turn);
  void (*end)(void* context, uint32_t world, uint32_t turn);
  /* label of the progress bar */
  void (*label)(const void* context, uint32_t world, char label[BENCH_TURN_LABEL]);
} bench_turns;

/* Also false, but without a message, when interrupted. */
bool bench_take_turns(const bench_turns* turns, void* context, tool_message* why);

#endif
