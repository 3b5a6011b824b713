/* weft-bench compare: rows of two files of results that are faster, slower or the same. */
#include "commands.h"
#include "compare.h"
#include "option_table.h"

static const bench_option options[] = {
    BENCH_RANGE(REAL, "threshold", "SHARE", offsetof(bench_compare_request, threshold), 0, 1,
                "rows that differ by less are within noise, 0 to 1 (default 0.05)"),
    BENCH_OPTION(FLAG, "any-machine", NULL, offsetof(bench_compare_request, any_machine),
                 "compares files of different machines, too"),
    BENCH_OPTIONS_END,
};

static const char* const notes[] = {
    "A row is slower or faster if it differs by more than the threshold and by more than its "
    "noise: half the distance of the quartiles of either file, both combined as independent "
    "errors. Rows in only one file are named. Rows with other bits have their strain below the "
    "table: a time counts together with it.",
    "Exit status: 0 nothing slower, 1 at least one row slower, 2 error.",
    NULL,
};

static bool take_word(void* target, const char* word, tool_message* why) {
  bench_compare_request* request = target;
  if (request->new_path)
    return tool_because(why, "compare takes two files, and '%s' is one more", word);
  if (request->old_path) {
    request->new_path = word;
  } else {
    request->old_path = word;
  }
  return true;
}

int command_compare(int argc, char** argv) {
  static const bench_syntax syntax = {
      "compare",
      "Usage: weft-bench compare OLD.json NEW.json [OPTION...]\n",
      "Compares the median steps (of limits, the times a link) of two files of results of one "
      "command of weft-bench. Rows are matched by scene, size, solver, method, instruction set, "
      "threads asked for and settings.",
      options,
      notes,
      take_word};
  bench_compare_request request = {.threshold = 0.05};
  tool_message why;
  const int outcome = bench_read_command_line(&syntax, argc, argv, &request);
  if (outcome != TOOL_GO_ON) return outcome;
  bench_comparison comparison;
  if (!request.new_path) {
    tool_because(&why, "compare takes two files: OLD.json NEW.json");
    return tool_fail(&why);
  }
  if (!bench_compare(&request, &comparison, &why)) return tool_fail(&why);
  bench_comparison_print(stdout, &comparison);
  const bool is_slower = comparison.slower > 0;
  bench_comparison_free(&comparison);
  return is_slower ? BENCH_EXIT_SLOWER : TOOL_EXIT_OK;
}
