#include "common/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

double tool_clock_ns(void) {
  return read_clock(CLOCK_MONOTONIC);
}

double tool_processor_ns(void) {
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
