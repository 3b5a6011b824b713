/* A mesh is seen by its half edges, the sides of its faces, in the order of their ends: those with
 * the same ends are neighbours, one at a border, two inside. */
#include "sim/body_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/must.h"
#include "sim/topology.h"

enum { LINKS_AT_ONCE = 1024 };

typedef struct half_edge {
  uint32_t low, high;
  bool is_rising; /* the face goes from low to high */
} half_edge;

typedef struct body_search {
  const weft_scene* scene;
  const weft_world* world;
  sim_body_check* bodies;
  uint32_t count, particle_count;
  uint32_t* body_of; /* [particle_count] */
  uint32_t* border;  /* parent of a particle at a border, by disjoint sets; NONE of others */
  bool* is_linked;   /* [particle_count] */
  bool* joins_next;  /* links join a body and the one after it [count] */
} body_search;

#define NONE UINT32_MAX

static bool list_bodies(body_search* s, tool_message* why) {
  s->particle_count = weft_scene_particle_count(s->scene);
  tool_must(weft_world_explain(s->world, 0, NULL, &s->count));
  weft_body_settings* settings = calloc((size_t)s->count + 1, sizeof *settings);
  s->bodies = calloc((size_t)s->count + 1, sizeof *s->bodies);
  s->body_of = calloc((size_t)s->particle_count + 1, sizeof *s->body_of);
  s->border = calloc((size_t)s->particle_count + 1, sizeof *s->border);
  s->is_linked = calloc((size_t)s->particle_count + 1, sizeof *s->is_linked);
  s->joins_next = calloc((size_t)s->count + 1, sizeof *s->joins_next);
  const bool ok = settings && s->bodies && s->body_of && s->border && s->is_linked && s->joins_next;
  if (ok) tool_must(weft_world_explain(s->world, s->count, settings, &s->count));
  for (uint32_t b = 0; ok && b < s->count; ++b) {
    const weft_body_settings* from = &settings[b];
    s->bodies[b] = (sim_body_check){.range = {from->first_particle, from->particle_count, 0, 0},
                                    .bodies = 1,
                                    .shortest = INFINITY,
                                    .substeps = from->substeps,
                                    .reason = weft_settings_reason_text(from->reason)};
    for (uint32_t i = 0; i < from->particle_count; ++i) {
      s->body_of[from->first_particle + i] = b;
      s->border[from->first_particle + i] = NONE;
    }
  }
  free(settings);
  return ok || tool_because(why, "no memory for %u bodies", s->count);
}

// ---- links ----

typedef void link_visitor(body_search* s, uint32_t number, const weft_link_def* link);

static void visit_links(body_search* s, link_visitor* visit) {
  weft_link_def links[LINKS_AT_ONCE];
  const uint32_t count = weft_scene_link_count(s->scene);
  for (uint32_t first = 0; first < count; first += LINKS_AT_ONCE) {
    const uint32_t size = count - first < LINKS_AT_ONCE ? count - first : LINKS_AT_ONCE;
    tool_must(weft_scene_get_links(s->scene, first, size, links));
    for (uint32_t i = 0; i < size; ++i) visit(s, first + i, &links[i]);
  }
}

static void note_join(body_search* s, uint32_t number, const weft_link_def* link) {
  const uint32_t a = s->body_of[link->a], b = s->body_of[link->b];
  (void)number;
  if (a + 1 == b) s->joins_next[a] = true;
  if (b + 1 == a) s->joins_next[b] = true;
}

/* A body added by several calls, one after the other, is one: a rope of single particles. */
static void join_calls(body_search* s) {
  uint32_t made = 0;
  visit_links(s, note_join);
  for (uint32_t b = 0; b < s->count; ++b) {
    const sim_body_check* body = &s->bodies[b];
    const bool is_joined = b > 0 && s->joins_next[b - 1];
    for (uint32_t i = 0; i < body->range.particle_count; ++i) {
      s->body_of[body->range.first_particle + i] = is_joined ? made - 1 : made;
    }
    if (is_joined) {
      s->bodies[made - 1].range.particle_count += body->range.particle_count;
    } else {
      s->bodies[made++] = *body;
    }
  }
  s->count = made;
}

static void add_link(body_search* s, uint32_t number, const weft_link_def* link) {
  s->is_linked[link->a] = s->is_linked[link->b] = true;
  if (s->body_of[link->a] != s->body_of[link->b]) return;
  sim_body_check* body = &s->bodies[s->body_of[link->a]];
  weft_body* range = &body->range;
  if (body->link_count++ == 0) range->first_link = number;
  if (number == range->first_link + range->link_count) ++range->link_count;
  if (link->kind != WEFT_LINK_STRUCTURAL) return;
  const double length = (double)link->rest_length;
  body->shortest = fmin(body->shortest, length);
  body->longest = fmax(body->longest, length);
  body->mean += (length - body->mean) / ++body->edge_count;
}

static void check_links(body_search* s) {
  visit_links(s, add_link);
  for (uint32_t i = 0; i < s->particle_count; ++i) {
    if (!s->is_linked[i]) ++s->bodies[s->body_of[i]].unlinked_count;
  }
}

// ---- faces ----

static int compare_half_edges(const void* left, const void* right) {
  const half_edge *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  return (a->high > b->high) - (a->high < b->high);
}

static uint32_t find_border(body_search* s, uint32_t particle) {
  uint32_t* parent = s->border;
  while (parent[particle] != particle) {
    particle = parent[particle] = parent[parent[particle]];
  }
  return particle;
}

/* Borders are as many as their particles, less one for each edge that joins two parts. */
static void add_border(body_search* s, sim_body_check* body, const half_edge* edge) {
  const uint32_t ends[2] = {edge->low, edge->high};
  ++body->border_edge_count;
  for (int k = 0; k < 2; ++k) {
    if (s->border[ends[k]] != NONE) continue;
    s->border[ends[k]] = ends[k];
    ++body->border_count;
  }
  const uint32_t low = find_border(s, ends[0]), high = find_border(s, ends[1]);
  if (low == high) return;
  s->border[high] = low;
  --body->border_count;
}

static void check_edges(body_search* s, const half_edge* sides, size_t count) {
  size_t same;
  for (size_t i = 0; i < count; i += same) {
    const half_edge* side = &sides[i];
    sim_body_check* body = &s->bodies[s->body_of[side->low]];
    same = 1;
    while (i + same < count && compare_half_edges(side, side + same) == 0) ++same;
    if (same == 1) add_border(s, body, side);
    if (same == 2 && side[0].is_rising == side[1].is_rising) ++body->turned_count;
    if (same > 2) ++body->crowded_count;
  }
}

static bool check_faces(body_search* s, tool_message* why) {
  uint32_t count = 0;
  if (!sim_get_faces(s->world, 0, NULL, &count, why)) return false;
  const size_t side_count = 3 * (size_t)count;
  uint32_t* corners = calloc(side_count + 1, sizeof *corners);
  half_edge* sides = calloc(side_count + 1, sizeof *sides);
  bool ok = corners && sides;
  if (!ok) tool_because(why, "no memory for %u faces", count);
  ok = ok && sim_get_faces(s->world, count, corners, &count, why);
  for (size_t i = 0; ok && i < side_count; ++i) {
    const uint32_t from = corners[i], to = corners[i % 3 == 2 ? i - 2 : i + 1];
    sides[i] = (half_edge){from < to ? from : to, from < to ? to : from, from < to};
    if (i % 3 == 0) ++s->bodies[s->body_of[from]].face_count;
  }
  if (ok) qsort(sides, side_count, sizeof *sides, compare_half_edges);
  if (ok) check_edges(s, sides, side_count);
  free(sides);
  free(corners);
  return ok;
}

// ---- rows ----

static bool are_alike(const sim_body_check* a, const sim_body_check* b) {
  return a->range.particle_count == b->range.particle_count && a->link_count == b->link_count &&
         a->face_count == b->face_count && a->unlinked_count == b->unlinked_count &&
         a->border_edge_count == b->border_edge_count && a->border_count == b->border_count &&
         a->crowded_count == b->crowded_count && a->turned_count == b->turned_count &&
         a->substeps == b->substeps && fabs(a->mean - b->mean) <= 1e-3 * a->mean;
}

static uint32_t join_alike(sim_body_check* bodies, uint32_t count) {
  uint32_t rows = 0;
  for (uint32_t b = 0; b < count; ++b) {
    if (rows > 0 && are_alike(&bodies[rows - 1], &bodies[b])) {
      ++bodies[rows - 1].bodies;
    } else {
      bodies[rows++] = bodies[b];
    }
  }
  return rows;
}

sim_body_check* sim_check_bodies(const weft_scene* scene, const weft_world* world, uint32_t* count,
                                 tool_message* why) {
  body_search s = {.scene = scene, .world = world};
  bool ok = list_bodies(&s, why);
  if (ok) join_calls(&s);
  if (ok) check_links(&s);
  ok = ok && check_faces(&s, why);
  if (ok) *count = join_alike(s.bodies, s.count);
  free(s.body_of);
  free(s.border);
  free(s.is_linked);
  free(s.joins_next);
  if (!ok) free(s.bodies);
  return ok ? s.bodies : NULL;
}
