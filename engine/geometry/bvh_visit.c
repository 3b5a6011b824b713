// Walks through a tree of boxes. Each keeps what it has still to see on a stack: of two children it takes one and
// puts the other away, so that there is at most one for each level.
#include <assert.h>
#include <float.h>

#include "geometry/bvh.h"

static bool is_leaf(const weft__bvh_node* node) {
  return (node->child & WEFT__BVH_IS_LEAF) != 0;
}

static uint32_t first_slot(const weft__bvh_node* leaf) {
  return leaf->child & ~WEFT__BVH_IS_LEAF;
}

// ---- what overlaps a box ----

static bool visit_leaf(const weft__bvh* tree, const weft__bvh_node* leaf, const weft__box* box,
                       weft__bvh_visit* visit, void* context) {
  for (uint32_t i = first_slot(leaf); i < leaf->end; ++i) {
    const weft__bvh_slot* slot = &tree->slots[i];
    if (weft__aabbs_overlap(&slot->box, box) && !visit(context, slot->item)) return false;
  }
  return true;
}

bool weft__bvh_find(const weft__bvh* tree, const weft__box* box, weft__bvh_visit* visit,
                    void* context) {
  if (tree->node_count == 0) return true;
  uint32_t stack[WEFT__BVH_DEPTH + 2];
  uint32_t height = 0;
  stack[height++] = 0;
  while (height > 0) {
    const weft__bvh_node* node = &tree->nodes[stack[--height]];
    if (!weft__aabbs_overlap(&node->box, box)) continue;
    if (!is_leaf(node)) {
      stack[height++] = node->child + 1;
      stack[height++] = node->child;
    } else if (!visit_leaf(tree, node, box, visit, context)) {
      return false;
    }
  }
  return true;
}

// ---- nearest first ----

// what is still to be seen, and where it begins
typedef struct event_ring {
  uint32_t node;
  double from;
} event_ring;

// Where a box begins for the one who asks: above the limit, or infinite = not at all.
typedef double measure(const void* question, const weft__box* box, double limit);

static bool counts(double from, double limit) {
  return from <= limit && from < INFINITY;
}

static double ask_leaf(const weft__bvh* tree, const weft__bvh_node* leaf, measure* begin,
                       const void* question, double limit, weft__bvh_nearer* visit, void* context) {
  for (uint32_t i = first_slot(leaf); i < leaf->end; ++i) {
    const weft__bvh_slot* slot = &tree->slots[i];
    if (!counts(begin(question, &slot->box, limit), limit)) continue;
    limit = visit(context, slot->item, limit);
  }
  return limit;
}

static inline void walk_nearest(const weft__bvh* tree, measure* begin, const void* question,
                                double limit, weft__bvh_nearer* visit, void* context) {
  if (tree->node_count == 0) return;
  event_ring stack[WEFT__BVH_DEPTH + 2];
  uint32_t height = 0;
  stack[height++] = (event_ring){0, begin(question, &tree->nodes[0].box, limit)};
  while (height > 0) {
    const event_ring next = stack[--height];
    if (!counts(next.from, limit)) continue;
    const weft__bvh_node* node = &tree->nodes[next.node];
    if (is_leaf(node)) {
      limit = ask_leaf(tree, node, begin, question, limit, visit, context);
      continue;
    }
    const event_ring left = {node->child, begin(question, &tree->nodes[node->child].box, limit)};
    const event_ring right = {node->child + 1,
                              begin(question, &tree->nodes[node->child + 1].box, limit)};
    const bool left_first = left.from <= right.from;
    const event_ring far = left_first ? right : left;
    const event_ring near = left_first ? left : right;
    if (counts(far.from, limit)) stack[height++] = far;
    if (counts(near.from, limit)) stack[height++] = near;
  }
}

// ---- casts ----

// More than what rounding adds up to in a measure: a few times 2^-53 of the largest number in it.
#define SLACK (16.0 * DBL_EPSILON)

typedef struct cast {
  double from[3], way[3], inv_way[3];
  double radius;
} cast;

// When the ball's centre enters the box, grown by the radius: rounding makes it enter a little earlier, and leave
// a little later.
static double enter(const void* question, const weft__box* box, double limit) {
  const cast* asked = question;
  double first = 0.0;
  double last = limit;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(box->least[axis] <= box->most[axis])) return INFINITY;
    const double low = ((double)box->least[axis] - asked->from[axis]) - asked->radius;
    const double high = ((double)box->most[axis] - asked->from[axis]) + asked->radius;
    if (asked->way[axis] == 0.0) {
      if (!(low <= 0.0 && high >= 0.0)) return INFINITY;
      continue;
    }
    const double a = low * asked->inv_way[axis];
    const double b = high * asked->inv_way[axis];
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

void weft__bvh_cast(const weft__bvh* tree, weft__vec3 from, weft__vec3 way, double radius,
                    double limit, weft__bvh_nearer* visit, void* context) {
  const double size = larger(larger(fabs(from.x), fabs(from.y)), fabs(from.z));
  const cast asked = {
      .from = {from.x, from.y, from.z},
      .way = {way.x, way.y, way.z},
      .inv_way = {1.0 / way.x, 1.0 / way.y, 1.0 / way.z},
      .radius = radius + SLACK * (size + radius),
  };
  walk_nearest(tree, enter, &asked, limit, visit, context);
}

// ---- near a point ----

static double distance_to(const void* question, const weft__box* box, double limit) {
  (void)limit;
  const weft__vec3* point = question;
  const double at[3] = {point->x, point->y, point->z};
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(box->least[axis] <= box->most[axis])) return INFINITY;
    const double below = (double)box->least[axis] - at[axis];
    const double above = at[axis] - (double)box->most[axis];
    const double outside = larger(larger(below, above), 0.0);
    sum += outside * outside;
  }
  return sqrt(sum) * (1.0 - SLACK);
}

void weft__bvh_approach(const weft__bvh* tree, weft__vec3 point, double limit,
                        weft__bvh_nearer* visit, void* context) {
  walk_nearest(tree, distance_to, &point, limit, visit, context);
}
