/* Positions over time, in files that other programs open: docs/files.md has the formats. */
#ifndef TOOLS_SIM_CACHE_H
#define TOOLS_SIM_CACHE_H

#include "sim/run.h"

typedef struct sim_cache sim_cache;

/* Error if the extension of `path` is not a cache's, or a mesh's, or its files cannot be written.
 * `option` is named for faults of the command line. Changes nothing. */
bool sim_cache_check(const char* option, const char* path, bool is_mesh, bool* misused,
                     tool_message* why);

/* Opens a cache and writes the state before the first step. Frame k is the state k / fps seconds
 * later, by the time scale; between two steps positions are interpolated linearly, and cells are
 * the later step's. Needs sim_settings.keeps_cells. */
bool sim_cache_open(const char* path, double fps, const sim_run* run, sim_cache** cache,
                    tool_message* why);

/* True if ranks write their own particles to a file of this name: all ranks have the cache, and
 * need no state of the others. Else only the first has it. */
bool sim_cache_is_shared(const char* path, const sim_run* run);

/* Writes the frames that are due after the last step. */
bool sim_cache_step(sim_cache* cache, const sim_run* run, tool_message* why);

/* Lists the rank's own particles anew, after they have changed ranks. Collective for a shared file;
 * else does nothing. */
bool sim_cache_redistribute(sim_cache* cache, const sim_run* run, tool_message* why);

/* Moves the files of the frames so far to their places if they are kept, else removes them;
 * numbered files stay. Sets the pointer to NULL. */
bool sim_cache_close(sim_cache** cache, bool is_kept, tool_message* why);

/* Writes the present state as a mesh. Needs sim_settings.keeps_cells. */
bool sim_mesh_write(const char* path, const sim_run* run, tool_message* why);

#endif
