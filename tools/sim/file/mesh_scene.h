/* A mesh file as a scene: cloth that hangs from its top, or falls onto a floor. */
#ifndef TOOLS_SIM_FILE_MESH_SCENE_H
#define TOOLS_SIM_FILE_MESH_SCENE_H

#include "sim/scene.h"

/* The scene of the path, read when it is built. *state is the scene's own. */
bool sim_mesh_open(const char* path, sim_scene* scene, void** state, tool_message* why);

#endif
