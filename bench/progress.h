/* One line on a terminal that says how far a run is. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_progress {
  bool shown;
  uint64_t done, total; /* steps */
  double drawn_ns;      /* when the line was last drawn */
} bench_progress;

/* Shows nothing when quiet, or when stderr is not a terminal. */
bench_progress bench_progress_start(uint64_t total, bool quiet);

/* One more step is done; `label` says what is running. Draws a few times a second. */
void bench_progress_step(bench_progress* progress, const char* label);

/* Clears the line. */
void bench_progress_end(bench_progress* progress);

#endif
