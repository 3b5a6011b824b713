/* Groups of results that no formula expresses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/cloth_watch.h"
#include "sim/crossings.h"
#include "sim/file/results.h"
#include "sim/observe.h"
#include "sim/pieces.h"
#include "sim/pile_order.h"

// ---- cloth ----

typedef struct cloth_gauge {
  bool at_end; /* only the last state counts */
  sim_cloth_watch watch;
} cloth_gauge;

static const sim_field cloth_fields[] = {
    SIM_KEY("at_end", FLAG, offsetof(cloth_gauge, at_end), "only the last state counts"),
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

static const sim_gauge cloth = {
    .name = "cloth", .table = &cloth_table, .note = note_cloth, .report = report_cloth};

// ---- contacts ----

static const sim_table lost_table = {
    "gauges: lost", "`met_lost`: contacts that there was no room for.", NULL, 0, 0, NULL};

static void report_lost(void* state, const sim_view* view, sim_results* results) {
  (void)state;
  sim_report_lost(view->world, results);
}

static const sim_gauge lost = {.name = "lost", .table = &lost_table, .report = report_lost};

typedef struct crossings_gauge {
  uint32_t every;
  uint64_t noted; /* states */
  double most;    /* largest count of all states */
  double first;   /* first second with any */
  bool any;
} crossings_gauge;

static const sim_field crossings_fields[] = {
    SIM_RANGE(
        "every", COUNT, offsetof(crossings_gauge, every), 0, UINT32_MAX,
        "steps between two counts, for `most_crossings` and `first_crossing`; 0 = only at the end"),
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

static const sim_gauge crossings = {.name = "crossings",
                                    .table = &crossings_table,
                                    .note = note_crossings,
                                    .report = report_crossings};

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
    if (sim_columns_of(below) == UINT32_MAX || sim_columns_of(body) == UINT32_MAX) continue;
    swapped += sim_count_swapped(view->world, &below->made, sim_columns_of(below), &body->made,
                                 (double)self->width);
  }
  sim_add_result(results, "out_of_order", swapped);
}

static const sim_gauge order = {.name = "order", .table = &order_table, .report = report_order};

// ---- states ----

typedef struct states_gauge {
  uint64_t noted;   /* states */
  uint64_t* hashes; /* [noted, capacity room] */
  size_t room;
  bool is_short;
} states_gauge;

static const sim_table states_table = {
    "gauges: states",
    "`states`: distinct states of the world; `states_noted`: all.",
    NULL,
    0,
    sizeof(states_gauge),
    NULL};

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

static const sim_gauge states = {.name = "states",
                                 .table = &states_table,
                                 .note = note_states,
                                 .report = report_states,
                                 .release = release_states};

// ---- threads ----

static const sim_table skew_table = {"gauges: skew",
                                     "`skew`: mean cosine, without its sign, of the angle between "
                                     "the threads of the cells of sheets.",
                                     NULL,
                                     0,
                                     0,
                                     NULL};

static void add_skew(const sim_view* view, const sim_body* body, double* sum, double* count) {
  const uint32_t columns = sim_columns_of(body), rows = body->made.particle_count / columns;
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
    if (sim_columns_of(body) < UINT32_MAX) add_skew(view, body, &sum, &count);
  }
  sim_add_result(results, "skew", sum / count);
}

static const sim_gauge skew = {.name = "skew", .table = &skew_table, .report = report_skew};

// ---- depths in capsules ----

typedef struct depths_gauge {
  bool counts;
  uint64_t noted;
  double depth[2]; /* metres, largest: particles, centroids of faces */
  double count[2]; /* inside, all states */
  double stretch;  /* largest of a face's edge, over its initial length */
  uint32_t* faces; /* [face_count][3] */
  uint32_t face_count, particle_count;
  float (*first)[3], (*positions)[3];
} depths_gauge;

static const sim_field depths_fields[] = {
    SIM_KEY("counts", FLAG, offsetof(depths_gauge, counts),
            "`vertices_inside` and `faces_inside` of all states, `most_stretch` of edges and "
            "`deepest`"),
};

static const sim_table depths_table = {
    "gauges: depths",
    "Depths in colliders that are capsules: `inside` of particles, `faces_inside` of the centroids "
    "of faces, metres.",
    SIM_TABLE_FIELDS(depths_fields), sizeof(depths_gauge), NULL};

static double distance_of(const float a[3], const float b[3]) {
  double square = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double along = (double)b[k] - (double)a[k];
    square += along * along;
  }
  return sqrt(square);
}

static bool list_faces(depths_gauge* self, const weft_world* world) {
  weft_world_stats stats = {.particle_count = 0};
  tool_must(weft_world_get_stats(world, &stats));
  tool_must(weft_world_get_faces(world, 0, NULL, &self->face_count));
  self->particle_count = stats.particle_count;
  self->faces = calloc((size_t)self->face_count + 1, sizeof(uint32_t[3]));
  self->first = calloc(stats.particle_count, sizeof *self->first);
  self->positions = calloc(stats.particle_count, sizeof *self->positions);
  if (!self->faces || !self->first || !self->positions) return false;
  tool_get(world, WEFT_ATTRIBUTE_POSITION, 0, stats.particle_count, self->first[0]);
  return weft_world_get_faces(world, self->face_count, self->faces, &self->face_count).error ==
         WEFT_OK;
}

typedef struct capsule_now {
  float middle[3];
  double axis[3]; /* unit vector: y, turned */
  double radius, half_length;
} capsule_now;

static double depth_in(const capsule_now* now, const double at[3]) {
  double away[3], along = 0.0, square = 0.0;
  for (int k = 0; k < 3; ++k) {
    away[k] = at[k] - (double)now->middle[k];
    along += away[k] * now->axis[k];
  }
  along = fmin(fmax(along, -now->half_length), now->half_length);
  for (int k = 0; k < 3; ++k) {
    const double off = away[k] - along * now->axis[k];
    square += off * off;
  }
  return now->radius - sqrt(square);
}

static void note_depth(depths_gauge* self, bool is_face, double depth) {
  if (depth > 0.0) self->count[is_face] += 1.0;
  self->depth[is_face] = fmax(self->depth[is_face], depth);
}

static void note_capsule(depths_gauge* self, const weft_world* world,
                         const sim_collider* collider) {
  capsule_now now = {.radius = (double)collider->def.radius,
                     .half_length = (double)collider->def.half_size[1]};
  weft_collider_def def;
  tool_must(weft_world_get_collider(world, collider->made, &def));
  memcpy(now.middle, def.position, sizeof(now.middle));
  const float* q = def.rotation;
  const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
  now.axis[0] = 2.0 * (x * y - w * z);
  now.axis[1] = 1.0 - 2.0 * (x * x + z * z);
  now.axis[2] = 2.0 * (y * z + w * x);
  for (uint32_t i = 0; i < self->particle_count; ++i) {
    const float* p = self->positions[i];
    const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
    note_depth(self, false, depth_in(&now, at));
  }
  for (uint32_t f = 0; f < self->face_count; ++f) {
    double at[3] = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < 9; ++k) {
      at[k % 3] += (double)self->positions[self->faces[3 * f + k / 3]][k % 3] / 3.0;
    }
    note_depth(self, true, depth_in(&now, at));
  }
}

static void note_stretch(depths_gauge* self) {
  for (uint32_t k = 0; k < 3 * self->face_count; ++k) {
    const uint32_t a = self->faces[k], b = self->faces[k % 3 == 2 ? k - 2 : k + 1];
    const double stretch = distance_of(self->positions[a], self->positions[b]) /
                           distance_of(self->first[a], self->first[b]);
    self->stretch = fmax(self->stretch, stretch - 1.0);
  }
}

static void note_depths(void* state, const sim_view* view) {
  depths_gauge* self = state;
  if (view->step < self->noted || (!self->faces && !list_faces(self, view->world))) return;
  self->noted = view->step + 1;
  tool_get(view->world, WEFT_ATTRIBUTE_POSITION, 0, self->particle_count, self->positions[0]);
  if (self->counts) note_stretch(self);
  for (size_t i = 0; i < view->colliders->count; ++i) {
    const sim_collider* collider = &view->colliders->items[i];
    if (collider->def.shape != WEFT_COLLIDER_SHAPE_CAPSULE) continue;
    note_capsule(self, view->world, collider);
  }
}

static void report_depths(void* state, const sim_view* view, sim_results* results) {
  const depths_gauge* self = state;
  (void)view;
  if (!self->counts) {
    sim_add_result(results, "inside", self->depth[0]);
    sim_add_result(results, "faces_inside", self->depth[1]);
    return;
  }
  sim_add_result(results, "vertices_inside", self->count[0]);
  sim_add_result(results, "faces_inside", self->count[1]);
  sim_add_result(results, "most_stretch", self->stretch);
  sim_add_result(results, "deepest", fmax(self->depth[0], self->depth[1]));
}

static void release_depths(void* state) {
  const depths_gauge* self = state;
  free(self->faces);
  free(self->first);
  free(self->positions);
}

static const sim_gauge depths = {.name = "depths",
                                 .table = &depths_table,
                                 .note = note_depths,
                                 .report = report_depths,
                                 .release = release_depths};

// ---- swings ----

/* Passes of the lowest point, from left to right. */
typedef struct swings_gauge {
  uint32_t particle;
  uint64_t noted, count;
  double first, second, before_last, last; /* seconds */
  double x_before, time_before;
} swings_gauge;

static const sim_field swings_fields[] = {
    {"particle", SIM_FIELD_COUNT, offsetof(swings_gauge, particle), true, false, 0, UINT32_MAX,
     NULL, "number of the particle of the scene that swings about the origin"},
};

static const sim_table swings_table = {
    "gauges: swings",
    "`periods` of a particle that swings, `period`, the mean, `first_period`, `last_period`.",
    SIM_TABLE_FIELDS(swings_fields), sizeof(swings_gauge), NULL};

static void note_swings(void* state, const sim_view* view) {
  swings_gauge* self = state;
  if (view->step < self->noted) return;
  self->noted = view->step + 1;
  const sim_position at = sim_position_of(view->world, self->particle);
  const double was = self->x_before, time = view->time;
  if (was < 0.0 && at.x >= 0.0 && at.y < 0.0) {
    self->before_last = self->last;
    self->last = time - (time - self->time_before) * at.x / (at.x - was);
    if (self->count == 0) self->first = self->last;
    if (self->count == 1) self->second = self->last;
    ++self->count;
  }
  self->x_before = at.x;
  self->time_before = time;
}

static void report_swings(void* state, const sim_view* view, sim_results* results) {
  const swings_gauge* self = state;
  const double none = (double)NAN;
  const uint64_t periods = self->count > 1 ? self->count - 1 : 0;
  (void)view;
  sim_add_result(results, "periods", (double)periods);
  sim_add_result(results, "period",
                 periods > 0 ? (self->last - self->first) / (double)periods : none);
  sim_add_result(results, "first_period", periods > 0 ? self->second - self->first : none);
  sim_add_result(results, "last_period", periods > 0 ? self->last - self->before_last : none);
}

static const sim_gauge swings = {
    .name = "swings", .table = &swings_table, .note = note_swings, .report = report_swings};

// ---- tears ----

/* Torn links by the world's events, and torn pieces. */
typedef struct tears_gauge {
  sim_pieces pieces;
  float* inverse_masses; /* initial ones [pieces.particle_count] */
  double count;
  bool is_out_of_order; /* by number, within a step or an event */
  bool any;
  double first; /* seconds */
} tears_gauge;

static const sim_table tears_table = {
    "gauges: tears",
    "Links that tear: `events`, `events_in_order` within a step, `events_lost`, `first_tear`, "
    "second; `pieces`, `faces`; of particles whose piece is not held by a pin any more `loose`, "
    "`loose_speed`, `loose_height` above the bounds' floor; `on_floor`, `outside` of the bounds.",
    NULL,
    0,
    sizeof(tears_gauge),
    NULL};

static bool build_tears(void* state, const weft_scene* scene, tool_message* why) {
  tears_gauge* self = state;
  if (!sim_pieces_create(&self->pieces, scene, why)) return false;
  self->inverse_masses = calloc(self->pieces.particle_count, sizeof *self->inverse_masses);
  if (!self->inverse_masses) return tool_because(why, "no memory for pieces");
  return sim_check(
      weft_scene_get_particles(scene, 0, self->pieces.particle_count, NULL, self->inverse_masses),
      why);
}

/* Takes the links torn by a step or an event. */
static void note_tears(void* state, const sim_view* view) {
  tears_gauge* self = state;
  uint32_t links[256], count = 0, last = 0;
  bool any = false;
  do {
    tool_must(weft_world_take_torn(view->world, 256, links, &count));
    for (uint32_t i = 0; i < count; ++i) {
      if (any && links[i] <= last) self->is_out_of_order = true;
      last = links[i];
      any = true;
    }
    self->count += count;
  } while (count == 256);
  if (any && !self->any) self->first = view->time;
  self->any = self->any || any;
}

/* Torn pieces, and positions of particles. */
typedef struct tear_tally {
  uint32_t loose, on_floor;
  double speed, height, outside;
} tear_tally;

static double beyond(const weft_bounds_def* bounds, const float place[3]) {
  double upper = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    upper = fmax(upper, (double)bounds->lower[axis] - (double)place[axis]);
    upper = fmax(upper, (double)place[axis] - (double)bounds->upper[axis]);
  }
  return upper;
}

static void count_particle(const weft_world* world, const weft_bounds_def* bounds, uint32_t i,
                           bool is_held, tear_tally* tally) {
  float place[3], v[3];
  int8_t touch[3];
  tool_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, place);
  tool_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, v);
  tool_get(world, WEFT_ATTRIBUTE_BOUNDS_CONTACT, i, 1, touch);
  tally->on_floor += touch[1] < 0;
  tally->outside = fmax(tally->outside, beyond(bounds, place));
  if (is_held) return;
  ++tally->loose;
  tally->height = fmax(tally->height, (double)place[1] - (double)bounds->lower[1]);
  const double x = (double)v[0], y = (double)v[1], z = (double)v[2];
  tally->speed = fmax(tally->speed, sqrt(x * x + y * y + z * z));
}

/* A piece is held by a particle pinned from the start. */
static void take_tally(const tears_gauge* self, const weft_world* world, bool* held,
                       tear_tally* tally) {
  weft_bounds_def bounds = weft_default_bounds_def();
  bool is_set = false;
  tool_must(weft_world_get_bounds(world, &bounds, &is_set));
  for (uint32_t i = 0; i < self->pieces.particle_count; ++i) {
    float inverse_mass = 1.0f;
    if (self->inverse_masses[i] > 0.0f) continue;
    tool_get(world, WEFT_ATTRIBUTE_INVERSE_MASS, i, 1, &inverse_mass);
    if (inverse_mass == 0.0f) held[self->pieces.piece_of[i]] = true;
  }
  for (uint32_t i = 0; i < self->pieces.particle_count; ++i) {
    count_particle(world, &bounds, i, held[self->pieces.piece_of[i]], tally);
  }
}

static void report_tears(void* state, const sim_view* view, sim_results* results) {
  tears_gauge* self = state;
  weft_world_stats stats;
  uint32_t face_count = 0;
  tear_tally tally = {.loose = 0};
  bool* held = calloc(self->pieces.particle_count, sizeof *held);
  note_tears(self, view);
  tool_must(weft_world_get_stats(view->world, &stats));
  tool_must(weft_world_get_faces(view->world, 0, NULL, &face_count));
  sim_pieces_find(&self->pieces, view->world);
  if (held) take_tally(self, view->world, held, &tally);
  free(held);
  sim_add_result(results, "events", self->count);
  sim_add_result(results, "events_in_order", !self->is_out_of_order);
  sim_add_result(results, "events_lost", (double)stats.lost_events);
  sim_add_result(results, "first_tear", self->any ? self->first : (double)NAN);
  sim_add_result(results, "pieces", self->pieces.count);
  sim_add_result(results, "faces", face_count);
  sim_add_result(results, "loose", tally.loose);
  sim_add_result(results, "loose_speed", tally.speed);
  sim_add_result(results, "loose_height", tally.height);
  sim_add_result(results, "on_floor", tally.on_floor);
  sim_add_result(results, "outside", tally.outside);
}

static void release_tears(void* state) {
  tears_gauge* self = state;
  sim_pieces_destroy(&self->pieces);
  free(self->inverse_masses);
}

static const sim_gauge tears = {.name = "tears",
                                .table = &tears_table,
                                .build = build_tears,
                                .note_event = note_tears,
                                .note = note_tears,
                                .report = report_tears,
                                .release = release_tears};

const sim_gauge* const sim_gauges[] = {&cloth, &lost,   &crossings, &order, &states,
                                       &skew,  &depths, &swings,    &tears, NULL};
