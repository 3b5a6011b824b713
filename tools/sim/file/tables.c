#include "sim/file/tables.h"

#include <float.h>
#include <math.h>

#include "common/integrators.h"
#include "sim/file/bodies.h"
#include "sim/file/contacts.h"
#include "sim/file/events.h"
#include "sim/file/force_curves.h"
#include "sim/file/material_pairs.h"
#include "sim/file/parameters.h"
#include "sim/file/results.h"
#include "sim/file/seams.h"

/* In the order of weft_sweeps, weft_quality and weft_friction_rule. */
static const char* const sweep_names[] = {"symmetric", "textbook", NULL};
static const char* const quality_names[] = {"fine", "draft", "exact", NULL};
static const char* const friction_rules[] = {"root_sum_squares", "mean", "table", NULL};

#define OFFSET(type, member) offsetof(type, member)

#define ROOT(member) OFFSET(sim_root, member)
static const sim_field root_fields[] = {
    SIM_KEY_OF(ROOT, TEXT, about, "description for people"),
    {"seconds", SIM_FIELD_REAL, ROOT(seconds), false, true, 0, 1e6, NULL, "seconds that it runs"},
    SIM_KEY_OF(ROOT, OBJECT, parameters,
               "numbers, words and flags that `--set` sets: one member a parameter"),
    SIM_KEY_OF(ROOT, OBJECT, let, "names for formulas: see computed values"),
    SIM_KEY_OF(ROOT, LIST, require, "conditions of parameters: one object a condition"),
    SIM_KEY_OF(
        ROOT, OBJECT, state,
        "names whose values change from step to step: `[\"FIRST\", \"NEXT\"]`, or one formula for "
        "both"),
    SIM_KEY_OF(ROOT, OBJECT, world, "settings of the solver"),
    {"bodies", SIM_FIELD_LIST, ROOT(bodies), true, false, 0, 0, NULL,
     "one object a body, at least one"},
    SIM_KEY_OF(ROOT, LIST, links, "links between particles: one object a link"),
    SIM_KEY_OF(ROOT, LIST, seams, "borders that are sewn together: one object a seam"),
    SIM_KEY_OF(ROOT, LIST, force_curves,
               "forces of springs that are not linear: one object a curve"),
    SIM_KEY_OF(ROOT, LIST, events, "timed actions: one object an event"),
    SIM_KEY_OF(ROOT, OBJECT, wind, "air that moves"),
    SIM_KEY_OF(ROOT, OBJECT, bounds, "a box that particles do not leave"),
    SIM_KEY_OF(ROOT, LIST, colliders,
               "colliders of particles with a `contact`: one object a collider"),
    SIM_KEY_OF(ROOT, LIST, material_pairs,
               "friction and restitution of two materials: one object a pair"),
    SIM_KEY_OF(ROOT, OBJECT, contact_limits, "limits on the contacts of a step"),
    SIM_KEY_OF(ROOT, LIST, results, "numbers of the report: one object a result"),
};

static void root_defaults(void* value) {
  ((sim_root*)value)->seconds = 5.0;
}

const sim_table sim_root_table = {"The file", "The outermost object.",
                                  SIM_TABLE_FIELDS(root_fields), sizeof(sim_root), root_defaults};

#define REQUIREMENT(member) OFFSET(sim_requirement, member)
static const sim_field requirement_fields[] = {
    {"that", SIM_FIELD_FLAG, REQUIREMENT(that), true, false, 0, 0, NULL, "a formula that is true"},
    {"or", SIM_FIELD_TEXT, REQUIREMENT(otherwise), true, false, 0, 0, NULL,
     "the error if it is not"},
};

const sim_table sim_requirement_table = {"require", "One object of `require`.",
                                         SIM_TABLE_FIELDS(requirement_fields),
                                         sizeof(sim_requirement), NULL};

static const char* const remainders[] = {"carry", "step", NULL};

#define WORLD(member) OFFSET(weft_world_def, member)
static const sim_field world_fields[] = {
    SIM_KEY_OF(WORLD, VECTOR, gravity, "metres per second squared"),
    SIM_RANGE_OF(WORLD, FLOAT, damping, 0, FLT_MAX, "1/seconds: the rate at which velocity fades"),
    SIM_RANGE("iterations", CHOSEN, WORLD(solver.iterations), 0, 10000,
              "sweeps over all links in a part of a step"),
    SIM_RANGE("tolerance", FLOAT, WORLD(solver.tolerance), 0, 1e6,
              "metres: sweeps end when the last one moves particles by at most this; 0 = off"),
    SIM_RANGE("coarse_iterations", CHOSEN, WORLD(solver.coarse_iterations), 0, 10000,
              "sweeps over each coarse level in a part of a step; 0 = no levels"),
    SIM_RANGE("coarse_every", COUNT, WORLD(solver.coarse_every), 1, 1000,
              "coarse levels act in every n-th substep"),
    SIM_RANGE("direct_iterations", COUNT, WORLD(solver.direct_iterations), 0, 100,
              "the most iterations of the direct solve of trees; 0 = none"),
    SIM_RANGE("substeps", CHOSEN, WORLD(solver.substeps), 1, 1000, "parts that a step is taken in"),
    SIM_RANGE("max_substeps", CHOSEN, WORLD(solver.max_substeps), 1, 1000,
              "parts at most while cloth and colliders are fast; auto: four times `substeps`"),
    SIM_RANGE("attachments", CHOSEN, WORLD(solver.attachments), 0, 4,
              "long-range attachments of a particle"),
    {"quality", SIM_FIELD_CHOICE, WORLD(solver.quality), false, false, 0, 0, quality_names,
     "what auto aims at: fine 0.1 % of strain, draft 0.5 % in half of the parts, exact all parts"},
    SIM_RANGE("direct_bends", COUNT, WORLD(solver.direct_bends), 0, UINT32_MAX,
              "vertices of a mesh whose bending is solved directly, at most"),
    {"integrator", SIM_FIELD_CHOICE, WORLD(solver.integrator), false, false, 0, 0, tool_integrators,
     "integrator of the equations of motion"},
    {"sweeps", SIM_FIELD_CHOICE, WORLD(solver.sweeps), false, false, 0, 0, sweep_names,
     "order and directions of sweeps: symmetric makes no energy, textbook is for comparison"},
    SIM_KEY("springs", FLAG, WORLD(solver.springs),
            "links with a compliance act as springs, by forces"),
    {"friction_rule", SIM_FIELD_CHOICE, WORLD(friction_rule), false, false, 0, 0, friction_rules,
     "friction of two surfaces from their coefficients a and b: sqrt(a^2 + b^2), (a + b) / 2, or "
     "by `material_pairs`"},
    SIM_KEY_OF(WORLD, FLAG, plane, "particles stay in the plane z = 0"),
    {"max_speed", SIM_FIELD_VECTOR, WORLD(max_speed), false, true, 0, (double)INFINITY, NULL,
     "metres per second along each axis"},
    SIM_RANGE_OF(WORLD, FLOAT, sleep_speed, 0, 1e9,
                 "metres per second: islands that are slower fall asleep; 0 = none do"),
    SIM_RANGE_OF(WORLD, FLOAT, sleep_seconds, 1e-6, 1e6, "that they have been slower"),
    SIM_RANGE_OF(WORLD, COUNT, max_joints, 0, 1e6,
                 "joints that there are room for, by default at least those of `seams`"),
    SIM_RANGE_OF(WORLD, COUNT, max_events, 0, 1 << 30, "torn links that may wait to be taken"),
    SIM_RANGE_OF(WORLD, LONG, step_ns, 1000, 1e9, "nanoseconds a step"),
    SIM_RANGE_OF(WORLD, COUNT, max_steps, 1, UINT32_MAX,
                 "the most steps of one advance; not used by a run"),
    SIM_RANGE_OF(WORLD, LONG, max_elapsed_ns, 0, 1e18,
                 "nanoseconds: the most that one advance takes in, 0 = any; not used by a run"),
    SIM_RANGE_OF(WORLD, LONG, min_elapsed_ns, 0, 1e9,
                 "nanoseconds: the least that one advance takes in; not used by a run"),
    SIM_KEY_OF(WORLD, FLAG, smooth_elapsed,
               "takes the mean of an elapsed time and the last mean; not used by a run"),
    {"remainder", SIM_FIELD_CHOICE, WORLD(remainder), false, false, 0, 0, remainders,
     "remaining time of a frame; not used by a run"},
    SIM_RANGE_OF(WORLD, COUNT, worker_count, 1, WEFT_MAX_WORKERS,
                 "threads, without this all CPUs; the result does not depend on them"),
};

static void world_defaults(void* value) {
  *(weft_world_def*)value = weft_default_world_def();
}

const sim_table sim_world_table = {"world", "The fields of `weft_world_def`.",
                                   SIM_TABLE_FIELDS(world_fields), sizeof(weft_world_def),
                                   world_defaults};

#define MATERIAL(member) OFFSET(weft_material_def, member)
static const sim_field material_fields[] = {
    SIM_RANGE_OF(MATERIAL, FLOAT, density, 1e-6, 1e6, "kilograms per square metre"),
    SIM_RANGE_OF(MATERIAL, FLOAT, stretch_stiffness, 1e-6, (double)INFINITY, "newtons per metre"),
    SIM_RANGE_OF(MATERIAL, FLOAT, shear_stiffness, 1e-6, (double)INFINITY,
                 "newtons per metre; of sheets and membranes"),
    SIM_RANGE_OF(MATERIAL, FLOAT, bend_stiffness, 0, FLT_MAX, "newton metres"),
    SIM_KEY_OF(MATERIAL, FLAG, membrane,
               "of a mesh: triangles that resist strain, in place of springs along their edges"),
    SIM_RANGE_OF(MATERIAL, FLOAT, weft_stiffness, 0, (double)INFINITY,
                 "newtons per metre along the weft of a membrane; 0 = stretch_stiffness"),
    SIM_RANGE_OF(MATERIAL, FLOAT, poisson_ratio, -0.99, 10,
                 "of a membrane: contraction along the weft over stretch along the warp"),
    SIM_RANGE_OF(
        MATERIAL, FLOAT, max_stretch, 0, 1e6,
        "length / rest length that edges of a membrane do not exceed, above 1; 0 = no limit"),
    SIM_RANGE_OF(MATERIAL, FLOAT, crease_angle, 0, 3.1415927,
                 "radians beyond its rest angle at which a fold of a mesh stays; 0 = none does"),
    SIM_RANGE_OF(MATERIAL, FLOAT, max_crease, 0, 3.1415927,
                 "radians: limit of the rest angle of such a fold"),
};

static void material_defaults(void* value) {
  *(weft_material_def*)value = weft_default_material_def();
}

const sim_table sim_material_table = {
    "material", "What a sheet or a mesh is made of: the fields of `weft_material_def`.",
    SIM_TABLE_FIELDS(material_fields), sizeof(weft_material_def), material_defaults};

#define WIND(member) OFFSET(weft_wind_def, member)
static const sim_field wind_fields[] = {
    SIM_KEY_OF(WIND, VECTOR, velocity, "metres per second"),
    SIM_RANGE_OF(WIND, FLOAT, density, 0, FLT_MAX, "kilograms per cubic metre"),
    SIM_RANGE_OF(WIND, FLOAT, drag, 0, FLT_MAX, "drag coefficient"),
    SIM_RANGE_OF(WIND, FLOAT, unsteady_speed, 0, FLT_MAX,
                 "metres per second: drag of small motions to and fro"),
    SIM_RANGE_OF(WIND, FLOAT, gust, 0, 10, "share of the velocity that comes and goes"),
    {"gust_period", SIM_FIELD_FLOAT, WIND(gust_period), false, true, 0, FLT_MAX, NULL,
     "seconds from gust to gust"},
    {"gust_size", SIM_FIELD_FLOAT, WIND(gust_size), false, true, 0, FLT_MAX, NULL,
     "metres from gust to gust"},
    SIM_RANGE_OF(WIND, COUNT, seed, 0, UINT32_MAX, "of the gusts"),
};

static void wind_defaults(void* value) {
  *(weft_wind_def*)value = weft_default_wind_def();
}

const sim_table sim_wind_table = {
    "wind",
    "The fields of `weft_wind_def`, as `wind` and for events that `do` \"wind\". It blows on the "
    "faces of sheets and meshes, which are kept then.",
    SIM_TABLE_FIELDS(wind_fields), sizeof(weft_wind_def), wind_defaults};

#define BOUNDS(member) OFFSET(weft_bounds_def, member)
static const sim_field bounds_fields[] = {
    SIM_RANGE_OF(BOUNDS, VECTOR, lower, -(double)INFINITY, (double)INFINITY, "metres"),
    SIM_RANGE_OF(BOUNDS, VECTOR, upper, -(double)INFINITY, (double)INFINITY, "metres"),
    SIM_SURFACE_OF(BOUNDS, surface),
};

static void bounds_defaults(void* value) {
  *(weft_bounds_def*)value = weft_default_bounds_def();
}

const sim_table sim_bounds_table = {
    "bounds", "The fields of `weft_bounds_def`, as `bounds` and for events that `do` \"bounds\".",
    SIM_TABLE_FIELDS(bounds_fields), sizeof(weft_bounds_def), bounds_defaults};

#define LIMITS(member) OFFSET(weft_contact_limits_def, member)
static const sim_field limits_fields[] = {
    SIM_RANGE_OF(LIMITS, COUNT, max_pairs, 0, 1 << 30,
                 "particles that are near each other; 0 = as many as usual"),
    SIM_RANGE_OF(LIMITS, COUNT, max_ccd_pairs, 0, 1 << 30, "CCD pairs; 0 = default"),
    SIM_RANGE_OF(LIMITS, COUNT, max_touches, 0, 1 << 30,
                 "touching pairs at the end of a step; 0 = default"),
    SIM_RANGE_OF(LIMITS, COUNT, max_events, 0, 1 << 30, "that wait to be taken; not used by a run"),
    SIM_KEY_OF(LIMITS, FLAG, with_stays, "tells of what still touches; not used by a run"),
};

static void limits_defaults(void* value) {
  *(weft_contact_limits_def*)value = weft_default_contact_limits_def();
}

const sim_table sim_limits_table = {
    "contact_limits", "Limits on the contacts of a step: the fields of `weft_contact_limits_def`.",
    SIM_TABLE_FIELDS(limits_fields), sizeof(weft_contact_limits_def), limits_defaults};

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

#define LINK(member) OFFSET(sim_link, member)
static const sim_field link_fields[] = {
    {"rest_length", SIM_FIELD_FLOAT, LINK(rest_length), false, true, 0, FLT_MAX, NULL,
     "metres; where it is not given, as far as the ends are apart"},
    SIM_RANGE_OF(LINK, FLOAT, relaxation, 1e-6, 1, "share of the error removed by one solve"),
    SIM_RANGE_OF(LINK, FLOAT, tear_ratio, 0, FLT_MAX,
                 "length / rest length at which it breaks, above 1; 0 = never"),
    SIM_RANGE_OF(LINK, FLOAT, compliance, 0, 1e12, "metres per newton"),
    {"kind", SIM_FIELD_CHOICE, LINK(kind), false, false, 0, 0, link_kinds, "kind of the link"},
    {"mode", SIM_FIELD_CHOICE, LINK(mode), false, false, 0, 0, link_modes,
     "when it acts: on what is longer and shorter, only longer, only shorter, or shorter than "
     "`rest_length` and longer than `max_length`"},
    SIM_RANGE_OF(LINK, FLOAT, max_length, 0, FLT_MAX,
                 "metres, `rest_length` or more: of the mode `range`, and else 0"),
    SIM_RANGE_OF(LINK, FLOAT, spring_damping, 0, 1e12,
                 "newton seconds per metre, where it is a spring"),
    SIM_RANGE_OF(LINK, COUNT, force_curve, 0, WEFT_MAX_FORCE_CURVES,
                 "number of its curve in `force_curves`, from 1, where it is a spring; 0 = linear"),
};

static void link_defaults(void* value) {
  *(sim_link*)value = (sim_link){.rest_length = NAN, .relaxation = 1.0f};
}

const sim_table sim_link_table = {"link values",
                                  "Keys of a link, of `links` and of composites: the fields of "
                                  "`weft_link_def`.",
                                  SIM_TABLE_FIELDS(link_fields), sizeof(sim_link), link_defaults};

weft_link_def sim_link_def(const sim_link* link) {
  return (weft_link_def){.rest_length = link->rest_length,
                         .relaxation = link->relaxation,
                         .tear_ratio = link->tear_ratio,
                         .kind = (weft_link_kind)link->kind,
                         .compliance = link->compliance,
                         .mode = (weft_link_mode)link->mode,
                         .max_length = link->max_length,
                         .spring_damping = link->spring_damping,
                         .force_curve = link->force_curve};
}

void sim_print_reference(FILE* out) {
  sim_print_table(out, &sim_root_table);
  sim_print_table(out, &sim_parameter_table);
  sim_print_table(out, &sim_requirement_table);
  sim_print_table(out, &sim_world_table);
  sim_print_bodies(out);
  sim_print_table(out, &sim_material_table);
  sim_print_table(out, &sim_fabric_table);
  sim_print_table(out, &sim_link_ends_table);
  sim_print_table(out, &sim_link_table);
  sim_print_table(out, &sim_seam_table);
  sim_print_table(out, &sim_force_curve_table);
  sim_print_table(out, &sim_wind_table);
  sim_print_table(out, &sim_bounds_table);
  sim_print_contacts(out);
  sim_print_events(out);
  sim_print_results(out);
}
