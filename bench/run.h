/* The course of every command that measures: command line, machine, measurement, tables, files.
 *
 * The JSON file is {"schema": "weft-bench/1", "machine": {...}, "results": [{...}, ...]}, with
 * further keys of some commands. Numbers have full precision and are null if not finite. The CSV
 * file has the same rows. Files are written under another name and renamed. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "common/trace_file.h"
#include "plan.h"
#include "rows.h"

typedef struct bench_session {
  bench_machine machine;
  bench_output output;
  tool_trace* trace; /* during measure(); NULL = none */
  bool keeps_trace;
  FILE* tables;       /* standard error if a file is standard output */
  bench_rows results; /* filled by measure(); complete() sets the type */
} bench_session;

typedef struct bench_command {
  tool_syntax syntax;  /* with BENCH_OUTPUT_OPTIONS; settings begin with a bench_plan */
  bool shows_topology; /* prints topology and load around the tables */
  /* checks the settings and fills in defaults */
  bool (*complete)(void* settings, bench_session* session, tool_message* why);
  /* prints the tables; false without a message when interrupted */
  bool (*measure)(void* settings, bench_session* session, tool_message* why);
  /* writes the files; NULL = bench_write_results() without further keys */
  bool (*write)(const void* settings, const bench_session* session, tool_message* why);
} bench_command;

/* Returns the exit status. Ctrl-C is caught from here on. Debug builds write no results, nor does
 * an interrupted run, except a trace of the steps so far. */
int bench_run(const bench_command* command, void* settings, int argc, char** argv);

/* Writes the requested files. Keys of `more`, NULL = none, are added to the JSON file, and `more`
 * is freed. */
bool bench_write_results(const bench_session* session, json_t* more, tool_message* why);

#endif
