/* The suites of a program: tests/CMakeLists.txt writes the list. */
#ifndef TESTS_SUPPORT_RUNNER_H
#define TESTS_SUPPORT_RUNNER_H

#include <check.h>

typedef struct suite_entry {
  const char* name;
  void (*add_tests)(TCase* tests);
} suite_entry;

/* By name; the last has none. */
extern const suite_entry suites[];

#endif
