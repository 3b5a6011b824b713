#include "solvers/direct/trees.h"

#include <string.h>

#include "base/memory.h"
#include "solvers/direct/solve.h"

// enough shares that the last ones to finish are short
#define SHARES_PER_WORKER 16u

// ---- tables ----

static bool make_columns(weft__trees* trees) {
  const size_t nodes = trees->node_count;
  trees->first_node = weft__alloc((size_t)trees->tree_count + 1, sizeof(*trees->first_node));
  trees->particle = weft__alloc(nodes, sizeof(*trees->particle));
  trees->parent = weft__alloc(nodes, sizeof(*trees->parent));
  trees->pin = weft__alloc_zeroed(nodes, sizeof(*trees->pin));
  trees->slot = weft__alloc_zeroed(nodes, sizeof(*trees->slot));
  trees->rest_length = weft__alloc_zeroed(nodes, sizeof(*trees->rest_length));
  trees->compliance = weft__alloc_zeroed(nodes, sizeof(*trees->compliance));
  trees->multiplier = weft__alloc_zeroed(nodes, sizeof(*trees->multiplier));
  trees->is_apart = weft__alloc_zeroed(trees->tree_count, sizeof(*trees->is_apart));
  trees->bytes = ((size_t)trees->tree_count + 1) * sizeof(*trees->first_node) +
                 trees->tree_count * sizeof(*trees->is_apart) +
                 nodes * (sizeof(*trees->particle) + sizeof(*trees->parent) + sizeof(*trees->pin) +
                          sizeof(*trees->slot) + sizeof(*trees->rest_length) +
                          sizeof(*trees->compliance) + sizeof(*trees->multiplier));
  return trees->first_node != NULL && trees->particle != NULL && trees->parent != NULL &&
         trees->pin != NULL && trees->slot != NULL && trees->rest_length != NULL &&
         trees->compliance != NULL && trees->multiplier != NULL && trees->is_apart != NULL;
}

static void copy_nodes(weft__trees* trees, const weft__forest* forest, const weft_scene* scene,
                       const weft__schedule* schedule) {
  const weft__links* links = &scene->links;
  memcpy(trees->first_node, forest->first_node,
         ((size_t)trees->tree_count + 1) * sizeof(*trees->first_node));
  memcpy(trees->parent, forest->parent, trees->node_count * sizeof(*trees->parent));
  for (uint32_t t = 0; t < trees->tree_count; ++t) {
    const uint32_t first = trees->first_node[t];
    for (uint32_t i = first; i < trees->first_node[t + 1]; ++i) {
      trees->particle[i] = schedule->solver_of[forest->particle[i]];
      if (i == first) continue;
      trees->slot[i] = schedule->slot_of_link[forest->link[i]];
      trees->rest_length[i] = links->rest_length[forest->link[i]];
      trees->compliance[i] = links->compliance[forest->link[i]];
    }
  }
}

// Compliance of the only link of a pin's node: to its parent or, for a root, to its child.
static float compliance_of_pin(const weft__trees* trees, uint32_t first, uint32_t node) {
  return trees->compliance[node == first ? node + 1 : node];
}

static bool classify_pins(weft__trees* trees, uint32_t particle_count) {
  uint32_t* node_count = weft__alloc_zeroed(particle_count, sizeof(*node_count));
  if (node_count == NULL) return false;
  for (uint32_t i = 0; i < trees->node_count; ++i) ++node_count[trees->particle[i]];
  for (uint32_t t = 0; t < trees->tree_count; ++t) {
    const uint32_t first = trees->first_node[t];
    for (uint32_t i = first; i < trees->first_node[t + 1]; ++i) {
      if (node_count[trees->particle[i]] == 1) continue;
      const bool swept = compliance_of_pin(trees, first, i) == 0.0f;
      trees->pin[i] = swept ? WEFT__PIN_SWEPT : WEFT__PIN_FIXED;
    }
  }
  weft__free(node_count);
  return true;
}

// Finds the trees whose free particles have no links but the tree's.
static bool find_apart(weft__trees* trees, const weft__forest* forest, const weft_scene* scene) {
  const weft__links* links = &scene->links;
  uint32_t* tree_of = weft__alloc(scene->particle_count, sizeof(*tree_of));
  uint32_t* link_count = weft__alloc_zeroed(trees->tree_count, sizeof(*link_count));
  const bool done = tree_of != NULL && link_count != NULL;
  for (uint32_t p = 0; done && p < scene->particle_count; ++p) tree_of[p] = WEFT__NONE;
  for (uint32_t t = 0; done && t < trees->tree_count; ++t) {
    for (uint32_t n = trees->first_node[t]; n < trees->first_node[t + 1]; ++n) {
      const uint32_t p = forest->particle[n];
      if (scene->inverse_masses[p] > 0.0f) tree_of[p] = t;
    }
  }
  for (uint32_t l = 0; done && l < links->count; ++l) {
    const uint32_t a = tree_of[links->end_a[l]];
    const uint32_t b = tree_of[links->end_b[l]];
    if (a != WEFT__NONE) ++link_count[a];
    if (b != WEFT__NONE && b != a) ++link_count[b];
  }
  for (uint32_t t = 0; done && t < trees->tree_count; ++t) {
    trees->is_apart[t] = link_count[t] == trees->first_node[t + 1] - trees->first_node[t] - 1;
  }
  weft__free(tree_of);
  weft__free(link_count);
  return done;
}

bool weft__trees_create(weft__trees* trees, const weft__forest* forest, const weft_scene* scene,
                        const weft__schedule* schedule) {
  *trees = (weft__trees){.tree_count = forest->tree_count,
                         .node_count = forest->node_count,
                         .inv_step_sq = 1.0,
                         .multiplier_scale = 1.0};
  if (trees->tree_count == 0) return true;
  if (!make_columns(trees)) return false;
  trees->lane_mask = schedule->lane_mask;
  copy_nodes(trees, forest, scene, schedule);
  return classify_pins(trees, scene->particle_count) && find_apart(trees, forest, scene);
}

// ---- shares ----

static uint32_t largest_tree(const weft__trees* trees, uint32_t begin, uint32_t end) {
  uint32_t largest = 0;
  for (uint32_t t = begin; t < end; ++t) {
    const uint32_t nodes = trees->first_node[t + 1] - trees->first_node[t];
    if (nodes > largest) largest = nodes;
  }
  return largest;
}

// Divides the trees into shares of about equal node counts.
static bool divide_shares(weft__trees* trees, uint32_t share_count) {
  trees->share_count = share_count;
  trees->first_tree = weft__alloc((size_t)share_count + 1, sizeof(*trees->first_tree));
  if (trees->first_tree == NULL) return false;
  uint32_t share = 0;
  for (uint32_t t = 0; t < trees->tree_count; ++t) {
    // a tree belongs to the share that contains its middle node
    const uint64_t middle = ((uint64_t)trees->first_node[t] + trees->first_node[t + 1]) / 2;
    while (share < share_count && middle * share_count >= (uint64_t)trees->node_count * share) {
      trees->first_tree[share++] = t;
    }
  }
  while (share <= share_count) trees->first_tree[share++] = trees->tree_count;
  trees->first_tree[0] = 0;
  return true;
}

static bool make_joints(weft__trees* trees, uint32_t worker_count) {
  trees->first_joint = weft__alloc((size_t)worker_count + 1, sizeof(*trees->first_joint));
  if (trees->first_joint == NULL) return false;
  trees->first_joint[0] = 0;
  for (uint32_t w = 0; w < worker_count; ++w) {
    const bool has_all = trees->has_memory_by_worker;
    const uint32_t begin = has_all ? 0 : trees->first_tree[w];
    const uint32_t end = has_all ? trees->tree_count : trees->first_tree[w + 1];
    trees->first_joint[w + 1] = trees->first_joint[w] + largest_tree(trees, begin, end);
  }
  const size_t count = trees->first_joint[worker_count];
  weft__tree_memory* memory = &trees->memory;
  memory->joints = weft__alloc(count, sizeof(*memory->joints));
  memory->nodes = weft__alloc(count, sizeof(*memory->nodes));
  return memory->joints != NULL && memory->nodes != NULL;
}

bool weft__trees_divide(weft__trees* trees, uint32_t worker_count) {
  if (trees->tree_count == 0) return true;
  const uint32_t largest = largest_tree(trees, 0, trees->tree_count);
  trees->has_memory_by_worker = (uint64_t)largest * worker_count <= trees->node_count;
  const uint32_t shares = worker_count * (trees->has_memory_by_worker ? SHARES_PER_WORKER : 1);
  if (!divide_shares(trees, shares) || !make_joints(trees, worker_count)) return false;
  trees->bytes += ((size_t)shares + 1) * sizeof(*trees->first_tree) +
                  ((size_t)worker_count + 1) * sizeof(*trees->first_joint) +
                  trees->first_joint[worker_count] *
                      (sizeof(*trees->memory.joints) + sizeof(*trees->memory.nodes));
  return true;
}

void weft__trees_destroy(weft__trees* trees) {
  weft__free(trees->first_node);
  weft__free(trees->particle);
  weft__free(trees->parent);
  weft__free(trees->pin);
  weft__free(trees->slot);
  weft__free(trees->rest_length);
  weft__free(trees->compliance);
  weft__free(trees->multiplier);
  weft__free(trees->is_apart);
  weft__free(trees->first_tree);
  weft__free(trees->first_joint);
  weft__free(trees->memory.joints);
  weft__free(trees->memory.nodes);
  *trees = (weft__trees){0};
}

void weft__trees_visit(weft__trees* trees, weft__archive* archive) {
  WEFT__ARCHIVE_ARRAY(archive, trees->multiplier, trees->node_count);
}
