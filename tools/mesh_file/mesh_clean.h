/* From what a mesh file says to what a scene takes. */
#ifndef TOOLS_MESH_FILE_MESH_CLEAN_H
#define TOOLS_MESH_FILE_MESH_CLEAN_H

#include "mesh_file/mesh_file.h"

/* Makes vertices on exactly the same spot one vertex: files list a vertex once for each normal or
 * texture coordinate that it has, and cloth must not fall apart along those seams. Then drops faces
 * that use a vertex twice, faces of the same three vertices as an earlier one, and vertices of no
 * face; the counts say how many. Vertices that nearly meet stay apart, and are counted. */
bool tool_mesh_clean(tool_mesh* mesh, tool_message* why);

#endif
