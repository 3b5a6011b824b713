/* Types of bodies that list their particles: particles, composites. */
#include <math.h>
#include <stdlib.h>

#include "sim/file/body_makers.h"
#include "sim/file/grid.h"

typedef struct file_particles {
  const tool_tree *positions, *at, *masses;
  uint32_t count; /* length of `at` */
  float mass, inverse_mass;
} file_particles;

#define PARTICLES(member) offsetof(file_particles, member)
static const sim_field particles_fields[] = {
    SIM_KEY_OF(PARTICLES, LIST, positions, "metres: `[x, y, z]` of each"),
    SIM_RANGE_OF(PARTICLES, COUNT, count, 1, UINT32_MAX, "particles, with `at`"),
    SIM_KEY_OF(PARTICLES, LIST, at, "metres, in place of `positions`: three formulas of `i`"),
    SIM_RANGE_OF(PARTICLES, FLOAT, mass, 1e-12, 1e12, "kilograms of each"),
    SIM_RANGE_OF(PARTICLES, FLOAT, inverse_mass, 0, 1e12,
                 "1/kilograms of each, in place of `mass`; 0 = as `mass` says"),
    SIM_KEY_OF(PARTICLES, LIST, masses, "kilograms, one number a particle, in place of `mass`"),
};

static void particles_defaults(void* value) {
  *(file_particles*)value = (file_particles){.count = 1, .mass = 0.001f};
}

static const sim_table particles_table = {
    "bodies: particles", "Free particles, for `links` to join.", SIM_TABLE_FIELDS(particles_fields),
    sizeof(file_particles), particles_defaults};

static uint64_t count_particles(const sim_body* body) {
  const file_particles* particles = body->def;
  return particles->at ? particles->count : tool_tree_size(particles->positions);
}

static bool read_masses(const sim_source* source, const sim_place* place,
                        const file_particles* particles, uint32_t count, float* inverse_masses) {
  const sim_place list = {place, "masses", 0};
  const sim_field* mass = &particles_fields[3];
  const float inverse_mass =
      particles->inverse_mass > 0.0f ? particles->inverse_mass : 1.0f / particles->mass;
  for (uint32_t i = 0; i < count; ++i) inverse_masses[i] = inverse_mass;
  if (!particles->masses) return true;
  if (tool_tree_size(particles->masses) != count) {
    return sim_fault(source, &list, "has %zu masses for %u particles",
                     tool_tree_size(particles->masses), count);
  }
  for (uint32_t i = 0; i < count; ++i) {
    float kilograms = 0.0f;
    const sim_place here = {&list, NULL, i};
    const tool_tree* item = &particles->masses->items[i];
    if (!sim_read_field(source, &here, mass, item, &kilograms)) return false;
    inverse_masses[i] = 1.0f / kilograms;
  }
  return true;
}

/* Reads positions and inverse masses, [*count], to be freed. */
static bool read_cloud(const sim_source* source, const sim_place* place,
                       const file_particles* particles, float** positions, float** inverse_masses,
                       uint32_t* count) {
  const sim_place at_positions = {place, "positions", 0};
  *count = particles->count;
  if (!particles->at == !particles->positions) {
    return sim_fault(source, place, "needs one of positions and at");
  }
  if (particles->at
          ? !sim_read_points(source, place, particles->at, UINT32_MAX, *count, positions)
          : !sim_read_vectors(source, &at_positions, particles->positions, positions, count)) {
    return false;
  }
  *inverse_masses = malloc(sizeof(float) * (*count + 1));
  if (!*inverse_masses) return sim_fault(source, place, "no memory for its masses");
  return read_masses(source, place, particles, *count, *inverse_masses);
}

static bool add_particles(const sim_source* source, const sim_place* place, sim_body* body,
                          weft_scene* scene) {
  uint32_t count = 0;
  float *positions = NULL, *inverse_masses = NULL;
  bool ok = read_cloud(source, place, body->def, &positions, &inverse_masses, &count);
  if (ok) {
    ok = sim_check_body(
        source, place, body,
        weft_scene_add_particles(scene, positions, inverse_masses, count, &body->made));
  }
  free(positions);
  free(inverse_masses);
  return ok;
}

const sim_body_type sim_body_particles = {"particles", &particles_table, NULL, count_particles,
                                          NULL,        add_particles};

typedef struct file_composite {
  file_particles cloud;
  weft_composite_def def;
  const tool_tree* links;
} file_composite;

#define COMPOSITE(member) offsetof(file_composite, member)
static const sim_field composite_fields[] = {
    SIM_KEY("origin", VECTOR, COMPOSITE(def.origin), "metres, of the origin of its own frame"),
    SIM_KEY("across", VECTOR, COMPOSITE(def.across), "unit vector of its x axis"),
    SIM_KEY("up", VECTOR, COMPOSITE(def.up), "unit vector of its y axis"),
    SIM_RANGE("scale", FLOAT, COMPOSITE(def.scale), 1e-6, 1e6, "scale of positions and lengths"),
    {"positions", SIM_FIELD_LIST, COMPOSITE(cloud.positions), true, false, 0, 0, NULL,
     "metres before scaling: `[x, y, z]` of each particle in its own frame"},
    SIM_RANGE("mass", FLOAT, COMPOSITE(cloud.mass), 1e-12, 1e12, "kilograms of each"),
    SIM_KEY("masses", LIST, COMPOSITE(cloud.masses),
            "kilograms, one number a particle, in place of `mass`"),
    SIM_KEY_OF(COMPOSITE, LIST, links, "links between its particles: see composite links"),
};

static void composite_defaults(void* value) {
  *(file_composite*)value =
      (file_composite){.cloud = {.mass = 0.001f}, .def = weft_default_composite_def()};
}

static const sim_table composite_table = {
    "bodies: composite",
    "A body of any particles and links in a frame of its own: the fields of `weft_composite_def`.",
    SIM_TABLE_FIELDS(composite_fields), sizeof(file_composite), composite_defaults};

#define END(member) offsetof(weft_link_def, member)
static const sim_field end_fields[] = {
    {"a", SIM_FIELD_COUNT, END(a), true, false, 0, UINT32_MAX, NULL,
     "one end: a particle of the composite, numbered from 0"},
    {"b", SIM_FIELD_COUNT, END(b), true, false, 0, UINT32_MAX, NULL, "the other end"},
};

const sim_table sim_composite_link_table = {
    "composite links",
    "One object of the `links` of a composite: its ends, and the keys of link values; lengths are "
    "metres before scaling.",
    SIM_TABLE_FIELDS(end_fields), sizeof(weft_link_def), NULL};

static uint64_t count_composite(const sim_body* body) {
  return tool_tree_size(((const file_composite*)body->def)->cloud.positions);
}

static bool read_link(const sim_source* source, const sim_place* place, const tool_tree* object,
                      const float* positions, uint32_t count, weft_link_def* made) {
  weft_link_def ends;
  sim_link values;
  const sim_target targets[] = {{&sim_composite_link_table, &ends}, {&sim_link_table, &values}};
  if (!sim_read_object(source, place, object, targets, 2)) return false;
  *made = sim_link_def(&values);
  made->a = ends.a;
  made->b = ends.b;
  if (ends.a >= count || ends.b >= count) {
    const sim_place end = {place, ends.a >= count ? "a" : "b", 0};
    return sim_fault(source, &end, "there are %u particles, numbered from 0", count);
  }
  if (!isnan(made->rest_length)) return true;
  double square = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double way =
        (double)positions[3 * (size_t)ends.b + axis] - (double)positions[3 * (size_t)ends.a + axis];
    square += way * way;
  }
  made->rest_length = (float)sqrt(square);
  return true;
}

static bool read_links(const sim_source* source, const sim_place* place, const tool_tree* list,
                       const float* positions, uint32_t count, weft_link_def** links) {
  const sim_place root = {place, "links", 0};
  const size_t link_count = tool_tree_size(list);
  *links = malloc(sizeof **links * (link_count + 1));
  if (!*links) return sim_fault(source, &root, "no memory for %zu links", link_count);
  for (size_t i = 0; i < link_count; ++i) {
    const sim_place here = {&root, NULL, i};
    if (!read_link(source, &here, &list->items[i], positions, count, *links + i)) {
      return false;
    }
  }
  return true;
}

static bool add_composite(const sim_source* source, const sim_place* place, sim_body* body,
                          weft_scene* scene) {
  const file_composite* composite = body->def;
  weft_composite_def def = composite->def;
  float *positions = NULL, *inverse_masses = NULL;
  weft_link_def* links = NULL;
  bool ok = read_cloud(source, place, &composite->cloud, &positions, &inverse_masses,
                       &def.particle_count) &&
            read_links(source, place, composite->links, positions, def.particle_count, &links);
  if (ok) {
    def.positions = positions;
    def.inverse_masses = inverse_masses;
    def.links = links;
    def.link_count = (uint32_t)tool_tree_size(composite->links);
    ok = sim_check_body(source, place, body, weft_scene_add_composite(scene, &def, &body->made));
  }
  free(positions);
  free(inverse_masses);
  free(links);
  return ok;
}

const sim_body_type sim_body_composite = {"composite", &composite_table, NULL, count_composite,
                                          NULL,        add_composite};
