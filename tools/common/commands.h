/* A program of sub-commands: help, version, the nearest name of an unknown command. */
#ifndef TOOLS_COMMON_COMMANDS_H
#define TOOLS_COMMON_COMMANDS_H

#include <stddef.h>

typedef struct tool_command {
  const char* name;
  int (*run)(int argc, char** argv); /* argv[0] is the name; returns the exit status */
  const char* summary;
} tool_command;

typedef struct tool_commands {
  const tool_command* of;
  size_t count;
  const char* arguments; /* synopsis of a command's arguments */
} tool_commands;

/* Runs the command argv[1]. Returns the exit status. */
int tool_run_command(const tool_commands* commands, int argc, char** argv);

#endif
