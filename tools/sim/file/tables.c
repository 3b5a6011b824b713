#include "sim/file/tables.h"

#include <float.h>
#include <math.h>

#include "common/integrators.h"
#include "sim/file/bodies.h"
#include "sim/file/contacts.h"
#include "sim/file/events.h"
#include "sim/file/force_curves.h"
#include "sim/file/parameters.h"
#include "sim/file/results.h"

/* In the order of weft_sweeps. */
static const char* const sweep_names[] = {"symmetric", "textbook", NULL};

#define OFFSET(type, member) offsetof(type, member)

// ---- the file ----

#define ROOT(member) OFFSET(sim_root, member)
static const sim_field root_fields[] = {
    {"about", SIM_FIELD_TEXT, ROOT(about), false, false, 0, 0, NULL, "description for people"},
    {"seconds", SIM_FIELD_REAL, ROOT(seconds), false, true, 0, 1e6, NULL, "seconds that it runs"},
    {"parameters", SIM_FIELD_OBJECT, ROOT(parameters), false, false, 0, 0, NULL,
     "numbers, words and flags that `--set` sets: one member a parameter"},
    {"let", SIM_FIELD_OBJECT, ROOT(let), false, false, 0, 0, NULL,
     "names for formulas: see computed values"},
    {"require", SIM_FIELD_LIST, ROOT(require), false, false, 0, 0, NULL,
     "conditions of parameters: one object a condition"},
    {"state", SIM_FIELD_OBJECT, ROOT(state), false, false, 0, 0, NULL,
     "names whose values change from step to step: `[\"FIRST\", \"NEXT\"]`, or one formula for "
     "both"},
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
    {"results", SIM_FIELD_LIST, ROOT(results), false, false, 0, 0, NULL,
     "numbers of the report: one object a result"},
};

static void root_defaults(void* value) {
  ((sim_root*)value)->seconds = 5.0;
}

const sim_table sim_root_table = {"The file", "The outermost object.",
                                  SIM_TABLE_FIELDS(root_fields), sizeof(sim_root), root_defaults};

#define REQUIREMENT(member) OFFSET(sim_requirement, member)
static const sim_field requirement_fields[] = {
    {"that", SIM_FIELD_FLAG, REQUIREMENT(that), true, false, 0, 0, NULL, "a formula that is true"},
    {"or", SIM_FIELD_TEXT, REQUIREMENT(otherwise), true, false, 0, 0, NULL, "the error if it is not"},
};

const sim_table sim_requirement_table = {
    "require", "One object of `require`.", SIM_TABLE_FIELDS(requirement_fields),
    sizeof(sim_requirement), NULL};

// ---- the world ----

static const char* const remainders[] = {"carry", "step", NULL};

#define WORLD(member) OFFSET(weft_world_def, member)
static const sim_field world_fields[] = {
    {"gravity", SIM_FIELD_VECTOR, WORLD(gravity), false, false, 0, 0, NULL,
     "metres per second squared"},
    {"damping", SIM_FIELD_FLOAT, WORLD(damping), false, false, 0, FLT_MAX, NULL,
     "1/seconds: the rate at which velocity fades"},
    {"iterations", SIM_FIELD_COUNT, WORLD(iterations), false, false, 0, 10000, NULL,
     "sweeps over all links a step"},
    {"tolerance", SIM_FIELD_FLOAT, WORLD(tolerance), false, false, 0, 1e6, NULL,
     "metres: sweeps end when the last one moves particles by at most this; 0 = off"},
    {"coarse_iterations", SIM_FIELD_COUNT, WORLD(coarse_iterations), false, false, 0, 10000, NULL,
     "sweeps over each coarse level a step; 0 = no levels"},
    {"coarse_every", SIM_FIELD_COUNT, WORLD(coarse_every), false, false, 1, 1000, NULL,
     "coarse levels act in every n-th substep"},
    {"direct_iterations", SIM_FIELD_COUNT, WORLD(direct_iterations), false, false, 0, 100, NULL,
     "the most iterations of the direct solve of trees; 0 = none"},
    {"substeps", SIM_FIELD_COUNT, WORLD(substeps), false, false, 1, 1000, NULL,
     "parts that a step is taken in"},
    {"attachments", SIM_FIELD_COUNT, WORLD(attachments), false, false, 0, 4, NULL,
     "long-range attachments of a particle"},
    {"direct_bends", SIM_FIELD_COUNT, WORLD(direct_bends), false, false, 0, UINT32_MAX, NULL,
     "vertices of a mesh whose bending is solved directly, at most"},
    {"direct_sheets", SIM_FIELD_COUNT, WORLD(direct_sheets), false, false, 0, UINT32_MAX, NULL,
     "particles of a sheet whose bending is solved as one system, at most"},
    {"integrator", SIM_FIELD_CHOICE, WORLD(integrator), false, false, 0, 0, tool_integrators,
     "integrator of the equations of motion"},
    {"sweeps", SIM_FIELD_CHOICE, WORLD(sweeps), false, false, 0, 0, sweep_names,
     "order and directions of sweeps: symmetric makes no energy, textbook is for comparison"},
    {"springs", SIM_FIELD_FLAG, WORLD(springs), false, false, 0, 0, NULL,
     "links with a compliance act as springs, by forces"},
    {"plane", SIM_FIELD_FLAG, WORLD(plane), false, false, 0, 0, NULL,
     "particles stay in the plane z = 0"},
    {"max_speed", SIM_FIELD_VECTOR, WORLD(max_speed), false, true, 0, (double)INFINITY, NULL,
     "metres per second along each axis"},
    {"faces", SIM_FIELD_FLAG, WORLD(faces), false, false, 0, 0, NULL,
     "keeps the faces of sheets and meshes"},
    {"sleep_speed", SIM_FIELD_FLOAT, WORLD(sleep_speed), false, false, 0, 1e9, NULL,
     "metres per second: islands that are slower fall asleep; 0 = none do"},
    {"sleep_seconds", SIM_FIELD_FLOAT, WORLD(sleep_seconds), false, false, 1e-6, 1e6, NULL,
     "that they have been slower"},
    {"max_joints", SIM_FIELD_COUNT, WORLD(max_joints), false, false, 0, 1e6, NULL,
     "joints that there are room for"},
    {"max_events", SIM_FIELD_COUNT, WORLD(max_events), false, false, 0, 1 << 30, NULL,
     "torn links that may wait to be taken"},
    {"step_ns", SIM_FIELD_LONG, WORLD(step_ns), false, false, 1000, 1e9, NULL,
     "nanoseconds a step"},
    {"max_steps", SIM_FIELD_COUNT, WORLD(max_steps), false, false, 1, UINT32_MAX, NULL,
     "the most steps of one advance; not used by a run"},
    {"max_elapsed_ns", SIM_FIELD_LONG, WORLD(max_elapsed_ns), false, false, 0, 1e18, NULL,
     "nanoseconds: the most that one advance takes in, 0 = any; not used by a run"},
    {"min_elapsed_ns", SIM_FIELD_LONG, WORLD(min_elapsed_ns), false, false, 0, 1e9, NULL,
     "nanoseconds: the least that one advance takes in; not used by a run"},
    {"smooth_elapsed", SIM_FIELD_FLAG, WORLD(smooth_elapsed), false, false, 0, 0, NULL,
     "takes the mean of an elapsed time and the last mean; not used by a run"},
    {"remainder", SIM_FIELD_CHOICE, WORLD(remainder), false, false, 0, 0, remainders,
     "remaining time of a frame; not used by a run"},
    {"worker_count", SIM_FIELD_COUNT, WORLD(worker_count), false, false, 1, WEFT_MAX_WORKERS, NULL,
     "threads, without this all CPUs; the result does not depend on them"},
};

static void world_defaults(void* value) {
  *(weft_world_def*)value = weft_plain_world_def();
}

const sim_table sim_world_table = {"world", "The fields of `weft_world_def`.",
                                   SIM_TABLE_FIELDS(world_fields), sizeof(weft_world_def),
                                   world_defaults};

// ---- materials ----

#define MATERIAL(member) OFFSET(weft_material_def, member)
static const sim_field material_fields[] = {
    {"density", SIM_FIELD_FLOAT, MATERIAL(density), false, false, 1e-6, 1e6, NULL,
     "kilograms per square metre"},
    {"stretch_stiffness", SIM_FIELD_FLOAT, MATERIAL(stretch_stiffness), false, false, 1e-6,
     (double)INFINITY, NULL, "newtons per metre"},
    {"shear_stiffness", SIM_FIELD_FLOAT, MATERIAL(shear_stiffness), false, false, 1e-6,
     (double)INFINITY, NULL, "newtons per metre; of sheets and membranes"},
    {"bend_stiffness", SIM_FIELD_FLOAT, MATERIAL(bend_stiffness), false, false, 0, FLT_MAX, NULL,
     "newton metres"},
    {"membrane", SIM_FIELD_FLAG, MATERIAL(membrane), false, false, 0, 0, NULL,
     "of a mesh: triangles that resist strain, in place of springs along their edges"},
    {"weft_stiffness", SIM_FIELD_FLOAT, MATERIAL(weft_stiffness), false, false, 0, (double)INFINITY,
     NULL, "newtons per metre along the weft of a membrane; 0 = stretch_stiffness"},
    {"poisson_ratio", SIM_FIELD_FLOAT, MATERIAL(poisson_ratio), false, false, -0.99, 10, NULL,
     "of a membrane: contraction along the weft over stretch along the warp"},
    {"max_stretch", SIM_FIELD_FLOAT, MATERIAL(max_stretch), false, false, 0, 1e6, NULL,
     "length / rest length that edges of a membrane do not exceed, above 1; 0 = no limit"},
    {"crease_angle", SIM_FIELD_FLOAT, MATERIAL(crease_angle), false, false, 0, 3.1415927, NULL,
     "radians beyond its rest angle at which a fold of a mesh stays; 0 = none does"},
    {"max_crease", SIM_FIELD_FLOAT, MATERIAL(max_crease), false, false, 0, 3.1415927, NULL,
     "radians: limit of the rest angle of such a fold"},
};

static void material_defaults(void* value) {
  *(weft_material_def*)value = weft_default_material_def();
}

const sim_table sim_material_table = {
    "material", "What a sheet or a mesh is made of: the fields of `weft_material_def`.",
    SIM_TABLE_FIELDS(material_fields), sizeof(weft_material_def), material_defaults};

// ---- wind and bounds ----

#define WIND(member) OFFSET(weft_wind_def, member)
static const sim_field wind_fields[] = {
    {"velocity", SIM_FIELD_VECTOR, WIND(velocity), false, false, 0, 0, NULL, "metres per second"},
    {"density", SIM_FIELD_FLOAT, WIND(density), false, false, 0, FLT_MAX, NULL,
     "kilograms per cubic metre"},
    {"drag", SIM_FIELD_FLOAT, WIND(drag), false, false, 0, FLT_MAX, NULL, "drag coefficient"},
    {"gust", SIM_FIELD_FLOAT, WIND(gust), false, false, 0, 10, NULL,
     "share of the velocity that comes and goes"},
    {"gust_period", SIM_FIELD_FLOAT, WIND(gust_period), false, true, 0, FLT_MAX, NULL,
     "seconds from gust to gust"},
    {"gust_size", SIM_FIELD_FLOAT, WIND(gust_size), false, true, 0, FLT_MAX, NULL,
     "metres from gust to gust"},
    {"seed", SIM_FIELD_COUNT, WIND(seed), false, false, 0, UINT32_MAX, NULL, "of the gusts"},
};

static void wind_defaults(void* value) {
  *(weft_wind_def*)value = weft_default_wind_def();
}

const sim_table sim_wind_table = {
    "wind",
    "The fields of `weft_wind_def`, as `wind` and for events that `do` "
    "\"wind\". It blows on the faces of sheets "
    "and meshes, which are kept then.",
    SIM_TABLE_FIELDS(wind_fields), sizeof(weft_wind_def), wind_defaults};

#define BOUNDS(member) OFFSET(weft_bounds_def, member)
static const sim_field bounds_fields[] = {
    {"lower", SIM_FIELD_VECTOR, BOUNDS(lower), false, false, -(double)INFINITY, (double)INFINITY,
     NULL, "metres"},
    {"upper", SIM_FIELD_VECTOR, BOUNDS(upper), false, false, -(double)INFINITY, (double)INFINITY,
     NULL, "metres"},
    {"restitution", SIM_FIELD_FLOAT, BOUNDS(restitution), false, false, 0, 1, NULL,
     "share of the speed that is left after a bounce"},
    {"static_friction", SIM_FIELD_FLOAT, BOUNDS(static_friction), false, false, 0, 1000, NULL,
     "coefficient of what holds"},
    {"dynamic_friction", SIM_FIELD_FLOAT, BOUNDS(dynamic_friction), false, false, 0, 1000, NULL,
     "coefficient of what slides, no more than `static_friction`"},
};

static void bounds_defaults(void* value) {
  *(weft_bounds_def*)value = weft_default_bounds_def();
}

const sim_table sim_bounds_table = {
    "bounds", "The fields of `weft_bounds_def`, as `bounds` and for events that `do` \"bounds\".",
    SIM_TABLE_FIELDS(bounds_fields), sizeof(weft_bounds_def), bounds_defaults};

// ---- limits ----

#define LIMITS(member) OFFSET(weft_contact_limits_def, member)
static const sim_field limits_fields[] = {
    {"max_pairs", SIM_FIELD_COUNT, LIMITS(max_pairs), false, false, 0, 1 << 30, NULL,
     "particles that are near each other; 0 = as many as usual"},
    {"max_ccd_pairs", SIM_FIELD_COUNT, LIMITS(max_ccd_pairs), false, false, 0, 1 << 30, NULL,
     "CCD pairs; 0 = default"},
    {"max_touches", SIM_FIELD_COUNT, LIMITS(max_touches), false, false, 0, 1 << 30, NULL,
     "touching pairs at the end of a step; 0 = default"},
    {"max_events", SIM_FIELD_COUNT, LIMITS(max_events), false, false, 0, 1 << 30, NULL,
     "that wait to be taken; not used by a run"},
    {"with_stays", SIM_FIELD_FLAG, LIMITS(with_stays), false, false, 0, 0, NULL,
     "tells of what still touches; not used by a run"},
};

static void limits_defaults(void* value) {
  *(weft_contact_limits_def*)value = weft_default_contact_limits_def();
}

const sim_table sim_limits_table = {
    "contact_limits", "Limits on the contacts of a step: the fields of `weft_contact_limits_def`.",
    SIM_TABLE_FIELDS(limits_fields), sizeof(weft_contact_limits_def), limits_defaults};

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

#define LINK(member) OFFSET(sim_link, member)
static const sim_field link_fields[] = {
    {"rest_length", SIM_FIELD_FLOAT, LINK(rest_length), false, true, 0, FLT_MAX, NULL,
     "metres; where it is not given, as far as the ends are apart"},
    {"relaxation", SIM_FIELD_FLOAT, LINK(relaxation), false, false, 1e-6, 1, NULL,
     "share of the error removed by one solve"},
    {"tear_ratio", SIM_FIELD_FLOAT, LINK(tear_ratio), false, false, 0, FLT_MAX, NULL,
     "length / rest length at which it breaks, above 1; 0 = never"},
    {"compliance", SIM_FIELD_FLOAT, LINK(compliance), false, false, 0, 1e12, NULL,
     "metres per newton"},
    {"kind", SIM_FIELD_CHOICE, LINK(kind), false, false, 0, 0, link_kinds, "kind of the link"},
    {"mode", SIM_FIELD_CHOICE, LINK(mode), false, false, 0, 0, link_modes,
     "when it acts: on what is longer and shorter, only longer, only shorter, or shorter than "
     "`rest_length` and longer than `max_length`"},
    {"max_length", SIM_FIELD_FLOAT, LINK(max_length), false, false, 0, FLT_MAX, NULL,
     "metres, `rest_length` or more: of the mode `range`, and else 0"},
    {"spring_damping", SIM_FIELD_FLOAT, LINK(spring_damping), false, false, 0, 1e12, NULL,
     "newton seconds per metre, where it is a spring"},
    {"force_curve", SIM_FIELD_COUNT, LINK(force_curve), false, false, 0, WEFT_MAX_FORCE_CURVES,
     NULL, "number of its curve in `force_curves`, from 1, where it is a spring; 0 = linear"},
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

// ---- all ----

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
  sim_print_table(out, &sim_force_curve_table);
  sim_print_table(out, &sim_wind_table);
  sim_print_table(out, &sim_bounds_table);
  sim_print_contacts(out);
  sim_print_events(out);
  sim_print_results(out);
}
