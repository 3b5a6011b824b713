#include "solvers/attachments/anchors.h"

#include <stdlib.h>

#include "base/memory.h"
#include "scene/adjacency.h"
#include "scene/shortest_paths.h"
#include "solvers/attachments/surface.h"

// so much longer than it was measured is a reach: places are rounded, and cloth at rest is to stay
#define LEEWAY 1.00001f

// what the search works on
typedef struct search {
  const weft_scene* scene;
  weft__anchors* anchors;
  weft__adjacency links;
  bool* on_surface;    /* [link_count] */
  uint32_t* island_of; /* of pinned particles [particle_count] */
  weft__path_heap heap;
} search;

static bool is_pinned(const weft_scene* scene, uint32_t particle) {
  return scene->inverse_masses[particle] == 0.0f;
}

// a link of no stiffness holds nothing, nor does one that may get longer, and one that can break not for
// ever
static bool holds(const void* context, const weft_scene* scene, uint32_t link) {
  (void)context;
  return scene->links.stiffness[link] > 0.0f && scene->links.tear_ratio[link] == 0.0f &&
         weft__links_carry(&scene->links, link);
}

static bool make_search(search* s) {
  const size_t count = s->scene->particle_count;
  s->anchors->count = weft__alloc_zeroed(count, sizeof(*s->anchors->count));
  s->anchors->ties = weft__alloc(count * s->anchors->most, sizeof(*s->anchors->ties));
  s->island_of = weft__alloc(count, sizeof(*s->island_of));
  if (s->anchors->count == NULL || s->anchors->ties == NULL || s->island_of == NULL ||
      !weft__adjacency_create(&s->links, s->scene, holds, NULL)) {
    return false;
  }
  s->on_surface = weft__mark_surface(s->scene, &s->links);
  return s->on_surface != NULL;
}

static void free_search(search* s) {
  weft__adjacency_destroy(&s->links);
  weft__path_heap_destroy(&s->heap);
  free(s->on_surface);
  free(s->island_of);
}

// ---- islands ----

// the lowest particle found so far of those joined to this one
static uint32_t lowest_of(uint32_t* island_of, uint32_t particle) {
  while (island_of[particle] != particle) {
    island_of[particle] = island_of[island_of[particle]];
    particle = island_of[particle];
  }
  return particle;
}

static void find_islands(search* s) {
  const weft__links* links = &s->scene->links;
  const uint32_t count = s->scene->particle_count;
  for (uint32_t p = 0; p < count; ++p) s->island_of[p] = p;
  for (uint32_t i = 0; i < links->count; ++i) {
    if (!is_pinned(s->scene, links->end_a[i]) || !is_pinned(s->scene, links->end_b[i])) continue;
    const uint32_t a = lowest_of(s->island_of, links->end_a[i]);
    const uint32_t b = lowest_of(s->island_of, links->end_b[i]);
    s->island_of[a > b ? a : b] = a < b ? a : b;
  }
  for (uint32_t p = 0; p < count; ++p) s->island_of[p] = lowest_of(s->island_of, p);
}

// ---- ties ----

weft__tie* weft__anchors_tie(const weft__anchors* anchors, uint32_t particle, uint32_t island) {
  weft__tie* ties = anchors->ties + (size_t)particle * anchors->most;
  for (uint32_t k = 0; k < anchors->count[particle]; ++k) {
    if (ties[k].island == island) return &ties[k];
  }
  return NULL;
}

// ties a particle, unless it has a way as short to that island or enough nearer ones
static bool take_tie(const weft__anchors* anchors, uint32_t particle, const weft__tie* tie) {
  weft__tie* ties = anchors->ties + (size_t)particle * anchors->most;
  const uint32_t count = anchors->count[particle];
  // the place that is given up, or the first free one
  uint32_t at = count < anchors->most ? count : count - 1;
  const weft__tie* same = weft__anchors_tie(anchors, particle, tie->island);
  if (same != NULL) at = (uint32_t)(same - ties);
  if (at < count && ties[at].length <= tie->length) return false;
  if (at == count) ++anchors->count[particle];
  for (; at > 0 && ties[at - 1].length > tie->length; --at) ties[at] = ties[at - 1];
  ties[at] = *tie;
  return true;
}

// hands the tie of a particle on along its links
static bool follow(search* s, uint32_t from, const weft__tie* tie) {
  for (uint32_t i = s->links.first[from]; i < s->links.first[from + 1]; ++i) {
    const uint32_t to = s->links.to[i];
    const uint32_t link = s->links.link[i];
    if (is_pinned(s->scene, to)) continue;
    weft__tie next = *tie;
    next.length += (double)s->scene->links.rest_length[link];
    next.drawn += (double)weft__scene_distance(s->scene, from, to);
    next.on_surface = tie->on_surface && s->on_surface[link];
    next.settled = false;
    next.from = from;
    if (!take_tie(s->anchors, to, &next)) continue;
    if (!weft__path_push(&s->heap, (weft__path){next.length, to, next.anchor})) return false;
  }
  return true;
}

static bool follow_all(search* s) {
  for (uint32_t p = 0; p < s->scene->particle_count; ++p) {
    if (!is_pinned(s->scene, p)) continue;
    const weft__tie start = {.anchor = p, .island = s->island_of[p], .on_surface = true};
    if (!follow(s, p, &start)) return false;
  }
  while (s->heap.count > 0) {
    const weft__path way = weft__path_pop(&s->heap);
    weft__tie* tie = weft__anchors_tie(s->anchors, way.particle, s->island_of[way.root]);
    // a shorter way has come first, or nearer islands have
    if (tie == NULL || tie->settled) continue;
    tie->settled = true;
    if (!follow(s, way.particle, tie)) return false;
  }
  return true;
}

bool weft__anchors_find(weft__anchors* anchors, const weft_scene* scene, uint32_t most) {
  *anchors = (weft__anchors){.most = most};
  search s = {.scene = scene, .anchors = anchors};
  bool done = make_search(&s);
  if (done) {
    find_islands(&s);
    done = follow_all(&s);
  }
  free_search(&s);
  return done;
}

void weft__anchors_destroy(weft__anchors* anchors) {
  free(anchors->count);
  free(anchors->ties);
  *anchors = (weft__anchors){0};
}

float weft__tie_reach(const weft__tie* tie, const weft_scene* scene, uint32_t particle) {
  float length = (float)tie->length;
  if (tie->on_surface) {
    const float straight = weft__scene_distance(scene, particle, tie->anchor);
    length = weft__path_straighten(length, (float)tie->drawn, straight);
  }
  return LEEWAY * length;
}
