#ifndef WEFT_SCENE_MESH_EDGES_H
#define WEFT_SCENE_MESH_EDGES_H

#include "base/result.h"
#include "base/sort.h"
#include "base/vec3.h"
#include "scene/pair_set.h"
#include "weft/weft.h"

/* Half-edges are sorted by (smaller end, larger end, opposite corner): edges, their triangles and
 * repeated faces are contiguous, in any input order. */
typedef struct weft__mesh_edges {
  const weft_mesh_def* def;
  weft__sort_item* half_edges; /* key: weft__pair_key(); value: number [3 x triangles] */
  /* key: first half-edge that has the edge; value: begin of its half-edges [count] */
  weft__sort_item* edges;
  weft__sort_item* scratch; /* [3 x triangles] */
  uint32_t count;
} weft__mesh_edges;

/* Ends a < b; half-edges [begin, end), one a triangle. */
typedef struct weft__mesh_edge {
  uint32_t a, b;
  uint32_t begin, end;
} weft__mesh_edge;

/* Checked def. WEFT_ERROR_DUPLICATE at the first face that repeats an earlier one. */
weft_result weft__mesh_edges_create(weft__mesh_edges* edges, const weft_mesh_def* def);
void weft__mesh_edges_destroy(weft__mesh_edges* edges);

/* By number, in order of first occurrence. */
weft__mesh_edge weft__mesh_edge_at(const weft__mesh_edges* edges, uint32_t number);

/* 0 if there is no such edge. */
uint32_t weft__mesh_edge_triangles(const weft__mesh_edges* edges, uint64_t key);

/* Pairs of triangles that share an edge. */
uint64_t weft__mesh_edges_pairs(const weft__mesh_edges* edges);

static inline uint32_t weft__opposite_corner(const weft_mesh_def* def, uint32_t half_edge) {
  return def->triangles[half_edge / 3 * 3 + (half_edge + 2) % 3];
}

/* Metres. */
static inline weft__vec3 weft__mesh_offset(const weft_mesh_def* def, uint32_t from, uint32_t to) {
  const float* a = def->positions + (size_t)3 * from;
  const float* b = def->positions + (size_t)3 * to;
  return (weft__vec3){(double)b[0] - (double)a[0], (double)b[1] - (double)a[1],
                      (double)b[2] - (double)a[2]};
}

#endif
