// Traversals with an explicit stack: one child is visited, the other pushed, at most one entry for
// each level.
#include <assert.h>
#include <float.h>

#include "geometry/bvh.h"

static bool is_leaf(const weft__bvh_node* node) {
  return (node->child & WEFT__BVH_IS_LEAF) != 0;
}

static uint32_t first_slot(const weft__bvh_node* leaf) {
  return leaf->child & ~WEFT__BVH_IS_LEAF;
}

static bool visit_leaf(const weft__bvh* tree, const weft__bvh_node* leaf, const weft__aabb* box,
                       weft__bvh_visit* visit, void* context) {
  for (uint32_t i = first_slot(leaf); i < leaf->end; ++i) {
    const weft__bvh_slot* slot = &tree->slots[i];
    if (weft__aabb_overlaps(&slot->box, box) && !visit(context, slot->item)) return false;
  }
  return true;
}

bool weft__bvh_find(const weft__bvh* tree, const weft__aabb* box, weft__bvh_visit* visit,
                    void* context) {
  if (tree->node_count == 0) return true;
  uint32_t stack[WEFT__BVH_DEPTH + 2];
  uint32_t height = 0;
  stack[height++] = 0;
  while (height > 0) {
    const weft__bvh_node* node = &tree->nodes[stack[--height]];
    if (!weft__aabb_overlaps(&node->box, box)) continue;
    if (!is_leaf(node)) {
      stack[height++] = node->child + 1;
      stack[height++] = node->child;
    } else if (!visit_leaf(tree, node, box, visit, context)) {
      return false;
    }
  }
  return true;
}

// Lower bound: of the node's distance or time.
typedef struct stack_entry {
  uint32_t node;
  double lower_bound;
} stack_entry;

// Lower bound of the distance to a box, or of the time of contact; above `limit`: culled.
typedef double lower_bound_of(const void* query, const weft__aabb* box, double limit);

static bool is_within(double lower_bound, double limit) {
  return lower_bound <= limit && lower_bound < INFINITY;
}

static double visit_leaf_within(const weft__bvh* tree, const weft__bvh_node* leaf,
                                lower_bound_of* bound_of, const void* query, double limit,
                                weft__bvh_visit_nearest* visit, void* context) {
  for (uint32_t i = first_slot(leaf); i < leaf->end; ++i) {
    const weft__bvh_slot* slot = &tree->slots[i];
    if (!is_within(bound_of(query, &slot->box, limit), limit)) continue;
    limit = visit(context, slot->item, limit);
  }
  return limit;
}

static inline void visit_best_first(const weft__bvh* tree, lower_bound_of* bound_of,
                                    const void* query, double limit, weft__bvh_visit_nearest* visit,
                                    void* context) {
  if (tree->node_count == 0) return;
  stack_entry stack[WEFT__BVH_DEPTH + 2];
  uint32_t height = 0;
  stack[height++] = (stack_entry){0, bound_of(query, &tree->nodes[0].box, limit)};
  while (height > 0) {
    const stack_entry next = stack[--height];
    if (!is_within(next.lower_bound, limit)) continue;
    const weft__bvh_node* node = &tree->nodes[next.node];
    if (is_leaf(node)) {
      limit = visit_leaf_within(tree, node, bound_of, query, limit, visit, context);
      continue;
    }
    const stack_entry left = {node->child, bound_of(query, &tree->nodes[node->child].box, limit)};
    const stack_entry right = {node->child + 1,
                               bound_of(query, &tree->nodes[node->child + 1].box, limit)};
    const bool left_first = left.lower_bound <= right.lower_bound;
    const stack_entry far = left_first ? right : left;
    const stack_entry near = left_first ? left : right;
    if (is_within(far.lower_bound, limit)) stack[height++] = far;
    if (is_within(near.lower_bound, limit)) stack[height++] = near;
  }
}

// Relative error bound: rounding adds up to a few times 2^-53 of the largest term.
#define SLACK (16.0 * DBL_EPSILON)

typedef struct sphere_cast {
  double from[3], displacement[3], inv_displacement[3];
  double radius;
} sphere_cast;

// Slab test: time at which the centre enters the box grown by the radius, rounded towards earlier
// entry and later exit. Inverses are computed once for a cast, unlike weft__clip_to_slab()'s.
static double entry_time(const void* query, const weft__aabb* box, double limit) {
  const sphere_cast* sweep = query;
  double first = 0.0;
  double last = limit;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(box->lower[axis] <= box->upper[axis])) return INFINITY;
    const double low = ((double)box->lower[axis] - sweep->from[axis]) - sweep->radius;
    const double high = ((double)box->upper[axis] - sweep->from[axis]) + sweep->radius;
    if (sweep->displacement[axis] == 0.0) {
      if (!(low <= 0.0 && high >= 0.0)) return INFINITY;
      continue;
    }
    const double a = low * sweep->inv_displacement[axis];
    const double b = high * sweep->inv_displacement[axis];
    const double in = a < b ? a : b;
    const double out = a < b ? b : a;
    if (in > first) first = in;
    if (out < last) last = out;
  }
  first *= 1.0 - SLACK;
  return first <= last * (1.0 + SLACK) && last >= 0.0 ? first : INFINITY;
}

static double larger(double a, double b) {
  return a > b ? a : b;
}

void weft__bvh_cast(const weft__bvh* tree, weft__vec3 from, weft__vec3 displacement, double radius,
                    double limit, weft__bvh_visit_nearest* visit, void* context) {
  const double size = weft__largest_component(from);
  const sphere_cast sweep = {
      .from = {from.x, from.y, from.z},
      .displacement = {displacement.x, displacement.y, displacement.z},
      .inv_displacement = {1.0 / displacement.x, 1.0 / displacement.y, 1.0 / displacement.z},
      .radius = radius + SLACK * (size + radius),
  };
  visit_best_first(tree, entry_time, &sweep, limit, visit, context);
}

static double distance_to(const void* query, const weft__aabb* box, double limit) {
  (void)limit;
  const weft__vec3* point = query;
  const double at[3] = {point->x, point->y, point->z};
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(box->lower[axis] <= box->upper[axis])) return INFINITY;
    const double below = (double)box->lower[axis] - at[axis];
    const double above = at[axis] - (double)box->upper[axis];
    const double outside = larger(larger(below, above), 0.0);
    sum += outside * outside;
  }
  return sqrt(sum) * (1.0 - SLACK);
}

void weft__bvh_approach(const weft__bvh* tree, weft__vec3 point, double limit,
                        weft__bvh_visit_nearest* visit, void* context) {
  visit_best_first(tree, distance_to, &point, limit, visit, context);
}
