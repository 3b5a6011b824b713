#include "collision/self/exclusions.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"

typedef struct half_link {
  uint32_t to;
  float length;  // metres, at rest
} half_link;

// Compressed rows: p's links are half_links[first[p]] up to first[p + 1].
typedef struct link_graph {
  const weft__schedule* schedule;
  uint32_t* first;  // [particle_count + 2]
  half_link* half_links;
  bool is_counting;
} link_graph;

// Length in the scene: calls that set it do not change exclusions.
static float rest_length_of(const weft__schedule* schedule, const weft__lane* lane) {
  const weft__run* run = lane->run;
  const bool is_kept = schedule->links.scene_rest != NULL;
  const float* lengths = is_kept ? schedule->links.scene_rest_length : schedule->links.rest_length;
  const weft__parameter at = is_kept ? schedule->links.scene_rest[run - schedule->runs]
                                     : (weft__parameter){run->rest, run->rest_stride};
  const size_t group = lane->group - run->first_group;
  return lengths[at.first + group * at.stride + (uint32_t)__builtin_ctz(lane->bit)];
}

// Counts two entries ahead: filling advances each start to its final value.
static void add_link(void* context, const weft__lane* lane) {
  link_graph* graph = context;
  if (graph->is_counting) {
    ++graph->first[lane->a + 2];
    ++graph->first[lane->b + 2];
    return;
  }
  const float length = rest_length_of(graph->schedule, lane);
  graph->half_links[graph->first[lane->a + 1]++] = (half_link){lane->b, length};
  graph->half_links[graph->first[lane->b + 1]++] = (half_link){lane->a, length};
}

static void visit_links(link_graph* graph, const uint16_t* link_lanes, bool is_counting) {
  graph->is_counting = is_counting;
  for (uint32_t patch = 0; patch < graph->schedule->patch_count; ++patch) {
    weft__schedule_visit(graph->schedule, patch, link_lanes, add_link, graph);
  }
}

static bool fill_graph(link_graph* graph, const uint16_t* link_lanes) {
  visit_links(graph, link_lanes, true);
  const uint32_t ends = weft__sum_buckets(graph->first, graph->schedule->particle_count);
  graph->half_links = weft__alloc(ends, sizeof(*graph->half_links));
  if (graph->half_links == NULL) return false;
  visit_links(graph, link_lanes, false);
  return true;
}

static void destroy_graph(link_graph* graph) {
  weft__free(graph->first);
  weft__free(graph->half_links);
}

uint16_t* weft__exclusions_link_lanes(const weft__schedule* schedule) {
  uint16_t* link_lanes = weft__alloc_zeroed(schedule->links.group_count, sizeof(*link_lanes));
  for (uint32_t i = 0; i < schedule->links.link_count && link_lanes != NULL; ++i) {
    const uint32_t slot = schedule->links.slot_of_link[i];
    uint16_t* lanes = &link_lanes[slot / WEFT__LANES];
    *lanes = (uint16_t)(*lanes | 1u << slot % WEFT__LANES);
  }
  return link_lanes;
}

static bool create_graph(link_graph* graph, const weft__schedule* schedule) {
  *graph = (link_graph){
      .schedule = schedule,
      .first = weft__alloc_zeroed((size_t)schedule->particle_count + 2, sizeof(*graph->first))};
  uint16_t* link_lanes = weft__exclusions_link_lanes(schedule);
  const bool is_complete =
      graph->first != NULL && link_lanes != NULL && fill_graph(graph, link_lanes);
  weft__free(link_lanes);
  if (!is_complete) destroy_graph(graph);
  return is_complete;
}

typedef struct node {
  uint32_t particle;
  float path_length;
} node;

// Settled nodes first, nearest first, then the open ones.
typedef struct search {
  node nodes[WEFT__MAX_EXCLUSIONS + 1];
  uint32_t count, settled;
} search;

static void relax(search* f, uint32_t particle, float path_length) {
  for (uint32_t m = 0; m < f->count; ++m) {
    if (f->nodes[m].particle != particle) continue;
    if (path_length < f->nodes[m].path_length) f->nodes[m].path_length = path_length;
    return;
  }
  if (f->count <= WEFT__MAX_EXCLUSIONS) f->nodes[f->count++] = (node){particle, path_length};
}

static bool is_nearer(const node* a, const node* b) {
  return a->path_length < b->path_length ||
         (a->path_length == b->path_length && a->particle < b->particle);
}

static node settle_nearest(search* f) {
  uint32_t nearest = f->settled;
  for (uint32_t m = nearest + 1; m < f->count; ++m) {
    if (is_nearer(&f->nodes[m], &f->nodes[nearest])) nearest = m;
  }
  const node nearest_node = f->nodes[nearest];
  f->nodes[nearest] = f->nodes[f->settled];
  f->nodes[f->settled++] = nearest_node;
  return nearest_node;
}

// Dijkstra 1959. Linear search, not scene/shortest_paths.h's heap: nodes are few, and the limit
// counts open ones.
static void search_from(const link_graph* graph, uint32_t particle, float max_path, search* f) {
  f->nodes[0] = (node){particle, 0.0f};
  f->count = 1;
  f->settled = 0;
  while (f->settled < f->count) {
    const node here = settle_nearest(f);
    for (uint32_t k = graph->first[here.particle]; k < graph->first[here.particle + 1]; ++k) {
      const float path_length = here.path_length + graph->half_links[k].length;
      if (path_length <= max_path) relax(f, graph->half_links[k].to, path_length);
    }
  }
}

static int compare_particles(const void* a, const void* b) {
  const uint32_t left = ((const node*)a)->particle;
  const uint32_t right = ((const node*)b)->particle;
  return left < right ? -1 : left > right;
}

typedef struct node_list {
  node* entries;
  size_t capacity;
} node_list;

static bool append_nodes(node_list* found, size_t count, search* f) {
  const uint32_t others = f->count - 1;
  if (!weft__grow((void**)&found->entries, &found->capacity, count + others,
                  sizeof(*found->entries))) {
    return false;
  }
  qsort(f->nodes + 1, others, sizeof(*f->nodes), compare_particles);
  for (uint32_t m = 0; m < others; ++m) found->entries[count + m] = f->nodes[m + 1];
  return true;
}

static bool search_all(weft__exclusions* exclusions, const link_graph* graph, node_list* found) {
  const uint32_t particle_count = graph->schedule->particle_count;
  size_t count = 0;
  search f;
  for (uint32_t p = 0; p < particle_count; ++p) {
    exclusions->first[p] = (uint32_t)count;
    search_from(graph, p, exclusions->max_path, &f);
    if (count + f.count > UINT32_MAX || !append_nodes(found, count, &f)) return false;
    count += f.count - 1;
  }
  exclusions->first[particle_count] = (uint32_t)count;
  return true;
}

static bool write_columns(weft__exclusions* exclusions, const node_list* found,
                          uint32_t particle_count) {
  const size_t count = exclusions->first[particle_count];
  exclusions->other = weft__alloc(count, sizeof(*exclusions->other));
  exclusions->path_length = weft__alloc(count, sizeof(*exclusions->path_length));
  if (exclusions->other == NULL || exclusions->path_length == NULL) return false;
  for (size_t e = 0; e < count; ++e) {
    exclusions->other[e] = found->entries[e].particle;
    exclusions->path_length[e] = found->entries[e].path_length;
  }
  exclusions->bytes = count * (sizeof(*exclusions->other) + sizeof(*exclusions->path_length)) +
                      ((size_t)particle_count + 1) * sizeof(*exclusions->first);
  return true;
}

bool weft__exclusions_create(weft__exclusions* exclusions, const weft__schedule* schedule,
                             float max_path) {
  *exclusions = (weft__exclusions){
      .max_path = max_path,
      .first = weft__alloc((size_t)schedule->particle_count + 1, sizeof(*exclusions->first))};
  link_graph graph;
  if (exclusions->first == NULL || !create_graph(&graph, schedule)) {
    weft__exclusions_destroy(exclusions);
    return false;
  }
  node_list found = {0};
  const bool is_complete = search_all(exclusions, &graph, &found) &&
                           write_columns(exclusions, &found, schedule->particle_count);
  weft__free(found.entries);
  destroy_graph(&graph);
  if (!is_complete) weft__exclusions_destroy(exclusions);
  return is_complete;
}

void weft__exclusions_destroy(weft__exclusions* exclusions) {
  weft__free(exclusions->first);
  weft__free(exclusions->other);
  weft__free(exclusions->path_length);
  *exclusions = (weft__exclusions){0};
}
