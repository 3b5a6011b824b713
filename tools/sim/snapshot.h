/* Snapshots of a run in a file: the world's, and the scene's own state. */
#ifndef TOOLS_SIM_SNAPSHOT_H
#define TOOLS_SIM_SNAPSHOT_H

#include "sim/run.h"

/* Writes the file, which appears whole or not at all. */
bool sim_run_save(sim_run* run, const char* path, tool_message* why);

/* Parameters of the saved run. */
typedef struct sim_origin {
  const char* sets[SIM_MOST_PARAMS]; /* "name=value" [set_count] */
  size_t set_count;
  char* texts; /* memory of the sets */
} sim_origin;

/* Settings of a run of the scene `name` to be restored from the file. Settings not given become the
 * saved run's; given substeps hold after the restore. SIM_FAILED if the file is no snapshot of the
 * scene, SIM_MISUSED if a given setting must be the snapshot's and differs. Free with
 * sim_origin_free() in any case, once the run is created. */
sim_outcome sim_origin_read(const char* path, const char* name, sim_settings* settings,
                            sim_origin* origin, tool_message* why);

void sim_origin_free(sim_origin* origin);

/* Takes the run to its saved state. False, with `why`, if the file is no snapshot, altered,
 * truncated, of another version, scene or settings; then only sim_run_destroy() may follow. */
bool sim_run_restore(sim_run* run, const char* path, tool_message* why);

#endif
