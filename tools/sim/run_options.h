/* Command line of weft-sim run. */
#ifndef TOOLS_SIM_RUN_OPTIONS_H
#define TOOLS_SIM_RUN_OPTIONS_H

#include "sim/run.h"

enum { SIM_MOST_SETS = 64 };

typedef struct sim_run_options {
  const char* name;
  sim_settings sim;
  const char* sets[SIM_MOST_SETS];
  const char* fabric;
  char fabric_set[64]; /* fabric=NAME */
  const char* json_path;
  const char* measures_path;
  const char* trace_path;
  const char* table_path;
  const char* cache_path;
  const char* mesh_path;
  const char* save_path;
  const char* restore_path;
  double save_at; /* seconds; negative = at the end */
  double fps;     /* frames of the cache a second */
  uint32_t measures_every;
  uint32_t trace_from, trace_steps; /* first step and number of steps */
  bool real_time;
  bool explain;
  bool quiet;
  bool no_summary; /* quiet, or a file takes standard output */
} sim_run_options;

/* Reads the command line. Returns TOOL_GO_ON or the exit status; `settings` must not move: it has
 * pointers into itself. */
int sim_read_run_options(int argc, char** argv, sim_run_options* settings);

#endif
