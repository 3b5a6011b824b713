/* Clusters of faces: the bottom nodes of the BVH of CCD.
 *
 * A cluster is up to 16 adjacent faces in four leaves of four. A leaf owns the edges and vertices
 * of its faces that no leaf before it has, so that each feature is tested once. Each other particle
 * that collides with faces follows as a cluster of its own, with one leaf.
 *
 *   | face cluster 0     | face cluster 1     | ... | particle | particle | ...
 *   | leaf 0 | 1 | 2 | 3 | leaf 4 | 5 | 6 | 7 | ... | leaf     | leaf     | ...
 *
 * Faces are ordered by a k-d tree over their positions in the scene, as neighbours
 * in cloth stay neighbours, for each chart of the mesh: partition.c, charts.c. A large piece of the
 * mesh that is one chart begins with a new cluster. One shared by two sheets of a pile would be
 * near everything between them. Displacements are accumulated by cluster: ccd.h. */
#ifndef WEFT_MODULES_CCD_CLUSTERS_H
#define WEFT_MODULES_CCD_CLUSTERS_H

#include "base/sort.h"
#include "collision/setup.h"
#include "modules/ccd/flatness_test.h"

#define WEFT__LEAF_FACES 4u
/* Shares of the mean edge of a cluster: smallest gap between features, and bounds of the safety
 * margin that a cluster may move before its pairs are searched again. */
#define WEFT__CCD_GAP 0.01f
#define WEFT__CCD_MIN_MARGIN 0.1f
#define WEFT__CCD_MAX_MARGIN 0.3f

/* Edges and order of all faces of the world, CCD or not, and of its strands; built once. */
typedef struct weft__face_edges {
  uint32_t face_count, edge_count;
  uint32_t first_strand;  /* faces from here on are strands, which have one edge */
  uint32_t* order;        /* faces, so that a cluster is contiguous [face_count] */
  uint8_t* is_first;      /* face of the order that begins a cluster, in any case [face_count] */
  uint32_t (*edge_of)[3]; /* edges of a face [face_count] */
  float* size;            /* metres: mean edge of a face [face_count] */
  uint32_t (*end)[2];     /* particles of an edge [edge_count] */
  /* Faces of an edge, the second may be WEFT__NONE. An edge of more than two faces is listed
   * several times. [edge_count] */
  uint32_t (*side)[2];
  void* block; /* memory of all columns */
  size_t bytes;
} weft__face_edges;

extern const weft__table weft__face_edges_table;

/* `environment_of`: by particle, NULL if there is one. False when out of memory. */
bool weft__face_edges_create(weft__face_edges* mesh, const weft__faces* faces,
                             const weft__particles* particles, const uint32_t* environment_of);
void weft__face_edges_destroy(weft__face_edges* mesh);

/* Sets the chart of each face: see charts.c. Returns a bound on their numbers, which begin at 0.
 * `chart` and `scratch` have face_count items each. */
uint32_t weft__ccd_find_charts(const weft__face_edges* mesh, const weft__faces* faces,
                               uint32_t* chart, uint32_t* scratch);

/* Faces of a piece that begins with a cluster of its own, at the least: it pads the last cluster
 * before it, which is little then. */
#define WEFT__CCD_MIN_PADDED_CHART 256u

/* Bound on the slots of clusters that faces take, with padding: before large pieces, and before the
 * first strand. */
static inline size_t weft__ccd_max_slots(const weft__face_edges* mesh) {
  const size_t padded = mesh->first_strand / WEFT__CCD_MIN_PADDED_CHART +
                        (mesh->first_strand < mesh->face_count ? 1 : 0);
  return mesh->face_count + (WEFT__CLUSTER_FACES - 1) * padded;
}

/* Bound on clusters of faces. */
static inline size_t weft__ccd_max_face_clusters(const weft__face_edges* mesh) {
  return weft__ccd_max_slots(mesh) / WEFT__CLUSTER_FACES + 1;
}

/* Sets mesh->order and mesh->is_first. `items` and `charts` are scratch [2 x face_count each]. */
void weft__ccd_partition(const weft__face_edges* mesh, const weft__faces* faces,
                         const uint32_t* environment_of, weft__sort_item* items, uint32_t* charts);

/* Capacity is all faces and particles; CCD may use fewer. */
typedef struct weft__ccd_clusters {
  uint32_t first_strand;       /* faces of the table from here on are strands */
  uint32_t face_cluster_count; /* face clusters, which come first */
  uint32_t cluster_count;      /* clusters */
  uint32_t leaf_count;         /* leaves */
  uint32_t slot_count, edge_count, vertex_count;
  float min_size; /* metres: smallest of all clusters */
  /* Faces of the table; cluster c has [16 c, 16 c + 16), where WEFT__NONE follows its last one.
   * [slot_count, padded to whole clusters] */
  uint32_t* face;
  uint32_t* edge;   /* edges of the mesh [edge_count] */
  uint32_t* vertex; /* particles that collide with faces, each once [vertex_count] */
  /* Particles of a cluster: corners of its faces, each once, padded with the last to whole vectors
   * of four lanes. A leaf has those that no leaf of its cluster before it has.
   * [first_member[leaf count]] */
  uint32_t* member;
  /* Edges and faces that end at a member, as bit masks over its cluster. [same] */
  uint64_t *edges_at, *faces_at;
  /* Corners of a face as members of its cluster; padded with the last face to a whole cluster.
   * [as face] */
  uint8_t (*corner)[3];
  uint8_t* vertex_member;    /* vertex as a member of its cluster [vertex_count] */
  uint8_t (*edge_member)[2]; /* ends of an edge as members of its cluster [edge_count] */
  /* Features as kernels read them, twice their members: vertices, ends of edges and corners of
   * faces, six columns a cluster, each padded with its last to whole vectors of 16.
   * [first_point[face_cluster_count]] */
  uint16_t* point;
  uint32_t* first_point;  /* [face cluster + 1] */
  uint32_t* first_edge;   /* prefix offsets by leaf [leaf count + 1] */
  uint32_t* first_vertex; /* [leaf count + 1] */
  uint32_t* first_member; /* [leaf count + 1] */
  float* size;            /* metres: smallest mean edge of its faces [cluster] */
  /* Inverse maps, WEFT__NONE = unlisted. */
  uint32_t* leaf_of_vertex;   /* leaf that owns a particle as vertex [particle_count] */
  uint32_t* leaf_of_edge;     /* leaf that owns an edge of the mesh [edge_count] */
  uint32_t* slot_of_particle; /* last index of a particle in `member` [particle_count] */
  uint32_t* slot_of_face;     /* index of a face of the table in `face` [face_count] */
  /* rows of the columns: face clusters, all clusters, and bounds on their contents */
  uint32_t face_cluster_capacity, capacity;
  uint32_t face_capacity, edge_capacity, particle_capacity;
  uint32_t slot_capacity, member_capacity, leaf_capacity, point_capacity;
  void* block; /* memory of all columns */
  size_t bytes;
} weft__ccd_clusters;

/* Features as kernels read them follow from the state. */
extern const weft__table weft__ccd_clusters_table;

/* False when out of memory. */
bool weft__ccd_clusters_create(weft__ccd_clusters* clusters, const weft__face_edges* mesh,
                               uint32_t particle_count);
void weft__ccd_clusters_destroy(weft__ccd_clusters* clusters);

/* Builds clusters of all CCD faces and of all particles that collide with them. */
void weft__ccd_clusters_build(weft__ccd_clusters* clusters, const weft__face_edges* mesh,
                              const weft__faces* faces, const weft__materials* materials,
                              uint32_t particle_count);

/* True if all corners of a face take part in CCD. */
static inline bool weft__face_is_ccd(const weft__faces* faces, const weft__materials* materials,
                                     uint32_t face) {
  for (int k = 0; k < 3; ++k) {
    if (!weft__material_of(materials, faces->corner[face][k])->is_exact) return false;
  }
  return true;
}

/* Bound on the length of the column of members. */
static inline size_t weft__ccd_max_members(const weft__face_edges* mesh, size_t particle_count) {
  return 3 * (size_t)mesh->face_count + 3 * weft__ccd_max_face_clusters(mesh) + 4 * particle_count;
}

/* Length of a column of features. */
static inline uint32_t weft__feature_column(uint32_t count) {
  return (count + 15) / 16 * 16;
}

/* True for a cluster of strands; they are the last face clusters. */
static inline bool weft__cluster_is_of_strands(const weft__ccd_clusters* clusters,
                                               uint32_t cluster) {
  return cluster < clusters->face_cluster_count &&
         clusters->face[cluster * WEFT__CLUSTER_FACES] >= clusters->first_strand;
}

/* Faces of a cluster, none of strands. */
static inline weft__range weft__cluster_faces(const weft__ccd_clusters* clusters,
                                              uint32_t cluster) {
  uint32_t end = (cluster + 1) * WEFT__CLUSTER_FACES;
  if (cluster >= clusters->face_cluster_count || weft__cluster_is_of_strands(clusters, cluster))
    return (weft__range){0, 0};
  while (clusters->face[end - 1] == WEFT__NONE) --end;
  return (weft__range){cluster * WEFT__CLUSTER_FACES, end};
}

/* Leaves of a cluster: four of faces, or one of a particle. */
static inline weft__range weft__cluster_leaves(const weft__ccd_clusters* clusters,
                                               uint32_t cluster) {
  if (cluster < clusters->face_cluster_count) return (weft__range){4 * cluster, 4 * cluster + 4};
  return (weft__range){3 * clusters->face_cluster_count + cluster,
                       3 * clusters->face_cluster_count + cluster + 1};
}

static inline uint32_t weft__cluster_of_leaf(const weft__ccd_clusters* clusters, uint32_t leaf) {
  if (leaf < 4 * clusters->face_cluster_count) return leaf / 4;
  return leaf - 3 * clusters->face_cluster_count;
}

/* Range of a cluster in a column by leaf; `first` is first_member, first_edge or first_vertex. */
static inline weft__range weft__cluster_range(const weft__ccd_clusters* clusters,
                                              const uint32_t* first, uint32_t cluster) {
  const weft__range leaves = weft__cluster_leaves(clusters, cluster);
  return (weft__range){first[leaves.begin], first[leaves.end]};
}

static inline weft__range weft__cluster_members(const weft__ccd_clusters* clusters,
                                                uint32_t cluster) {
  return weft__cluster_range(clusters, clusters->first_member, cluster);
}

#endif
