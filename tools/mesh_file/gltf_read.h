#ifndef TOOLS_MESH_FILE_GLTF_READ_H
#define TOOLS_MESH_FILE_GLTF_READ_H

#include "common/file_bytes.h"
#include "mesh_file/mesh_file.h"

/* Reads triangles of the file's scene at their places, without morph targets and skins. `path`: the
 * file's. On failure the mesh may have arrays, to be freed. */
bool tool_gltf_read(const tool_bytes* file, const char* path, tool_mesh* mesh, tool_message* why);

#endif
