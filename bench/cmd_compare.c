/* weft-bench compare: rows of two files of results that are faster, slower or the same. */
#include "commands.h"
#include "common/command_line.h"
#include "common/options.h"
#include "compare.h"

enum { OPTION_THRESHOLD = TOOL_OPTION_OWN, OPTION_ANY_MACHINE };

static const struct option options[] = {
    {"threshold", required_argument, NULL, OPTION_THRESHOLD},
    {"any-machine", no_argument, NULL, OPTION_ANY_MACHINE},
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-bench compare OLD.json NEW.json [OPTION...]\n"
    "\n"
    "Compares the median steps (of limits, the times a link) of two files of results of one\n"
    "command of weft-bench. Rows are matched by scene, size, solver, method, instruction set,\n"
    "threads asked for and settings.\n"
    "\n"
    "  --threshold SHARE    rows that differ by less are within noise, 0 to 1 (default 0.05)\n"
    "  --any-machine        compares files of different machines, too\n"
    "  --help, --version\n"
    "\n"
    "A row is slower or faster if it differs by more than the threshold and by more than its\n"
    "noise: half the distance of the quartiles of either file, both combined as independent\n"
    "errors. Rows in one file alone are named. Rows with other bits have their strain below the\n"
    "table: a time counts together with it.\n"
    "\n"
    "Exit status: 0 nothing slower, 1 at least one row slower, 2 error.\n",
    NULL,
};

static bool take(void* target, int option, const char* value, tool_message* why) {
  bench_compare_request* request = target;
  if (option == OPTION_ANY_MACHINE) return request->any_machine = true;
  return tool_parse_share("--threshold", value, &request->threshold, why);
}

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
  const tool_syntax syntax = {"compare", help, options, take, take_word};
  bench_compare_request request = {.threshold = 0.05};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &request);
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
