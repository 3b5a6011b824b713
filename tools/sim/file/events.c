#include "sim/file/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TYPES = 32, MOST_TARGETS = 4 };

#define EVENT(member) offsetof(sim_event, member)
static const sim_field event_fields[] = {
    {"at", SIM_FIELD_REAL, EVENT(at), false, false, 0, 1e6, NULL,
     "seconds: it happens before the first step that begins then or later"},
    {"do", SIM_FIELD_TEXT, EVENT(type_name), true, false, 0, 0, NULL, "action: see below"},
};

static const sim_table event_table = {"events",
                                      "One object of `events`: what all of them have, and the keys "
                                      "of what happens. Those that are about a "
                                      "body or its particles have the keys of the next two tables "
                                      "as well. Events of one moment happen in the "
                                      "order of the file.",
                                      SIM_TABLE_FIELDS(event_fields), sizeof(sim_event), NULL};

/* The structs of the next two are that of the event: they must leave alone what the first table has
 * filled. */
static const sim_field about_fields[] = {
    {"body", SIM_FIELD_TEXT, EVENT(body_name), true, false, 0, 0, NULL, "the name of a body"},
};

static const sim_table about_table = {
    "events: about a body", "Which body. Of `shift`, `remove`, `hold`, and those of the next table.",
    SIM_TABLE_FIELDS(about_fields), 0, NULL};

static const sim_field particle_fields[] = {
    {"particles", SIM_FIELD_ANY, EVENT(particles), false, false, 0, 0, NULL,
     "which of its particles, as `pin` has them; without it, all"},
};

static const sim_table particle_table = {
    "events: about particles",
    "Which particles of the body. Of `pin`, `unpin`, `throw`, `move`, `force`, `lead`.",
    SIM_TABLE_FIELDS(particle_fields), 0, NULL};

// ---- reading ----

static const sim_event_type* find_type(const sim_source* source, const sim_place* place,
                                       const tool_tree* object) {
  const char* names[MOST_TYPES];
  size_t count = 0;
  while (sim_event_types[count]) names[count] = sim_event_types[count]->name, ++count;
  const size_t found = sim_find_kind(source, place, object, "do", "an event", names, count);
  return found < count ? sim_event_types[found] : NULL;
}

static bool read_event(const sim_source* source, const sim_place* place, const tool_tree* object,
                       sim_event* event) {
  const sim_event_type* type = find_type(source, place, object);
  if (!type) return false;
  sim_target targets[MOST_TARGETS] = {{&event_table, event}};
  size_t count = 1;
  void* def = NULL;
  if (type->takes != SIM_TAKES_NOTHING) targets[count++] = (sim_target){&about_table, event};
  if (type->takes == SIM_TAKES_PARTICLES) targets[count++] = (sim_target){&particle_table, event};
  if (type->table->count > 0) {
    def = calloc(1, type->table->bytes);
    if (!def) return sim_fault(source, place, "no memory for it");
    targets[count++] = (sim_target){type->table, def};
  }
  const bool ok = sim_read_object(source, place, object, targets, count);
  event->type = type;
  event->def = def;
  return ok && (!type->read || type->read(source, place, event));
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
    free(events->items[i].formulas);
  }
  free(events->items);
  *events = (sim_events){NULL, 0};
}

// ---- making ready ----

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

/* Whole nanoseconds, so that no rounding of a step's seconds moves an event to the next step. */
static uint64_t steps_until(double seconds, int64_t step_ns) {
  const uint64_t ns = (uint64_t)llround(seconds * 1e9), step = (uint64_t)step_ns;
  return ns / step + (ns % step > 0);
}

bool sim_prepare_events(const sim_source* source, const sim_bodies* bodies, int64_t step_ns,
                        sim_events* events) {
  const sim_place root = {NULL, "events", 0};
  for (size_t i = 0; i < events->count; ++i) {
    sim_event* event = &events->items[i];
    const sim_place place = {&root, NULL, i};
    const double seconds = event->type->seconds ? event->type->seconds(event) : 0.0;
    event->first = steps_until(event->at, step_ns);
    event->steps = steps_until(event->at + seconds, step_ns) - event->first;
    if (event->steps == 0) event->steps = 1;
    const bool about = event->type->takes != SIM_TAKES_NOTHING;
    if (about && !find_body(source, &place, bodies, event)) return false;
  }
  return true;
}

bool sim_run_events(const sim_source* source, const sim_view* view, weft_world* world,
                    sim_events* events, sim_result_list* results) {
  const uint64_t step = view->step;
  const sim_place root = {NULL, "events", 0};
  for (size_t i = 0; i < events->count; ++i) {
    sim_event* event = &events->items[i];
    const sim_place place = {&root, NULL, i};
    const uint64_t end = event->first + event->steps + (event->type->runs_after ? 1 : 0);
    if (step < event->first || step >= end) continue;
    const double share = (double)(step - event->first + 1) / (double)event->steps;
    if (!event->type->run(source, &place, event, world, share)) return false;
    sim_note_event(results, view);
  }
  return true;
}

// ---- for the types ----

bool sim_check_event(const sim_source* source, const sim_place* place, const sim_event* event,
                     weft_result result) {
  return result.error == WEFT_OK || sim_weft_fault(source, place, event->type->table, result);
}

bool sim_next_particle(const sim_event* event, uint32_t* next, uint32_t* particle) {
  while (*next < event->body->made.particle_count) {
    const uint32_t i = (*next)++;
    if (!event->selected[i]) continue;
    *particle = event->body->made.first_particle + i;
    return true;
  }
  return false;
}

bool sim_keep_start(const sim_source* source, const sim_place* place, sim_event* event,
                    const weft_world* world) {
  const weft_body* body = &event->body->made;
  if (event->from) return true;
  event->from = malloc(sizeof(float[3]) * body->particle_count);
  if (!event->from) return sim_fault(source, place, "no memory to move so many particles");
  return sim_check_event(
      source, place, event,
      weft_world_get_positions(world, body->first_particle, body->particle_count, event->from));
}

// ---- the reference ----

void sim_print_events(FILE* out) {
  sim_print_table(out, &event_table);
  sim_print_table(out, &about_table);
  sim_print_table(out, &particle_table);
  for (const sim_event_type* const* t = sim_event_types; *t; ++t) {
    const sim_table* table = (*t)->table;
    // which are keys of the file as well, and printed there
    if (table != &sim_wind_table && table != &sim_bounds_table) sim_print_table(out, table);
  }
}

// ---- snapshots ----

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
