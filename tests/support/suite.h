/* Shared by all suites: Check, and fewer rounds where a sanitizer slows each one down. */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "weft/weft.h"

#ifdef WEFT_TEST_SANITIZED
#define ROUNDS(plain, sanitized) (sanitized)
#else
#define ROUNDS(plain, sanitized) (plain)
#endif

/* How often a test is run whose content is the figure that a long run ends with: sanitizers see the
 * same code in shorter ones. */
#define LONG_RUN(rounds) ROUNDS(rounds, 0)

/* How often a test is run that one thread does by itself: the thread sanitizer, the slowest, has
 * nothing to see there. */
#ifdef __SANITIZE_THREAD__
#define ALONE(rounds) 0
#else
#define ALONE(rounds) (rounds)
#endif

/* A suite is a file test_NAME.c in the folder of a room, which ends with
 *   SUITE(NAME) {
 *     tcase_add_test(tests, name_of_a_test);
 *   }
 * The suites of a folder are one program, with the main() of runner.c. */
#define SUITE(name)                \
  void name##_suite(TCase* tests); \
  void name##_suite(TCase* tests)

/* As ck_assert(), for loops: that one writes down each place that it passes, which takes its time.
 */
#define require(condition)                                    \
  do {                                                        \
    if (!(condition)) ck_abort_msg("not so: %s", #condition); \
  } while (0)

/* The call must succeed. */
#define expect_ok(call)                                                                     \
  do {                                                                                      \
    const weft_result outcome = (call);                                                     \
    if (outcome.error == WEFT_OK) break;                                                    \
    ck_abort_msg("%s: %s: %s [%llu]", #call, outcome.field, weft_error_text(outcome.error), \
                 (unsigned long long)outcome.index);                                        \
  } while (0)

/* A call on random input, which may be refused. */
static inline void may_fail(weft_result result) {
  (void)result;
}

/* The call must fail, and name this field and this element of it. */
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
