#include "validate/shapes.h"

#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "samples.h"

const char* shape_name(shape_kind kind) {
  static const char* const names[] = {"sheet", "right-angled mesh", "mesh at 45 degrees",
                                      "irregular mesh", "sheet along rows"};
  return names[kind];
}

static bool allocate(validate_run* run, size_t vertex_count, size_t triangle_count,
                     shape_mesh* mesh) {
  *mesh = (shape_mesh){
      .positions = validate_new(run, 3 * vertex_count, sizeof(float)),
      .triangles = validate_new(run, 3 * triangle_count, sizeof(uint32_t)),
  };
  if (mesh->positions && mesh->triangles) return true;
  shape_free(mesh);
  return false;
}

void shape_free(shape_mesh* mesh) {
  free(mesh->positions);
  free(mesh->triangles);
  *mesh = (shape_mesh){0};
}

static void add_vertex(shape_mesh* mesh, double x, double z) {
  float* at = &mesh->positions[3 * (size_t)mesh->vertex_count++];
  at[0] = (float)x;
  at[1] = 0.0f;
  at[2] = (float)z;
}

static void add_triangle(shape_mesh* mesh, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t* at = &mesh->triangles[3 * (size_t)mesh->triangle_count++];
  at[0] = a;
  at[1] = b;
  at[2] = c;
}

void shape_add(validate_run* run, const shape_mesh* mesh, const weft_material_def* material,
               double warp_angle) {
  weft_mesh_def def = weft_default_mesh_def();
  def.positions = mesh->positions;
  def.vertex_count = mesh->vertex_count;
  def.triangles = mesh->triangles;
  def.triangle_count = mesh->triangle_count;
  def.material = material;
  if (!isnan(warp_angle)) {
    def.warp[0] = (float)cos(warp_angle);
    def.warp[2] = (float)sin(warp_angle);
  }
  tool_must(weft_scene_add_mesh(run->scene, &def, NULL));
}

static void add_cell(shape_mesh* mesh, shape_kind kind, uint32_t columns, uint32_t corner,
                     double spacing) {
  const uint32_t a = corner, b = a + 1, c = a + columns + 1, d = c + 1;
  if (kind == SHAPE_CROSS) {
    const uint32_t center = mesh->vertex_count;
    const float* at = &mesh->positions[3 * (size_t)a];
    add_vertex(mesh, (double)at[0] + 0.5 * spacing, (double)at[2] + 0.5 * spacing);
    add_triangle(mesh, a, center, b);
    add_triangle(mesh, b, center, d);
    add_triangle(mesh, d, center, c);
    add_triangle(mesh, c, center, a);
  } else if (kind == SHAPE_IRREGULAR && bench_noise(3 * corner) < 0.5) {
    add_triangle(mesh, a, c, d);
    add_triangle(mesh, a, d, b);
  } else {
    add_triangle(mesh, a, c, b);
    add_triangle(mesh, b, c, d);
  }
}

bool shape_make_strip(validate_run* run, shape_kind kind, uint32_t columns, uint32_t rows,
                      double spacing, shape_mesh* mesh) {
  const size_t cells = (size_t)columns * rows, corners = (size_t)(columns + 1) * (rows + 1);
  if (!allocate(run, corners + cells, 4 * cells, mesh)) return false;
  for (uint32_t row = 0; row <= rows; ++row) {
    for (uint32_t column = 0; column <= columns; ++column) {
      const bool is_inner = row > 1 && row < rows && column > 0 && column < columns;
      const double reach = kind == SHAPE_IRREGULAR && is_inner ? 0.5 * spacing : 0.0;
      const uint32_t number = mesh->vertex_count;
      add_vertex(mesh, column * spacing + reach * (bench_noise(3 * number + 1) - 0.5),
                 row * spacing + reach * (bench_noise(3 * number + 2) - 0.5));
    }
  }
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      add_cell(mesh, kind, columns, row * (columns + 1) + column, spacing);
    }
  }
  return true;
}

static uint32_t ring_count(double inner, uint32_t ring, double spacing) {
  return (uint32_t)lround(2.0 * validate_pi * (inner + ring * spacing) / spacing);
}

/* Triangles between two rings, each with the shorter of the next two diagonals. */
static void join_rings(shape_mesh* mesh, uint32_t first, uint32_t count, uint32_t next_first,
                       uint32_t next_count) {
  uint32_t i = 0, k = 0;
  while (i < count || k < next_count) {
    const double step = (double)(i + 1) / count, next_step = (double)(k + 1) / next_count;
    const uint32_t a = first + i % count, b = next_first + k % next_count;
    if (k == next_count || (i < count && step < next_step)) {
      add_triangle(mesh, a, first + (i + 1) % count, b);
      ++i;
    } else {
      add_triangle(mesh, a, next_first + (k + 1) % next_count, b);
      ++k;
    }
  }
}

bool shape_make_annulus(validate_run* run, double inner, uint32_t rings, double spacing,
                        shape_mesh* mesh) {
  size_t vertex_count = 0;
  for (uint32_t ring = 0; ring < rings; ++ring) vertex_count += ring_count(inner, ring, spacing);
  if (!allocate(run, vertex_count, 2 * vertex_count, mesh)) return false;
  uint32_t former = 0, former_count = 0;
  for (uint32_t ring = 0; ring < rings; ++ring) {
    const uint32_t first = mesh->vertex_count, count = ring_count(inner, ring, spacing);
    for (uint32_t i = 0; i < count; ++i) {
      const double radius = inner + ring * spacing, angle = 2.0 * validate_pi * i / count;
      add_vertex(mesh, radius * cos(angle), radius * sin(angle));
    }
    if (ring > 0) join_rings(mesh, former, former_count, first, count);
    former = first;
    former_count = count;
  }
  return true;
}

enum { PIXELS = 800 };
static const double pixel = 5e-4;  // metres

/* Twice the signed area of a, b and p. */
static double side_of(const float* a, const float* b, double x, double z) {
  const double abx = (double)b[0] - (double)a[0], abz = (double)b[2] - (double)a[2];
  return abx * (z - (double)a[2]) - abz * (x - (double)a[0]);
}

static double center_of(int index) {
  return (index + 0.5 - 0.5 * PIXELS) * pixel;
}

static int index_of(double place) {
  const double index = floor(place / pixel + 0.5 * PIXELS);
  return index < 0.0 ? 0 : index > PIXELS - 1 ? PIXELS - 1 : (int)index;
}

static void fill_triangle(unsigned char* grid, const float* a, const float* b, const float* c) {
  const int left = index_of((double)fminf(a[0], fminf(b[0], c[0])));
  const int right = index_of((double)fmaxf(a[0], fmaxf(b[0], c[0])));
  const int near = index_of((double)fminf(a[2], fminf(b[2], c[2])));
  const int far = index_of((double)fmaxf(a[2], fmaxf(b[2], c[2])));
  for (int row = near; row <= far; ++row) {
    for (int column = left; column <= right; ++column) {
      const double x = center_of(column), z = center_of(row);
      const double ab = side_of(a, b, x, z), bc = side_of(b, c, x, z), ca = side_of(c, a, x, z);
      const bool inside = (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
      if (inside) grid[row * PIXELS + column] = 1;
    }
  }
}

double shape_projected_area(validate_run* run, const shape_mesh* mesh, const float* positions,
                            double disc_radius) {
  unsigned char* grid = validate_new(run, (size_t)PIXELS * PIXELS, 1);
  if (!grid) return NAN;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t* corners = &mesh->triangles[3 * (size_t)t];
    fill_triangle(grid, &positions[3 * (size_t)corners[0]], &positions[3 * (size_t)corners[1]],
                  &positions[3 * (size_t)corners[2]]);
  }
  size_t count = 0;
  for (int i = 0; i < PIXELS * PIXELS; ++i) {
    count += grid[i] || hypot(center_of(i % PIXELS), center_of(i / PIXELS)) < disc_radius;
  }
  free(grid);
  return (double)count * pixel * pixel;
}

typedef struct moments {
  double rest[2], now[2]; /* sums, then means */
  double rest_rest[3];    /* xx, xz, zz about the means */
  double now_rest[2][2];  /* [axis of now][axis of rest] */
} moments;

static moments collect_moments(const shape_mesh* mesh, const float* positions) {
  moments m = {0};
  const uint32_t count = mesh->vertex_count;
  for (uint32_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 2; ++axis) {
      m.rest[axis] += (double)mesh->positions[3 * (size_t)i + 2 * (size_t)axis] / count;
      m.now[axis] += (double)positions[3 * (size_t)i + 2 * (size_t)axis] / count;
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    const float *rest = &mesh->positions[3 * (size_t)i], *now = &positions[3 * (size_t)i];
    const double r[2] = {(double)rest[0] - m.rest[0], (double)rest[2] - m.rest[1]};
    const double n[2] = {(double)now[0] - m.now[0], (double)now[2] - m.now[1]};
    m.rest_rest[0] += r[0] * r[0];
    m.rest_rest[1] += r[0] * r[1];
    m.rest_rest[2] += r[1] * r[1];
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) m.now_rest[a][b] += n[a] * r[b];
    }
  }
  return m;
}

shape_strain shape_fit_strain(const shape_mesh* mesh, const float* positions) {
  const moments m = collect_moments(mesh, positions);
  const double xx = m.rest_rest[0], xz = m.rest_rest[1], zz = m.rest_rest[2];
  const double determinant = xx * zz - xz * xz;
  double f[2][2];
  for (int a = 0; a < 2; ++a) {
    f[a][0] = (m.now_rest[a][0] * zz - m.now_rest[a][1] * xz) / determinant;
    f[a][1] = (m.now_rest[a][1] * xx - m.now_rest[a][0] * xz) / determinant;
  }
  // C = F^T F, and its square root in two dimensions
  const double c00 = f[0][0] * f[0][0] + f[1][0] * f[1][0];
  const double c11 = f[0][1] * f[0][1] + f[1][1] * f[1][1];
  const double c01 = f[0][0] * f[0][1] + f[1][0] * f[1][1];
  const double root = sqrt(c00 * c11 - c01 * c01), trace = sqrt(c00 + c11 + 2.0 * root);
  return (shape_strain){(c00 + root) / trace - 1.0, (c11 + root) / trace - 1.0, 2.0 * c01 / trace};
}
