/* Random programs: see program.h. tools/soak.sh runs more and longer ones. */
#include "fuzz/program.h"
#include "support/backwards.h"
#include "support/float_mode.h"
#include "support/test.h"

enum { MOST_BYTES = 2048 };

// The hash of a program's states, reads and last snapshot.
static uint64_t run(int number, uint32_t worker_count, int (*ration)(int allocations)) {
  random_source random = {(uint64_t)number};
  uint8_t bytes[MOST_BYTES];
  const uint32_t size = random_from(&random, 64, MOST_BYTES);
  for (uint32_t i = 0; i < size; ++i) bytes[i] = (uint8_t)random_below(&random, 256);
  // numbers are sane in three programs of four
  if (number % 2 == 0) bytes[0] &= 0xfe;
  const program_options options = {.scale = 1 + (uint32_t)number % 4,
                                   .worker_count = worker_count,
                                   .ration = ration,
                                   .compares_snapshots = true};
  program_report report;
  ck_assert_msg(program_run(bytes, size, &options, &report), "%s", report.violation);
  return report.hash;
}

LOOP_TEST(any_calls_give_the_same_bits_for_all_workers_and_isas_and_refused_ones_change_nothing, 0,
          ROUNDS(400, 40)) {
  (void)run(_i, 2 + (uint32_t)_i % 7, NULL);
}

// As if the last worker had begun first.
LOOP_TEST(loops_that_run_backwards_give_the_same_bits, 0, ROUNDS(100, 10)) {
  const uint64_t expected = run(_i, 0, NULL);
  runs_backwards = true;
  const uint64_t hash = run(_i, 0, NULL);
  runs_backwards = false;
  ck_assert_uint_eq(hash, expected);
}

static int float_mode;

// Each call begins in the mode, and leaves it as it is; what is between calls has the default.
static int switch_mode(int allocations) {
  static unsigned before;
  if (allocations >= 0) {
    set_float_mode(float_mode);
    before = get_float_mode();
  } else {
    require(get_float_mode() == before);
    reset_float_mode();
  }
  return 0;
}

LOOP_TEST(callers_that_round_otherwise_or_flush_denormals_get_the_same_bits, 0, ROUNDS(200, 20)) {
  uint64_t hashes[2];
  for (int k = 0; k < 2; ++k) {
    float_mode = k == 0 ? 0 : 1 + _i % (FLOAT_MODE_COUNT - 1);
    hashes[k] = run(_i, 0, switch_mode);
  }
  ck_assert_uint_eq(hashes[0], hashes[1]);
}
