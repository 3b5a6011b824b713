/* Flat bodies: ropes, rods, circles, boxes, triangles, tires, double pendulums. */
#include <float.h>
#include <stdlib.h>

#include "sim/file/body_makers.h"

static const char* const rope_modes[] = {"both", "stretch", NULL};

typedef struct file_rope {
  weft_rope_def def;
  const tool_tree* points;
} file_rope;

typedef struct file_rod {
  weft_rod_def def;
  const tool_tree* points;
} file_rod;

// Rows of a line of particles; `at`: offset of a member of its weft_rope_def.
#define LINE_FIELDS(at, type)                                                                      \
  SIM_KEY_OF(at, VECTOR, origin, "metres, of the first particle"),                                 \
      SIM_KEY_OF(at, VECTOR, end, "metres, of the last"),                                          \
      SIM_RANGE_OF(at, COUNT, segments, 1, 1e6, "links"),                                          \
      SIM_KEY("points", LIST, offsetof(type, points),                                              \
              "metres: `[x, y, z]` of each particle, in place of `origin`, `end` and `segments`"), \
      SIM_RANGE_OF(at, FLOAT, slack, -0.9, 100,                                                    \
                   "share by which it is longer than the way from end to end"),                    \
      SIM_RANGE_OF(at, FLOAT, mass_per_metre, 1e-9, 1e9, "kilograms per metre"),                   \
      SIM_KEY_OF(at, FLAG, pin_origin, "holds the first particle"),                                \
      SIM_KEY_OF(at, FLAG, pin_end, "holds the last")

#define LINE_LINK_FIELDS(at)                                                    \
  SIM_RANGE_OF(at, FLOAT, compliance, 0, 1e6,                                   \
               "1/newtons: share of its length that it gives way to a newton"), \
      SIM_RANGE_OF(at, FLOAT, tear_ratio, 0, FLT_MAX,                           \
                   "length / rest length at which links break, above 1; 0 = never")

#define ROPE(member) offsetof(file_rope, def.member)
static const sim_field rope_fields[] = {
    LINE_FIELDS(ROPE, file_rope),
    {"mode", SIM_FIELD_CHOICE, ROPE(mode), false, false, 0, 0, rope_modes, "rods, or threads"},
    SIM_RANGE_OF(ROPE, FLOAT, relaxation, 1e-6, 1, "of its links"),
    LINE_LINK_FIELDS(ROPE),
    SIM_CONTACT_FIELDS(ROPE, "laid rope's radius, at most 0.55 of the mean link"),
};

static void rope_defaults(void* value) {
  ((file_rope*)value)->def = weft_default_rope_def();
}

static const sim_table rope_table = {
    "bodies: rope", "A line of particles: the fields of `weft_rope_def`.",
    SIM_TABLE_FIELDS(rope_fields), sizeof(file_rope), rope_defaults};

static uint64_t count_line(const tool_tree* points, uint32_t segments) {
  return points ? tool_tree_size(points) : (uint64_t)segments + 1;
}

static uint64_t count_rope(const sim_body* body) {
  const file_rope* rope = body->def;
  return count_line(rope->points, rope->def.segments);
}

// Reads the points of a line, if listed; the caller frees them.
static bool read_points(const sim_source* source, const sim_place* place, const tool_tree* list,
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

#define ROD(member) offsetof(file_rod, def.member)
#define LINE_OF_ROD(member) offsetof(file_rod, def.rope.member)
static const sim_field rod_fields[] = {
    LINE_FIELDS(LINE_OF_ROD, file_rod),
    LINE_LINK_FIELDS(LINE_OF_ROD),
    SIM_CONTACT_FIELDS(LINE_OF_ROD, "its radius, at most 0.55 of the mean link"),
    SIM_RANGE_OF(ROD, FLOAT, bend_stiffness, 0, 1e12,
                 "newton square metres, about the first axis across"),
    SIM_RANGE_OF(ROD, FLOAT, bend_stiffness_2, -1e12, 1e12,
                 "about the second one; negative = the same"),
    SIM_RANGE_OF(ROD, FLOAT, twist_stiffness, 0, 1e12, "newton square metres"),
    SIM_RANGE_OF(ROD, FLOAT, radius, 1e-6, 1e3,
                 "metres, for its inertia when it turns about itself"),
    SIM_KEY_OF(ROD, VECTOR, normal,
               "direction of the first axis across, at its origin; `[0, 0, 0]` = any"),
    SIM_RANGE_OF(ROD, FLOAT, twist, -1e6, 1e6, "radians per metre, as given; at most pi a segment"),
    SIM_KEY_OF(ROD, FLAG, keeps_shape, "is at rest as given; else as `rest_strain` says"),
    SIM_KEY_OF(
        ROD, VECTOR, rest_strain,
        "radians per metre: curvatures about both axes across, and twist, at rest; together at "
        "most pi a segment"),
    SIM_KEY_OF(ROD, FLAG, clamp_origin, "holds the frame of its first end"),
    SIM_KEY_OF(ROD, FLAG, clamp_end, "holds the frame of its last end"),
};

static void rod_defaults(void* value) {
  ((file_rod*)value)->def = weft_default_rod_def();
}

static const sim_table rod_table = {
    "bodies: rod",
    "A line of particles that resists bending and twist: the fields of `weft_rod_def`.",
    SIM_TABLE_FIELDS(rod_fields), sizeof(file_rod), rod_defaults};

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

#define CIRCLE(member) offsetof(weft_circle_def, member)
static const sim_field circle_fields[] = {
    SIM_PLANE_FIELDS(CIRCLE, "the centre"),
    SIM_RANGE_OF(CIRCLE, FLOAT, radius, 1e-6, 1e6, "metres"),
    SIM_RANGE_OF(CIRCLE, COUNT, count, 3, 1e6, "particles of the ring"),
    SIM_KEY_OF(CIRCLE, FLAG, hub, "a particle in the middle, and spokes"),
    SIM_RANGE_OF(CIRCLE, FLOAT, mass, 1e-9, 1e9, "kilograms"),
    SIM_LINK_FIELDS(CIRCLE),
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

#define BOX(member) offsetof(weft_box_def, member)
static const sim_field box_fields[] = {
    SIM_PLANE_FIELDS(BOX, "the centre"),
    SIM_RANGE_OF(BOX, FLOAT, width, 1e-6, 1e6, "metres"),
    SIM_RANGE_OF(BOX, FLOAT, height, 1e-6, 1e6, "metres"),
    SIM_RANGE_OF(BOX, COUNT, columns, 2, 1000, "particles along `across`"),
    SIM_RANGE_OF(BOX, COUNT, rows, 2, 1000, "particles along `up`"),
    SIM_RANGE_OF(BOX, FLOAT, mass, 1e-9, 1e9, "kilograms"),
    SIM_LINK_FIELDS(BOX),
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

#define TRIANGLE(member) offsetof(weft_triangle_def, member)
static const sim_field triangle_fields[] = {
    SIM_PLANE_FIELDS(TRIANGLE, "the centre of mass"),
    SIM_RANGE_OF(TRIANGLE, FLOAT, width, 1e-6, 1e6, "metres, of the base"),
    SIM_RANGE_OF(TRIANGLE, FLOAT, height, 1e-6, 1e6, "metres"),
    SIM_RANGE_OF(TRIANGLE, FLOAT, mass, 1e-9, 1e9, "kilograms"),
    SIM_LINK_FIELDS(TRIANGLE),
};

SIM_BODY_OF(triangle,
            "Three particles, lower left, lower right and top: the fields of `weft_triangle_def`.")

static uint64_t count_three(const sim_body* body) {
  (void)body;
  return 3;
}

const sim_body_type sim_body_triangle = {"triangle", &triangle_table, NULL, count_three,
                                         NULL,       add_triangle};

#define TIRE(member) offsetof(weft_tire_def, member)
static const sim_field tire_fields[] = {
    SIM_PLANE_FIELDS(TIRE, "the hub"),
    SIM_RANGE_OF(TIRE, FLOAT, radius, 1e-6, 1e6, "metres"),
    SIM_RANGE_OF(TIRE, COUNT, count, 5, 1e6, "particles of the tread"),
    SIM_RANGE_OF(TIRE, FLOAT, mass, 1e-9, 1e9, "kilograms"),
    SIM_RANGE_OF(TIRE, FLOAT, tread_relaxation, 1e-6, 1, "of the tread's links"),
    SIM_RANGE_OF(TIRE, FLOAT, tread_compliance, 0, 1e12, "metres per newton"),
    SIM_RANGE_OF(TIRE, FLOAT, spoke_relaxation, 1e-6, 1, "of spokes"),
    SIM_RANGE_OF(TIRE, FLOAT, spoke_compliance, 0, 1e12, "metres per newton"),
    SIM_TEAR_FIELD(TIRE, "tread and spokes"),
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

#define PENDULUM(member) offsetof(weft_double_pendulum_def, member)
static const sim_field double_pendulum_fields[] = {
    SIM_PLANE_FIELDS(PENDULUM, "the pin"),
    SIM_RANGE_OF(PENDULUM, PAIR, lengths, 1e-6, 1e6, "metres"),
    SIM_RANGE_OF(PENDULUM, PAIR, angles, -100, 100, "radians from straight down towards `across`"),
    SIM_RANGE_OF(PENDULUM, PAIR, masses, 1e-12, 1e12, "kilograms"),
    SIM_RANGE_OF(PENDULUM, FLOAT, compliance, 0, 1e12, "metres per newton"),
    SIM_TEAR_FIELD(PENDULUM, "links"),
};

SIM_BODY_OF(double_pendulum, "A pin and two masses: the fields of `weft_double_pendulum_def`.")

const sim_body_type sim_body_double_pendulum = {
    "double_pendulum", &double_pendulum_table, NULL, count_three, NULL, add_double_pendulum};
