/* Scenes out of files: what they hold is in docs/scene-files.md. A file is read and checked as a
 * whole before anything is built, and stays in memory while it runs, so that whatever turns out to
 * be wrong with it, even in the middle of the run, can be said with its line. */
#ifndef TOOLS_SIM_FILE_SCENE_FILE_H
#define TOOLS_SIM_FILE_SCENE_FILE_H

#include "sim/scene.h"

/* True for a name that is a path: it has a '/', or ends in ".json". */
bool sim_is_file_name(const char* name);

/* Reads a text that outlives the scene, ended by 0. */
bool sim_text_open(const char* name, const char* text, sim_scene* scene, void** state,
                   tool_message* why);

/* Reads the file; *scene and *state are what a run needs of it, also where it fails half-way. */
bool sim_file_open(const char* path, sim_scene* scene, void** state, tool_message* why);

#endif
