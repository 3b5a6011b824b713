/* Flat bodies: ropes, rods, circles, boxes, triangles, tires, double pendulums. */
#include <float.h>
#include <stdlib.h>

#include "sim/file/body_makers.h"

// ---- ropes ----

static const char* const rope_modes[] = {"both", "stretch", NULL};

typedef struct file_rope {
  weft_rope_def def;
  const tool_tree* points;
} file_rope;

typedef struct file_rod {
  weft_rod_def def;
  const tool_tree* points;
} file_rod;

// Rows of a line of particles; `rope`: its weft_rope_def.
#define LINE_FIELDS(type, rope)                                                             \
  {"origin",                                                                                \
   SIM_FIELD_VECTOR,                                                                        \
   offsetof(type, rope.origin),                                                             \
   false,                                                                                   \
   false,                                                                                   \
   0,                                                                                       \
   0,                                                                                       \
   NULL,                                                                                    \
   "metres, of the first particle"},                                                        \
      {"end", SIM_FIELD_VECTOR,     offsetof(type, rope.end), false, false, 0, 0,           \
       NULL,  "metres, of the last"},                                                       \
      {"segments", SIM_FIELD_COUNT, offsetof(type, rope.segments), false, false, 1, 1e6,    \
       NULL,       "links"},                                                                \
      {"points",                                                                            \
       SIM_FIELD_LIST,                                                                      \
       offsetof(type, points),                                                              \
       false,                                                                               \
       false,                                                                               \
       0,                                                                                   \
       0,                                                                                   \
       NULL,                                                                                \
       "metres: `[x, y, z]` of each particle, in place of `origin`, `end` and `segments`"}, \
      {"slack",                                                                             \
       SIM_FIELD_FLOAT,                                                                     \
       offsetof(type, rope.slack),                                                          \
       false,                                                                               \
       false,                                                                               \
       -0.9,                                                                                \
       100,                                                                                 \
       NULL,                                                                                \
       "share by which it is longer than the way from end to end"},                         \
      {"mass_per_metre",                                                                    \
       SIM_FIELD_FLOAT,                                                                     \
       offsetof(type, rope.mass_per_metre),                                                 \
       false,                                                                               \
       false,                                                                               \
       1e-9,                                                                                \
       1e9,                                                                                 \
       NULL,                                                                                \
       "kilograms per metre"},                                                              \
      {"pin_origin",                                                                        \
       SIM_FIELD_FLAG,                                                                      \
       offsetof(type, rope.pin_origin),                                                     \
       false,                                                                               \
       false,                                                                               \
       0,                                                                                   \
       0,                                                                                   \
       NULL,                                                                                \
       "holds the first particle"},                                                         \
  {                                                                                         \
    "pin_end", SIM_FIELD_FLAG, offsetof(type, rope.pin_end), false, false, 0, 0, NULL,      \
        "holds the last"                                                                    \
  }

#define LINE_LINK_FIELDS(type, rope)                                                          \
  {"compliance",                                                                              \
   SIM_FIELD_FLOAT,                                                                           \
   offsetof(type, rope.compliance),                                                           \
   false,                                                                                     \
   false,                                                                                     \
   0,                                                                                         \
   1e6,                                                                                       \
   NULL,                                                                                      \
   "1/newtons: share of its length that it gives way to a newton"},                           \
  {                                                                                           \
    "tear_ratio", SIM_FIELD_FLOAT, offsetof(type, rope.tear_ratio), false, false, 0, FLT_MAX, \
        NULL, "length / rest length at which links break, above 1; 0 = never"                 \
  }

#define ROPE(member) offsetof(file_rope, def.member)
static const sim_field rope_fields[] = {
    LINE_FIELDS(file_rope, def),
    {"mode", SIM_FIELD_CHOICE, ROPE(mode), false, false, 0, 0, rope_modes, "rods, or threads"},
    {"relaxation", SIM_FIELD_FLOAT, ROPE(relaxation), false, false, 1e-6, 1, NULL, "of its links"},
    LINE_LINK_FIELDS(file_rope, def),
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

// Reads the points of a line, if it has a list; the caller frees them.
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

// ---- rods ----

#define ROD(member) offsetof(file_rod, def.member)
static const sim_field rod_fields[] = {
    LINE_FIELDS(file_rod, def.rope),
    LINE_LINK_FIELDS(file_rod, def.rope),
    {"bend_stiffness", SIM_FIELD_FLOAT, ROD(bend_stiffness), false, false, 0, 1e12, NULL,
     "newton square metres, about the first axis across"},
    {"bend_stiffness_2", SIM_FIELD_FLOAT, ROD(bend_stiffness_2), false, false, -1e12, 1e12, NULL,
     "about the second one; negative = the same"},
    {"twist_stiffness", SIM_FIELD_FLOAT, ROD(twist_stiffness), false, false, 0, 1e12, NULL,
     "newton square metres"},
    {"radius", SIM_FIELD_FLOAT, ROD(radius), false, false, 1e-6, 1e3, NULL,
     "metres, for its inertia when it turns about itself"},
    {"normal", SIM_FIELD_VECTOR, ROD(normal), false, false, 0, 0, NULL,
     "direction of the first axis across, at its origin; `[0, 0, 0]` = any"},
    {"twist", SIM_FIELD_FLOAT, ROD(twist), false, false, -1e6, 1e6, NULL,
     "radians per metre, as given; at most pi a segment"},
    {"keeps_shape", SIM_FIELD_FLAG, ROD(keeps_shape), false, false, 0, 0, NULL,
     "is at rest as given; else as `rest_strain` says"},
    {"rest_strain", SIM_FIELD_VECTOR, ROD(rest_strain), false, false, 0, 0, NULL,
     "radians per metre: curvatures about both axes across, and twist, at rest; together at most "
     "pi a segment"},
    {"clamp_origin", SIM_FIELD_FLAG, ROD(clamp_origin), false, false, 0, 0, NULL,
     "holds the frame of its first end"},
    {"clamp_end", SIM_FIELD_FLAG, ROD(clamp_end), false, false, 0, 0, NULL,
     "holds the frame of its last end"},
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

// ---- circles ----

#define CIRCLE(member) offsetof(weft_circle_def, member)
static const sim_field circle_fields[] = {
    SIM_PLANE_FIELDS(weft_circle_def, "the centre"),
    {"radius", SIM_FIELD_FLOAT, CIRCLE(radius), false, false, 1e-6, 1e6, NULL, "metres"},
    {"count", SIM_FIELD_COUNT, CIRCLE(count), false, false, 3, 1e6, NULL, "particles of the ring"},
    {"hub", SIM_FIELD_FLAG, CIRCLE(hub), false, false, 0, 0, NULL,
     "a particle in the middle, and spokes"},
    {"mass", SIM_FIELD_FLOAT, CIRCLE(mass), false, false, 1e-9, 1e9, NULL, "kilograms"},
    SIM_LINK_FIELDS(weft_circle_def),
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

#define BOX(member) offsetof(weft_box_def, member)
static const sim_field box_fields[] = {
    SIM_PLANE_FIELDS(weft_box_def, "the centre"),
    {"width", SIM_FIELD_FLOAT, BOX(width), false, false, 1e-6, 1e6, NULL, "metres"},
    {"height", SIM_FIELD_FLOAT, BOX(height), false, false, 1e-6, 1e6, NULL, "metres"},
    {"columns", SIM_FIELD_COUNT, BOX(columns), false, false, 2, 1000, NULL,
     "particles along `across`"},
    {"rows", SIM_FIELD_COUNT, BOX(rows), false, false, 2, 1000, NULL, "particles along `up`"},
    {"mass", SIM_FIELD_FLOAT, BOX(mass), false, false, 1e-9, 1e9, NULL, "kilograms"},
    SIM_LINK_FIELDS(weft_box_def),
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

#define TRIANGLE(member) offsetof(weft_triangle_def, member)
static const sim_field triangle_fields[] = {
    SIM_PLANE_FIELDS(weft_triangle_def, "the centre of mass"),
    {"width", SIM_FIELD_FLOAT, TRIANGLE(width), false, false, 1e-6, 1e6, NULL,
     "metres, of the base"},
    {"height", SIM_FIELD_FLOAT, TRIANGLE(height), false, false, 1e-6, 1e6, NULL, "metres"},
    {"mass", SIM_FIELD_FLOAT, TRIANGLE(mass), false, false, 1e-9, 1e9, NULL, "kilograms"},
    SIM_LINK_FIELDS(weft_triangle_def),
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

#define TIRE(member) offsetof(weft_tire_def, member)
static const sim_field tire_fields[] = {
    SIM_PLANE_FIELDS(weft_tire_def, "the hub"),
    {"radius", SIM_FIELD_FLOAT, TIRE(radius), false, false, 1e-6, 1e6, NULL, "metres"},
    {"count", SIM_FIELD_COUNT, TIRE(count), false, false, 5, 1e6, NULL, "particles of the tread"},
    {"mass", SIM_FIELD_FLOAT, TIRE(mass), false, false, 1e-9, 1e9, NULL, "kilograms"},
    {"tread_relaxation", SIM_FIELD_FLOAT, TIRE(tread_relaxation), false, false, 1e-6, 1, NULL,
     "of the tread's links"},
    {"tread_compliance", SIM_FIELD_FLOAT, TIRE(tread_compliance), false, false, 0, 1e12, NULL,
     "metres per newton"},
    {"spoke_relaxation", SIM_FIELD_FLOAT, TIRE(spoke_relaxation), false, false, 1e-6, 1, NULL,
     "of spokes"},
    {"spoke_compliance", SIM_FIELD_FLOAT, TIRE(spoke_compliance), false, false, 0, 1e12, NULL,
     "metres per newton"},
    SIM_TEAR_FIELD(weft_tire_def, "tread and spokes"),
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

#define PENDULUM(member) offsetof(weft_double_pendulum_def, member)
static const sim_field double_pendulum_fields[] = {
    SIM_PLANE_FIELDS(weft_double_pendulum_def, "the pin"),
    {"lengths", SIM_FIELD_PAIR, PENDULUM(lengths), false, false, 1e-6, 1e6, NULL, "metres"},
    {"angles", SIM_FIELD_PAIR, PENDULUM(angles), false, false, -100, 100, NULL,
     "radians from straight down towards `across`"},
    {"masses", SIM_FIELD_PAIR, PENDULUM(masses), false, false, 1e-12, 1e12, NULL, "kilograms"},
    {"compliance", SIM_FIELD_FLOAT, PENDULUM(compliance), false, false, 0, 1e12, NULL,
     "metres per newton"},
    SIM_TEAR_FIELD(weft_double_pendulum_def, "links"),
};

SIM_BODY_OF(double_pendulum, "A pin and two masses: the fields of `weft_double_pendulum_def`.")

const sim_body_type sim_body_double_pendulum = {
    "double_pendulum", &double_pendulum_table, NULL, count_three, NULL, add_double_pendulum};
