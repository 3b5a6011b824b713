#ifndef TOOLS_MESH_FILE_MESH_CLEAN_H
#define TOOLS_MESH_FILE_MESH_CLEAN_H

#include "mesh_file/mesh_file.h"

/* Merges vertices on exactly one spot: files list a vertex once for each normal or texture
 * coordinate, and cloth must not fall apart along those seams. Then drops faces that use a vertex
 * twice, repeated faces, and vertices of no face, and counts them. Vertices that nearly meet stay
 * apart, and are counted. */
bool tool_mesh_clean(tool_mesh* mesh, tool_message* why);

#endif
