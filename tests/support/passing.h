/* Whether cloth goes through itself, judged by all edges and all faces, one with each other. */
#ifndef TESTS_SUPPORT_PASSING_H
#define TESTS_SUPPORT_PASSING_H

#include <stdint.h>

typedef struct face_mesh {
  uint32_t face_count, edge_count;
  uint32_t (*face)[3];
  uint32_t (*edge)[2]; /* each once */
} face_mesh;

/* Sheets of columns x rows particles, one after the other, with faces cut as the engine does it. */
face_mesh new_sheet_mesh(uint32_t columns, uint32_t rows, uint32_t sheets);

/* Of any faces. */
face_mesh new_face_mesh(const uint32_t (*face)[3], uint32_t count);
void free_face_mesh(face_mesh* mesh);

/* How many edges go through faces that they share no particle with. */
uint32_t count_crossings(const face_mesh* mesh, const float* positions);

/* How often a way from a to b goes through the faces, in the places that they have there. */
uint32_t count_passed(const face_mesh* mesh, const float* positions, const float a[3],
                      const float b[3]);

#endif
