/* The finished mesh: vertices in space and the triangles between them. */
#ifndef WEFT_TOOLS_MESH_MESH_H
#define WEFT_TOOLS_MESH_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/message.h"

typedef struct mesh {
  float (*positions)[3];    /* metres [vertex_count] */
  uint32_t (*triangles)[3]; /* vertex numbers [triangle_count] */
  uint32_t vertex_count;
  uint32_t triangle_count;
} mesh;

/* Measured facts about a mesh. */
typedef struct mesh_report {
  uint32_t edge_count;
  uint32_t boundary_edge_count;
  uint32_t piece_count;                          /* connected pieces */
  uint32_t loop_count;                           /* open boundaries */
  double smallest_angle, median_smallest_angle;  /* degrees, smallest of each triangle */
  double shortest_edge, mean_edge, longest_edge; /* metres */
} mesh_report;

void mesh_free(mesh* cloth);

/* Returns a fault, or NULL: unused vertices, triangles without area, edges of more than two
 * triangles or of two that face opposite ways, vertices where only corners meet. */
const char* mesh_check(const mesh* cloth, mesh_report* report);

/* Checks that the path ends in .obj or .ply. */
bool mesh_check_format(const char* path, tool_message* why);

/* Writes .obj or .ply (as text), by the path's ending; an older file stays until the new one is
 * complete. */
bool mesh_write(const mesh* cloth, const char* path, tool_message* why);

#endif
