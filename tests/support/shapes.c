#include "support/shapes.h"

#include <math.h>
#include <stdbool.h>

#include "support/suite.h"

mesh_shape new_shape(uint32_t most_vertices, uint32_t most_faces) {
  const mesh_shape made = {.place = test_alloc(sizeof(*made.place) * most_vertices),
                           .face = test_alloc(sizeof(*made.face) * most_faces)};
  require(made.place != NULL && made.face != NULL);
  return made;
}

static void add_vertex(mesh_shape* shape, float x, float y, float z) {
  float* place = shape->place[shape->vertex_count++];
  place[0] = x;
  place[1] = y;
  place[2] = z;
}

static void add_face(mesh_shape* shape, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t* face = shape->face[shape->face_count++];
  face[0] = a;
  face[1] = b;
  face[2] = c;
}

// a square, corners given row by row
static void add_square(mesh_shape* shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                       bool other) {
  add_face(shape, a, c, other ? d : b);
  add_face(shape, other ? a : c, d, b);
}

mesh_shape new_lattice(random_source* random, uint32_t columns, uint32_t rows, float spacing) {
  mesh_shape made = new_shape(columns * rows, 2 * columns * rows);
  for (uint32_t n = 0; n < columns * rows; ++n) {
    add_vertex(&made, ((float)(n % columns) - 0.5f * (float)(columns - 1)) * spacing, 0.0f,
               ((float)(n / columns) - 0.5f * (float)(rows - 1)) * spacing);
  }
  for (uint32_t row = 0; row + 1 < rows; ++row) {
    for (uint32_t column = 0; column + 1 < columns; ++column) {
      const uint32_t n = row * columns + column;
      add_square(&made, n, n + 1, n + columns, n + columns + 1, random_chance(random, 2));
    }
  }
  return made;
}

static bool is_near(const mesh_shape* shape, uint32_t face, float x, float z, float radius) {
  float middle[2] = {0.0f, 0.0f};
  for (int k = 0; k < 3; ++k) {
    middle[0] += shape->place[shape->face[face][k]][0] / 3.0f;
    middle[1] += shape->place[shape->face[face][k]][2] / 3.0f;
  }
  return hypotf(middle[0] - x, middle[1] - z) < radius;
}

static void drop_faces(mesh_shape* shape, float x, float z, float radius) {
  uint32_t kept = 0;
  for (uint32_t f = 0; f < shape->face_count; ++f) {
    if (is_near(shape, f, x, z, radius)) continue;
    memmove(shape->face[kept++], shape->face[f], sizeof(*shape->face));
  }
  shape->face_count = kept;
}

// removes vertices without faces
static void drop_loose_vertices(mesh_shape* shape) {
  uint32_t* number = test_alloc(sizeof(*number) * shape->vertex_count);
  require(number != NULL);
  for (uint32_t i = 0; i < shape->vertex_count; ++i) number[i] = 0;
  for (uint32_t f = 0; f < shape->face_count; ++f) {
    for (int k = 0; k < 3; ++k) number[shape->face[f][k]] = 1;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < shape->vertex_count; ++i) {
    if (number[i] == 0) continue;
    memmove(shape->place[kept], shape->place[i], sizeof(*shape->place));
    number[i] = kept++;
  }
  shape->vertex_count = kept;
  for (uint32_t f = 0; f < shape->face_count; ++f) {
    for (int k = 0; k < 3; ++k) shape->face[f][k] = number[shape->face[f][k]];
  }
}

mesh_shape new_holed_cloth(random_source* random, uint32_t side, float spacing) {
  mesh_shape made = new_lattice(random, side, side, spacing);
  // jitter is too small to invert a triangle of the lattice
  for (uint32_t i = 0; i < made.vertex_count; ++i) {
    made.place[i][0] += random_float(random, -0.2f, 0.2f) * spacing;
    made.place[i][2] += random_float(random, -0.2f, 0.2f) * spacing;
  }
  const float half = 0.5f * spacing * (float)side;
  drop_faces(&made, 0.0f, 0.3f * half, 0.25f * half);
  drop_faces(&made, 0.2f * half, -half, 0.5f * half);
  drop_loose_vertices(&made);
  return made;
}

static uint32_t add_middle(mesh_shape* shape, uint32_t a, uint32_t b, float radius) {
  float middle[3];
  for (int axis = 0; axis < 3; ++axis) {
    middle[axis] = shape->place[a][axis] + shape->place[b][axis];
  }
  const float scale =
      radius / sqrtf(middle[0] * middle[0] + middle[1] * middle[1] + middle[2] * middle[2]);
  for (int axis = 0; axis < 3; ++axis) middle[axis] *= scale;
  for (uint32_t i = 0; i < shape->vertex_count; ++i) {
    if (memcmp(shape->place[i], middle, sizeof(middle)) == 0) return i;
  }
  add_vertex(shape, middle[0], middle[1], middle[2]);
  return shape->vertex_count - 1;
}

static void divide(mesh_shape* shape, float radius) {
  const uint32_t count = shape->face_count;
  for (uint32_t f = 0; f < count; ++f) {
    const uint32_t c[3] = {shape->face[f][0], shape->face[f][1], shape->face[f][2]};
    uint32_t middle[3];
    for (int k = 0; k < 3; ++k) middle[k] = add_middle(shape, c[k], c[(k + 1) % 3], radius);
    for (int k = 0; k < 3; ++k) add_face(shape, c[k], middle[k], middle[(k + 2) % 3]);
    memcpy(shape->face[f], middle, sizeof(middle));
  }
}

mesh_shape new_icosphere(uint32_t levels, float radius) {
  static const uint32_t FACES[20][3] = {
      {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  const uint32_t faces = 20u << 2 * levels;
  mesh_shape made = new_shape(faces / 2 + 2, faces);
  const float t = 1.6180340f;
  const float scale = radius / sqrtf(1.0f + t * t);
  for (int axis = 2; axis < 5; ++axis) {
    for (int n = 0; n < 4; ++n) {
      float at[3];
      at[axis % 3] = 0.0f;
      at[(axis + 1) % 3] = (n % 2 == 0 ? -scale : scale);
      at[(axis + 2) % 3] = (n < 2 ? scale : -scale) * t;
      add_vertex(&made, at[0], at[1], at[2]);
    }
  }
  for (int f = 0; f < 20; ++f) add_face(&made, FACES[f][0], FACES[f][1], FACES[f][2]);
  for (uint32_t n = 0; n < levels; ++n) divide(&made, radius);
  return made;
}

mesh_shape new_moebius_strip(uint32_t columns, uint32_t rows, float spacing) {
  mesh_shape made = new_shape(columns * rows, 2 * columns * rows);
  const float radius = spacing * (float)columns / 6.2831853f;
  for (uint32_t n = 0; n < columns * rows; ++n) {
    const float angle = 6.2831853f * (float)(n / rows) / (float)columns;
    const float across = spacing * ((float)(n % rows) - 0.5f * (float)(rows - 1));
    const float out = radius + across * cosf(0.5f * angle);
    add_vertex(&made, out * cosf(angle), across * sinf(0.5f * angle), out * sinf(angle));
  }
  for (uint32_t column = 0; column < columns; ++column) {
    for (uint32_t row = 0; row + 1 < rows; ++row) {
      const bool is_last = column + 1 == columns;
      const uint32_t n = column * rows + row;
      const uint32_t next = is_last ? rows - 1 - row : n + rows;
      add_square(&made, n, n + 1, next, is_last ? next - 1 : next + 1, false);
    }
  }
  return made;
}

void add_shape(mesh_shape* to, const mesh_shape* from, const float by[3]) {
  mesh_shape both =
      new_shape(to->vertex_count + from->vertex_count, to->face_count + from->face_count);
  const mesh_shape* const parts[2] = {to, from};
  for (int p = 0; p < 2; ++p) {
    const uint32_t first = both.vertex_count;
    for (uint32_t i = 0; i < parts[p]->vertex_count; ++i) {
      const float* at = parts[p]->place[i];
      const float share = p == 0 ? 0.0f : 1.0f;
      add_vertex(&both, at[0] + share * by[0], at[1] + share * by[1], at[2] + share * by[2]);
    }
    for (uint32_t f = 0; f < parts[p]->face_count; ++f) {
      const uint32_t* corner = parts[p]->face[f];
      add_face(&both, first + corner[0], first + corner[1], first + corner[2]);
    }
  }
  *to = both;
}

void turn_shape(mesh_shape* shape, random_source* random) {
  for (int axis = 0; axis < 3; ++axis) {
    const float angle = random_float(random, -3.0f, 3.0f);
    const float c = cosf(angle);
    const float s = sinf(angle);
    for (uint32_t i = 0; i < shape->vertex_count; ++i) {
      float* u = &shape->place[i][(axis + 1) % 3];
      float* v = &shape->place[i][(axis + 2) % 3];
      const float turned = c * *u - s * *v;
      *v = s * *u + c * *v;
      *u = turned;
    }
  }
}
