#include "modules/query/index.h"

#include "base/arena.h"
#include "base/grain_size.h"
#include "base/memory.h"

// rebuild threshold: cost of the refitted tree over its cost when built
#define MAX_COST_GROWTH 2.0
// nodes in a partial sum of costs; fixed, so that sums do not depend on the worker count
#define BLOCK WEFT__GRAIN(4096u, 4u)
// elements in a piece of work: some microseconds
#define LOAD_GRAIN WEFT__GRAIN(512u, 4u)

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
  weft__free(index->block);
  *index = (weft__query_index){0};
}

typedef struct refit_task {
  weft__query_index* index;
  weft__elements elements;
  weft_element_kind kind;
} refit_task;

static weft__aabb box_of(const weft__elements* elements, weft_element_kind kind, uint32_t number) {
  weft__element element;
  if (!weft__element_load(elements, kind, number, &element)) return weft__aabb_empty();
  return weft__extent_aabb(&element.extent);
}

static void load_ends(void* context, weft__range links, uint32_t worker) {
  (void)worker;
  const refit_task* f = context;
  const weft__schedule* schedule = f->elements.schedule;
  for (uint32_t link = links.begin; link < links.end; ++link) {
    weft__element_ends(schedule, link, f->index->ends[link]);
  }
}

static void load_boxes(void* context, weft__range range, uint32_t worker) {
  (void)worker;
  const refit_task* f = context;
  for (uint32_t i = range.begin; i < range.end; ++i) {
    f->index->boxes[f->kind][i] = box_of(&f->elements, f->kind, i);
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

static void sum_costs(void* context, weft__range blocks, uint32_t worker) {
  (void)worker;
  const refit_task* f = context;
  const weft__bvh* tree = &f->index->trees[f->kind];
  for (uint32_t block = blocks.begin; block < blocks.end; ++block) {
    const uint32_t left = tree->node_count - block * BLOCK;
    const weft__bvh_node* nodes = tree->nodes + (size_t)block * BLOCK;
    double sum = 0.0;
    for (uint32_t i = 0; i < BLOCK && i < left; ++i) sum += area_of(&nodes[i].box);
    f->index->costs[f->kind][block] = sum;
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

static void build(refit_task* f) {
  weft__query_index* index = f->index;
  weft__bvh* tree = &index->trees[f->kind];
  weft__bvh_build(tree, index->boxes[f->kind], tree->capacity);
  sum_costs(f, (weft__range){0, block_count(tree)}, 0);
  index->built_cost[f->kind] = cost_of(index, (int)f->kind);
}

// Refits one tree, or builds it anew if it is not built or has degraded.
static void refit(refit_task* f, weft__worker_pool* pool) {
  weft__query_index* index = f->index;
  const uint32_t count = weft__element_count(&f->elements, f->kind);
  weft__worker_pool_for(pool, count, LOAD_GRAIN, load_boxes, f);
  if (!index->is_built) {
    build(f);
    return;
  }
  weft__bvh* tree = &index->trees[f->kind];
  weft__bvh_refit(tree, index->boxes[f->kind], pool);
  weft__worker_pool_for(pool, block_count(tree), 1, sum_costs, f);
  const double limit = MAX_COST_GROWTH * index->built_cost[f->kind];
  if (cost_of(index, (int)f->kind) > limit) build(f);
}

void weft__query_index_update(weft__query_index* index, const weft__elements* elements,
                              weft__worker_pool* pool) {
  refit_task now = {.index = index, .elements = *elements};
  now.elements.ends = (const uint32_t(*)[2])index->ends;
  weft__worker_pool_begin(pool);
  if (!index->is_built) {
    const uint32_t links = elements->schedule->links.link_count;
    weft__worker_pool_for(pool, links, LOAD_GRAIN, load_ends, &now);
  }
  for (int kind = 0; kind < WEFT__TREE_KINDS; ++kind) {
    now.kind = (weft_element_kind)kind;
    refit(&now, pool);
  }
  index->is_built = true;
  weft__worker_pool_end(pool);
}
