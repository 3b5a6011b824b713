/* Bending: the heavy elastica at any resolution, mesh and step, and lateral buckling. */
#include "validate/bending.h"

#include <math.h>
#include <stdio.h>

#include "common/must.h"
#include "validate/oracles.h"
#include "validate/shapes.h"

enum { STRIP_CELLS = 4 };

static const double density = 0.2, gravity = 9.81;

typedef struct strip {
  shape_kind kind;
  double spacing; /* metres */
  double weight;  /* G = areal mass g L^3 / B */
  double rate;    /* steps a second */
} strip;

/* ---- strips ---- */

static uint32_t rows_of(const strip* self) {
  return (uint32_t)lround(0.32 / self->spacing) + 1;
}

static bool is_sheet(const strip* self) {
  return self->kind == SHAPE_SHEET || self->kind == SHAPE_ROWS;
}

/* Distance of the clamp from the first row. The two first rows are held. A mesh bends from the
 * second one on; a bend element of a sheet on the second one stands for half a cell on both sides
 * of it. */
static double clamp_of(const strip* self) {
  return (is_sheet(self) ? 0.5 : 1.0) * self->spacing;
}

static double length_of(const strip* self) {
  return rows_of(self) * self->spacing - clamp_of(self);
}

static weft_material_def material_of(const strip* self) {
  weft_material_def material = weft_default_material_def();
  material.density = (float)density;
  material.bend_stiffness = (float)(density * gravity * pow(length_of(self), 3.0) / self->weight);
  return material;
}

/* Vertex of a strip: `row` from the clamp to the tip, `column` across. */
static uint32_t vertex_of(const strip* self, uint32_t row, uint32_t column) {
  if (self->kind == SHAPE_ROWS) return column * (rows_of(self) + 1) + row;
  return row * (STRIP_CELLS + 1) + column;
}

static void add_sheet(validate_run* run, const strip* self) {
  const weft_material_def material = material_of(self);
  const bool along_rows = self->kind == SHAPE_ROWS;
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = along_rows ? rows_of(self) + 1 : STRIP_CELLS + 1;
  sheet.rows = along_rows ? STRIP_CELLS + 1 : rows_of(self) + 1;
  sheet.spacing = (float)self->spacing;
  sheet.across[0] = sheet.down[1] = 0.0f;
  sheet.across[along_rows ? 2 : 0] = 1.0f;
  sheet.down[along_rows ? 0 : 2] = 1.0f;
  sheet.material = &material;
  tool_must(weft_scene_add_sheet(run->scene, &sheet, NULL));
}

static bool add_mesh(validate_run* run, const strip* self) {
  const weft_material_def material = material_of(self);
  weft_mesh_def def = weft_default_mesh_def();
  shape_mesh mesh;
  if (!shape_make_strip(run, self->kind, STRIP_CELLS, rows_of(self), self->spacing, &mesh)) {
    return false;
  }
  def.positions = mesh.positions;
  def.vertex_count = mesh.vertex_count;
  def.triangles = mesh.triangles;
  def.triangle_count = mesh.triangle_count;
  def.material = &material;
  tool_must(weft_scene_add_mesh(run->scene, &def, NULL));
  shape_free(&mesh);
  return true;
}

static void hold_clamp(validate_run* run, const strip* self) {
  for (uint32_t i = 0; i < 2 * (STRIP_CELLS + 1); ++i) {
    const uint32_t vertex = vertex_of(self, i % 2, i / 2);
    tool_must(weft_scene_pin(run->scene, vertex, 1));
  }
  if (self->kind != SHAPE_CROSS) return;
  const uint32_t centers = (rows_of(self) + 1) * (STRIP_CELLS + 1);
  tool_must(weft_scene_pin(run->scene, centers, STRIP_CELLS));
}

/* Height over width of the strip at rest. */
static double measure_strip(validate_run* run, const strip* self) {
  double place[3];
  validate_scene(run);
  if (is_sheet(self)) {
    add_sheet(run, self);
  } else if (!add_mesh(run, self)) {
    return NAN;
  }
  hold_clamp(run, self);
  weft_world_def def = validate_def(run, VALIDATE_DEFAULT);
  def.step_ns = llround(1e9 / self->rate);
  def.damping = 5.0f;
  validate_open(run, &def, self->spacing);
  validate_settle(run, 6.0);
  validate_position(run, vertex_of(self, rows_of(self), STRIP_CELLS / 2), place);
  return -place[1] / (place[2] - clamp_of(self));
}

static void add_strip(validate_run* run, const strip* self, double tolerance, const char* what) {
  const validate_result result = {"", oracle_cantilever(self->weight), measure_strip(run, self),
                                  tolerance, false};
  validate_add(run, &result, "%s, G = %g", what, self->weight);
}

/* ---- cantilever ---- */

static const double weights[] = {5, 50, 1, 10, 20, 100, 500};
static const double spacings[] = {0.02, 0.01, 0.005};
enum { WEIGHTS = 7, SPACINGS = 3, KINDS = 5, QUICK_WEIGHTS = 2, QUICK_SPACINGS = 2 };
_Static_assert(VALIDATE_CANTILEVERS == KINDS * WEIGHTS * SPACINGS, "one case each");
_Static_assert(VALIDATE_QUICK_CANTILEVERS == KINDS * QUICK_WEIGHTS * QUICK_SPACINGS, "the first");

/* Cases are numbered so that those of --quick come first. */
static void find_case(uint32_t number, uint32_t* weight, uint32_t* spacing, shape_kind* kind) {
  uint32_t seen = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t k = 0; k < KINDS * SPACINGS * WEIGHTS; ++k) {
      *kind = (shape_kind)(k / (SPACINGS * WEIGHTS));
      *spacing = k / WEIGHTS % SPACINGS;
      *weight = k % WEIGHTS;
      const bool is_quick = *weight < QUICK_WEIGHTS && *spacing < QUICK_SPACINGS;
      if (is_quick == (pass == 0) && seen++ == number) return;
    }
  }
}

void validate_cantilever(validate_run* run, uint32_t number) {
  uint32_t weight = 0, spacing = 0;
  shape_kind kind = SHAPE_SHEET;
  find_case(number, &weight, &spacing, &kind);
  const strip self = {kind, spacings[spacing], weights[weight], 60.0};
  char what[48];
  snprintf(what, sizeof what, "%s, %g cm", shape_name(kind), 100.0 * self.spacing);
  add_strip(run, &self, kind == SHAPE_CROSS ? 0.03 : 0.02, what);
}

/* ---- steps ---- */

void validate_steps(validate_run* run, uint32_t number) {
  static const double rates[] = {60.0, 240.0, 30.0, 120.0};
  const strip self = {SHAPE_SHEET, 0.01, 20.0, rates[number]};
  char what[48];
  snprintf(what, sizeof what, "sheet, %g steps a second", self.rate);
  add_strip(run, &self, 0.02, what);
}

/* ---- lateral buckling ---- */

enum { BEAM_CELLS = 41 };

/* A strip of 41 x 4 cells of 1 cm along x, upright in y, of rigid links; its first two rows of
 * vertices are held. */
static bool add_beam(validate_run* run, shape_kind kind, const weft_material_def* material) {
  const double spacing = 0.01;
  if (kind == SHAPE_SHEET) {
    weft_sheet_def sheet = weft_default_sheet_def();
    sheet.columns = STRIP_CELLS + 1;
    sheet.rows = BEAM_CELLS + 1;
    sheet.spacing = (float)spacing;
    sheet.across[0] = sheet.down[1] = 0.0f;
    sheet.across[1] = sheet.down[0] = 1.0f;
    sheet.material = material;
    tool_must(weft_scene_add_sheet(run->scene, &sheet, NULL));
    return true;
  }
  shape_mesh mesh;
  if (!shape_make_strip(run, kind, STRIP_CELLS, BEAM_CELLS, spacing, &mesh)) return false;
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    float* at = &mesh.positions[3 * (size_t)i];
    at[1] = at[0];
    at[0] = at[2];
    at[2] = 0.0f;
  }
  weft_mesh_def def = weft_default_mesh_def();
  def.positions = mesh.positions;
  def.vertex_count = mesh.vertex_count;
  def.triangles = mesh.triangles;
  def.triangle_count = mesh.triangle_count;
  def.material = material;
  tool_must(weft_scene_add_mesh(run->scene, &def, NULL));
  shape_free(&mesh);
  return true;
}

/* Its end is pushed aside by 1 mm a second, and is a tenth of the length aside after 4 s. */
static bool buckles(validate_run* run, shape_kind kind, double weight) {
  const double spacing = 0.01, length = (BEAM_CELLS - 0.5) * spacing;
  const float push[3] = {0.0f, 0.0f, 1e-3f};
  const uint32_t end = BEAM_CELLS * (STRIP_CELLS + 1);
  weft_material_def material = weft_default_material_def();
  material.density = (float)density;
  material.stretch_stiffness = INFINITY;
  if (kind == SHAPE_SHEET) material.shear_stiffness = INFINITY;
  material.bend_stiffness = (float)(density * gravity * pow(length, 3.0) / weight);
  validate_scene(run);
  if (!add_beam(run, kind, &material)) return true;
  tool_must(weft_scene_pin(run->scene, 0, 2 * (STRIP_CELLS + 1)));
  weft_world_def def = validate_def(run, VALIDATE_DEFAULT);
  def.damping = 1.0f;
  validate_open(run, &def, spacing);
  tool_must(weft_world_set_velocities(run->world, end, STRIP_CELLS + 1, push, 0));
  validate_settle(run, 4.0);
  double place[3];
  validate_position(run, end + STRIP_CELLS / 2, place);
  return fabs(place[2]) > 0.1 * length;
}

void validate_buckling(validate_run* run, uint32_t number) {
  const shape_kind kind = number == 0 ? SHAPE_SHEET : SHAPE_IRREGULAR;
  double lower = 1.0, upper = 200.0;
  for (int i = 0; i < 8; ++i) {
    const double middle = sqrt(lower * upper);
    if (buckles(run, kind, middle)) {
      upper = middle;
    } else {
      lower = middle;
    }
  }
  const validate_result result = {"", oracle_lateral_buckling(), sqrt(lower * upper), 0.05, false};
  validate_add(run, &result, "%s, G at which it buckles", shape_name(kind));
}
