/* weft-bench validate: weft against closed forms. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/interrupt.h"
#include "common/json_file.h"
#include "common/near.h"
#include "run.h"
#include "validate/validate.h"

enum { MOST_TESTS = 64 };

typedef struct validate_settings {
  bench_plan plan;
  bool is_chosen[MOST_TESTS]; /* by number; none = all */
  bool is_any_chosen;
  bool quick, list;
  uint32_t threads; /* 0 = all cores */
  uint32_t missed;
} validate_settings;

#define AT(member) offsetof(validate_settings, member)
static const tool_option options[] = {
    TOOL_OPTION(FLAG, "list", NULL, AT(list), "print the tests and leave"),
    TOOL_OPTION(FLAG, "quick", NULL, AT(quick), "a part of the cases, below a minute"),
    TOOL_RANGE(COUNT, "threads", "N", AT(threads), 1, WEFT_MAX_WORKERS,
               "threads of each world (default all cores)"),
    BENCH_OUTPUT_OPTIONS,
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "From a file of --json tools/validation.py makes the page docs/validation.md, and "
    "'tools/plot.sh validate FILE.json FILE.svg' draws the errors.",
    "Exit status: 0 success, 1 a tolerance is missed, 2 error, 130 Ctrl-C.",
    NULL,
};

static bool take_word(void* target, const char* word, tool_message* why) {
  validate_settings* settings = target;
  const char* names[MOST_TESTS];
  for (uint32_t t = 0; t < validate_test_count; ++t) {
    names[t] = validate_tests[t].name;
    if (strcmp(word, names[t]) != 0) continue;
    return settings->is_chosen[t] = settings->is_any_chosen = true;
  }
  const char* nearest = tool_nearest(word, names, validate_test_count);
  if (nearest) {
    return tool_because(why, "'%s' is not a test (did you mean %s?)", word, nearest);
  }
  return tool_because(why, "'%s' is not a test: see --list", word);
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  validate_settings* settings = target;
  session->results.type = &validate_row_type;
  if (settings->list) return tool_because(why, "--list: stands alone");
  if (settings->threads == 0) settings->threads = session->machine.available_cpus;
  return true;
}

static bool is_wanted(const validate_settings* settings, uint32_t number) {
  return !settings->is_any_chosen || settings->is_chosen[number];
}

static uint32_t case_count(const validate_settings* settings, uint32_t number) {
  const validate_test* test = &validate_tests[number];
  return settings->quick ? test->quick_count : test->count;
}

/* Milliseconds of a case, about. */
static uint64_t case_weight(const validate_test* test) {
  return 1000u * (uint64_t)test->weight / test->count + 1;
}

static tool_progress start_progress(const validate_settings* settings, bool quiet) {
  uint64_t total = 0;
  for (uint32_t t = 0; t < validate_test_count; ++t) {
    if (is_wanted(settings, t)) total += case_weight(&validate_tests[t]) * case_count(settings, t);
  }
  return tool_progress_start(total, quiet);
}

static void run_case(const validate_settings* settings, bench_rows* rows, uint32_t test,
                     uint32_t number, bool* has_memory) {
  validate_run run = {
      .test = validate_tests[test].name, .rows = rows, .threads = settings->threads};
  validate_tests[test].run(&run, number);
  validate_close(&run);
  *has_memory = *has_memory && !run.is_out_of_memory;
}

static void write_expected(char cell[BENCH_MAX_CELL], const void* item) {
  const double expected = ((const validate_row*)item)->expected;
  snprintf(cell, BENCH_MAX_CELL, isfinite(expected) ? "%.4g" : "not finite", expected);
}

static void write_measured(char cell[BENCH_MAX_CELL], const void* item) {
  const validate_row* row = item;
  if (isfinite(row->measured)) {
    snprintf(cell, BENCH_MAX_CELL, "%.4g %s", row->measured, row->unit);
  } else {
    snprintf(cell, BENCH_MAX_CELL, "not finite %s", row->unit);
  }
}

static void format_error(char cell[BENCH_MAX_CELL], const validate_row* row, double error) {
  const char* text = !isfinite(error) ? "not finite" : row->is_absolute ? "%.3g" : "%.3g %%";
  snprintf(cell, BENCH_MAX_CELL, text, row->is_absolute ? error : 100.0 * error);
}

static void write_error(char cell[BENCH_MAX_CELL], const void* item) {
  format_error(cell, item, ((const validate_row*)item)->error);
}

static void write_tolerance(char cell[BENCH_MAX_CELL], const void* item) {
  format_error(cell, item, ((const validate_row*)item)->tolerance);
}

static void write_holds(char cell[BENCH_MAX_CELL], const void* item) {
  snprintf(cell, BENCH_MAX_CELL, ((const validate_row*)item)->holds ? "yes" : "missed");
}

#define ROW validate_row
static const bench_row_type table = BENCH_ROW_TYPE(
    BENCH_TEXT(test), BENCH_TEXT(check), BENCH_WRITTEN("expected", REAL, write_expected),
    BENCH_WRITTEN("measured", REAL, write_measured), BENCH_WRITTEN("error", REAL, write_error),
    BENCH_WRITTEN("tolerance", REAL, write_tolerance), BENCH_WRITTEN("holds", TEXT, write_holds),
    BENCH_CELL("ms/step", step_ms, "%.3g"));

static void count_missed(validate_settings* settings, const bench_session* session) {
  const validate_row* rows = session->results.items;
  for (size_t i = 0; i < session->results.count; ++i) settings->missed += !rows[i].holds;
  fprintf(session->tables, "%zu checks, %u missed\n", session->results.count, settings->missed);
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  validate_settings* settings = target;
  tool_progress progress = start_progress(settings, session->output.quiet);
  bool has_memory = true;
  for (uint32_t t = 0; t < validate_test_count; ++t) {
    const size_t first = session->results.count;
    const uint32_t count = is_wanted(settings, t) ? case_count(settings, t) : 0;
    for (uint32_t i = 0; i < count && has_memory; ++i) {
      run_case(settings, &session->results, t, i, &has_memory);
      tool_progress_add(&progress, case_weight(&validate_tests[t]), validate_tests[t].name);
      if (tool_interrupted()) return tool_progress_end(&progress), false;
    }
    tool_progress_end(&progress);
    const size_t added = session->results.count - first;
    if (added == 0) continue;
    bench_rows_print(session->tables, &table, (validate_row*)session->results.items + first, added);
    fflush(session->tables);
  }
  if (!has_memory) return tool_because(why, "no memory for the tests");
  count_missed(settings, session);
  return true;
}

static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  const validate_settings* settings = target;
  json_t* tests = json_array();
  for (uint32_t t = 0; t < validate_test_count; ++t) {
    const validate_test* test = &validate_tests[t];
    json_array_append_new(tests, json_pack("{ss ss ss}", "name", test->name, "summary",
                                           test->summary, "reference", test->reference));
  }
  return bench_write_results(session,
                             json_pack("{sb so}", "quick", settings->quick, "tests", tests), why);
}

static int print_tests(void) {
  for (uint32_t t = 0; t < validate_test_count; ++t) {
    printf("%-12s %s\n", validate_tests[t].name, validate_tests[t].summary);
  }
  return TOOL_EXIT_OK;
}

int command_validate(int argc, char** argv) {
  static const bench_command command = {
      {"validate",
       "Usage: weft-bench validate [TEST...] [OPTION...]\n"
       "       weft-bench validate --list\n",
       "Compares weft with closed forms: bending, stretch, vibration, motion, friction, drape. "
       "Each row has the expected and the measured quantity, its error and tolerance, the settings "
       "of the world and the time of a step.",
       options, notes, take_word},
      false,
      complete,
      measure,
      write_files};
  validate_settings settings = {.plan = bench_default_plan(NULL)};
  if (argc == 2 && strcmp(argv[1], "--list") == 0) return print_tests();
  const int status = bench_run(&command, &settings, argc, argv);
  return status == TOOL_EXIT_OK && settings.missed > 0 ? BENCH_EXIT_MISSED : status;
}
