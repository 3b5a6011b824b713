/* Modes of the speed of a machine. */
#include "pace.h"
#include "support/test.h"

// Probes of one speed or two, by a share of slow ones, with a scatter around each.
typedef struct speed_case {
  double fast_ns, slow_ns, slow_share, scatter;
  bool is_bimodal;
} speed_case;

static const speed_case cases[] = {
    {0.37, 0.66, 0.40, 0.05, true},  {0.37, 0.66, 0.08, 0.10, true},
    {0.37, 0.50, 0.90, 0.05, true},  {0.37, 0.66, 0.00, 0.05, false},
    {0.37, 0.37, 0.50, 0.30, false}, {0.37, 0.40, 0.50, 0.01, false},
    {0.37, 0.66, 0.02, 0.05, false}, {0.37, 0.66, 0.50, 0.60, false},
};
enum { CASES = sizeof(cases) / sizeof(*cases), PROBES = 640 };

static double uniform(random_source* random) {
  return (double)(random_bits(random) >> 11) * 0x1p-53;
}

LOOP_TEST(two_speeds_are_told_from_one, 0, CASES) {
  const speed_case* c = &cases[_i];
  random_source random = {(uint64_t)_i + 1};
  bench_samples samples;
  tool_message why;
  require(bench_samples_create(&samples, PROBES, &why));
  for (int i = 0; i < PROBES; ++i) {
    const double speed = i < (int)(c->slow_share * PROBES) ? c->slow_ns : c->fast_ns;
    bench_samples_add(&samples, speed * (1.0 + c->scatter * (uniform(&random) - 0.5)));
  }
  const bench_speed_modes modes = bench_speed_modes_of(&samples);
  ck_assert_uint_eq(modes.probes, PROBES);
  ck_assert_int_eq(modes.is_bimodal, c->is_bimodal);
  require(modes.low_ns <= modes.fast_ns && modes.fast_ns <= modes.high_ns);
  if (c->is_bimodal) {
    ck_assert_double_eq_tol(modes.fast_ns, c->fast_ns, 0.1 * c->fast_ns);
    ck_assert_double_eq_tol(modes.slow_ns, c->slow_ns, 0.1 * c->slow_ns);
    ck_assert_double_eq_tol(modes.slow_share, c->slow_share, 0.02);
  } else {
    require(modes.fast_ns == modes.slow_ns && modes.slow_share == 0.0);
  }
  bench_samples_free(&samples);
}

TEST(speeds_of_no_probe_and_of_equal_probes_are_one) {
  bench_samples samples;
  tool_message why;
  require(bench_samples_create(&samples, 4, &why));
  bench_speed_modes modes = bench_speed_modes_of(&samples);
  require(modes.probes == 0 && !modes.is_bimodal && isnan(modes.fast_ns));
  for (int i = 0; i < 4; ++i) bench_samples_add(&samples, 0.5);
  modes = bench_speed_modes_of(&samples);
  require(!modes.is_bimodal && modes.fast_ns == 0.5 && modes.low_ns == 0.5);
  bench_samples_free(&samples);
}
