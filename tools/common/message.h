/* Error message: filled by the function that fails, printed by the sub-command. */
#ifndef TOOLS_COMMON_MESSAGE_H
#define TOOLS_COMMON_MESSAGE_H

#include <stdbool.h>

/* Name of the program: each program of the tools defines it. */
extern const char tool_name[];

typedef struct tool_message {
  char text[1024];
} tool_message;

/* Formats the message and returns false, so that a function fails in one line:
 * `return tool_because(why, "%s: is empty", path);` */
bool tool_because(tool_message* why, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Prints on stderr, after the name of the program. */
void tool_print_error(const tool_message* why);
void tool_warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

#endif
