/* One world with contacts, or the same without them, and what its steps take. */
#ifndef BENCH_CONTACT_RUN_H
#define BENCH_CONTACT_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "binding.h"
#include "common/contact_scenes.h"
#include "samples.h"
#include "weft/weft.h"

typedef struct bench_contact_request {
  tool_contact_scene scene;
  bool with_contacts;
  weft_isa isa;
  uint32_t threads;
  uint32_t iterations; /* 0 = the scene's own */
  uint32_t substeps;   /* 0 = the scene's own */
  uint32_t span_capacity;
  const bench_binding* binding; /* NULL = none */
} bench_contact_request;

typedef struct bench_contact_run {
  bench_contact_request request;
  weft_world* world;
  uint32_t substeps;
  uint32_t iterations;
  uint64_t warmup; /* steps that are not timed */
  double build_ms;
  double seconds[WEFT_STAGE_COUNT]; /* sum for each stage over all timed steps */
  bench_samples step_ms;
  bench_samples contact_ms; /* part of step_ms that contacts took */
  bench_samples cpu_ms;     /* processor time of the step, all threads */
} bench_contact_run;

/* All zeros before; the caller frees it either way. */
bool bench_contact_create(const bench_contact_request* request, size_t sample_count,
                          bench_contact_run* run, tool_message* why);
void bench_contact_free(bench_contact_run* run);

/* Steps until cloth lies on the sphere or in folds, or the heap is at rest. */
uint32_t bench_contact_warmup(tool_contact_kind kind);

/* Takes a step before the timing. */
void bench_contact_warm_up(bench_contact_run* run);

/* Takes a step and times it. */
bool bench_contact_step(bench_contact_run* run, tool_message* why);

#endif
