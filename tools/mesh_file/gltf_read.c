/* glTF without the library of the other formats: altered numbers in a file crash it (assimp 5.2.5,
 * 4 of 20,000 files, no sanitizer), and a check of all its input would be longer than this
 * reader. */
#include "mesh_file/gltf_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file/gltf_asset.h"

enum { MOST_DEPTH = 256 }; /* nested nodes */

/* Maps points; column-major, the last row is 0 0 0 1. */
typedef struct affine {
  double m[16];
} affine;

typedef struct gltf_reader {
  gltf_asset asset;
  tool_mesh* mesh;
  uint64_t vertex_room, triangle_room;
  bool* visited; /* nodes [node_count] */
  size_t node_count;
  tool_message* why;
} gltf_reader;

static affine identity(void) {
  return (affine){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

static affine product(const affine* a, const affine* b) {
  affine c = {{0}};
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) {
      for (int k = 0; k < 4; ++k) c.m[4 * column + row] += a->m[4 * k + row] * b->m[4 * column + k];
    }
  }
  return c;
}

/* Numbers of an object's array; without one, `values` stay. */
static bool read_numbers(const json_t* object, const char* key, size_t count, double* values,
                         tool_message* why) {
  const json_t* list = json_object_get(object, key);
  if (!list) return true;
  bool ok = json_array_size(list) == count;
  for (size_t i = 0; ok && i < count; ++i) {
    ok = json_is_number(json_array_get(list, i));
    if (ok) values[i] = json_number_value(json_array_get(list, i));
  }
  return ok || tool_because(why, "a node's %s is not %zu numbers", key, count);
}

/* Scale, then rotation, then translation; or a matrix. */
static bool read_transform(const json_t* node, affine* transform, tool_message* why) {
  double t[3] = {0, 0, 0}, s[3] = {1, 1, 1}, q[4] = {0, 0, 0, 1};
  *transform = identity();
  if (json_object_get(node, "matrix")) {
    return read_numbers(node, "matrix", 16, transform->m, why);
  }
  if (!read_numbers(node, "translation", 3, t, why) || !read_numbers(node, "scale", 3, s, why) ||
      !read_numbers(node, "rotation", 4, q, why)) {
    return false;
  }
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double rotation[3][3] = {
      {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
      {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
      {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      transform->m[4 * column + row] = s[column] * rotation[column][row];
    }
    transform->m[12 + column] = t[column];
  }
  return true;
}

/* The array of triples with room for `more`; NULL on failure, when it is unchanged. */
static void* reserve(void* array, uint64_t count, uint64_t more, uint64_t* room,
                     tool_message* why) {
  if (count + more > INT32_MAX) return tool_because(why, "has too many vertices"), NULL;
  if (array && count + more <= *room) return array;
  const uint64_t wanted = count + more > 2 * *room ? count + more : 2 * *room;
  void* grown = realloc(array, (size_t)(wanted + 1) * 12);
  if (grown) *room = wanted;
  if (!grown) (void)tool_because(why, "no memory for its mesh");
  return grown;
}

static bool append_vertices(gltf_reader* reader, const gltf_elements* from, const affine* place) {
  tool_mesh* mesh = reader->mesh;
  float* positions =
      reserve(mesh->positions, mesh->vertex_count, from->count, &reader->vertex_room, reader->why);
  if (!positions) return false;
  mesh->positions = positions;
  for (uint32_t i = 0; i < from->count; ++i) {
    float p[3];
    memcpy(p, from->first + i * from->stride, sizeof p);
    float* to = mesh->positions + 3 * (size_t)mesh->vertex_count;
    for (int row = 0; row < 3; ++row) {
      to[row] = (float)(place->m[row] * (double)p[0] + place->m[4 + row] * (double)p[1] +
                        place->m[8 + row] * (double)p[2] + place->m[12 + row]);
      if (!isfinite(to[row])) return tool_because(reader->why, "has a vertex at no finite place");
    }
    ++mesh->vertex_count;
  }
  return true;
}

/* Element i, or i without indices. */
static uint32_t index_at(const gltf_elements* indices, uint32_t i) {
  uint32_t index = 0;
  if (!indices->first) return i;
  const size_t size = indices->component_type == 5121 ? 1 : indices->component_type == 5123 ? 2 : 4;
  memcpy(&index, indices->first + i * indices->stride, size);
  return index;
}

/* Corners of triangle t of triangles, a strip or a fan: modes 4, 5 and 6. */
static void find_corners(uint64_t mode, uint32_t t, uint32_t at[3]) {
  const uint32_t first = mode == 4 ? 3 * t : mode == 5 ? t : 0;
  const uint32_t second = mode == 6 ? t + 1 : first + 1;
  // every other triangle of a strip is reversed
  const bool is_turned = mode == 5 && t % 2 == 1;
  at[0] = is_turned ? second : first;
  at[1] = is_turned ? first : second;
  at[2] = second + 1;
}

static bool append_triangles(gltf_reader* reader, const gltf_elements* indices, uint64_t mode,
                             uint32_t first_vertex) {
  tool_mesh* mesh = reader->mesh;
  const uint32_t count = indices->count;
  const uint32_t triangle_count = mode == 4 ? count / 3 : count < 3 ? 0 : count - 2;
  if (mode == 4 && count % 3 != 0) {
    return tool_because(reader->why, "has %u corners of triangles, which 3 does not divide", count);
  }
  uint32_t* triangles = reserve(mesh->triangles, mesh->triangle_count, triangle_count,
                                &reader->triangle_room, reader->why);
  if (!triangles) return false;
  mesh->triangles = triangles;
  for (uint32_t t = 0; t < triangle_count; ++t) {
    uint32_t at[3];
    find_corners(mode, t, at);
    uint32_t* corners = mesh->triangles + 3 * (size_t)mesh->triangle_count;
    for (int k = 0; k < 3; ++k) {
      const uint32_t index = index_at(indices, at[k]);
      if (index >= mesh->vertex_count - first_vertex) {
        return tool_because(reader->why, "face %u points to vertex %u of %u", t, index,
                            mesh->vertex_count - first_vertex);
      }
      corners[k] = first_vertex + index;
    }
    ++mesh->triangle_count;
  }
  return true;
}

static bool read_primitive(gltf_reader* reader, const json_t* primitive, const affine* place) {
  uint64_t mode, accessor;
  gltf_elements vertices, indices = {.first = NULL};
  tool_message* why = reader->why;
  if (!gltf_whole(primitive, "mode", 4, 6, "a primitive", &mode, why)) return false;
  // points and lines are no cloth
  if (mode < 4) return true;
  if (!gltf_whole(json_object_get(primitive, "attributes"), "POSITION", -1, UINT32_MAX,
                  "a primitive's attributes", &accessor, why) ||
      !gltf_accessor(&reader->asset, accessor, "VEC3", &vertices, why)) {
    return false;
  }
  if (vertices.component_type != 5126)
    return tool_because(why, "has positions that are not floats");
  indices.count = vertices.count;
  if (json_object_get(primitive, "indices")) {
    if (!gltf_whole(primitive, "indices", -1, UINT32_MAX, "a primitive", &accessor, why) ||
        !gltf_accessor(&reader->asset, accessor, "SCALAR", &indices, why)) {
      return false;
    }
    if (indices.component_type == 5126) return tool_because(why, "has indices that are floats");
  }
  const uint32_t first_vertex = reader->mesh->vertex_count;
  return append_vertices(reader, &vertices, place) &&
         append_triangles(reader, &indices, mode, first_vertex);
}

static bool read_mesh(gltf_reader* reader, uint64_t index, const affine* place) {
  json_t* mesh;
  size_t i;
  const json_t* primitive;
  if (!gltf_item(&reader->asset, "meshes", index, &mesh, reader->why)) return false;
  json_array_foreach(json_object_get(mesh, "primitives"), i, primitive) {
    if (!read_primitive(reader, primitive, place)) return false;
  }
  return true;
}

static bool read_nodes(gltf_reader* reader, const json_t* list, const affine* place, int depth);

static bool read_node(gltf_reader* reader, uint64_t index, const affine* place, int depth) {
  json_t* node;
  affine own;
  uint64_t mesh;
  if (!gltf_item(&reader->asset, "nodes", index, &node, reader->why)) return false;
  if (reader->visited[index]) {
    return tool_because(reader->why, "node %llu has two parents", (unsigned long long)index);
  }
  reader->visited[index] = true;
  if (depth > MOST_DEPTH) return tool_because(reader->why, "has nodes too deep within nodes");
  if (!read_transform(node, &own, reader->why)) return false;
  own = product(place, &own);
  if (json_object_get(node, "mesh") &&
      (!gltf_whole(node, "mesh", -1, UINT32_MAX, "a node", &mesh, reader->why) ||
       !read_mesh(reader, mesh, &own))) {
    return false;
  }
  return read_nodes(reader, json_object_get(node, "children"), &own, depth + 1);
}

static bool read_nodes(gltf_reader* reader, const json_t* list, const affine* place, int depth) {
  size_t i;
  const json_t* item;
  json_array_foreach(list, i, item) {
    if (!json_is_integer(item) || json_integer_value(item) < 0) {
      return tool_because(reader->why, "has a list of nodes that are no whole numbers");
    }
    if (!read_node(reader, (uint64_t)json_integer_value(item), place, depth)) return false;
  }
  return true;
}

static bool read_scene(gltf_reader* reader) {
  json_t* scene;
  uint64_t number;
  const affine here = identity();
  const json_t* nodes = json_object_get(reader->asset.root, "nodes");
  reader->node_count = json_array_size(nodes);
  reader->visited = calloc(reader->node_count + 1, sizeof *reader->visited);
  if (!reader->visited) return tool_because(reader->why, "no memory for its nodes");
  if (!gltf_whole(reader->asset.root, "scene", 0, UINT32_MAX, "the file", &number, reader->why) ||
      !gltf_item(&reader->asset, "scenes", number, &scene, reader->why) ||
      !read_nodes(reader, json_object_get(scene, "nodes"), &here, 0)) {
    return false;
  }
  return reader->mesh->triangle_count > 0 || tool_because(reader->why, "has no faces");
}

bool tool_gltf_read(const tool_bytes* file, const char* path, tool_mesh* mesh, tool_message* why) {
  gltf_reader reader = {.mesh = mesh, .why = why};
  const bool ok = gltf_asset_parse(file, path, &reader.asset, why) && read_scene(&reader);
  free(reader.visited);
  gltf_asset_free(&reader.asset);
  return ok;
}
