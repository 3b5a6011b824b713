#include "support/passing.h"

#include <stdbool.h>
#include <stdlib.h>

#include "support/suite.h"

static void add_face(face_mesh* mesh, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t* face = mesh->face[mesh->face_count++];
  face[0] = a;
  face[1] = b;
  face[2] = c;
}

static void add_edge(face_mesh* mesh, uint32_t a, uint32_t b) {
  uint32_t* edge = mesh->edge[mesh->edge_count++];
  edge[0] = a;
  edge[1] = b;
}

face_mesh new_sheet_mesh(uint32_t columns, uint32_t rows, uint32_t sheets) {
  const size_t particles = (size_t)columns * rows * sheets;
  face_mesh mesh = {.face = test_alloc(sizeof(*mesh.face) * 2 * particles),
                    .edge = test_alloc(sizeof(*mesh.edge) * 3 * particles)};
  require(mesh.face != NULL && mesh.edge != NULL);
  for (uint32_t n = 0; n < particles; ++n) {
    const uint32_t column = n % columns;
    const uint32_t row = n / columns % rows;
    if (column + 1 < columns) add_edge(&mesh, n, n + 1);
    if (row + 1 < rows) add_edge(&mesh, n, n + columns);
    if (column + 1 == columns || row + 1 == rows) continue;
    add_edge(&mesh, n + 1, n + columns);
    add_face(&mesh, n, n + columns, n + 1);
    add_face(&mesh, n + 1, n + columns, n + columns + 1);
  }
  return mesh;
}

static bool has_edge(const face_mesh* mesh, uint32_t a, uint32_t b) {
  for (uint32_t e = 0; e < mesh->edge_count; ++e) {
    const uint32_t* edge = mesh->edge[e];
    if ((edge[0] == a && edge[1] == b) || (edge[0] == b && edge[1] == a)) return true;
  }
  return false;
}

face_mesh new_face_mesh(const uint32_t (*face)[3], uint32_t count) {
  face_mesh mesh = {.face = test_alloc(sizeof(*mesh.face) * count),
                    .edge = test_alloc(sizeof(*mesh.edge) * 3 * count)};
  require(mesh.face != NULL && mesh.edge != NULL);
  for (uint32_t f = 0; f < count; ++f) {
    add_face(&mesh, face[f][0], face[f][1], face[f][2]);
    for (int k = 0; k < 3; ++k) {
      const uint32_t a = face[f][k];
      const uint32_t b = face[f][(k + 1) % 3];
      if (!has_edge(&mesh, a, b)) add_edge(&mesh, a, b);
    }
  }
  return mesh;
}

// six times the signed volume of a tetrahedron: positive on one side of abc, negative on the other
static double side_of(const float* a, const float* b, const float* c, const float* d) {
  double m[3][3];
  for (int k = 0; k < 3; ++k) {
    m[0][k] = (double)b[k] - (double)a[k];
    m[1][k] = (double)c[k] - (double)a[k];
    m[2][k] = (double)d[k] - (double)a[k];
  }
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static bool goes_through(const float* p, const float* q, const float* a, const float* b,
                         const float* c) {
  for (int k = 0; k < 3; ++k) {
    if (p[k] < a[k] && p[k] < b[k] && p[k] < c[k] && q[k] < a[k] && q[k] < b[k] && q[k] < c[k]) {
      return false;
    }
    if (p[k] > a[k] && p[k] > b[k] && p[k] > c[k] && q[k] > a[k] && q[k] > b[k] && q[k] > c[k]) {
      return false;
    }
  }
  if (side_of(a, b, c, p) * side_of(a, b, c, q) >= 0.0) return false;
  const double ab = side_of(p, q, a, b);
  const double bc = side_of(p, q, b, c);
  const double ca = side_of(p, q, c, a);
  return (ab > 0.0 && bc > 0.0 && ca > 0.0) || (ab < 0.0 && bc < 0.0 && ca < 0.0);
}

uint32_t count_crossings(const face_mesh* mesh, const float* positions) {
  uint32_t count = 0;
  for (uint32_t f = 0; f < mesh->face_count; ++f) {
    const uint32_t* c = mesh->face[f];
    for (uint32_t e = 0; e < mesh->edge_count; ++e) {
      const uint32_t* end = mesh->edge[e];
      bool shared = false;
      for (int k = 0; k < 3; ++k) shared |= c[k] == end[0] || c[k] == end[1];
      if (shared) continue;
      count += goes_through(positions + (size_t)3 * end[0], positions + (size_t)3 * end[1],
                            positions + (size_t)3 * c[0], positions + (size_t)3 * c[1],
                            positions + (size_t)3 * c[2]);
    }
  }
  return count;
}

uint32_t count_passed(const face_mesh* mesh, const float* positions, const float a[3],
                      const float b[3]) {
  uint32_t count = 0;
  for (uint32_t f = 0; f < mesh->face_count; ++f) {
    const uint32_t* c = mesh->face[f];
    count += goes_through(a, b, positions + (size_t)3 * c[0], positions + (size_t)3 * c[1],
                          positions + (size_t)3 * c[2]);
  }
  return count;
}
