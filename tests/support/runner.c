/* main() of all programs of suites. */
#include "support/runner.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_OF_A_TEST 600

static const suite_entry* find(const char* name) {
  for (const suite_entry* suite = suites; suite->name != NULL; ++suite) {
    if (strcmp(suite->name, name) == 0) return suite;
  }
  return NULL;
}

static void list(FILE* out) {
  for (const suite_entry* suite = suites; suite->name != NULL; ++suite) {
    fprintf(out, "%s\n", suite->name);
  }
}

static Suite* new_suite(const suite_entry* entry) {
  Suite* suite = suite_create(entry->name);
  TCase* tests = tcase_create(entry->name);
  tcase_set_timeout(tests, SECONDS_OF_A_TEST);
  entry->add_tests(tests);
  suite_add_tcase(suite, tests);
  return suite;
}

// all suites, or those named on the command line
static SRunner* new_runner(int count, char** names) {
  SRunner* runner = srunner_create(NULL);
  for (const suite_entry* suite = suites; count == 0 && suite->name != NULL; ++suite) {
    srunner_add_suite(runner, new_suite(suite));
  }
  for (int i = 0; i < count; ++i) srunner_add_suite(runner, new_suite(find(names[i])));
  return runner;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    list(stdout);
    return EXIT_SUCCESS;
  }
  for (int i = 1; i < argc; ++i) {
    if (find(argv[i]) != NULL) continue;
    fprintf(stderr, "usage: %s [--list | SUITE...], all by default\n%s: no suite '%s' among\n",
            argv[0], argv[0], argv[i]);
    list(stderr);
    return 2;
  }
  SRunner* runner = new_runner(argc - 1, argv + 1);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
