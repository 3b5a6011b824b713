#include "scene/faces.h"

static uint32_t rows_of(const weft__part* part) {
  return part->columns > 0 ? part->particle_count / part->columns : 0;
}

static uint32_t count_faces(const weft__part* part) {
  const uint32_t rows = rows_of(part);
  if (rows == 0) return part->triangle_count;
  return 2 * (part->columns - 1) * (rows - 1);
}

uint32_t weft__scene_face_count(const weft_scene* scene, size_t first, size_t end) {
  uint32_t count = 0;
  for (size_t p = first; p < end; ++p) count += count_faces(&scene->parts[p]);
  return count;
}

static void set_face(uint32_t corner[3], uint32_t a, uint32_t b, uint32_t c) {
  corner[0] = a;
  corner[1] = b;
  corner[2] = c;
}

static void list_lattice(const weft__part* part, uint32_t (*corner)[3]) {
  const uint32_t columns = part->columns;
  const uint32_t rows = rows_of(part);
  for (uint32_t row = 0; row + 1 < rows; ++row) {
    for (uint32_t column = 0; column + 1 < columns; ++column, corner += 2) {
      const uint32_t here = part->first_particle + row * columns + column;
      set_face(corner[0], here, here + columns, here + 1);
      set_face(corner[1], here + 1, here + columns, here + columns + 1);
    }
  }
}

static void list_triangles(const weft_scene* scene, const weft__part* part, uint32_t (*corner)[3]) {
  // without meshes there is no array to point into
  if (part->triangle_count == 0) return;
  const uint32_t* triangle = scene->triangles + (size_t)3 * part->first_triangle;
  for (uint32_t t = 0; t < part->triangle_count; ++t, triangle += 3) {
    set_face(corner[t], triangle[0], triangle[1], triangle[2]);
  }
}

void weft__scene_list_faces(const weft_scene* scene, size_t first, size_t end,
                            uint32_t (*corner)[3]) {
  for (size_t p = first; p < end; ++p) {
    const weft__part* part = &scene->parts[p];
    if (part->columns > 0) {
      list_lattice(part, corner);
    } else {
      list_triangles(scene, part, corner);
    }
    corner += count_faces(part);
  }
}
