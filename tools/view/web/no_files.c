// Files, of which a page has none.
#include <stdlib.h>

#include "common/file_bytes.h"
#include "mesh_file/mesh_file.h"

bool tool_read_file(const char* path, size_t upper, tool_bytes* bytes, tool_message* why) {
  (void)path;
  (void)upper;
  *bytes = (tool_bytes){.text = NULL};
  return tool_because(why, "a page reads no files");
}

bool tool_mesh_load(const char* path, tool_mesh* mesh, tool_message* why) {
  *mesh = (tool_mesh){0};
  return tool_because(why, "%s: a page reads no files", path);
}

void tool_mesh_warn(const char* path, const tool_mesh* mesh) {
  (void)path;
  (void)mesh;
}

void tool_mesh_free(tool_mesh* mesh) {
  free(mesh->positions);
  free(mesh->triangles);
  *mesh = (tool_mesh){0};
}
