#include <stdio.h>
#include <string.h>

#include "common/output_file.h"
#include "mesh.h"

/* Nine digits read back every float bit for bit. */
static void write_obj(const mesh* cloth, FILE* file) {
  fprintf(file, "# made by weft-make-mesh; metres, y up\n");
  for (uint32_t i = 0; i < cloth->vertex_count; ++i) {
    const float* p = cloth->positions[i];
    fprintf(file, "v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
  }
  for (uint32_t i = 0; i < cloth->triangle_count; ++i) {
    const uint32_t* t = cloth->triangles[i];
    fprintf(file, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
}

static void write_ply(const mesh* cloth, FILE* file) {
  fprintf(file, "ply\nformat ascii 1.0\ncomment made by weft-make-mesh; metres, y up\n");
  fprintf(file, "element vertex %u\n", cloth->vertex_count);
  fprintf(file, "property float x\nproperty float y\nproperty float z\n");
  fprintf(file, "element face %u\n", cloth->triangle_count);
  fprintf(file, "property list uchar int vertex_indices\nend_header\n");
  for (uint32_t i = 0; i < cloth->vertex_count; ++i) {
    const float* p = cloth->positions[i];
    fprintf(file, "%.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
  }
  for (uint32_t i = 0; i < cloth->triangle_count; ++i) {
    const uint32_t* t = cloth->triangles[i];
    fprintf(file, "3 %u %u %u\n", t[0], t[1], t[2]);
  }
}

static bool ends_in(const char* path, const char* ending) {
  const char* dot = strrchr(path, '.');
  return dot && strcmp(dot, ending) == 0;
}

bool mesh_check_format(const char* path, tool_message* why) {
  if (!ends_in(path, ".obj") && !ends_in(path, ".ply")) {
    return tool_because(why, "--out: '%s' is not a file of .obj, .ply", path);
  }
  return true;
}

bool mesh_write(const mesh* cloth, const char* path, tool_message* why) {
  tool_output output;
  if (!tool_output_open(path, &output, why)) return false;
  if (ends_in(path, ".obj")) {
    write_obj(cloth, output.stream);
  } else {
    write_ply(cloth, output.stream);
  }
  return tool_output_close(&output, true, why);
}
