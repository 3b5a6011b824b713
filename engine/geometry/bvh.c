#include "geometry/bvh.h"

#include <float.h>
#include <string.h>

#include "base/arena.h"
#include "base/host.h"
#include "base/memory.h"
#include "base/sort.h"

enum { BINS = 16 };

// Minimum number of subtrees that share the refit of a large tree.
enum { BRANCHES = 128 };

static void lay_out(weft__bvh* tree, weft__arena* arena) {
  const size_t capacity = tree->capacity;
  tree->nodes = weft__arena_alloc(arena, capacity + 1, sizeof(*tree->nodes));
  tree->slots = weft__arena_alloc(arena, capacity, sizeof(*tree->slots));
  // A node above all branches has more than 1/128 of all items: at most 128 on each level.
  const size_t tops = BRANCHES * (WEFT__BVH_DEPTH + 1);
  const size_t top_count = tops < capacity + 1 ? tops : capacity + 1;
  tree->tops = weft__arena_alloc(arena, top_count, sizeof(*tree->tops));
  tree->branches = weft__arena_alloc(arena, top_count + 1, sizeof(*tree->branches));
  tree->keys = weft__arena_alloc(arena, capacity, sizeof(*tree->keys));
}

bool weft__bvh_create(weft__bvh* tree, uint32_t capacity) {
  WEFT__ASSERT(capacity <= WEFT__BVH_ITEMS);
  *tree = (weft__bvh){.capacity = capacity};
  for (weft__arena arena = {0}; weft__arena_next(&arena, &tree->block, &tree->bytes);) {
    lay_out(tree, &arena);
  }
  if (tree->block == NULL) *tree = (weft__bvh){0};
  return tree->block != NULL;
}

void weft__bvh_destroy(weft__bvh* tree) {
  weft__free(tree->block);
  *tree = (weft__bvh){0};
}

// Clamps to the finite range; NaN becomes the lower end.
static double clamp(float value) {
  if (!(value > -FLT_MAX)) return -(double)FLT_MAX;
  return value < FLT_MAX ? (double)value : (double)FLT_MAX;
}

static double centroid_twice(const weft__aabb* box, int axis) {
  return clamp(box->lower[axis]) + clamp(box->upper[axis]);
}

static double half_area(const weft__aabb* box) {
  double size[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double length = clamp(box->upper[axis]) - clamp(box->lower[axis]);
    size[axis] = length > 0.0 ? length : 0.0;
  }
  return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

typedef struct split {
  double cost;  // infinite: no split found
  int axis;
  double origin, scale;  // centroids to bins
  uint32_t bin;          // first of the right side
} split;

static uint32_t bin_of(const split* at, const weft__aabb* box) {
  const double bin = (centroid_twice(box, at->axis) - at->origin) * at->scale;
  if (!(bin > 0.0)) return 0;
  return bin < BINS - 1 ? (uint32_t)bin : BINS - 1;
}

typedef struct bin_row {
  weft__aabb box[BINS];
  uint32_t count[BINS];
} bin_row;

static void fill_bins(bin_row* bins, const split* at, const weft__bvh_slot* slots, uint32_t count) {
  for (int bin = 0; bin < BINS; ++bin) {
    bins->box[bin] = weft__aabb_empty();
    bins->count[bin] = 0;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bin = bin_of(at, &slots[i].box);
    weft__aabb_add(&bins->box[bin], &slots[i].box);
    bins->count[bin] += 1;
  }
}

// Finds the cheapest split between bins that leaves at least two items and at most `max_count` on
// each side.
static void choose_bin(split* at, const bin_row* bins, uint32_t count, uint64_t max_count) {
  double right_area[BINS];
  weft__aabb box = weft__aabb_empty();
  for (int bin = BINS - 1; bin > 0; --bin) {
    weft__aabb_add(&box, &bins->box[bin]);
    right_area[bin] = half_area(&box);
  }
  at->cost = INFINITY;
  box = weft__aabb_empty();
  uint32_t left = 0;
  for (uint32_t bin = 1; bin < BINS; ++bin) {
    weft__aabb_add(&box, &bins->box[bin - 1]);
    left += bins->count[bin - 1];
    const uint32_t right = count - left;
    if (left < 2 || right < 2 || left > max_count || right > max_count) continue;
    const double cost = left * half_area(&box) + right * right_area[bin];
    if (cost < at->cost) {
      at->cost = cost;
      at->bin = bin;
    }
  }
}

static split find_split(const weft__bvh_slot* slots, uint32_t count, uint64_t max_count) {
  split best = {.cost = INFINITY, .axis = -1};
  for (int axis = 0; axis < 3; ++axis) {
    double low = INFINITY;
    double high = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
      const double centroid = centroid_twice(&slots[i].box, axis);
      if (centroid < low) low = centroid;
      if (centroid > high) high = centroid;
    }
    if (!(high > low)) continue;
    if (best.axis < 0) best.axis = axis;
    split tried = {.axis = axis, .origin = low, .scale = BINS / (high - low)};
    bin_row bins;
    fill_bins(&bins, &tried, slots, count);
    choose_bin(&tried, &bins, count, max_count);
    if (tried.cost < best.cost) best = tried;
  }
  return best;
}

// Partitions slots by the split plane, left side first; returns the count of the left side.
static uint32_t partition_slots(weft__bvh_slot* slots, uint32_t count, const split* at) {
  uint32_t left = 0;
  uint32_t right = count;
  while (left < right) {
    if (bin_of(at, &slots[left].box) < at->bin) {
      left += 1;
    } else {
      right -= 1;
      const weft__bvh_slot slot = slots[left];
      slots[left] = slots[right];
      slots[right] = slot;
    }
  }
  return left;
}

// Maps a float to an integer of the same order.
static uint32_t float_to_ordered(float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

static int longest_axis(const weft__aabb* box) {
  int longest = 0;
  double longest_length = -1.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double length = clamp(box->upper[axis]) - clamp(box->lower[axis]);
    if (length > longest_length) {
      longest_length = length;
      longest = axis;
    }
  }
  return longest;
}

static uint64_t key_of(const weft__bvh_slot* slot, int axis) {
  return (uint64_t)float_to_ordered((float)(0.5 * centroid_twice(&slot->box, axis))) << 32 |
         slot->item;
}

// Median split along the longest axis, ties by item number, if the heuristic found none.
static uint32_t split_at_median(weft__bvh* tree, const weft__aabb* box, uint32_t first,
                                uint32_t count) {
  const int axis = longest_axis(box);
  weft__bvh_slot* slots = tree->slots + first;
  for (uint32_t i = 0; i < count; ++i) tree->keys[i] = key_of(&slots[i], axis);
  weft__sort_numbers(tree->keys, count);
  const uint64_t pivot = tree->keys[count / 2];
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (key_of(&slots[i], axis) >= pivot) continue;
    const weft__bvh_slot slot = slots[i];
    slots[i] = slots[left];
    slots[left++] = slot;
  }
  return left;
}

// Items that fit below a node at this depth.
static uint64_t subtree_capacity(uint32_t depth) {
  return (uint64_t)WEFT__BVH_LEAF << (WEFT__BVH_DEPTH - depth);
}

static uint32_t split_slots(weft__bvh* tree, const weft__aabb* box, uint32_t first, uint32_t count,
                            uint32_t depth) {
  const split cheapest = find_split(tree->slots + first, count, subtree_capacity(depth + 1));
  if (cheapest.cost < INFINITY) return partition_slots(tree->slots + first, count, &cheapest);
  // all centroids equal: any split is as good
  if (cheapest.axis < 0) return count / 2;
  return split_at_median(tree, box, first, count);
}

static weft__aabb box_of_slots(const weft__bvh_slot* slots, uint32_t count) {
  weft__aabb box = weft__aabb_empty();
  for (uint32_t i = 0; i < count; ++i) weft__aabb_add(&box, &slots[i].box);
  return box;
}

static void build_node(weft__bvh* tree, uint32_t node, uint32_t first, uint32_t end,
                       uint32_t depth) {
  weft__bvh_node* added = &tree->nodes[node];
  added->box = box_of_slots(tree->slots + first, end - first);
  added->end = end;
  if (end - first <= WEFT__BVH_LEAF) {
    added->child = WEFT__BVH_IS_LEAF | first;
    return;
  }
  const uint32_t left = split_slots(tree, &added->box, first, end - first, depth);
  added->child = tree->node_count;
  tree->node_count += 2;
  build_node(tree, added->child, first, first + left, depth + 1);
  build_node(tree, added->child + 1, first + left, end, depth + 1);
}

// Subtrees that are refitted in parallel. Nodes below `node` are [begin, end), the left child's
// first.
static void collect_branches(weft__bvh* tree, uint32_t node, uint32_t first, uint32_t begin,
                             uint32_t end) {
  const weft__bvh_node* top = &tree->nodes[node];
  const bool is_leaf = (top->child & WEFT__BVH_IS_LEAF) != 0;
  if (is_leaf || top->end - first <= tree->item_count / BRANCHES) {
    tree->branches[tree->branch_count++] =
        (weft__bvh_subtree){.node = node, .begin = begin, .end = end};
    return;
  }
  tree->tops[tree->top_count++] = node;
  const uint32_t left = top->child;
  const uint32_t middle_slot = tree->nodes[left].end;
  const bool right_is_leaf = (tree->nodes[left + 1].child & WEFT__BVH_IS_LEAF) != 0;
  const uint32_t right_begin = right_is_leaf ? end : tree->nodes[left + 1].child;
  collect_branches(tree, left, first, left + 2, right_begin);
  collect_branches(tree, left + 1, middle_slot, right_begin, end);
}

void weft__bvh_build(weft__bvh* tree, const weft__aabb* boxes, uint32_t count) {
  WEFT__ASSERT(count <= tree->capacity);
  tree->item_count = count;
  tree->node_count = 0;
  tree->branch_count = 0;
  tree->top_count = 0;
  if (count == 0) return;
  for (uint32_t item = 0; item < count; ++item) {
    tree->slots[item] = (weft__bvh_slot){.box = boxes[item], .item = item};
  }
  tree->node_count = 1;
  build_node(tree, 0, 0, count, 0);
  collect_branches(tree, 0, 0, 1, tree->node_count);
}

weft__aabb weft__bvh_box(const weft__bvh* tree) {
  return tree->node_count == 0 ? weft__aabb_empty() : tree->nodes[0].box;
}

static void refit_node(weft__bvh* tree, uint32_t node, const weft__aabb* boxes) {
  weft__bvh_node* fitted = &tree->nodes[node];
  if ((fitted->child & WEFT__BVH_IS_LEAF) == 0) {
    fitted->box = tree->nodes[fitted->child].box;
    weft__aabb_add(&fitted->box, &tree->nodes[fitted->child + 1].box);
    return;
  }
  fitted->box = weft__aabb_empty();
  for (uint32_t slot = fitted->child & ~WEFT__BVH_IS_LEAF; slot < fitted->end; ++slot) {
    tree->slots[slot].box = boxes[tree->slots[slot].item];
    weft__aabb_add(&fitted->box, &tree->slots[slot].box);
  }
}

typedef struct refitting {
  weft__bvh* tree;
  const weft__aabb* boxes;
} refitting;

static void refit_branches(void* context, weft__range branches, uint32_t worker) {
  (void)worker;
  const refitting* r = context;
  for (uint32_t i = branches.begin; i < branches.end; ++i) {
    const weft__bvh_subtree* branch = &r->tree->branches[i];
    for (uint32_t node = branch->end; node > branch->begin; --node) {
      refit_node(r->tree, node - 1, r->boxes);
    }
    refit_node(r->tree, branch->node, r->boxes);
  }
}

void weft__bvh_refit(weft__bvh* tree, const weft__aabb* boxes, weft__worker_pool* pool) {
  refitting r = {tree, boxes};
  weft__worker_pool_for(pool, tree->branch_count, 1, refit_branches, &r);
  for (uint32_t i = tree->top_count; i > 0; --i) refit_node(tree, tree->tops[i - 1], boxes);
}
