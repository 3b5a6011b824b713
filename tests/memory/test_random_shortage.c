/* Random programs in which every allocation of every call fails once: the call returns an error and
 * changes nothing, and no step allocates. */
#include "fuzz/program.h"
#include "support/shortage.h"
#include "support/test.h"

enum { MOST_BYTES = 400 };

static int ration(int allocations) {
  const int left = allocations_left;
  allocations_left = allocations;
  return left;
}

RANDOM_TEST(a_call_that_finds_no_memory_says_so_and_changes_nothing_and_steps_need_none,
            ROUNDS(48, 8)) {
  uint8_t bytes[MOST_BYTES];
  for (int i = 0; i < MOST_BYTES; ++i) bytes[i] = (uint8_t)random_below(&random, 256);
  bytes[0] = (uint8_t)(_i % 8 == 0);
  const program_options options = {.scale = 1, .ration = ration};
  program_report report;
  const bool holds = program_run(bytes, MOST_BYTES, &options, &report);
  allocations_left = -1;
  ck_assert_msg(holds, "%s", report.violation);
}
