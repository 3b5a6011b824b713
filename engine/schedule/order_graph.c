#include <string.h>

#include "base/memory.h"
#include "scene/adjacency.h"
#include "schedule/order.h"

typedef struct weft__graph_order {
  weft__adjacency links;
  uint32_t* round; /* last search that visited a particle; 0: in a lattice [particle_count] */
  uint32_t current_round;
  uint8_t* class_of; /* in the current piece [particle_count] */
  uint32_t* scratch; /* [particle_count] */
} graph;

// no links within a class but the last, which takes the rest
#define CLASS_COUNT 64u

void weft__graph_order_destroy(graph* g) {
  if (g == NULL) return;
  weft__adjacency_destroy(&g->links);
  weft__free(g->round);
  weft__free(g->class_of);
  weft__free(g->scratch);
  weft__free(g);
}

static bool make_graph(graph* g, const weft_scene* scene) {
  const uint32_t particles = scene->particle_count;
  g->round = weft__alloc_zeroed(particles, sizeof(*g->round));
  g->class_of = weft__alloc(particles, sizeof(*g->class_of));
  g->scratch = weft__alloc(particles, sizeof(*g->scratch));
  return g->round != NULL && g->class_of != NULL && g->scratch != NULL &&
         weft__adjacency_create(&g->links, scene, NULL, NULL);
}

graph* weft__graph_order_create(const weft_scene* scene) {
  graph* g = weft__alloc_zeroed(1, sizeof(*g));
  if (g == NULL || !make_graph(g, scene)) {
    weft__graph_order_destroy(g);
    return NULL;
  }
  // round 1: not in a lattice, not yet visited
  g->current_round = 1;
  for (size_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    if (part->columns > 0) continue;
    for (uint32_t i = 0; i < part->particle_count; ++i) g->round[part->first_particle + i] = 1;
  }
  return g;
}

// Breadth first along links; returns the count.
static uint32_t search(graph* g, uint32_t start, uint32_t* list) {
  const uint32_t round = ++g->current_round;
  uint32_t count = 0;
  list[count++] = start;
  g->round[start] = round;
  for (uint32_t next = 0; next < count; ++next) {
    const uint32_t p = list[next];
    for (uint32_t n = g->links.first[p]; n < g->links.first[p + 1]; ++n) {
      const uint32_t neighbor = g->links.to[n];
      if (g->round[neighbor] == 0 || g->round[neighbor] == round) continue;
      g->round[neighbor] = round;
      list[count++] = neighbor;
    }
  }
  return count;
}

// Lowest that no neighbour classified in this round has.
static uint8_t free_class(const graph* g, uint32_t p) {
  uint64_t used = 0;
  for (uint32_t n = g->links.first[p]; n < g->links.first[p + 1]; ++n) {
    const uint32_t neighbor = g->links.to[n];
    if (g->round[neighbor] == g->current_round) used |= 1ull << g->class_of[neighbor];
  }
  return used == UINT64_MAX ? CLASS_COUNT - 1 : (uint8_t)__builtin_ctzll(~used);
}

// Class by class, each breadth first: particles adjacent in memory are rarely linked, as lane
// groups require, and classes of chains and lattices make runs.
static void order_piece(graph* g, uint32_t* list, uint32_t count) {
  uint32_t first[CLASS_COUNT + 1] = {0};
  ++g->current_round;
  for (uint32_t i = 0; i < count; ++i) {
    g->class_of[list[i]] = free_class(g, list[i]);
    g->round[list[i]] = g->current_round;
    ++first[g->class_of[list[i]] + 1];
  }
  for (uint32_t c = 0; c < CLASS_COUNT; ++c) first[c + 1] += first[c];
  memcpy(g->scratch, list, count * sizeof(*list));
  for (uint32_t i = 0; i < count; ++i) list[first[g->class_of[g->scratch[i]]]++] = g->scratch[i];
}

static bool push_patches(weft__order* order, graph* g, uint32_t* list, uint32_t count,
                         uint32_t key) {
  const uint32_t target = weft__patch_target(count);
  const uint32_t pieces = (count + target - 1) / target;
  for (uint32_t piece = 0; piece < pieces; ++piece) {
    const uint32_t begin = (uint32_t)((uint64_t)count * piece / pieces);
    const uint32_t end = (uint32_t)((uint64_t)count * (piece + 1) / pieces);
    order_piece(g, list + begin, end - begin);
    if (!weft__order_push_patch(order, end - begin, pieces == 1, key)) return false;
  }
  return true;
}

// The particle visited last is far from the start, and the last one from there farther still:
// levels are then many and narrow (Gibbs, Poole, Stockmeyer 1976).
static bool order_component(weft__order* order, graph* g, uint32_t start, uint32_t key) {
  uint32_t* list = order->user_of + order->patch_first[order->patch_count];
  uint32_t count = search(g, start, list);
  count = search(g, list[count - 1], list);
  count = search(g, list[count - 1], list);
  return push_patches(order, g, list, count, key);
}

bool weft__graph_order_part(graph* g, weft__order* order, const weft__part* part) {
  const uint32_t end = part->first_particle + part->particle_count;
  for (uint32_t i = part->first_particle; i < end; ++i) {
    if (g->round[i] == 1 && !order_component(order, g, i, part->patch_key)) return false;
  }
  return true;
}
