#include "scene/mesh_edges.h"

#include "base/memory.h"

static uint32_t half_edge_count(const weft__mesh_edges* edges) {
  return 3 * edges->def->triangle_count;
}

static uint64_t key_of(const weft_mesh_def* def, uint32_t half_edge) {
  return weft__pair_key(def->triangles[half_edge],
                        def->triangles[half_edge / 3 * 3 + (half_edge + 1) % 3]);
}

// By opposite corner, then, stably, by edge.
static void sort_half_edges(weft__mesh_edges* edges) {
  const uint32_t count = half_edge_count(edges);
  weft__sort_item* half_edges = edges->half_edges;
  for (uint32_t h = 0; h < count; ++h) {
    half_edges[h] = (weft__sort_item){weft__opposite_corner(edges->def, h), h};
  }
  weft__sort(half_edges, edges->scratch, count);
  for (uint32_t i = 0; i < count; ++i) {
    half_edges[i].key = key_of(edges->def, half_edges[i].value);
  }
  weft__sort(half_edges, edges->scratch, count);
}

// Half-edges of one edge with one opposite corner are a repeated face. Reports the first.
static weft_result check_repeated_faces(const weft__mesh_edges* edges) {
  const weft__sort_item* half_edges = edges->half_edges;
  uint32_t first_repeat = UINT32_MAX;
  for (uint32_t i = 1; i < half_edge_count(edges); ++i) {
    const uint32_t before = half_edges[i - 1].value;
    const uint32_t here = half_edges[i].value;
    if (half_edges[i - 1].key == half_edges[i].key &&
        weft__opposite_corner(edges->def, before) == weft__opposite_corner(edges->def, here)) {
      const uint32_t later = before > here ? before : here;
      if (later < first_repeat) first_repeat = later;
    }
  }
  if (first_repeat == UINT32_MAX) return weft__ok();
  return weft__fail_at(WEFT_ERROR_DUPLICATE, "weft_mesh_def.triangles", first_repeat / 3);
}

// Half-edges that share the edge of the one at `begin`.
static uint32_t end_of(const weft__mesh_edges* edges, uint32_t begin) {
  uint32_t end = begin + 1;
  while (end < half_edge_count(edges) &&
         edges->half_edges[end].key == edges->half_edges[begin].key) {
    ++end;
  }
  return end;
}

// In order of first occurrence.
static void list_edges(weft__mesh_edges* edges) {
  const weft__sort_item* half_edges = edges->half_edges;
  for (uint32_t begin = 0, end = 0; begin < half_edge_count(edges); begin = end) {
    end = end_of(edges, begin);
    uint32_t first = half_edges[begin].value;
    for (uint32_t i = begin; i < end; ++i) {
      if (half_edges[i].value < first) first = half_edges[i].value;
    }
    edges->edges[edges->count++] = (weft__sort_item){first, begin};
  }
  weft__sort(edges->edges, edges->scratch, edges->count);
}

weft_result weft__mesh_edges_create(weft__mesh_edges* edges, const weft_mesh_def* def) {
  const size_t count = (size_t)3 * def->triangle_count;
  *edges = (weft__mesh_edges){
      .def = def,
      .half_edges = weft__alloc(count, sizeof(weft__sort_item)),
      .edges = weft__alloc(count, sizeof(weft__sort_item)),
      .scratch = weft__alloc(count, sizeof(weft__sort_item)),
  };
  WEFT__FAIL_IF(edges->half_edges == NULL || edges->edges == NULL || edges->scratch == NULL,
                WEFT_ERROR_OUT_OF_MEMORY, "weft_mesh_def.triangles");
  sort_half_edges(edges);
  WEFT__TRY(check_repeated_faces(edges));
  list_edges(edges);
  return weft__ok();
}

void weft__mesh_edges_destroy(weft__mesh_edges* edges) {
  weft__free(edges->half_edges);
  weft__free(edges->edges);
  weft__free(edges->scratch);
}

weft__mesh_edge weft__mesh_edge_at(const weft__mesh_edges* edges, uint32_t number) {
  const uint32_t begin = edges->edges[number].value;
  const uint64_t key = edges->half_edges[begin].key;
  return (weft__mesh_edge){(uint32_t)(key >> 32), (uint32_t)key, begin, end_of(edges, begin)};
}

uint32_t weft__mesh_edge_triangles(const weft__mesh_edges* edges, uint64_t key) {
  const uint32_t count = half_edge_count(edges);
  const uint32_t begin = weft__lower_bound(edges->half_edges, 0, count, key);
  if (begin == count || edges->half_edges[begin].key != key) return 0;
  return end_of(edges, begin) - begin;
}

uint64_t weft__mesh_edges_pairs(const weft__mesh_edges* edges) {
  uint64_t pairs = 0;
  for (uint32_t e = 0; e < edges->count; ++e) {
    const weft__mesh_edge edge = weft__mesh_edge_at(edges, e);
    const uint64_t sharing = edge.end - edge.begin;
    pairs += sharing * (sharing - 1) / 2;
  }
  return pairs;
}
