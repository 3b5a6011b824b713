/* A file that appears whole or not at all. */
#ifndef TOOLS_COMMON_OUTPUT_FILE_H
#define TOOLS_COMMON_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/message.h"

typedef struct tool_output {
  const char* path; /* where it is to be */
  char* temporary;  /* where it is until it is whole: in the same folder, so that a rename does */
  FILE* stream;
} tool_output;

/* Can a regular file be put at `path`? Changes nothing. */
bool tool_can_write(const char* path, tool_message* why);

bool tool_output_open(const char* path, tool_output* output, tool_message* why);

/* Moves the file to its place if all was written well, and removes it otherwise. */
bool tool_output_close(tool_output* output, bool written, tool_message* why);

#endif
