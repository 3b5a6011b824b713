/* Files to read: opened, or whole in memory. */
#ifndef TOOLS_COMMON_FILE_BYTES_H
#define TOOLS_COMMON_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/message.h"

/* Opens a regular file to read; never waits for a pipe. NULL on failure; `why` does not name the
 * file. Close it with fclose(). */
FILE* tool_open_regular(const char* path, tool_message* why);

typedef struct tool_bytes {
  char* text; /* [length], then '\0' */
  size_t length;
} tool_bytes;

/* Reads a file of 1 to `upper` bytes. Free `bytes->text` with free(). `why` does not name the file.
 */
bool tool_read_file(const char* path, size_t upper, tool_bytes* bytes, tool_message* why);

#endif
