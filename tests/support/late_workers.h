/* Workers that join jobs late, leave them late, or stop between a claim and its piece: code that
 * relies on the timing of workers fails under some schedule. The linker sends
 * weft__worker_pool_run() and weft__worker_pool_claim() to late_workers.c (--wrap), where a chosen
 * worker sleeps at chosen calls. */
#ifndef TESTS_SUPPORT_LATE_WORKERS_H
#define TESTS_SUPPORT_LATE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct delay_schedule {
  uint32_t worker; /* index of the delayed worker */
  uint32_t period; /* a delay at one in `period` of the worker's calls; 0 = none */
  uint32_t first;  /* index of the first delayed call, below `period` */
  bool is_random;  /* random calls in place of every period-th, with seed `first` */
} delay_schedule;

/* Read by workers: set it only between jobs. */
extern delay_schedule delays;

#endif
