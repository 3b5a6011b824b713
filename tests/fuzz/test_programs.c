/* Random programs, each run twice: see program.h. tools/soak.sh runs more and longer ones. */
#include "fuzz/program.h"
#include "support/test.h"

enum { MOST_BYTES = 2048 };

// Numbers are sane in three programs of four.
RANDOM_TEST(any_calls_give_one_hash_for_all_workers_and_isas_and_refused_ones_change_nothing,
            ROUNDS(400, 40)) {
  uint8_t bytes[MOST_BYTES];
  const uint32_t size = random_from(&random, 64, MOST_BYTES);
  for (uint32_t i = 0; i < size; ++i) bytes[i] = (uint8_t)random_below(&random, 256);
  if (_i % 2 == 0) bytes[0] &= 0xfe;
  const program_options options = {.scale = 1 + (uint32_t)_i % 4,
                                   .worker_count = 2 + (uint32_t)_i % 7};
  program_report report;
  ck_assert_msg(program_run(bytes, size, &options, &report), "%s", report.violation);
}
