#include "collision/ccd/leaf_bounds.h"

// Members of a leaf at one end of the pass.
typedef struct endpoint {
  const float* at[3];
  int side; /* first side of a moving AABB that they bound */
} endpoint;

static wide gather(const float* at, const uint8_t index[4]) {
  return (wide){at[index[0]], at[index[1]], at[index[2]], at[index[3]]};
}

// Bounds four features by `count` points each.
static void bound_points(const endpoint* end, const uint8_t (*index)[4], int count,
                         weft__moving_aabb4* boxes) {
  for (int axis = 0; axis < 3; ++axis) {
    wide lower = gather(end->at[axis], index[0]);
    wide upper = lower;
    for (int k = 1; k < count; ++k) {
      const wide point = gather(end->at[axis], index[k]);
      lower = wide_min(point, lower);
      upper = wide_max(point, upper);
    }
    boxes->side[end->side + axis] = lower;
    boxes->side[end->side + 3 + axis] = upper;
  }
}

// Missing lanes repeat the last feature.
static uint32_t padded_index(uint32_t n, uint32_t count) {
  return n < count ? n : count - 1;
}

static void bound_faces(const weft__ccd_clusters* clusters, const endpoint* end, uint32_t shift,
                        weft__leaf_bounds* bounds) {
  uint8_t index[3][4];
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const uint8_t* corner =
        clusters->corner[bounds->first_face + padded_index(lane, bounds->face_count)];
    for (int k = 0; k < 3; ++k) index[k][lane] = (uint8_t)(corner[k] - shift);
  }
  bound_points(end, (const uint8_t(*)[4])index, 3, &bounds->faces);
}

static void bound_edges(const weft__ccd_clusters* clusters, const endpoint* end, uint32_t n,
                        weft__leaf_bounds* bounds) {
  uint8_t index[2][4];
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const uint32_t e = bounds->first_edge + padded_index(4 * n + lane, bounds->edge_count);
    for (int k = 0; k < 2; ++k) index[k][lane] = clusters->edge_member[e][k];
  }
  bound_points(end, (const uint8_t(*)[4])index, 2, &bounds->edges[n]);
}

static void bound_vertices(const weft__ccd_clusters* clusters, const endpoint* end, uint32_t n,
                           weft__leaf_bounds* bounds) {
  uint8_t index[1][4];
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const uint32_t v = bounds->first_vertex + padded_index(4 * n + lane, bounds->vertex_count);
    index[0][lane] = clusters->vertex_member[v];
  }
  bound_points(end, (const uint8_t(*)[4])index, 1, &bounds->vertices[n]);
}

static void set_ranges(weft__leaf_bounds* bounds, const weft__ccd_clusters* clusters,
                       uint32_t leaf) {
  const weft__range faces = weft__leaf_faces(clusters, leaf);
  const weft__range edges = weft__leaf_range(clusters->first_edge, leaf);
  const weft__range vertices = weft__leaf_range(clusters->first_vertex, leaf);
  bounds->first_face = faces.begin;
  bounds->face_count = faces.end - faces.begin;
  bounds->first_edge = edges.begin;
  bounds->edge_count = edges.end - edges.begin;
  bounds->first_vertex = vertices.begin;
  bounds->vertex_count = vertices.end - vertices.begin;
}

void weft__leaf_bounds_build(weft__leaf_bounds* bounds, const weft__ccd_clusters* clusters,
                             const weft__ccd_positions* positions, uint32_t leaf) {
  const uint32_t member = clusters->first_member[leaf];
  set_ranges(bounds, clusters, leaf);
  for (int side = 0; side < WEFT__AABB_SIDES; side += WEFT__AABB_SIDES / 2) {
    float* const* at = side == 0 ? positions->start : positions->now;
    const endpoint end = {{at[0] + member, at[1] + member, at[2] + member}, side};
    // corners are relative to the first member of the cluster
    const uint32_t shift = member - clusters->first_member[leaf & ~3u];
    if (bounds->face_count > 0) bound_faces(clusters, &end, shift, bounds);
    for (uint32_t n = 0; 4 * n < bounds->edge_count; ++n) bound_edges(clusters, &end, n, bounds);
    for (uint32_t n = 0; 4 * n < bounds->vertex_count; ++n)
      bound_vertices(clusters, &end, n, bounds);
  }
}
