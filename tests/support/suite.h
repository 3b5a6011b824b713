/* Common to all suites: Check, and fewer rounds under a sanitizer. */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/defs.h"
#include "support/made.h"
#include "support/random.h"
#include "weft/weft.h"

#ifdef WEFT_TEST_SANITIZED
#define ROUNDS(plain, sanitized) (sanitized)
#else
#define ROUNDS(plain, sanitized) (plain)
#endif

/* Rounds of a long run: 0 under sanitizers, which see the same code in shorter tests. */
#define LONG_RUN(rounds) ROUNDS(rounds, 0)

/* Rounds of a test with several threads, and under the thread sanitizer. */
#ifdef __SANITIZE_THREAD__
#define THREADED(plain, sanitized) (sanitized)
#else
#define THREADED(plain, sanitized) (plain)
#endif

/* A suite is a file test_NAME.c; a folder is one program, with the main() of runner.c.
 * Tests add themselves to the program's list:
 *   TEST(sentence) { .. }
 *   LOOP_TEST(sentence, first, end) { .. }, a test for each _i from first to end - 1
 *   RANDOM_TEST(sentence, rounds) { .. }, one for each _i with the source `random` of that seed
 *   SUITE(NAME) { .. }, where a suite has more to set up: it gets its `tests`. */
typedef struct listed_test {
  const TTest* test;
  int signal, first, end;
  const char* file;
  void (*set_up)(TCase* tests);
  struct listed_test* next;
} listed_test;

void list_test(listed_test* listed);

#define SIGNAL_TEST(name, signal, first, end)                                        \
  static void name##_fn(int _i);                                                     \
  static const TTest name##_ttest = {#name, name##_fn, __FILE__, __LINE__};          \
  __attribute__((constructor)) static void name##_listed(void) {                     \
    static listed_test listed;                                                       \
    listed = (listed_test){&name##_ttest, signal, first, end, __FILE__, NULL, NULL}; \
    list_test(&listed);                                                              \
  }                                                                                  \
  static void name##_fn(int _i CK_ATTRIBUTE_UNUSED)
#define LOOP_TEST(name, first, end) SIGNAL_TEST(name, 0, first, end)
#define TEST(name) LOOP_TEST(name, 0, 1)
#define RANDOM_TEST(name, rounds)                      \
  static void name##_of(int _i, random_source random); \
  LOOP_TEST(name, 0, rounds) {                         \
    name##_of(_i, (random_source){(uint64_t)_i});      \
  }                                                    \
  static void name##_of(int _i CK_ATTRIBUTE_UNUSED, random_source random)

#define SUITE(name)                                                             \
  static void name##_set_up(TCase* tests);                                      \
  __attribute__((constructor)) static void name##_listed(void) {                \
    static listed_test listed = {NULL, 0, 0, 0, __FILE__, name##_set_up, NULL}; \
    list_test(&listed);                                                         \
  }                                                                             \
  static void name##_set_up(TCase* tests)

/* ck_assert() for loops, which records no location. */
#define require(condition)                                    \
  do {                                                        \
    if (!(condition)) ck_abort_msg("not so: %s", #condition); \
  } while (0)

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

/* The call fails with this error, and names this field and element. */
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

/* The call refuses NULL in place of this parameter, and a range past the end. */
#define expect_null(call, field) expect_error(call, WEFT_ERROR_NULL, field)
#define expect_past_end(call) expect_error(call, WEFT_ERROR_INDEX, "first + count")

/* Attribute of a range: read into packed elements; set, or added to, from values of a stride. */
#define expect_get(world, attribute, first, count, values) \
  expect_ok(weft_world_get(world, attribute, weft_range(first, count), values, 0))
#define expect_set(world, attribute, first, count, ...) \
  expect_ok(weft_world_set(world, attribute, weft_range(first, count), __VA_ARGS__))
#define expect_add(world, attribute, first, count, ...) \
  expect_ok(weft_world_add(world, attribute, weft_range(first, count), __VA_ARGS__))

#endif
