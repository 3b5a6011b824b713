/* Reports of a run: a summary, and files of JSON and CSV: docs/weft-sim.md. */
#ifndef TOOLS_SIM_REPORT_H
#define TOOLS_SIM_REPORT_H

#include <jansson.h>

#include "common/output_file.h"
#include "sim/run.h"

/* Seconds to 7 digits: steps are whole nanoseconds, and 6 of them at 60 a second last 0.100000002
 * s. */
double sim_seconds(double seconds);

/* All settings in use, with the scene's parameters and the world's def. NULL without memory. */
json_t* sim_run_settings(const sim_run* run);

void sim_print_summary(FILE* out, const sim_run* run, const sim_facts* facts);

/* Paths of "-" are standard output. */
bool sim_write_json(const char* path, const sim_run* run, const sim_facts* facts,
                    tool_message* why);

/* The scene must have a table. */
bool sim_write_table(const char* path, const sim_run* run, tool_message* why);

/* One row of numbers a step. */
typedef struct sim_measures {
  tool_output output;
  uint64_t every; /* steps from row to row */
} sim_measures;

/* Opens the file; writes the head and the row of the first state. */
bool sim_measures_open(const char* path, uint64_t every, const sim_run* run, sim_measures* to,
                       tool_message* why);

/* Writes a row if one is due: every `every` steps, and at the end of the run. */
bool sim_measures_step(sim_measures* to, const sim_run* run, tool_message* why);

/* Moves the file to its place if all went well, else removes it. */
bool sim_measures_close(sim_measures* to, bool whole, tool_message* why);

#endif
