/* The suites of a program: tests/CMakeLists.txt writes the list. */
#ifndef TESTS_SUPPORT_RUNNER_H
#define TESTS_SUPPORT_RUNNER_H

#include <check.h>

typedef struct suite_entry {
  const char* name;
  void (*add_tests)(TCase* tests);
} suite_entry;

/* Suites by name; the last entry has no name. */
extern const suite_entry suites[];

#endif
