#include "sim/file/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"

enum { TAKE_MAX, TAKE_MIN, TAKE_MEAN, TAKE_SUM };
enum {
  OVER_END,
  OVER_MAX,
  OVER_MIN,
  OVER_MEAN,
  OVER_FIRST,
  OVER_DRIFT,
  OVER_TURNS,
  OVER_ACCELERATION,
  OVER_DURATION
};

static const char* const takes[] = {"max", "min", "mean", "sum", NULL};
static const char* const overs[] = {"end",   "max",   "min",          "mean",     "first",
                                    "drift", "turns", "acceleration", "duration", NULL};

struct sim_result {
  // read
  const char *name, *gauge_name, *body_name;
  const tool_tree *is_text, *each_text, *where_text, *if_text;
  int take, over;
  double from; /* seconds */
  bool is_finite, is_shown;
  // ready
  sim_formula is, each, where;
  const sim_body* body; /* NULL = all bodies */
  const sim_gauge* gauge;
  void* state;   /* state of the gauge */
  uint32_t slot; /* index of its value in the scope */
  // values so far
  uint64_t count;
  double value, first, seconds;
  double tt, tq, qq, ts, qs; /* sums of products of time t, q = t^2 / 2 and the value s */
};

#define RESULT(member) offsetof(sim_result, member)
static const sim_field fields[] = {
    SIM_KEY_OF(RESULT, TEXT, name, "name in the report; one that begins with `_` is not reported"),
    SIM_KEY("is", ANY, RESULT(is_text), "formula of the world, and of results before it"),
    SIM_KEY("each", ANY, RESULT(each_text), "formula of each particle, in place of `is`"),
    SIM_KEY("where", ANY, RESULT(where_text), "formula: particles that count"),
    SIM_KEY("body", TEXT, RESULT(body_name),
            "name of the body whose particles count; without it, all"),
    {"take", SIM_FIELD_CHOICE, RESULT(take), false, false, 0, 0, takes, "number of all particles"},
    {"over", SIM_FIELD_CHOICE, RESULT(over), false, false, 0, 0, overs,
     "number of all states: `drift` is the largest change since the first, `turns` counts changes "
     "of sign, `acceleration` fits a t^2 / 2 + b t, `duration` counts seconds"},
    SIM_RANGE_OF(RESULT, REAL, from, 0, 1e6, "second of the first state that counts"),
    SIM_KEY("finite", FLAG, RESULT(is_finite), "only finite values count"),
    SIM_KEY("show", FLAG, RESULT(is_shown),
            "a curve while it runs in the viewer, and not in the report"),
    SIM_KEY("gauge", TEXT, RESULT(gauge_name),
            "group of results, in place of all these keys: see gauges"),
};

const sim_table sim_result_table = {
    "results",
    "One object of `results`: a number of the report. Formulas read the names of the file, `t`, "
    "`kinetic`, `gravitational`, `elastic`, `center_x`, `lower_x`, `upper_x` and so on, "
    "`max_strain`, the particle's `i`, `column`, `row`, `x`, `y`, `z`, `vx`, `vy`, `vz`, at the "
    "start `x0`, `y0`, `z0`, and `px(I)` to `vz(I)` of any particle of the scene.",
    SIM_TABLE_FIELDS(fields), sizeof(sim_result), NULL};

// ---- names ----

uint32_t sim_scope_add_run_names(sim_scope* scope) {
  static const char* const names[SIM_RUN_NAMES] = {
      "t",         "i",        "column",   "row",      "x",
      "y",         "z",        "vx",       "vy",       "vz",
      "x0",        "y0",       "z0",       "kinetic",  "gravitational",
      "elastic",   "center_x", "center_y", "center_z", "lower_x",
      "lower_y",   "lower_z",  "upper_x",  "upper_y",  "upper_z",
      "max_strain"};
  const uint32_t first = scope->count;
  for (int i = 0; i < SIM_RUN_NAMES; ++i) {
    if (!sim_scope_add(scope, (sim_name){names[i], false, NULL}, 0.0)) return SIM_MOST_NAMES;
  }
  return first;
}

void sim_scope_set_index(sim_scope* scope, uint32_t first, const sim_body* body, uint32_t i) {
  const uint32_t columns = sim_columns_of(body);
  scope->values[first + SIM_NAME_I] = i;
  scope->values[first + SIM_NAME_COLUMN] = i % columns;
  scope->values[first + SIM_NAME_ROW] = i / columns;
}

void sim_scope_set_vector(sim_scope* scope, uint32_t first, uint32_t which, const float vector[3]) {
  for (uint32_t k = 0; k < 3; ++k) scope->values[first + which + k] = (double)vector[k];
}

static void set_measures(sim_scope* scope, uint32_t first, const weft_world* world) {
  weft_measures m = {.max_strain = NAN};
  tool_must(weft_world_measure(world, &m));
  double* values = scope->values + first;
  values[SIM_NAME_KINETIC] = m.kinetic;
  values[SIM_NAME_GRAVITATIONAL] = m.gravitational;
  values[SIM_NAME_ELASTIC] = m.elastic;
  for (int k = 0; k < 3; ++k) {
    values[SIM_NAME_CENTER_X + k] = m.center[k];
    values[SIM_NAME_LOWER_X + k] = (double)m.lower[k];
    values[SIM_NAME_UPPER_X + k] = (double)m.upper[k];
  }
  values[SIM_NAME_STRAIN] = m.max_strain;
}

// ---- reading ----

static bool read_gauge(const sim_source* source, const sim_place* place, const tool_tree* object,
                       sim_result* result) {
  const char* names[32];
  size_t count = 0;
  for (; sim_gauges[count]; ++count) names[count] = sim_gauges[count]->name;
  const size_t found = sim_find_kind(source, place, object, "gauge", "a gauge", names, count);
  if (found == count) return false;
  static const sim_field gauge_field[] = {
      {"gauge", SIM_FIELD_TEXT, RESULT(gauge_name), true, false, 0, 0, NULL, ""}};
  static const sim_table gauge_table = {"", "", SIM_TABLE_FIELDS(gauge_field), 0, NULL};
  result->gauge = sim_gauges[found];
  result->state = calloc(1, result->gauge->table->bytes);
  if (!result->state) return sim_fault(source, place, "no memory for it");
  const sim_target targets[] = {{&gauge_table, result}, {result->gauge->table, result->state}};
  return sim_read_object(source, place, object, targets, 2);
}

static bool read_optional(const sim_source* source, const sim_place* place, const char* key,
                          const tool_tree* text, const sim_scope* scope, sim_formula* formula) {
  const sim_place here = {place, key, 0};
  return !text || sim_read_formula(source, &here, text, scope, formula);
}

static bool read_result(const sim_source* source, const sim_place* place, const tool_tree* item,
                        sim_scope* scope, sim_result* result) {
  if (tool_tree_get(item, "gauge")) return read_gauge(source, place, item, result);
  const sim_target target = {&sim_result_table, result};
  if (!sim_read_object(source, place, item, &target, 1)) return false;
  if (!result->name || !result->is_text == !result->each_text) {
    return sim_fault(source, place, "needs a name, and one of is and each");
  }
  if (strlen(result->name) >= SIM_MOST_RESULT_NAME) {
    const sim_place here = {place, "name", 0};
    return sim_fault(source, &here, "is longer than %d bytes", SIM_MOST_RESULT_NAME - 1);
  }
  if (!read_optional(source, place, "is", result->is_text, scope, &result->is) ||
      !read_optional(source, place, "each", result->each_text, scope, &result->each) ||
      !read_optional(source, place, "where", result->where_text, scope, &result->where)) {
    return false;
  }
  result->value =
      result->over < OVER_DRIFT || result->over == OVER_ACCELERATION ? (double)NAN : 0.0;
  result->slot = scope->count;
  return sim_scope_add(scope, (sim_name){result->name, false, NULL}, (double)NAN) ||
         sim_fault(source, place, "too many names");
}

bool sim_read_results(const sim_source* source, const tool_tree* list, sim_scope* scope,
                      uint32_t run_names, sim_result_list* results) {
  const sim_place root = {NULL, "results", 0};
  const size_t count = tool_tree_size(list);
  *results = (sim_result_list){.run_names = run_names};
  if (count == 0) return true;
  if (count > SIM_MOST_RESULTS) return sim_fault(source, &root, "has more than 64 results");
  results->items = calloc(count, sizeof *results->items);
  if (!results->items) return sim_fault(source, &root, "no memory for %zu results", count);
  results->count = count;
  for (size_t i = 0; i < count; ++i) {
    const sim_place place = {&root, NULL, i};
    if (!read_result(source, &place, &list->items[i], scope, &results->items[i])) return false;
  }
  return true;
}

void sim_free_results(sim_result_list* results) {
  for (size_t i = 0; i < results->count; ++i) {
    const sim_result* result = &results->items[i];
    if (result->state && result->gauge->release) result->gauge->release(result->state);
    free(result->state);
  }
  free(results->items);
  free(results->first);
  free(results->positions);
  free(results->velocities);
  *results = (sim_result_list){.count = 0};
}

// ---- starting ----

static bool reads(const sim_formula* formula, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < formula->count; ++i) {
    const sim_operation* o = &formula->operations[i];
    if (o->code == SIM_FORMULA_NAME && o->index - first < count) return true;
  }
  return false;
}

bool sim_build_results(sim_result_list* results, const weft_scene* scene, tool_message* why) {
  for (size_t i = 0; i < results->count; ++i) {
    const sim_result* r = &results->items[i];
    if (r->gauge && r->gauge->build && !r->gauge->build(r->state, scene, why)) return false;
  }
  return true;
}

void sim_note_event(sim_result_list* results, const sim_view* view) {
  for (size_t i = 0; i < results->count; ++i) {
    const sim_result* r = &results->items[i];
    if (r->gauge && r->gauge->note_event) r->gauge->note_event(r->state, view);
  }
}

bool sim_start_results(const sim_source* source, const sim_view* view, sim_result_list* list) {
  const sim_place root = {NULL, "results", 0};
  const uint32_t measures = list->run_names + SIM_NAME_KINETIC;
  bool has_particles = false;
  for (size_t i = 0; i < list->count; ++i) {
    sim_result* r = &list->items[i];
    const sim_place place = {&root, NULL, i}, at_body = {&place, "body", 0};
    if (r->body_name && !(r->body = sim_find_body(source, &at_body, view->bodies, r->body_name))) {
      return false;
    }
    has_particles = has_particles || r->each.count > 0;
    list->has_curves = list->has_curves || r->is_shown;
    if (r->over == OVER_END && r->each.count > 0) continue;
    list->reads_particles = list->reads_particles || r->each.count > 0;
    list->reads_measures = list->reads_measures || reads(&r->is, measures, SIM_RUN_NAMES);
  }
  if (!has_particles) return true;
  weft_world_stats stats = {.particle_count = 0};
  tool_must(weft_world_get_stats(view->world, &stats));
  list->particle_count = stats.particle_count;
  list->first = calloc(stats.particle_count, sizeof *list->first);
  list->positions = calloc(stats.particle_count, sizeof *list->positions);
  list->velocities = calloc(stats.particle_count, sizeof *list->velocities);
  if (!list->first || !list->positions || !list->velocities) {
    return sim_fault(source, &root, "no memory for %u particles", stats.particle_count);
  }
  tool_get(view->world, WEFT_ATTRIBUTE_POSITION, 0, stats.particle_count, list->first[0]);
  return true;
}

// ---- values ----

static void take_particle(const sim_result* r, double value, uint64_t counted, double* taken) {
  if (counted == 0) {
    *taken = value;
  } else if (r->take >= TAKE_MEAN) {
    *taken += value;
  } else if (r->take == TAKE_MAX ? !(value <= *taken) : !(value >= *taken)) {
    *taken = isnan(*taken) ? *taken : value;
  }
}

/* A number over all counted particles: NaN without any, except a sum. */
static double value_of_particles(const sim_result_list* list, const sim_result* r,
                                 const sim_view* view) {
  double taken = r->take == TAKE_SUM ? 0.0 : (double)NAN;
  uint64_t counted = 0;
  for (size_t b = 0; b < view->bodies->count; ++b) {
    const sim_body* body = &view->bodies->items[b];
    if (r->body && r->body != body) continue;
    for (uint32_t i = 0; i < body->made.particle_count; ++i) {
      const uint32_t particle = body->made.first_particle + i;
      sim_scope_set_index(view->scope, list->run_names, body, i);
      sim_scope_set_vector(view->scope, list->run_names, SIM_NAME_X, list->positions[particle]);
      sim_scope_set_vector(view->scope, list->run_names, SIM_NAME_VX, list->velocities[particle]);
      sim_scope_set_vector(view->scope, list->run_names, SIM_NAME_X0, list->first[particle]);
      if (r->where.count > 0 && sim_formula_value(&r->where, view->scope, view->world) == 0.0) {
        continue;
      }
      take_particle(r, sim_formula_value(&r->each, view->scope, view->world), counted++, &taken);
    }
  }
  return r->take == TAKE_MEAN ? taken / (double)counted : taken;
}

static double value_now(const sim_result_list* list, const sim_result* r, const sim_view* view) {
  return r->each.count > 0 ? value_of_particles(list, r, view)
                           : sim_formula_value(&r->is, view->scope, view->world);
}

/* Least squares of s = a t^2 / 2 + b t. */
static double fit_acceleration(sim_result* r, double t, double s) {
  const double q = 0.5 * t * t;
  r->tt += t * t;
  r->tq += t * q;
  r->qq += q * q;
  r->ts += t * s;
  r->qs += q * s;
  const double area = r->tt * r->qq - r->tq * r->tq;
  return area > 0.0 ? (r->tt * r->qs - r->tq * r->ts) / area : (double)NAN;
}

/* Takes in a value; NaN stays in extremes. */
static void add_value(sim_result* r, const sim_view* view, double now) {
  if (r->is_finite && !isfinite(now)) return;
  const bool is_first = r->count++ == 0;
  if (is_first) r->first = now;
  if (r->over == OVER_DRIFT) now = fabs(now - r->first);
  if (r->over == OVER_MEAN) {
    r->tt += now * view->h;
    r->seconds += view->h;
    r->value = r->tt / r->seconds;
  } else if (r->over == OVER_DURATION) {
    r->value = (is_first ? 0.0 : r->value) + view->h;
  } else if (r->over == OVER_TURNS) {
    if (r->tt * now < 0.0) r->tq += 1.0;
    if (now != 0.0) r->tt = now;
    r->value = r->tq;
  } else if (r->over == OVER_ACCELERATION) {
    r->value = fit_acceleration(r, view->time, now);
  } else if (r->over == OVER_MIN ? !(now >= r->value) : !(now <= r->value)) {
    r->value = is_first || !isnan(r->value) ? now : r->value;
  }
}

static void add_result(sim_result_list* list, sim_result* r, const sim_view* view, bool is_end) {
  if (r->gauge) {
    if (r->gauge->note) r->gauge->note(r->state, view);
  } else if (r->over == OVER_END) {
    if (is_end || r->is.count > 0) r->value = value_now(list, r, view);
  } else if (view->step >= list->noted && view->time >= r->from &&
             !(r->over == OVER_FIRST && r->count > 0)) {
    add_value(r, view, value_now(list, r, view));
  }
  if (!r->gauge) view->scope->values[r->slot] = r->value;
}

static void note(sim_result_list* list, const sim_view* view, bool is_end) {
  if (list->count == 0 || (!is_end && view->step < list->noted)) return;
  view->scope->values[list->run_names + SIM_NAME_T] = view->time;
  if (list->positions && (is_end || list->reads_particles)) {
    const uint32_t count = list->particle_count;
    tool_get(view->world, WEFT_ATTRIBUTE_POSITION, 0, count, list->positions[0]);
    tool_get(view->world, WEFT_ATTRIBUTE_VELOCITY, 0, count, list->velocities[0]);
  }
  if (is_end || list->reads_measures) set_measures(view->scope, list->run_names, view->world);
  for (size_t i = 0; i < list->count; ++i) add_result(list, &list->items[i], view, is_end);
  list->noted = view->step + 1;
}

void sim_note_results(sim_result_list* list, const sim_view* view) {
  note(list, view, false);
}

void sim_report_results(sim_result_list* list, const sim_view* view, sim_results* results) {
  note(list, view, true);
  for (size_t i = 0; i < list->count; ++i) {
    sim_result* r = &list->items[i];
    if (r->gauge) {
      r->gauge->report(r->state, view, results);
    } else if (r->name[0] != '_' && !r->is_shown) {
      sim_add_result(results, r->name, r->value);
    }
  }
}

uint32_t sim_show_results(sim_result_list* list, const sim_view* view,
                          sim_shown shown[SIM_MOST_SHOWN]) {
  uint32_t count = 0;
  if (list->has_curves) note(list, view, true);
  for (size_t i = 0; i < list->count && count < SIM_MOST_SHOWN; ++i) {
    const sim_result* r = &list->items[i];
    if (r->is_shown) shown[count++] = (sim_shown){.name = r->name, .value = r->value};
  }
  return count;
}

// ---- the reference ----

void sim_print_results(FILE* out) {
  sim_print_table(out, &sim_result_table);
  for (size_t i = 0; sim_gauges[i]; ++i) sim_print_table(out, sim_gauges[i]->table);
}
