/* Mesh files, OBJ, PLY and glTF: each is refused with a message, or gives a mesh that a scene
 * accepts or refuses with a documented error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "fuzz/input_file.h"
#include "mesh_file/mesh_file.h"
#include "weft/weft.h"

const char tool_name[] = "fuzz_mesh";

static void require(bool holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "fuzz: %s\n", what);
  abort();
}

static void check_mesh(const tool_mesh* mesh) {
  require(mesh->vertex_count > 0 && mesh->triangle_count > 0, "a mesh without faces");
  for (size_t i = 0; i < (size_t)3 * mesh->vertex_count; ++i) {
    require(isfinite(mesh->positions[i]), "a vertex at no finite place");
  }
  for (size_t i = 0; i < (size_t)3 * mesh->triangle_count; ++i) {
    require(mesh->triangles[i] < mesh->vertex_count, "a corner past the vertices");
  }
}

// finite coordinates may be large enough for lengths to overflow
static void add_to_scene(const tool_mesh* mesh) {
  weft_scene* scene = NULL;
  weft_mesh_def def = weft_default_mesh_def();
  def.positions = mesh->positions;
  def.vertex_count = mesh->vertex_count;
  def.triangles = mesh->triangles;
  def.triangle_count = mesh->triangle_count;
  require(weft_scene_create(&scene).error == WEFT_OK, "no memory for a scene");
  const weft_result result = weft_scene_add_mesh(scene, &def, NULL);
  require(result.error == WEFT_OK || result.error == WEFT_ERROR_RANGE ||
              result.error == WEFT_ERROR_NOT_FINITE || result.error == WEFT_ERROR_DEGENERATE,
          "a scene does not take the mesh");
  weft_scene_destroy(&scene);
}

/* Format that the first bytes are of. */
static const char* extension_of(const uint8_t* data, size_t size) {
  if (size >= 3 && memcmp(data, "ply", 3) == 0) return "ply";
  if (size >= 4 && memcmp(data, "glTF", 4) == 0) return "glb";
  return size >= 1 && data[0] == '{' ? "gltf" : "obj";
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const char* path = write_input(data, size, extension_of(data, size));
  tool_mesh mesh;
  tool_message why = {{0}};
  if (tool_mesh_load(path, &mesh, &why)) {
    check_mesh(&mesh);
    add_to_scene(&mesh);
    tool_mesh_free(&mesh);
  } else {
    require(why.text[0] != '\0', "a mesh is refused without a message");
  }
  return 0;
}
