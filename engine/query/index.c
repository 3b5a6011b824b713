#include "query/index.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/grain_size.h"

// rebuild threshold: cost of the refitted tree over its cost when built
#define MAX_COST_GROWTH 2.0
// nodes in one partial sum of costs; fixed, so that sums do not depend on the worker count
#define BLOCK WEFT__GRAIN(4096u, 4u)

// ---- memory ----

static void lay_out(weft__query_index* index, const weft__elements* elements, weft__arena* arena) {
  const uint32_t links = weft__element_count(elements, WEFT_ELEMENT_LINK);
  index->ends = weft__arena_alloc(arena, links, sizeof(*index->ends));
  for (int kind = 0; kind < WEFT__TREE_KINDS; ++kind) {
    const uint32_t count = weft__element_count(elements, (weft_element_kind)kind);
    index->boxes[kind] = weft__arena_alloc(arena, count, sizeof(**index->boxes));
    index->costs[kind] = weft__arena_alloc(arena, count / BLOCK + 1, sizeof(**index->costs));
  }
}

static bool create_trees(weft__query_index* index, const weft__elements* elements) {
  for (int kind = 0; kind < WEFT__TREE_KINDS; ++kind) {
    const uint32_t count = weft__element_count(elements, (weft_element_kind)kind);
    if (!weft__bvh_create(&index->trees[kind], count)) return false;
    index->bytes += index->trees[kind].bytes;
  }
  return true;
}

bool weft__query_index_create(weft__query_index* index, const weft__elements* elements) {
  for (weft__arena arena = {0}; weft__arena_next(&arena, &index->block, &index->bytes);) {
    lay_out(index, elements, &arena);
  }
  if (index->block == NULL || !create_trees(index, elements)) {
    weft__query_index_destroy(index);
    return false;
  }
  index->is_made = true;
  return true;
}

void weft__query_index_destroy(weft__query_index* index) {
  for (int kind = 0; kind < WEFT__TREE_KINDS; ++kind) {
    weft__bvh_destroy(&index->trees[kind]);
  }
  free(index->block);
  *index = (weft__query_index){0};
}

// ---- refit and rebuild ----

typedef struct refit_task {
  weft__query_index* index;
  weft__elements elements;
  weft__worker_pool* pool;
} refit_task;

static weft__aabb box_of(const weft__elements* elements, weft_element_kind kind, uint32_t number) {
  weft__element element;
  if (!weft__element_load(elements, kind, number, &element)) return weft__aabb_empty();
  return weft__extent_aabb(&element.extent);
}

static void load_ends(const refit_task* f, const weft__stage* stage) {
  const weft__schedule* schedule = f->elements.schedule;
  const weft__range links = weft__stage_share(stage, schedule->link_count);
  for (uint32_t link = links.begin; link < links.end; ++link) {
    weft__element_ends(schedule, link, f->index->ends[link]);
  }
}

static void load_boxes(const refit_task* f, weft_element_kind kind, const weft__stage* stage) {
  const uint32_t count = weft__element_count(&f->elements, kind);
  const weft__range share = weft__stage_share(stage, count);
  for (uint32_t i = share.begin; i < share.end; ++i) {
    f->index->boxes[kind][i] = box_of(&f->elements, kind, i);
  }
}

static double length_of(const weft__aabb* box, int axis) {
  const double length = (double)box->upper[axis] - (double)box->lower[axis];
  return length > 0.0 ? length : 0.0;
}

static double area_of(const weft__aabb* box) {
  const double x = length_of(box, 0);
  const double y = length_of(box, 1);
  const double z = length_of(box, 2);
  return x * y + y * z + z * x;
}

static uint32_t block_count(const weft__bvh* tree) {
  return (tree->node_count + BLOCK - 1) / BLOCK;
}

static void sum_costs(weft__query_index* index, int kind, uint32_t begin, uint32_t end) {
  const weft__bvh* tree = &index->trees[kind];
  for (uint32_t block = begin; block < end; ++block) {
    const uint32_t left = tree->node_count - block * BLOCK;
    const weft__bvh_node* nodes = tree->nodes + (size_t)block * BLOCK;
    double sum = 0.0;
    for (uint32_t i = 0; i < BLOCK && i < left; ++i) sum += area_of(&nodes[i].box);
    index->costs[kind][block] = sum;
  }
}

// Surface area cost: expected number of nodes visited by a ray that hits the root.
static double cost_of(const weft__query_index* index, int kind) {
  const weft__bvh* tree = &index->trees[kind];
  double sum = 0.0;
  for (uint32_t block = 0; block < block_count(tree); ++block) sum += index->costs[kind][block];
  const double whole = tree->node_count > 0 ? area_of(&tree->nodes[0].box) : 0.0;
  return whole > 0.0 ? sum / whole : 0.0;
}

static void build(weft__query_index* index, int kind) {
  weft__bvh* tree = &index->trees[kind];
  weft__bvh_build(tree, index->boxes[kind], tree->capacity);
  sum_costs(index, kind, 0, block_count(tree));
  index->built_cost[kind] = cost_of(index, kind);
}

static void refit(void* context, uint32_t worker) {
  const refit_task* f = context;
  weft__query_index* index = f->index;
  const weft__stage stage = {
      .pool = f->pool, .worker = worker, .worker_count = weft__worker_pool_count(f->pool)};
  if (!index->is_built) {
    load_ends(f, &stage);
    weft__stage_barrier(&stage);
  }
  for (int kind = 0; kind < WEFT__TREE_KINDS; ++kind) {
    load_boxes(f, (weft_element_kind)kind, &stage);
    weft__stage_barrier(&stage);
    if (!index->is_built) continue;
    weft__bvh_refit(&index->trees[kind], index->boxes[kind], &stage);
    const weft__range blocks = weft__stage_share(&stage, block_count(&index->trees[kind]));
    sum_costs(index, kind, blocks.begin, blocks.end);
  }
}

void weft__query_index_update(weft__query_index* index, const weft__elements* elements,
                              weft__worker_pool* pool) {
  refit_task now = {index, *elements, pool};
  now.elements.ends = (const uint32_t(*)[2])index->ends;
  weft__worker_pool_run(pool, refit, &now);
  for (int kind = 0; kind < WEFT__TREE_KINDS; ++kind) {
    const bool is_bad = cost_of(index, kind) > MAX_COST_GROWTH * index->built_cost[kind];
    if (is_bad || !index->is_built) build(index, kind);
  }
  index->is_built = true;
}
