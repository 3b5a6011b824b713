/* OBJ, PLY and glTF files as plain arrays that a scene can be made from. */
#ifndef TOOLS_MESH_FILE_H
#define TOOLS_MESH_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/message.h"

typedef struct tool_mesh {
  float* positions; /* [vertex_count][3] */
  uint32_t vertex_count;
  uint32_t* triangles; /* [triangle_count][3] */
  uint32_t triangle_count;
  bool has_open_end; /* the file's last line has no end: it may have been cut off there */
  /* faces that tool_mesh_clean() left out */
  uint32_t degenerate_count; /* faces that used a vertex twice */
  uint32_t repeated_count;   /* faces of three vertices that an earlier face had */
  uint32_t unused_count;     /* vertices of no face, once those on one spot are one */
  uint32_t near_count; /* vertices within 1e-4 mean edges of an earlier one, or twice as far */
} tool_mesh;

/* Loads, checks and cleans a mesh; polygons are cut into triangles. Every failure is a message that
 * names the file. */
bool tool_mesh_load(const char* path, tool_mesh* mesh, tool_message* why);
void tool_mesh_free(tool_mesh* mesh);

/* Warns of what was left out of the file, and of what may be wrong with it. */
void tool_mesh_warn(const char* name, const tool_mesh* mesh);

#endif
