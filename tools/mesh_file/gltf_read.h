/* Triangles of glTF 2.0 files. */
#ifndef TOOLS_MESH_FILE_GLTF_READ_H
#define TOOLS_MESH_FILE_GLTF_READ_H

#include "common/file_bytes.h"
#include "mesh_file/mesh_file.h"

/* Reads the meshes of the file's scene at their places, without morph targets and skins. `path` is
 * that of the file. On failure the mesh may have arrays, and is to be freed. */
bool tool_gltf_read(const tool_bytes* file, const char* path, tool_mesh* mesh, tool_message* why);

#endif
