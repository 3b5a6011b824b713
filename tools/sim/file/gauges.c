/* Groups of results of scene files that no formula expresses. */
#include <math.h>
#include <stdlib.h>

#include "common/must.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/file/results.h"
#include "sim/observe.h"
#include "sim/pile_order.h"

// ---- cloth ----

typedef struct cloth_gauge {
  bool at_end; /* only the last state counts */
  sim_cloth_watch watch;
} cloth_gauge;

static const sim_field cloth_fields[] = {
    {"at_end", SIM_FIELD_FLAG, offsetof(cloth_gauge, at_end), false, false, 0, 0, NULL,
     "only the last state counts"},
};

static const sim_table cloth_table = {
    "gauges: cloth",
    "`fastest` particle and `most_strain` of all states, `mean_strain` and `strain` of the last.",
    SIM_TABLE_FIELDS(cloth_fields), sizeof(cloth_gauge), NULL};

static void note_cloth(void* state, const sim_view* view) {
  cloth_gauge* self = state;
  if (!self->at_end) (void)sim_watch_cloth(&self->watch, view->world, view->step);
}

static void report_cloth(void* state, const sim_view* view, sim_results* results) {
  sim_report_cloth(&((cloth_gauge*)state)->watch, view->world, results);
}

static const sim_gauge cloth = {"cloth", &cloth_table, note_cloth, report_cloth, NULL};

// ---- contacts ----

static const sim_table lost_table = {"gauges: lost",
                                     "`met_lost`: contacts that there was no room for.", NULL, 0, 0,
                                     NULL};

static void report_lost(void* state, const sim_view* view, sim_results* results) {
  (void)state;
  sim_report_lost(view->world, results);
}

static const sim_gauge lost = {"lost", &lost_table, NULL, report_lost, NULL};

typedef struct crossings_gauge {
  uint32_t every;
  uint64_t noted;  /* states */
  double most;     /* largest count of all checked states */
  double first;    /* second of the first of those that had any */
  bool any;
} crossings_gauge;

static const sim_field crossings_fields[] = {
    {"every", SIM_FIELD_COUNT, offsetof(crossings_gauge, every), false, false, 0, UINT32_MAX, NULL,
     "steps between two counts, for `most_crossings` and `first_crossing`; 0 = only at the end"},
};

static const sim_table crossings_table = {
    "gauges: crossings", "`crossings` of edges and faces of cloth.",
    SIM_TABLE_FIELDS(crossings_fields), sizeof(crossings_gauge), NULL};

static void note_crossings(void* state, const sim_view* view) {
  crossings_gauge* self = state;
  if (self->every == 0 || view->step < self->noted || view->step % self->every != 0) return;
  self->noted = view->step + 1;
  const double found = sim_count_crossings(view->world);
  if (!self->any && !(found == 0.0)) self->any = true, self->first = view->time;
  if (!(found <= self->most)) self->most = found;
}

static void report_crossings(void* state, const sim_view* view, sim_results* results) {
  const crossings_gauge* self = state;
  const double crossings = sim_count_crossings(view->world);
  sim_add_result(results, "crossings", crossings);
  if (self->every == 0) return;
  sim_add_result(results, "most_crossings", crossings <= self->most ? self->most : crossings);
  sim_add_result(results, "first_crossing", self->any ? self->first : (double)NAN);
}

static const sim_gauge crossings = {"crossings", &crossings_table, note_crossings,
                                    report_crossings, NULL};

// ---- piles ----

typedef struct order_gauge {
  float width;
} order_gauge;

static const sim_field order_fields[] = {
    {"width", SIM_FIELD_FLOAT, offsetof(order_gauge, width), true, true, 0, 1e6, NULL,
     "metres along each side of the square around the y axis that counts"},
};

static const sim_table order_table = {
    "gauges: order",
    "`out_of_order`: pairs of a particle and a triangle above it, of the sheet before its own.",
    SIM_TABLE_FIELDS(order_fields), sizeof(order_gauge), NULL};

static void report_order(void* state, const sim_view* view, sim_results* results) {
  const order_gauge* self = state;
  double swapped = 0.0;
  for (size_t i = 1; i < view->bodies->count; ++i) {
    const sim_body *below = &view->bodies->items[i - 1], *body = &view->bodies->items[i];
    if (!below->type->columns || !body->type->columns) continue;
    swapped += sim_count_swapped(view->world, &below->made, below->type->columns(below),
                                 &body->made, (double)self->width);
  }
  sim_add_result(results, "out_of_order", swapped);
}

static const sim_gauge order = {"order", &order_table, NULL, report_order, NULL};

// ---- states ----

typedef struct states_gauge {
  uint64_t noted;   /* states */
  uint64_t* hashes; /* [noted, capacity room] */
  size_t room;
  bool is_short; /* of memory */
} states_gauge;

static const sim_table states_table = {
    "gauges: states", "`states`: distinct states of the world; `states_noted`: all.", NULL, 0,
    sizeof(states_gauge), NULL};

static void note_states(void* state, const sim_view* view) {
  states_gauge* self = state;
  if (view->step < self->noted) return;
  if (self->noted == self->room) {
    const size_t room = self->room > 0 ? 2 * self->room : 1024;
    uint64_t* grown = realloc(self->hashes, room * sizeof *grown);
    if (!grown) {
      self->is_short = true;
      return;
    }
    self->hashes = grown;
    self->room = room;
  }
  self->hashes[self->noted++] = weft_world_hash(view->world);
}

static int by_size(const void* a, const void* b) {
  const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

static void report_states(void* state, const sim_view* view, sim_results* results) {
  states_gauge* self = state;
  note_states(self, view);
  qsort(self->hashes, (size_t)self->noted, sizeof *self->hashes, by_size);
  uint64_t count = 0;
  for (size_t i = 0; i < self->noted; ++i) {
    count += i == 0 || self->hashes[i] != self->hashes[i - 1];
  }
  sim_add_result(results, "states", self->is_short ? (double)NAN : (double)count);
  sim_add_result(results, "states_noted", (double)self->noted);
}

static void release_states(void* state) {
  free(((states_gauge*)state)->hashes);
}

static const sim_gauge states = {"states", &states_table, note_states, report_states,
                                 release_states};

// ---- threads ----

static const sim_table skew_table = {
    "gauges: skew",
    "`skew`: mean cosine, without its sign, of the angle between the threads of the cells of sheets.",
    NULL, 0, 0, NULL};

static void add_skew(const sim_view* view, const sim_body* body, double* sum, double* count) {
  const uint32_t columns = body->type->columns(body), rows = body->made.particle_count / columns;
  for (uint32_t row = 0; row + 1 < rows; ++row) {
    for (uint32_t column = 0; column + 1 < columns; ++column) {
      const uint32_t corner = body->made.first_particle + row * columns + column;
      const sim_position at = sim_position_of(view->world, corner);
      const sim_position next = sim_position_of(view->world, corner + 1);
      const sim_position below = sim_position_of(view->world, corner + columns);
      const double dot = (next.x - at.x) * (below.x - at.x) + (next.y - at.y) * (below.y - at.y) +
                         (next.z - at.z) * (below.z - at.z);
      *sum += fabs(dot) / (sim_distance(at, next) * sim_distance(at, below));
    }
  }
  *count += (double)(rows - 1) * (columns - 1);
}

static void report_skew(void* state, const sim_view* view, sim_results* results) {
  double sum = 0.0, count = 0.0;
  (void)state;
  for (size_t i = 0; i < view->bodies->count; ++i) {
    const sim_body* body = &view->bodies->items[i];
    if (body->type->columns) add_skew(view, body, &sum, &count);
  }
  sim_add_result(results, "skew", sum / count);
}

static const sim_gauge skew = {"skew", &skew_table, NULL, report_skew, NULL};

const sim_gauge* const sim_gauges[] = {&cloth,  &lost, &crossings, &order,
                                       &states, &skew, NULL};
