#include "sim/pile_order.h"

#include <math.h>
#include <stdlib.h>

#include "common/must.h"

/* The sheet below, sorted into square cells above the box by the triangles that reach into each. */
typedef struct height_map {
  uint32_t side; /* cells along each side */
  double width;  /* metres of the map */
  const float (*places)[3];
  uint32_t columns, rows;   /* size of the sheet */
  uint32_t *starts, *items; /* triangles of a cell: items from starts[cell] to starts[cell + 1] */
} height_map;

static void get_corners(const height_map* map, uint32_t triangle, const float* corners[3]) {
  const uint32_t cell = triangle / 2, cells = map->columns - 1;
  const uint32_t h = cell / cells * map->columns + cell % cells;
  corners[0] = map->places[triangle % 2 == 0 ? h : h + 1];
  corners[1] = map->places[h + map->columns];
  corners[2] = map->places[triangle % 2 == 0 ? h + 1 : h + map->columns + 1];
}

static uint32_t cell_along(const height_map* map, double coordinate) {
  const double cell = floor((coordinate / map->width + 0.5) * map->side);
  return (uint32_t)fmin(fmax(cell, 0.0), map->side - 1.0);
}

/* Cells of a triangle: first and last along x, then along z. */
static void get_cells(const height_map* map, uint32_t triangle, uint32_t cells[4]) {
  const float* c[3];
  get_corners(map, triangle, c);
  for (int axis = 0; axis < 2; ++axis) {
    const int k = 2 * axis;
    cells[k] = cell_along(map, (double)fminf(c[0][k], fminf(c[1][k], c[2][k])));
    cells[k + 1] = cell_along(map, (double)fmaxf(c[0][k], fmaxf(c[1][k], c[2][k])));
  }
}

static bool fill_map(height_map* map) {
  const uint32_t triangles = 2 * (map->columns - 1) * (map->rows - 1);
  uint32_t cells[4];
  map->starts = calloc((size_t)map->side * map->side + 2, sizeof *map->starts);
  if (!map->starts) return false;
  for (uint32_t t = 0; t < triangles; ++t) {
    get_cells(map, t, cells);
    for (uint32_t z = cells[2]; z <= cells[3]; ++z) {
      for (uint32_t x = cells[0]; x <= cells[1]; ++x) ++map->starts[z * map->side + x + 2];
    }
  }
  for (uint32_t i = 2; i < map->side * map->side + 2; ++i) map->starts[i] += map->starts[i - 1];
  map->items = calloc((size_t)map->starts[map->side * map->side + 1] + 1, sizeof *map->items);
  if (!map->items) return false;
  for (uint32_t t = 0; t < triangles; ++t) {
    get_cells(map, t, cells);
    for (uint32_t z = cells[2]; z <= cells[3]; ++z) {
      for (uint32_t x = cells[0]; x <= cells[1]; ++x) {
        map->items[map->starts[z * map->side + x + 1]++] = t;
      }
    }
  }
  return true;
}

/* Height of a triangle at x and z of a place; false outside of it. */
static bool find_height(const float* c[3], const float* place, double* height) {
  double parts[3], sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    const float *a = c[(k + 1) % 3], *b = c[(k + 2) % 3];
    parts[k] = ((double)b[0] - (double)a[0]) * ((double)place[2] - (double)a[2]) -
               ((double)b[2] - (double)a[2]) * ((double)place[0] - (double)a[0]);
    sum += parts[k];
  }
  *height = 0.0;
  for (int k = 0; k < 3; ++k) {
    if (!(parts[k] / sum >= 0.0)) return false;
    *height += parts[k] / sum * (double)c[k][1];
  }
  return true;
}

/* Triangles of the sheet below that lie above a place over the box. */
static uint32_t count_above(const height_map* map, const float* place) {
  const double half = 0.5 * map->width;
  if (fabs((double)place[0]) > half || fabs((double)place[2]) > half) return 0;
  const uint32_t cell =
      cell_along(map, (double)place[2]) * map->side + cell_along(map, (double)place[0]);
  uint32_t count = 0;
  for (uint32_t i = map->starts[cell]; i < map->starts[cell + 1]; ++i) {
    const float* corners[3];
    double height;
    get_corners(map, map->items[i], corners);
    count += find_height(corners, place, &height) && height >= (double)place[1];
  }
  return count;
}

static double count_all(const weft_world* world, height_map* map, float (*places)[3],
                        const weft_body* below, const weft_body* body) {
  double swapped = 0.0;
  float(*upper)[3] = places + below->particle_count;
  tool_get(world, WEFT_ATTRIBUTE_POSITION, below->first_particle, below->particle_count, places[0]);
  tool_get(world, WEFT_ATTRIBUTE_POSITION, body->first_particle, body->particle_count, upper[0]);
  map->places = (const float(*)[3])places;
  if (!fill_map(map)) return (double)NAN;
  for (uint32_t i = 0; i < body->particle_count; ++i) swapped += count_above(map, upper[i]);
  return swapped;
}

double sim_count_swapped(const weft_world* world, const weft_body* below, uint32_t columns,
                         const weft_body* body, double width) {
  const uint32_t rows = below->particle_count / columns;
  height_map map = {.side = columns, .width = width, .columns = columns, .rows = rows};
  float(*places)[3] = calloc((size_t)below->particle_count + body->particle_count, sizeof *places);
  const double swapped = places ? count_all(world, &map, places, below, body) : (double)NAN;
  free(map.starts);
  free(map.items);
  free(places);
  return swapped;
}
