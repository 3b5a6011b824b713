#include "solvers/multigrid/graph.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/vec3.h"

#define MAX_LINKS_VISITED 64u
// squared sine of a corner below which a triangle is degenerate
#define MIN_SQUARED_SINE 0.05

// In a lattice, undecided, next to a coarse particle, coarse.
enum { OUTSIDE, UNDECIDED, COVERED, COARSE };

typedef struct graph {
  weft__coarsening* coarsening;
  const weft_scene* fine;
  const uint32_t* cloth_of;
  weft__distances* cloth;
  weft__adjacency links;      /* structural, outside lattices */
  uint8_t* state;             /* [particle_count] */
  uint32_t* queue;            /* [particle_count] */
  uint32_t* roots;            /* coarse particles, as the cloth's [particle_count] */
  uint32_t* coarse_of;        /* coarse particle of a root [cloth particles] */
  uint32_t* environment_size; /* particles [environment_count] */
  uint32_t first_coarse;
  uint32_t root_count;
} graph;

static void free_graph(graph* g) {
  weft__adjacency_destroy(&g->links);
  weft__free(g->state);
  weft__free(g->queue);
  weft__free(g->roots);
  weft__free(g->coarse_of);
  weft__free(g->environment_size);
}

static bool is_structural(const void* context, const weft_scene* scene, uint32_t link) {
  const graph* g = context;
  const weft__links* links = &scene->links;
  return links->kind[link] == WEFT_LINK_STRUCTURAL && weft__links_carry(links, link) &&
         g->state[links->end_a[link]] != OUTSIDE && g->state[links->end_b[link]] != OUTSIDE;
}

static bool make_graph(graph* g) {
  const size_t count = g->fine->particle_count;
  g->state = weft__alloc_zeroed(count, sizeof(*g->state));
  g->queue = weft__alloc(count, sizeof(*g->queue));
  g->roots = weft__alloc(count, sizeof(*g->roots));
  g->coarse_of = weft__alloc(g->cloth->cloth->particle_count, sizeof(*g->coarse_of));
  g->environment_size =
      weft__alloc_zeroed(weft__scene_environment_count(g->fine), sizeof(*g->environment_size));
  if (!g->state || !g->queue || !g->roots || !g->coarse_of || !g->environment_size) return false;
  for (size_t p = 0; p < g->fine->part_count; ++p) {
    const weft__part* part = &g->fine->parts[p];
    g->environment_size[part->environment] += part->particle_count;
    if (part->columns > 0 || part->fine_only) continue;
    memset(g->state + part->first_particle, UNDECIDED, part->particle_count);
  }
  return weft__adjacency_create(&g->links, g->fine, is_structural, g);
}

// Links to visit of a particle reached over a link: the cap bounds the work at a hub, else
// quadratic in its link count.
static uint32_t end_of_visited(const graph* g, uint32_t particle) {
  const uint32_t begin = g->links.first[particle];
  const uint32_t end = g->links.first[particle + 1];
  return end - begin < MAX_LINKS_VISITED ? end : begin + MAX_LINKS_VISITED;
}

static bool is_isolated(const graph* g, uint32_t particle) {
  return g->links.first[particle] == g->links.first[particle + 1];
}

static void select_particle(graph* g, uint32_t particle) {
  g->state[particle] = COARSE;
  for (uint32_t i = g->links.first[particle]; i < g->links.first[particle + 1]; ++i) {
    if (g->state[g->links.to[i]] == UNDECIDED) g->state[g->links.to[i]] = COVERED;
  }
}

// Breadth first, from particles two links from a coarse one: packs the set densely.
static void select_outward(graph* g, uint32_t start) {
  const weft__part* part = &g->fine->parts[weft__scene_part_of(g->fine, start)];
  const uint32_t capacity = g->environment_size[part->environment];
  uint32_t count = 0;
  g->queue[count++] = start;
  for (uint32_t next = 0; next < count; ++next) {
    const uint32_t particle = g->queue[next];
    if (g->state[particle] != UNDECIDED) continue;
    select_particle(g, particle);
    for (uint32_t i = g->links.first[particle]; i < g->links.first[particle + 1]; ++i) {
      const uint32_t neighbor = g->links.to[i];
      for (uint32_t j = g->links.first[neighbor]; j < end_of_visited(g, neighbor); ++j) {
        const bool fits = count < capacity;
        if (fits && g->state[g->links.to[j]] == UNDECIDED) g->queue[count++] = g->links.to[j];
      }
    }
  }
}

static void select_coarse(graph* g) {
  const uint32_t count = g->fine->particle_count;
  for (uint32_t p = 0; p < count; ++p) {
    const bool pinned = g->fine->inverse_masses[p] == 0.0f;
    if (g->state[p] == UNDECIDED && pinned && !is_isolated(g, p)) select_particle(g, p);
  }
  for (uint32_t p = 0; p < count; ++p) {
    if (g->state[p] == UNDECIDED && !is_isolated(g, p)) select_outward(g, p);
  }
}

static bool push_parts(graph* g) {
  weft_scene* scene = g->coarsening->scene;
  g->first_coarse = scene->particle_count;
  for (uint32_t begin = 0, end; begin < g->root_count; begin = end) {
    const size_t part = weft__scene_part_of(g->fine, g->queue[begin]);
    for (end = begin + 1; end < g->root_count; ++end) {
      if (weft__scene_part_of(g->fine, g->queue[end]) != part) break;
    }
    if (weft__scene_reserve(scene, end - begin, 0).error != WEFT_OK) return false;
    (void)weft__scene_push_part(scene, end - begin, 0);
    weft__part* made = &scene->parts[scene->part_count - 1];
    made->environment = g->fine->parts[part].environment;
    made->patch_key = (uint32_t)part;
  }
  return true;
}

static bool push_particles(graph* g) {
  weft_scene* scene = g->coarsening->scene;
  for (uint32_t p = 0; p < g->fine->particle_count; ++p) {
    if (g->state[p] == COARSE) g->queue[g->root_count++] = p;
  }
  if (g->root_count == 0) return true;
  if (!push_parts(g)) return false;
  for (uint32_t i = 0; i < g->root_count; ++i) {
    const uint32_t fine = g->queue[i];
    g->coarsening->fine_of[g->first_coarse + i] = fine;
    scene->inverse_masses[g->first_coarse + i] = g->fine->inverse_masses[fine];
    memcpy(scene->positions + (size_t)3 * (g->first_coarse + i),
           g->fine->positions + (size_t)3 * fine, 3 * sizeof(float));
    g->roots[i] = g->cloth_of[fine];
    g->coarse_of[g->roots[i]] = g->first_coarse + i;
  }
  return true;
}

// Shortest path between roots of two cells that crosses their border over one link.
typedef struct border {
  uint32_t a, b; /* coarse particles, a < b */
  float length;  /* along the cloth */
  float drawn;   /* in the scene's positions */
  float compliance;
  /* structural links between the cells, and the parallel paths that they amount to along the line
   * between the roots */
  uint32_t crossing;
  double parallel_paths;
} border;

// Cube of the cosine between link and line: the share of a parallel link's energy that a cloth
// stretched along the line stores.
static double stiffness_along(const graph* g, uint32_t from, uint32_t to, uint32_t root,
                              uint32_t other) {
  const float* p = g->cloth->cloth->positions;
  double product = 0.0;
  double link = 0.0;
  double line = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double u = (double)p[(size_t)3 * to + axis] - (double)p[(size_t)3 * from + axis];
    const double v = (double)p[(size_t)3 * other + axis] - (double)p[(size_t)3 * root + axis];
    product += u * v;
    link += u * u;
    line += v * v;
  }
  const double squares = link * line;
  return squares > 0.0 ? fabs(product) * product * product / (squares * sqrt(squares)) : 1.0;
}

static bool measure_border(const graph* g, uint32_t from, uint32_t i, border* found) {
  const weft__distances* d = g->cloth;
  const uint32_t to = d->links.to[i];
  const uint32_t link = d->links.link[i];
  if (d->root[from] == WEFT__NO_CELL || d->root[to] == WEFT__NO_CELL) return false;
  const uint32_t a = g->coarse_of[d->root[from]];
  const uint32_t b = g->coarse_of[d->root[to]];
  *found =
      (border){.a = a,
               .b = b,
               .length = d->distance[from] + d->cloth->links.rest_length[link] + d->distance[to],
               .drawn = d->drawn[from] + weft__scene_distance(d->cloth, from, to) + d->drawn[to],
               .compliance = d->softness[from] + d->cloth->links.compliance[link] + d->softness[to],
               .crossing = d->cloth->links.kind[link] == WEFT_LINK_STRUCTURAL};
  if (a < b && found->crossing > 0 && found->compliance > 0.0f) {
    found->parallel_paths = stiffness_along(g, from, to, d->root[from], d->root[to]);
  }
  return a < b;
}

static size_t list_borders(const graph* g, border* list) {
  size_t count = 0;
  for (uint32_t p = 0; p < g->cloth->cloth->particle_count; ++p) {
    for (uint32_t i = g->cloth->links.first[p]; i < g->cloth->links.first[p + 1]; ++i) {
      border found;
      if (!measure_border(g, p, i, &found)) continue;
      if (list != NULL) list[count] = found;
      ++count;
    }
  }
  return count;
}

// More than one link between cells: a surface, on which the path is straightened.
static float rest_length(const graph* g, const border* shortest) {
  if (shortest->crossing <= 1) return shortest->length;
  const uint32_t* fine_of = g->coarsening->fine_of;
  const float straight = weft__scene_distance(g->fine, fine_of[shortest->a], fine_of[shortest->b]);
  return weft__path_geodesic_length(shortest->length, shortest->drawn, straight);
}

static float divide_compliance(float series, double parallel_paths) {
  if (series == 0.0f) return 0.0f;
  const double compliance = (double)series / parallel_paths;
  return compliance < (double)WEFT__MAX_COMPLIANCE ? (float)compliance : WEFT__MAX_COMPLIANCE;
}

// Links of the path in series, one such path in parallel for each link between the cells.
static void push_link(graph* g, const border* shortest) {
  const double parallel_paths = shortest->crossing > 1 ? shortest->parallel_paths : 1.0;
  weft__push_coarse_link(g->coarsening->scene, shortest->a, shortest->b, rest_length(g, shortest),
                         WEFT_LINK_STRUCTURAL,
                         divide_compliance(shortest->compliance, parallel_paths));
}

static bool link_borders(graph* g, const border* list, weft__sort_item* order, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    order[i] = (weft__sort_item){(uint64_t)list[i].a << 32 | list[i].b, (uint32_t)i};
  }
  weft__sort(order, order + count, count);
  size_t pairs = 0;
  for (size_t i = 0; i < count; ++i) pairs += i == 0 || order[i].key != order[i - 1].key;
  if (weft__scene_reserve(g->coarsening->scene, 0, pairs).error != WEFT_OK) return false;
  for (size_t begin = 0, end = 0; begin < count; begin = end) {
    border shortest = list[order[begin].value];
    uint32_t crossing = 0;
    double parallel_paths = 0.0;
    for (end = begin; end < count && order[end].key == order[begin].key; ++end) {
      const border* here = &list[order[end].value];
      crossing += here->crossing;
      parallel_paths += here->parallel_paths;
      if (here->length < shortest.length) shortest = *here;
    }
    shortest.crossing = crossing;
    shortest.parallel_paths = parallel_paths;
    push_link(g, &shortest);
  }
  return true;
}

static bool push_links(graph* g) {
  const size_t count = list_borders(g, NULL);
  border* list = weft__alloc(count, sizeof(*list));
  weft__sort_item* order = weft__alloc(2 * count, sizeof(*order));
  bool done = list != NULL && order != NULL;
  if (done) {
    (void)list_borders(g, list);
    done = link_borders(g, list, order, count);
  }
  weft__free(list);
  weft__free(order);
  return done;
}

// nearest coarse particles, candidates for parents
#define MAX_CANDIDATES 10u

// Nearest first.
typedef struct candidate_list {
  uint32_t of[MAX_CANDIDATES];
  float distance[MAX_CANDIDATES];
  uint32_t count;
} candidate_list;

static void insert_candidate(candidate_list* list, uint32_t coarse, float distance) {
  uint32_t at = 0;
  while (at < list->count && list->of[at] != coarse) ++at;
  if (at < list->count && list->distance[at] <= distance) return;
  if (at == list->count) {
    if (list->count < MAX_CANDIDATES) {
      ++list->count;
    } else if (list->distance[--at] <= distance) {
      return;
    }
  }
  for (; at > 0 && list->distance[at - 1] > distance; --at) {
    list->of[at] = list->of[at - 1];
    list->distance[at] = list->distance[at - 1];
  }
  list->of[at] = coarse;
  list->distance[at] = distance;
}

static void add_cell_root(const graph* g, candidate_list* list, uint32_t particle,
                          uint32_t neighbor) {
  const uint32_t root = g->cloth->root[g->cloth_of[neighbor]];
  if (root == WEFT__NO_CELL) return;
  const uint32_t coarse = g->coarse_of[root];
  insert_candidate(list, coarse,
                   weft__scene_distance(g->fine, particle, g->coarsening->fine_of[coarse]));
}

// Roots of cells up to two links away.
static candidate_list list_candidates(const graph* g, uint32_t particle) {
  candidate_list list = {.count = 0};
  add_cell_root(g, &list, particle, particle);
  if (g->state[particle] == COARSE) return list;
  for (uint32_t i = g->links.first[particle]; i < g->links.first[particle + 1]; ++i) {
    const uint32_t neighbor = g->links.to[i];
    add_cell_root(g, &list, particle, neighbor);
    for (uint32_t j = g->links.first[neighbor]; j < end_of_visited(g, neighbor); ++j) {
      add_cell_root(g, &list, particle, g->links.to[j]);
    }
  }
  return list;
}

static weft__vec3 position_of(const graph* g, uint32_t particle) {
  return weft__vec3_of(g->fine->positions + (size_t)3 * particle);
}

// Projection of `p` onto the triangle's plane. False if degenerate, or outside. (Ericson 2005,
// "Real-Time Collision Detection", section 3.4)
static bool weigh_triangle(weft__vec3 p, const weft__vec3 corner[3], double weight[3]) {
  const weft__vec3 u = weft__minus(corner[1], corner[0]);
  const weft__vec3 v = weft__minus(corner[2], corner[0]);
  const weft__vec3 w = weft__minus(p, corner[0]);
  const double uu = weft__dot(u, u);
  const double uv = weft__dot(u, v);
  const double vv = weft__dot(v, v);
  const double area = uu * vv - uv * uv;
  if (area < MIN_SQUARED_SINE * uu * vv) return false;
  weight[1] = (vv * weft__dot(w, u) - uv * weft__dot(w, v)) / area;
  weight[2] = (uu * weft__dot(w, v) - uv * weft__dot(w, u)) / area;
  weight[0] = 1.0 - weight[1] - weight[2];
  return weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0;
}

// Tightest triangle, by its farthest corner, whose projection contains the particle.
static bool find_triangle(const graph* g, uint32_t particle, const candidate_list* list,
                          uint32_t chosen[3], double weight[3]) {
  const weft__vec3 p = position_of(g, particle);
  weft__vec3 at[MAX_CANDIDATES];
  for (uint32_t j = 0; j < list->count; ++j) {
    at[j] = position_of(g, g->coarsening->fine_of[list->of[j]]);
  }
  for (uint32_t c = 2; c < list->count; ++c) {
    for (uint32_t b = 1; b < c; ++b) {
      for (uint32_t a = 0; a < b; ++a) {
        if (!weigh_triangle(p, (const weft__vec3[]){at[a], at[b], at[c]}, weight)) continue;
        chosen[0] = a;
        chosen[1] = b;
        chosen[2] = c;
        return true;
      }
    }
  }
  return false;
}

// Weighted by inverse distance.
static uint32_t weigh_pair(const candidate_list* list, uint32_t chosen[3], double weight[3]) {
  chosen[0] = 0;
  weight[0] = 1.0;
  if (list->count == 1 || list->distance[0] == 0.0f) return 1;
  const double sum = (double)list->distance[0] + (double)list->distance[1];
  chosen[1] = 1;
  weight[1] = (double)list->distance[0] / sum;
  weight[0] = 1.0 - weight[1];
  return 2;
}

static void set_parents(const graph* g, uint32_t particle, const candidate_list* list) {
  weft__parents* parents = &g->coarsening->parents[particle];
  *parents = (weft__parents){0};
  if (list->count == 0) return;
  uint32_t chosen[3];
  double weight[3];
  uint32_t count = 3;
  if (list->distance[0] == 0.0f || !find_triangle(g, particle, list, chosen, weight)) {
    count = weigh_pair(list, chosen, weight);
  }
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    parents->of[j] = list->of[chosen[j < count ? j : 0]];
    parents->weight[j] = j < count ? (float)weight[j] : 0.0f;
  }
}

static void list_parents(const graph* g) {
  for (uint32_t p = 0; p < g->fine->particle_count; ++p) {
    if (g->state[p] == OUTSIDE) continue;
    const candidate_list list = list_candidates(g, p);
    set_parents(g, p, &list);
  }
}

bool weft__graph_coarsen(weft__coarsening* coarsening, const weft_scene* fine,
                         const uint32_t* cloth_of, weft__distances* cloth) {
  graph g = {.coarsening = coarsening, .fine = fine, .cloth_of = cloth_of, .cloth = cloth};
  bool done = make_graph(&g);
  if (done) {
    select_coarse(&g);
    done = push_particles(&g);
  }
  if (done && g.root_count > 0) {
    done = weft__cells_grow(cloth, g.roots, g.root_count) && push_links(&g);
    if (done) list_parents(&g);
  }
  free_graph(&g);
  return done;
}
