/* Workers that arrive late at barriers, or leave them late.
 *
 * The linker sends weft__gate_wait() to late_workers.c (--wrap), where a chosen worker sleeps
 * before or after a chosen barrier. What only holds because workers run side by side fails under
 * some schedule. */
#ifndef TESTS_SUPPORT_LATE_WORKERS_H
#define TESTS_SUPPORT_LATE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct delay_schedule {
  uint32_t worker; /* that is late */
  uint32_t period; /* of the barriers counted by a worker, it is late at one in so many; 0 = none */
  uint32_t first;  /* the first of those, below `period` */
  bool is_random;  /* at random ones in place of every period-th: `first` is the seed */
  bool is_late_reader; /* leaves the barrier late, in place of arriving late */
} delay_schedule;

/* Read by workers: set while none of them is in a task. */
extern delay_schedule delays;

#endif
