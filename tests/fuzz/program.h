/* Random programs of API calls: a world is described, made, changed, stepped and queried by calls
 * that are decoded from bytes. Any bytes are a program. One decoder serves the fuzzer and the soak
 * test.
 *
 * A program may run twice. The first run has one worker, the second one several and another ISA,
 * and leaves out each call that failed in the first. Both must give the same results:
 *
 *   - a call that fails changes nothing, neither at once nor later;
 *   - a call that only reads changes nothing;
 *   - a call fails with WEFT_ERROR_STALE if and only if its handle is stale;
 *   - every state and every answer has the same bits for all worker counts and ISAs;
 *   - for all accepted input, positions, velocities and energies stay finite;
 *   - no step takes much longer than the median, where the options ask for it.
 *
 * The first byte selects sane or arbitrary numbers, a second run or none, the ISA of that run, and
 * a world of a plane, whose particles must stay in it.
 */
#ifndef TESTS_FUZZ_PROGRAM_H
#define TESTS_FUZZ_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct program_options {
  uint32_t scale; /* 1: tens of particles; counts along each side of a body grow by this factor */
  uint32_t worker_count; /* second run; 0 = the program decides, and may skip that run */
  /* Failing allocations: sets the number of allocations that succeed, below 0 all, and returns the
   * number left before. Each call is then repeated with one more allocation, and there is no second
   * run. */
  int (*ration)(int allocations);
  bool compares_snapshots; /* after the second run, which restores, with the first run's */
  bool checks_times;       /* a violation that a busy machine may show */
  const volatile sig_atomic_t* interrupted; /* ends the program before the next call; may be NULL */
} program_options;

typedef struct program_report {
  uint32_t calls;
  uint32_t steps;
  uint32_t particles;
  uint64_t hash; /* hash of all states and reads */
  char violation[256];
} program_report;

/* Runs the program; false with `violation` set if an invariant is violated. */
bool program_run(const uint8_t* data, size_t size, const program_options* options,
                 program_report* report);

#endif
