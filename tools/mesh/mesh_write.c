#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mesh.h"

/* Nine digits are enough to read every float back bit for bit. */
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

const char* mesh_write(const mesh* cloth, const char* path) {
  const char* ending = strrchr(path, '.');
  bool is_obj = ending && strcmp(ending, ".obj") == 0;
  bool is_ply = ending && strcmp(ending, ".ply") == 0;
  if (!is_obj && !is_ply) return "the file's name must end in .obj or .ply";

  FILE* file = fopen(path, "w");
  if (!file) return strerror(errno);
  if (is_obj) write_obj(cloth, file);
  if (is_ply) write_ply(cloth, file);
  bool failed = ferror(file) != 0;
  failed |= fclose(file) != 0;
  return failed ? "could not write all of it" : NULL;
}
