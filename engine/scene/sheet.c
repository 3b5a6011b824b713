/* Sheets: a rectangular lattice with structural, shear and bend links,
 *
 *   o---o---o     structural  -  |      to the next column, to the next row
 *   | X | X |     shear       \  /      both diagonals of a cell
 *   o---o---o     bend                  to the column and the row after next
 *
 * and, if its material has bend stiffness, bend elements on every three consecutive particles of a
 * row or column, and a twist element in every cell: see scene/material.h.
 *
 * (Provot 1995, "Deformation constraints in a mass-spring model", section 2) */
#include <math.h>
#include <stdlib.h>

#include "base/float_mode.h"
#include "base/min_max.h"
#include "scene/material.h"
#include "scene/scene.h"

// Family of links: from each particle to the one `columns` and `rows` further on.
typedef struct link_family {
  bool enabled;
  int columns, rows;
  float rest_length;
  float relaxation;
  weft_link_kind kind;
  double spring; /* newtons per metre, infinite: rigid */
  weft_link_mode mode;
} link_family;

enum { FAMILY_COUNT = 6 };

// spacing * (columns * across + rows * down)
static float offset_length(const weft_sheet_def* def, int columns, int rows) {
  float squared = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float step = (float)columns * def->across[axis] + (float)rows * def->down[axis];
    squared += step * step;
  }
  return def->spacing * sqrtf(squared);
}

// See scene/material.h. Rigid links are better solved if both of a cell act.
static bool pulls_only(const weft_sheet_def* def) {
  return weft__material_bends(def->material) && !isinf(def->material->shear_stiffness);
}

static void list_families(const weft_sheet_def* def, link_family families[FAMILY_COUNT]) {
  const float stretch = def->relaxation;
  const float shear = def->shear_relaxation;
  const float bend = def->bend_relaxation;
  const weft_material_def* material = def->material;
  const double rigid = (double)INFINITY;
  const bool pulls = pulls_only(def);
  const weft_link_mode both = WEFT_LINK_MODE_BOTH, mode = pulls ? WEFT_LINK_MODE_STRETCH : both;
  const double across = material ? (pulls ? 2.0 : 1.0) * (double)material->shear_stiffness : rigid;
  const double along = material ? weft__structural_stiffness((double)material->stretch_stiffness,
                                                             def->shear ? across : 0.0)
                                : rigid;
  const link_family all[FAMILY_COUNT] = {
      {def->structural, 1, 0, 0.0f, stretch, WEFT_LINK_STRUCTURAL, along, both},
      {def->structural, 0, 1, 0.0f, stretch, WEFT_LINK_STRUCTURAL, along, both},
      {def->shear, 1, 1, 0.0f, shear, WEFT_LINK_SHEAR, across, mode},
      {def->shear, -1, 1, 0.0f, shear, WEFT_LINK_SHEAR, across, mode},
      {def->bend, 2, 0, 0.0f, bend, WEFT_LINK_BEND, rigid, both},
      {def->bend, 0, 2, 0.0f, bend, WEFT_LINK_BEND, rigid, both},
  };
  for (int f = 0; f < FAMILY_COUNT; ++f) {
    families[f] = all[f];
    families[f].rest_length = offset_length(def, all[f].columns, all[f].rows);
  }
}

static uint64_t count_links(const weft_sheet_def* def, weft__range kept,
                            const link_family* families) {
  uint64_t count = 0;
  for (int f = 0; f < FAMILY_COUNT; ++f) {
    const int64_t columns = (int64_t)def->columns - abs(families[f].columns);
    const int64_t rows = (int64_t)(kept.end - kept.begin) - families[f].rows;
    if (families[f].enabled && columns > 0 && rows > 0) count += (uint64_t)(columns * rows);
  }
  return count;
}

// Square metres.
static double cell_area(const weft_sheet_def* def) {
  double cosine = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    cosine += (double)def->across[axis] * (double)def->down[axis];
  }
  const double spacing = (double)def->spacing;
  return spacing * spacing * sqrt(weft__max(1.0 - cosine * cosine, 0.0));
}

// Kilograms; the sheet has a material.
static double cell_mass(const weft_sheet_def* def) {
  return (double)def->material->density * cell_area(def);
}

// All corners are within WEFT_MAX_MAGNITUDE.
static bool is_within_reach(const weft_sheet_def* def) {
  for (uint32_t corner = 0; corner < 4; ++corner) {
    const double columns = corner & 1u ? def->columns - 1 : 0.0;
    const double rows = corner & 2u ? def->rows - 1 : 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double offset = columns * (double)def->across[axis] + rows * (double)def->down[axis];
      const double at = (double)def->origin[axis] + offset * (double)def->spacing;
      if (fabs(at) > (double)WEFT_MAX_MAGNITUDE) return false;
    }
  }
  return true;
}

static weft_result check_def(const weft_sheet_def* def) {
  WEFT__TRY(weft__check_def(&weft__sheet_fields, def));
  WEFT__FAIL_IF(!is_within_reach(def), WEFT_ERROR_RANGE, "weft_sheet_def.spacing");
  const float narrowest = weft__minf(offset_length(def, 1, 1), offset_length(def, -1, 1));
  WEFT__FAIL_IF(narrowest < 1e-3f * def->spacing, WEFT_ERROR_DEGENERATE, "weft_sheet_def.down");
  WEFT__TRY(weft__check_material(def->material, "weft_sheet_def.material"));
  if (def->material != NULL) {
    WEFT__TRY(weft__check_spring_material(def->material));
    WEFT__FAIL_IF(def->material->crease_angle != 0.0f, WEFT_ERROR_RANGE,
                  "weft_material_def.crease_angle");
  }
  // a corner has a quarter of a cell, an inner particle a whole one
  const double heaviest = def->material == NULL ? 1.0 : cell_mass(def);
  WEFT__FAIL_IF(4.0 / heaviest > (double)WEFT_MAX_INVERSE_MASS ||
                    1.0 / heaviest < (double)WEFT_MIN_INVERSE_MASS,
                WEFT_ERROR_RANGE, "weft_material_def.density");
  return weft__ok();
}

// Half cells beside `index` on an axis. One row or column is a band as wide as a cell.
static uint32_t halves_at(uint32_t count, int64_t index) {
  if (count == 1) return 2;
  return (uint32_t)(index > 0) + (uint32_t)(index + 1 < count);
}

static void set_masses(weft_scene* scene, const weft_sheet_def* def, weft__range rows,
                       uint32_t first) {
  const uint32_t count = def->columns * (rows.end - rows.begin);
  float* inverse_mass = scene->inverse_masses + first;
  if (def->material == NULL) {
    for (uint32_t i = 0; i < count; ++i) inverse_mass[i] = 1.0f / def->particle_mass;
    return;
  }
  const double quarter = 0.25 * cell_mass(def);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t quarters = halves_at(def->columns, i % def->columns) *
                              halves_at(def->rows, rows.begin + i / def->columns);
    inverse_mass[i] = (float)(1.0 / (quarter * (double)quarters));
  }
}

static void locate(const weft_sheet_def* def, uint32_t column, uint32_t row, float position[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    position[axis] = def->origin[axis] + (float)column * def->spacing * def->across[axis] +
                     (float)row * def->spacing * def->down[axis];
  }
}

void weft__sheet_position(const weft_sheet_def* def, uint32_t particle, float position[3]) {
  locate(def, particle % def->columns, particle / def->columns, position);
}

static void place_particles(weft_scene* scene, const weft_sheet_def* def, weft__range rows,
                            uint32_t first) {
  float* position = scene->positions + (size_t)3 * first;
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    for (uint32_t column = 0; column < def->columns; ++column, position += 3) {
      locate(def, column, row, position);
    }
  }
}

// A structural link on a border stands for half a cell's width.
static float compliance_of(const weft_sheet_def* def, const link_family* family, int64_t column,
                           int64_t row) {
  if (isinf(family->spring)) return 0.0f;
  if (family->kind != WEFT_LINK_STRUCTURAL) return weft__compliance_of(family->spring);
  const uint32_t halves =
      family->rows == 0 ? halves_at(def->rows, row) : halves_at(def->columns, column);
  return weft__compliance_of(0.5 * (double)halves * family->spring);
}

// From one particle. first: number of the first particle of `rows`
static void link_particle(weft_scene* scene, const weft_sheet_def* def, weft__range rows,
                          const link_family* families, uint32_t first, int64_t column,
                          int64_t row) {
  for (int f = 0; f < FAMILY_COUNT; ++f) {
    const int64_t to_column = column + families[f].columns;
    const int64_t to_row = row + families[f].rows;
    const bool inside = to_column >= 0 && to_column < def->columns && to_row < rows.end;
    if (!families[f].enabled || !inside) continue;
    weft__links_push(&scene->links,
                     (weft_link_def){
                         .a = first + (uint32_t)((row - rows.begin) * def->columns + column),
                         .b = first + (uint32_t)((to_row - rows.begin) * def->columns + to_column),
                         .rest_length = families[f].rest_length,
                         .relaxation = families[f].relaxation,
                         .tear_ratio = def->tear_ratio,
                         .kind = families[f].kind,
                         .mode = families[f].mode,
                         .compliance = compliance_of(def, &families[f], column, row),
                     });
  }
}

typedef struct line_kinds {
  bool has_rows, has_columns; /* twist elements go with columns */
} line_kinds;

// Rectangle of a sheet.
typedef struct sheet_part {
  weft__range rows, columns;
  uint32_t first; /* particle */
} sheet_part;

static uint32_t length_of(weft__range range) {
  return range.end - range.begin;
}

static uint64_t count_hinges(const weft_sheet_def* def, const sheet_part* part, line_kinds kinds) {
  if (!weft__material_bends(def->material)) return 0;
  const uint64_t columns = length_of(part->columns), rows = length_of(part->rows);
  uint64_t count = 0;
  if (kinds.has_rows && columns > 2) count += (columns - 2) * rows;
  if (kinds.has_columns && rows > 2) count += columns * (rows - 2);
  if (kinds.has_columns) count += (columns - 1) * (rows - 1);
  return count;
}

// Newtons per metre of a second difference.
static double cell_bend_stiffness(const weft_sheet_def* def) {
  const double spacing = (double)def->spacing;
  return (double)def->material->bend_stiffness * cell_area(def) /
         (spacing * spacing * spacing * spacing);
}

// Around a middle particle, `step` apart.
static void push_hinge(weft_scene* scene, uint32_t middle, uint32_t step, float compliance) {
  weft__hinges_push(&scene->hinges, &(weft__hinge){.particle = {middle - step, middle,
                                                                middle + step, WEFT__NO_PARTICLE},
                                                   .coefficient = {1.0f, -2.0f, 1.0f, 0.0f},
                                                   .compliance = compliance});
}

// Hinges of a line follow each other (modules/bending/lines.h). Borders have half a cell's area.
static void add_hinges(weft_scene* scene, const weft_sheet_def* def, const sheet_part* part,
                       line_kinds kinds) {
  const uint32_t columns = length_of(part->columns), rows = length_of(part->rows);
  const double whole = cell_bend_stiffness(def);
  const float compliance[3] = {0.0f, weft__compliance_of(0.5 * whole), weft__compliance_of(whole)};
  for (uint32_t row = 0; kinds.has_rows && row < rows; ++row) {
    for (uint32_t column = 1; column + 1 < columns; ++column) {
      push_hinge(scene, part->first + row * columns + column, 1,
                 compliance[halves_at(def->rows, part->rows.begin + row)]);
    }
  }
  for (uint32_t column = 0; kinds.has_columns && column < columns; ++column) {
    for (uint32_t row = 1; row + 1 < rows; ++row) {
      push_hinge(scene, part->first + row * columns + column, columns,
                 compliance[halves_at(def->columns, part->columns.begin + column)]);
    }
  }
}

// Second differences x00 - x10 - x01 + x11 by columns of cells: lanes are adjacent in memory.
static void add_twists(weft_scene* scene, const weft_sheet_def* def, const sheet_part* part) {
  const uint32_t columns = length_of(part->columns);
  const float compliance = weft__compliance_of(2.0 * cell_bend_stiffness(def));
  for (uint32_t column = 0; column + 1 < columns; ++column) {
    for (uint32_t row = 0; row + 1 < length_of(part->rows); ++row) {
      const uint32_t corner = part->first + row * columns + column;
      const weft__hinge twist = {
          .particle = {corner, corner + columns, corner + 1, corner + columns + 1},
          .coefficient = {1.0f, -1.0f, -1.0f, 1.0f},
          .compliance = compliance};
      weft__hinges_push(&scene->hinges, &twist);
    }
  }
}

// Room must be reserved.
static void add_bends(weft_scene* scene, const weft_sheet_def* def, const sheet_part* part,
                      line_kinds kinds) {
  if (!weft__material_bends(def->material)) return;
  add_hinges(scene, def, part, kinds);
  if (kinds.has_columns) add_twists(scene, def, part);
}

static weft_result add_rows(weft_scene* scene, const weft_sheet_def* def, weft__range rows,
                            line_kinds kinds, uint32_t* first) {
  link_family families[FAMILY_COUNT];
  list_families(def, families);
  const uint64_t particle_count = (uint64_t)def->columns * (rows.end - rows.begin);
  sheet_part part = {.rows = rows, .columns = {0, def->columns}};
  WEFT__TRY(weft__scene_reserve(scene, particle_count, count_links(def, rows, families)));
  WEFT__TRY(weft__scene_reserve_hinges(scene, count_hinges(def, &part, kinds)));
  const weft_link_def pulling = {.mode = WEFT_LINK_MODE_STRETCH};
  WEFT__FAIL_IF(pulls_only(def) && !weft__links_add_columns(&scene->links, &pulling, 1),
                WEFT_ERROR_OUT_OF_MEMORY, "links");
  *first = weft__scene_push_part(scene, (uint32_t)particle_count, def->columns);
  place_particles(scene, def, rows, *first);
  set_masses(scene, def, rows, *first);
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    for (uint32_t column = 0; column < def->columns; ++column) {
      link_particle(scene, def, rows, families, *first, column, row);
    }
  }
  part.first = *first;
  add_bends(scene, def, &part, kinds);
  return weft__ok();
}

static weft_result add_sheet(weft_scene* scene, const weft_sheet_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(check_def(def));
  const uint32_t first_link = scene->links.count;
  uint32_t first = 0;
  WEFT__TRY(add_rows(scene, def, (weft__range){0, def->rows}, (line_kinds){true, true}, &first));
  if (body != NULL) *body = weft__scene_body_since(scene, first, first_link);
  return weft__ok();
}

weft_result weft_scene_add_sheet(weft_scene* scene, const weft_sheet_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_sheet, scene, def, body);
}

bool weft__sheet_bends(const weft_sheet_def* def) {
  return weft__material_bends(def->material);
}

weft_result weft__scene_add_sheet_rows(weft_scene* scene, const weft_sheet_def* def,
                                       weft__range rows, bool has_columns) {
  const line_kinds kinds = {.has_rows = true, .has_columns = has_columns};
  uint32_t first = 0;
  WEFT__TRY(add_rows(scene, def, rows, kinds, &first));
  scene->parts[scene->part_count - 1].lattice_rows = def->rows;
  return weft__ok();
}

weft_result weft__scene_add_sheet_columns(weft_scene* scene, const weft_sheet_def* def,
                                          weft__range columns) {
  const line_kinds kinds = {.has_columns = true};
  sheet_part part = {.rows = {0, def->rows}, .columns = columns};
  const uint32_t count = length_of(columns) * def->rows;
  WEFT__TRY(weft__scene_reserve(scene, count, 0));
  WEFT__TRY(weft__scene_reserve_hinges(scene, count_hinges(def, &part, kinds)));
  part.first = weft__scene_push_part(scene, count, length_of(columns));
  add_bends(scene, def, &part, kinds);
  return weft__ok();
}

weft_result weft__check_sheet_def(const weft_sheet_def* def) {
  return check_def(def);
}
