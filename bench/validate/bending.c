/* Bending: the heavy elastica at any resolution, mesh and step, twist, and lateral
 * buckling. */
#include "validate/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "validate/oracles.h"
#include "validate/shapes.h"

enum { STRIP_CELLS = 4, DIRECT_SHEETS = 10000 };

static const double density = 0.2;

static const char* fine_suffix(validate_setting setting) {
  return setting == VALIDATE_FINE ? ", 64 substeps" : "";
}

typedef struct strip {
  shape_kind kind;
  double spacing; /* metres */
  double weight;  /* G = areal mass g L^3 / B */
  double rate;    /* steps a second */
  validate_setting setting;
} strip;

/* ---- strips ---- */

static uint32_t rows_of(const strip* self) {
  return (uint32_t)lround(0.32 / self->spacing) + 1;
}

static bool is_sheet(const strip* self) {
  return self->kind == SHAPE_SHEET || self->kind == SHAPE_ROWS;
}

/* Strip of a square sheet whose diagonal is its axis: 32 x 30 cm, cut out through the particles of
 * its border, which have half of their cells, and the rest of the sheet is held. Lines of particles
 * across it are half a diagonal of a cell apart, numbered from the last one that is held; lines
 * along it, from the axis. */
typedef struct bias_strip {
  double line;      /* metres between lines */
  int length, half; /* last line across, and on each side along */
  int side;         /* particles of the sheet */
  int first;        /* columns + rows at line 0 */
} bias_strip;

static bias_strip bias_of(double spacing) {
  bias_strip bias = {.line = spacing * sqrt(0.5)};
  bias.length = 2 * (int)lround(0.16 / bias.line);
  bias.half = (int)lround(0.15 / bias.line);
  bias.first = 2 * (bias.half / 2 + 2);
  bias.side = (bias.first + bias.length + bias.half) / 2 + 4;
  return bias;
}

/* Distance of the clamp from the first row. The two first rows are held. A mesh bends from the
 * second one on; a bend element of a sheet on the second one stands for half a cell on both sides
 * of it. */
static double clamp_of(const strip* self) {
  if (self->kind == SHAPE_BIAS) return -0.5 * bias_of(self->spacing).line;
  return (is_sheet(self) ? 0.5 : 1.0) * self->spacing;
}

static double length_of(const strip* self) {
  if (self->kind == SHAPE_BIAS) {
    const bias_strip bias = bias_of(self->spacing);
    return (bias.length + 0.5) * bias.line;
  }
  return rows_of(self) * self->spacing - clamp_of(self);
}

static weft_material_def material_of(const strip* self) {
  weft_material_def material = weft_default_material_def();
  material.density = (float)density;
  material.bend_stiffness =
      (float)(density * validate_gravity * pow(length_of(self), 3.0) / self->weight);
  return material;
}

/* Vertex of a strip: `row` from the clamp to the tip, `column` across. */
static uint32_t vertex_of(const strip* self, uint32_t row, uint32_t column) {
  if (self->kind == SHAPE_ROWS) return column * (rows_of(self) + 1) + row;
  return row * (STRIP_CELLS + 1) + column;
}

static void add_sheet(validate_run* run, const strip* self) {
  const weft_material_def material = material_of(self);
  const uint32_t along = rows_of(self) + 1, across = STRIP_CELLS + 1;
  if (self->kind == SHAPE_ROWS) {
    validate_add_sheet(run, along, across, self->spacing, 3, 1, &material);
  } else {
    validate_add_sheet(run, across, along, self->spacing, 1, 3, &material);
  }
}

static bool add_mesh(validate_run* run, const strip* self) {
  const weft_material_def material = material_of(self);
  shape_mesh mesh;
  if (!shape_make_strip(run, self->kind, STRIP_CELLS, rows_of(self), self->spacing, &mesh)) {
    return false;
  }
  shape_add(run, &mesh, &material, NAN);
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

/* ---- strips along the diagonals of a sheet ---- */

static bool is_held(const bias_strip* bias, int column, int row) {
  const int across = column + row - bias->first, along = abs(column - row);
  return across <= 0 || across > bias->length || along > bias->half;
}

static void add_bias_sheet(validate_run* run, const strip* self) {
  const weft_material_def material = material_of(self);
  const bias_strip bias = bias_of(self->spacing);
  const float cosine = (float)sqrt(0.5);
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = (uint32_t)bias.side;
  sheet.spacing = (float)self->spacing;
  memcpy(sheet.across, (float[3]){cosine, 0.0f, cosine}, sizeof sheet.across);
  memcpy(sheet.down, (float[3]){-cosine, 0.0f, cosine}, sizeof sheet.down);
  sheet.origin[2] = (float)(-bias.first * bias.line);
  sheet.material = &material;
  tool_must(weft_scene_add_sheet(run->scene, &sheet, NULL));
  for (int row = 0; row < bias.side; ++row) {
    for (int column = 0; column < bias.side; ++column) {
      if (!is_held(&bias, column, row)) continue;
      tool_must(weft_scene_pin(run->scene, (uint32_t)(row * bias.side + column), 1));
    }
  }
}

/* Cuts midway between the lines of the border and the next ones. */
static void cut_bias_strip(validate_run* run, const strip* self) {
  const bias_strip bias = bias_of(self->spacing);
  const float end = (float)((bias.length + 0.5) * bias.line);
  const float edge = (float)((bias.half + 0.5) * bias.line);
  const float cuts[3][9] = {{edge, -9, -9, edge, 9, -9, edge, 0, 9},
                            {-edge, -9, -9, -edge, 9, -9, -edge, 0, 9},
                            {-9, -9, end, -9, 9, end, 9, 0, end}};
  for (int i = 0; i < 3; ++i) tool_must(weft_world_cut(run->world, cuts[i], NULL));
}

/* The cloth of border particles beyond the cut is gone. */
static void lighten_border(validate_run* run, const strip* self) {
  const bias_strip bias = bias_of(self->spacing);
  const double whole = 1.0 / (density * self->spacing * self->spacing);
  for (int row = 0; row < bias.side; ++row) {
    for (int column = 0; column < bias.side; ++column) {
      const int across = column + row - bias.first;
      const bool is_edge = abs(column - row) == bias.half, is_end = across == bias.length;
      if (is_held(&bias, column, row) || (!is_edge && !is_end)) continue;
      const float inverse_mass = (float)(whole * (is_edge ? 2.0 : 1.0) * (is_end ? 2.0 : 1.0));
      const uint32_t particle = (uint32_t)(row * bias.side + column);
      tool_must(weft_world_set_inverse_masses(run->world, particle, 1, &inverse_mass, 0));
    }
  }
}

/* ---- measurement ---- */

static uint32_t tip_of(const strip* self) {
  if (self->kind == SHAPE_BIAS) {
    const bias_strip bias = bias_of(self->spacing);
    return (uint32_t)((bias.first + bias.length) / 2 * (bias.side + 1));
  }
  return vertex_of(self, rows_of(self), STRIP_CELLS / 2);
}

/* Height over width of the strip at rest. */
static double measure_strip(validate_run* run, const strip* self) {
  double place[3];
  validate_scene(run);
  if (self->kind == SHAPE_BIAS) {
    add_bias_sheet(run, self);
  } else if (is_sheet(self)) {
    add_sheet(run, self);
  } else if (!add_mesh(run, self)) {
    return NAN;
  }
  if (self->kind != SHAPE_BIAS) hold_clamp(run, self);
  weft_world_def def = validate_def(run, self->setting);
  def.step_ns = llround(1e9 / self->rate);
  def.damping = 5.0f;
  if (self->kind == SHAPE_BIAS) def.direct_sheets = DIRECT_SHEETS;
  validate_open_def(run, &def, self->spacing);
  if (self->kind == SHAPE_BIAS) {
    cut_bias_strip(run, self);
    lighten_border(run, self);
  }
  validate_settle(run, 6.0);
  validate_position(run, tip_of(self), place);
  return -place[1] / (place[2] - clamp_of(self));
}

static void add_strip(validate_run* run, const strip* self, double tolerance, const char* what) {
  validate_add(run, "", oracle_cantilever(self->weight), measure_strip(run, self), tolerance,
               "%s, G = %g%s", what, self->weight, fine_suffix(self->setting));
}

/* ---- cantilever ---- */

static const double weights[] = {5, 50, 1, 10, 20, 100, 500};
static const double spacings[] = {0.02, 0.01, 0.005};
enum { WEIGHTS = 7, SPACINGS = 3, KINDS = 6, QUICK_WEIGHTS = 2, QUICK_SPACINGS = 2 };
_Static_assert(VALIDATE_CANTILEVERS == KINDS * WEIGHTS * SPACINGS, "one case each");
_Static_assert(VALIDATE_QUICK_CANTILEVERS == KINDS * QUICK_WEIGHTS * QUICK_SPACINGS, "the first");

/* Cases of --quick come first. */
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
  strip self = {kind, spacings[spacing], weights[weight], 60.0, VALIDATE_DEFAULT};
  const double tolerance = kind == SHAPE_CROSS || kind == SHAPE_BIAS ? 0.03 : 0.02;
  char what[48];
  snprintf(what, sizeof what, "%s, %g cm", shape_name(kind), 100.0 * self.spacing);
  add_strip(run, &self, tolerance, what);
  // limp strips at the settings for them too
  if (self.weight < 20.0 || kind == SHAPE_BIAS) return;
  self.setting = VALIDATE_FINE;
  add_strip(run, &self, tolerance, what);
}

/* ---- steps ---- */

void validate_steps(validate_run* run, uint32_t number) {
  static const double rates[] = {60.0, 240.0, 30.0, 120.0};
  const strip self = {SHAPE_SHEET, 0.01, 20.0, rates[number], VALIDATE_DEFAULT};
  char what[48];
  snprintf(what, sizeof what, "sheet, %g steps a second", self.rate);
  add_strip(run, &self, 0.02, what);
}

/* ---- upright strips ---- */

/* Strip along x, upright in y, of stiff springs; its first two rows of vertices are held. */
typedef struct upright {
  shape_kind kind;
  uint32_t across, along; /* cells */
  double spacing;         /* metres */
  bool is_direct;         /* bend elements of a sheet as one system */
  validate_setting setting;
} upright;

/* Newtons per metre. The strip sags by less than 0.5 % of its length in its own plane, and the
 * stretch of a twisted strip, which grows by the square of the twist, is none. */
static const double upright_stretch = 3e4;

static double width_of(const upright* self) {
  return self->across * self->spacing;
}

/* Elements of a sheet bend from the middle of the cell that is held, triangles of a mesh from its
 * edge. */
static double free_length(const upright* self) {
  return (self->along - (self->kind == SHAPE_SHEET ? 0.5 : 1.0)) * self->spacing;
}

static uint32_t last_row(const upright* self) {
  return self->along * (self->across + 1);
}

static void add_upright_sheet(validate_run* run, const upright* self, weft_material_def* material) {
  material->shear_stiffness = (float)(0.5 * upright_stretch);
  validate_add_sheet(run, self->across + 1, self->along + 1, self->spacing, 2, 1, material);
}

static bool add_upright_mesh(validate_run* run, const upright* self,
                             const weft_material_def* material) {
  shape_mesh mesh;
  if (!shape_make_strip(run, self->kind, self->across, self->along, self->spacing, &mesh)) {
    return false;
  }
  for (uint32_t i = 0; i < mesh.vertex_count; ++i) {
    float* at = &mesh.positions[3 * (size_t)i];
    at[1] = at[0];
    at[0] = at[2];
    at[2] = 0.0f;
  }
  shape_add(run, &mesh, material, NAN);
  shape_free(&mesh);
  return true;
}

/* World of a strip; false without memory. */
static bool open_upright(validate_run* run, const upright* self, double bend_stiffness,
                         double fall) {
  weft_material_def material = weft_default_material_def();
  material.density = (float)density;
  material.stretch_stiffness = (float)upright_stretch;
  material.bend_stiffness = (float)bend_stiffness;
  validate_scene(run);
  if (self->kind == SHAPE_SHEET) {
    add_upright_sheet(run, self, &material);
  } else if (!add_upright_mesh(run, self, &material)) {
    return false;
  }
  tool_must(weft_scene_pin(run->scene, 0, 2 * (self->across + 1)));
  if (self->kind == SHAPE_CROSS) {
    const uint32_t centers = (self->along + 1) * (self->across + 1);
    tool_must(weft_scene_pin(run->scene, centers, self->across));
  }
  weft_world_def def = validate_def(run, self->setting);
  def.gravity[1] = (float)-fall;
  def.damping = 5.0f;
  if (self->is_direct) def.direct_sheets = DIRECT_SHEETS;
  validate_open_def(run, &def, self->spacing);
  return true;
}

/* ---- twist ---- */

/* Angle of the end of a strip without weight under the couple of two forces at its corners, which
 * twist a plate uniformly. */
static double measure_twist(validate_run* run, const upright* self, double bend_stiffness,
                            double force) {
  const float pull[3] = {0.0f, 0.0f, (float)force}, push[3] = {0.0f, 0.0f, (float)-force};
  const uint32_t bottom = last_row(self), top = bottom + self->across;
  double low[3], high[3];
  if (!open_upright(run, self, bend_stiffness, 0.0)) return NAN;
  for (int step = 0; step < 180; ++step) {
    tool_must(weft_world_add_forces(run->world, bottom, 1, push, 0));
    tool_must(weft_world_add_forces(run->world, top, 1, pull, 0));
    if (!validate_step(run, 1)) return NAN;
  }
  validate_position(run, bottom, low);
  validate_position(run, top, high);
  return atan2(high[2] - low[2], high[1] - low[1]);
}

void validate_twist(validate_run* run, uint32_t number) {
  static const shape_kind kinds[] = {SHAPE_SHEET, SHAPE_RIGHT, SHAPE_IRREGULAR, SHAPE_CROSS,
                                     SHAPE_SHEET};
  const double bend_stiffness = 0.01, angle = 0.05;
  upright self = number % 2 == 0 ? (upright){.across = 4, .along = 21, .spacing = 0.02}
                                 : (upright){.across = 8, .along = 41, .spacing = 0.01};
  self.kind = kinds[number / 2];
  self.is_direct = number < 2;
  const double width = width_of(&self);
  const double compliance = oracle_twist(free_length(&self), width, bend_stiffness);
  for (int s = 0; s < 2; ++s) {
    self.setting = s == 0 ? VALIDATE_DEFAULT : VALIDATE_FINE;
    const double measured = measure_twist(run, &self, bend_stiffness, angle / compliance / width);
    validate_add(run, "rad", angle, measured, 0.03, "%s%s, %u x %u cells, twist of the end%s",
                 shape_name(self.kind), self.is_direct ? " as one system" : "", self.along - 1,
                 self.across, fine_suffix(self.setting));
  }
}

/* ---- lateral buckling ---- */

/* Pushes the strip aside as it buckles, by 0.1 mm/s at its end. */
static void push_aside(validate_run* run, const upright* self) {
  const double length = free_length(self);
  for (uint32_t i = 2 * (self->across + 1); i < run->stats.particle_count; ++i) {
    double place[3], velocity[3];
    validate_position(run, i, place);
    validate_velocity(run, i, velocity);
    const double share = place[0] / length;
    const float pushed[3] = {(float)velocity[0], (float)velocity[1], (float)(1e-4 * share * share)};
    tool_must(weft_world_set_velocities(run->world, i, 1, pushed, 0));
  }
}

static double aside(const validate_run* run, const upright* self) {
  double place[3];
  validate_position(run, last_row(self) + self->across / 2, place);
  return place[2];
}

typedef struct buckling {
  validate_run* run;
  const upright* strip;
} buckling;

/* True if the deflection grows once the push has died away. */
static bool buckles(void* context, double weight) {
  const buckling* of = context;
  validate_run* run = of->run;
  const upright* self = of->strip;
  const double bend_stiffness = density * validate_gravity * pow(free_length(self), 3.0) / weight;
  if (!open_upright(run, self, bend_stiffness, validate_gravity)) return true;
  validate_settle(run, 2.0);
  push_aside(run, self);
  validate_settle(run, 3.0);
  const double before = aside(run, self);
  validate_settle(run, 2.0);
  return aside(run, self) / before > 1.0;
}

static void measure_threshold(validate_run* run, const upright* self) {
  buckling context = {run, self};
  validate_add(run, "", oracle_lateral_buckling(width_of(self) / free_length(self)),
               validate_threshold(8.0, 50.0, 8, true, buckles, &context), 0.05,
               "%s, %u x %u cells, G at which it buckles%s", shape_name(self->kind),
               self->along - 1, self->across, fine_suffix(self->setting));
}

void validate_buckling(validate_run* run, uint32_t number) {
  static const upright strips[] = {
      {.across = 4, .along = 21, .spacing = 0.02},
      {.across = 8, .along = 41, .spacing = 0.01},
      {.across = 4, .along = 41, .spacing = 0.01},
  };
  upright self = strips[number / 2];
  self.kind = number % 2 == 0 ? SHAPE_SHEET : SHAPE_IRREGULAR;
  for (int s = 0; s < 2; ++s) {
    self.setting = s == 0 ? VALIDATE_DEFAULT : VALIDATE_FINE;
    measure_threshold(run, &self);
  }
}
