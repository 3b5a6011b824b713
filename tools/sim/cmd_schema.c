/* weft-sim schema: the keys of scene files. */
#include "common/command_line.h"
#include "sim/commands.h"
#include "sim/file/tables.h"

int command_schema(int argc, char** argv) {
  static const tool_option options[] = {TOOL_OPTIONS_END};
  static const tool_syntax syntax = {
      "schema",
      "Usage: weft-sim schema\n",
      "Prints the keys of scene files as tables in Markdown, as in docs/scene-files.md.",
      options,
      NULL,
      NULL};
  const int outcome = tool_read_command_line(&syntax, argc, argv, NULL);
  if (outcome != TOOL_GO_ON) return outcome;
  sim_print_reference(stdout);
  return TOOL_EXIT_OK;
}
