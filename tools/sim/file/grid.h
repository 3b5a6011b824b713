/* Meshes by formulas: a grid of points, row by row. */
#ifndef TOOLS_SIM_FILE_GRID_H
#define TOOLS_SIM_FILE_GRID_H

#include "sim/file/formula.h"
#include "sim/file/table.h"

extern const sim_table sim_grid_table;

typedef struct sim_grid {
  float* positions;    /* [vertex_count][3] */
  uint32_t* triangles; /* [triangle_count][3] */
  uint32_t vertex_count, triangle_count;
} sim_grid;

/* Columns and rows of a grid, for a first look; 0 where they are none. */
uint32_t sim_grid_columns(const tool_tree* object);
uint64_t sim_grid_count(const tool_tree* object);

/* Points by three formulas of `i`, `column`, `row`; to be freed. */
bool sim_read_points(const sim_source* source, const sim_place* place, const tool_tree* at,
                     uint32_t columns, uint32_t count, float** points);

/* Reads the `grid` of the object at a place; both arrays are to be freed. */
bool sim_read_grid(const sim_source* source, const sim_place* place, const tool_tree* object,
                   sim_grid* grid);

#endif
