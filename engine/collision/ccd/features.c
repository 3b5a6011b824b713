#include "collision/ccd/features.h"

// Rounds the list up to whole vectors: lanes beyond the last feature repeat it.
static void pad_points(weft__feature_list* list, int points) {
  const uint32_t end = (list->count + 15) / 16 * 16;
  for (int k = 0; k < points; ++k) {
    for (uint32_t n = list->count; n < end; ++n) list->point[k][n] = list->point[k][n - 1];
  }
}

static void list_vertices(const weft__ccd_clusters* clusters, uint32_t cluster,
                          weft__feature_list* list) {
  const weft__range range = weft__cluster_range(clusters, clusters->first_vertex, cluster);
  list->count = range.end - range.begin;
  for (uint32_t n = 0; n < list->count; ++n) {
    list->point[0][n] = (uint16_t)(2 * clusters->vertex_member[range.begin + n]);
  }
  pad_points(list, 1);
}

static void list_edges(const weft__ccd_clusters* clusters, uint32_t cluster,
                       weft__feature_list* list) {
  const weft__range range = weft__cluster_range(clusters, clusters->first_edge, cluster);
  list->count = range.end - range.begin;
  for (uint32_t n = 0; n < list->count; ++n) {
    const uint8_t* end = clusters->edge_member[range.begin + n];
    for (int k = 0; k < 2; ++k) list->point[k][n] = (uint16_t)(2 * end[k]);
  }
  pad_points(list, 2);
}

static void list_faces(const weft__ccd_clusters* clusters, uint32_t cluster,
                       weft__feature_list* list) {
  const weft__range range = weft__cluster_faces(clusters, cluster);
  list->count = range.end - range.begin;
  for (uint32_t n = 0; n < list->count; ++n) {
    const uint8_t* corner = clusters->corner[range.begin + n];
    for (int k = 0; k < 3; ++k) list->point[k][n] = (uint16_t)(2 * corner[k]);
  }
  pad_points(list, 3);
}

void weft__load_features(const weft__ccd_clusters* clusters, const weft__ccd_positions* positions,
                         const weft__kernels* kernels, uint32_t cluster, uint32_t origin,
                         weft__cluster_features* features) {
  const weft__range members = weft__cluster_members(clusters, cluster);
  const uint32_t first = weft__cluster_members(clusters, origin).begin;
  float start[3];
  float now[3];
  for (int axis = 0; axis < 3; ++axis) {
    features->from[axis] = positions->start[axis] + members.begin;
    features->to[axis] = positions->now[axis] + members.begin;
    start[axis] = positions->start[axis][first];
    now[axis] = positions->now[axis][first];
  }
  features->member_count = members.end - members.begin;
  features->member = clusters->member + members.begin;
  features->edges_at = clusters->edges_at + members.begin;
  features->faces_at = clusters->faces_at + members.begin;
  list_vertices(clusters, cluster, &features->vertices);
  list_edges(clusters, cluster, &features->edges);
  list_faces(clusters, cluster, &features->faces);
  kernels->bound_features(features, start, now);
}
