/* weft-bench: measures weft against a serial Gauss-Seidel loop and against the machine. */
#include "commands.h"
#include "common/command_line.h"
#include "common/commands.h"
#include "common/memory_limit.h"

static const tool_command commands[] = {
    {"throughput", command_throughput, "time whole steps against the serial baseline"},
    {"scaling", command_scaling, "time steps by number of threads, also beside busy ones"},
    {"profile", command_profile, "time the stages of a step, with traffic and counters"},
    {"quality", command_quality, "compare methods by remaining stretch and time a step"},
    {"contacts", command_contacts, "time a scene of weft-sim with contacts and without"},
    {"growth", command_growth, "time contacts of growing scenes"},
    {"limits", command_limits, "measure the machine's limits, and the share that scenes reach"},
    {"validate", command_validate, "compare with closed forms: bending, motion, friction, drape"},
    {"snapshot", command_snapshot, "time of saving and restoring a world, against a memory copy"},
    {"hash", command_hash, "check that all instruction sets and threads give the same bits"},
};

int main(int argc, char** argv) {
  const tool_commands all = {commands, sizeof commands / sizeof commands[0], "[OPTION...]"};
  tool_limit_memory();
  return tool_finish_output(tool_run_command(&all, argc, argv), TOOL_EXIT_ERROR);
}
