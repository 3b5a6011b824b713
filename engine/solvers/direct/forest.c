#include "solvers/direct/forest.h"

#include <stdlib.h>

#include "base/memory.h"
#include "scene/adjacency.h"

// what is known of a particle
typedef enum part {
  PART_CORE,    // not peeled, or pinned
  PART_PEELED,  // off, and hanging by its last link
  PART_LAST,    // off as the last one of a component that is a tree
  PART_LISTED,  // in a tree's list
} part;

// a node that is to be listed
typedef struct pending {
  uint32_t particle;
  uint32_t link;
  uint32_t parent;
} pending;

typedef struct peeler {
  const weft_scene* scene;
  uint32_t* degree;        // links to free particles that are left [particle_count]
  uint32_t* links;         // the exclusive or of their numbers [particle_count]
  uint32_t* queue;         // [particle_count]
  uint8_t* parts;          // part [particle_count]
  uint32_t link_count;     // of the forest
  weft__adjacency around;  // its links
  pending* stack;          // [link_count + 1]
  weft__forest* forest;
} peeler;

static bool is_pinned(const weft_scene* scene, uint32_t particle) {
  return !(scene->inverse_masses[particle] > 0.0f);
}

static bool counts(const weft_scene* scene, uint32_t link) {
  return scene->links.kind[link] == WEFT_LINK_STRUCTURAL && scene->links.stiffness[link] >= 1.0f &&
         weft__links_mode(&scene->links, link) == WEFT_LINK_BOTH;
}

// ---- peeling ----

static void count_links(peeler* p) {
  const weft__links* links = &p->scene->links;
  for (uint32_t i = 0; i < links->count; ++i) {
    const uint32_t a = links->end_a[i];
    const uint32_t b = links->end_b[i];
    if (!counts(p->scene, i) || is_pinned(p->scene, a) || is_pinned(p->scene, b)) continue;
    ++p->degree[a];
    ++p->degree[b];
    p->links[a] ^= i;
    p->links[b] ^= i;
  }
}

// returns how many particles came off
static uint32_t peel(peeler* p) {
  const weft__links* links = &p->scene->links;
  const uint32_t count = p->scene->particle_count;
  uint32_t end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (p->degree[i] <= 1 && !is_pinned(p->scene, i)) p->queue[end++] = i;
  }
  for (uint32_t begin = 0; begin < end; ++begin) {
    const uint32_t leaf = p->queue[begin];
    p->parts[leaf] = p->degree[leaf] == 0 ? PART_LAST : PART_PEELED;
    if (p->degree[leaf] == 0) continue;
    const uint32_t link = p->links[leaf];
    const uint32_t rest = links->end_a[link] ^ links->end_b[link] ^ leaf;
    p->links[rest] ^= link;
    if (--p->degree[rest] == 1) p->queue[end++] = rest;
  }
  return end;
}

// ---- listing ----

// links of which an end is peeled; a pin never is
static bool is_in_forest(const void* context, const weft_scene* scene, uint32_t link) {
  const peeler* p = context;
  return counts(scene, link) && (p->parts[scene->links.end_a[link]] != PART_CORE ||
                                 p->parts[scene->links.end_b[link]] != PART_CORE);
}

static bool make_room(peeler* p) {
  for (uint32_t i = 0; i < p->scene->links.count; ++i) {
    p->link_count += is_in_forest(p, p->scene, i) ? 1 : 0;
  }
  // a tree has one node more than it has links, and at least one link
  const size_t nodes = 2 * (size_t)p->link_count;
  weft__forest* forest = p->forest;
  forest->first_node = weft__alloc((size_t)p->link_count + 1, sizeof(*forest->first_node));
  forest->particle = weft__alloc(nodes, sizeof(*forest->particle));
  forest->parent = weft__alloc(nodes, sizeof(*forest->parent));
  forest->link = weft__alloc(nodes, sizeof(*forest->link));
  p->stack = weft__alloc((size_t)p->link_count + 1, sizeof(*p->stack));
  return forest->first_node != NULL && forest->particle != NULL && forest->parent != NULL &&
         forest->link != NULL && p->stack != NULL &&
         weft__adjacency_create(&p->around, p->scene, is_in_forest, p);
}

static uint32_t push_node(weft__forest* forest, uint32_t first, pending node) {
  const uint32_t at = forest->node_count++;
  forest->particle[at] = node.particle;
  forest->parent[at] = node.parent;
  forest->link[at] = node.link;
  return at - first;
}

// pushes what hangs off a free particle, last first
static uint32_t push_children(peeler* p, uint32_t depth, pending node, uint32_t parent) {
  const weft__adjacency* around = &p->around;
  for (uint32_t i = around->first[node.particle + 1]; i-- > around->first[node.particle];) {
    if (around->link[i] == node.link) continue;
    p->stack[depth++] = (pending){around->to[i], around->link[i], parent};
  }
  return depth;
}

// lists all that hangs off the root; by `only` alone if the root is a pin
static void list_tree(peeler* p, uint32_t root, const pending* only) {
  weft__forest* forest = p->forest;
  const uint32_t first = forest->node_count;
  const pending top = {root, WEFT__NO_TREE_LINK, 0};
  uint32_t depth = 0;
  (void)push_node(forest, first, top);
  if (only != NULL) {
    p->stack[depth++] = *only;
  } else {
    p->parts[root] = PART_LISTED;
    depth = push_children(p, depth, top, 0);
  }
  while (depth > 0) {
    const pending node = p->stack[--depth];
    const uint32_t at = push_node(forest, first, node);
    if (is_pinned(p->scene, node.particle)) continue;
    p->parts[node.particle] = PART_LISTED;
    depth = push_children(p, depth, node, at);
  }
  if (forest->node_count - first <= WEFT__LEAST_TREE_LINKS) {
    forest->node_count = first;
    return;
  }
  forest->first_node[++forest->tree_count] = forest->node_count;
}

static void list_trees_of_pin(peeler* p, uint32_t pin) {
  for (uint32_t i = p->around.first[pin]; i < p->around.first[pin + 1]; ++i) {
    const pending next = {p->around.to[i], p->around.link[i], 0};
    if (p->parts[next.particle] != PART_LISTED) list_tree(p, pin, &next);
  }
}

// roots are particles of the core; for what does not hang there pins; and where there are none the
// particles that came off last, in the middle of their trees
static void list_trees(peeler* p) {
  const uint32_t count = p->scene->particle_count;
  const uint32_t* first = p->around.first;
  p->forest->first_node[0] = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const bool bears_any = first[i] < first[i + 1] && !is_pinned(p->scene, i);
    if (bears_any && p->parts[i] == PART_CORE) list_tree(p, i, NULL);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (is_pinned(p->scene, i)) list_trees_of_pin(p, i);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (p->parts[i] == PART_LAST) list_tree(p, i, NULL);
  }
}

// ---- making and destroying ----

bool weft__forest_create(weft__forest* forest, const weft_scene* scene) {
  *forest = (weft__forest){0};
  const size_t count = scene->particle_count;
  peeler p = {.scene = scene,
              .degree = weft__alloc_zeroed(count, sizeof(*p.degree)),
              .links = weft__alloc_zeroed(count, sizeof(*p.links)),
              .queue = weft__alloc(count, sizeof(*p.queue)),
              .parts = weft__alloc_zeroed(count, sizeof(*p.parts)),
              .forest = forest};
  bool good = p.degree != NULL && p.links != NULL && p.queue != NULL && p.parts != NULL;
  if (good) {
    count_links(&p);
    // cloth alone has no leaves
    const bool any = peel(&p) > 0;
    good = !any || make_room(&p);
    if (any && good) list_trees(&p);
  }
  weft__adjacency_destroy(&p.around);
  free(p.degree);
  free(p.links);
  free(p.queue);
  free(p.parts);
  free(p.stack);
  if (!good) weft__forest_destroy(forest);
  return good;
}

void weft__forest_destroy(weft__forest* forest) {
  free(forest->first_node);
  free(forest->particle);
  free(forest->parent);
  free(forest->link);
  *forest = (weft__forest){0};
}
