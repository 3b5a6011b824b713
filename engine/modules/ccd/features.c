#include "modules/ccd/features.h"

static const uint16_t* set_list(weft__feature_list* list, const uint16_t* column, uint32_t count,
                                int points) {
  list->count = count;
  for (int k = 0; k < points; ++k) {
    list->point[k] = column;
    column += weft__feature_column(count);
  }
  return column;
}

static void set_lists(const weft__ccd_clusters* clusters, uint32_t cluster,
                      weft__cluster_features* features) {
  // a particle, the only member of its cluster
  static const uint16_t first[16];
  const weft__range vertices = weft__cluster_range(clusters, clusters->first_vertex, cluster);
  const weft__range edges = weft__cluster_range(clusters, clusters->first_edge, cluster);
  const weft__range faces = weft__cluster_faces(clusters, cluster);
  const uint16_t* column = first;
  if (cluster < clusters->face_cluster_count)
    column = clusters->point + clusters->first_point[cluster];
  column = set_list(&features->vertices, column, vertices.end - vertices.begin, 1);
  column = set_list(&features->edges, column, edges.end - edges.begin, 2);
  (void)set_list(&features->faces, column, faces.end - faces.begin, 3);
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
  set_lists(clusters, cluster, features);
  weft__ccd_kernels_of(kernels)->bound_features(features, start, now);
}
