/* main() of all programs of suites. */
#include <stdio.h>

#include "support/made.h"
#include "support/suite.h"

enum { SECONDS_OF_A_TEST = 600, MOST_SUITES = 64 };

static listed_test* first_listed;

void list_test(listed_test* listed) {
  static listed_test** end = &first_listed;
  *end = listed;
  end = &listed->next;
}

typedef struct suite {
  char name[64];
  Suite* suite;
  TCase* tests;
} suite;

static suite suites[MOST_SUITES];
static int suite_count;

static suite* find(const char* name) {
  for (int i = 0; i < suite_count; ++i) {
    if (strcmp(suites[i].name, name) == 0) return &suites[i];
  }
  return NULL;
}

// suite NAME of a file .../test_NAME.c; made when it is first asked for
static suite* suite_of(const char* file) {
  char name[64];
  snprintf(name, sizeof(name), "%s", strrchr(file, '/') + strlen("/test_"));
  name[strlen(name) - strlen(".c")] = '\0';
  suite* found = find(name);
  if (found != NULL || suite_count == MOST_SUITES) return found;
  found = &suites[suite_count++];
  memcpy(found->name, name, sizeof(name));
  found->suite = suite_create(found->name);
  found->tests = tcase_create(found->name);
  tcase_set_timeout(found->tests, SECONDS_OF_A_TEST);
  tcase_add_checked_fixture(found->tests, begin_test, end_test);
  suite_add_tcase(found->suite, found->tests);
  return found;
}

// The thread sanitizer, the slowest, runs only tests of several threads: rooms parallel and
// cluster, and tests whose names have one of these words. tests/CMakeLists.txt leaves out suites
// without such a test.
static bool is_run(const TTest* test) {
#ifdef __SANITIZE_THREAD__
  return strstr(test->name, "worker") != NULL || strstr(test->name, "thread") != NULL ||
         strstr(test->name, "rank") != NULL || strstr(test->file, "/parallel/") != NULL ||
         strstr(test->file, "/cluster/") != NULL;
#else
  (void)test;
  return true;
#endif
}

static void make_suites(void) {
  for (const listed_test* t = first_listed; t != NULL; t = t->next) {
    TCase* tests = suite_of(t->file)->tests;
    if (t->set_up != NULL) t->set_up(tests);
    if (t->test == NULL || !is_run(t->test)) continue;
    tcase_add_loop_test_raise_signal(tests, t->test, t->signal, t->first, t->end);
  }
}

static void print_suites(FILE* out) {
  for (int i = 0; i < suite_count; ++i) fprintf(out, "%s\n", suites[i].name);
}

int main(int argc, char** argv) {
  make_suites();
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    print_suites(stdout);
    return EXIT_SUCCESS;
  }
  SRunner* runner = srunner_create(NULL);
  for (int i = 0; i < suite_count && argc == 1; ++i) srunner_add_suite(runner, suites[i].suite);
  for (int i = 1; i < argc; ++i) {
    const suite* named = find(argv[i]);
    if (named == NULL) {
      fprintf(stderr, "usage: %s [--list | SUITE...], all by default\n%s: no suite '%s' among\n",
              argv[0], argv[0], argv[i]);
      print_suites(stderr);
      return 2;
    }
    srunner_add_suite(runner, named->suite);
  }
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
