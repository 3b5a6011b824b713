/* Triangles, sorted along a space-filling curve under a tree of boxes, are searched by each edge.
 * An edge crosses by the signs of volumes, in double precision, and exact where rounding could turn
 * them (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric
 * predicates"). */
#include "sim/crossings.h"

#include <math.h>
#include <stdlib.h>

#include "sim/scene.h"

// ---- signs of volumes ----

/* A sum of doubles without rounding: none overlaps the next, larger one. */
typedef struct exact_sum {
  double parts[48]; /* two for each of the 24 products of a volume */
  int count;
} exact_sum;

static void add_part(exact_sum* sum, double part) {
  for (int i = 0; i < sum->count; ++i) {
    const double other = sum->parts[i], total = part + other, of_other = total - part;
    sum->parts[i] = (part - (total - of_other)) + (other - of_other);
    part = total;
  }
  sum->parts[sum->count++] = part;
}

static int sign_of(double value) {
  return (value > 0.0) - (value < 0.0);
}

static int sign_of_sum(const exact_sum* sum) {
  for (int i = sum->count - 1; i >= 0; --i) {
    if (sum->parts[i] != 0.0) return sign_of(sum->parts[i]);
  }
  return 0;
}

/* A product of two floats is exact as a double; times a third float it is two doubles. */
static void add_product(exact_sum* sum, double sign, float u, float v, float w) {
  const double two = sign * ((double)u * (double)v), all = two * (double)w;
  add_part(sum, fma(two, (double)w, -all));
  add_part(sum, all);
}

static void add_determinant(exact_sum* sum, double sign, const float* u, const float* v,
                            const float* w) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    add_product(sum, sign, u[i], v[j], w[k]);
    add_product(sum, -sign, u[i], v[k], w[j]);
  }
}

static int exact_side(const float* a, const float* b, const float* c, const float* d) {
  exact_sum sum = {.count = 0};
  add_determinant(&sum, 1.0, a, b, c);
  add_determinant(&sum, -1.0, d, b, c);
  add_determinant(&sum, -1.0, a, d, c);
  add_determinant(&sum, -1.0, a, b, d);
  return sign_of_sum(&sum);
}

/* Sign of (a - d) . ((b - d) x (c - d)): the side of the plane a, b, c that d is on. */
static int side_of(const float* a, const float* b, const float* c, const float* d) {
  double u[3], v[3], w[3], volume = 0.0, size = 0.0;
  for (int i = 0; i < 3; ++i) {
    u[i] = (double)a[i] - (double)d[i];
    v[i] = (double)b[i] - (double)d[i];
    w[i] = (double)c[i] - (double)d[i];
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    volume += u[i] * (v[j] * w[k] - v[k] * w[j]);
    size += fabs(u[i]) * (fabs(v[j] * w[k]) + fabs(v[k] * w[j]));
  }
  // differences of floats and their products do not underflow: all products are 0, as of flat cloth
  // across an axis, where each edge lies in the plane of all faces around it
  if (size == 0.0) return 0;
  // an error of some 7 roundings, with a margin
  if (fabs(volume) > 16.0 * 0x1p-53 * size) return sign_of(volume);
  return exact_side(a, b, c, d);
}

bool sim_way_crosses(const float from[3], const float to[3], const float a[3], const float b[3],
                     const float c[3]) {
  if (side_of(a, b, c, from) * side_of(a, b, c, to) >= 0) return false;
  const int ab = side_of(from, to, a, b), bc = side_of(from, to, b, c);
  const int ca = side_of(from, to, c, a);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

// ---- boxes ----

typedef struct box {
  float lower[3], upper[3];
} box;

static const box no_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void widen(box* around, const float* place) {
  for (int axis = 0; axis < 3; ++axis) {
    if (place[axis] < around->lower[axis]) around->lower[axis] = place[axis];
    if (place[axis] > around->upper[axis]) around->upper[axis] = place[axis];
  }
}

/* An empty box has infinite bounds, reversed, and adds nothing. */
static void widen_by_box(box* around, const box* other) {
  for (int axis = 0; axis < 3; ++axis) {
    if (other->lower[axis] < around->lower[axis]) around->lower[axis] = other->lower[axis];
    if (other->upper[axis] > around->upper[axis]) around->upper[axis] = other->upper[axis];
  }
}

static bool boxes_meet(const box* a, const box* b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis]) return false;
  }
  return true;
}

// ---- the tree ----

/* Triangles below one leaf. */
enum { PER_LEAF = 4 };

typedef struct sorted_triangle {
  uint64_t key; /* place on the curve */
  uint32_t triangle;
} sorted_triangle;

typedef struct box_tree {
  const sim_surface* surface;
  sorted_triangle* sorted; /* [surface->triangle_count] */
  box* boxes;              /* 1 is the root, 2 i and 2 i + 1 are the halves of i [2 leaf_count] */
  uint32_t leaf_count;     /* a power of two; some may be empty */
} box_tree;

static const float* corner(const sim_surface* surface, uint32_t triangle, int k) {
  return surface->places + (size_t)3 * surface->triangles[(size_t)3 * triangle + (size_t)k];
}

static void widen_by_triangle(box* around, const sim_surface* surface, uint32_t triangle) {
  for (int k = 0; k < 3; ++k) widen(around, corner(surface, triangle, k));
}

/* The lowest 21 bits of x, y and z interleaved (Morton 1966). */
static uint64_t key_of(const box* around, const box* one) {
  uint64_t cells[3], key = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = (double)around->lower[axis], high = (double)around->upper[axis];
    const double middle = 0.5 * ((double)one->lower[axis] + (double)one->upper[axis]);
    cells[axis] = high > low ? (uint64_t)((middle - low) / (high - low) * 2097151.0) : 0;
  }
  for (int bit = 20; bit >= 0; --bit) {
    for (int axis = 0; axis < 3; ++axis) key = key << 1 | (cells[axis] >> bit & 1);
  }
  return key;
}

static int by_key(const void* a, const void* b) {
  const sorted_triangle *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static void sort_triangles(const box_tree* tree) {
  const sim_surface* surface = tree->surface;
  box around = no_box;
  for (uint32_t t = 0; t < surface->triangle_count; ++t) widen_by_triangle(&around, surface, t);
  for (uint32_t t = 0; t < surface->triangle_count; ++t) {
    box one = no_box;
    widen_by_triangle(&one, surface, t);
    tree->sorted[t] = (sorted_triangle){key_of(&around, &one), t};
  }
  qsort(tree->sorted, surface->triangle_count, sizeof *tree->sorted, by_key);
}

static void fill_boxes(const box_tree* tree) {
  const sim_surface* surface = tree->surface;
  for (uint32_t i = 0; i < 2 * tree->leaf_count; ++i) tree->boxes[i] = no_box;
  for (uint32_t i = 0; i < surface->triangle_count; ++i) {
    box* leaf = &tree->boxes[tree->leaf_count + i / PER_LEAF];
    widen_by_triangle(leaf, surface, tree->sorted[i].triangle);
  }
  for (uint32_t i = tree->leaf_count - 1; i > 0; --i) {
    widen_by_box(&tree->boxes[i], &tree->boxes[2 * i]);
    widen_by_box(&tree->boxes[i], &tree->boxes[2 * i + 1]);
  }
}

static bool build_tree(box_tree* tree, const sim_surface* surface, tool_message* why) {
  *tree = (box_tree){.surface = surface, .leaf_count = 1};
  while (tree->leaf_count * (uint64_t)PER_LEAF < surface->triangle_count) tree->leaf_count *= 2;
  tree->sorted = calloc((size_t)surface->triangle_count + 1, sizeof *tree->sorted);
  tree->boxes = calloc((size_t)2 * tree->leaf_count, sizeof *tree->boxes);
  if (!tree->sorted || !tree->boxes) return tool_because(why, "no memory to look for crossings");
  sort_triangles(tree);
  fill_boxes(tree);
  return true;
}

static void free_tree(box_tree* tree) {
  free(tree->sorted);
  free(tree->boxes);
}

// ---- edges ----

typedef struct edge {
  uint32_t a, b; /* a < b */
} edge;

static int by_ends(const void* a, const void* b) {
  const edge *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

/* The edges of all triangles, each once; NULL without memory. */
static edge* list_edges(const sim_surface* surface, size_t* count) {
  const size_t all = (size_t)3 * surface->triangle_count;
  edge* edges = calloc(all + 1, sizeof *edges);
  if (!edges) return NULL;
  for (size_t i = 0; i < all; ++i) {
    const uint32_t u = surface->triangles[i];
    const uint32_t v = surface->triangles[i % 3 == 2 ? i - 2 : i + 1];
    edges[i] = u < v ? (edge){u, v} : (edge){v, u};
  }
  qsort(edges, all, sizeof *edges, by_ends);
  *count = 0;
  for (size_t i = 0; i < all; ++i) {
    if (i == 0 || by_ends(&edges[i], &edges[i - 1]) != 0) edges[(*count)++] = edges[i];
  }
  return edges;
}

static bool are_joined(const sim_surface* surface, const edge* e, uint32_t triangle) {
  const uint32_t* corners = surface->triangles + (size_t)3 * triangle;
  for (int k = 0; k < 3; ++k) {
    if (corners[k] == e->a || corners[k] == e->b) return true;
  }
  return false;
}

static bool crosses(const sim_surface* surface, const edge* e, uint32_t triangle) {
  const float* from = surface->places + (size_t)3 * e->a;
  const float* to = surface->places + (size_t)3 * e->b;
  return !are_joined(surface, e, triangle) &&
         sim_way_crosses(from, to, corner(surface, triangle, 0), corner(surface, triangle, 1),
                         corner(surface, triangle, 2));
}

static void search_leaf(const box_tree* tree, uint32_t leaf, const edge* e, const box* around,
                        sim_crossings* crossings) {
  const uint32_t first = leaf * PER_LEAF, count = tree->surface->triangle_count;
  for (uint32_t i = first; i < first + PER_LEAF && i < count; ++i) {
    const uint32_t triangle = tree->sorted[i].triangle;
    box one = no_box;
    widen_by_triangle(&one, tree->surface, triangle);
    if (!boxes_meet(around, &one) || !crosses(tree->surface, e, triangle)) continue;
    if (crossings->count++ > 0) continue;
    crossings->edge[0] = e->a;
    crossings->edge[1] = e->b;
    crossings->triangle = triangle;
  }
}

static void search(const box_tree* tree, const edge* e, sim_crossings* crossings) {
  uint32_t waiting[64] = {1}, count = 1;
  box around = no_box;
  widen(&around, tree->surface->places + (size_t)3 * e->a);
  widen(&around, tree->surface->places + (size_t)3 * e->b);
  while (count > 0) {
    const uint32_t node = waiting[--count];
    if (!boxes_meet(&around, &tree->boxes[node])) continue;
    if (node >= tree->leaf_count) {
      search_leaf(tree, node - tree->leaf_count, e, &around, crossings);
    } else {
      waiting[count++] = 2 * node;
      waiting[count++] = 2 * node + 1;
    }
  }
}

// ---- finding ----

static bool check_places(const sim_surface* surface, tool_message* why) {
  for (size_t i = 0; i < (size_t)3 * surface->triangle_count; ++i) {
    const uint32_t particle = surface->triangles[i];
    for (size_t axis = 0; axis < 3; ++axis) {
      if (isfinite(surface->places[(size_t)3 * particle + axis])) continue;
      return tool_because(why, "the place of particle %u is not finite", particle);
    }
  }
  return true;
}

bool sim_find_crossings(const sim_surface* surface, sim_crossings* crossings, tool_message* why) {
  *crossings = (sim_crossings){.count = 0};
  if (!check_places(surface, why)) return false;
  box_tree tree;
  size_t edge_count = 0;
  edge* edges = list_edges(surface, &edge_count);
  const bool ok = build_tree(&tree, surface, why) &&
                  (edges || tool_because(why, "no memory to look for crossings"));
  for (size_t i = 0; ok && i < edge_count; ++i) search(&tree, &edges[i], crossings);
  free_tree(&tree);
  free(edges);
  return ok;
}

bool sim_find_world_crossings(const weft_world* world, sim_crossings* crossings,
                              tool_message* why) {
  weft_world_stats stats;
  sim_surface surface = {.places = NULL};
  if (!sim_check(weft_world_get_stats(world, &stats), why) ||
      !sim_check(weft_world_get_faces(world, 0, NULL, &surface.triangle_count), why)) {
    return false;
  }
  surface.particle_count = stats.particle_count;
  float* places = calloc((size_t)stats.particle_count + 1, sizeof(float[3]));
  uint32_t* triangles = calloc((size_t)surface.triangle_count + 1, sizeof(uint32_t[3]));
  surface.places = places;
  surface.triangles = triangles;
  const bool ok = (places && triangles) || tool_because(why, "no memory to look for crossings");
  const bool found =
      ok && sim_get(world, WEFT_ATTRIBUTE_POSITION, 0, stats.particle_count, places, why) &&
      sim_check(
          weft_world_get_faces(world, surface.triangle_count, triangles, &surface.triangle_count),
          why) &&
      sim_find_crossings(&surface, crossings, why);
  free(places);
  free(triangles);
  return found;
}

double sim_count_crossings(const weft_world* world) {
  sim_crossings crossings;
  tool_message why;
  return sim_find_world_crossings(world, &crossings, &why) ? (double)crossings.count : NAN;
}
