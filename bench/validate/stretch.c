/* Moduli of cloth: a floating square of 1 m, forces on its border, without validate_gravity. */
#include "validate/validate.h"

#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "validate/oracles.h"
#include "validate/shapes.h"

enum { CELLS = 16, SIDE = CELLS + 1 };

static const double spacing = 1.0 / CELLS;

typedef enum pull { PULL_ALONG, PULL_SHEAR, PULL_BIAS } pull;

/* Stress of a tension of 1 newton per metre: along x, in shear, along the diagonal. */
static const struct {
  double xx, zz, xz;
} stresses[] = {{1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.5, 0.5, 0.5}};

typedef struct patch {
  shape_kind kind;
  weft_material_def material;
  double angle; /* radians from x to the warp */
  pull pull;
  double tension; /* newtons per metre */
  validate_setting setting;
} patch;

/* Forces of a uniform stress on the border: half a cell's for corners. */
static void pull_border(const patch* self, float (*forces)[3]) {
  for (uint32_t row = 0; row < SIDE; ++row) {
    for (uint32_t column = 0; column < SIDE; ++column) {
      float* force = forces[row * SIDE + column];
      const double x = column == 0 ? -1.0 : column == CELLS ? 1.0 : 0.0;
      const double z = row == 0 ? -1.0 : row == CELLS ? 1.0 : 0.0;
      const double on_x = self->tension * spacing * x * (z != 0.0 ? 0.5 : 1.0);
      const double on_z = self->tension * spacing * z * (x != 0.0 ? 0.5 : 1.0);
      force[0] = (float)(stresses[self->pull].xx * on_x + stresses[self->pull].xz * on_z);
      force[2] = (float)(stresses[self->pull].xz * on_x + stresses[self->pull].zz * on_z);
    }
  }
}

/* Strain after two seconds under the load, and the row's settings. */
static shape_strain strain_of(validate_run* run, const patch* self) {
  shape_strain strain = {NAN, NAN, NAN};
  shape_mesh mesh;
  float forces[SIDE * SIDE][3] = {{0.0f}};
  validate_scene(run);
  if (!shape_make_strip(run, self->kind, CELLS, CELLS, spacing, &mesh)) return strain;
  if (self->kind == SHAPE_SHEET) {
    validate_add_sheet(run, SIDE, SIDE, spacing, 1, 3, &self->material);
  } else {
    shape_add(run, &mesh, &self->material, self->angle);
  }
  validate_open(run, self->setting, 20.0, 0.0, spacing);
  pull_border(self, forces);
  bool goes_on = true;
  for (int step = 0; goes_on && step < 120; ++step) {
    tool_must(
        weft_world_add(run->world, WEFT_ATTRIBUTE_FORCE, weft_range(0, SIDE * SIDE), forces[0], 0));
    goes_on = validate_step(run, 1);
  }
  float* positions = validate_positions(run);
  if (positions) strain = shape_fit_strain(&mesh, positions);
  free(positions);
  shape_free(&mesh);
  return strain;
}

static const char* setting_name(validate_setting setting) {
  return setting == VALIDATE_DEFAULT ? "default" : "128 sweeps a step";
}

/* Pulled at 0, 45 and 90 degrees to the warp, and sheared, on both meshes. */
void validate_membrane(validate_run* run, uint32_t number) {
  static const double degrees[] = {0.0, 45.0, 90.0, 30.0, 0.0};
  const oracle_membrane moduli = {2000.0, 800.0, 300.0, 0.3};
  const uint32_t form = number / 2;
  patch self = {.kind = number % 2 ? SHAPE_RIGHT : SHAPE_IRREGULAR,
                .material = weft_default_material_def(),
                .angle = degrees[form] * validate_pi / 180.0,
                .pull = form == 4 ? PULL_SHEAR : PULL_ALONG,
                .tension = form == 4 ? 3.0 : 8.0};
  self.material.membrane = true;
  self.material.stretch_stiffness = (float)moduli.warp;
  self.material.weft_stiffness = (float)moduli.weft;
  self.material.shear_stiffness = (float)moduli.shear;
  self.material.poisson_ratio = (float)moduli.poisson;
  for (int s = 0; s < 2; ++s) {
    self.setting = s == 0 ? VALIDATE_DEFAULT : VALIDATE_SWEEPS;
    const shape_strain strain = strain_of(run, &self);
    const char *mesh = shape_name(self.kind), *how = setting_name(self.setting);
    if (form == 4) {
      validate_add(run, "N/m", moduli.shear, self.tension / strain.shear, 0.02,
                   "%s, shear modulus, %s", mesh, how);
      continue;
    }
    validate_add(run, "N/m", oracle_modulus(&moduli, cos(self.angle)), self.tension / strain.along,
                 0.02, "%s, %g degrees to the warp, %s", mesh, degrees[form], how);
    if (form > 0) continue;
    validate_add(run, "", moduli.poisson, -strain.across / strain.along, 0.02,
                 "%s, Poisson ratio, %s", mesh, how);
  }
}

/* Modulus of a sheet along the diagonal of its cells. With structural and diagonal springs k and G
 * its stiffness matrix is (k + G, G; G, k + G) and G in shear: engine/scene/material.h. */
static double bias_modulus(double stretch, double shear) {
  const double b = stretch - 2.0 * shear;
  const double k = 0.5 * (b + sqrt(b * b + 4.0 * stretch * shear));
  return 4.0 / (2.0 / (k + 2.0 * shear) + 1.0 / shear);
}

/* Sheets along rows, in shear and on the bias; meshes of springs along x. */
void validate_springs(validate_run* run, uint32_t number) {
  static const struct {
    shape_kind kind;
    pull pull;
    double tension;
    const char* name;
  } forms[] = {{SHAPE_SHEET, PULL_ALONG, 8.0, "along rows"},
               {SHAPE_SHEET, PULL_SHEAR, 2.0, "shear modulus"},
               {SHAPE_SHEET, PULL_BIAS, 4.0, "on the bias"},
               {SHAPE_IRREGULAR, PULL_ALONG, 8.0, "along x"},
               {SHAPE_RIGHT, PULL_ALONG, 8.0, "along x"}};
  const double stretch = 2000.0, shear = 200.0;
  const uint32_t form = number / 2;
  const patch self = {.kind = forms[form].kind,
                      .material = weft_default_material_def(),
                      .pull = forms[form].pull,
                      .tension = forms[form].tension,
                      .setting = number % 2 ? VALIDATE_SWEEPS : VALIDATE_DEFAULT};
  const shape_strain strain = strain_of(run, &self);
  const double strains[] = {strain.along, strain.shear,
                            0.5 * (strain.along + strain.across + strain.shear)};
  const double moduli[] = {stretch, shear, bias_modulus(stretch, shear)};
  validate_add(run, "N/m", moduli[self.pull], self.tension / strains[self.pull], 0.02, "%s, %s, %s",
               shape_name(self.kind), forms[form].name, setting_name(self.setting));
}

/* A sheet of 1 m hung by its upper edge, loaded along its lower one: sizes, then more sweeps. */
void validate_load(validate_run* run, uint32_t number) {
  static const uint32_t cells[] = {16, 32, 64};
  const uint32_t size = cells[number % 3], side = size + 1;
  const bool has_more = number >= 3;
  const double load = 40.0, density = 0.2, stiffness = 2000.0;
  const weft_material_def material = weft_default_material_def();
  validate_scene(run);
  validate_add_sheet(run, side, side, 1.0 / size, 1, -2, &material);
  tool_must(weft_scene_pin(run->scene, weft_range(0, side)));
  validate_open(run, has_more ? VALIDATE_SWEEPS_AND_LEVELS : VALIDATE_DEFAULT, 5.0,
                validate_gravity, 1.0 / size);
  const float force[3] = {0.0f, (float)(-load / size), 0.0f};
  const float corner[3] = {0.0f, 0.5f * force[1], 0.0f};
  bool goes_on = true;
  for (int step = 0; goes_on && step < 180; ++step) {
    tool_must(weft_world_add(run->world, WEFT_ATTRIBUTE_FORCE,
                             weft_range((side - 1) * side + 1, side - 2), force, WEFT_SAME));
    tool_must(weft_world_add(run->world, WEFT_ATTRIBUTE_FORCE, weft_range((side - 1) * side, 1),
                             corner, 0));
    tool_must(weft_world_add(run->world, WEFT_ATTRIBUTE_FORCE, weft_range(side * side - 1, 1),
                             corner, 0));
    goes_on = validate_step(run, 1);
  }
  double place[3];
  validate_position(run, (side - 1) * side + side / 2, place);
  validate_add(run, "m", (load + 0.5 * density * validate_gravity) / stiffness, -place[1] - 1.0,
               0.03, "elongation, %g N/m at the edge, %u x %u, %s", load, side, side,
               has_more ? "128 sweeps a step" : "default");
}
