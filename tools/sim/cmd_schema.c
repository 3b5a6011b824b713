/* weft-sim schema: the keys of scene files. */
#include <stdio.h>

#include "common/command_line.h"
#include "sim/commands.h"
#include "sim/file/tables.h"

static const struct option options[] = {TOOL_COMMON_OPTIONS};

static const char* const help[] = {
    "Usage: weft-sim schema\n"
    "\n"
    "Prints the keys of scene files as tables in Markdown, as in docs/scene-files.md.\n"
    "\n"
    "  --help, --version\n",
    NULL,
};

static bool take(void* settings, int option, const char* value, tool_message* why) {
  (void)settings;
  (void)option;
  return tool_because(why, "unexpected option '%s'", value);
}

int command_schema(int argc, char** argv) {
  const tool_syntax syntax = {"schema", help, options, take, NULL};
  const int outcome = tool_read_command_line(&syntax, argc, argv, NULL);
  if (outcome != TOOL_GO_ON) return outcome;
  sim_print_reference(stdout);
  return TOOL_EXIT_OK;
}
