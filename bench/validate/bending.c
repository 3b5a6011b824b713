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

enum { STRIP_CELLS = 4 };

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

/* ---- measurement ---- */

static uint32_t tip_of(const strip* self) {
  return vertex_of(self, rows_of(self), STRIP_CELLS / 2);
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
  weft_world_def def = validate_def(run, self->setting);
  def.step_ns = llround(1e9 / self->rate);
  def.damping = 5.0f;
  validate_open_def(run, &def, self->spacing);
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
enum { WEIGHTS = 7, SPACINGS = 3, KINDS = 5, QUICK_WEIGHTS = 2, QUICK_SPACINGS = 2 };
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
  const double tolerance = kind == SHAPE_CROSS ? 0.03 : 0.02;
  char what[48];
  snprintf(what, sizeof what, "%s, %g cm", shape_name(kind), 100.0 * self.spacing);
  add_strip(run, &self, tolerance, what);
  // limp strips at the settings for them too
  if (self.weight < 20.0) return;
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
  static const shape_kind kinds[] = {SHAPE_RIGHT, SHAPE_IRREGULAR, SHAPE_CROSS, SHAPE_SHEET};
  const double bend_stiffness = 0.01, angle = 0.05;
  upright self = number % 2 == 0 ? (upright){.across = 4, .along = 21, .spacing = 0.02}
                                 : (upright){.across = 8, .along = 41, .spacing = 0.01};
  self.kind = kinds[number / 2];
  const double width = width_of(&self);
  const double compliance = oracle_twist(free_length(&self), width, bend_stiffness);
  for (int s = 0; s < 2; ++s) {
    self.setting = s == 0 ? VALIDATE_DEFAULT : VALIDATE_FINE;
    const double measured = measure_twist(run, &self, bend_stiffness, angle / compliance / width);
    validate_add(run, "rad", angle, measured, 0.03, "%s, %u x %u cells, twist of the end%s",
                 shape_name(self.kind), self.along - 1, self.across, fine_suffix(self.setting));
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
