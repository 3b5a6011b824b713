#include "modules/articulated/forest.h"

#include "base/memory.h"
#include "scene/adjacency.h"

typedef enum particle_state {
  STATE_CORE,     // not removed, or pinned
  STATE_REMOVED,  // as a leaf
  STATE_CENTER,   // last in a component that is a tree
  STATE_LISTED,   // in a tree's node list
} particle_state;

typedef struct pending {
  uint32_t particle;
  uint32_t link;
  uint32_t parent;
} pending;

typedef struct forest_builder {
  const weft_scene* scene;
  uint32_t* degree;
  uint32_t* links;  // exclusive or of their indices [particle_count]
  uint32_t* queue;  // [particle_count]
  uint8_t* state;   // particle_state [particle_count]
  uint32_t link_count;
  weft__adjacency adjacency;
  pending* stack;  // [link_count + 1]
  weft__forest* forest;
} forest_builder;

static bool is_pinned(const weft_scene* scene, uint32_t particle) {
  return !(scene->inverse_masses[particle] > 0.0f);
}

static bool is_tree_link(const weft_scene* scene, uint32_t link) {
  return scene->links.kind[link] == WEFT_LINK_STRUCTURAL && scene->links.relaxation[link] >= 1.0f &&
         weft__links_mode(&scene->links, link) == WEFT_LINK_MODE_BOTH &&
         weft__links_solver(&scene->links, link) < WEFT__SOLVER_SPRING;
}

static void count_links(forest_builder* p) {
  const weft__links* links = &p->scene->links;
  for (uint32_t i = 0; i < links->count; ++i) {
    const uint32_t a = links->end_a[i];
    const uint32_t b = links->end_b[i];
    if (!is_tree_link(p->scene, i) || is_pinned(p->scene, a) || is_pinned(p->scene, b)) continue;
    ++p->degree[a];
    ++p->degree[b];
    p->links[a] ^= i;
    p->links[b] ^= i;
  }
}

static uint32_t remove_leaves(forest_builder* p) {
  const weft__links* links = &p->scene->links;
  const uint32_t count = p->scene->particle_count;
  uint32_t end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (p->degree[i] <= 1 && !is_pinned(p->scene, i)) p->queue[end++] = i;
  }
  for (uint32_t begin = 0; begin < end; ++begin) {
    const uint32_t leaf = p->queue[begin];
    p->state[leaf] = p->degree[leaf] == 0 ? STATE_CENTER : STATE_REMOVED;
    if (p->degree[leaf] == 0) continue;
    const uint32_t link = p->links[leaf];
    const uint32_t neighbor = links->end_a[link] ^ links->end_b[link] ^ leaf;
    p->links[neighbor] ^= link;
    if (--p->degree[neighbor] == 1) p->queue[end++] = neighbor;
  }
  return end;
}

// Pins are never removed, so an end at one does not count.
static bool is_in_forest(const void* context, const weft_scene* scene, uint32_t link) {
  const forest_builder* p = context;
  return is_tree_link(scene, link) && (p->state[scene->links.end_a[link]] != STATE_CORE ||
                                       p->state[scene->links.end_b[link]] != STATE_CORE);
}

static bool reserve_nodes(forest_builder* p) {
  for (uint32_t i = 0; i < p->scene->links.count; ++i) {
    p->link_count += is_in_forest(p, p->scene, i) ? 1 : 0;
  }
  // trees have at least one link, and one node more
  const size_t nodes = 2 * (size_t)p->link_count;
  weft__forest* forest = p->forest;
  forest->first_node = weft__alloc((size_t)p->link_count + 1, sizeof(*forest->first_node));
  forest->particle = weft__alloc(nodes, sizeof(*forest->particle));
  forest->parent = weft__alloc(nodes, sizeof(*forest->parent));
  forest->link = weft__alloc(nodes, sizeof(*forest->link));
  p->stack = weft__alloc((size_t)p->link_count + 1, sizeof(*p->stack));
  return forest->first_node != NULL && forest->particle != NULL && forest->parent != NULL &&
         forest->link != NULL && p->stack != NULL &&
         weft__adjacency_create(&p->adjacency, p->scene, is_in_forest, p);
}

static uint32_t push_node(weft__forest* forest, uint32_t first, pending node) {
  const uint32_t at = forest->node_count++;
  forest->particle[at] = node.particle;
  forest->parent[at] = node.parent;
  forest->link[at] = node.link;
  return at - first;
}

static uint32_t push_children(forest_builder* p, uint32_t depth, pending node, uint32_t parent) {
  const weft__adjacency* adjacency = &p->adjacency;
  for (uint32_t i = adjacency->first[node.particle + 1]; i-- > adjacency->first[node.particle];) {
    if (adjacency->link[i] == node.link) continue;
    p->stack[depth++] = (pending){adjacency->to[i], adjacency->link[i], parent};
  }
  return depth;
}

// If the root is a pin, only the branch `only`.
static void list_tree(forest_builder* p, uint32_t root, const pending* only) {
  weft__forest* forest = p->forest;
  const uint32_t first = forest->node_count;
  const pending top = {root, WEFT__NO_TREE_LINK, 0};
  uint32_t depth = 0;
  (void)push_node(forest, first, top);
  if (only != NULL) {
    p->stack[depth++] = *only;
  } else {
    p->state[root] = STATE_LISTED;
    depth = push_children(p, depth, top, 0);
  }
  while (depth > 0) {
    const pending node = p->stack[--depth];
    const uint32_t at = push_node(forest, first, node);
    if (is_pinned(p->scene, node.particle)) continue;
    p->state[node.particle] = STATE_LISTED;
    depth = push_children(p, depth, node, at);
  }
  if (forest->node_count - first <= WEFT__MIN_TREE_LINKS) {
    forest->node_count = first;
    return;
  }
  forest->first_node[++forest->tree_count] = forest->node_count;
}

static void list_trees_of_pin(forest_builder* p, uint32_t pin) {
  for (uint32_t i = p->adjacency.first[pin]; i < p->adjacency.first[pin + 1]; ++i) {
    const pending next = {p->adjacency.to[i], p->adjacency.link[i], 0};
    if (p->state[next.particle] != STATE_LISTED) list_tree(p, pin, &next);
  }
}

// Roots: core particles, then pins of components without core, then centres of the others.
static void list_trees(forest_builder* p) {
  const uint32_t count = p->scene->particle_count;
  const uint32_t* first = p->adjacency.first;
  p->forest->first_node[0] = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const bool is_attached = first[i] < first[i + 1] && !is_pinned(p->scene, i);
    if (is_attached && p->state[i] == STATE_CORE) list_tree(p, i, NULL);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (is_pinned(p->scene, i)) list_trees_of_pin(p, i);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (p->state[i] == STATE_CENTER) list_tree(p, i, NULL);
  }
}

bool weft__forest_create(weft__forest* forest, const weft_scene* scene) {
  *forest = (weft__forest){0};
  const size_t count = scene->particle_count;
  forest_builder p = {.scene = scene,
                      .degree = weft__alloc_zeroed(count, sizeof(*p.degree)),
                      .links = weft__alloc_zeroed(count, sizeof(*p.links)),
                      .queue = weft__alloc(count, sizeof(*p.queue)),
                      .state = weft__alloc_zeroed(count, sizeof(*p.state)),
                      .forest = forest};
  bool good = p.degree != NULL && p.links != NULL && p.queue != NULL && p.state != NULL;
  if (good) {
    count_links(&p);
    // pure cloth has no leaves
    const bool any = remove_leaves(&p) > 0;
    good = !any || reserve_nodes(&p);
    if (any && good) list_trees(&p);
  }
  weft__adjacency_destroy(&p.adjacency);
  weft__free(p.degree);
  weft__free(p.links);
  weft__free(p.queue);
  weft__free(p.state);
  weft__free(p.stack);
  if (!good) weft__forest_destroy(forest);
  return good;
}

void weft__forest_assign(const weft__forest* forest, const weft__links* links, uint8_t* solver) {
  for (uint32_t i = 0; i < forest->node_count; ++i) {
    const uint32_t link = forest->link[i];
    const bool is_compliant = link != WEFT__NO_TREE_LINK && links->compliance[link] > 0.0f;
    if (is_compliant) solver[link] = WEFT__SOLVER_DIRECT;
  }
}

void weft__forest_destroy(weft__forest* forest) {
  weft__free(forest->first_node);
  weft__free(forest->particle);
  weft__free(forest->parent);
  weft__free(forest->link);
  *forest = (weft__forest){0};
}
