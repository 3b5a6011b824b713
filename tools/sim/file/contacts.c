#include "sim/file/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file/mesh_file.h"

// ---- how bodies meet others ----

typedef struct file_contact {
  weft_particle_shape_def contact;
  float radius; /* NaN = half_size says it */
} file_contact;

static const char* const contact_shapes[] = {"point", "cloth", "sphere", "box", "ellipsoid", NULL};

#define CONTACT(member) offsetof(file_contact, member)
static const sim_field contact_fields[] = {
    SIM_CHOICE_OF_DEF("shape", contact_shapes,
                      "shape of each particle: `cloth` keeps a distance from cloth and bodies, the "
                      "last three are "
                      "bodies"),
    {"radius", SIM_FIELD_FLOAT, CONTACT(radius), false, false, 0, 1e6, NULL,
     "metres: of points, cloth and spheres"},
    SIM_OF_DEF("half_size",
               "metres, in place of `radius`: half the size of boxes, half axes of ellipsoids"),
    SIM_OF_DEF("restitution", "share of the speed of approach at which they part"),
    SIM_OF_DEF("static_friction", "coefficient of what holds"),
    SIM_OF_DEF("dynamic_friction", "coefficient of what slides, no more than `static_friction`"),
    SIM_OF_DEF("category", "bits: what it is"),
    SIM_OF_DEF("mask", "bits: categories that it collides with"),
    SIM_OF_DEF("surface_contacts",
               "cloth meets cloth along its surface, not as spheres; faces are kept then"),
    SIM_OF_DEF("ccd", "CCD: nothing passes through its faces; they are kept then"),
    SIM_OF_DEF("turns", "spheres: friction turns them"),
};

static void contact_defaults(void* value) {
  ((file_contact*)value)->radius = NAN;
}

static const sim_table contact_table = {
    "bodies: contact",
    "Contacts of a body's particles: the fields of "
    "`weft_particle_shape_def`. A pair collides if each has a "
    "bit of its category in the other's mask.",
    SIM_DEF_FIELDS(contact_fields, particle_shape, offsetof(file_contact, contact)),
    sizeof(file_contact), contact_defaults};

bool sim_read_contact(const sim_source* source, const sim_place* place, json_t* object,
                      weft_particle_shape_def* contact) {
  file_contact read;
  const sim_place here = {place, "contact", 0}, radius = {&here, "radius", 0};
  const sim_target target = {&contact_table, &read};
  if (!sim_read_object(source, &here, object, &target, 1)) return false;
  *contact = read.contact;
  if (isnan(read.radius)) return true;
  if (json_object_get(object, "half_size")) {
    return sim_fault(source, &radius, "half_size is given, too");
  }
  for (int axis = 0; axis < 3; ++axis) contact->half_size[axis] = read.radius;
  return true;
}

bool sim_start_contact(const sim_source* source, const sim_place* place,
                       const weft_particle_shape_def* contact, const weft_body* body,
                       weft_world* world) {
  const sim_place here = {place, "contact", 0};
  const weft_result result =
      weft_world_set_particle_shape(world, body->first_particle, body->particle_count, contact);
  return result.error == WEFT_OK || sim_weft_fault(source, &here, &contact_table, result);
}

// ---- colliders ----

#define COLLIDER(member) offsetof(sim_collider, member)
static const sim_field collider_fields[] = {
    {"shape", SIM_FIELD_TEXT, COLLIDER(shape_name), true, false, 0, 0, NULL, "see below"},
    SIM_OF_DEF("position", "metres"),
    SIM_OF_DEF("rotation", "a quaternion x y z w of length 1"),
    SIM_OF_DEF("velocity", "metres per second"),
    SIM_OF_DEF("spin", "radians per second about its position"),
    SIM_OF_DEF("restitution", "share of the speed of approach at which they part"),
    SIM_OF_DEF("static_friction", "coefficient of what holds"),
    SIM_OF_DEF("dynamic_friction", "coefficient of what slides, no more than `static_friction`"),
    SIM_OF_DEF("category", "bits: what it is"),
    SIM_OF_DEF("mask", "bits: categories that it collides with"),
};

/* The struct is the same for all tables, and each fills all of it with the same. */
static void collider_defaults(void* value) {
  ((sim_collider*)value)->half_length = 0.5f;
}

static const sim_table collider_table = {
    "colliders",
    "One object of `colliders`: what all of them have, and the keys of its shape: the fields of "
    "`weft_collider_def`. Numbers of a shape are in the collider's own frame.",
    SIM_DEF_FIELDS(collider_fields, collider, offsetof(sim_collider, def)), sizeof(sim_collider),
    collider_defaults};

#define SHAPE_TABLE(name, fields, count, summary)                     \
  static const sim_table name##_table = {"colliders: " #name,         \
                                         summary,                     \
                                         fields,                      \
                                         count,                       \
                                         &weft__collider_fields,      \
                                         offsetof(sim_collider, def), \
                                         sizeof(sim_collider),        \
                                         collider_defaults}
#define SHAPE(name, summary) \
  SHAPE_TABLE(name, name##_fields, sizeof name##_fields / sizeof name##_fields[0], summary)

static const sim_field sphere_fields[] = {
    SIM_OF_DEF("radius", "metres"),
};

static const sim_field capsule_fields[] = {
    SIM_OF_DEF("radius", "metres"),
    {"half_length", SIM_FIELD_FLOAT, COLLIDER(half_length), false, false, 1e-6, 1e9, NULL,
     "metres from its middle to the centre of either end, along y"},
};

static const sim_field box_fields[] = {
    SIM_OF_DEF("half_size", "metres"),
};

static const sim_field ellipsoid_fields[] = {
    SIM_OF_DEF("half_size", "metres: its half axes"),
};

static const sim_field hull_fields[] = {
    {"points", SIM_FIELD_LIST, COLLIDER(points), true, false, 0, 0, NULL,
     "metres: `[x, y, z]` of each, 4 or more"},
};

static const sim_field heightfield_fields[] = {
    {"columns", SIM_FIELD_COUNT, COLLIDER(columns), true, false, 2, 65536, NULL, "samples along x"},
    {"rows", SIM_FIELD_COUNT, COLLIDER(rows), true, false, 2, 65536, NULL, "samples along z"},
    SIM_OF_DEF("spacing", "metres between them"),
    {"heights", SIM_FIELD_LIST, COLLIDER(samples), true, false, 0, 0, NULL,
     "metres: one number a sample, row by row"},
};

static const sim_field mesh_fields[] = {
    {"points", SIM_FIELD_LIST, COLLIDER(points), false, false, 0, 0, NULL,
     "metres: `[x, y, z]` of each"},
    {"triangles", SIM_FIELD_LIST, COLLIDER(triangles), false, false, 0, 0, NULL,
     "numbers of points: `[a, b, c]` of each"},
    {"file", SIM_FIELD_TEXT, COLLIDER(mesh_path), false, false, 0, 0, NULL,
     "an OBJ, PLY or glTF file, in place of both: its path, from the scene file's folder"},
};

static const sim_field distance_grid_fields[] = {
    {"columns", SIM_FIELD_COUNT, COLLIDER(columns), true, false, 2, 65536, NULL, "samples along x"},
    {"layers", SIM_FIELD_COUNT, COLLIDER(layers), true, false, 2, 65536, NULL, "samples along y"},
    {"rows", SIM_FIELD_COUNT, COLLIDER(rows), true, false, 2, 65536, NULL, "samples along z"},
    SIM_OF_DEF("spacing", "metres between them"),
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

/* From the folder of the scene file, unless it is absolute; to be freed. */
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

/* A mesh comes from a file or from two lists. */
static bool check_mesh(const sim_source* source, const sim_place* place,
                       const sim_collider* collider) {
  const bool has_file = collider->mesh_path != NULL;
  const char* key = collider->triangles ? "points" : "triangles";
  if (has_file && (collider->points || collider->triangles)) {
    return sim_fault(source, &(sim_place){place, "file", 0}, "points or triangles are given, too");
  }
  return has_file || (collider->points && collider->triangles) ||
         sim_fault(source, &(sim_place){place, key, 0}, "missing key");
}

static bool read_lists(const sim_source* source, const sim_place* place, sim_collider* collider) {
  weft_collider_def* def = &collider->def;
  const sim_place points = {place, "points", 0}, triangles = {place, "triangles", 0};
  if (def->shape == WEFT_COLLIDER_SHAPE_MESH && !check_mesh(source, place, collider)) return false;
  if (collider->mesh_path) return load_mesh(source, place, collider);
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

static bool read_collider(const sim_source* source, const sim_place* place, json_t* object,
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
  return read_lists(source, place, collider);
}

bool sim_read_colliders(const sim_source* source, json_t* list, sim_colliders* colliders) {
  const sim_place root = {NULL, "colliders", 0};
  const size_t count = json_array_size(list);
  if (count == 0) return true;
  colliders->items = calloc(count, sizeof *colliders->items);
  if (!colliders->items) return sim_fault(source, &root, "no memory for %zu colliders", count);
  colliders->count = count;
  for (size_t i = 0; i < count; ++i) {
    const sim_place place = {&root, NULL, i};
    if (!read_collider(source, &place, json_array_get(list, i), &colliders->items[i])) return false;
  }
  return true;
}

// ---- running ----

/* At the key that the library blames: that of all colliders, or that of the shape. */
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

bool sim_start_colliders(const sim_source* source, const sim_colliders* colliders,
                         weft_world* world) {
  const sim_place root = {NULL, "colliders", 0};
  for (size_t i = 0; i < colliders->count; ++i) {
    const sim_place place = {&root, NULL, i};
    weft_collider added;
    const weft_result result = weft_world_add_collider(world, &colliders->items[i].def, &added);
    if (result.error != WEFT_OK) return refuse(source, &place, &colliders->items[i], result);
  }
  return true;
}

void sim_free_colliders(sim_colliders* colliders) {
  for (size_t i = 0; i < colliders->count; ++i) {
    free(colliders->items[i].point_list);
    free(colliders->items[i].sample_list);
    free(colliders->items[i].triangle_list);
  }
  free(colliders->items);
  *colliders = (sim_colliders){NULL, 0};
}

// ---- the reference ----

void sim_print_contacts(FILE* out) {
  sim_print_table(out, &contact_table);
  sim_print_table(out, &collider_table);
  for (size_t i = 0; i < SHAPES; ++i) sim_print_table(out, shape_tables[i]);
  sim_print_table(out, &sim_limits_table);
}
