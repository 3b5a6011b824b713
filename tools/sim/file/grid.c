#include "sim/file/grid.h"

#include <stdlib.h>

#include "sim/file/results.h"

typedef struct file_grid {
  uint32_t columns, rows;
  bool closed;
  const tool_tree* at;
} file_grid;

#define GRID(member) offsetof(file_grid, member)
static const sim_field fields[] = {
    {"columns", SIM_FIELD_COUNT, GRID(columns), true, false, 2, 65535, NULL, "points of a row"},
    {"rows", SIM_FIELD_COUNT, GRID(rows), true, false, 2, 65535, NULL, "rows"},
    SIM_KEY_OF(GRID, FLAG, closed, "the last point of a row is next to the first one"),
    {"at", SIM_FIELD_LIST, GRID(at), true, false, 0, 0, NULL,
     "metres: three formulas of `i`, `column`, `row`"},
};

const sim_table sim_grid_table = {
    "grid", "Points and triangles of a mesh by formulas: two triangles a cell.",
    SIM_TABLE_FIELDS(fields), sizeof(file_grid), NULL};

static uint32_t count_of(const tool_tree* object, const char* key) {
  const tool_tree* value = tool_tree_get(object, key);
  const bool good =
      tool_tree_is(value, TOOL_TREE_WHOLE) && value->whole > 0 && value->whole <= 65535;
  return good ? (uint32_t)value->whole : 0;
}

uint32_t sim_grid_columns(const tool_tree* object) {
  return count_of(object, "columns");
}

uint64_t sim_grid_count(const tool_tree* object) {
  return (uint64_t)count_of(object, "columns") * count_of(object, "rows");
}

static void fill_triangles(const file_grid* read, uint32_t* triangles) {
  const uint32_t columns = read->columns, cells = read->closed ? columns : columns - 1;
  for (uint32_t cell = 0; cell < cells * (read->rows - 1); ++cell) {
    const uint32_t h = cell / cells * columns + cell % cells;
    const uint32_t next = cell % cells + 1 == columns ? h + 1 - columns : h + 1;
    // a closed grid, around the y axis and downwards, faces outwards
    const uint32_t open[6] = {h, h + columns, next, next, h + columns, next + columns};
    const uint32_t closed[6] = {h, next, h + columns, next, next + columns, h + columns};
    for (uint32_t k = 0; k < 6; ++k) {
      triangles[6 * (size_t)cell + k] = read->closed ? closed[k] : open[k];
    }
  }
}

bool sim_read_points(const sim_source* source, const sim_place* place, const tool_tree* at,
                     uint32_t columns, uint32_t count, float** points) {
  sim_formula formulas[3];
  const sim_place here = {place, "at", 0};
  double* values = source->scope->values + source->run_names;
  if (!sim_read_formulas(source, &here, at, source->scope, formulas, 3)) return false;
  *points = malloc((size_t)count * sizeof(float[3]));
  if (!*points) return sim_fault(source, place, "no memory for it");
  for (uint32_t i = 0; i < count; ++i) {
    values[SIM_NAME_I] = i;
    values[SIM_NAME_COLUMN] = i % columns;
    values[SIM_NAME_ROW] = i / columns;
    sim_formula_floats(formulas, 3, source->scope, NULL, *points + 3 * (size_t)i);
  }
  return true;
}

bool sim_read_grid(const sim_source* source, const sim_place* place, const tool_tree* object,
                   sim_grid* grid) {
  file_grid read;
  const sim_place here = {place, "grid", 0};
  const sim_target target = {&sim_grid_table, &read};
  if (!sim_read_object(source, &here, object, &target, 1)) return false;
  const uint32_t cells = read.closed ? read.columns : read.columns - 1;
  grid->vertex_count = read.columns * read.rows;
  grid->triangle_count = 2 * cells * (read.rows - 1);
  grid->triangles = malloc(grid->triangle_count * sizeof(uint32_t[3]));
  if (!grid->triangles) return sim_fault(source, &here, "no memory for it");
  if (!sim_read_points(source, &here, read.at, read.columns, grid->vertex_count,
                       &grid->positions)) {
    return false;
  }
  fill_triangles(&read, grid->triangles);
  return true;
}
