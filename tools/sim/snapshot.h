/* Snapshots of a run in a file: the world's, and the scene's own state. */
#ifndef TOOLS_SIM_SNAPSHOT_H
#define TOOLS_SIM_SNAPSHOT_H

#include "sim/run.h"

/* Writes the file, which appears whole or not at all. */
bool sim_run_save(sim_run* run, const char* path, tool_message* why);

/* Takes the run to where it was saved. False, with `why`, where the file is no snapshot, altered,
 * truncated, of another version, scene or settings; then only sim_run_destroy() is left. */
bool sim_run_restore(sim_run* run, const char* path, tool_message* why);

#endif
