#include "common/commands.h"

#include <stdio.h>
#include <string.h>

#include "common/command_line.h"
#include "common/near.h"

enum { MAX_COMMANDS = 32 };

static int print_help(const tool_commands* commands, FILE* out, int status) {
  fprintf(out, "Usage: %s COMMAND %s\n\nCommands:\n", tool_name, commands->arguments);
  for (size_t i = 0; i < commands->count; ++i) {
    fprintf(out, "  %-12s %s\n", commands->of[i].name, commands->of[i].summary);
  }
  fprintf(out,
          "  help         print this text, or the --help of a command\n\n"
          "'%s COMMAND --help' lists its options; --version prints the version.\n",
          tool_name);
  return status;
}

static int refuse(const tool_commands* commands, const char* word) {
  const char* names[MAX_COMMANDS];
  size_t count = 0;
  while (count < commands->count && count < MAX_COMMANDS) {
    names[count] = commands->of[count].name;
    ++count;
  }
  const char* near = tool_nearest(word, names, count);
  fprintf(stderr, "%s: '%s' is not a command", tool_name, word);
  if (near) fprintf(stderr, " (did you mean %s?)", near);
  fprintf(stderr, "\nTry '%s --help'.\n", tool_name);
  return TOOL_EXIT_ERROR;
}

int tool_run_command(const tool_commands* commands, int argc, char** argv) {
  if (argc < 2) return print_help(commands, stderr, TOOL_EXIT_ERROR);
  const char* word = argv[1];
  const bool helps = strcmp(word, "help") == 0;
  if (helps && argc == 2) return print_help(commands, stdout, TOOL_EXIT_OK);
  if (helps) word = argv[2];
  for (size_t i = 0; i < commands->count; ++i) {
    const tool_command* command = &commands->of[i];
    if (strcmp(word, command->name) != 0) continue;
    char* help_line[] = {argv[1], (char[]){"--help"}, NULL};
    return helps ? command->run(2, help_line) : command->run(argc - 1, argv + 1);
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    return print_help(commands, stdout, TOOL_EXIT_OK);
  }
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    return tool_print_version(), TOOL_EXIT_OK;
  }
  return refuse(commands, word);
}
