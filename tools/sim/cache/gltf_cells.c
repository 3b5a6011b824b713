/* Cells of a glTF mesh, whose vertices and indices are fixed: a cell torn at some time has corners
 * of its own, all at the first one's place while it is absent.
 *
 *     frame       0        1        2
 *     present    /_\      /_\       .     the face is a point, and not drawn */
#include <stdlib.h>
#include <string.h>

#include "sim/cache/gltf.h"

bool gltf_note_changes(gltf_file* file, const sim_frame* frame, tool_message* why) {
  for (sim_cell_kind kind = 0; kind < SIM_CELL_KINDS; ++kind) {
    const sim_cells* cells = &frame->topology->cells[kind];
    for (uint32_t i = 0; i < cells->count; ++i) {
      if (cells->present[i] == file->present[kind][i]) continue;
      file->present[kind][i] = cells->present[i];
      if (file->change_count == file->change_room) {
        const size_t room = 2 * file->change_room + 64;
        gltf_change* grown = realloc(file->changes, room * sizeof *grown);
        if (!grown) return tool_because(why, "no memory for %zu torn cells", room);
        file->changes = grown;
        file->change_room = room;
      }
      file->changes[file->change_count++] = (gltf_change){kind, frame->number, i};
    }
  }
  return true;
}

/* Cells of one kind, divided. */
typedef struct cell_parts {
  sim_cell_kind kind;
  uint32_t corner_count; /* corners of a cell */
  bool* torn;            /* absent at some time [count] */
  uint32_t torn_count, whole_count;
  uint32_t* indices;   /* scratch: corners of the cells of a part */
  float *rest, *moved; /* corners of torn cells [torn_count][corner_count][3] */
} cell_parts;

static void free_parts(cell_parts* parts) {
  free(parts->torn);
  free(parts->indices);
  free(parts->rest);
  free(parts->moved);
}

static bool divide_cells(const gltf_file* file, sim_cell_kind kind, cell_parts* parts,
                         tool_message* why) {
  const uint32_t count = file->topology->cells[kind].count;
  *parts = (cell_parts){.kind = kind, .corner_count = sim_corner_counts[kind]};
  parts->torn = calloc((size_t)count + 1, sizeof *parts->torn);
  parts->indices = calloc((size_t)count + 1, parts->corner_count * sizeof *parts->indices);
  if (!parts->torn || !parts->indices) return tool_because(why, "no memory for %u cells", count);
  for (size_t i = 0; i < file->change_count; ++i) {
    if (file->changes[i].kind == kind) parts->torn[file->changes[i].cell] = true;
  }
  for (uint32_t i = 0; i < count; ++i) parts->torn_count += parts->torn[i];
  parts->whole_count = count - parts->torn_count;
  // in a single frame absent cells are left out
  if (file->frame_count == 1) parts->torn_count = 0;
  const size_t size = ((size_t)parts->torn_count + 1) * parts->corner_count * 3 * sizeof(float);
  parts->rest = malloc(size);
  parts->moved = malloc(size);
  return (parts->rest && parts->moved) ||
         tool_because(why, "no memory for %u torn cells", parts->torn_count);
}

static bool read_displacements(gltf_file* file, uint32_t frame, tool_message* why) {
  const size_t size = 3 * sizeof(float) * (size_t)file->particle_count;
  FILE* stream = file->buffer.stream;
  memset(file->moved, 0, size);
  if (frame == 0) return true;
  const off_t at = (off_t)file->buffer_start + (off_t)size * frame;
  const bool ok = fseeko(stream, at, SEEK_SET) == 0 &&
                  fread(file->moved, 1, size, stream) == size && fseeko(stream, 0, SEEK_END) == 0;
  return ok || tool_because(why, "cannot read back '%s'", file->buffer.path);
}

static void place_corners(const gltf_file* file, const cell_parts* parts, float* places) {
  const uint32_t* corners = file->topology->cells[parts->kind].corners;
  const uint32_t count = file->topology->cells[parts->kind].count;
  for (uint32_t i = 0; i < count; ++i, corners += parts->corner_count) {
    if (!parts->torn[i]) continue;
    for (uint32_t k = 0; k < parts->corner_count; ++k) {
      const size_t from = 3 * (size_t)corners[file->present[parts->kind][i] ? k : 0];
      for (size_t c = 0; c < 3; ++c) *places++ = file->rest[from + c] + file->moved[from + c];
    }
  }
}

/* Updates the marks of cells to a frame; called for all frames in order. */
static size_t replay_changes(gltf_file* file, size_t next, uint32_t frame) {
  for (; next < file->change_count && file->changes[next].frame == frame; ++next) {
    bool* present = &file->present[file->changes[next].kind][file->changes[next].cell];
    *present = !*present;
  }
  return next;
}

/* Appends the corners' positions in each frame; the first accessor is `first`. */
static bool append_corners(gltf_file* file, cell_parts* parts, size_t* first, tool_message* why) {
  const uint32_t corner_count = parts->torn_count * parts->corner_count;
  size_t next = 0;
  for (uint32_t i = 0; i < file->topology->cells[parts->kind].count; ++i) {
    file->present[parts->kind][i] = true;
  }
  for (uint32_t frame = 0; frame < file->frame_count; ++frame) {
    if (!read_displacements(file, frame, why)) return false;
    next = replay_changes(file, next, frame);
    float* places = frame == 0 ? parts->rest : parts->moved;
    place_corners(file, parts, places);
    for (size_t i = 0; frame > 0 && i < 3 * (size_t)corner_count; ++i) places[i] -= parts->rest[i];
    const size_t accessor =
        gltf_append(file, GLTF_TORN, GLTF_FLOAT, "VEC3", places, corner_count, true);
    if (frame == 0) *first = accessor;
  }
  return true;
}

/* Vertices are accessors from `first` on, one a frame. */
static json_t* make_primitive(gltf_file* file, sim_cell_kind kind, size_t first, size_t indices) {
  static const int modes[SIM_CELL_KINDS] = {4, 1, 0};
  json_t* primitive = json_pack("{s{sI} sI si si}", "attributes", "POSITION", (json_int_t)first,
                                "indices", (json_int_t)indices, "mode", modes[kind], "material", 0);
  if (file->frame_count == 1) return primitive;
  json_t* targets = json_array();
  for (uint32_t frame = 1; frame < file->frame_count; ++frame) {
    gltf_list(file, targets, json_pack("{sI}", "POSITION", (json_int_t)(first + frame)));
  }
  gltf_set(file, primitive, "targets", targets);
  return primitive;
}

static void append_whole(gltf_file* file, const cell_parts* parts, json_t* primitives) {
  const sim_cells* cells = &file->topology->cells[parts->kind];
  const uint32_t corner_count = parts->corner_count;
  uint32_t* index = parts->indices;
  for (uint32_t i = 0; i < cells->count; ++i) {
    if (parts->torn[i]) continue;
    memcpy(index, cells->corners + (size_t)corner_count * i, corner_count * sizeof *index);
    index += corner_count;
  }
  const size_t accessor = gltf_append(file, GLTF_INDICES, GLTF_UINT, "SCALAR", parts->indices,
                                      parts->whole_count * corner_count, false);
  gltf_list(file, primitives, make_primitive(file, parts->kind, 0, accessor));
}

static void append_torn(gltf_file* file, const cell_parts* parts, size_t first,
                        json_t* primitives) {
  const uint32_t count = parts->torn_count * parts->corner_count;
  for (uint32_t i = 0; i < count; ++i) parts->indices[i] = i;
  const size_t accessor =
      gltf_append(file, GLTF_INDICES, GLTF_UINT, "SCALAR", parts->indices, count, false);
  gltf_list(file, primitives, make_primitive(file, parts->kind, first, accessor));
}

json_t* gltf_append_primitives(gltf_file* file, tool_message* why) {
  cell_parts parts[SIM_CELL_KINDS] = {{.kind = SIM_FACES}};
  size_t first[SIM_CELL_KINDS] = {0};
  json_t* primitives = json_array();
  bool ok = primitives || tool_because(why, "no memory for the faces");
  // all corners, then all indices: views do not mix
  for (sim_cell_kind kind = 0; ok && kind < SIM_CELL_KINDS; ++kind) {
    ok = divide_cells(file, kind, &parts[kind], why) &&
         (parts[kind].torn_count == 0 || append_corners(file, &parts[kind], &first[kind], why));
  }
  for (sim_cell_kind kind = 0; ok && kind < SIM_CELL_KINDS; ++kind) {
    if (parts[kind].whole_count > 0) append_whole(file, &parts[kind], primitives);
    if (parts[kind].torn_count > 0) append_torn(file, &parts[kind], first[kind], primitives);
  }
  for (int kind = 0; kind < SIM_CELL_KINDS; ++kind) free_parts(&parts[kind]);
  if (ok) return primitives;
  json_decref(primitives);
  return NULL;
}
