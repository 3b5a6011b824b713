/* Error message: filled by the function that fails, printed by the sub-command. */
#ifndef TOOLS_COMMON_MESSAGE_H
#define TOOLS_COMMON_MESSAGE_H

#include <stdbool.h>

/* Defined by each program. */
extern const char tool_name[];

typedef struct tool_message {
  char text[1024];
} tool_message;

/* Formats the message and returns false: `return tool_because(why, "%s: is empty", path);` */
bool tool_because(tool_message* why, const char* format, ...) __attribute__((format(printf, 2, 3)));

/* Prints on stderr, after the program's name. */
void tool_print_error(const tool_message* why);
void tool_warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

#endif
