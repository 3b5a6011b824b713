/* weft-bench: measures weft against a serial Gauss-Seidel loop and against the machine. The
 * sub-commands are below. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/command_line.h"

typedef struct command {
  const char* name;
  int (*run)(int argc, char** argv);
  const char* summary;
} command;

static const command commands[] = {
    {"throughput", command_throughput, "time whole steps against the serial baseline"},
    {"scaling", command_scaling, "time steps by number of threads, also beside busy ones"},
    {"cluster", command_cluster, "predict the time of steps on many ranks and their network"},
    {"profile", command_profile, "time the stages of a step, with traffic and counters"},
    {"quality", command_quality, "compare methods by remaining stretch and time a step"},
    {"contacts", command_contacts, "time a scene of weft-sim with contacts and without"},
    {"growth", command_growth, "time contacts of growing scenes"},
    {"limits", command_limits,
     "measure the limits of the machine, and the share that scenes reach"},
    {"compare", command_compare, "compare two files of results, row by row"},
    {"validate", command_validate, "compare with closed forms: bending, motion, friction, drape"},
    {"snapshot", command_snapshot, "time of saving and restoring a world, against a memory copy"},
    {"hash", command_hash, "check that every instruction set and thread count gives the same bits"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static int print_help(FILE* out, int status) {
  fputs("Usage: weft-bench COMMAND [OPTION...]\n\nCommands:\n", out);
  for (size_t i = 0; i < COMMAND_COUNT; ++i) {
    fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].summary);
  }
  fputs(
      "\n'weft-bench COMMAND --help' lists the options of a command; --version prints the "
      "version.\n",
      out);
  return status;
}

static int run(int argc, char** argv) {
  if (argc < 2) return print_help(stderr, TOOL_EXIT_ERROR);
  const char* word = argv[1];
  for (size_t i = 0; i < COMMAND_COUNT; ++i) {
    if (strcmp(word, commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return print_help(stdout, 0);
  if (strcmp(word, "--version") == 0) return tool_print_version(), TOOL_EXIT_OK;
  fprintf(stderr, "weft-bench: '%s' is not a command\nTry 'weft-bench --help'.\n", word);
  return TOOL_EXIT_ERROR;
}

int main(int argc, char** argv) {
  const int status = run(argc, argv);
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  perror("weft-bench: standard output");
  return status == TOOL_EXIT_OK ? TOOL_EXIT_ERROR : status;
}
