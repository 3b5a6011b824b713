/* Bending: the heavy elastica at any resolution, mesh and step, twist, and lateral buckling. */
#include "validate/validate.h"

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

/* Strip of stiff springs or links whose first two rows of vertices are held: level along z, or
 * along x and upright in y. */
typedef struct strip {
  shape_kind kind;
  bool is_upright;
  uint32_t across, along; /* cells */
  double spacing;         /* metres */
  validate_setting setting;
} strip;

static bool is_sheet(const strip* self) {
  return self->kind == SHAPE_SHEET || self->kind == SHAPE_ROWS;
}

/* Distance of the clamp from the first row. A mesh bends from the second one on; a sheet's bend
 * element on the second row stands for half a cell on both sides. */
static double clamp_of(const strip* self) {
  return (is_sheet(self) ? 0.5 : 1.0) * self->spacing;
}

static double length_of(const strip* self) {
  return self->along * self->spacing - clamp_of(self);
}

static double width_of(const strip* self) {
  return self->across * self->spacing;
}

/* Bend stiffness of a strip of G = areal mass g L^3 / B. */
static double stiffness_of(const strip* self, double weight) {
  return density * validate_gravity * pow(length_of(self), 3.0) / weight;
}

/* Vertex of a strip: `row` from the clamp to the tip, `column` across. */
static uint32_t vertex_of(const strip* self, uint32_t row, uint32_t column) {
  if (self->kind == SHAPE_ROWS) return column * (self->along + 1) + row;
  return row * (self->across + 1) + column;
}

static void add_sheet(validate_run* run, const strip* self, const weft_material_def* material) {
  const uint32_t along = self->along + 1, across = self->across + 1;
  if (self->kind == SHAPE_ROWS) {
    validate_add_sheet(run, along, across, self->spacing, 3, 1, material);
  } else if (self->is_upright) {
    validate_add_sheet(run, across, along, self->spacing, 2, 1, material);
  } else {
    validate_add_sheet(run, across, along, self->spacing, 1, 3, material);
  }
}

static bool add_mesh(validate_run* run, const strip* self, const weft_material_def* material) {
  shape_mesh mesh;
  if (!shape_make_strip(run, self->kind, self->across, self->along, self->spacing, &mesh)) {
    return false;
  }
  for (uint32_t i = 0; self->is_upright && i < mesh.vertex_count; ++i) {
    float* at = &mesh.positions[3 * (size_t)i];
    at[1] = at[0];
    at[0] = at[2];
    at[2] = 0.0f;
  }
  shape_add(run, &mesh, material, NAN);
  shape_free(&mesh);
  return true;
}

static bool open_strip(validate_run* run, const strip* self, const weft_material_def* material,
                       weft_world_def def) {
  validate_scene(run);
  if (is_sheet(self)) {
    add_sheet(run, self, material);
  } else if (!add_mesh(run, self, material)) {
    return false;
  }
  for (uint32_t i = 0; i < 2 * (self->across + 1); ++i) {
    tool_must(weft_scene_pin(run->scene, weft_range(vertex_of(self, i % 2, i / 2), 1)));
  }
  if (self->kind == SHAPE_CROSS) {
    const uint32_t centers = (self->along + 1) * (self->across + 1);
    tool_must(weft_scene_pin(run->scene, weft_range(centers, self->across)));
  }
  def.damping = 5.0f;
  validate_open_def(run, &def, self->spacing);
  return true;
}

static strip level_strip(shape_kind kind, double spacing) {
  return (strip){.kind = kind,
                 .across = STRIP_CELLS,
                 .along = (uint32_t)lround(0.32 / spacing) + 1,
                 .spacing = spacing};
}

/* Height over width of the strip at rest. */
static double measure_strip(validate_run* run, const strip* self, double weight, double rate) {
  double place[3];
  weft_material_def material = weft_default_material_def();
  weft_world_def def = validate_def(run, self->setting);
  material.density = (float)density;
  material.bend_stiffness = (float)stiffness_of(self, weight);
  def.step_ns = llround(1e9 / rate);
  if (!open_strip(run, self, &material, def)) return NAN;
  validate_settle(run, 6.0);
  validate_position(run, vertex_of(self, self->along, STRIP_CELLS / 2), place);
  return -place[1] / (place[2] - clamp_of(self));
}

static void add_strip(validate_run* run, const strip* self, double weight, double rate,
                      double tolerance, const char* what) {
  validate_add(run, "", oracle_cantilever(weight), measure_strip(run, self, weight, rate),
               tolerance, "%s, G = %g%s", what, weight, fine_suffix(self->setting));
}

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
  strip self = level_strip(kind, spacings[spacing]);
  const double tolerance = kind == SHAPE_CROSS ? 0.03 : 0.02;
  char what[48];
  snprintf(what, sizeof what, "%s, %g cm", shape_name(kind), 100.0 * self.spacing);
  add_strip(run, &self, weights[weight], 60.0, tolerance, what);
  // limp strips at their own settings too
  if (weights[weight] < 20.0) return;
  self.setting = VALIDATE_FINE;
  add_strip(run, &self, weights[weight], 60.0, tolerance, what);
}

void validate_steps(validate_run* run, uint32_t number) {
  static const double rates[] = {60.0, 240.0, 30.0, 120.0};
  const strip self = level_strip(SHAPE_SHEET, 0.01);
  char what[48];
  snprintf(what, sizeof what, "sheet, %g steps a second", rates[number]);
  add_strip(run, &self, 20.0, rates[number], 0.02, what);
}

/* Newtons per metre. The strip sags in its plane by less than 0.5 % of its length; a twisted
 * strip's stretch, square in the twist, is none. */
static const double upright_stretch = 3e4;

static bool open_upright(validate_run* run, const strip* self, double bend_stiffness, double fall) {
  weft_material_def material = weft_default_material_def();
  weft_world_def def = validate_def(run, self->setting);
  material.density = (float)density;
  material.stretch_stiffness = (float)upright_stretch;
  material.bend_stiffness = (float)bend_stiffness;
  if (is_sheet(self)) material.shear_stiffness = (float)(0.5 * upright_stretch);
  def.gravity[1] = (float)-fall;
  return open_strip(run, self, &material, def);
}

/* Angle of the end of a weightless strip under a couple of forces at its corners, which twist a
 * plate uniformly. */
static double measure_twist(validate_run* run, const strip* self, double bend_stiffness,
                            double force) {
  const float pull[3] = {0.0f, 0.0f, (float)force}, push[3] = {0.0f, 0.0f, (float)-force};
  const uint32_t bottom = vertex_of(self, self->along, 0), top = bottom + self->across;
  double low[3], high[3];
  if (!open_upright(run, self, bend_stiffness, 0.0)) return NAN;
  for (int step = 0; step < 180; ++step) {
    tool_must(weft_world_add(run->world, WEFT_ATTRIBUTE_FORCE, weft_range(bottom, 1), push, 0));
    tool_must(weft_world_add(run->world, WEFT_ATTRIBUTE_FORCE, weft_range(top, 1), pull, 0));
    if (!validate_step(run, 1)) return NAN;
  }
  validate_position(run, bottom, low);
  validate_position(run, top, high);
  return atan2(high[2] - low[2], high[1] - low[1]);
}

void validate_twist(validate_run* run, uint32_t number) {
  static const shape_kind kinds[] = {SHAPE_RIGHT, SHAPE_IRREGULAR, SHAPE_CROSS, SHAPE_SHEET};
  const double bend_stiffness = 0.01, angle = 0.05;
  strip self = number % 2 == 0
                   ? (strip){.is_upright = true, .across = 4, .along = 21, .spacing = 0.02}
                   : (strip){.is_upright = true, .across = 8, .along = 41, .spacing = 0.01};
  self.kind = kinds[number / 2];
  const double width = width_of(&self);
  const double compliance = oracle_twist(length_of(&self), width, bend_stiffness);
  for (int s = 0; s < 2; ++s) {
    self.setting = s == 0 ? VALIDATE_DEFAULT : VALIDATE_FINE;
    const double measured = measure_twist(run, &self, bend_stiffness, angle / compliance / width);
    validate_add(run, "rad", angle, measured, 0.03, "%s, %u x %u cells, twist of the end%s",
                 shape_name(self.kind), self.along - 1, self.across, fine_suffix(self.setting));
  }
}

/* Pushes the strip aside as it buckles, 0.1 mm/s at its end. */
static void push_aside(validate_run* run, const strip* self) {
  const double length = length_of(self);
  for (uint32_t i = 2 * (self->across + 1); i < run->stats.particle_count; ++i) {
    double place[3], velocity[3];
    validate_position(run, i, place);
    validate_velocity(run, i, velocity);
    const double share = place[0] / length;
    const float pushed[3] = {(float)velocity[0], (float)velocity[1], (float)(1e-4 * share * share)};
    tool_set(run->world, WEFT_ATTRIBUTE_VELOCITY, i, 1, pushed, 0);
  }
}

static double aside(const validate_run* run, const strip* self) {
  double place[3];
  validate_position(run, vertex_of(self, self->along, 0) + self->across / 2, place);
  return place[2];
}

/* True if the deflection grows once the push has died away. */
static bool buckles(void* context, double weight) {
  const validate_search* of = context;
  validate_run* run = of->run;
  const strip* self = of->of;
  if (!open_upright(run, self, stiffness_of(self, weight), validate_gravity)) return true;
  validate_settle(run, 2.0);
  push_aside(run, self);
  validate_settle(run, 3.0);
  const double before = aside(run, self);
  validate_settle(run, 2.0);
  return aside(run, self) / before > 1.0;
}

static void measure_threshold(validate_run* run, const strip* self) {
  validate_search context = {run, self};
  validate_add(run, "", oracle_lateral_buckling(width_of(self) / length_of(self)),
               validate_threshold(8.0, 50.0, 8, true, buckles, &context), 0.05,
               "%s, %u x %u cells, G at which it buckles%s", shape_name(self->kind),
               self->along - 1, self->across, fine_suffix(self->setting));
}

void validate_buckling(validate_run* run, uint32_t number) {
  static const strip strips[] = {
      {.is_upright = true, .across = 4, .along = 21, .spacing = 0.02},
      {.is_upright = true, .across = 8, .along = 41, .spacing = 0.01},
      {.is_upright = true, .across = 4, .along = 41, .spacing = 0.01},
  };
  strip self = strips[number / 2];
  self.kind = number % 2 == 0 ? SHAPE_SHEET : SHAPE_IRREGULAR;
  for (int s = 0; s < 2; ++s) {
    self.setting = s == 0 ? VALIDATE_DEFAULT : VALIDATE_FINE;
    measure_threshold(run, &self);
  }
}
