/* weft-sim: runs scenes by name and out of files. The sub-commands are below. */
#include <stdio.h>
#include <string.h>

#include "common/command_line.h"
#include "common/near.h"
#include "sim/commands.h"

typedef struct command {
  const char* name;
  int (*run)(int argc, char** argv);
  const char* summary;
} command;

static const command commands[] = {
    {"list", command_list, "list the scenes, or the parameters of one"},
    {"run", command_run, "run a scene, by name or from a file"},
    {"schema", command_schema, "print the keys of scene files"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static int print_help(FILE* out, int status) {
  fputs("Usage: weft-sim COMMAND [ARGUMENT...]\n\nCommands:\n", out);
  for (size_t i = 0; i < COMMAND_COUNT; ++i) {
    fprintf(out, "  %-12s %s\n", commands[i].name, commands[i].summary);
  }
  fputs("  help         print this text, or the --help of a command\n", out);
  fputs(
      "\n'weft-sim COMMAND --help' lists the options of a command; --version prints the version.\n",
      out);
  return status;
}

static int refuse(const char* word) {
  const char* names[COMMAND_COUNT];
  for (size_t i = 0; i < COMMAND_COUNT; ++i) names[i] = commands[i].name;
  const char* near = tool_nearest(word, names, COMMAND_COUNT);
  fprintf(stderr, "weft-sim: '%s' is not a command", word);
  if (near) fprintf(stderr, " (did you mean %s?)", near);
  fputs("\nTry 'weft-sim --help'.\n", stderr);
  return TOOL_EXIT_ERROR;
}

static int run(int argc, char** argv) {
  if (argc < 2) return print_help(stderr, TOOL_EXIT_ERROR);
  const char* word = argv[1];
  const bool helps = strcmp(word, "help") == 0;
  if (helps && argc == 2) return print_help(stdout, TOOL_EXIT_OK);
  if (helps) word = argv[2];
  for (size_t i = 0; i < COMMAND_COUNT; ++i) {
    if (strcmp(word, commands[i].name) != 0) continue;
    char* help_line[] = {argv[1], (char[]){"--help"}, NULL};
    return helps ? commands[i].run(2, help_line) : commands[i].run(argc - 1, argv + 1);
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return print_help(stdout, 0);
  if (strcmp(word, "--version") == 0) return tool_print_version(), TOOL_EXIT_OK;
  return refuse(word);
}

int main(int argc, char** argv) {
  const int status = run(argc, argv);
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  perror("weft-sim: standard output");
  return status == TOOL_EXIT_OK ? SIM_EXIT_FAILED : status;
}
