/* The course of every command that measures: it reads the command line, prints the machine,
 * measures and prints tables, and writes files.
 *
 * The JSON file is {"schema": "weft-bench/1", "machine": {...}, "results": [{...}, ...]}; `limits`
 * and `quality` add a key. Numbers have their full precision and are null if not finite. The CSV
 * file has the same rows. A file is written under another name and then renamed, so it is never
 * seen half written. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <stdio.h>

#include "common/command_line.h"
#include "common/trace_file.h"
#include "machine.h"
#include "rows.h"

typedef struct bench_session {
  bench_machine machine;
  const char* json_path; /* NULL = none */
  const char* csv_path;  /* NULL = none */
  const char* trace_path;
  uint32_t trace_steps; /* of each world */
  tool_trace* trace;    /* while measure() runs; NULL = none */
  bool keeps_trace;     /* it was written */
  bool quiet;
  FILE* tables;       /* standard error if a file is standard output */
  bench_rows results; /* of measure(); complete() sets the type */
} bench_session;

enum {
  BENCH_OUTPUT_JSON = TOOL_OPTION_OUTPUT,
  BENCH_OUTPUT_CSV,
  BENCH_OUTPUT_QUIET,
  BENCH_OUTPUT_TRACE,
  BENCH_OUTPUT_TRACE_STEPS,
};

/* clang-format off */
#define BENCH_OUTPUT_OPTIONS                              \
  {"json", required_argument, NULL, BENCH_OUTPUT_JSON},   \
  {"csv", required_argument, NULL, BENCH_OUTPUT_CSV},     \
  {"quiet", no_argument, NULL, BENCH_OUTPUT_QUIET}

/* Of commands that write session.trace. */
#define BENCH_TRACE_OPTIONS                               \
  {"trace", required_argument, NULL, BENCH_OUTPUT_TRACE}, \
  {"trace-steps", required_argument, NULL, BENCH_OUTPUT_TRACE_STEPS}
/* clang-format on */

/* The paragraph of a --help about BENCH_OUTPUT_OPTIONS. */
extern const char bench_output_help[];
extern const char bench_trace_help[];

typedef struct bench_command {
  const char* name;
  const char* const* help;      /* paragraphs, ended by NULL */
  bool shows_topology;          /* prints topology and load around the tables */
  const struct option* options; /* BENCH_OUTPUT_OPTIONS among them, ended by TOOL_COMMON_OPTIONS */
  /* all options but BENCH_OUTPUT_OPTIONS */
  bool (*take)(void* settings, int option, const char* value, tool_message* why);
  /* takes a word that is no option; NULL = there may be none */
  bool (*take_word)(void* settings, const char* word, tool_message* why);
  /* checks the settings and fills in defaults */
  bool (*complete)(void* settings, bench_session* session, tool_message* why);
  /* prints the tables; also false, but without a message, when interrupted */
  bool (*measure)(void* settings, bench_session* session, tool_message* why);
  /* writes the files; NULL = the results alone */
  bool (*write)(const void* settings, const bench_session* session, tool_message* why);
} bench_command;

/* Returns the exit status. Ctrl-C is caught from here on. Results are not written by a debug
 * build, and not after Ctrl-C; a trace is, of the steps so far. */
int bench_run(const bench_command* command, void* settings, int argc, char** argv);

/* Writes the files of session->results. */
bool bench_write_results(const bench_session* session, tool_message* why);

json_t* bench_machine_json(const bench_machine* machine);

/* Writes the files that the command line asks for, and frees the report, NULL if there was no
 * memory for it. */
bool bench_write_files(const bench_session* session, json_t* report, const bench_row_type* type,
                       const void* items, size_t count, tool_message* why);

#endif
