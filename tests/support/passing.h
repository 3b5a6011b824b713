/* Self-intersections of cloth: a test of every edge against every face. */
#ifndef TESTS_SUPPORT_PASSING_H
#define TESTS_SUPPORT_PASSING_H

#include <stdint.h>

typedef struct face_mesh {
  uint32_t face_count, edge_count;
  uint32_t (*face)[3];
  uint32_t (*edge)[2]; /* each edge once */
} face_mesh;

/* Mesh of sheets of columns x rows particles, one after the other, with the engine's diagonals. */
face_mesh new_sheet_mesh(uint32_t columns, uint32_t rows, uint32_t sheets);

/* Mesh of any faces. */
face_mesh new_face_mesh(const uint32_t (*face)[3], uint32_t count);
/* Number of edge-face pairs that intersect and share no particle. */
uint32_t count_crossings(const face_mesh* mesh, const float* positions);

/* Number of faces that the segment from a to b intersects, at these positions. */
uint32_t count_passed(const face_mesh* mesh, const float* positions, const float a[3],
                      const float b[3]);

#endif
