/* Common to all suites: Check, and fewer rounds under a sanitizer. */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "weft/weft.h"

#ifdef WEFT_TEST_SANITIZED
#define ROUNDS(plain, sanitized) (sanitized)
#else
#define ROUNDS(plain, sanitized) (plain)
#endif

/* Rounds of a test that checks the result of a long run: 0 under sanitizers, which see the same
 * code in shorter tests. */
#define LONG_RUN(rounds) ROUNDS(rounds, 0)

/* Rounds of a test with several threads, and those under the thread sanitizer. */
#ifdef __SANITIZE_THREAD__
#define THREADED(plain, sanitized) (sanitized)
#else
#define THREADED(plain, sanitized) (plain)
#endif

/* The thread sanitizer, the slowest, runs tests of several threads alone: those of rooms parallel
 * and cluster, and those whose names have one of these words. tests/CMakeLists.txt leaves out
 * suites without such a test. */
#ifdef __SANITIZE_THREAD__
static inline bool has_threads(const TTest* test) {
  return strstr(test->name, "worker") != NULL || strstr(test->name, "thread") != NULL ||
         strstr(test->name, "rank") != NULL || strstr(test->file, "/parallel/") != NULL ||
         strstr(test->file, "/cluster/") != NULL;
}
#undef tcase_add_loop_test
#define tcase_add_loop_test(tests, test, first, end)                                             \
  do {                                                                                           \
    if (has_threads(test)) tcase_add_loop_test_raise_signal((tests), (test), 0, (first), (end)); \
  } while (0)
#undef tcase_add_test
#define tcase_add_test(tests, test) tcase_add_loop_test(tests, test, 0, 1)
#endif

/* A suite is a file test_NAME.c, which ends with
 *   SUITE(NAME) {
 *     tcase_add_test(tests, name_of_a_test);
 *   }
 * The suites of a folder are one program, with the main() of runner.c. */
#define SUITE(name)                \
  void name##_suite(TCase* tests); \
  void name##_suite(TCase* tests)

/* Like ck_assert(), for loops: ck_assert() records each location that it passes, which is slow. */
#define require(condition)                                    \
  do {                                                        \
    if (!(condition)) ck_abort_msg("not so: %s", #condition); \
  } while (0)

/* Requires that the call succeeds. */
#define expect_ok(call)                                                                     \
  do {                                                                                      \
    const weft_result outcome = (call);                                                     \
    if (outcome.error == WEFT_OK) break;                                                    \
    ck_abort_msg("%s: %s: %s [%llu]", #call, outcome.field, weft_error_text(outcome.error), \
                 (unsigned long long)outcome.index);                                        \
  } while (0)

/* Call on random input: an error is allowed. */
static inline void may_fail(weft_result result) {
  (void)result;
}

/* Requires that the call fails with this error, and names this field and element. */
#define expect_error_at(call, wanted_error, wanted_field, wanted_index)                \
  do {                                                                                 \
    const weft_result outcome = (call);                                                \
    if (outcome.error == (wanted_error) && strcmp(outcome.field, wanted_field) == 0 && \
        outcome.index == (wanted_index)) {                                             \
      break;                                                                           \
    }                                                                                  \
    ck_abort_msg("%s: %s: %s [%llu], not %s: %s [%llu]", #call, outcome.field,         \
                 weft_error_text(outcome.error), (unsigned long long)outcome.index,    \
                 (wanted_field), weft_error_text(wanted_error),                        \
                 (unsigned long long)(wanted_index));                                  \
  } while (0)

#define expect_error(call, error, field) expect_error_at(call, error, field, 0)

#endif
