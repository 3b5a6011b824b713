/* `weft-bench compare`: rows that belong together, noise, and files that do not compare. */
#include <unistd.h>

#include "compare.h"
#include "support/test.h"

static const char old_path[] = "test_bench_compare_old.json";
static const char new_path[] = "test_bench_compare_new.json";

#define FILE_OF(cpu, rows) \
  "{\"schema\": \"weft-bench/1\", \"machine\": {\"cpu\": \"" cpu "\"}, \"results\": [" rows "]}"
#define ROW(threads, median, q1, q3)                                             \
  "{\"scene\": \"sheet\", \"size\": 9, \"threads_asked\": " #threads             \
  ", \"threads\": 1, "                                                           \
  "\"state_hash\": \"1\", \"step_ms_median\": " #median ", \"step_ms_q1\": " #q1 \
  ", \"step_ms_q3\": " #q3 "}"

static void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  require(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool compare(const char* old_text, const char* new_text, double threshold, bool any_machine,
                    bench_comparison* found, tool_message* why) {
  write_text(old_path, old_text);
  write_text(new_path, new_text);
  const bench_compare_request request = {old_path, new_path, threshold, any_machine};
  const bool ok = bench_compare(&request, found, why);
  unlink(old_path);
  unlink(new_path);
  return ok;
}

static const struct {
  const char *old_rows, *new_rows;
  double threshold;
  bench_verdict verdicts[3];
  size_t count;
} cases[] = {
    {ROW(1, 1.0, 1.0, 1.0), ROW(1, 1.04, 1.0, 1.0), 0.05, {BENCH_WITHIN_NOISE}, 1},
    {ROW(1, 1.0, 1.0, 1.0), ROW(1, 1.06, 1.06, 1.06), 0.05, {BENCH_SLOWER}, 1},
    {ROW(1, 1.0, 1.0, 1.0), ROW(1, 0.94, 0.94, 0.94), 0.05, {BENCH_FASTER}, 1},
    {ROW(1, 1.0, 1.0, 1.0), ROW(1, 0.94, 0.94, 0.94), 0.10, {BENCH_WITHIN_NOISE}, 1},
    // quartiles 20 % apart in both files: a band of 14 %
    {ROW(1, 1.0, 0.9, 1.1), ROW(1, 1.13, 1.02, 1.25), 0.05, {BENCH_WITHIN_NOISE}, 1},
    {ROW(1, 1.0, 0.9, 1.1), ROW(1, 1.16, 1.05, 1.27), 0.05, {BENCH_SLOWER}, 1},
    // without quartiles, the distance of the median from the fastest step
    {"{\"threads\": 1, \"step_ms_median\": 1.0, \"step_ms_min\": 0.8}",
     "{\"threads\": 1, \"step_ms_median\": 1.2, \"step_ms_min\": 0.8}",
     0.05,
     {BENCH_WITHIN_NOISE},
     1},
    {"{\"threads\": 1, \"ns_per_link\": 0.3}",
     "{\"threads\": 1, \"ns_per_link\": 0.4}",
     0.05,
     {BENCH_SLOWER},
     1},
    // in another order, and one on each side alone
    {ROW(1, 1.0, 1.0, 1.0) "," ROW(2, 0.5, 0.5, 0.5),
     ROW(4, 0.2, 0.2, 0.2) "," ROW(2, 0.7, 0.7, 0.7),
     0.05,
     {BENCH_ONLY_OLD, BENCH_SLOWER, BENCH_ONLY_NEW},
     3},
    // a key that occurs twice
    {ROW(1, 1.0, 1.0, 1.0) "," ROW(1, 2.0, 2.0, 2.0),
     ROW(1, 1.0, 1.0, 1.0) "," ROW(1, 1.0, 1.0, 1.0),
     0.05,
     {BENCH_WITHIN_NOISE, BENCH_FASTER},
     2},
};

LOOP_TEST(rows_are_matched_by_what_was_set_and_judged_by_threshold_and_noise, 0,
          sizeof cases / sizeof cases[0]) {
  char old_text[2048], new_text[2048];
  bench_comparison found;
  tool_message why;
  snprintf(old_text, sizeof old_text, FILE_OF("x", "%s"), cases[_i].old_rows);
  snprintf(new_text, sizeof new_text, FILE_OF("x", "%s"), cases[_i].new_rows);
  if (!compare(old_text, new_text, cases[_i].threshold, false, &found, &why)) {
    ck_abort_msg("%s", why.text);
  }
  size_t slower = 0;
  ck_assert_uint_eq(found.count, cases[_i].count);
  for (size_t i = 0; i < found.count; ++i) {
    ck_assert_int_eq(found.rows[i].verdict, cases[_i].verdicts[i]);
    if (found.rows[i].verdict == BENCH_SLOWER) ++slower;
  }
  ck_assert_uint_eq(found.slower, slower);
  bench_comparison_free(&found);
}

static const struct {
  const char *old_text, *new_text, *error;
} bad[] = {
    {"{", FILE_OF("x", ROW(1, 1, 1, 1)), "test_bench_compare_old.json:1: "},
    {"{}", FILE_OF("x", ROW(1, 1, 1, 1)), "no results of weft-bench: no schema"},
    {FILE_OF("x", ROW(1, 1, 1, 1)), "{\"schema\": \"weft-sim/1\"}",
     "test_bench_compare_new.json: schema 'weft-sim/1', which is not weft-bench/1"},
    {FILE_OF("x", ""), FILE_OF("x", ""), "test_bench_compare_old.json: no rows"},
    {FILE_OF("x", ROW(1, 1, 1, 1)), FILE_OF("y", ROW(1, 1, 1, 1)), "of different machines: cpu"},
    {FILE_OF("x", ROW(1, 1, 1, 1)), FILE_OF("x", ROW(2, 1, 1, 1)), "have no row in common"},
};

LOOP_TEST(files_that_do_not_compare_are_refused_by_name, 0, sizeof bad / sizeof bad[0]) {
  bench_comparison found;
  tool_message why;
  ck_assert(!compare(bad[_i].old_text, bad[_i].new_text, 0.05, false, &found, &why));
  if (!strstr(why.text, bad[_i].error)) ck_abort_msg("says %s", why.text);
}

TEST(other_machines_compare_when_told_to_and_other_bits_are_told) {
  bench_comparison found;
  tool_message why;
  char* text = NULL;
  size_t length = 0;
  const char* moved =
      FILE_OF("y",
              "{\"scene\": \"sheet\", \"size\": 9, \"threads_asked\": 1, \"state_hash\": "
              "\"2\", \"strain_mean\": 0.02, \"step_ms_median\": 2.0}");
  ck_assert(compare(FILE_OF("x", ROW(1, 1.0, 1.0, 1.0)), moved, 0.05, true, &found, &why));
  ck_assert(found.rows[0].has_other_bits && found.slower == 1);
  FILE* out = open_memstream(&text, &length);
  bench_comparison_print(out, &found);
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "slower *"));
  ck_assert_ptr_nonnull(strstr(text, "1 slower, 0 faster, 0 within noise\n"));
  free(text);
  bench_comparison_free(&found);
}
