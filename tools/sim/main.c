/* weft-sim: runs scenes by name and from files. */
#include "common/command_line.h"
#include "common/commands.h"
#include "common/memory_limit.h"
#include "sim/commands.h"

static const tool_command commands[] = {
    {"check", command_check, "print what bodies are made of, and contacts that suit them"},
    {"list", command_list, "list the scenes, or the parameters of one"},
    {"run", command_run, "run a scene, by name or from a file"},
    {"schema", command_schema, "print the keys of scene files"},
};

int main(int argc, char** argv) {
  const tool_commands all = {commands, sizeof commands / sizeof commands[0], "[ARGUMENT...]"};
  tool_limit_memory();
  return tool_finish_output(tool_run_command(&all, argc, argv), SIM_EXIT_FAILED);
}
