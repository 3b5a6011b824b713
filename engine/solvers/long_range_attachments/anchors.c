#include "solvers/long_range_attachments/anchors.h"

#include <math.h>

#include "base/memory.h"
#include "base/union_find.h"
#include "base/vec3.h"
#include "scene/adjacency.h"
#include "scene/shortest_paths.h"
#include "solvers/long_range_attachments/surface.h"

// positions are rounded, and cloth at rest must not move
#define REACH_MARGIN 1.00001f

typedef struct search {
  const weft_scene* scene;
  weft__anchors* anchors;
  weft__adjacency links;
  bool* on_surface;          /* [link_count] */
  const uint32_t* island_of; /* pinned particles [particle_count] */
  weft__range own;
  weft__path_heap heap;
} search;

static bool is_pinned(const weft_scene* scene, uint32_t particle) {
  return scene->inverse_masses[particle] == 0.0f;
}

// Limits a distance for good: is rigid, cannot tear, and resists stretch.
static bool limits_distance(const void* context, const weft_scene* scene, uint32_t link) {
  (void)context;
  return scene->links.relaxation[link] > 0.0f && scene->links.compliance[link] == 0.0f &&
         scene->links.tear_ratio[link] == 0.0f && weft__links_carry(&scene->links, link);
}

static bool make_search(search* s) {
  const size_t count = s->scene->particle_count;
  s->anchors->count = weft__alloc_zeroed(count, sizeof(*s->anchors->count));
  s->anchors->ties = weft__alloc(count * s->anchors->capacity, sizeof(*s->anchors->ties));
  if (s->anchors->count == NULL || s->anchors->ties == NULL ||
      !weft__adjacency_create(&s->links, s->scene, limits_distance, NULL)) {
    return false;
  }
  s->on_surface = weft__mark_surface(s->scene, &s->links);
  return s->on_surface != NULL;
}

static void free_search(search* s) {
  weft__adjacency_destroy(&s->links);
  weft__path_heap_destroy(&s->heap);
  weft__free(s->on_surface);
}

static void find_islands(const weft_scene* scene, uint32_t* island_of) {
  const weft__links* links = &scene->links;
  const uint32_t count = scene->particle_count;
  for (uint32_t p = 0; p < count; ++p) island_of[p] = p;
  for (uint32_t i = 0; i < links->count; ++i) {
    if (!is_pinned(scene, links->end_a[i]) || !is_pinned(scene, links->end_b[i])) continue;
    (void)weft__unite(island_of, links->end_a[i], links->end_b[i]);
  }
  for (uint32_t p = 0; p < count; ++p) island_of[p] = weft__find_root(island_of, p);
}

weft__tie* weft__anchors_find_tie(const weft__anchors* anchors, uint32_t particle,
                                  uint32_t island) {
  weft__tie* ties = anchors->ties + (size_t)particle * anchors->capacity;
  for (uint32_t k = 0; k < anchors->count[particle]; ++k) {
    if (ties[k].island == island) return &ties[k];
  }
  return NULL;
}

// NULL if a shorter path has replaced it.
static weft__tie* find_path(const weft__anchors* anchors, weft__graph_path path) {
  weft__tie* ties = anchors->ties + (size_t)path.particle * anchors->capacity;
  for (uint32_t k = 0; k < anchors->count[path.particle]; ++k) {
    if (ties[k].anchor == path.root) return &ties[k];
  }
  return NULL;
}

// Unless the particle has one as short to that island or enough nearer ones.
static bool insert_tie(const weft__anchors* anchors, uint32_t particle, const weft__tie* tie) {
  weft__tie* ties = anchors->ties + (size_t)particle * anchors->capacity;
  const uint32_t count = anchors->count[particle];
  uint32_t at = count < anchors->capacity ? count : count - 1;
  const weft__tie* same = weft__anchors_find_tie(anchors, particle, tie->island);
  if (same != NULL) at = (uint32_t)(same - ties);
  if (at < count && ties[at].length <= tie->length) return false;
  if (at == count) ++anchors->count[particle];
  for (; at > 0 && ties[at - 1].length > tie->length; --at) ties[at] = ties[at - 1];
  ties[at] = *tie;
  return true;
}

static bool extend_tie(search* s, uint32_t from, const weft__tie* tie) {
  for (uint32_t i = s->links.first[from]; i < s->links.first[from + 1]; ++i) {
    const uint32_t to = s->links.to[i];
    const uint32_t link = s->links.link[i];
    if (is_pinned(s->scene, to) || to < s->own.begin || to >= s->own.end) continue;
    weft__tie next = *tie;
    next.length += (double)s->scene->links.rest_length[link];
    next.drawn += (double)weft__scene_distance(s->scene, from, to);
    next.on_surface = tie->on_surface && s->on_surface[link];
    next.settled = false;
    next.from = from;
    if (!insert_tie(s->anchors, to, &next)) continue;
    if (!weft__path_push(&s->heap, (weft__graph_path){next.length, to, next.anchor})) return false;
  }
  return true;
}

static bool extend_all(search* s) {
  for (size_t k = 0; k < s->scene->part_count; ++k) {
    const weft__part* part = &s->scene->parts[k];
    const uint32_t end = part->first_particle + part->particle_count;
    for (uint32_t p = part->first_particle; p < end && !part->is_unattached; ++p) {
      if (!is_pinned(s->scene, p)) continue;
      const weft__tie start = {
          .anchor = s->anchors->first + p, .island = s->island_of[p], .on_surface = true};
      if (!extend_tie(s, p, &start)) return false;
    }
  }
  while (s->heap.count > 0) {
    const weft__graph_path path = weft__path_pop(&s->heap);
    weft__tie* tie = find_path(s->anchors, path);
    // a shorter path came first, or nearer islands have displaced the tie
    if (tie == NULL || tie->settled) continue;
    tie->settled = true;
    if (!extend_tie(s, path.particle, tie)) return false;
  }
  return true;
}

bool weft__anchors_find_part(weft__anchors* anchors, const weft_scene* scene,
                             const weft__anchor_part* part) {
  search s = {.scene = scene, .anchors = anchors, .island_of = part->island_of, .own = part->own};
  bool done = make_search(&s);
  for (uint32_t p = 0; done && p < scene->particle_count; ++p) {
    const weft__tie* ties = part->seeds == NULL ? NULL : part->seeds(part->context, p);
    for (uint32_t k = 0; ties != NULL && done && k < anchors->capacity; ++k) {
      if (isinf(ties[k].length)) break;
      anchors->ties[(size_t)p * anchors->capacity + anchors->count[p]++] = ties[k];
      done = weft__path_push(&s.heap, (weft__graph_path){ties[k].length, p, ties[k].anchor});
    }
  }
  done = done && extend_all(&s);
  free_search(&s);
  return done;
}

bool weft__anchors_find(weft__anchors* anchors, const weft_scene* scene, uint32_t capacity) {
  *anchors = (weft__anchors){.capacity = capacity};
  uint32_t* island_of = weft__alloc(scene->particle_count, sizeof(*island_of));
  if (island_of == NULL) return false;
  find_islands(scene, island_of);
  const weft__anchor_part all = {.own = {0, scene->particle_count}, .island_of = island_of};
  const bool done = weft__anchors_find_part(anchors, scene, &all);
  weft__free(island_of);
  return done;
}

void weft__anchors_destroy(weft__anchors* anchors) {
  weft__free(anchors->count);
  weft__free(anchors->ties);
  *anchors = (weft__anchors){0};
}

// Scenes of parts of a sheet may lack the anchor.
static float distance_to_anchor(const weft__anchors* anchors, const weft_scene* scene,
                                uint32_t particle, uint32_t anchor) {
  const uint32_t own = anchor - anchors->first;
  if (own < scene->particle_count) return weft__scene_distance(scene, particle, own);
  float there[3];
  weft__sheet_position(anchors->sheet, anchor, there);
  const float* here = scene->positions + (size_t)3 * particle;
  const float d[3] = {there[0] - here[0], there[1] - here[1], there[2] - here[2]};
  return sqrtf(weft__dot3(d, d));
}

float weft__tie_reach(const weft__tie* tie, const weft__anchors* anchors, const weft_scene* scene,
                      uint32_t particle) {
  float length = (float)tie->length;
  if (tie->on_surface) {
    const float straight = distance_to_anchor(anchors, scene, particle, tie->anchor);
    length = weft__path_geodesic_length(length, (float)tie->drawn, straight);
  }
  return REACH_MARGIN * length;
}
