#include "mesh_file/mesh_clean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file/triple_set.h"

/* Numbers the distinct spots and writes each vertex's number to `spot_of`. */
static void find_spots(const tool_mesh* mesh, triple_set* spots, uint32_t* spot_of) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    uint32_t bits[3];
    for (size_t k = 0; k < 3; ++k) {
      // adding 0 turns -0 into 0: one spot in two bit patterns
      const float coordinate = mesh->positions[3 * (size_t)v + k] + 0.0f;
      memcpy(&bits[k], &coordinate, sizeof coordinate);
    }
    spot_of[v] = triple_set_add(spots, bits);
  }
}

static bool weld(tool_mesh* mesh) {
  triple_set spots;
  if (!triple_set_create(&spots, mesh->vertex_count)) return false;
  uint32_t* spot_of = malloc(mesh->vertex_count * sizeof *spot_of);
  if (spot_of) {
    find_spots(mesh, &spots, spot_of);
    memcpy(mesh->positions, spots.triples, spots.count * sizeof *spots.triples);
    mesh->vertex_count = spots.count;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
      mesh->triangles[i] = spot_of[mesh->triangles[i]];
    }
  }
  const bool ok = spot_of != NULL;
  free(spot_of);
  triple_set_free(&spots);
  return ok;
}

static void swap_if_greater(uint32_t* low, uint32_t* high) {
  if (*low <= *high) return;
  const uint32_t kept = *low;
  *low = *high;
  *high = kept;
}

/* True if the face stays. */
static bool take_face(tool_mesh* mesh, triple_set* faces, const uint32_t corners[3]) {
  uint32_t sorted[3] = {corners[0], corners[1], corners[2]};
  swap_if_greater(&sorted[0], &sorted[1]);
  swap_if_greater(&sorted[1], &sorted[2]);
  swap_if_greater(&sorted[0], &sorted[1]);
  if (sorted[0] == sorted[1] || sorted[1] == sorted[2]) {
    ++mesh->degenerate_count;
    return false;
  }
  const uint32_t face_count = faces->count;
  if (triple_set_add(faces, sorted) == face_count) return true;
  ++mesh->repeated_count;
  return false;
}

static bool drop_faces(tool_mesh* mesh) {
  triple_set faces;
  if (!triple_set_create(&faces, mesh->triangle_count)) return false;
  uint32_t kept_count = 0;
  for (uint32_t f = 0; f < mesh->triangle_count; ++f) {
    const uint32_t* corners = mesh->triangles + 3 * (size_t)f;
    if (!take_face(mesh, &faces, corners)) continue;
    memmove(mesh->triangles + 3 * (size_t)kept_count++, corners, 3 * sizeof *corners);
  }
  mesh->triangle_count = kept_count;
  triple_set_free(&faces);
  return true;
}

/* Moves the vertices of faces together, in order. */
static bool drop_unused(tool_mesh* mesh) {
  enum { UNUSED = 0, USED = 1 };
  uint32_t* number_of = calloc(mesh->vertex_count, sizeof *number_of);
  if (!number_of) return false;
  const size_t corner_count = 3 * (size_t)mesh->triangle_count;
  for (size_t i = 0; i < corner_count; ++i) number_of[mesh->triangles[i]] = USED;
  uint32_t kept_count = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (number_of[v] == UNUSED) continue;
    memmove(mesh->positions + 3 * (size_t)kept_count, mesh->positions + 3 * (size_t)v,
            3 * sizeof *mesh->positions);
    number_of[v] = kept_count++;
  }
  for (size_t i = 0; i < corner_count; ++i) mesh->triangles[i] = number_of[mesh->triangles[i]];
  mesh->unused_count += mesh->vertex_count - kept_count;
  mesh->vertex_count = kept_count;
  free(number_of);
  return true;
}

static double mean_edge(const tool_mesh* mesh) {
  double sum = 0.0;
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
    const float* from = mesh->positions + 3 * (size_t)mesh->triangles[i];
    const float* to = mesh->positions + 3 * (size_t)mesh->triangles[i % 3 < 2 ? i + 1 : i - 2];
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double difference = (double)to[k] - (double)from[k];
      square += difference * difference;
    }
    sum += sqrt(square);
  }
  return sum / (3.0 * (double)mesh->triangle_count);
}

/* Marks vertices that share a cell of the grid with an earlier one. `shift`: bits of the axes along
 * which the grid is moved by half a cell. */
static bool mark_near(const tool_mesh* mesh, double cell, unsigned shift, bool* is_near) {
  triple_set cells;
  if (!triple_set_create(&cells, mesh->vertex_count)) return false;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    uint32_t place[3];
    for (unsigned k = 0; k < 3; ++k) {
      const double x = (double)mesh->positions[3 * (size_t)v + k] / cell;
      // numbers of cells repeat after 2^32
      const double number = floor(x + 0.5 * (double)(shift >> k & 1));
      place[k] = fabs(number) < 0x1p62 ? (uint32_t)(int64_t)number : 0;
    }
    const uint32_t count = cells.count;
    if (triple_set_add(&cells, place) < count) is_near[v] = true;
  }
  triple_set_free(&cells);
  return true;
}

/* Two vertices within half a cell along each axis share a cell in one of the eight grids. */
static bool count_near(tool_mesh* mesh) {
  const double cell = 2e-4 * mean_edge(mesh);
  bool* is_near = calloc(mesh->vertex_count, sizeof *is_near);
  bool ok = is_near != NULL;
  for (unsigned shift = 0; shift < 8 && ok && cell > 0.0; ++shift) {
    ok = mark_near(mesh, cell, shift, is_near);
  }
  for (uint32_t v = 0; v < mesh->vertex_count && ok; ++v) mesh->near_count += is_near[v];
  free(is_near);
  return ok;
}

bool tool_mesh_clean(tool_mesh* mesh, tool_message* why) {
  if (!weld(mesh) || !drop_faces(mesh) || !drop_unused(mesh) || !count_near(mesh)) {
    return tool_because(why, "no memory to clean its mesh");
  }
  if (mesh->triangle_count == 0) return tool_because(why, "all its faces are degenerate");
  return true;
}
