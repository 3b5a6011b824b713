/* Workers that arrive late at barriers, or leave them late.
 *
 * The linker sends weft__barrier_wait() to late_workers.c (--wrap), where a chosen worker sleeps
 * before or after a chosen barrier. Code that relies on the timing of workers fails under some
 * schedule. */
#ifndef TESTS_SUPPORT_LATE_WORKERS_H
#define TESTS_SUPPORT_LATE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct delay_schedule {
  uint32_t worker;     /* index of the delayed worker */
  uint32_t period;     /* a delay at one in `period` of the worker's barriers; 0 = none */
  uint32_t first;      /* index of the first delayed barrier, below `period` */
  bool is_random;      /* random barriers in place of every period-th: `first` is the seed */
  bool is_late_reader; /* delay after the barrier in place of before it */
} delay_schedule;

/* Read by workers: set it only between tasks. */
extern delay_schedule delays;

#endif
