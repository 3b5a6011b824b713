#include "modules/articulated/trees.h"

#include <string.h>

#include "base/memory.h"
#include "modules/articulated/tree_solve.h"

// the last ones to finish are short
#define SHARES_PER_WORKER 16u

enum { SHARES = WEFT__GROUP(1), MEMORY = WEFT__GROUP(2) };

static const weft__column columns[] = {
    WEFT__COLUMN_TIMES(weft__trees, first_node, 1, tree_count, 1, WEFT__DERIVED),
    WEFT__COLUMN(weft__trees, particle, node_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__trees, parent, node_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__trees, pin, node_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__trees, slot, node_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__trees, rest_length, node_count, WEFT__STATE),
    WEFT__COLUMN(weft__trees, compliance, node_count, WEFT__STATE),
    WEFT__COLUMN(weft__trees, multiplier, node_count, WEFT__CACHE),
    WEFT__COLUMN(weft__trees, is_apart, tree_count, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__trees, first_tree, 1, share_count, 1, SHARES | WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__trees, first_joint, 1, worker_count, 1, SHARES | WEFT__DERIVED),
    WEFT__COLUMN(weft__trees, memory.joints, joint_count, MEMORY | WEFT__SCRATCH),
    WEFT__COLUMN(weft__trees, memory.nodes, joint_count, MEMORY | WEFT__SCRATCH),
};

const weft__table weft__trees_table = WEFT__TABLE(columns);

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
      trees->slot[i] = schedule->links.slot_of_link[forest->link[i]];
      trees->rest_length[i] = links->rest_length[forest->link[i]];
      trees->compliance[i] = links->compliance[forest->link[i]];
    }
  }
}

// Only link of a pin's node: to its parent or, for a root, to its child.
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

static void count_links(const weft__trees* trees, const weft__forest* forest,
                        const weft_scene* scene, uint32_t* tree_of, uint32_t* link_count) {
  for (uint32_t p = 0; p < scene->particle_count; ++p) tree_of[p] = WEFT__NONE;
  for (uint32_t t = 0; t < trees->tree_count; ++t) {
    for (uint32_t n = trees->first_node[t]; n < trees->first_node[t + 1]; ++n) {
      const uint32_t p = forest->particle[n];
      if (scene->inverse_masses[p] > 0.0f) tree_of[p] = t;
    }
  }
  for (uint32_t l = 0; l < scene->links.count; ++l) {
    const uint32_t a = tree_of[scene->links.end_a[l]];
    const uint32_t b = tree_of[scene->links.end_b[l]];
    if (a != WEFT__NONE) ++link_count[a];
    if (b != WEFT__NONE && b != a) ++link_count[b];
  }
}

// Trees whose free particles have no links but the tree's.
static bool find_apart(weft__trees* trees, const weft__forest* forest, const weft_scene* scene) {
  uint32_t* tree_of = weft__alloc(scene->particle_count, sizeof(*tree_of));
  uint32_t* link_count = weft__alloc_zeroed(trees->tree_count, sizeof(*link_count));
  const bool done = tree_of != NULL && link_count != NULL;
  if (done) {
    count_links(trees, forest, scene, tree_of, link_count);
    for (uint32_t t = 0; t < trees->tree_count; ++t) {
      trees->is_apart[t] = link_count[t] == trees->first_node[t + 1] - trees->first_node[t] - 1;
    }
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
  if (!weft__columns_add(trees, &weft__trees_table, 0, &trees->bytes)) return false;
  trees->lane_mask = schedule->links.lane_mask;
  copy_nodes(trees, forest, scene, schedule);
  return classify_pins(trees, scene->particle_count) && find_apart(trees, forest, scene);
}

static uint32_t largest_tree(const weft__trees* trees, uint32_t begin, uint32_t end) {
  uint32_t largest = 0;
  for (uint32_t t = begin; t < end; ++t) {
    const uint32_t nodes = trees->first_node[t + 1] - trees->first_node[t];
    if (nodes > largest) largest = nodes;
  }
  return largest;
}

static void divide_shares(weft__trees* trees) {
  const uint32_t share_count = trees->share_count;
  uint32_t share = 0;
  for (uint32_t t = 0; t < trees->tree_count; ++t) {
    // the share with the tree's middle node
    const uint64_t middle = ((uint64_t)trees->first_node[t] + trees->first_node[t + 1]) / 2;
    while (share < share_count && middle * share_count >= (uint64_t)trees->node_count * share) {
      trees->first_tree[share++] = t;
    }
  }
  while (share <= share_count) trees->first_tree[share++] = trees->tree_count;
  trees->first_tree[0] = 0;
}

static void divide_memory(weft__trees* trees) {
  for (uint32_t w = 0; w < trees->worker_count; ++w) {
    const bool has_all = trees->has_memory_by_worker;
    const uint32_t begin = has_all ? 0 : trees->first_tree[w];
    const uint32_t end = has_all ? trees->tree_count : trees->first_tree[w + 1];
    trees->first_joint[w + 1] = trees->first_joint[w] + largest_tree(trees, begin, end);
  }
  trees->joint_count = trees->first_joint[trees->worker_count];
}

bool weft__trees_divide(weft__trees* trees, uint32_t worker_count) {
  if (trees->tree_count == 0) return true;
  const uint32_t largest = largest_tree(trees, 0, trees->tree_count);
  trees->worker_count = worker_count;
  trees->has_memory_by_worker = (uint64_t)largest * worker_count <= trees->node_count;
  trees->share_count = worker_count * (trees->has_memory_by_worker ? SHARES_PER_WORKER : 1);
  if (trees->has_memory_by_worker && trees->share_count > trees->tree_count)
    trees->share_count = trees->tree_count;
  if (!weft__columns_add(trees, &weft__trees_table, SHARES, &trees->bytes)) return false;
  divide_shares(trees);
  divide_memory(trees);
  return weft__columns_add(trees, &weft__trees_table, MEMORY, &trees->bytes);
}

void weft__trees_destroy(weft__trees* trees) {
  weft__columns_free(trees, &weft__trees_table);
  weft__free(trees->node_of_slot);
  *trees = (weft__trees){0};
}
