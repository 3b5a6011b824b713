#include "sim/file/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file/mesh_file.h"
#include "sim/file/grid.h"
#include "sim/file/material_pairs.h"

// ---- how bodies meet others ----

typedef struct file_contact {
  weft_particle_shape_def contact;
  float radius; /* NaN = by half_size */
} file_contact;

const char* const sim_collisions[] = {"none", "soft", "exact", NULL};

static const char* const contact_shapes[] = {"point", "cloth", "sphere", "box", "ellipsoid", NULL};

#define CONTACT(member) offsetof(file_contact, member)
static const sim_field contact_fields[] = {
    {"shape", SIM_FIELD_CHOICE, CONTACT(contact.shape), false, false, 0, 0, contact_shapes,
     "shape of each particle: `cloth` keeps a distance from cloth and bodies, the last three are "
     "bodies"},
    SIM_RANGE_OF(CONTACT, FLOAT, radius, 0, 1e6, "metres: of points, cloth and spheres"),
    SIM_RANGE("half_size", VECTOR, CONTACT(contact.half_size), 0, 1e6,
              "metres, in place of `radius`: half the size of boxes, half axes of ellipsoids"),
    SIM_SURFACE_OF(CONTACT, contact.surface),
    SIM_RANGE("category", COUNT, CONTACT(contact.category), 0, UINT32_MAX, "bits: what it is"),
    SIM_RANGE("mask", COUNT, CONTACT(contact.mask), 0, UINT32_MAX,
              "bits: categories that it collides with"),
    SIM_RANGE("material", COUNT, CONTACT(contact.material), 0, WEFT_MAX_MATERIALS - 1,
              "number of its material, for `material_pairs`"),
    {"collision", SIM_FIELD_CHOICE, CONTACT(contact.collision), false, false, 0, 0, sim_collisions,
     "`soft` may pass when it is forced or fast, nothing passes through faces and threads that are "
     "`exact`"},
    SIM_KEY("turns", FLAG, CONTACT(contact.turns), "spheres: friction turns them"),
};

static void contact_defaults(void* value) {
  *(file_contact*)value = (file_contact){weft_default_particle_shape_def(), NAN};
}

static const sim_table contact_table = {"bodies: contact",
                                        "Contacts of a body's particles: the fields of "
                                        "`weft_particle_shape_def`. A pair collides if each has a "
                                        "bit of its category in the other's mask.",
                                        SIM_TABLE_FIELDS(contact_fields), sizeof(file_contact),
                                        contact_defaults};

bool sim_read_contact(const sim_source* source, const sim_place* place, const tool_tree* object,
                      weft_particle_shape_def* contact) {
  file_contact read;
  const sim_place here = {place, "contact", 0}, radius = {&here, "radius", 0};
  const sim_target target = {&contact_table, &read};
  if (!sim_read_object(source, &here, object, &target, 1)) return false;
  *contact = read.contact;
  if (isnan(read.radius)) return true;
  if (tool_tree_get(object, "half_size")) {
    return sim_fault(source, &radius, "half_size is given, too");
  }
  for (int axis = 0; axis < 3; ++axis) contact->half_size[axis] = read.radius;
  return true;
}

bool sim_start_contact(const sim_source* source, const sim_place* place,
                       const weft_particle_shape_def* contact, const weft_body* body,
                       weft_world* world) {
  const sim_place here = {place, "contact", 0};
  const weft_result result = weft_world_set_particle_shape(
      world, weft_range(body->first_particle, body->particle_count), contact);
  return result.error == WEFT_OK || sim_weft_fault(source, &here, &contact_table, result);
}

// ---- colliders ----

#define COLLIDER(member) offsetof(sim_collider, member)
static const sim_field collider_fields[] = {
    {"shape", SIM_FIELD_TEXT, COLLIDER(shape_name), true, false, 0, 0, NULL, "see below"},
    SIM_KEY("position", VECTOR, COLLIDER(def.position), "metres"),
    SIM_KEY("rotation", FOUR, COLLIDER(def.rotation), "a quaternion x y z w of length 1"),
    SIM_KEY("velocity", VECTOR, COLLIDER(def.velocity), "metres per second"),
    SIM_KEY("spin", VECTOR, COLLIDER(def.spin), "radians per second about its position"),
    SIM_SURFACE_OF(COLLIDER, def.surface),
    SIM_RANGE("category", COUNT, COLLIDER(def.category), 0, UINT32_MAX, "bits: what it is"),
    SIM_RANGE("mask", COUNT, COLLIDER(def.mask), 0, UINT32_MAX,
              "bits: categories that it collides with"),
    SIM_RANGE("material", COUNT, COLLIDER(def.material), 0, WEFT_MAX_MATERIALS - 1,
              "number of its material, for `material_pairs`"),
    SIM_KEY("motion", OBJECT, COLLIDER(motion_text),
            "in place of `position` and `rotation`: see collider motion"),
};

typedef struct file_motion {
  const tool_tree *position, *rotation;
  double until;
} file_motion;

static const sim_field motion_fields[] = {
    {"position", SIM_FIELD_LIST, offsetof(file_motion, position), true, false, 0, 0, NULL,
     "metres: three formulas of `t`, seconds"},
    SIM_KEY("rotation", LIST, offsetof(file_motion, rotation),
            "four formulas, a quaternion x y z w of length 1"),
    SIM_RANGE("until", REAL, offsetof(file_motion, until), 0, 1e6, "second at which it ends"),
};

static void motion_defaults(void* value) {
  ((file_motion*)value)->until = 1e6;
}

static const sim_table motion_table = {
    "collider motion", "Pose of a collider at each moment: an object of formulas.",
    SIM_TABLE_FIELDS(motion_fields), sizeof(file_motion), motion_defaults};

/* One struct for all tables, with the same defaults. */
static void collider_defaults(void* value) {
  *(sim_collider*)value = (sim_collider){.def = weft_default_collider_def(), .half_length = 0.5f};
}

static const sim_table collider_table = {
    "colliders",
    "One object of `colliders`: what all of them have, and the keys of its shape: the fields of "
    "`weft_collider_def`. Numbers of a shape are in the collider's own frame.",
    SIM_TABLE_FIELDS(collider_fields), sizeof(sim_collider), collider_defaults};

#define SHAPE_TABLE(name, fields, count, summary)                                               \
  static const sim_table name##_table = {"colliders: " #name,  summary,          fields, count, \
                                         sizeof(sim_collider), collider_defaults}
#define SHAPE(name, summary) \
  SHAPE_TABLE(name, name##_fields, sizeof name##_fields / sizeof name##_fields[0], summary)

static const sim_field sphere_fields[] = {
    SIM_RANGE("radius", FLOAT, COLLIDER(def.radius), 1e-6, 1e9, "metres"),
};

static const sim_field capsule_fields[] = {
    SIM_RANGE("radius", FLOAT, COLLIDER(def.radius), 1e-6, 1e9, "metres"),
    SIM_RANGE_OF(COLLIDER, FLOAT, half_length, 1e-6, 1e9,
                 "metres from its middle to the centre of either end, along y"),
};

static const sim_field box_fields[] = {
    SIM_RANGE("half_size", VECTOR, COLLIDER(def.half_size), 1e-6, 1e9, "metres"),
};

static const sim_field ellipsoid_fields[] = {
    SIM_RANGE("half_size", VECTOR, COLLIDER(def.half_size), 1e-6, 1e9, "metres: its half axes"),
};

static const sim_field hull_fields[] = {
    {"points", SIM_FIELD_LIST, COLLIDER(points), true, false, 0, 0, NULL,
     "metres: `[x, y, z]` of each, 4 or more"},
};

static const sim_field heightfield_fields[] = {
    {"columns", SIM_FIELD_COUNT, COLLIDER(columns), true, false, 2, 65536, NULL, "samples along x"},
    {"rows", SIM_FIELD_COUNT, COLLIDER(rows), true, false, 2, 65536, NULL, "samples along z"},
    SIM_RANGE("spacing", FLOAT, COLLIDER(def.spacing), 1e-6, 1e6, "metres between them"),
    {"heights", SIM_FIELD_LIST, COLLIDER(samples), true, false, 0, 0, NULL,
     "metres: one number a sample, row by row"},
};

static const sim_field mesh_fields[] = {
    SIM_KEY_OF(COLLIDER, LIST, points, "metres: `[x, y, z]` of each"),
    SIM_KEY_OF(COLLIDER, LIST, triangles, "numbers of points: `[a, b, c]` of each"),
    SIM_KEY_OF(COLLIDER, OBJECT, grid, "in place of both: see grid"),
    SIM_KEY("file", TEXT, COLLIDER(mesh_path),
            "an OBJ, PLY or glTF file, in place of both: its path, from the scene file's folder"),
};

static const sim_field distance_grid_fields[] = {
    {"columns", SIM_FIELD_COUNT, COLLIDER(columns), true, false, 2, 65536, NULL, "samples along x"},
    {"layers", SIM_FIELD_COUNT, COLLIDER(layers), true, false, 2, 65536, NULL, "samples along y"},
    {"rows", SIM_FIELD_COUNT, COLLIDER(rows), true, false, 2, 65536, NULL, "samples along z"},
    SIM_RANGE("spacing", FLOAT, COLLIDER(def.spacing), 1e-6, 1e6, "metres between them"),
    {"distances", SIM_FIELD_LIST, COLLIDER(samples), true, false, 0, 0, NULL,
     "metres: one number a sample, negative inside, along x first, then y, then z"},
};

SHAPE_TABLE(
    plane, NULL, 0,
    "Endless and thin, through its position at right angles to y: passed from neither side.");
SHAPE_TABLE(half_space, NULL, 0, "All below its position, along y.");
SHAPE(sphere, "A sphere around its position.");
SHAPE(capsule, "A segment along y with a radius.");
SHAPE(box, "A box along the axes of its own frame.");
SHAPE(ellipsoid, "An ellipsoid along the axes of its own frame.");
SHAPE(hull, "The convex hull of points.");
SHAPE(
    heightfield,
    "Heights above a grid in x and z, that begins at its position; solid below, and nothing beyond "
    "its edges.");
SHAPE(mesh, "Triangles: thin, passed from neither side.");
SHAPE(distance_grid,
      "Signed distances to a surface on a grid that begins at its position; nothing beyond its "
      "edges.");

/* By the numbers of weft_collider_shape. */
static const char* const shape_names[] = {"plane", "half_space",   "sphere", "capsule",
                                          "box",   "ellipsoid",    "hull",   "heightfield",
                                          "mesh",  "distance_grid"};
static const sim_table* const shape_tables[] = {
    &plane_table,     &half_space_table, &sphere_table,      &capsule_table, &box_table,
    &ellipsoid_table, &hull_table,       &heightfield_table, &mesh_table,    &distance_grid_table};

enum { SHAPES = sizeof shape_tables / sizeof shape_tables[0] };

// ---- reading ----

static bool read_samples(const sim_source* source, const sim_place* place, sim_collider* collider) {
  const bool is_field = collider->def.shape == WEFT_COLLIDER_SHAPE_HEIGHTFIELD;
  const sim_place here = {place, is_field ? "heights" : "distances", 0};
  const uint64_t layers = is_field ? 1 : collider->layers;
  const uint64_t wanted = layers * collider->columns * collider->rows;
  uint32_t count = 0;
  if (!sim_read_numbers(source, &here, collider->samples, &collider->sample_list, &count)) {
    return false;
  }
  if (count != wanted) {
    return sim_fault(source, &here, "has %u numbers, and %llu are wanted", count,
                     (unsigned long long)wanted);
  }
  collider->def.samples = collider->sample_list;
  collider->def.size[0] = collider->columns;
  collider->def.size[1] = (uint32_t)layers;
  collider->def.size[2] = collider->rows;
  return true;
}

/* Relative to the scene file's folder; to be freed. */
static char* path_of(const sim_source* source, const char* path) {
  const char* slash = strrchr(source->name, '/');
  char* whole = NULL;
  const int folder = slash && path[0] != '/' ? (int)(slash - source->name) + 1 : 0;
  return asprintf(&whole, "%.*s%s", folder, source->name, path) < 0 ? NULL : whole;
}

static bool load_mesh(const sim_source* source, const sim_place* place, sim_collider* collider) {
  const sim_place here = {place, "file", 0};
  tool_mesh mesh;
  tool_message why = {"no memory for its path"};
  char* path = path_of(source, collider->mesh_path);
  const bool ok = path && tool_mesh_load(path, &mesh, &why);
  free(path);
  if (!ok) return sim_fault(source, &here, "%s", why.text);
  tool_mesh_warn(collider->mesh_path, &mesh);
  collider->point_list = mesh.positions;
  collider->triangle_list = mesh.triangles;
  collider->def.points = mesh.positions;
  collider->def.point_count = mesh.vertex_count;
  collider->def.triangles = mesh.triangles;
  collider->def.triangle_count = mesh.triangle_count;
  return true;
}

static bool make_grid(const sim_source* source, const sim_place* place, sim_collider* collider) {
  sim_grid grid = {.positions = NULL};
  const bool ok = sim_read_grid(source, place, collider->grid, &grid);
  collider->def.points = collider->point_list = grid.positions;
  collider->def.triangles = collider->triangle_list = grid.triangles;
  collider->def.point_count = grid.vertex_count;
  collider->def.triangle_count = grid.triangle_count;
  return ok;
}

/* A mesh comes from a file, from formulas or from two lists. */
static bool check_mesh(const sim_source* source, const sim_place* place,
                       const sim_collider* collider) {
  const bool has_file = collider->mesh_path || collider->grid;
  const char* key = collider->triangles ? "points" : "triangles";
  if (has_file && (collider->points || collider->triangles)) {
    return sim_fault(source, &(sim_place){place, collider->grid ? "grid" : "file", 0},
                     "points or triangles are given, too");
  }
  return has_file || (collider->points && collider->triangles) ||
         sim_fault(source, &(sim_place){place, key, 0}, "missing key");
}

static bool read_lists(const sim_source* source, const sim_place* place, sim_collider* collider) {
  weft_collider_def* def = &collider->def;
  const sim_place points = {place, "points", 0}, triangles = {place, "triangles", 0};
  if (def->shape == WEFT_COLLIDER_SHAPE_MESH && !check_mesh(source, place, collider)) return false;
  if (collider->mesh_path) return load_mesh(source, place, collider);
  if (collider->grid) return make_grid(source, place, collider);
  if (collider->points && !sim_read_vectors(source, &points, collider->points,
                                            &collider->point_list, &def->point_count)) {
    return false;
  }
  if (collider->triangles && !sim_read_triples(source, &triangles, collider->triangles,
                                               &collider->triangle_list, &def->triangle_count)) {
    return false;
  }
  def->points = collider->point_list;
  def->triangles = collider->triangle_list;
  return !collider->samples || read_samples(source, place, collider);
}

static bool read_motion(const sim_source* source, const sim_place* place, sim_collider* collider) {
  file_motion read;
  const sim_place here = {place, "motion", 0};
  const sim_place position = {&here, "position", 0}, rotation = {&here, "rotation", 0};
  const sim_target target = {&motion_table, &read};
  if (!sim_read_object(source, &here, collider->motion_text, &target, 1)) return false;
  sim_collider_motion* made = collider->motion = calloc(1, sizeof *made);
  if (!made) return sim_fault(source, &here, "no memory for it");
  made->until = read.until;
  return sim_read_formulas(source, &position, read.position, source->scope, made->position, 3) &&
         (!read.rotation ||
          sim_read_formulas(source, &rotation, read.rotation, source->scope, made->rotation, 4));
}

static bool read_collider(const sim_source* source, const sim_place* place, const tool_tree* object,
                          sim_collider* collider) {
  const size_t shape =
      sim_find_kind(source, place, object, "shape", "a shape", shape_names, SHAPES);
  if (shape == SHAPES) return false;
  const sim_target targets[] = {{&collider_table, collider}, {shape_tables[shape], collider}};
  if (!sim_read_object(source, place, object, targets, 2)) return false;
  collider->def.shape = (weft_collider_shape)shape;
  if (collider->def.shape == WEFT_COLLIDER_SHAPE_CAPSULE) {
    collider->def.half_size[1] = collider->half_length;
  }
  return read_lists(source, place, collider) &&
         (!collider->motion_text || read_motion(source, place, collider));
}

bool sim_read_colliders(const sim_source* source, const tool_tree* list, sim_colliders* colliders) {
  const sim_place root = {NULL, "colliders", 0};
  const size_t count = tool_tree_size(list);
  if (count == 0) return true;
  colliders->items = calloc(count, sizeof *colliders->items);
  if (!colliders->items) return sim_fault(source, &root, "no memory for %zu colliders", count);
  colliders->count = count;
  for (size_t i = 0; i < count; ++i) {
    const sim_place place = {&root, NULL, i};
    if (!read_collider(source, &place, &list->items[i], &colliders->items[i])) return false;
  }
  return true;
}

// ---- running ----

/* Faults at the library's field: the list of colliders, or the shape. */
static bool refuse(const sim_source* source, const sim_place* place, const sim_collider* collider,
                   weft_result result) {
  const char* dot = strrchr(result.field, '.');
  const char* name = dot ? dot + 1 : result.field;
  for (size_t i = 0; i < collider_table.count; ++i) {
    if (strcmp(collider_table.fields[i].key, name) != 0) continue;
    return sim_weft_fault(source, place, &collider_table, result);
  }
  return sim_weft_fault(source, place, shape_tables[collider->def.shape], result);
}

static void find_pose(const sim_source* source, const sim_collider* collider, float position[3],
                      float rotation[4]) {
  sim_formula_floats(collider->motion->position, 3, source->scope, NULL, position);
  if (collider->motion->rotation[0].count == 0) return;
  sim_formula_floats(collider->motion->rotation, 4, source->scope, NULL, rotation);
}

bool sim_start_colliders(const sim_source* source, const sim_colliders* colliders,
                         weft_world* world) {
  const sim_place root = {NULL, "colliders", 0};
  for (size_t i = 0; i < colliders->count; ++i) {
    const sim_place place = {&root, NULL, i};
    sim_collider* collider = &colliders->items[i];
    if (collider->motion) {
      find_pose(source, collider, collider->def.position, collider->def.rotation);
    }
    const weft_result result = weft_world_add_collider(world, &collider->def, &collider->made);
    if (result.error != WEFT_OK) return refuse(source, &place, collider, result);
  }
  return true;
}

bool sim_move_colliders(const sim_source* source, double time, const sim_colliders* colliders,
                        weft_world* world) {
  const sim_place root = {NULL, "colliders", 0};
  for (size_t i = 0; i < colliders->count; ++i) {
    const sim_place place = {&root, NULL, i};
    const sim_collider* collider = &colliders->items[i];
    float position[3], rotation[4];
    if (!collider->motion || time >= collider->motion->until) continue;
    const bool turns = collider->motion->rotation[0].count > 0;
    find_pose(source, collider, position, rotation);
    const weft_result result =
        weft_world_move_collider(world, collider->made, position, turns ? rotation : NULL);
    if (result.error != WEFT_OK) return refuse(source, &place, collider, result);
  }
  return true;
}

void sim_free_colliders(sim_colliders* colliders) {
  for (size_t i = 0; i < colliders->count; ++i) {
    free(colliders->items[i].point_list);
    free(colliders->items[i].sample_list);
    free(colliders->items[i].triangle_list);
    free(colliders->items[i].motion);
  }
  free(colliders->items);
  *colliders = (sim_colliders){NULL, 0};
}

// ---- the reference ----

void sim_print_contacts(FILE* out) {
  sim_print_table(out, &contact_table);
  sim_print_table(out, &collider_table);
  sim_print_table(out, &motion_table);
  for (size_t i = 0; i < SHAPES; ++i) sim_print_table(out, shape_tables[i]);
  sim_print_table(out, &sim_material_pair_table);
  sim_print_table(out, &sim_limits_table);
}
