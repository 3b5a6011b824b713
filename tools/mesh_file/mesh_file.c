#include "mesh_file/mesh_file.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/file_bytes.h"
#include "common/number.h"
#include "mesh_file/gltf_read.h"
#include "mesh_file/mesh_check.h"
#include "mesh_file/mesh_clean.h"

static void count_arrays(const struct aiScene* scene, size_t* vertex_count,
                         size_t* triangle_count) {
  *vertex_count = *triangle_count = 0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh* part = scene->mMeshes[m];
    *vertex_count += part->mNumVertices;
    for (unsigned f = 0; f < part->mNumFaces; ++f) {
      *triangle_count += part->mFaces[f].mNumIndices == 3;
    }
  }
}

/* Appends one of the file's parts; faces of other than three corners are its points and lines. */
static bool append_part(const struct aiMesh* part, tool_mesh* mesh) {
  const uint32_t first_vertex = mesh->vertex_count;
  for (unsigned v = 0; v < part->mNumVertices; ++v) {
    const struct aiVector3D* from = &part->mVertices[v];
    float* to = mesh->positions + 3 * (size_t)mesh->vertex_count++;
    to[0] = from->x, to[1] = from->y, to[2] = from->z;
  }
  for (unsigned f = 0; f < part->mNumFaces; ++f) {
    const struct aiFace* face = &part->mFaces[f];
    if (face->mNumIndices != 3) continue;
    uint32_t* corners = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    for (unsigned k = 0; k < 3; ++k) {
      if (face->mIndices[k] >= part->mNumVertices) return false;
      corners[k] = first_vertex + face->mIndices[k];
    }
  }
  return true;
}

static bool copy_arrays(const struct aiScene* scene, const tool_mesh_facts* facts, tool_mesh* mesh,
                        tool_message* why) {
  size_t vertex_count, triangle_count;
  count_arrays(scene, &vertex_count, &triangle_count);
  // cutting polygons may drop slivers; triangles must stay
  const bool lost = triangle_count > facts->triangle_count ||
                    (triangle_count < facts->triangle_count && !facts->has_polygons);
  if (lost || triangle_count == 0) {
    return tool_because(why, "%zu of its %zu triangles could be read", triangle_count,
                        facts->triangle_count);
  }
  if (vertex_count > INT32_MAX || triangle_count > INT32_MAX) {
    return tool_because(why, "has too many vertices or triangles");
  }
  mesh->positions = malloc(vertex_count * 3 * sizeof *mesh->positions);
  mesh->triangles = malloc(triangle_count * 3 * sizeof *mesh->triangles);
  if (!mesh->positions || !mesh->triangles) return tool_because(why, "no memory for its mesh");
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    if (!append_part(scene->mMeshes[m], mesh)) {
      return tool_because(why, "has a face that points past its vertices");
    }
  }
  return true;
}

/* The library splits text into lines where the check reads words, and may see other faces; its
 * cutting of polygons crashes on a face without corners. */
static bool check_faces(const struct aiScene* scene, tool_message* why) {
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const struct aiMesh* part = scene->mMeshes[m];
    for (unsigned f = 0; f < part->mNumFaces; ++f) {
      const struct aiFace* face = &part->mFaces[f];
      if (face->mNumIndices == 0) return tool_because(why, "face %u has no corners", f);
      for (unsigned k = 0; k < face->mNumIndices; ++k) {
        if (face->mIndices[k] < part->mNumVertices) continue;
        return tool_because(why, "face %u points to vertex %u of %u", f, face->mIndices[k],
                            part->mNumVertices);
      }
    }
  }
  return true;
}

static bool import(const tool_bytes* file, const char* extension, const tool_mesh_facts* facts,
                   tool_mesh* mesh, tool_message* why) {
  if (file->length > UINT32_MAX) return tool_because(why, "is larger than 4 GiB");
  const struct aiScene* scene =
      aiImportFileFromMemory(file->text, (unsigned)file->length, 0, extension);
  if (!scene) return tool_because(why, "%s", aiGetErrorString());
  const bool ok = check_faces(scene, why) &&
                  (aiApplyPostProcessing(scene, aiProcess_Triangulate) ||
                   tool_because(why, "%s", aiGetErrorString())) &&
                  copy_arrays(scene, facts, mesh, why);
  aiReleaseImport(scene);
  mesh->has_open_end = facts->has_open_end;
  mesh->unused_count = (uint32_t)facts->unused_count;
  return ok;
}

static bool read_obj(const tool_bytes* file, const char* path, tool_mesh* mesh, tool_message* why) {
  tool_mesh_facts facts = {0};
  tool_bytes kept = *file;
  (void)path;
  return tool_obj_check(&kept, &facts, why) && import(&kept, "obj", &facts, mesh, why);
}

static bool read_ply(const tool_bytes* file, const char* path, tool_mesh* mesh, tool_message* why) {
  tool_mesh_facts facts = {0};
  (void)path;
  return tool_ply_check(file, &facts, why) && import(file, "ply", &facts, mesh, why);
}

typedef struct mesh_format {
  const char* extension;
  bool (*read)(const tool_bytes* file, const char* path, tool_mesh* mesh, tool_message* why);
} mesh_format;

static const mesh_format formats[] = {
    {"obj", read_obj}, {"ply", read_ply}, {"gltf", tool_gltf_read}, {"glb", tool_gltf_read}};

static const mesh_format* find_format(const char* path) {
  const char* dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof formats / sizeof formats[0]; ++i) {
    if (strcasecmp(dot + 1, formats[i].extension) == 0) return &formats[i];
  }
  return NULL;
}

static bool load(const char* path, tool_mesh* mesh, tool_message* why) {
  const mesh_format* format = find_format(path);
  if (!format) return tool_because(why, "is not an .obj, .ply, .gltf or .glb file");
  tool_bytes file;
  if (!tool_read_file(path, SIZE_MAX, &file, why)) return false;
  const bool ok = format->read(&file, path, mesh, why);
  free(file.text);
  return ok && tool_mesh_clean(mesh, why);
}

bool tool_mesh_load(const char* path, tool_mesh* mesh, tool_message* why) {
  tool_message problem;
  *mesh = (tool_mesh){0};
  if (load(path, mesh, &problem)) return true;
  tool_mesh_free(mesh);
  return tool_because(why, "%.300s: %.600s", path, problem.text);
}

void tool_mesh_warn(const char* name, const tool_mesh* mesh) {
  if (mesh->has_open_end) {
    tool_warn("%s: no line end after the last line: it may have been cut off there", name);
  }
  if (mesh->degenerate_count > 0) {
    tool_warn("%s: dropped %u face%s with a vertex used twice", name, mesh->degenerate_count,
              tool_plural(mesh->degenerate_count));
  }
  if (mesh->repeated_count > 0) {
    tool_warn("%s: dropped %u repeated face%s", name, mesh->repeated_count,
              tool_plural(mesh->repeated_count));
  }
  if (mesh->unused_count > 0) {
    tool_warn("%s: dropped %u vert%s of no face", name, mesh->unused_count,
              mesh->unused_count == 1 ? "ex" : "ices");
  }
  if (mesh->near_count > 0) {
    tool_warn("%s: %u vert%s nearly where another one is, and not joined with it", name,
              mesh->near_count, mesh->near_count == 1 ? "ex is" : "ices are");
  }
}

void tool_mesh_free(tool_mesh* mesh) {
  free(mesh->positions);
  free(mesh->triangles);
  *mesh = (tool_mesh){0};
}
