#include "geometry/bvh.h"

#include "support/test.h"

enum { MOST = 600 };

// ---- boxes of many kinds ----

static void random_point(random_source* random, float size, float point[3]) {
  for (int axis = 0; axis < 3; ++axis) point[axis] = random_float(random, -size, size);
}

static weft__aabb random_box(random_source* random, float size, float thick) {
  weft__aabb box;
  random_point(random, size, box.lower);
  for (int axis = 0; axis < 3; ++axis) {
    const bool flat = random_chance(random, 4);
    box.upper[axis] = box.lower[axis] + (flat ? 0.0f : random_float(random, 0.0f, thick));
  }
  return box;
}

static weft__aabb odd_box(random_source* random) {
  weft__aabb box = random_box(random, 10.0f, 3.0f);
  const uint32_t axis = random_below(random, 3);
  switch (random_below(random, 6)) {
    case 0:
      box.lower[axis] = -INFINITY;
      break;
    case 1:
      box.upper[axis] = INFINITY;
      break;
    case 2:
      box = (weft__aabb){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
      break;
    case 3:
      box = weft__aabb_empty();
      break;
    case 4:
      box = (weft__aabb){{0}, {0}};
      break;
    default:
      box.lower[axis] = -3e38f;
      box.upper[axis] = 3e38f;
      break;
  }
  return box;
}

// boxes by kind: scattered, identical, on a line with growing gaps, with degenerate ones, integer
static void fill(random_source* random, weft__aabb* boxes, uint32_t count, int kind) {
  const weft__aabb same = random_box(random, 10.0f, 1.0f);
  for (uint32_t i = 0; i < count; ++i) {
    boxes[i] = random_box(random, 10.0f, 2.0f);
    if (kind == 1) boxes[i] = same;
    if (kind == 2) {
      const float at = ldexpf(1.0f, (int)(i % 250) - 125);
      boxes[i] = (weft__aabb){{at, 0, 0}, {at, 0, 0}};
    }
    if (kind == 3 && random_chance(random, 4)) boxes[i] = odd_box(random);
    if (kind == 4) {
      for (int axis = 0; axis < 3; ++axis) {
        boxes[i].lower[axis] = truncf(boxes[i].lower[axis]);
        boxes[i].upper[axis] = truncf(boxes[i].upper[axis]);
        if (boxes[i].upper[axis] < boxes[i].lower[axis])
          boxes[i].upper[axis] = boxes[i].lower[axis];
      }
    }
  }
}

enum { KINDS = 5 };

static bool is_box(const weft__aabb* box) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(box->lower[axis] <= box->upper[axis])) return false;
  }
  return true;
}

// ---- invariants of a tree ----

static uint32_t depth_below(const weft__bvh* tree, uint32_t node, uint32_t first) {
  const weft__bvh_node* looked = &tree->nodes[node];
  require(node < tree->node_count);
  if ((looked->child & WEFT__BVH_IS_LEAF) != 0) {
    require((looked->child & ~WEFT__BVH_IS_LEAF) == first);
    require(looked->end > first && looked->end - first <= WEFT__BVH_LEAF);
    return 0;
  }
  require(looked->child > node);
  const uint32_t left = depth_below(tree, looked->child, first);
  const uint32_t right = depth_below(tree, looked->child + 1, tree->nodes[looked->child].end);
  require(tree->nodes[looked->child + 1].end == looked->end);
  return 1 + (left > right ? left : right);
}

static void check_boxes(const weft__bvh* tree, const weft__aabb* boxes) {
  for (uint32_t slot = 0; slot < tree->item_count; ++slot) {
    require(memcmp(&tree->slots[slot].box, &boxes[tree->slots[slot].item], sizeof(*boxes)) == 0);
  }
  for (uint32_t node = 0; node < tree->node_count; ++node) {
    const weft__bvh_node* looked = &tree->nodes[node];
    weft__aabb box = weft__aabb_empty();
    if ((looked->child & WEFT__BVH_IS_LEAF) == 0) {
      weft__aabb_add(&box, &tree->nodes[looked->child].box);
      weft__aabb_add(&box, &tree->nodes[looked->child + 1].box);
    } else {
      for (uint32_t i = looked->child & ~WEFT__BVH_IS_LEAF; i < looked->end; ++i) {
        weft__aabb_add(&box, &tree->slots[i].box);
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      require(box.lower[axis] == looked->box.lower[axis]);
      require(box.upper[axis] == looked->box.upper[axis]);
    }
  }
}

static void check_tree(const weft__bvh* tree, const weft__aabb* boxes, uint32_t count) {
  static bool seen[100000];
  memset(seen, 0, count);
  for (uint32_t slot = 0; slot < count; ++slot) {
    const uint32_t item = tree->slots[slot].item;
    require(item < count && !seen[item]);
    seen[item] = true;
  }
  require(tree->node_count <= count || count == 1);
  if (count > 0) {
    require(depth_below(tree, 0, 0) <= WEFT__BVH_DEPTH);
    require(tree->nodes[0].end == count);
  }
  check_boxes(tree, boxes);
}

static void build(weft__bvh* tree, const weft__aabb* boxes, uint32_t count) {
  require(weft__bvh_create(tree, count));
  weft__bvh_build(tree, boxes, count);
  check_tree(tree, boxes, count);
}

RANDOM_TEST(every_item_has_one_slot_and_every_node_is_the_box_of_what_is_below, KINDS) {
  static weft__aabb boxes[MOST];
  for (int round = 0; round < ROUNDS(60, 10); ++round) {
    const uint32_t count = random_from(&random, 0, round % 2 == 0 ? 12 : MOST);
    fill(&random, boxes, count, _i);
    weft__bvh tree;
    build(&tree, boxes, count);
    weft__bvh_destroy(&tree);
  }
}

TEST(the_depth_is_bounded_where_gaps_double) {
  static weft__aabb boxes[100000];
  for (uint32_t i = 0; i < 100000; ++i) {
    const float at = ldexpf(1.0f + 1e-5f * (float)(i / 250), (int)(i % 250) - 125);
    boxes[i] = (weft__aabb){{at, at, 0}, {at, at, 0}};
  }
  weft__bvh tree;
  build(&tree, boxes, 100000);
  weft__bvh_destroy(&tree);
}

// ---- traversal ----

typedef struct found {
  uint32_t times[MOST];
  uint32_t count;
  uint32_t upper;  // limit of visits
} found;

static bool note(void* context, uint32_t item) {
  found* noted = context;
  noted->times[item] += 1;
  noted->count += 1;
  return noted->count < noted->upper;
}

LOOP_TEST(a_box_finds_what_it_overlaps_once, 0, KINDS) {
  random_source random = {(uint64_t)_i + 100};
  static weft__aabb boxes[MOST];
  for (int round = 0; round < ROUNDS(40, 8); ++round) {
    const uint32_t count = random_from(&random, 0, MOST);
    fill(&random, boxes, count, _i);
    weft__bvh tree;
    build(&tree, boxes, count);
    for (int ask = 0; ask < 30; ++ask) {
      const weft__aabb box = random_box(&random, 12.0f, 6.0f);
      found noted = {.upper = UINT32_MAX};
      require(weft__bvh_find(&tree, &box, note, &noted));
      uint32_t expected = 0;
      for (uint32_t i = 0; i < count; ++i) {
        bool overlaps = true;
        for (int axis = 0; axis < 3; ++axis) {
          if (boxes[i].lower[axis] > box.upper[axis]) overlaps = false;
          if (boxes[i].upper[axis] < box.lower[axis]) overlaps = false;
        }
        require(noted.times[i] == (overlaps ? 1u : 0u));
        expected += overlaps ? 1u : 0u;
      }
      if (expected == 0) continue;
      found first = {.upper = 1};
      require(!weft__bvh_find(&tree, &box, note, &first) && first.count == 1);
    }
    weft__bvh_destroy(&tree);
  }
}

typedef struct nearest {
  const weft__aabb* boxes;
  weft__vec3 point;
  double distance;
  uint32_t item;
  uint32_t visits;
} nearest;

// distance by cases, independent of the tree's clamping
static double distance_between(const weft__aabb* box, weft__vec3 point) {
  const double at[3] = {point.x, point.y, point.z};
  double gap[3];
  for (int axis = 0; axis < 3; ++axis) {
    gap[axis] = at[axis] < box->lower[axis]   ? (double)box->lower[axis] - at[axis]
                : at[axis] > box->upper[axis] ? at[axis] - (double)box->upper[axis]
                                              : 0.0;
  }
  return sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]);
}

static double note_nearest(void* context, uint32_t item, double limit) {
  nearest* noted = context;
  noted->visits += 1;
  const double distance = distance_between(&noted->boxes[item], noted->point);
  if (distance > limit || (distance == noted->distance && item > noted->item)) return limit;
  noted->distance = distance;
  noted->item = item;
  return distance;
}

LOOP_TEST(the_nearest_is_found_and_the_first_of_equals, 0, KINDS) {
  random_source random = {(uint64_t)_i + 300};
  static weft__aabb boxes[MOST];
  for (int round = 0; round < ROUNDS(40, 8); ++round) {
    const uint32_t count = random_from(&random, 0, MOST);
    fill(&random, boxes, count, _i);
    weft__bvh tree;
    build(&tree, boxes, count);
    for (int ask = 0; ask < 30; ++ask) {
      float point[3];
      random_point(&random, 14.0f, point);
      const double limit =
          random_chance(&random, 2) ? INFINITY : (double)random_float(&random, 0, 5);
      nearest noted = {boxes, {point[0], point[1], point[2]}, INFINITY, UINT32_MAX, 0};
      weft__bvh_approach(&tree, noted.point, limit, note_nearest, &noted);
      double best = INFINITY;
      uint32_t item = UINT32_MAX;
      for (uint32_t i = 0; i < count; ++i) {
        if (!is_box(&boxes[i])) continue;
        const double distance = distance_between(&boxes[i], noted.point);
        if (distance > limit || distance >= best) continue;
        best = distance;
        item = i;
      }
      require(noted.item == item && (item == UINT32_MAX || noted.distance == best));
    }
    weft__bvh_destroy(&tree);
  }
}

static double note_all(void* context, uint32_t item, double limit) {
  found* noted = context;
  noted->times[item] += 1;
  return limit;
}

LOOP_TEST(a_cast_visits_what_the_ball_comes_to_once_and_little_else, 0, KINDS) {
  random_source random = {(uint64_t)_i + 400};
  static weft__aabb boxes[MOST];
  uint64_t visits = 0;
  uint64_t all = 0;
  for (int round = 0; round < ROUNDS(20, 4); ++round) {
    const uint32_t count = random_from(&random, 0, MOST);
    fill(&random, boxes, count, _i);
    weft__bvh tree;
    build(&tree, boxes, count);
    for (int ask = 0; ask < 10; ++ask) {
      float from[3];
      float way[3];
      random_point(&random, 12.0f, from);
      random_point(&random, 12.0f, way);
      for (int axis = 0; axis < 3; ++axis) {
        if (random_chance(&random, 4)) way[axis] = 0.0f;
      }
      const double radius = random_chance(&random, 2) ? 0.0 : (double)random_float(&random, 0, 1);
      found noted = {0};
      weft__bvh_cast(&tree, (weft__vec3){from[0], from[1], from[2]},
                     (weft__vec3){way[0], way[1], way[2]}, radius, 1.0, note_all, &noted);
      for (uint32_t i = 0; i < count; ++i) {
        require(noted.times[i] <= 1);
        visits += noted.times[i];
        all += 1;
        bool meets = false;
        for (int t = 0; t <= 100 && is_box(&boxes[i]); ++t) {
          const double part = 0.01 * t;
          const weft__vec3 at = {from[0] + part * (double)way[0], from[1] + part * (double)way[1],
                                 from[2] + part * (double)way[2]};
          if (distance_between(&boxes[i], at) <= radius) meets = true;
        }
        require(!meets || noted.times[i] == 1);
      }
    }
    weft__bvh_destroy(&tree);
  }
  if (_i == 0) require(visits < all / 4);
}

static double note_first(void* context, uint32_t item, double limit) {
  found* noted = context;
  noted->count += 1;
  return item == 3 ? 0.5 : limit;
}

TEST(an_endless_cast_sees_the_first_and_a_lower_limit_ends_it) {
  weft__aabb boxes[64];
  for (uint32_t i = 0; i < 64; ++i) {
    const float at = (float)((i * 37u) % 64u);
    boxes[(i * 37u) % 64u] = (weft__aabb){{at, -1, -1}, {at, 1, 1}};
  }
  weft__bvh tree;
  build(&tree, boxes, 64);
  found noted = {0};
  weft__bvh_cast(&tree, (weft__vec3){-1e3, 0, 0}, (weft__vec3){1, 0, 0}, 0.0, INFINITY, note_all,
                 &noted);
  for (uint32_t i = 0; i < 64; ++i) require(noted.times[i] == 1);
  noted = (found){0};
  weft__bvh_cast(&tree, (weft__vec3){2.5, 0, 0}, (weft__vec3){1, 0, 0}, 0.0, INFINITY, note_first,
                 &noted);
  require(noted.count <= WEFT__BVH_LEAF);
  noted = (found){0};
  weft__bvh_cast(&tree, (weft__vec3){0, 5, 0}, (weft__vec3){1, 0, 0}, 0.0, INFINITY, note_all,
                 &noted);
  for (uint32_t i = 0; i < 64; ++i) require(noted.times[i] == 0);
  weft__bvh_destroy(&tree);
}

// ---- refit ----

LOOP_TEST(a_refit_gives_the_boxes_of_what_is_below_for_any_workers, 0, 4) {
  random_source random = {(uint64_t)_i + 500};
  static weft__aabb boxes[20000];
  const uint32_t workers[] = {1, 2, 3, 7};
  weft__worker_pool* pool = weft__worker_pool_create(workers[_i % 4], NULL);
  require(pool != NULL);
  for (int round = 0; round < ROUNDS(30, 5); ++round) {
    const uint32_t upper = round % 5 == 0 ? 20000 : MOST;
    const uint32_t count = random_from(&random, 0, upper);
    fill(&random, boxes, count, round % KINDS);
    weft__bvh tree;
    build(&tree, boxes, count);
    fill(&random, boxes, count, 3);
    weft__worker_pool_begin(pool);
    weft__bvh_refit(&tree, boxes, pool);
    check_tree(&tree, boxes, count);
    weft__bvh_destroy(&tree);
  }
  weft__worker_pool_destroy(pool);
}

LOOP_TEST(a_tree_is_built_again_in_its_room, 0, 3) {
  random_source random = {(uint64_t)_i + 600};
  static weft__aabb boxes[MOST];
  weft__bvh tree;
  require(weft__bvh_create(&tree, MOST));
  for (int round = 0; round < 20; ++round) {
    const uint32_t count = random_from(&random, 0, MOST);
    fill(&random, boxes, count, round % KINDS);
    weft__bvh_build(&tree, boxes, count);
    check_tree(&tree, boxes, count);
    weft__bvh other;
    build(&other, boxes, count);
    require(tree.node_count == other.node_count);
    require(memcmp(tree.nodes, other.nodes, tree.node_count * sizeof(*tree.nodes)) == 0);
    require(memcmp(tree.slots, other.slots, count * sizeof(*tree.slots)) == 0);
    weft__bvh_destroy(&other);
  }
  weft__bvh_destroy(&tree);
}

LOOP_TEST(boxes_that_are_not_numbers_do_no_harm, 0, 3) {
  random_source random = {(uint64_t)_i + 700};
  static weft__aabb boxes[MOST];
  fill(&random, boxes, MOST, 3);
  for (uint32_t i = 0; i < MOST; i += 3) boxes[i].lower[i % 2] = NAN;
  weft__bvh tree;
  require(weft__bvh_create(&tree, MOST));
  weft__bvh_build(&tree, boxes, MOST);
  const weft__aabb all = {{-1e9f, -1e9f, -1e9f}, {1e9f, 1e9f, 1e9f}};
  found noted = {.upper = UINT32_MAX};
  weft__bvh_find(&tree, &all, note, &noted);
  weft__bvh_cast(&tree, (weft__vec3){0}, (weft__vec3){1, 2, 3}, 1.0, INFINITY, note_all, &noted);
  weft__bvh_approach(&tree, (weft__vec3){0}, INFINITY, note_all, &noted);
  for (uint32_t i = 0; i < MOST; i += 3) require(noted.times[i] == 0);
  weft__bvh_destroy(&tree);
}
