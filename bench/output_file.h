/* A file that appears whole or not at all. */
#ifndef BENCH_OUTPUT_FILE_H
#define BENCH_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "message.h"

typedef struct bench_output {
  const char* path; /* where it is to be */
  char* temporary;  /* where it is until it is whole: in the same folder, so that a rename does */
  FILE* stream;
} bench_output;

/* Can a regular file be put at `path`? Changes nothing. */
bool bench_can_write(const char* path, bench_message* why);

/* False in a debug build, where the option that asks for a file of results is given (not NULL). */
bool bench_check_build(const char* option, bench_message* why);

bool bench_output_open(const char* path, bench_output* output, bench_message* why);

/* Moves the file to its place if all was written well, and removes it otherwise. */
bool bench_output_close(bench_output* output, bool written, bench_message* why);

#endif
