/* Cloth: a sheet or a mesh with material, contact, air and a ripple. */
#include <math.h>
#include <string.h>

#include "base/float_mode.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "libraries/bodies/body_contact.h"
#include "libraries/contacts/suggest.h"
#include "scene/scene.h"

// Light cotton, as lawn and shirting by the Kawabata system: docs/materials.md.
#define COTTON_DENSITY 0.12f
#define COTTON_BEND_STIFFNESS 1e-5f
#define COTTON_SHEAR_STIFFNESS 60.0f

static weft_material_def light_cotton(bool is_mesh) {
  weft_material_def material = weft_default_material_def();
  material.density = COTTON_DENSITY;
  material.stretch_stiffness = INFINITY;
  if (!is_mesh) material.shear_stiffness = COTTON_SHEAR_STIFFNESS;
  material.bend_stiffness = COTTON_BEND_STIFFNESS;
  return material;
}

static weft_result check_def(const weft_cloth_def* def) {
  WEFT__TRY(weft__check_def(&weft__cloth_fields, def));
  WEFT__FAIL_IF(def->triangles != NULL && def->positions == NULL, WEFT_ERROR_NULL,
                "weft_cloth_def.positions");
  WEFT__FAIL_IF(def->triangles == NULL && def->positions != NULL, WEFT_ERROR_NULL,
                "weft_cloth_def.triangles");
  WEFT__FAIL_IF(def->triangles != NULL && def->hooks > 0, WEFT_ERROR_RANGE, "weft_cloth_def.hooks");
  return weft__ok();
}

// Cells are square.
static weft_result size_sheet(const weft_cloth_def* def, weft_sheet_def* sheet) {
  sheet->columns = def->columns;
  sheet->spacing = (float)((double)def->width / (def->columns - 1));
  const double rows = round((double)def->height / (double)sheet->spacing);
  WEFT__FAIL_IF(rows > 65534.0, WEFT_ERROR_TOO_MANY, "weft_cloth_def.height");
  sheet->rows = (uint32_t)fmax(rows, 1.0) + 1;
  return weft__ok();
}

static void hook(weft_scene* scene, const weft_cloth_def* def, const weft_sheet_def* sheet,
                 const weft_body* body) {
  const uint32_t hooks = def->hooks < sheet->columns ? def->hooks : sheet->columns;
  for (uint32_t h = 0; h < hooks; ++h) {
    const uint64_t column = hooks > 1 ? (uint64_t)h * (sheet->columns - 1) / (hooks - 1) : 0;
    scene->inverse_masses[body->first_particle + column] = 0.0f;
  }
}

static weft_result add_sheet(weft_scene* scene, const weft_cloth_def* def,
                             const weft_material_def* material, weft_body* body) {
  weft_sheet_def sheet = weft_default_sheet_def();
  WEFT__TRY(size_sheet(def, &sheet));
  for (int axis = 0; axis < 3; ++axis) {
    sheet.origin[axis] = def->origin[axis];
    sheet.across[axis] = def->across[axis];
    sheet.down[axis] = def->down[axis];
  }
  sheet.material = material;
  sheet.tear_ratio = def->tear_ratio;
  WEFT__TRY(weft_scene_add_sheet(scene, &sheet, body));
  hook(scene, def, &sheet, body);
  return weft__ok();
}

static weft_result add_mesh(weft_scene* scene, const weft_cloth_def* def,
                            const weft_material_def* material, weft_body* body) {
  weft_mesh_def mesh = weft_default_mesh_def();
  mesh.positions = def->positions;
  mesh.vertex_count = def->vertex_count;
  mesh.triangles = def->triangles;
  mesh.triangle_count = def->triangle_count;
  mesh.material = material;
  mesh.tear_ratio = def->tear_ratio;
  return weft_scene_add_mesh(scene, &mesh, body);
}

// Sums of the normals of a mesh's triangles by vertex, by area. NULL if out of memory.
static weft__vec3* sum_normals(const weft_cloth_def* def) {
  weft__vec3* normals = weft__alloc_zeroed(def->vertex_count, sizeof(*normals));
  for (uint32_t t = 0; t < def->triangle_count && normals != NULL; ++t) {
    const uint32_t* corner = def->triangles + (size_t)3 * t;
    const weft__vec3 a = weft__vec3_of(def->positions + (size_t)3 * corner[0]);
    const weft__vec3 b = weft__vec3_of(def->positions + (size_t)3 * corner[1]);
    const weft__vec3 c = weft__vec3_of(def->positions + (size_t)3 * corner[2]);
    const weft__vec3 normal = weft__cross(weft__minus(b, a), weft__minus(c, a));
    for (int k = 0; k < 3; ++k) normals[corner[k]] = weft__plus(normals[corner[k]], normal);
  }
  return normals;
}

// From -1 to 1, of a particle.
static double draw_ripple(const weft_cloth_def* def, uint32_t i) {
  const uint64_t mixed = weft__mix64(((uint64_t)def->seed << 32 | i) + WEFT__SPLITMIX_STEP);
  return (double)(int64_t)(mixed >> 11) * 0x1p-52 - 1.0;
}

// Pinned particles stay.
static weft_result add_ripple(weft_scene* scene, const weft_cloth_def* def, const weft_body* body,
                              double amplitude) {
  if (amplitude == 0.0) return weft__ok();
  weft__vec3* normals = def->triangles != NULL ? sum_normals(def) : NULL;
  WEFT__FAIL_IF(def->triangles != NULL && normals == NULL, WEFT_ERROR_OUT_OF_MEMORY, "scene");
  const weft__vec3 flat = weft__cross(weft__vec3_of(def->down), weft__vec3_of(def->across));
  for (uint32_t i = 0; i < body->particle_count; ++i) {
    const uint32_t particle = body->first_particle + i;
    const weft__vec3 along = normals != NULL ? normals[i] : flat;
    const double length = weft__length(along);
    if (!(length > 0.0) || scene->inverse_masses[particle] == 0.0f) continue;
    float* position = scene->positions + (size_t)3 * particle;
    const weft__vec3 to = weft__plus(weft__vec3_of(position),
                                     weft__scaled(amplitude * draw_ripple(def, i) / length, along));
    weft__vec3_store(to, position);
  }
  weft__free(normals);
  return weft__ok();
}

// Errors at fields that both defs have are at the cloth's.
static weft_result at_cloth(weft_result result) {
  const char* member = strchr(result.field, '.');
  for (uint32_t f = 0; f < weft__cloth_fields.count && member != NULL; ++f) {
    const char* name = weft__cloth_fields.rows[f].name;
    if (strcmp(strchr(name, '.'), member) == 0) result.field = name;
  }
  return result;
}

static weft_result finish(weft_scene* scene, const weft_cloth_def* def, const weft_body* body) {
  weft__spacing spacing;
  WEFT__TRY(weft__measure_spacing(scene, body, &spacing));
  WEFT__TRY(add_ripple(scene, def, body, (double)def->ripple * spacing.mean));
  const weft__body_contact contact = {
      .thickness = def->thickness,
      .usual = WEFT__THICKNESS_SHARE * spacing.mean,
      .friction = def->friction,
      .collision = def->collision,
      .in_air = def->in_air,
  };
  return weft__set_body_contact(scene, body, &contact);
}

static weft_result add_cloth(weft_scene* scene, const weft_cloth_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__TRY(check_def(def));
  const bool is_mesh = def->triangles != NULL;
  const weft_material_def cotton = light_cotton(is_mesh);
  const weft_material_def* material = def->material != NULL ? def->material : &cotton;
  const weft__scene_mark before = weft__scene_get_mark(scene);
  weft_body made;
  WEFT__TRY(at_cloth((is_mesh ? add_mesh : add_sheet)(scene, def, material, &made)));
  const weft_result result = finish(scene, def, &made);
  if (result.error != WEFT_OK) weft__scene_roll_back(scene, &before);
  if (result.error == WEFT_OK && body != NULL) *body = made;
  return result;
}

weft_result weft_scene_add_cloth(weft_scene* scene, const weft_cloth_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_cloth, scene, def, body);
}
