#include "mesh_file/gltf_asset.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "buffers are little-endian");

static uint32_t word_at(const char* bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

/* Chunk of a .glb at *at; moves past it. */
static bool take_chunk(const tool_bytes* file, size_t* at, const char* type, tool_bytes* chunk,
                       tool_message* why) {
  if (file->length - *at < 8 || memcmp(file->text + *at + 4, type, 4) != 0) {
    return tool_because(why, "has no %.4s chunk where one should be", type);
  }
  const uint32_t length = word_at(file->text + *at);
  *at += 8;
  if (length > file->length - *at) {
    return tool_because(why, "is cut off: its %.4s chunk has %zu of %u bytes", type,
                        file->length - *at, length);
  }
  *chunk = (tool_bytes){file->text + *at, length};
  *at += length;
  return true;
}

static bool split_container(const tool_bytes* file, tool_bytes* json, tool_bytes* chunk,
                            tool_message* why) {
  *json = *file;
  if (file->length < 4 || memcmp(file->text, "glTF", 4) != 0) return true;
  if (file->length < 12) return tool_because(why, "is cut off in its header");
  if (word_at(file->text + 4) != 2) {
    return tool_because(why, "is glTF of version %u, not 2", word_at(file->text + 4));
  }
  if (word_at(file->text + 8) > file->length) {
    return tool_because(why, "is cut off: it has %zu of %u bytes", file->length,
                        word_at(file->text + 8));
  }
  size_t at = 12;
  return take_chunk(file, &at, "JSON", json, why) &&
         (at == file->length || take_chunk(file, &at, "BIN", chunk, why));
}

bool gltf_item(const gltf_asset* asset, const char* array, uint64_t index, json_t** item,
               tool_message* why) {
  const json_t* list = json_object_get(asset->root, array);
  *item = json_array_get(list, (size_t)index);
  return json_is_object(*item) || tool_because(why, "%s %llu of %zu is not there", array,
                                               (unsigned long long)index, json_array_size(list));
}

bool gltf_whole(const json_t* object, const char* key, int64_t usual, uint64_t upper,
                const char* owner, uint64_t* value, tool_message* why) {
  const json_t* item = json_object_get(object, key);
  *value = (uint64_t)usual;
  if (!item && usual >= 0) return true;
  if (json_is_integer(item) && json_integer_value(item) >= 0 &&
      (uint64_t)json_integer_value(item) <= upper) {
    *value = (uint64_t)json_integer_value(item);
    return true;
  }
  return tool_because(why, "%s: %s is not a whole number from 0 to %llu", owner, key,
                      (unsigned long long)upper);
}

/* Materials, textures and lights have no part in the mesh. */
static bool check_extensions(const json_t* root, tool_message* why) {
  static const char* const harmless[] = {"KHR_materials_", "KHR_texture_", "KHR_lights_"};
  size_t i;
  const json_t* item;
  json_array_foreach(json_object_get(root, "extensionsRequired"), i, item) {
    const char* name = json_string_value(item);
    bool known = false;
    for (size_t k = 0; name && k < sizeof harmless / sizeof *harmless; ++k) {
      known |= strncmp(name, harmless[k], strlen(harmless[k])) == 0;
    }
    if (!known) return tool_because(why, "needs the extension %.80s", name ? name : "?");
  }
  return true;
}

static bool check_version(const json_t* root, tool_message* why) {
  const char* version =
      json_string_value(json_object_get(json_object_get(root, "asset"), "version"));
  if (!version) return tool_because(why, "has no asset.version: it is not glTF");
  return strncmp(version, "2.", 2) == 0 ||
         tool_because(why, "is glTF of version %.20s, not 2", version);
}

static bool begins_object(const tool_bytes* json) {
  size_t at = 0;
  while (at < json->length && memchr(" \t\r\n", json->text[at], 4)) ++at;
  return at < json->length && json->text[at] == '{';
}

bool gltf_asset_parse(const tool_bytes* file, const char* path, gltf_asset* asset,
                      tool_message* why) {
  tool_bytes json;
  json_error_t error;
  *asset = (gltf_asset){.path = path};
  if (!split_container(file, &json, &asset->chunk, why)) return false;
  asset->root = json_loadb(json.text, json.length, 0, &error);
  if (!asset->root && !begins_object(&json))
    return tool_because(why, "is neither JSON nor a binary container: it is not glTF");
  if (!asset->root) return tool_because(why, "line %d: %s", error.line, error.text);
  if (!json_is_object(asset->root))
    return tool_because(why, "has no asset.version: it is not glTF");
  if (!check_version(asset->root, why) || !check_extensions(asset->root, why)) return false;
  asset->buffer_count = json_array_size(json_object_get(asset->root, "buffers"));
  asset->buffers = calloc(asset->buffer_count + 1, sizeof *asset->buffers);
  return asset->buffers || tool_because(why, "no memory for %zu buffers", asset->buffer_count);
}

void gltf_asset_free(gltf_asset* asset) {
  for (size_t i = 0; asset->buffers && i < asset->buffer_count; ++i) {
    if (asset->buffers[i].text != asset->chunk.text) free(asset->buffers[i].text);
  }
  free(asset->buffers);
  json_decref(asset->root);
  *asset = (gltf_asset){0};
}

static int digit_of(char c) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char* found = c ? strchr(digits, c) : NULL;
  return found ? (int)(found - digits) : -1;
}

/* Base64 (RFC 4648). */
static bool decode(const char* text, tool_bytes* bytes, tool_message* why) {
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == '=') --length;
  bytes->text = malloc(length / 4 * 3 + 4);
  if (!bytes->text) return tool_because(why, "no memory for %zu bytes", length / 4 * 3);
  uint32_t bits = 0;
  bytes->length = 0;
  for (size_t i = 0; i < length; ++i) {
    const int digit = digit_of(text[i]);
    if (digit < 0) return tool_because(why, "a buffer is not base64");
    bits = bits << 6 | (uint32_t)digit;
    // digits 2, 3 and 4 of four complete a byte each
    if (i % 4 != 0) bytes->text[bytes->length++] = (char)(bits >> (6 - 2 * (i % 4)));
  }
  return true;
}

/* Path of a file beside the asset; percent signs are decoded. Files elsewhere are refused. */
static char* path_beside(const char* path, const char* uri, tool_message* why) {
  const char* slash = strrchr(path, '/');
  const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
  char* made = malloc(folder + strlen(uri) + 1);
  if (!made) return tool_because(why, "no memory for '%.200s'", uri), NULL;
  memcpy(made, path, folder);
  char* at = made + folder;
  for (; *uri; ++uri) {
    unsigned byte;
    if (*uri == '%' && uri[1] && uri[2] && sscanf(uri + 1, "%2x", &byte) == 1) {
      *at++ = (char)byte;
      uri += 2;
    } else {
      *at++ = *uri;
    }
  }
  *at = '\0';
  const char* name = made + folder;
  if (name[0] != '\0' && name[0] != '/' && !strstr(name, "..") && !strchr(name, ':')) return made;
  (void)tool_because(why, "has a buffer that is no file beside it: '%.200s'", name);
  free(made);
  return NULL;
}

static bool load_buffer(const gltf_asset* asset, const json_t* buffer, uint64_t index,
                        tool_bytes* bytes, tool_message* why) {
  const char* uri = json_string_value(json_object_get(buffer, "uri"));
  if (!uri) {
    *bytes = asset->chunk;
    return (index == 0 && bytes->text) ||
           tool_because(why, "buffer %llu has no data", (unsigned long long)index);
  }
  if (strncmp(uri, "data:", 5) == 0) {
    const char* comma = strstr(uri, ";base64,");
    return comma ? decode(comma + 8, bytes, why) : tool_because(why, "a buffer is not base64");
  }
  char* path = path_beside(asset->path, uri, why);
  if (!path) return false;
  tool_message problem;
  const bool ok = tool_read_file(path, SIZE_MAX, bytes, &problem) ||
                  tool_because(why, "'%.300s': %.600s", path, problem.text);
  free(path);
  return ok;
}

/* Bytes of a buffer, at least as many as declared. */
static bool get_buffer(gltf_asset* asset, uint64_t index, tool_bytes* bytes, tool_message* why) {
  json_t* buffer;
  uint64_t length;
  if (!gltf_item(asset, "buffers", index, &buffer, why) ||
      !gltf_whole(buffer, "byteLength", -1, INT64_MAX, "a buffer", &length, why)) {
    return false;
  }
  tool_bytes* loaded = &asset->buffers[index];
  if (!loaded->text && !load_buffer(asset, buffer, index, loaded, why)) return false;
  *bytes = *loaded;
  return bytes->length >= length ||
         tool_because(why, "buffer %llu is cut off: it has %zu of %llu bytes",
                      (unsigned long long)index, bytes->length, (unsigned long long)length);
}

static size_t size_of_component(int type) {
  return type == 5121 ? 1 : type == 5123 ? 2 : type == 5125 || type == 5126 ? 4 : 0;
}

/* Bytes of a view, and the stride of its elements, 0 = the elements' own. */
static bool get_view(gltf_asset* asset, uint64_t index, tool_bytes* bytes, uint64_t* stride,
                     tool_message* why) {
  json_t* view;
  uint64_t buffer, offset, length;
  if (!gltf_item(asset, "bufferViews", index, &view, why) ||
      !gltf_whole(view, "buffer", -1, UINT32_MAX, "a buffer view", &buffer, why) ||
      !gltf_whole(view, "byteOffset", 0, INT64_MAX, "a buffer view", &offset, why) ||
      !gltf_whole(view, "byteLength", -1, INT64_MAX, "a buffer view", &length, why) ||
      !gltf_whole(view, "byteStride", 0, 252, "a buffer view", stride, why) ||
      !get_buffer(asset, buffer, bytes, why)) {
    return false;
  }
  if (offset > bytes->length || length > bytes->length - offset) {
    return tool_because(why, "buffer view %llu is past the end of its buffer",
                        (unsigned long long)index);
  }
  *bytes = (tool_bytes){bytes->text + offset, (size_t)length};
  return true;
}

bool gltf_accessor(gltf_asset* asset, uint64_t index, const char* type, gltf_elements* elements,
                   tool_message* why) {
  json_t* accessor;
  uint64_t view, offset, component, count, stride;
  tool_bytes bytes;
  if (!gltf_item(asset, "accessors", index, &accessor, why)) return false;
  const unsigned long long number = index;
  const char* own_type = json_string_value(json_object_get(accessor, "type"));
  if (json_object_get(accessor, "sparse")) {
    return tool_because(why, "accessor %llu is sparse, which is not read", number);
  }
  if (!own_type || strcmp(own_type, type) != 0) {
    return tool_because(why, "accessor %llu is not of the type %s", number, type);
  }
  if (!gltf_whole(accessor, "bufferView", -1, UINT32_MAX, "an accessor", &view, why) ||
      !gltf_whole(accessor, "byteOffset", 0, INT64_MAX, "an accessor", &offset, why) ||
      !gltf_whole(accessor, "componentType", -1, 5126, "an accessor", &component, why) ||
      !gltf_whole(accessor, "count", -1, INT32_MAX, "an accessor", &count, why) ||
      !get_view(asset, view, &bytes, &stride, why)) {
    return false;
  }
  const size_t size = size_of_component((int)component) * (strcmp(type, "VEC3") == 0 ? 3 : 1);
  if (size == 0) return tool_because(why, "accessor %llu has components of no type", number);
  if (stride == 0) stride = size;
  const uint64_t end = count == 0 ? 0 : (count - 1) * stride + size;
  if (stride < size || offset > bytes.length || end > bytes.length - offset) {
    return tool_because(why, "accessor %llu is past the end of its buffer view", number);
  }
  *elements = (gltf_elements){bytes.text + offset, (size_t)stride, (uint32_t)count, (int)component};
  return true;
}
