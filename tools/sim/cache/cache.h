/* Positions over time, in files that other programs open: docs/files.md has the formats. */
#ifndef TOOLS_SIM_CACHE_H
#define TOOLS_SIM_CACHE_H

#include "sim/run.h"

typedef struct sim_cache sim_cache;

/* Error if the extension of `path` is not one of a cache, or one of a mesh, or if its files cannot
 * be written. `option` is named where the command line is at fault. Changes nothing. */
bool sim_cache_check(const char* option, const char* path, bool is_mesh, bool* misused,
                     tool_message* why);

/* Opens a cache and writes the state before the first step. Frame k is the state k / fps seconds
 * after it, by the time scale; between two steps positions are interpolated linearly, and cells are
 * those after the later step. Needs sim_settings.keeps_cells. */
bool sim_cache_open(const char* path, double fps, const sim_run* run, sim_cache** cache,
                    tool_message* why);

/* True if each rank writes its own particles to a file of this name: all ranks have the cache then,
 * and need no state of the others. Else the first one has it alone. */
bool sim_cache_is_shared(const char* path, const sim_run* run);

/* Writes the frames that are due after the last step. */
bool sim_cache_step(sim_cache* cache, const sim_run* run, tool_message* why);

/* Lists the rank's own particles anew, once they have changed their ranks. Collective, of a file
 * that ranks share; else nothing is to be done. */
bool sim_cache_redistribute(sim_cache* cache, const sim_run* run, tool_message* why);

/* Puts the files of the frames so far in their places if they are kept, and removes them otherwise;
 * numbered files are in their places already, and stay. Sets the pointer to NULL. */
bool sim_cache_close(sim_cache** cache, bool is_kept, tool_message* why);

/* Writes the present state as a mesh. Needs sim_settings.keeps_cells. */
bool sim_mesh_write(const char* path, const sim_run* run, tool_message* why);

#endif
