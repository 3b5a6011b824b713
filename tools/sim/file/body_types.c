/* Types of bodies: sheets, meshes, and the list of all. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/cloth.h"
#include "sim/file/body_makers.h"
#include "sim/file/grid.h"

static const char material_summary[] =
    "see material, or the name of a fabric; where it is not given, links do not give way";

/* Fabric as the base of a material's other keys. */
typedef struct file_fabric {
  const char* name; /* NULL = none */
} file_fabric;

static const sim_field fabric_fields[] = {
    SIM_KEY("fabric", TEXT, offsetof(file_fabric, name),
            "measured fabric that keys which are not given are taken from: see materials.md; of "
            "meshes a membrane"),
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

/* Reads the given keys of a material over a fabric. */
static bool read_over_fabric(const sim_source* source, const sim_place* place,
                             const tool_tree* object, weft_material_def* material) {
  for (size_t i = 0; i < sim_material_table.count; ++i) {
    const sim_field* field = &sim_material_table.fields[i];
    const tool_tree* item = tool_tree_get(object, field->key);
    const sim_place here = {place, field->key, 0};
    void* value = (char*)material + field->offset;
    if (item && !sim_read_field(source, &here, field, item, value)) return false;
  }
  return true;
}

/* Reads the name of a fabric, or an object. The material lives during the call that adds the body.
 */
static bool read_material(const sim_source* source, const sim_place* place, const tool_tree* item,
                          bool is_mesh, weft_material_def* material) {
  const sim_place here = {place, "material", 0}, key = {&here, "fabric", 0};
  file_fabric named = {tool_tree_text(item)};
  weft_fabric fabric;
  const sim_target targets[] = {{&sim_material_table, material}, {&sim_fabric_table, &named}};
  const bool is_name = named.name != NULL;
  char quote[SIM_MAX_QUOTE];
  if (!is_name && !tool_tree_is(item, TOOL_TREE_OBJECT)) {
    sim_quote(item, quote);
    return sim_fault(source, &here, "'%s' is not an object or the name of a fabric", quote);
  }
  if (!is_name && !sim_read_object(source, &here, item, targets, 2)) return false;
  if (!named.name) return true;
  if (!find_fabric(source, is_name ? &here : &key, named.name, &fabric)) return false;
  const tool_tree* membrane = tool_tree_get(item, "membrane");
  const bool is_membrane = is_mesh && (!membrane || membrane->flag);
  tool_must(weft_fabric_material(fabric, is_membrane, material));
  return is_name || read_over_fabric(source, &here, item, material);
}

/* Errors of a material are at its table, others at the body. */
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
  float density; /* kilograms per square metre; 0 = by particle_mass */
  const tool_tree* material;
} file_sheet;

#define SHEET(member) offsetof(file_sheet, member)
static const sim_field sheet_fields[] = {
    SIM_RANGE("columns", COUNT, SHEET(def.columns), 1, 65535, "particles along `across`"),
    SIM_RANGE("rows", COUNT, SHEET(def.rows), 1, 65535, "particles along `down`"),
    SIM_RANGE("spacing", FLOAT, SHEET(def.spacing), 1e-6, 1e6, "metres between neighbours"),
    SIM_KEY("origin", VECTOR, SHEET(def.origin), "metres, of the first particle"),
    SIM_KEY("across", VECTOR, SHEET(def.across), "unit vector from column to column"),
    SIM_KEY("down", VECTOR, SHEET(def.down), "unit vector from row to row"),
    SIM_RANGE("particle_mass", FLOAT, SHEET(def.particle_mass), 1e-12, 1e12,
              "kilograms; a material says it otherwise"),
    SIM_RANGE_OF(SHEET, FLOAT, density, 0, 1e6,
                 "kilograms per square metre, in place of `particle_mass`; 0 = none"),
    SIM_KEY_OF(SHEET, ANY, material, material_summary),
    SIM_KEY("structural", FLAG, SHEET(def.structural), "links to the next column and the next row"),
    SIM_KEY("shear", FLAG, SHEET(def.shear), "links along both diagonals of each cell"),
    SIM_KEY("bend", FLAG, SHEET(def.bend), "links to the column and the row after next"),
    SIM_RANGE("relaxation", FLOAT, SHEET(def.relaxation), 1e-6, 1, "of structural links"),
    SIM_RANGE("shear_relaxation", FLOAT, SHEET(def.shear_relaxation), 1e-6, 1, "of shear links"),
    SIM_RANGE("bend_relaxation", FLOAT, SHEET(def.bend_relaxation), 1e-6, 1, "of bend links"),
    SIM_RANGE("tear_ratio", FLOAT, SHEET(def.tear_ratio), 0, FLT_MAX,
              "length / rest length at which links break, above 1; 0 = never"),
};

static void sheet_defaults(void* value) {
  ((file_sheet*)value)->def = weft_default_sheet_def();
}

static const sim_table sheet_table = {"bodies: sheet",
                                      "A rectangular cloth, numbered row by row: the fields of "
                                      "`weft_sheet_def`. Parts: `top`, `bottom` (the "
                                      "first row and the last), `left`, `right` (the first column "
                                      "and the last), `top_corners`, `corners`.",
                                      SIM_TABLE_FIELDS(sheet_fields), sizeof(file_sheet),
                                      sheet_defaults};

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
  if (sheet->density > 0.0f) {
    sheet->def.particle_mass = sheet->density * sheet->def.spacing * sheet->def.spacing;
  }
  if (sheet->material) {
    if (!read_material(source, place, sheet->material, false, &material)) return false;
    sheet->def.material = &material;
  }
  const weft_result result = weft_scene_add_sheet(scene, &sheet->def, &body->made);
  sheet->def.material = NULL;
  return sim_check_body(source, place, body, result);
}

static uint32_t columns_of(const sim_body* body) {
  return body->type->columns(body);
}

static bool in_top(const sim_body* body, uint32_t particle) {
  return particle < columns_of(body);
}

static bool in_bottom(const sim_body* body, uint32_t particle) {
  return particle >= body->made.particle_count - columns_of(body);
}

static bool in_left(const sim_body* body, uint32_t particle) {
  return particle % columns_of(body) == 0;
}

static bool in_right(const sim_body* body, uint32_t particle) {
  return (particle + 1) % columns_of(body) == 0;
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

// ---- cloth ----

typedef struct file_cloth {
  weft_cloth_def def;
  const tool_tree* material;
} file_cloth;

#define CLOTH(member) offsetof(file_cloth, member)
static const sim_field cloth_fields[] = {
    SIM_KEY("origin", VECTOR, CLOTH(def.origin), "metres, of the first particle"),
    SIM_KEY("across", VECTOR, CLOTH(def.across), "unit vector along the width"),
    SIM_KEY("down", VECTOR, CLOTH(def.down), "unit vector along the height"),
    SIM_RANGE("width", FLOAT, CLOTH(def.width), 1e-3, 1e5, "metres"),
    SIM_RANGE("height", FLOAT, CLOTH(def.height), 1e-3, 1e5, "metres, rounded to whole cells"),
    SIM_RANGE("columns", COUNT, CLOTH(def.columns), 2, 65535, "particles along the width"),
    SIM_RANGE("hooks", COUNT, CLOTH(def.hooks), 0, UINT32_MAX,
              "pinned particles of the first row, from corner to corner"),
    SIM_KEY("material", ANY, CLOTH(material),
            "see material, or the name of a fabric; where it is not given, light cotton"),
    SIM_RANGE("thickness", FLOAT, CLOTH(def.thickness), 0, 1e3,
              "metres on either side that contacts keep; 0 = 0.55 of the mean edge"),
    SIM_RANGE("friction", FLOAT, CLOTH(def.friction), 0, 1000, "Coulomb coefficient"),
    {"collision", SIM_FIELD_CHOICE, CLOTH(def.collision), false, false, 0, 0, sim_collisions,
     "with cloth, bodies and colliders"},
    SIM_RANGE("ripple", FLOAT, CLOTH(def.ripple), 0, 0.1,
              "displacement of the first positions along the normal, as a share of the mean edge"),
    SIM_RANGE("seed", COUNT, CLOTH(def.seed), 0, UINT32_MAX, "of the ripple"),
    SIM_KEY("in_air", FLAG, CLOTH(def.in_air), "the scene has still air, unless it has a wind"),
    SIM_RANGE("tear_ratio", FLOAT, CLOTH(def.tear_ratio), 0, FLT_MAX,
              "length / rest length at which links break, above 1; 0 = never"),
};

static void cloth_defaults(void* value) {
  ((file_cloth*)value)->def = weft_default_cloth_def();
}

static const sim_table cloth_table = {
    "bodies: cloth",
    "Cloth that hangs, drapes, collides and comes to rest, numbered row by row: the fields of "
    "`weft_cloth_def`. Parts as of a sheet.",
    SIM_TABLE_FIELDS(cloth_fields), sizeof(file_cloth), cloth_defaults};

static uint64_t count_cloth(const sim_body* body) {
  const weft_cloth_def* def = &((const file_cloth*)body->def)->def;
  const double spacing = (double)def->width / (def->columns - 1);
  return def->columns * (uint64_t)(fmin((double)def->height / spacing, 65534.0) + 1.5);
}

static uint32_t cloth_columns(const sim_body* body) {
  return ((const file_cloth*)body->def)->def.columns;
}

static bool add_cloth(const sim_source* source, const sim_place* place, sim_body* body,
                      weft_scene* scene) {
  file_cloth* cloth = body->def;
  weft_material_def material;
  if (cloth->material) {
    if (!read_material(source, place, cloth->material, false, &material)) return false;
    cloth->def.material = &material;
  }
  const weft_result result = weft_scene_add_cloth(scene, &cloth->def, &body->made);
  cloth->def.material = NULL;
  return sim_check_body(source, place, body, result);
}

static const sim_body_type cloth_type = {"cloth",     &cloth_table,  sheet_parts,
                                         count_cloth, cloth_columns, add_cloth};

// ---- meshes ----

typedef struct file_mesh {
  weft_mesh_def def;
  const tool_tree *positions, *triangles, *grid, *material;
} file_mesh;

#define MESH(member) offsetof(file_mesh, member)
static const sim_field mesh_fields[] = {
    SIM_KEY_OF(MESH, LIST, positions, "metres: `[x, y, z]` of each vertex"),
    SIM_KEY_OF(MESH, LIST, triangles, "vertex numbers: `[a, b, c]` of each"),
    SIM_KEY_OF(MESH, OBJECT, grid, "in place of both: see grid"),
    SIM_RANGE("particle_mass", FLOAT, MESH(def.particle_mass), 1e-12, 1e12,
              "kilograms; a material says it otherwise"),
    SIM_KEY_OF(MESH, ANY, material, material_summary),
    SIM_KEY("warp", VECTOR, MESH(def.warp),
            "direction of the warp of a membrane, projected on each triangle"),
    SIM_RANGE("relaxation", FLOAT, MESH(def.relaxation), 1e-6, 1, "of the edges' links"),
    SIM_RANGE("bend_relaxation", FLOAT, MESH(def.bend_relaxation), 0, 1,
              "of bend links; 0 = there are none"),
    SIM_RANGE("tear_ratio", FLOAT, MESH(def.tear_ratio), 0, FLT_MAX,
              "length / rest length at which links break, above 1; 0 = never"),
};

static void mesh_defaults(void* value) {
  ((file_mesh*)value)->def = weft_default_mesh_def();
}

static const sim_table mesh_table = {
    "bodies: mesh", "A triangle mesh: the fields of `weft_mesh_def`.",
    SIM_TABLE_FIELDS(mesh_fields), sizeof(file_mesh), mesh_defaults};

static uint64_t count_mesh(const sim_body* body) {
  const file_mesh* mesh = body->def;
  return mesh->grid ? sim_grid_count(mesh->grid) : tool_tree_size(mesh->positions);
}

static uint32_t mesh_columns(const sim_body* body) {
  const file_mesh* mesh = body->def;
  return mesh->grid ? sim_grid_columns(mesh->grid) : UINT32_MAX;
}

static bool read_vertices(const sim_source* source, const sim_place* place, const file_mesh* mesh,
                          sim_grid* made) {
  const sim_place at_positions = {place, "positions", 0}, at_triangles = {place, "triangles", 0};
  const sim_place at_grid = {place, "grid", 0};
  if (mesh->grid && (mesh->positions || mesh->triangles)) {
    return sim_fault(source, &at_grid, "positions or triangles are given, too");
  }
  if (mesh->grid) return sim_read_grid(source, place, mesh->grid, made);
  if (!mesh->positions) return sim_fault(source, &at_positions, "missing key");
  if (!mesh->triangles) return sim_fault(source, &at_triangles, "missing key");
  return sim_read_vectors(source, &at_positions, mesh->positions, &made->positions,
                          &made->vertex_count) &&
         sim_read_triples(source, &at_triangles, mesh->triangles, &made->triangles,
                          &made->triangle_count);
}

static bool add_mesh_of(const sim_source* source, const sim_place* place, sim_body* body,
                        const weft_material_def* material, weft_scene* scene) {
  const file_mesh* mesh = body->def;
  weft_mesh_def def = mesh->def;
  sim_grid made = {.positions = NULL};
  bool ok = read_vertices(source, place, mesh, &made);
  if (ok) {
    def.positions = made.positions;
    def.vertex_count = made.vertex_count;
    def.triangles = made.triangles;
    def.triangle_count = made.triangle_count;
    def.material = material;
    ok = sim_check_body(source, place, body, weft_scene_add_mesh(scene, &def, &body->made));
  }
  free(made.positions);
  free(made.triangles);
  return ok;
}

static bool add_mesh(const sim_source* source, const sim_place* place, sim_body* body,
                     weft_scene* scene) {
  const tool_tree* object = ((const file_mesh*)body->def)->material;
  weft_material_def material;
  if (!object) return add_mesh_of(source, place, body, NULL, scene);
  return read_material(source, place, object, true, &material) &&
         add_mesh_of(source, place, body, &material, scene);
}

static const sim_body_type mesh_type = {"mesh",     &mesh_table,  NULL,
                                        count_mesh, mesh_columns, add_mesh};

// ---- all ----

const sim_body_type* const sim_body_types[] = {
    &sheet_type,
    &cloth_type,
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
