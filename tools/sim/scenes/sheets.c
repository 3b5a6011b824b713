/* Sheets fall onto a box, one above the other, and lie there as a pile. */
#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "sim/cloth.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/observe.h"
#include "sim/path.h"
#include "sim/scene.h"

static const sim_param params[] = {
    {"layers", "sheets", SIM_COUNT, 5, 1, 50, NULL},
    {"size", "particles along each side of a sheet", SIM_COUNT, 65, 2, 512, NULL},
    {"width", "metres along each side", SIM_NUMBER, 1, 0.01, 1000, NULL},
    {"box", "metres along each side of the box's top", SIM_NUMBER, 0.6, 0.01, 1000, NULL},
    {"height", "metres from the floor to the box's top", SIM_NUMBER, 0.6, 0.01, 1000, NULL},
    {"apart", "initial distance of sheets, metres", SIM_NUMBER, 0.1, 1e-3, 1000, NULL},
    {"turn", "rotation of a sheet relative to the one below, degrees", SIM_NUMBER, 10, 0, 90, NULL},
    SIM_CLOTH_PARAMS,
    SIM_END_OF_PARAMS,
};

typedef struct pile {
  uint32_t layers, size;
  double width, box, height, apart, turn;
  weft_particle_shape_def shape;
  sim_cloth_watch watch;
  double deepest; /* metres in the box or the floor, ever */
} pile;

// ---- building ----

static uint32_t count_of(const pile* self) {
  return self->size * self->size;
}

static bool add_sheet(const pile* self, uint32_t layer, weft_scene* scene, tool_message* why) {
  double sine, cosine;
  const double half = 0.5 * self->width;
  sim_sine_of_turns(self->turn * layer / 360.0, &sine, &cosine);
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = self->size;
  sheet.spacing = (float)(self->width / (double)(self->size - 1));
  sheet.particle_mass = 0.2f * sheet.spacing * sheet.spacing;
  sheet.across[0] = sheet.down[2] = (float)cosine;
  sheet.across[2] = (float)sine;
  sheet.down[0] = (float)-sine;
  sheet.down[1] = 0.0f;
  sheet.origin[0] = (float)(-half * (cosine - sine));
  sheet.origin[1] = (float)(self->height + self->apart * (layer + 1.0));
  sheet.origin[2] = (float)(-half * (cosine + sine));
  return sim_check(weft_scene_add_sheet(scene, &sheet, NULL), why);
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  pile* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for sheets");
  *state = self;
  self->layers = sim_count(values, "layers");
  self->size = sim_count(values, "size");
  self->width = sim_number(values, "width");
  self->box = sim_number(values, "box");
  self->height = sim_number(values, "height");
  self->apart = sim_number(values, "apart");
  self->turn = sim_number(values, "turn");
  self->shape = sim_cloth_shape(values, self->width / (double)(self->size - 1));
  // fall of the sheet in the middle of the pile
  sim_fall_solver(def, 0.5 * self->apart * (self->layers + 1.0), (double)self->shape.half_size[0]);
  for (uint32_t layer = 0; layer < self->layers; ++layer) {
    if (!add_sheet(self, layer, scene, why)) return false;
  }
  return true;
}

static bool start(weft_world* world, const weft_world_def* def, void* state, tool_message* why) {
  const pile* self = state;
  (void)def;
  weft_collider_def table = weft_default_collider_def();
  weft_collider collider;
  table.shape = WEFT_COLLIDER_SHAPE_BOX;
  table.half_size[0] = table.half_size[2] = (float)(0.5 * self->box);
  table.half_size[1] = table.position[1] = (float)(0.5 * self->height);
  return sim_set_cloth_shape(world, &self->shape, why) && sim_add_floor(world, 0.0, why) &&
         sim_check(weft_world_add_collider(world, &table, &collider), why);
}

// ---- watching ----

/* Metres that a place is inside the box or below the floor. */
static double depth_at(const pile* self, sim_place place) {
  const double side = 0.5 * self->box - fmax(fabs(place.x), fabs(place.z));
  return fmax(fmin(side, self->height - place.y), -place.y);
}

static void note(pile* self, const weft_world* world, uint64_t step) {
  if (!sim_watch_cloth(&self->watch, world, step)) return;
  for (uint32_t i = 0; i < self->layers * count_of(self); ++i) {
    const double depth = depth_at(self, sim_place_of(world, i));
    if (!(depth <= self->deepest)) self->deepest = depth;
  }
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  (void)why;
  note(state, world, moment->step);
  return true;
}

// ---- the order of sheets ----

/* The sheet below, sorted into square cells above the box: which of its triangles reach into each.
 */
typedef struct height_map {
  uint32_t side;            /* cells along each side */
  double width;             /* metres of the map */
  const float (*places)[3]; /* positions of the sheet */
  uint32_t size;            /* its particles along each side */
  uint32_t *starts, *items; /* triangles of a cell: items from starts[cell] to starts[cell + 1] */
} height_map;

static void get_corners(const height_map* map, uint32_t triangle, const float* corners[3]) {
  const uint32_t cell = triangle / 2, columns = map->size - 1;
  const uint32_t h = cell / columns * map->size + cell % columns;
  corners[0] = map->places[triangle % 2 == 0 ? h : h + 1];
  corners[1] = map->places[h + map->size];
  corners[2] = map->places[triangle % 2 == 0 ? h + 1 : h + map->size + 1];
}

static uint32_t cell_along(const height_map* map, double coordinate) {
  const double cell = floor((coordinate / map->width + 0.5) * map->side);
  return (uint32_t)fmin(fmax(cell, 0.0), map->side - 1.0);
}

/* Cells that a triangle reaches into: first and last along x, then along z. */
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
  const uint32_t triangles = 2 * (map->size - 1) * (map->size - 1);
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

/* The height of a triangle below or above a place; false where it is not there. */
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

/* Triangles of the sheet below that are above a place which lies over the box. */
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

/* Pairs, over the box, of a particle and a triangle above it of the sheet below. NaN if out of
 * memory. */
static double count_swapped(const pile* self, const weft_world* world) {
  const uint32_t count = count_of(self);
  float(*places)[3] = calloc((size_t)self->layers * count, sizeof *places);
  double swapped = places ? 0.0 : NAN;
  if (places) tool_must(weft_world_get_positions(world, 0, self->layers * count, &places[0][0]));
  for (uint32_t layer = 1; places && layer < self->layers; ++layer) {
    height_map map = {.side = self->size, .width = self->box, .size = self->size};
    map.places = (const float(*)[3])places + (size_t)(layer - 1) * count;
    if (!fill_map(&map)) swapped = NAN;
    for (uint32_t i = 0; !isnan(swapped) && i < count; ++i) {
      swapped += count_above(&map, places[(size_t)layer * count + i]);
    }
    free(map.starts);
    free(map.items);
  }
  free(places);
  return swapped;
}

static void report(const weft_world* world, void* state, sim_results* results) {
  pile* self = state;
  note(self, world, sim_steps_of(world));
  sim_add_result(results, "crossings", sim_count_crossings(world));
  sim_add_result(results, "out_of_order", count_swapped(self, world));
  sim_add_result(results, "speed", sim_fastest(world, 0, self->layers * count_of(self)));
  sim_add_result(results, "deepest", self->deepest);
  sim_report_cloth(&self->watch, world, results);
  sim_report_lost(world, results);
}

const sim_scene sim_scene_sheets = {
    .name = "sheets",
    .summary = "sheets that fall onto a box, one above the other",
    .params = params,
    .seconds = 5.0,
    .rate = 60.0,
    .build = build,
    .start = start,
    .before_step = before_step,
    .report = report,
};
