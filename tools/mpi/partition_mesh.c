#include <metis.h>

#include "base/memory.h"
#include "base/sort.h"
#include "libraries/cluster/partition.h"

// Graph in METIS's layout: an edge between two patches weighs their common particles.
typedef struct edge_graph {
  idx_t* first;           /* [patch_count + 1] */
  idx_t* to;              /* [first[patch_count]] */
  idx_t* shared;          /* [first[patch_count]] */
  idx_t* weight;          /* patches [patch_count] */
  weft__sort_item* edges; /* scratch; key: patch << 32 | other patch, value: particles */
  size_t edge_count;
} edge_graph;

static void destroy(const edge_graph* g) {
  weft__free(g->first);
  weft__free(g->to);
  weft__free(g->shared);
  weft__free(g->weight);
  weft__free(g->edges);
}

// Lists and sorts both directions of the edges, repeated for several shares.
static bool list_edges(edge_graph* g, const weft__patch_graph* graph) {
  size_t capacity = 0;
  for (uint32_t share = 0; share < graph->share_count; ++share) {
    const uint32_t begin = graph->share_first[share], end = graph->share_first[share + 1];
    for (uint32_t i = begin; i < end; ++i) {
      for (uint32_t k = begin; k < end; ++k) {
        if (i == k) continue;
        if (!weft__grow((void**)&g->edges, &capacity, (uint64_t)g->edge_count + 1,
                        sizeof(*g->edges))) {
          return false;
        }
        const uint64_t key = (uint64_t)graph->share_patches[i] << 32 | graph->share_patches[k];
        g->edges[g->edge_count++] = (weft__sort_item){key, graph->share_particles[share]};
      }
    }
  }
  weft__sort_item* scratch = weft__alloc(g->edge_count, sizeof(*scratch));
  if (scratch == NULL) return false;
  weft__sort(g->edges, scratch, g->edge_count);
  weft__free(scratch);
  return true;
}

// Merges equal edges into the rows of the graph.
static void fill_rows(edge_graph* g, uint32_t patch_count) {
  idx_t count = 0;
  for (size_t e = 0; e < g->edge_count; ++e) {
    const uint64_t key = g->edges[e].key;
    if (e > 0 && key == g->edges[e - 1].key) {
      g->shared[count - 1] += (idx_t)g->edges[e].value;
      continue;
    }
    ++g->first[(key >> 32) + 1];
    g->to[count] = (idx_t)(uint32_t)key;
    g->shared[count++] = (idx_t)g->edges[e].value;
  }
  for (uint32_t p = 0; p < patch_count; ++p) g->first[p + 1] += g->first[p];
}

static bool create(edge_graph* g, const weft__patch_graph* graph) {
  *g = (edge_graph){0};
  if (!list_edges(g, graph)) return false;
  g->first = weft__alloc_zeroed((uint64_t)graph->patch_count + 1, sizeof(*g->first));
  g->to = weft__alloc(g->edge_count, sizeof(*g->to));
  g->shared = weft__alloc(g->edge_count, sizeof(*g->shared));
  g->weight = weft__alloc(graph->patch_count, sizeof(*g->weight));
  if (g->first == NULL || g->to == NULL || g->shared == NULL || g->weight == NULL) return false;
  fill_rows(g, graph->patch_count);
  for (uint32_t p = 0; p < graph->patch_count; ++p) g->weight[p] = (idx_t)graph->cost[p];
  return true;
}

bool weft__partition_mesh(const weft__patch_graph* graph, uint32_t rank_count, uint32_t* owner) {
  if (rank_count == 1 || graph->patch_count <= rank_count) {
    for (uint32_t p = 0; p < graph->patch_count; ++p) owner[p] = rank_count == 1 ? 0 : p;
    return true;
  }
  edge_graph g;
  idx_t count = (idx_t)graph->patch_count, constraints = 1, parts = (idx_t)rank_count, cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  idx_t* part = weft__alloc(graph->patch_count, sizeof(*part));
  const bool done =
      part != NULL && create(&g, graph) &&
      METIS_PartGraphKway(&count, &constraints, g.first, g.to, g.weight, NULL, g.shared, &parts,
                          NULL, NULL, options, &cut, part) == METIS_OK;
  for (uint32_t p = 0; done && p < graph->patch_count; ++p) owner[p] = (uint32_t)part[p];
  if (part != NULL) destroy(&g);
  weft__free(part);
  return done;
}
