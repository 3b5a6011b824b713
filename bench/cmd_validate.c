/* weft-bench validate: weft against closed forms. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/interrupt.h"
#include "common/near.h"
#include "common/options.h"
#include "common/output_file.h"
#include "run.h"
#include "text_table.h"
#include "validate/document.h"
#include "validate/validate.h"

enum { MOST_TESTS = 64 };

typedef struct validate_settings {
  bool is_chosen[MOST_TESTS]; /* by number; none = all */
  bool is_any_chosen;
  bool quick;
  uint32_t threads; /* 0 = all cores */
  const char* document_path;
  uint32_t missed;
} validate_settings;

enum { OPTION_THREADS = TOOL_OPTION_OWN, OPTION_QUICK, OPTION_LIST, OPTION_MARKDOWN };

static const struct option options[] = {
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"quick", no_argument, NULL, OPTION_QUICK},
    {"list", no_argument, NULL, OPTION_LIST},
    {"markdown", required_argument, NULL, OPTION_MARKDOWN},
    BENCH_OUTPUT_OPTIONS,
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench validate [TEST...] [OPTION...]\n"
    "       weft-bench validate --list\n"
    "\n"
    "Compares weft with closed forms: bending, stretch, vibration, motion, friction, drape. Each\n"
    "row has the expected and the measured quantity, its error and tolerance, the settings of the\n"
    "world and the time of a step.\n"
    "\n"
    "  --list               print the tests and leave\n"
    "  --quick              a part of the cases, below a minute\n"
    "  --threads N          threads of each world (default all cores)\n"
    "  --markdown FILE      write the page docs/validation.md\n"
    "\n",
    bench_output_help,
    "'tools/plot.sh validate FILE.json FILE.svg' draws the errors.\n"
    "\n"
    "Exit status: 0 success, 1 a tolerance is missed, 2 error, 130 Ctrl-C.\n",
    NULL,
};

// ---- the command line ----

static bool take(void* target, int option, const char* value, tool_message* why) {
  validate_settings* settings = target;
  switch (option) {
    case OPTION_THREADS:
      return tool_parse_count("--threads", value, (tool_range){1, WEFT_MAX_WORKERS},
                              &settings->threads, why);
    case OPTION_QUICK:
      return settings->quick = true;
    case OPTION_MARKDOWN:
      return settings->document_path = value, tool_can_write(value, why);
    default:
      return tool_because(why, "--list: stands alone");
  }
}

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

static int print_tests(void) {
  for (uint32_t t = 0; t < validate_test_count; ++t) {
    printf("%-12s %s\n", validate_tests[t].name, validate_tests[t].summary);
  }
  return TOOL_EXIT_OK;
}

static bool complete(void* target, bench_session* session, tool_message* why) {
  validate_settings* settings = target;
  session->results.type = &validate_row_type;
  if (settings->threads == 0) settings->threads = session->machine.available_cpus;
  return !tool_is_standard_output(settings->document_path) ||
         tool_because(why, "--markdown: standard output is for tables");
}

// ---- the run ----

static bool is_wanted(const validate_settings* settings, uint32_t number) {
  return !settings->is_any_chosen || settings->is_chosen[number];
}

static uint32_t case_count(const validate_settings* settings, uint32_t number) {
  const validate_test* test = &validate_tests[number];
  return settings->quick ? test->quick_count : test->count;
}

/* Thousandths of a second that a case takes, about. */
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

static void format_row(const void* item, bench_text_row* text) {
  const validate_row* row = item;
  char number[VALIDATE_CELL];
  snprintf(text->cells[0], BENCH_MAX_CELL, "%s", row->test);
  snprintf(text->cells[1], BENCH_MAX_CELL, "%.*s", BENCH_MAX_CELL - 1, row->check);
  validate_format(text->cells[2], row->expected);
  validate_format(number, row->measured);
  snprintf(text->cells[3], BENCH_MAX_CELL, "%s %s", number, row->unit);
  validate_format_error(text->cells[4], row, row->error);
  validate_format_error(text->cells[5], row, row->tolerance);
  snprintf(text->cells[6], BENCH_MAX_CELL, "%s", row->holds ? "yes" : "missed");
  snprintf(text->cells[7], BENCH_MAX_CELL, "%.3g", row->step_ms);
}

static void print_test(FILE* out, const validate_row* rows, size_t count) {
  static const char* const heads[] = {"test",  "check",     "expected", "measured",
                                      "error", "tolerance", "holds",    "ms/step"};
  if (count == 0) return;
  bench_text_rows_print(out, heads, "llrrrrlr", rows, count, sizeof *rows, format_row);
  fflush(out);
}

static void count_missed(validate_settings* settings, const bench_session* session) {
  const validate_row* rows = session->results.items;
  for (size_t i = 0; i < session->results.count; ++i) settings->missed += !rows[i].holds;
  fprintf(session->tables, "%zu checks, %u missed\n", session->results.count, settings->missed);
}

static bool measure(void* target, bench_session* session, tool_message* why) {
  validate_settings* settings = target;
  tool_progress progress = start_progress(settings, session->quiet);
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
    if (added > 0)
      print_test(session->tables, (validate_row*)session->results.items + first, added);
  }
  if (!has_memory) return tool_because(why, "no memory for the tests");
  count_missed(settings, session);
  return true;
}

static bool write_files(const void* target, const bench_session* session, tool_message* why) {
  const validate_settings* settings = target;
  const char* path = settings->document_path;
  return bench_write_results(session, why) &&
         (!path || validate_write_document(path, &session->machine, settings->quick,
                                           &session->results, why));
}

int command_validate(int argc, char** argv) {
  static const bench_command command = {.name = "validate",
                                        .help = help,
                                        .options = options,
                                        .take = take,
                                        .take_word = take_word,
                                        .complete = complete,
                                        .measure = measure,
                                        .write = write_files};
  validate_settings settings = {.threads = 0};
  if (argc == 2 && strcmp(argv[1], "--list") == 0) return print_tests();
  const int status = bench_run(&command, &settings, argc, argv);
  return status == TOOL_EXIT_OK && settings.missed > 0 ? BENCH_EXIT_MISSED : status;
}
