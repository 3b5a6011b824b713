#include "sim/file/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/file/event_types.h"

static const sim_event_type* const types[] = {
    &sim_event_pin,  &sim_event_unpin,   &sim_event_throw,   &sim_event_move,      &sim_event_force,
    &sim_event_skin, &sim_event_shift,   &sim_event_remove,  &sim_event_drag,      &sim_event_tear,
    &sim_event_cut,  &sim_event_gravity, &sim_event_damping, &sim_event_max_speed, &sim_event_wind,
    &sim_event_calm, &sim_event_bounds,
};

enum { TYPES = sizeof types / sizeof types[0], MOST_TARGETS = 4 };

#define EVENT(member) offsetof(sim_event, member)
static const sim_field event_fields[] = {
    SIM_RANGE_OF(EVENT, REAL, at, 0, 1e6,
                 "seconds: it happens before the first step that begins then or later"),
    {"do", SIM_FIELD_TEXT, EVENT(type_name), true, false, 0, 0, NULL, "action: see below"},
};

static const sim_table event_table = {"events",
                                      "One object of `events`: what all of them have, and the keys "
                                      "of what happens. Those that are about a body or its "
                                      "particles have the keys of the next two tables as well. "
                                      "Events of one moment happen in the order of the file.",
                                      SIM_TABLE_FIELDS(event_fields), sizeof(sim_event), NULL};

/* The next two tables fill the event's own struct, without defaults. */
static const sim_field about_fields[] = {
    {"body", SIM_FIELD_TEXT, EVENT(body_name), true, false, 0, 0, NULL, "the name of a body"},
};

static const sim_table about_table = {
    "events: about a body", "Which body. Of `shift`, `remove`, and those of the next table.",
    SIM_TABLE_FIELDS(about_fields), 0, NULL};

static const sim_field particle_fields[] = {
    SIM_KEY_OF(EVENT, ANY, particles, "which of its particles, as `pin` has them; without it, all"),
};

static const sim_table particle_table = {
    "events: about particles",
    "Which particles of the body. Of `pin`, `unpin`, `throw`, `move`, `force`, `skin`.",
    SIM_TABLE_FIELDS(particle_fields), 0, NULL};

static bool has_def(const sim_event* event) {
  return event->type->table->bytes == sizeof(sim_event_def);
}

static bool read_vectors(const sim_source* source, const sim_place* place, sim_event* event) {
  const sim_event_def* def = event->def;
  const sim_place at_limit = {place, "max_distance", 0};
  event->vectors = calloc(SIM_MOST_VECTORS, sizeof *event->vectors);
  if (!event->vectors) return sim_fault(source, place, "no memory for it");
  for (int i = 0; i < SIM_MOST_VECTORS && event->type->vectors[i]; ++i) {
    const sim_place here = {place, event->type->vectors[i], 0};
    if (def->vectors[i] &&
        !sim_read_formulas(source, &here, def->vectors[i], source->scope, event->vectors[i], 3)) {
      return false;
    }
  }
  return !def->limit ||
         sim_read_formula(source, &at_limit, def->limit, source->scope, &event->limit);
}

/* A straight line, or a path. */
static bool check_way(const sim_source* source, const sim_place* place, const sim_event* event) {
  const sim_event_def* def = event->def;
  const bool is_drag = event->type == &sim_event_drag;
  if (!is_drag && event->type != &sim_event_move) return true;
  const char* key = is_drag ? "to" : "by";
  const bool is_straight = def->vectors[is_drag ? 2 : 0] != NULL;
  if (is_straight != !def->vectors[1]) {
    const sim_place here = {place, is_straight ? "path" : key, 0};
    return sim_fault(source, &here, is_straight ? "%s is given, too" : "missing key", key);
  }
  return true;
}

static bool read_event(const sim_source* source, const sim_place* place, const tool_tree* object,
                       sim_event* event) {
  const char* names[TYPES];
  for (size_t i = 0; i < TYPES; ++i) names[i] = types[i]->name;
  const size_t found = sim_find_kind(source, place, object, "do", "an event", names, TYPES);
  if (found == TYPES) return false;
  const sim_event_type* type = types[found];
  void* def = calloc(1, type->table->bytes);
  if (!def) return sim_fault(source, place, "no memory for it");
  sim_target targets[MOST_TARGETS] = {{&event_table, event}};
  size_t count = 1;
  if (type->takes != SIM_TAKES_NOTHING) targets[count++] = (sim_target){&about_table, event};
  if (type->takes == SIM_TAKES_PARTICLES) targets[count++] = (sim_target){&particle_table, event};
  targets[count++] = (sim_target){type->table, def};
  const bool ok = sim_read_object(source, place, object, targets, count);
  event->type = type;
  event->def = def;
  return ok && (!has_def(event) ||
                (read_vectors(source, place, event) && check_way(source, place, event)));
}

bool sim_read_events(const sim_source* source, const tool_tree* list, sim_events* events) {
  const sim_place root = {NULL, "events", 0};
  const size_t count = tool_tree_size(list);
  if (count == 0) return true;
  events->items = calloc(count, sizeof *events->items);
  if (!events->items) return sim_fault(source, &root, "no memory for %zu events", count);
  events->count = count;
  for (size_t i = 0; i < count; ++i) {
    const sim_place place = {&root, NULL, i};
    if (!read_event(source, &place, &list->items[i], &events->items[i])) return false;
  }
  return true;
}

void sim_free_events(sim_events* events) {
  for (size_t i = 0; i < events->count; ++i) {
    free(events->items[i].def);
    free(events->items[i].selected);
    free(events->items[i].from);
    free(events->items[i].vectors);
  }
  free(events->items);
  *events = (sim_events){NULL, 0};
}

static bool find_body(const sim_source* source, const sim_place* place, const sim_bodies* bodies,
                      sim_event* event) {
  const sim_place body = {place, "body", 0}, particles = {place, "particles", 0};
  event->body = sim_find_body(source, &body, bodies, event->body_name);
  if (!event->body || event->type->takes == SIM_TAKES_BODY) return event->body != NULL;
  static const tool_tree all = {.kind = TOOL_TREE_TEXT, .text = "all"};
  event->selected =
      sim_select(source, &particles, event->body, event->particles ? event->particles : &all);
  return event->selected != NULL;
}

/* Whole nanoseconds: rounding of a step's seconds must not move an event to the next step. */
static uint64_t steps_until(double seconds, int64_t step_ns) {
  const uint64_t ns = (uint64_t)llround(seconds * 1e9), step = (uint64_t)step_ns;
  return ns / step + (ns % step > 0);
}

static double seconds_of(const sim_event* event) {
  const sim_event_def* def = event->def;
  if (!event->type->lasts) return 0.0;
  if (!isnan(def->seconds)) return def->seconds;
  const bool has_path = event->type != &sim_event_cut && event->vectors[1][0].count > 0;
  return has_path ? 1e6 : 0.0;
}

bool sim_prepare_events(const sim_source* source, const sim_bodies* bodies, int64_t step_ns,
                        sim_events* events) {
  const sim_place root = {NULL, "events", 0};
  for (size_t i = 0; i < events->count; ++i) {
    sim_event* event = &events->items[i];
    const sim_place place = {&root, NULL, i};
    const double seconds = seconds_of(event);
    event->first = steps_until(event->at, step_ns);
    event->steps = steps_until(event->at + seconds, step_ns) - event->first;
    if (event->steps == 0) event->steps = 1;
    const bool about = event->type->takes != SIM_TAKES_NOTHING;
    if (about && !find_body(source, &place, bodies, event)) return false;
  }
  return true;
}

void sim_event_vector(const sim_event* event, const sim_event_call* call, int which,
                      float vector[3]) {
  sim_formula_floats(event->vectors[which], 3, call->scope, call->world, vector);
}

/* Stores the positions of the body's particles, once. */
static weft_result keep_first(sim_event* event, const weft_world* world) {
  const weft_body* body = &event->body->made;
  if (event->from) return (weft_result){.error = WEFT_OK};
  event->from = malloc(sizeof(float[3]) * body->particle_count);
  if (!event->from) {
    return (weft_result){.error = WEFT_ERROR_OUT_OF_MEMORY, .field = "positions"};
  }
  return weft_world_get(world, WEFT_ATTRIBUTE_POSITION,
                        weft_range(body->first_particle, body->particle_count), event->from, 0);
}

static weft_result run_particles(sim_event* event, const sim_event_call* call) {
  const weft_body* body = &event->body->made;
  weft_result result = {.error = WEFT_OK};
  if (event->type->has_start) result = keep_first(event, call->world);
  for (uint32_t i = 0; i < body->particle_count && result.error == WEFT_OK; ++i) {
    if (!event->selected[i]) continue;
    sim_scope_set_index(call->scope, call->run_names, event->body, i);
    if (event->type->has_start) {
      sim_scope_set_vector(call->scope, call->run_names, SIM_NAME_X0, event->from + 3 * (size_t)i);
    }
    result = event->type->run_particle(event, call, body->first_particle + i);
  }
  ++event->held_steps;
  return result;
}

bool sim_run_events(const sim_source* source, const sim_view* view, sim_events* events,
                    sim_result_list* results) {
  const sim_place root = {NULL, "events", 0};
  for (size_t i = 0; i < events->count; ++i) {
    sim_event* event = &events->items[i];
    const sim_place place = {&root, NULL, i};
    const uint64_t end = event->first + event->steps + (event->type->runs_after ? 1 : 0);
    if (view->step < event->first || view->step >= end) continue;
    const double share = (double)(view->step - event->first + 1) / (double)event->steps;
    const sim_event_call call = {view->world, view->scope, source->run_names, share};
    const weft_result result =
        event->type->run ? event->type->run(event, &call) : run_particles(event, &call);
    if (result.error != WEFT_OK) return sim_weft_fault(source, &place, event->type->table, result);
    sim_note_event(results, view);
  }
  return true;
}

void sim_print_events(FILE* out) {
  sim_print_table(out, &event_table);
  sim_print_table(out, &about_table);
  sim_print_table(out, &particle_table);
  for (size_t i = 0; i < TYPES; ++i) {
    const sim_table* table = types[i]->table;
    // which are keys of the file as well, and printed there
    if (table != &sim_wind_table && table != &sim_bounds_table) sim_print_table(out, table);
  }
}

static void keep_start(sim_event* event, sim_keep* keep) {
  const size_t size = sizeof(float[3]) * event->body->made.particle_count;
  if (keep->is_reading) {
    free(event->from);
    event->from = malloc(size + 1);
    if (!event->from) {
      keep->is_short = true;
      return;
    }
  }
  sim_keep_bytes(keep, event->from, size);
}

void sim_keep_events(sim_events* events, sim_keep* keep) {
  for (size_t i = 0; i < events->count; ++i) {
    sim_event* event = &events->items[i];
    bool has_start = event->from != NULL;
    SIM_KEEP(keep, event->grip);
    SIM_KEEP(keep, event->is_gripped);
    SIM_KEEP(keep, event->held);
    SIM_KEEP(keep, event->held_steps);
    SIM_KEEP(keep, has_start);
    if (has_start && event->body) keep_start(event, keep);
  }
}
