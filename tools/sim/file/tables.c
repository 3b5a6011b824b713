#include "sim/file/tables.h"

#include <float.h>
#include <math.h>

#include "common/integrators.h"
#include "sim/file/bodies.h"
#include "sim/file/contacts.h"
#include "sim/file/events.h"
#include "sim/file/force_curves.h"

/* In the order of weft_sweeps. */
static const char* const sweep_names[] = {"symmetric", "textbook", NULL};

#define OFFSET(type, member) offsetof(type, member)

// ---- the file ----

#define ROOT(member) OFFSET(sim_root, member)
static const sim_field root_fields[] = {
    {"about", SIM_FIELD_TEXT, ROOT(about), false, false, 0, 0, NULL, "description for people"},
    {"seconds", SIM_FIELD_REAL, ROOT(seconds), false, true, 0, 1e6, NULL, "seconds that it runs"},
    {"world", SIM_FIELD_OBJECT, ROOT(world), false, false, 0, 0, NULL, "settings of the solver"},
    {"bodies", SIM_FIELD_LIST, ROOT(bodies), true, false, 0, 0, NULL,
     "one object a body, at least one"},
    {"links", SIM_FIELD_LIST, ROOT(links), false, false, 0, 0, NULL,
     "links between particles: one object a link"},
    {"force_curves", SIM_FIELD_LIST, ROOT(force_curves), false, false, 0, 0, NULL,
     "forces of springs that are not linear: one object a curve"},
    {"events", SIM_FIELD_LIST, ROOT(events), false, false, 0, 0, NULL,
     "timed actions: one object an event"},
    {"wind", SIM_FIELD_OBJECT, ROOT(wind), false, false, 0, 0, NULL, "air that moves"},
    {"bounds", SIM_FIELD_OBJECT, ROOT(bounds), false, false, 0, 0, NULL,
     "a box that particles do not leave"},
    {"colliders", SIM_FIELD_LIST, ROOT(colliders), false, false, 0, 0, NULL,
     "colliders of particles with a `contact`: one object a collider"},
    {"contact_limits", SIM_FIELD_OBJECT, ROOT(contact_limits), false, false, 0, 0, NULL,
     "limits on the contacts of a step"},
};

static void root_defaults(void* value) {
  ((sim_root*)value)->seconds = 5.0;
}

const sim_table sim_root_table = {"The file", "The outermost object.",
                                  SIM_TABLE_FIELDS(root_fields), sizeof(sim_root), root_defaults};

// ---- the world ----

static const char* const remainders[] = {"carry", "step", NULL};

static const sim_field world_fields[] = {
    SIM_OF_DEF("gravity", "metres per second squared"),
    SIM_OF_DEF("damping", "1/seconds: the rate at which velocity fades"),
    SIM_OF_DEF("iterations", "sweeps over all links a step"),
    SIM_OF_DEF("tolerance",
               "metres: sweeps end when the last one moves particles by at most this; 0 = off"),
    SIM_OF_DEF("coarse_iterations", "sweeps over each coarse level a step; 0 = no levels"),
    SIM_OF_DEF("coarse_every", "coarse levels act in every n-th substep"),
    SIM_OF_DEF("direct_iterations", "the most iterations of the direct solve of trees; 0 = none"),
    SIM_OF_DEF("substeps", "parts that a step is taken in"),
    SIM_OF_DEF("attachments", "long-range attachments of a particle"),
    SIM_OF_DEF("direct_bends", "vertices of a mesh whose bending is solved directly, at most"),
    SIM_OF_DEF("direct_sheets",
               "particles of a sheet whose bending is solved as one system, at most"),
    SIM_CHOICE_OF_DEF("integrator", tool_integrators, "integrator of the equations of motion"),
    SIM_CHOICE_OF_DEF(
        "sweeps", sweep_names,
        "order and directions of sweeps: symmetric makes no energy, textbook is for comparison"),
    SIM_OF_DEF("springs", "links with a compliance act as springs, by forces"),
    SIM_OF_DEF("plane", "particles stay in the plane z = 0"),
    SIM_OF_DEF("max_speed", "metres per second along each axis"),
    SIM_OF_DEF("faces", "keeps the faces of sheets and meshes"),
    SIM_OF_DEF("sleep_speed",
               "metres per second: islands that are slower fall asleep; 0 = none do"),
    SIM_OF_DEF("sleep_seconds", "that they have been slower"),
    SIM_OF_DEF("max_joints", "joints that there are room for"),
    SIM_OF_DEF("max_events", "torn links that may wait to be taken"),
    SIM_OF_DEF("step_ns", "nanoseconds a step"),
    SIM_OF_DEF("max_steps", "the most steps of one advance; not used by a run"),
    SIM_OF_DEF("max_elapsed_ns",
               "nanoseconds: the most that one advance takes in, 0 = any; not used by a run"),
    SIM_OF_DEF("min_elapsed_ns",
               "nanoseconds: the least that one advance takes in; not used by a run"),
    SIM_OF_DEF("smooth_elapsed",
               "takes the mean of an elapsed time and the last mean; not used by a run"),
    SIM_CHOICE_OF_DEF("remainder", remainders, "remaining time of a frame; not used by a run"),
    SIM_OF_DEF("worker_count",
               "threads, without this all CPUs; the result does not depend on them"),
};

static void world_defaults(void* value) {
  *(weft_world_def*)value = weft_plain_world_def();
}

const sim_table sim_world_table = {"world", "The fields of `weft_world_def`.",
                                   SIM_DEF_FIELDS(world_fields, world, 0), sizeof(weft_world_def),
                                   world_defaults};

// ---- materials ----

static const sim_field material_fields[] = {
    SIM_OF_DEF("density", "kilograms per square metre"),
    SIM_OF_DEF("stretch_stiffness", "newtons per metre"),
    SIM_OF_DEF("shear_stiffness", "newtons per metre; of sheets and membranes"),
    SIM_OF_DEF("bend_stiffness", "newton metres"),
    SIM_OF_DEF("membrane",
               "of a mesh: triangles that resist strain, in place of springs along their edges"),
    SIM_OF_DEF("weft_stiffness",
               "newtons per metre along the weft of a membrane; 0 = stretch_stiffness"),
    SIM_OF_DEF("poisson_ratio",
               "of a membrane: contraction along the weft over stretch along the warp"),
    SIM_OF_DEF(
        "max_stretch",
        "length / rest length that edges of a membrane do not exceed, above 1; 0 = no limit"),
    SIM_OF_DEF("crease_angle",
               "radians beyond its rest angle at which a fold of a mesh stays; 0 = none does"),
    SIM_OF_DEF("max_crease", "radians: limit of the rest angle of such a fold"),
};

const sim_table sim_material_table = {
    "material", "What a sheet or a mesh is made of: the fields of `weft_material_def`.",
    SIM_DEF_FIELDS(material_fields, material, 0), sizeof(weft_material_def), NULL};

// ---- wind and bounds ----

static const sim_field wind_fields[] = {
    SIM_OF_DEF("velocity", "metres per second"),
    SIM_OF_DEF("density", "kilograms per cubic metre"),
    SIM_OF_DEF("drag", "drag coefficient"),
    SIM_OF_DEF("gust", "share of the velocity that comes and goes"),
    SIM_OF_DEF("gust_period", "seconds from gust to gust"),
    SIM_OF_DEF("gust_size", "metres from gust to gust"),
    SIM_OF_DEF("seed", "of the gusts"),
};

const sim_table sim_wind_table = {
    "wind",
    "The fields of `weft_wind_def`, as `wind` and for events that `do` "
    "\"wind\". It blows on the faces of sheets "
    "and meshes, which are kept then.",
    SIM_DEF_FIELDS(wind_fields, wind, 0), sizeof(weft_wind_def), NULL};

static const sim_field bounds_fields[] = {
    SIM_OF_DEF("lower", "metres"),
    SIM_OF_DEF("upper", "metres"),
    SIM_OF_DEF("restitution", "share of the speed that is left after a bounce"),
    SIM_OF_DEF("static_friction", "coefficient of what holds"),
    SIM_OF_DEF("dynamic_friction", "coefficient of what slides, no more than `static_friction`"),
};

const sim_table sim_bounds_table = {
    "bounds", "The fields of `weft_bounds_def`, as `bounds` and for events that `do` \"bounds\".",
    SIM_DEF_FIELDS(bounds_fields, bounds, 0), sizeof(weft_bounds_def), NULL};

// ---- limits ----

static const sim_field limits_fields[] = {
    SIM_OF_DEF("max_pairs", "particles that are near each other; 0 = as many as usual"),
    SIM_OF_DEF("max_ccd_pairs", "CCD pairs; 0 = default"),
    SIM_OF_DEF("max_touches", "touching pairs at the end of a step; 0 = default"),
    SIM_OF_DEF("max_events", "that wait to be taken; not used by a run"),
    SIM_OF_DEF("with_stays", "tells of what still touches; not used by a run"),
};

const sim_table sim_limits_table = {
    "contact_limits", "Limits on the contacts of a step: the fields of `weft_contact_limits_def`.",
    SIM_DEF_FIELDS(limits_fields, contact_limits, 0), sizeof(weft_contact_limits_def), NULL};

// ---- links ----

static const char* const link_kinds[] = {"structural", "shear", "bend", "support", NULL};
static const char* const link_modes[] = {"both", "stretch", "compress", "range", NULL};

#define ENDS(member) OFFSET(sim_link_ends, member)
static const sim_field ends_fields[] = {
    {"from", SIM_FIELD_TEXT, ENDS(from), true, false, 0, 0, NULL,
     "one end: a particle of a body, as `name[3]`, of a sheet also as `name[column,row]`"},
    {"to", SIM_FIELD_TEXT, ENDS(to), true, false, 0, 0, NULL, "the other end"},
};

const sim_table sim_link_ends_table = {
    "links",
    "One object of `links`: its ends, and the keys of link values. The same pair may be linked "
    "only once.",
    SIM_TABLE_FIELDS(ends_fields), sizeof(sim_link_ends), NULL};

static const sim_field link_fields[] = {
    SIM_OF_DEF("rest_length", "metres; where it is not given, as far as the ends are apart"),
    SIM_OF_DEF("relaxation", "share of the error removed by one solve"),
    SIM_OF_DEF("tear_ratio", "length / rest length at which it breaks, above 1; 0 = never"),
    SIM_OF_DEF("compliance", "metres per newton"),
    SIM_CHOICE_OF_DEF("kind", link_kinds, "kind of the link"),
    SIM_CHOICE_OF_DEF(
        "mode", link_modes,
        "when it acts: on what is longer and shorter, only longer, only shorter, or shorter than "
        "`rest_length` and longer than `max_length`"),
    SIM_OF_DEF("max_length", "metres, `rest_length` or more: of the mode `range`, and else 0"),
    SIM_OF_DEF("spring_damping", "newton seconds per metre, where it is a spring"),
    SIM_OF_DEF("force_curve",
               "number of its curve in `force_curves`, from 1, where it is a spring; 0 = linear"),
};

static void link_defaults(void* value) {
  ((weft_link_def*)value)->rest_length = NAN;
}

const sim_table sim_link_table = {"link values",
                                  "Keys of a link, of `links` and of composites: the fields of "
                                  "`weft_link_def`.",
                                  SIM_DEF_FIELDS(link_fields, link, 0), sizeof(weft_link_def),
                                  link_defaults};

// ---- all ----

void sim_print_reference(FILE* out) {
  sim_print_table(out, &sim_root_table);
  sim_print_table(out, &sim_world_table);
  sim_print_bodies(out);
  sim_print_table(out, &sim_material_table);
  sim_print_table(out, &sim_fabric_table);
  sim_print_table(out, &sim_link_ends_table);
  sim_print_table(out, &sim_link_table);
  sim_print_table(out, &sim_force_curve_table);
  sim_print_table(out, &sim_wind_table);
  sim_print_table(out, &sim_bounds_table);
  sim_print_contacts(out);
  sim_print_events(out);
}
