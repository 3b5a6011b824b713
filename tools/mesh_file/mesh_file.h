/* OBJ, PLY and glTF files as plain arrays for a scene. */
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
  bool has_open_end; /* no last line end: perhaps cut off */
  /* left out by tool_mesh_clean() */
  uint32_t degenerate_count; /* faces that used a vertex twice */
  uint32_t repeated_count;   /* faces of an earlier face's vertices */
  uint32_t unused_count;     /* vertices of no face, after merging */
  uint32_t near_count; /* vertices within 1e-4 mean edges of an earlier one, or twice as far */
} tool_mesh;

/* Loads, checks and cleans a mesh; polygons are cut into triangles. Failures name the file. */
bool tool_mesh_load(const char* path, tool_mesh* mesh, tool_message* why);
void tool_mesh_free(tool_mesh* mesh);

/* Warns of omissions and likely faults of the file. */
void tool_mesh_warn(const char* name, const tool_mesh* mesh);

#endif
