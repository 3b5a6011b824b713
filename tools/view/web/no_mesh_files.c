// Meshes of files, of which a page has none.
#include <stdlib.h>

#include "mesh_file/mesh_file.h"

bool tool_mesh_load(const char* path, tool_mesh* mesh, tool_message* why) {
  *mesh = (tool_mesh){0};
  return tool_because(why, "%s: a page reads no mesh files", path);
}

void tool_mesh_free(tool_mesh* mesh) {
  free(mesh->positions);
  free(mesh->triangles);
  *mesh = (tool_mesh){0};
}
