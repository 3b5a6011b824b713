/* Checks that a mesh file is complete and makes sense. The library that reads meshes is made for
 * viewers and forgives: of a PLY file cut in half it makes up the missing numbers, it passes face
 * indices beyond the vertices, and turns an OBJ face cut to two corners into a line. So the bytes
 * are checked first; nothing is kept but the number of triangles, which the library must agree
 * with. */
#ifndef TOOLS_MESH_FILE_MESH_CHECK_H
#define TOOLS_MESH_FILE_MESH_CHECK_H

#include "common/file_bytes.h"
#include "common/message.h"

typedef struct tool_mesh_facts {
  size_t triangle_count; /* a face of n corners counts as n - 2 triangles */
  bool has_polygons;     /* faces of more than three corners */
  size_t unused_count;   /* vertices without a face, where the library leaves them out */
  bool has_open_end;     /* text without a last line end: complete, but for a digit perhaps */
} tool_mesh_facts;

/* `why` gets the problem and its line, without the file's name. The OBJ check leaves only vertices
 * and faces of the text. */
bool tool_obj_check(tool_bytes* file, tool_mesh_facts* facts, tool_message* why);
bool tool_ply_check(const tool_bytes* file, tool_mesh_facts* facts, tool_message* why);

#endif
