/* Fits and quantiles of `weft-bench scaling`. */
#include "scaling.h"
#include "support/test.h"

enum { ROWS = 5 };

static const uint32_t workers[ROWS] = {1, 2, 3, 8, 64};

LOOP_TEST(fits_find_the_laws_that_speed_ups_follow, 0, 4) {
  static const double laws[][2] = {{0.0, 0.0}, {0.02, 0.0}, {0.05, 0.001}, {0.3, 1e-5}};
  double by_serial[ROWS], by_contention[ROWS];
  const double serial = laws[_i][0], contention = laws[_i][0], coherency = laws[_i][1];
  for (int i = 0; i < ROWS; ++i) {
    const double n = (double)workers[i];
    by_serial[i] = 1.0 / (serial + (1.0 - serial) / n);
    by_contention[i] = n / (1.0 + contention * (n - 1.0) + coherency * n * (n - 1.0));
  }
  ck_assert_double_eq_tol(bench_scaling_fit_of(workers, by_serial, ROWS).serial, serial, 1e-12);
  const bench_scaling_fit fit = bench_scaling_fit_of(workers, by_contention, ROWS);
  ck_assert_double_eq_tol(fit.contention, contention, 1e-9);
  ck_assert_double_eq_tol(fit.coherency, coherency, 1e-10);
}

TEST(fits_of_too_few_rows_are_not_numbers) {
  const double speed_ups[ROWS] = {1.0, 1.9};
  require(isnan(bench_scaling_fit_of(workers, speed_ups, 1).serial));
  const bench_scaling_fit fit = bench_scaling_fit_of(workers, speed_ups, 2);
  require(isfinite(fit.serial) && isnan(fit.contention) && isnan(fit.coherency));
}

// 1 worker and 4 of three jobs: a loop that scales, one whose work doubles and one of the caller.
// Eight steps of 100 and 50 microseconds; particles of the first row and, in weak scaling, twice.
LOOP_TEST(losses_are_the_time_of_workers_beyond_the_work_of_one, 0, 2) {
  const double growth = _i == 0 ? 1.0 : 2.0;
  bench_worker_time alone[1] = {{{800e3}}}, four[4] = {{{400e3}}, {{300e3}}, {{300e3}}};
  four[3].ns[TOOL_LANE_ABSENT] = 600e3;
  bench_recorded recorded[2] = {{alone,
                                 3,
                                 {{"a", WEFT_STAGE_LINKS, 200e3, 200e3},
                                  {"a", WEFT_STAGE_CCD, 80e3, 80e3},
                                  {"b", WEFT_STAGE_CCD, 160e3, 160e3}}},
                                {four,
                                 3,
                                 {{"b", WEFT_STAGE_CCD, 160e3, 160e3},
                                  {"a", WEFT_STAGE_LINKS, 200e3, 50e3},
                                  {"a", WEFT_STAGE_CCD, 160e3, 40e3}}}};
  const bench_scaling_row rows[2] = {
      {.of.world = {.worker_count = 1, .particle_count = 10}},
      {.of.world = {.worker_count = 4, .particle_count = (uint32_t)(10.0 * growth)}}};
  const bench_scaling_request request = {.recorded_steps = 8};
  const bench_scaling_findings findings = {.recorded = recorded, .row_count = 2};
  bench_job_loss losses[BENCH_MAX_JOBS];
  require(bench_scaling_losses(&request, rows, &findings, losses) == 3);
  ck_assert_str_eq(losses[0].job, "b");
  ck_assert_double_eq_tol(losses[0].lost, (4.0 * 160e3 - growth * 160e3) / 1600e3, 1e-12);
  ck_assert_str_eq(losses[1].stage, weft_stage_name(WEFT_STAGE_CCD));
  ck_assert_double_eq_tol(losses[1].first_work_ms, growth * 0.01, 1e-12);
  ck_assert_double_eq_tol(losses[1].work_ms, 0.02, 1e-12);
  ck_assert_double_eq_tol(losses[1].lost, (160e3 - growth * 80e3) / 1600e3, 1e-12);
  ck_assert_double_eq_tol(losses[2].lost, (200e3 - growth * 200e3) / 1600e3, 1e-12);
}

TEST(a_quantile_is_the_smallest_sample_that_its_share_does_not_exceed) {
  bench_samples samples;
  tool_message why;
  require(bench_samples_create(&samples, 200, &why));
  require(isnan(bench_samples_quantile(&samples, 0.5)));
  for (int i = 200; i > 0; --i) bench_samples_add(&samples, (double)i);
  require(bench_samples_median(&samples) == 100.5);
  require(bench_samples_quantile(&samples, 0.0) == 1.0);
  require(bench_samples_quantile(&samples, 0.25) == 50.0);
  require(bench_samples_quantile(&samples, 0.99) == 198.0);
  require(bench_samples_quantile(&samples, 1.0) == 200.0);
  require(bench_samples_times(&samples).mean == 100.5);
  bench_samples_free(&samples);
}
