/* A file that appears whole or not at all; or standard output, path "-". */
#ifndef TOOLS_COMMON_OUTPUT_FILE_H
#define TOOLS_COMMON_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/message.h"

typedef struct tool_output {
  const char* path; /* final path */
  char* temporary;  /* path until complete, in the same folder; NULL for standard output */
  FILE* stream;
} tool_output;

/* True if a regular file can be put at `path`. Changes nothing. */
bool tool_can_write(const char* path, tool_message* why);

/* True for "-"; false for NULL. */
bool tool_is_standard_output(const char* path);

/* Fails if two of the paths, which may be NULL, are equal; `options` names them. */
bool tool_paths_differ(const char* const* options, const char* const* paths, size_t count,
                       tool_message* why);

/* Stream of tables: standard error if one of the paths is standard output. */
FILE* tool_table_stream(const char* const* paths, size_t count);

/* Opens the file; it must be closed. */
bool tool_output_open(const char* path, tool_output* output, tool_message* why);

/* Moves the file to its place if all was written, else removes it. */
bool tool_output_close(tool_output* output, bool written, tool_message* why);

/* Open files without standard output. */
unsigned tool_open_outputs(void);

#endif
