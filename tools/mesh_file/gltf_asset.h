/* A glTF 2.0 asset, .gltf or .glb, as JSON and buffers. */
#ifndef TOOLS_MESH_FILE_GLTF_ASSET_H
#define TOOLS_MESH_FILE_GLTF_ASSET_H

#include <jansson.h>
#include <stdint.h>

#include "common/file_bytes.h"
#include "common/message.h"

typedef struct gltf_asset {
  const char* path;    /* path of the file, for the files beside it */
  json_t* root;        /* the document: an object */
  tool_bytes chunk;    /* the buffer in a .glb, not to be freed */
  tool_bytes* buffers; /* [buffer_count], each loaded at its first use */
  size_t buffer_count;
} gltf_asset;

/* Elements of a buffer, all within it. */
typedef struct gltf_elements {
  const char* first;
  size_t stride; /* bytes from one to the next */
  uint32_t count;
  int component_type; /* 5121, 5123, 5125 unsigned, 5126 float */
} gltf_elements;

/* Parses a file; free with gltf_asset_free() in any case. */
bool gltf_asset_parse(const tool_bytes* file, const char* path, gltf_asset* asset,
                      tool_message* why);
void gltf_asset_free(gltf_asset* asset);

/* Item `index` of an array of objects in the document: "meshes", "nodes" .. */
bool gltf_item(const gltf_asset* asset, const char* array, uint64_t index, json_t** item,
               tool_message* why);

/* Whole number of an object, 0 to `upper`; `usual` without one, an error if that is negative.
 * `owner` names the object in errors. */
bool gltf_whole(const json_t* object, const char* key, int64_t usual, uint64_t upper,
                const char* owner, uint64_t* value, tool_message* why);

/* Elements of an accessor of this `type`: "SCALAR", "VEC3". */
bool gltf_accessor(gltf_asset* asset, uint64_t index, const char* type, gltf_elements* elements,
                   tool_message* why);

#endif
