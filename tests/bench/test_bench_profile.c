/* Counters and the model of `weft-bench profile`. */
#include <errno.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "profile.h"
#include "support/test.h"

// ---- counters ----

enum { DENIED = EACCES, MISSING = ENOENT };

static int deny_all(uint32_t type, uint64_t config) {
  (void)type, (void)config;
  errno = DENIED;
  return -1;
}

// A file that is read twice: the counter ran for half of the time, first 1, then 1001.
static int open_fake(uint32_t type, uint64_t config) {
  static const uint64_t contents[] = {1, 200, 100, 1001, 400, 200};
  (void)type, (void)config;
  int ends[2];
  require(pipe(ends) == 0);
  require(write(ends[1], contents, sizeof contents) == sizeof contents);
  close(ends[1]);
  return ends[0];
}

static int deny_hardware(uint32_t type, uint64_t config) {
  if (type == PERF_TYPE_SOFTWARE) return open_fake(type, config);
  errno = MISSING;
  return -1;
}

// a counter that the kernel had no time for, or that ends
static int open_idle(uint32_t type, uint64_t config) {
  static const uint64_t contents[] = {0, 200, 0};
  (void)config;
  int ends[2];
  require(pipe(ends) == 0);
  const ssize_t bytes = type == PERF_TYPE_SOFTWARE ? 8 : (ssize_t)sizeof contents;
  require(write(ends[1], contents, (size_t)bytes) == bytes);
  close(ends[1]);
  return ends[0];
}

typedef struct counter_case {
  bench_counter_open* open;
  int error;
  double hardware, software; /* between two reads; NaN = not available */
} counter_case;

static const counter_case counter_cases[] = {
    {open_fake, 0, 2000.0, 2000.0},
    {deny_hardware, MISSING, NAN, 2000.0},
    {deny_all, DENIED, NAN, NAN},
    {open_idle, 0, NAN, NAN},
};
enum { COUNTER_CASES = sizeof(counter_cases) / sizeof(*counter_cases) };

LOOP_TEST(counters_are_read_where_they_can_be_had, 0, COUNTER_CASES) {
  const counter_case* c = &counter_cases[_i];
  bench_counters counters;
  double first[BENCH_COUNTERS], last[BENCH_COUNTERS];
  bench_counters_open(c->open, &counters);
  ck_assert_int_eq(bench_counters_error(&counters), c->error);
  bench_counters_read(&counters, first);
  bench_counters_read(&counters, last);
  for (int i = 0; i < BENCH_COUNTERS; ++i) {
    const double expected = i < BENCH_FIRST_SOFTWARE ? c->hardware : c->software;
    const double counted = last[i] - first[i];
    require(isnan(expected) ? isnan(counted) : counted == expected);
  }
  bench_counters_close(&counters);
  bench_counters_close(&counters);
}

TEST(the_kernel_counts_or_says_why_not) {
  bench_counters counters;
  double values[BENCH_COUNTERS];
  bench_counters_open(NULL, &counters);
  bench_counters_read(&counters, values);
  for (int i = 0; i < BENCH_COUNTERS; ++i) {
    require(counters.files[i] >= 0 ? counters.errors[i] == 0 : counters.errors[i] != 0);
    require(counters.files[i] >= 0 || isnan(values[i]));
    require(isnan(values[i]) || values[i] >= 0.0);
  }
  bench_counters_close(&counters);
}

// ---- model ----

TEST(the_model_counts_the_loops_of_a_stage) {
  const weft_world_stats world = {.particle_count = 100,
                                  .link_count = 300,
                                  .group_count = 40,
                                  .run_group_count = 30,
                                  .substeps = 2,
                                  .iterations = 5};
  const weft_contact_stats contacts = {.self_pairs = 50, .particle_pairs = 20, .collider_count = 3};
  const struct {
    weft_stage stage;
    double bytes, operations;
  } cases[] = {
      {WEFT_STAGE_LINKS, 2 * 5200.0 + 10 * (2800.0 + 12.0 * 75.0), 2 * 1800.0 + 10 * 6900.0},
      {WEFT_STAGE_SELF_COLLISION, 3200.0, 2200.0},
      {WEFT_STAGE_PARTICLE_CONTACTS, 1600.0, 440.0},
      {WEFT_STAGE_COLLIDERS, 3200.0, 5400.0},
      {WEFT_STAGE_CCD, NAN, NAN},
      {WEFT_STAGE_BROAD_PHASE, NAN, NAN},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
    const bench_stage_cost cost = bench_stage_cost_of(cases[i].stage, &world, &contacts);
    require(isnan(cases[i].bytes) ? isnan(cost.bytes) : cost.bytes == cases[i].bytes);
    require(isnan(cases[i].operations) ? isnan(cost.operations)
                                       : cost.operations == cases[i].operations);
  }
}

// ---- tables ----

LOOP_TEST(a_profile_says_what_was_counted_and_what_was_refused, 0, 3) {
  static const struct {
    bench_counter_open* open;
    const char *said, *unsaid;
  } cases[] = {
      {deny_all, "not here (perf_event_open: Permission denied)", "a step, all threads"},
      {deny_hardware, "ms of CPU, 250.00 page faults", "instructions"},
      {open_fake, "1.00 instructions a cycle", "not here"},
  };
  bench_plan plan = bench_default_plan("9");
  bench_scaling_request request = {.size = 9, .steps = 8};
  tool_message why;
  const tool_count_list threads = {.items = {1}, .count = 1};
  const tool_isa_list isas = {.items = {WEFT_ISA_SCALAR}, .count = 1};
  require(bench_plan_complete(&plan, &threads, &isas, &why));
  require(bench_scaling_complete_scene(&plan, &request, &why));
  bench_profile_row rows[BENCH_PROFILE_ROWS];
  int error = -1;
  require(bench_profile_measure(&request, 1, cases[_i].open, true, rows, &error, &why));
  double shares = 0.0;
  for (int i = 0; i < WEFT_STAGE_COUNT; ++i) shares += rows[i].share;
  ck_assert_double_eq_tol(shares, 1.0, 1e-9);
  require(rows[WEFT_STAGE_LINKS].gb_per_s > 0.0 && isnan(rows[WEFT_STAGE_COUNT].gb_per_s));
  require(rows[WEFT_STAGE_COUNT].of.state_hash == rows[0].of.state_hash);
  char text[4096] = "";
  FILE* out = fmemopen(text, sizeof text, "w");
  bench_profile_print(out, rows, error);
  fclose(out);
  ck_assert_msg(strstr(text, cases[_i].said) != NULL, "no %s in %s", cases[_i].said, text);
  ck_assert_msg(strstr(text, cases[_i].unsaid) == NULL, "%s in %s", cases[_i].unsaid, text);
}
