/* Flat bodies: ropes, rods, circles, boxes, triangles, tires, double pendulums. */
#include <float.h>
#include <stdlib.h>

#include "sim/file/body_makers.h"

// ---- ropes ----

static const char* const rope_modes[] = {"both", "stretch", NULL};

typedef struct file_rope {
  weft_rope_def def;
  json_t* points;
} file_rope;

typedef struct file_rod {
  weft_rod_def def;
  json_t* points;
} file_rod;

// Rows of a line of particles.
#define LINE_FIELDS(type)                                                                          \
  SIM_OF_DEF("origin", "metres, of the first particle"), SIM_OF_DEF("end", "metres, of the last"), \
      SIM_OF_DEF("segments", "links"),                                                             \
      {"points",                                                                                   \
       SIM_FIELD_LIST,                                                                             \
       offsetof(type, points),                                                                     \
       false,                                                                                      \
       false,                                                                                      \
       0,                                                                                          \
       0,                                                                                          \
       NULL,                                                                                       \
       "metres: `[x, y, z]` of each particle, in place of `origin`, `end` and `segments`"},        \
      SIM_OF_DEF("slack", "share by which it is longer than the way from end to end"),             \
      SIM_OF_DEF("mass_per_metre", "kilograms per metre"),                                         \
      SIM_OF_DEF("pin_origin", "holds the first particle"),                                        \
      SIM_OF_DEF("pin_end", "holds the last")
#define LINE_LINK_FIELDS                                                                    \
  SIM_OF_DEF("compliance", "1/newtons: share of its length that it gives way to a newton"), \
      SIM_TEAR_FIELD("links")

static const sim_field rope_fields[] = {
    LINE_FIELDS(file_rope),
    SIM_CHOICE_OF_DEF("mode", rope_modes, "rods, or threads"),
    SIM_OF_DEF("relaxation", "of its links"),
    LINE_LINK_FIELDS,
};

static const sim_table rope_table = {
    "bodies: rope", "A line of particles: the fields of `weft_rope_def`.",
    SIM_DEF_FIELDS(rope_fields, rope, offsetof(file_rope, def)), sizeof(file_rope), NULL};

static uint64_t count_line(json_t* points, uint32_t segments) {
  return points ? json_array_size(points) : (uint64_t)segments + 1;
}

static uint64_t count_rope(const sim_body* body) {
  const file_rope* rope = body->def;
  return count_line(rope->points, rope->def.segments);
}

// Reads the points of a line, if it has a list; the caller frees them.
static bool read_points(const sim_source* source, const sim_place* place, json_t* list,
                        weft_rope_def* def, float** points) {
  const sim_place at_points = {place, "points", 0};
  if (!list) return true;
  if (!sim_read_vectors(source, &at_points, list, points, &def->point_count)) return false;
  def->points = *points;
  return def->point_count >= 2 ||
         sim_fault(source, &at_points, "has 1 point, and a rope has two or more");
}

static bool add_rope(const sim_source* source, const sim_place* place, sim_body* body,
                     weft_scene* scene) {
  const file_rope* rope = body->def;
  weft_rope_def def = rope->def;
  float* points = NULL;
  const bool ok =
      read_points(source, place, rope->points, &def, &points) &&
      sim_check_body(source, place, body, weft_scene_add_rope(scene, &def, &body->made));
  free(points);
  return ok;
}

const sim_body_type sim_body_rope = {"rope", &rope_table, NULL, count_rope, NULL, add_rope};

// ---- rods ----

static const sim_field rod_fields[] = {
    LINE_FIELDS(file_rod),
    LINE_LINK_FIELDS,
    SIM_OF_DEF("bend_stiffness", "newton square metres, about the first axis across"),
    SIM_OF_DEF("bend_stiffness_2", "about the second one; negative = the same"),
    SIM_OF_DEF("twist_stiffness", "newton square metres"),
    SIM_OF_DEF("radius", "metres, for its inertia when it turns about itself"),
    SIM_OF_DEF("normal", "direction of the first axis across, at its origin; `[0, 0, 0]` = any"),
    SIM_OF_DEF("twist", "radians per metre, as given; at most pi a segment"),
    SIM_OF_DEF("keeps_shape", "is at rest as given; else as `rest_strain` says"),
    SIM_OF_DEF("rest_strain",
               "radians per metre: curvatures about both axes across, and twist, at rest; together "
               "at most "
               "pi a segment"),
    SIM_OF_DEF("clamp_origin", "holds the frame of its first end"),
    SIM_OF_DEF("clamp_end", "holds the frame of its last end"),
};

static const sim_table rod_table = {
    "bodies: rod",
    "A line of particles that resists bending and twist: the fields of `weft_rod_def`.",
    SIM_DEF_FIELDS(rod_fields, rod, offsetof(file_rod, def)), sizeof(file_rod), NULL};

static uint64_t count_rod(const sim_body* body) {
  const file_rod* rod = body->def;
  return count_line(rod->points, rod->def.rope.segments);
}

static bool add_rod(const sim_source* source, const sim_place* place, sim_body* body,
                    weft_scene* scene) {
  const file_rod* rod = body->def;
  weft_rod_def def = rod->def;
  float* points = NULL;
  const bool ok = read_points(source, place, rod->points, &def.rope, &points) &&
                  sim_check_body(source, place, body, weft_scene_add_rod(scene, &def, &body->made));
  free(points);
  return ok;
}

const sim_body_type sim_body_rod = {"rod", &rod_table, NULL, count_rod, NULL, add_rod};

// ---- circles ----

static const sim_field circle_fields[] = {
    SIM_PLANE_FIELDS("the centre"),
    SIM_OF_DEF("radius", "metres"),
    SIM_OF_DEF("count", "particles of the ring"),
    SIM_OF_DEF("hub", "a particle in the middle, and spokes"),
    SIM_OF_DEF("mass", "kilograms"),
    SIM_LINK_FIELDS,
};

SIM_BODY_OF(circle, "A ring of particles: the fields of `weft_circle_def`. Part: `ring`.")

static uint64_t count_circle(const sim_body* body) {
  const weft_circle_def* def = body->def;
  return (uint64_t)def->count + (def->hub ? 1 : 0);
}

static bool in_ring(const sim_body* body, uint32_t particle) {
  return particle < ((const weft_circle_def*)body->def)->count;
}

static const sim_part circle_parts[] = {{"ring", in_ring}, {NULL, NULL}};

const sim_body_type sim_body_circle = {"circle",     &circle_table, circle_parts,
                                       count_circle, NULL,          add_circle};

// ---- boxes ----

static const sim_field box_fields[] = {
    SIM_PLANE_FIELDS("the centre"),
    SIM_OF_DEF("width", "metres"),
    SIM_OF_DEF("height", "metres"),
    SIM_OF_DEF("columns", "particles along `across`"),
    SIM_OF_DEF("rows", "particles along `up`"),
    SIM_OF_DEF("mass", "kilograms"),
    SIM_LINK_FIELDS,
};

SIM_BODY_OF(box,
            "A rectangle that does not shear, numbered row by row from the lower left corner: the "
            "fields of `weft_box_def`. Parts: `bottom`, `top` (the first row and the last), "
            "`left`, `right` (the first column and the last).")

static uint64_t count_box(const sim_body* body) {
  const weft_box_def* def = body->def;
  return (uint64_t)def->columns * def->rows;
}

static uint32_t box_columns(const sim_body* body) {
  return ((const weft_box_def*)body->def)->columns;
}

static bool in_bottom(const sim_body* body, uint32_t particle) {
  return particle < box_columns(body);
}

static bool in_top(const sim_body* body, uint32_t particle) {
  return particle >= body->made.particle_count - box_columns(body);
}

static bool in_left(const sim_body* body, uint32_t particle) {
  return particle % box_columns(body) == 0;
}

static bool in_right(const sim_body* body, uint32_t particle) {
  return (particle + 1) % box_columns(body) == 0;
}

static const sim_part box_parts[] = {
    {"bottom", in_bottom}, {"top", in_top}, {"left", in_left}, {"right", in_right}, {NULL, NULL}};

const sim_body_type sim_body_box = {"box", &box_table, box_parts, count_box, box_columns, add_box};

// ---- triangles ----

static const sim_field triangle_fields[] = {
    SIM_PLANE_FIELDS("the centre of mass"),
    SIM_OF_DEF("width", "metres, of the base"),
    SIM_OF_DEF("height", "metres"),
    SIM_OF_DEF("mass", "kilograms"),
    SIM_LINK_FIELDS,
};

SIM_BODY_OF(triangle,
            "Three particles, lower left, lower right and top: the fields of `weft_triangle_def`.")

static uint64_t count_three(const sim_body* body) {
  (void)body;
  return 3;
}

const sim_body_type sim_body_triangle = {"triangle", &triangle_table, NULL, count_three,
                                         NULL,       add_triangle};

// ---- tires ----

static const sim_field tire_fields[] = {
    SIM_PLANE_FIELDS("the hub"),
    SIM_OF_DEF("radius", "metres"),
    SIM_OF_DEF("count", "particles of the tread"),
    SIM_OF_DEF("mass", "kilograms"),
    SIM_OF_DEF("tread_relaxation", "of the tread's links"),
    SIM_OF_DEF("tread_compliance", "metres per newton"),
    SIM_OF_DEF("spoke_relaxation", "of spokes"),
    SIM_OF_DEF("spoke_compliance", "metres per newton"),
    SIM_TEAR_FIELD("tread and spokes"),
};

SIM_BODY_OF(tire,
            "A wheel, its hub last: the fields of `weft_tire_def`. Parts: `tread`, and `last`.")

static uint64_t count_tire(const sim_body* body) {
  return (uint64_t)((const weft_tire_def*)body->def)->count + 1;
}

static bool in_tread(const sim_body* body, uint32_t particle) {
  return particle < ((const weft_tire_def*)body->def)->count;
}

static const sim_part tire_parts[] = {{"tread", in_tread}, {NULL, NULL}};

const sim_body_type sim_body_tire = {"tire", &tire_table, tire_parts, count_tire, NULL, add_tire};

// ---- double pendulums ----

static const sim_field double_pendulum_fields[] = {
    SIM_PLANE_FIELDS("the pin"),
    SIM_OF_DEF("lengths", "metres"),
    SIM_OF_DEF("angles", "radians from straight down towards `across`"),
    SIM_OF_DEF("masses", "kilograms"),
    SIM_OF_DEF("compliance", "metres per newton"),
    SIM_TEAR_FIELD("links"),
};

SIM_BODY_OF(double_pendulum, "A pin and two masses: the fields of `weft_double_pendulum_def`.")

const sim_body_type sim_body_double_pendulum = {
    "double_pendulum", &double_pendulum_table, NULL, count_three, NULL, add_double_pendulum};
