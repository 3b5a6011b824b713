/* Each sub-command reads its own command line, argv[0] being its name, and returns the exit status.
 */
#ifndef TOOLS_SIM_COMMANDS_H
#define TOOLS_SIM_COMMANDS_H

/* A scene or a file that cannot be run or written; TOOL_EXIT_ERROR is for command lines. */
enum { SIM_EXIT_FAILED = 1 };

int command_check(int argc, char** argv);
int command_list(int argc, char** argv);
int command_run(int argc, char** argv);
int command_schema(int argc, char** argv);

#endif
