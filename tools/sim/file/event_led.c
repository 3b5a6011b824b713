/* Events that follow formulas: particles that are led, and a hand that holds cloth. */
#include <stdlib.h>

#include "sim/file/event_types.h"
#include "sim/file/results.h"

typedef struct file_led {
  const tool_tree *to, *max_distance;
  double seconds;
  float radius;
  uint32_t particle;
} file_led;

#define LED(member) offsetof(file_led, member)
#define TO_FIELD(summary) \
  {"to", SIM_FIELD_LIST, LED(to), true, false, 0, 0, NULL, "metres: three formulas of " summary}
#define FOR_FIELD \
  {"for", SIM_FIELD_REAL, LED(seconds), false, false, 0, 1e6, NULL, "seconds that it takes"}

static void led_defaults(void* value) {
  ((file_led*)value)->seconds = 1e6;
}

static double led_seconds(const sim_event* event) {
  return ((const file_led*)event->def)->seconds;
}

static bool read_to(const sim_source* source, const sim_place* place, sim_event* event) {
  const sim_place here = {place, "to", 0};
  event->formulas = calloc(4, sizeof *event->formulas);
  if (!event->formulas) return sim_fault(source, place, "no memory for it");
  return sim_read_formulas(source, &here, ((const file_led*)event->def)->to, source->scope,
                           event->formulas, 3);
}

// ---- lead ----

static const sim_field lead_fields[] = {
    TO_FIELD("`t` at the end of the step, `x0`, `y0`, `z0`, `i`, `column`, `row`"), FOR_FIELD};

static const sim_table lead_table = {"events: lead", "Carries pinned particles along a path.",
                                     SIM_TABLE_FIELDS(lead_fields), sizeof(file_led), led_defaults};

static bool run_lead(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  const weft_body* body = &event->body->made;
  (void)share;
  if (!sim_keep_start(source, place, event, world)) return false;
  for (uint32_t next = 0, particle; sim_next_particle(event, &next, &particle);) {
    const uint32_t i = particle - body->first_particle;
    float target[3];
    sim_scope_set_index(source->scope, source->run_names, event->body, i);
    sim_scope_set_vector(source->scope, source->run_names, SIM_NAME_X0, event->from + 3 * (size_t)i);
    sim_formula_floats(event->formulas, 3, source->scope, world, target);
    const weft_result result = weft_world_move_particles(world, particle, 1, target, 0);
    if (!sim_check_event(source, place, event, result)) return false;
  }
  return true;
}

// ---- hold ----

static const sim_field hold_fields[] = {
    {"particle", SIM_FIELD_COUNT, LED(particle), true, false, 0, UINT32_MAX, NULL,
     "number of the particle that the hand takes hold of"},
    {"radius", SIM_FIELD_FLOAT, LED(radius), true, true, 0, 1e6, NULL, "metres: reach of the hand"},
    TO_FIELD("`t` at the end of the step, its place `x`, `y`, `z`, its first place `x0`, `y0`, `z0`, "
             "and `i`, its steps so far"),
    FOR_FIELD,
};

static const sim_table hold_table = {"events: hold",
                                     "A hand takes hold of free particles, moves and lets go.",
                                     SIM_TABLE_FIELDS(hold_fields), sizeof(file_led), led_defaults};

static weft_result take_hold(sim_event* event, weft_world* world) {
  const file_led* def = event->def;
  float position[3];
  const weft_result result = weft_world_get_positions(
      world, event->body->made.first_particle + def->particle, 1, position);
  if (result.error != WEFT_OK) return result;
  event->is_gripped = true;
  event->held_steps = 0;
  for (int k = 0; k < 3; ++k) event->held[k] = position[k];
  return weft_world_add_grip(world, position, def->radius, &event->grip);
}

static bool run_hold(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  sim_scope* scope = source->scope;
  float position[3];
  weft_result result = {.error = WEFT_OK};
  if (share > 1.0) {
    return sim_check_event(source, place, event, weft_world_remove_grip(world, event->grip));
  }
  if (!event->is_gripped) result = take_hold(event, world);
  if (result.error == WEFT_OK) result = weft_world_get_grip(world, event->grip, position, NULL);
  if (result.error == WEFT_OK) {
    scope->values[source->run_names + SIM_NAME_I] = event->held_steps++;
    sim_scope_set_vector(scope, source->run_names, SIM_NAME_X, position);
    sim_scope_set_vector(scope, source->run_names, SIM_NAME_X0, event->held);
    sim_formula_floats(event->formulas, 3, scope, world, position);
    result = weft_world_move_grip(world, event->grip, position);
  }
  return sim_check_event(source, place, event, result);
}

// ---- skin ----

static const sim_field skin_fields[] = {
    TO_FIELD("`t` at the end of the step, `x0`, `y0`, `z0`, `i`, `column`, `row`"),
    {"max_distance", SIM_FIELD_ANY, LED(max_distance), true, false, 0, 0, NULL,
     "metres that a particle stays within of it: a formula of `i`, `column`, `row`"},
    FOR_FIELD,
};

static const sim_table skin_table = {
    "events: skin", "Carries a body's skin, which its particles stay near.",
    SIM_TABLE_FIELDS(skin_fields), sizeof(file_led), led_defaults};

static bool read_skin(const sim_source* source, const sim_place* place, sim_event* event) {
  const sim_place limit = {place, "max_distance", 0};
  return read_to(source, place, event) &&
         sim_read_formula(source, &limit, ((const file_led*)event->def)->max_distance,
                          source->scope, &event->formulas[3]);
}

static weft_result move_skin(const sim_source* source, sim_event* event, weft_world* world,
                             float (*places)[3], bool is_first) {
  const weft_body* body = &event->body->made;
  weft_result result = {.error = WEFT_OK};
  for (uint32_t i = 0; i < body->particle_count && result.error == WEFT_OK; ++i) {
    sim_scope_set_index(source->scope, source->run_names, event->body, i);
    sim_scope_set_vector(source->scope, source->run_names, SIM_NAME_X0, event->from + 3 * (size_t)i);
    sim_formula_floats(event->formulas, 3, source->scope, world, places[i]);
    if (!is_first) continue;
    weft_skin_limits limits = weft_default_skin_limits();
    sim_formula_floats(event->formulas + 3, 1, source->scope, world, &limits.max_distance);
    result = weft_world_set_skin_limits(world, body->first_particle + i, 1, &limits, 0);
  }
  if (result.error != WEFT_OK) return result;
  return weft_world_move_skin(world, body->first_particle, body->particle_count, places[0],
                              sizeof places[0], NULL, 0);
}

static bool run_skin(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  const bool is_first = !event->from;
  (void)share;
  if (!sim_keep_start(source, place, event, world)) return false;
  float(*places)[3] = malloc(event->body->made.particle_count * sizeof *places);
  if (!places) return sim_fault(source, place, "no memory for a skin");
  const weft_result result = move_skin(source, event, world, places, is_first);
  free(places);
  return sim_check_event(source, place, event, result);
}

// ---- slice ----

typedef struct file_slice {
  const tool_tree* corners[3];
  double seconds;
} file_slice;

#define CORNER(key, i)                                                                        \
  {key, SIM_FIELD_LIST, offsetof(file_slice, corners) + (i) * sizeof(tool_tree*), true, false, 0, 0, \
   NULL, "metres: three formulas of `t` at the end of the step"}
static const sim_field slice_fields[] = {
    CORNER("a", 0),
    CORNER("b", 1),
    CORNER("c", 2),
    {"for", SIM_FIELD_REAL, offsetof(file_slice, seconds), false, false, 0, 1e6, NULL,
     "seconds that it takes; 0 = one step"},
};

static const sim_table slice_table = {"events: slice",
                                      "Tears all links that pass through a triangle that moves.",
                                      SIM_TABLE_FIELDS(slice_fields), sizeof(file_slice), NULL};

static double slice_seconds(const sim_event* event) {
  return ((const file_slice*)event->def)->seconds;
}

static bool read_slice(const sim_source* source, const sim_place* place, sim_event* event) {
  static const char* const keys[] = {"a", "b", "c"};
  event->formulas = calloc(9, sizeof *event->formulas);
  if (!event->formulas) return sim_fault(source, place, "no memory for it");
  for (int i = 0; i < 3; ++i) {
    const sim_place here = {place, keys[i], 0};
    if (!sim_read_formulas(source, &here, ((const file_slice*)event->def)->corners[i],
                           source->scope, event->formulas + 3 * i, 3)) {
      return false;
    }
  }
  return true;
}

static bool run_slice(const sim_source* source, const sim_place* place, sim_event* event,
                      weft_world* world, double share) {
  float triangle[9];
  (void)share;
  sim_formula_floats(event->formulas, 9, source->scope, world, triangle);
  return sim_check_event(source, place, event, weft_world_cut(world, triangle, NULL));
}

// ---- hole ----

static const sim_field hole_fields[] = {
    {"particle", SIM_FIELD_COUNT, LED(particle), true, false, 0, UINT32_MAX, NULL,
     "number of the particle in its middle"},
    {"radius", SIM_FIELD_FLOAT, LED(radius), true, true, 0, 1e6, NULL, "metres"},
};

static const sim_table hole_table = {"events: hole", "Tears all links near a particle.",
                                     SIM_TABLE_FIELDS(hole_fields), sizeof(file_led), NULL};

static bool run_hole(const sim_source* source, const sim_place* place, sim_event* event,
                     weft_world* world, double share) {
  const file_led* def = event->def;
  const uint32_t particle = event->body->made.first_particle + def->particle;
  float at[3];
  (void)share;
  weft_result result = weft_world_get_positions(world, particle, 1, at);
  if (result.error == WEFT_OK) result = weft_world_tear_near(world, at, at, def->radius, NULL);
  return sim_check_event(source, place, event, result);
}

const sim_event_type sim_event_slice = {.name = "slice",
                                        .table = &slice_table,
                                        .takes = SIM_TAKES_NOTHING,
                                        .seconds = slice_seconds,
                                        .read = read_slice,
                                        .run = run_slice};
const sim_event_type sim_event_hole = {
    .name = "hole", .table = &hole_table, .takes = SIM_TAKES_BODY, .run = run_hole};
const sim_event_type sim_event_skin = {.name = "skin",
                                       .table = &skin_table,
                                       .takes = SIM_TAKES_BODY,
                                       .seconds = led_seconds,
                                       .read = read_skin,
                                       .run = run_skin};
const sim_event_type sim_event_lead = {.name = "lead",
                                       .table = &lead_table,
                                       .takes = SIM_TAKES_PARTICLES,
                                       .seconds = led_seconds,
                                       .read = read_to,
                                       .run = run_lead};
const sim_event_type sim_event_hold = {.name = "hold",
                                       .table = &hold_table,
                                       .takes = SIM_TAKES_BODY,
                                       .seconds = led_seconds,
                                       .read = read_to,
                                       .run = run_hold,
                                       .runs_after = true};
