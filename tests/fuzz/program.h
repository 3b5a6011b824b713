/* Random programs of API calls: a world is described, made, changed, stepped and asked by calls
 * that are decoded from bytes. Any bytes are a program. One decoder serves the fuzzer and the soak
 * test.
 *
 * A program runs twice. The first run has one worker, the second one several and another ISA, and
 * leaves out each call that the first has found to fail. Both must see the same:
 *
 *   - a call that fails changes nothing, neither at once nor for what comes later;
 *   - a call that only reads changes nothing;
 *   - every state and every answer has the same bits whatever the workers and the ISA;
 *   - whatever input is taken, positions, velocities and energies stay finite;
 *   - no step takes much longer than the others.
 *
 * The first byte says which of these a program is for: whether its numbers are sane or any at all,
 * and whether it runs twice. */
#ifndef TESTS_FUZZ_PROGRAM_H
#define TESTS_FUZZ_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct program_options {
  uint32_t scale; /* 1: tens of particles; bodies have this times as many along each side */
  uint32_t
      worker_count; /* of the second run; 0 = the program says, and may leave the second run out */
  /* Where allocations are to fail: lets so many of the next ones succeed, below 0 all, and says how
   * many were left before. Each call is then made again and again with one more, and there is no
   * second run. */
  int (*ration)(int allocations);
  const volatile sig_atomic_t* interrupted; /* ends the program before the next call; may be NULL */
} program_options;

typedef struct program_report {
  uint32_t calls;
  uint32_t steps;
  uint32_t particles;
  uint64_t hash; /* of all that was seen */
  char violation[256];
} program_report;

/* Runs the program; false with `violation` where an invariant does not hold. */
bool program_run(const uint8_t* data, size_t size, const program_options* options,
                 program_report* report);

#endif
