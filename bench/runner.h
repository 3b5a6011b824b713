/* Worlds, or other subjects, stepped in turn and timed, so that a slower machine slows all of them;
 * and the facts of each in rows. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "common/progress.h"
#include "rows.h"
#include "samples.h"
#include "topology.h"
#include "weft/weft.h"

typedef struct bench_schedule {
  uint32_t warmup;  /* untimed steps of each runner before the first turn */
  uint32_t steps;   /* steps of each runner in a turn */
  uint32_t repeats; /* turns of each runner */
} bench_schedule;

typedef struct bench_runner {
  char label[128]; /* shown in the progress bar */
  weft_world* world;
  void (*step)(void* runner); /* takes a step in place of the world's; NULL = none */
  bool is_profiled;
  bench_samples step_ms;
  bench_samples cpu_ms;                     /* if profiled, processor time of a step, all threads */
  bench_samples contact_ms;                 /* if profiled, the contacts' part of step_ms */
  bench_samples stage_ms[WEFT_STAGE_COUNT]; /* if profiled */
} bench_runner;

/* Room for `count` timed steps. The caller frees it, and the world, either way. */
bool bench_runner_create(bench_runner* runner, size_t count, bool is_profiled, tool_message* why);
void bench_runner_free(bench_runner* runner);

/* Takes a step; its time is added if it is timed and there is room. */
void bench_runner_step(bench_runner* runner, bool is_timed);

typedef struct bench_turns {
  void* runners; /* structs of `stride` bytes that begin with a bench_runner */
  size_t count, stride;
  bench_schedule schedule;
  const bench_binding* binding; /* calling thread's in a turn; NULL = none */
  tool_progress* progress;      /* NULL = one of its own, in steps */
  uint64_t units;               /* a step's, in that progress */
  bool quiet;
  /* takes a step in place of bench_runner_step(); NULL = none */
  bool (*step)(void* runner, tool_message* why);
  /* before and after each turn, outside the binding; NULL = nothing */
  void (*begin)(void* runner, uint32_t turn);
  void (*end)(void* runner, uint32_t turn);
} bench_turns;

/* False without a message when interrupted. */
bool bench_take_turns(const bench_turns* turns, tool_message* why);

/* ---- rows ------------------------------------------------------------------------------------ */

enum { BENCH_WORD = 32 };

/* World and steps, in rows of all commands. */
typedef struct bench_facts {
  char scene[256];
  uint32_t size;  /* particles along a sheet's side, or of a mesh or a heap */
  uint32_t count; /* copies of the sheet, or 1 */
  uint32_t threads_asked;
  char isa[BENCH_WORD]; /* "native" for serial loops */
  weft_world_stats world;
  weft_contact_stats contacts;
  uint64_t lost; /* pairs and touches of all kinds without room */
  bench_times step_ms;
  uint64_t state_hash;
} bench_facts;

/* Fills all but scene, size, count and requested threads. Sorts the samples. */
void bench_fill_facts(bench_runner* runner, bench_facts* facts);

/* "2 of 8": at work, of those requested; "8" where equal. A row begins with its facts. */
void bench_write_threads(char cell[BENCH_MAX_CELL], const void* row);

/* Columns of rows that have a `bench_facts of`. */
#define BENCH_OF(key, type, member) BENCH_NAMED(key, type, of.member)
#define BENCH_SCENE BENCH_OF("scene", TEXT, scene)
#define BENCH_SIZE BENCH_OF("size", COUNT, size)
#define BENCH_PARTICLES BENCH_OF("particles", COUNT, world.particle_count)
#define BENCH_LINKS BENCH_OF("links", COUNT, world.link_count)
#define BENCH_ISA BENCH_OF("isa", TEXT, isa)
#define BENCH_THREADS BENCH_OF("threads", COUNT, world.worker_count)
#define BENCH_THREADS_ASKED BENCH_OF("threads_asked", COUNT, threads_asked)
#define BENCH_STEP_MS(time) BENCH_OF("step_ms_" #time, REAL, step_ms.time)
#define BENCH_STATE_HASH BENCH_OF("state_hash", HASH, state_hash)
/* cells of tables */
#define BENCH_MS_CELL(head, time, text) BENCH_CELL(head, of.step_ms.time, text)
#define BENCH_THREADS_CELL BENCH_WRITTEN("threads", REAL, bench_write_threads)
#define BENCH_HASH_CELL BENCH_OF("state hash", HASH, state_hash)

#endif
