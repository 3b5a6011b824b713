/* Is all of a mesh file there, and does it make sense?
 *
 * The library that reads meshes is made for viewers and forgives: of a PLY file cut in half it
 * makes up the missing numbers, it hands out face indices that point past the vertices, and of an
 * OBJ face cut to two corners it makes a line. A benchmark must not run on such a mesh. So the
 * bytes are checked before the library sees them; nothing is kept but the number of triangles,
 * which the library must then agree with. */
#ifndef TOOLS_MESH_FILE_MESH_CHECK_H
#define TOOLS_MESH_FILE_MESH_CHECK_H

#include "common/file_bytes.h"
#include "common/message.h"

typedef struct tool_mesh_facts {
  size_t triangle_count; /* a face of n corners counts as n - 2 triangles */
  bool has_polygons;     /* faces of more than three corners */
  size_t unused_count;   /* vertices of no face, where the library leaves them out */
  bool has_open_end; /* text whose last line has no end: all is there, but for a digit perhaps */
} tool_mesh_facts;

/* `why` gets the problem and its line, without the file's name. That of OBJ leaves only vertices
 * and faces of the text. */
bool tool_obj_check(tool_bytes* file, tool_mesh_facts* facts, tool_message* why);
bool tool_ply_check(const tool_bytes* file, tool_mesh_facts* facts, tool_message* why);

#endif
