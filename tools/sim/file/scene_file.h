/* Scenes from files: docs/scene-files.md. A file is read and checked as a whole before anything is
 * built, and stays in memory, so that later errors have a line too. */
#ifndef TOOLS_SIM_FILE_SCENE_FILE_H
#define TOOLS_SIM_FILE_SCENE_FILE_H

#include "sim/scene.h"

/* True for a path: it has a '/', or ends in ".json". */
bool sim_is_file_name(const char* name);

/* Reads a text that outlives the scene, ended by 0. */
bool sim_text_open(const char* name, const char* text, sim_scene* scene, void** state,
                   tool_message* why);

/* Reads the file; *scene and *state are for a run, also after a partial failure. */
bool sim_file_open(const char* path, sim_scene* scene, void** state, tool_message* why);

#endif
