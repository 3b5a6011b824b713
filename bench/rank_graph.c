#include "rank_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void bench_rank_graph_free(bench_rank_graph* graph) {
  free(graph->owner);
  free(graph->color);
  free(graph->first_edge);
  free(graph->edges);
  free(graph->first_message);
  weft__free(graph->messages);
  free(graph->position);
  free(graph->own_count);
  *graph = (bench_rank_graph){.patch_count = 0};
}

static int by_patch(const void* a, const void* b) {
  const bench_rank_edge *x = a, *y = b;
  return x->patch < y->patch ? -1 : x->patch > y->patch ? 1 : 0;
}

// Visits each ordered pair of different patches of a share: counts edges, or fills them in.
static void add_pairs(bench_rank_graph* g, const weft__patch_graph* graph, bool is_filling) {
  for (uint32_t share = 0; share < graph->share_count; ++share) {
    const uint32_t begin = graph->share_first[share], end = graph->share_first[share + 1];
    for (uint32_t i = begin; i < end; ++i) {
      const uint32_t patch = graph->share_patches[i];
      for (uint32_t k = begin; k < end; ++k) {
        if (i == k) continue;
        if (is_filling) g->edges[g->first_edge[patch]].patch = graph->share_patches[k];
        ++g->first_edge[is_filling ? patch : patch + 1];
      }
    }
  }
}

// Sorts the edges of each patch and removes those that are there twice. first_edge has, at first,
// the end of each patch.
static void compact(bench_rank_graph* g) {
  uint32_t kept = 0, begin = 0;
  for (uint32_t p = 0; p < g->patch_count; ++p) {
    const uint32_t end = g->first_edge[p];
    qsort(&g->edges[begin], end - begin, sizeof *g->edges, by_patch);
    const uint32_t first = kept;
    for (uint32_t i = begin; i < end; ++i) {
      if (kept == first || g->edges[i].patch != g->edges[kept - 1].patch) {
        g->edges[kept++] = g->edges[i];
      }
    }
    begin = end;
    g->first_edge[p] = first;
  }
  g->first_edge[g->patch_count] = kept;
}

static bool list_edges(bench_rank_graph* g, const weft__patch_graph* graph) {
  add_pairs(g, graph, false);
  for (uint32_t p = 0; p < g->patch_count; ++p) g->first_edge[p + 1] += g->first_edge[p];
  g->edges = malloc(((size_t)g->first_edge[g->patch_count] + 1) * sizeof *g->edges);
  if (g->edges == NULL) return false;
  add_pairs(g, graph, true);
  compact(g);
  return true;
}

static void color_patches(bench_rank_graph* g) {
  for (uint32_t p = 0; p < g->patch_count; ++p) {
    uint64_t used = 0;
    for (uint32_t e = g->first_edge[p]; e < g->first_edge[p + 1]; ++e) {
      if (g->edges[e].patch < p) used |= UINT64_C(1) << g->color[g->edges[e].patch];
    }
    g->color[p] = (uint32_t)__builtin_ctzll(~used);
  }
}

// Message of a patch to a rank.
static uint32_t find_message(const bench_rank_graph* g, uint32_t patch, uint32_t rank) {
  for (uint32_t m = g->first_message[patch]; m < g->first_message[patch + 1]; ++m) {
    if (g->messages[m].rank == rank) return m;
  }
  return BENCH_NO_MESSAGE;
}

static bool list_messages(bench_rank_graph* g, const weft__patch_graph* graph) {
  size_t count = 0;
  weft__patch_message* listed = NULL;
  if (!weft__partition_messages(graph, g->owner, &listed, &count)) return false;
  g->messages = listed;
  g->message_count = (uint32_t)count;
  for (uint32_t m = 0; m < g->message_count; ++m) ++g->first_message[g->messages[m].patch + 1];
  for (uint32_t p = 0; p < g->patch_count; ++p) g->first_message[p + 1] += g->first_message[p];
  for (uint32_t p = 0; p < g->patch_count; ++p) {
    for (uint32_t e = g->first_edge[p]; e < g->first_edge[p + 1]; ++e) {
      g->edges[e].message = find_message(g, g->edges[e].patch, g->owner[p]);
    }
  }
  return true;
}

bool bench_rank_graph_create(bench_rank_graph* made, const weft__patch_graph* graph,
                             const uint32_t* owner, uint32_t rank_count) {
  const size_t patches = graph->patch_count;
  *made = (bench_rank_graph){
      .patch_count = graph->patch_count,
      .rank_count = rank_count,
      .particles = graph->particles,
      .owner = malloc((patches + 1) * sizeof *made->owner),
      .color = calloc(patches + 1, sizeof *made->color),
      .first_edge = calloc(patches + 2, sizeof *made->first_edge),
      .first_message = calloc(patches + 2, sizeof *made->first_message),
      .position = calloc(patches + 1, sizeof *made->position),
      .own_count = calloc((size_t)rank_count + 1, sizeof *made->own_count),
  };
  bool done = made->owner != NULL && made->color != NULL && made->first_edge != NULL &&
              made->first_message != NULL && made->position != NULL && made->own_count != NULL;
  if (done) memcpy(made->owner, owner, patches * sizeof *owner);
  for (uint32_t p = 0; done && p < patches; ++p) {
    made->position[p] = made->own_count[owner[p]]++;
  }
  done = done && list_edges(made, graph) && list_messages(made, graph);
  if (done) color_patches(made);
  if (!done) bench_rank_graph_free(made);
  return done;
}
