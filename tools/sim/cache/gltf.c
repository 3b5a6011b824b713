/* glTF 2.0 (Khronos 2021, ISO/IEC 12113): one mesh whose first frame is its rest position and whose
 * other frames are morph targets. The animation fades linearly from target to target.
 *
 *     .gltf   JSON, and the buffer beside it, name.bin
 *     .glb    header, JSON in the room that it needs at most, buffer
 *
 * Positions are appended to the buffer as they come. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cache/gltf.h"

enum {
  MOST_FRAMES = 2000, /* weights are a matrix of frames by frames, and readers keep all targets */
  JSON_ROOM = 8192,   /* bytes in a .glb, and more for each frame: accessors of three views, five
                       * targets */
  JSON_ROOM_OF_FRAME = 1024,
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the buffer is little-endian");

// ---- accessors ----

void gltf_list(gltf_file* file, json_t* array, json_t* item) {
  if (json_array_append_new(array, item) != 0) file->lacks_json = true;
}

void gltf_set(gltf_file* file, json_t* object, const char* key, json_t* item) {
  if (json_object_set_new(object, key, item) != 0) file->lacks_json = true;
}

/* Least components of elements of so many floats; the greatest where `sign` is -1. */
static json_t* bounds(gltf_file* file, const float* values, uint32_t count, size_t width,
                      float sign) {
  json_t* list = json_array();
  for (size_t axis = 0; axis < width; ++axis) {
    float least = INFINITY;
    for (size_t i = 0; i < count; ++i) least = fminf(least, sign * values[width * i + axis]);
    gltf_list(file, list, json_real((double)(sign * least)));
  }
  return list;
}

size_t gltf_append(gltf_file* file, gltf_view view, int component_type, const char* type,
                   const void* elements, uint32_t count, bool is_bounded) {
  const size_t width = strcmp(type, "VEC3") == 0 ? 3 : 1;
  const uint64_t view_start = view > 0 ? file->end[view - 1] : 0;
  json_t* accessor = json_pack("{si sI si sI ss}", "bufferView", (int)view, "byteOffset",
                               (json_int_t)(file->end[view] - view_start), "componentType",
                               component_type, "count", (json_int_t)count, "type", type);
  if (is_bounded) {
    gltf_set(file, accessor, "min", bounds(file, elements, count, width, 1.0f));
    gltf_set(file, accessor, "max", bounds(file, elements, count, width, -1.0f));
  }
  gltf_list(file, file->accessors, accessor);
  file->end[view] += fwrite(elements, 1, 4 * width * count, file->buffer.stream);
  for (int later = (int)view + 1; later < GLTF_VIEWS; ++later) file->end[later] = file->end[view];
  return json_array_size(file->accessors) - 1;
}

// ---- frames ----

static bool add_frame(void* state, const sim_frame* frame, tool_message* why) {
  gltf_file* file = state;
  const size_t count = 3 * (size_t)file->particle_count;
  for (size_t i = 0; i < count; ++i) {
    if (!isfinite(frame->positions[i])) {
      return tool_because(why, "cannot write '%s': particle %zu is at no finite place",
                          file->buffer.path, i / 3);
    }
    if (frame->number == 0) file->rest[i] = frame->positions[i];
    file->moved[i] = frame->positions[i] - (frame->number == 0 ? 0.0f : file->rest[i]);
  }
  gltf_append(file, GLTF_PARTICLES, GLTF_FLOAT, "VEC3", file->moved, file->particle_count, true);
  ++file->frame_count;
  return gltf_note_changes(file, frame, why) && sim_cache_flush(&file->buffer, why);
}

// ---- the animation ----

/* Weights of all targets in each frame: 1 of its own, 0 of the others. */
static bool append_curves(gltf_file* file, size_t* times, size_t* weights, tool_message* why) {
  const size_t frames = file->frame_count, targets = frames - 1;
  float* values = calloc(frames * (targets > 0 ? targets : 1), sizeof *values);
  if (!values) return tool_because(why, "no memory for the weights of %zu frames", frames);
  for (size_t f = 0; f < frames; ++f) values[f] = (float)((double)f / file->fps);
  *times = gltf_append(file, GLTF_CURVES, GLTF_FLOAT, "SCALAR", values, file->frame_count, true);
  memset(values, 0, frames * sizeof *values);
  for (size_t f = 1; f < frames; ++f) values[f * targets + f - 1] = 1.0f;
  *weights = gltf_append(file, GLTF_CURVES, GLTF_FLOAT, "SCALAR", values,
                         (uint32_t)(frames * targets), false);
  free(values);
  return true;
}

static json_t* make_animations(size_t times, size_t weights) {
  return json_pack("[{s[{sI sI ss}] s[{si s{si ss}}]}]", "samplers", "input", (json_int_t)times,
                   "output", (json_int_t)weights, "interpolation", "LINEAR", "channels", "sampler",
                   0, "target", "node", 0, "path", "weights");
}

// ---- the document ----

static json_t* make_views(gltf_file* file) {
  static const int targets[GLTF_VIEWS] = {34962, 34962, 34963, 0};  // vertices, indices
  json_t* views = json_array();
  for (int view = 0; view < GLTF_VIEWS; ++view) {
    const uint64_t start = view > 0 ? file->end[view - 1] : 0;
    json_t* object = json_pack("{si sI sI}", "buffer", 0, "byteOffset", (json_int_t)start,
                               "byteLength", (json_int_t)(file->end[view] - start));
    if (view <= GLTF_TORN) gltf_set(file, object, "byteStride", json_integer(12));
    if (targets[view]) gltf_set(file, object, "target", json_integer(targets[view]));
    gltf_list(file, views, object);
  }
  return views;
}

static json_t* make_uri(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  char* uri = malloc(3 * strlen(name) + 1);
  char* at = uri;
  for (; uri && *name; ++name) {
    const unsigned char c = (unsigned char)*name;
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') || strchr("-._~", c) != NULL;
    at += is_plain ? sprintf(at, "%c", c) : sprintf(at, "%%%02X", c);
  }
  json_t* text = uri ? json_stringn(uri, (size_t)(at - uri)) : NULL;
  free(uri);
  return text;
}

static json_t* make_buffers(gltf_file* file) {
  json_t* buffer = json_pack("{sI}", "byteLength", (json_int_t)file->end[GLTF_VIEWS - 1]);
  if (file->buffer_path) gltf_set(file, buffer, "uri", make_uri(file->buffer_path));
  return json_pack("[o]", buffer);
}

/* Leaves empty views out of the file: the curves of one frame, the torn cells of none. Later views
 * are renumbered. */
static void drop_empty_views(gltf_file* file, json_t* views) {
  json_int_t number_of[GLTF_VIEWS];
  json_int_t kept = 0;
  for (int view = 0; view < GLTF_VIEWS; ++view) {
    const bool is_empty = file->end[view] == (view > 0 ? file->end[view - 1] : 0);
    number_of[view] = kept;
    if (is_empty) {
      json_array_remove(views, (size_t)kept);
    } else {
      ++kept;
    }
  }
  size_t i;
  json_t* accessor;
  json_array_foreach(file->accessors, i, accessor) {
    const json_int_t view = json_integer_value(json_object_get(accessor, "bufferView"));
    gltf_set(file, accessor, "bufferView", json_integer(number_of[view]));
  }
}

/* Paths of scene files need not be UTF-8. */
static json_t* make_name(const char* title) {
  json_t* name = json_string(title);
  return name ? name : json_string("scene");
}

static json_t* make_document(gltf_file* file, tool_message* why) {
  size_t times = 0, weights = 0;
  json_t* primitives = gltf_append_primitives(file, why);
  if (!primitives) return NULL;
  if (file->frame_count > 1 && !append_curves(file, &times, &weights, why)) {
    json_decref(primitives);
    return NULL;
  }
  json_t* views = make_views(file);
  drop_empty_views(file, views);
  json_t* document = json_pack(
      "{s{ss ss+} si s[{s[i]}] s[{si so}] s[{so}] s[{sb s{s[ffff] sf sf}}] sO so so}", "asset",
      "version", "2.0", "generator", "weft-sim ", weft_version(), "scene", 0, "scenes", "nodes", 0,
      "nodes", "mesh", 0, "name", make_name(file->title), "meshes", "primitives", primitives,
      "materials", "doubleSided", 1, "pbrMetallicRoughness", "baseColorFactor", 0.5, 0.55, 0.6, 1.0,
      "metallicFactor", 0.0, "roughnessFactor", 0.9, "accessors", file->accessors, "bufferViews",
      views, "buffers", make_buffers(file));
  if (document && file->frame_count > 1) {
    gltf_set(file, document, "animations", make_animations(times, weights));
  }
  if (document && !file->lacks_json) return document;
  (void)tool_because(why, "no memory for the JSON of %u frames", file->frame_count);
  json_decref(document);
  return NULL;
}

// ---- the container ----

static const size_t json_flags = JSON_COMPACT | JSON_REAL_PRECISION(9);

static size_t json_room(uint32_t frame_count) {
  return JSON_ROOM + JSON_ROOM_OF_FRAME * (size_t)frame_count;
}

/* Header and JSON chunk of a .glb; its buffer chunk is already there. */
static bool write_container(gltf_file* file, const json_t* document, tool_message* why) {
  FILE* stream = file->buffer.stream;
  const size_t room = (size_t)file->buffer_start - 28;
  const uint64_t buffer_size = file->end[GLTF_VIEWS - 1];
  const uint64_t size = (uint64_t)file->buffer_start + buffer_size;
  char* text = json_dumps(document, json_flags);
  if (!text) return tool_because(why, "no memory for the JSON of '%s'", file->buffer.path);
  const size_t length = strlen(text);
  bool ok = (size <= UINT32_MAX && length <= room) ||
            tool_because(why, "cannot write '%s': a .glb has 4 GiB at most", file->buffer.path);
  const uint32_t header[] = {0x46546C67, 2, (uint32_t)size, (uint32_t)room, 0x4E4F534A};
  const uint32_t chunk[] = {(uint32_t)buffer_size, 0x004E4942};
  if (ok && fseeko(stream, 0, SEEK_SET) == 0) {
    fwrite(header, sizeof header, 1, stream);
    fwrite(text, 1, length, stream);
    for (size_t i = length; i < room; ++i) fputc(' ', stream);
    fwrite(chunk, sizeof chunk, 1, stream);
  }
  free(text);
  return ok && sim_cache_flush(&file->buffer, why);
}

static bool write_document(gltf_file* file, tool_message* why) {
  json_t* document = make_document(file, why);
  bool ok = document != NULL;
  if (ok && file->buffer_path) {
    ok = json_dumpf(document, file->json.stream, json_flags) == 0;
    if (!ok) (void)tool_because(why, "cannot write '%s': %s", file->json.path, strerror(errno));
  } else if (ok) {
    ok = write_container(file, document, why);
  }
  json_decref(document);
  return ok;
}

// ---- opening and closing ----

static void free_file(gltf_file* file) {
  for (int kind = 0; kind < SIM_CELL_KINDS; ++kind) free(file->present[kind]);
  free(file->rest);
  free(file->moved);
  free(file->changes);
  free(file->buffer_path);
  json_decref(file->accessors);
  free(file);
}

static bool close_gltf(void* state, bool is_kept, tool_message* why) {
  gltf_file* file = state;
  tool_message unused;
  bool ok = is_kept && write_document(file, why);
  ok = tool_output_close(&file->buffer, ok, ok ? why : &unused) && ok;
  if (file->buffer_path) ok = tool_output_close(&file->json, ok, ok ? why : &unused) && ok;
  free_file(file);
  return ok || !is_kept;
}

static char* buffer_beside(const char* path) {
  return sim_cache_path(path, "bin");
}

static bool allocate(gltf_file* file, tool_message* why) {
  const size_t size = 3 * sizeof(float) * ((size_t)file->particle_count + 1);
  file->rest = malloc(size);
  file->moved = malloc(size);
  file->accessors = json_array();
  bool ok = file->rest && file->moved && file->accessors;
  for (int kind = 0; kind < SIM_CELL_KINDS; ++kind) {
    const uint32_t count = file->topology->cells[kind].count;
    file->present[kind] = malloc((size_t)count + 1);
    ok = ok && file->present[kind];
    if (ok) memset(file->present[kind], true, count);
  }
  return ok || tool_because(why, "no memory for a mesh of %u vertices", file->particle_count);
}

static bool open_outputs(gltf_file* file, const sim_cache_plan* plan, bool is_glb,
                         tool_message* why) {
  tool_message unused;
  if (is_glb) {
    if (!tool_output_open(plan->path, &file->buffer, why)) return false;
    file->buffer_start = (long)(28 + json_room(plan->frame_count));
    return fseek(file->buffer.stream, file->buffer_start, SEEK_SET) == 0;
  }
  file->buffer_path = buffer_beside(plan->path);
  if (!file->buffer_path) return tool_because(why, "no memory for '%s'", plan->path);
  if (!tool_output_open(file->buffer_path, &file->buffer, why)) return false;
  if (tool_output_open(plan->path, &file->json, why)) return true;
  (void)tool_output_close(&file->buffer, false, &unused);
  return false;
}

static bool open_file(const sim_cache_plan* plan, bool is_glb, void** state, tool_message* why) {
  gltf_file* file = calloc(1, sizeof *file);
  if (!file) return tool_because(why, "no memory for '%s'", plan->path);
  file->title = plan->title;
  file->fps = plan->fps;
  file->particle_count = plan->particle_count;
  file->topology = plan->topology;
  if (allocate(file, why) && open_outputs(file, plan, is_glb, why)) {
    *state = file;
    return true;
  }
  free_file(file);
  return false;
}

static bool open_gltf(const sim_cache_plan* plan, void** state, tool_message* why) {
  return open_file(plan, false, state, why);
}

static bool open_glb(const sim_cache_plan* plan, void** state, tool_message* why) {
  return open_file(plan, true, state, why);
}

static bool check_frames(const sim_cache_plan* plan, tool_message* why) {
  return plan->frame_count <= MOST_FRAMES ||
         tool_because(why, "'%s' would have %u frames, and %d are the most: give a lower --fps",
                      plan->path, plan->frame_count, MOST_FRAMES);
}

static bool check_size(const sim_cache_plan* plan, tool_message* why) {
  const double size = 12.0 * plan->frame_count * plan->particle_count;
  if (!check_frames(plan, why)) return false;
  return size < 4e9 ||
         tool_because(why, "'%s' would have %.3g GB, and 4 GiB are the most of a .glb", plan->path,
                      size * 1e-9);
}

const sim_cache_format sim_gltf = {.extension = "gltf",
                                   .has_cells = true,
                                   .companion = buffer_beside,
                                   .check = check_frames,
                                   .open = open_gltf,
                                   .add = add_frame,
                                   .close = close_gltf};

const sim_cache_format sim_glb = {.extension = "glb",
                                  .has_cells = true,
                                  .check = check_size,
                                  .open = open_glb,
                                  .add = add_frame,
                                  .close = close_gltf};
