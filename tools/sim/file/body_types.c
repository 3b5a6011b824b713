/* Types of bodies: sheets, meshes, and the list of all. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/file/body_makers.h"

static const char material_summary[] =
    "see material, or the name of a fabric; where it is not given, links do not give way";

/* Fabric that the other keys of a material start from. */
typedef struct file_fabric {
  const char* name; /* NULL = none */
} file_fabric;

static const sim_field fabric_fields[] = {
    {"fabric", SIM_FIELD_TEXT, offsetof(file_fabric, name), false, false, 0, 0, NULL,
     "measured fabric that keys which are not given are taken from: see materials.md; of meshes a "
     "membrane"},
};

const sim_table sim_fabric_table = {"material: fabric", "A further key of `material`.",
                                    SIM_TABLE_FIELDS(fabric_fields), sizeof(file_fabric), NULL};

static bool find_fabric(const sim_source* source, const sim_place* place, const char* name,
                        weft_fabric* fabric) {
  char all[512] = "";
  size_t length = 0;
  if (weft_find_fabric(name, fabric).error == WEFT_OK) return true;
  for (int i = 0; i < WEFT_FABRIC_COUNT; ++i) {
    weft_fabric_data data;
    tool_must(weft_get_fabric_data((weft_fabric)i, &data));
    length +=
        (size_t)snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", data.name);
  }
  char quote[64];
  snprintf(quote, sizeof quote, "%s", name);
  return sim_fault(source, place, "'%s' is not a fabric: %s", quote, all);
}

/* Reads the keys of a material that are given over those of a fabric. */
static bool read_over_fabric(const sim_source* source, const sim_place* place, json_t* object,
                             weft_material_def* material) {
  for (size_t i = 0; i < sim_material_table.count; ++i) {
    const sim_field field = sim_table_field(&sim_material_table, i);
    json_t* item = json_object_get(object, field.key);
    const sim_place here = {place, field.key, 0};
    void* value = (char*)material + field.offset;
    if (item && !sim_read_field(source, &here, &field, item, value)) return false;
  }
  return true;
}

/* Reads the name of a fabric, or an object. The library reads a material during the call that adds
 * the body only. */
static bool read_material(const sim_source* source, const sim_place* place, json_t* item,
                          bool is_mesh, weft_material_def* material) {
  const sim_place here = {place, "material", 0}, key = {&here, "fabric", 0};
  file_fabric named = {json_string_value(item)};
  weft_fabric fabric;
  const sim_target targets[] = {{&sim_material_table, material}, {&sim_fabric_table, &named}};
  const bool is_name = named.name != NULL;
  char quote[SIM_MAX_QUOTE];
  if (!is_name && !json_is_object(item)) {
    sim_quote(item, quote);
    return sim_fault(source, &here, "'%s' is not an object or the name of a fabric", quote);
  }
  if (!is_name && !sim_read_object(source, &here, item, targets, 2)) return false;
  if (!named.name) return true;
  if (!find_fabric(source, is_name ? &here : &key, named.name, &fabric)) return false;
  const bool is_membrane = is_mesh && !json_is_false(json_object_get(item, "membrane"));
  tool_must(weft_fabric_material(fabric, is_membrane, material));
  return is_name || read_over_fabric(source, &here, item, material);
}

/* Errors of a material are reported at its table, others at the body. */
bool sim_check_body(const sim_source* source, const sim_place* place, const sim_body* body,
                    weft_result result) {
  if (result.error == WEFT_OK) return true;
  const sim_place material = {place, "material", 0};
  if (strncmp(result.field, "weft_material_def", 13) != 0) {
    return sim_weft_fault(source, place, body->type->table, result);
  }
  return sim_weft_fault(source, &material, &sim_material_table, result);
}

// ---- sheets ----

typedef struct file_sheet {
  weft_sheet_def def;
  json_t* material;
} file_sheet;

#define SHEET(member) offsetof(file_sheet, member)
static const sim_field sheet_fields[] = {
    SIM_OF_DEF("columns", "particles along `across`"),
    SIM_OF_DEF("rows", "particles along `down`"),
    SIM_OF_DEF("spacing", "metres between neighbours"),
    SIM_OF_DEF("origin", "metres, of the first particle"),
    SIM_OF_DEF("across", "unit vector from column to column"),
    SIM_OF_DEF("down", "unit vector from row to row"),
    SIM_OF_DEF("particle_mass", "kilograms; a material says it otherwise"),
    {"material", SIM_FIELD_ANY, SHEET(material), false, false, 0, 0, NULL, material_summary},
    SIM_OF_DEF("structural", "links to the next column and the next row"),
    SIM_OF_DEF("shear", "links along both diagonals of each cell"),
    SIM_OF_DEF("bend", "links to the column and the row after next"),
    SIM_OF_DEF("relaxation", "of structural links"),
    SIM_OF_DEF("shear_relaxation", "of shear links"),
    SIM_OF_DEF("bend_relaxation", "of bend links"),
    SIM_OF_DEF("tear_ratio", "length / rest length at which links break, above 1; 0 = never"),
};

static const sim_table sheet_table = {
    "bodies: sheet",
    "A rectangular cloth, numbered row by row: the fields of "
    "`weft_sheet_def`. Parts: `top`, `bottom` (the "
    "first row and the last), `left`, `right` (the first column "
    "and the last), `top_corners`, `corners`.",
    SIM_DEF_FIELDS(sheet_fields, sheet, offsetof(file_sheet, def)), sizeof(file_sheet), NULL};

static uint64_t count_sheet(const sim_body* body) {
  const file_sheet* sheet = body->def;
  return (uint64_t)sheet->def.columns * sheet->def.rows;
}

static uint32_t sheet_columns(const sim_body* body) {
  return ((const file_sheet*)body->def)->def.columns;
}

static bool add_sheet(const sim_source* source, const sim_place* place, sim_body* body,
                      weft_scene* scene) {
  file_sheet* sheet = body->def;
  weft_material_def material;
  sheet->def.material = NULL;
  if (sheet->material) {
    if (!read_material(source, place, sheet->material, false, &material)) return false;
    sheet->def.material = &material;
  }
  const weft_result result = weft_scene_add_sheet(scene, &sheet->def, &body->made);
  sheet->def.material = NULL;
  return sim_check_body(source, place, body, result);
}

static bool in_top(const sim_body* body, uint32_t particle) {
  return particle < sheet_columns(body);
}

static bool in_bottom(const sim_body* body, uint32_t particle) {
  return particle >= body->made.particle_count - sheet_columns(body);
}

static bool in_left(const sim_body* body, uint32_t particle) {
  return particle % sheet_columns(body) == 0;
}

static bool in_right(const sim_body* body, uint32_t particle) {
  return (particle + 1) % sheet_columns(body) == 0;
}

static bool in_top_corners(const sim_body* body, uint32_t particle) {
  return in_top(body, particle) && (in_left(body, particle) || in_right(body, particle));
}

static bool in_corners(const sim_body* body, uint32_t particle) {
  return (in_top(body, particle) || in_bottom(body, particle)) &&
         (in_left(body, particle) || in_right(body, particle));
}

static const sim_part sheet_parts[] = {
    {"top", in_top},     {"bottom", in_bottom},           {"left", in_left},
    {"right", in_right}, {"top_corners", in_top_corners}, {"corners", in_corners},
    {NULL, NULL},
};

static const sim_body_type sheet_type = {"sheet",     &sheet_table,  sheet_parts,
                                         count_sheet, sheet_columns, add_sheet};

// ---- meshes ----

typedef struct file_mesh {
  weft_mesh_def def;
  json_t *positions, *triangles, *material;
} file_mesh;

#define MESH(member) offsetof(file_mesh, member)
static const sim_field mesh_fields[] = {
    {"positions", SIM_FIELD_LIST, MESH(positions), true, false, 0, 0, NULL,
     "metres: `[x, y, z]` of each vertex"},
    {"triangles", SIM_FIELD_LIST, MESH(triangles), true, false, 0, 0, NULL,
     "vertex numbers: `[a, b, c]` of each"},
    SIM_OF_DEF("particle_mass", "kilograms; a material says it otherwise"),
    {"material", SIM_FIELD_ANY, MESH(material), false, false, 0, 0, NULL, material_summary},
    SIM_OF_DEF("warp", "direction of the warp of a membrane, projected on each triangle"),
    SIM_OF_DEF("relaxation", "of the edges' links"),
    SIM_OF_DEF("bend_relaxation", "of bend links; 0 = there are none"),
    SIM_OF_DEF("tear_ratio", "length / rest length at which links break, above 1; 0 = never"),
};

static const sim_table mesh_table = {
    "bodies: mesh", "A triangle mesh: the fields of `weft_mesh_def`.",
    SIM_DEF_FIELDS(mesh_fields, mesh, offsetof(file_mesh, def)), sizeof(file_mesh), NULL};

static uint64_t count_mesh(const sim_body* body) {
  return json_array_size(((const file_mesh*)body->def)->positions);
}

static bool add_mesh_of(const sim_source* source, const sim_place* place, sim_body* body,
                        const weft_material_def* material, weft_scene* scene) {
  const file_mesh* mesh = body->def;
  weft_mesh_def def = mesh->def;
  float* positions = NULL;
  uint32_t* triangles = NULL;
  const sim_place at_positions = {place, "positions", 0}, at_triangles = {place, "triangles", 0};
  bool ok =
      sim_read_vectors(source, &at_positions, mesh->positions, &positions, &def.vertex_count) &&
      sim_read_triples(source, &at_triangles, mesh->triangles, &triangles, &def.triangle_count);
  if (ok) {
    def.positions = positions;
    def.triangles = triangles;
    def.material = material;
    ok = sim_check_body(source, place, body, weft_scene_add_mesh(scene, &def, &body->made));
  }
  free(positions);
  free(triangles);
  return ok;
}

static bool add_mesh(const sim_source* source, const sim_place* place, sim_body* body,
                     weft_scene* scene) {
  json_t* object = ((const file_mesh*)body->def)->material;
  weft_material_def material;
  if (!object) return add_mesh_of(source, place, body, NULL, scene);
  return read_material(source, place, object, true, &material) &&
         add_mesh_of(source, place, body, &material, scene);
}

static const sim_body_type mesh_type = {"mesh", &mesh_table, NULL, count_mesh, NULL, add_mesh};

// ---- all ----

const sim_body_type* const sim_body_types[] = {
    &sheet_type,
    &mesh_type,
    &sim_body_particles,
    &sim_body_composite,
    &sim_body_rope,
    &sim_body_rod,
    &sim_body_circle,
    &sim_body_box,
    &sim_body_triangle,
    &sim_body_tire,
    &sim_body_double_pendulum,
    &sim_body_ragdoll,
    &sim_body_tree,
    &sim_body_web,
    &sim_body_ball,
    NULL,
};
