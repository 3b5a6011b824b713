/* A glTF 2.0 asset under construction: its binary buffer and the accessors that describe it. */
#ifndef TOOLS_SIM_CACHE_GLTF_H
#define TOOLS_SIM_CACHE_GLTF_H

#include <jansson.h>

#include "sim/cache/format.h"

/* Views of the buffer, one after the other in this order. */
typedef enum gltf_view {
  GLTF_PARTICLES, /* positions of particles: frame 0, and displacements from it */
  GLTF_TORN,      /* positions of corners of cells that are absent at some time */
  GLTF_INDICES,
  GLTF_CURVES, /* times and weights of the animation */
  GLTF_VIEWS
} gltf_view;

/* A cell that becomes present or absent. */
typedef struct gltf_change {
  sim_cell_kind kind;
  uint32_t frame, cell;
} gltf_change;

typedef struct gltf_file {
  tool_output json;   /* file of a .gltf */
  tool_output buffer; /* in a .glb the file */
  char* buffer_path;  /* path in a .gltf; NULL in a .glb */
  const char* title;
  long buffer_start;        /* buffer's begin in its file */
  uint64_t end[GLTF_VIEWS]; /* bytes written so far, by view */
  uint32_t particle_count;
  uint32_t frame_count; /* written */
  double fps;
  const sim_topology* topology;
  float* rest;                   /* positions in frame 0 [particle_count][3] */
  float* moved;                  /* displacements of a frame [particle_count][3] */
  bool* present[SIM_CELL_KINDS]; /* cells in the last frame */
  gltf_change* changes;          /* sorted by frame */
  size_t change_count, change_room;
  json_t* accessors;
  bool lacks_json; /* a part of the document found no memory */
} gltf_file;

/* Component types of accessors. */
enum { GLTF_UINT = 5125, GLTF_FLOAT = 5126 };

/* Appends `count` elements to a view, the last one begun, and describes them. Elements are scalars,
 * or triples where `type` is "VEC3"; `is_bounded` adds least and greatest components. Returns the
 * accessor's index. */
size_t gltf_append(gltf_file* file, gltf_view view, int component_type, const char* type,
                   const void* elements, uint32_t count, bool is_bounded);

/* Appends to an array, or sets a member, and notes a failure, also of the item: NULL. */
void gltf_list(gltf_file* file, json_t* array, json_t* item);
void gltf_set(gltf_file* file, json_t* object, const char* key, json_t* item);

/* Notes the cells that are present now and were not, or were and are not. */
bool gltf_note_changes(gltf_file* file, const sim_frame* frame, tool_message* why);

/* Appends the cells as an array of primitives; NULL on failure. */
json_t* gltf_append_primitives(gltf_file* file, tool_message* why);

#endif
