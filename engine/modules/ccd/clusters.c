#include "modules/ccd/clusters.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"

static const weft__column columns[] = {
    WEFT__MEMBER(weft__ccd_clusters, face_cluster_count),
    WEFT__MEMBER(weft__ccd_clusters, cluster_count),
    WEFT__MEMBER(weft__ccd_clusters, leaf_count),
    WEFT__MEMBER(weft__ccd_clusters, slot_count),
    WEFT__MEMBER(weft__ccd_clusters, edge_count),
    WEFT__MEMBER(weft__ccd_clusters, vertex_count),
    WEFT__MEMBER(weft__ccd_clusters, min_size),
    WEFT__COLUMN(weft__ccd_clusters, face, slot_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, edge, edge_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, vertex_member, particle_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, edge_member, edge_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, vertex, particle_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, member, member_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, edges_at, member_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, faces_at, member_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, corner, slot_capacity, WEFT__STATE),
    WEFT__COLUMN_TIMES(weft__ccd_clusters, first_edge, 1, leaf_capacity, 1, WEFT__STATE),
    WEFT__COLUMN_TIMES(weft__ccd_clusters, first_vertex, 1, leaf_capacity, 1, WEFT__STATE),
    WEFT__COLUMN_TIMES(weft__ccd_clusters, first_member, 1, leaf_capacity, 2, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, size, capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, leaf_of_vertex, particle_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, slot_of_particle, particle_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, leaf_of_edge, edge_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, slot_of_face, face_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__ccd_clusters, point, point_capacity, WEFT__DERIVED),
    WEFT__COLUMN_TIMES(weft__ccd_clusters, first_point, 1, face_cluster_capacity, 1, WEFT__DERIVED),
};

static void write_points(void* table);

const weft__table weft__ccd_clusters_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .loaded = write_points};

bool weft__ccd_clusters_create(weft__ccd_clusters* clusters, const weft__face_edges* mesh,
                               uint32_t particle_count) {
  const uint32_t face_clusters = (uint32_t)weft__ccd_max_face_clusters(mesh);
  const uint32_t slots = face_clusters * WEFT__CLUSTER_FACES;
  *clusters = (weft__ccd_clusters){
      .first_strand = mesh->first_strand,
      .face_cluster_capacity = face_clusters,
      .capacity = face_clusters + particle_count,
      .face_capacity = mesh->face_count,
      .edge_capacity = mesh->edge_count,
      .particle_capacity = particle_count,
      .slot_capacity = slots,
      .member_capacity = (uint32_t)weft__ccd_max_members(mesh, particle_count),
      .leaf_capacity = particle_count + 4 * face_clusters,
      // six columns a cluster; each particle and edge is a feature of one
      .point_capacity = particle_count + 2 * mesh->edge_count + 3 * slots + 6 * 15 * face_clusters,
  };
  return weft__columns_create(clusters, &weft__ccd_clusters_table, 0, &clusters->block,
                              &clusters->bytes);
}

void weft__ccd_clusters_destroy(weft__ccd_clusters* clusters) {
  weft__free(clusters->block);
  *clusters = (weft__ccd_clusters){0};
}

// ---- build ----

// True if a leaf is one of the four of a face cluster, not a particle's.
static bool is_of_faces(const weft__ccd_clusters* clusters, uint32_t leaf) {
  return leaf < 4 * ((clusters->slot_count + 15) / 16);
}

static uint32_t first_member_of_cluster(const weft__ccd_clusters* clusters) {
  const uint32_t leaf = clusters->leaf_count;
  return clusters->first_member[is_of_faces(clusters, leaf) ? leaf & ~3u : leaf];
}

static void set_member(const weft__ccd_clusters* clusters, uint32_t slot, uint32_t particle) {
  clusters->member[slot] = particle;
  clusters->edges_at[slot] = clusters->faces_at[slot] = 0;
}

// Adds a particle to the current leaf unless its cluster has it; returns its index in `member`.
static uint32_t add_corner(weft__ccd_clusters* clusters, uint32_t particle) {
  const uint32_t first = first_member_of_cluster(clusters);
  uint32_t slot = clusters->slot_of_particle[particle];
  if (slot == WEFT__NONE || slot < first) {
    slot = clusters->first_member[clusters->leaf_count + 1]++;
    clusters->slot_of_particle[particle] = slot;
    set_member(clusters, slot, particle);
  }
  if (clusters->leaf_of_vertex[particle] == WEFT__NONE) {
    clusters->leaf_of_vertex[particle] = clusters->leaf_count;
    clusters->vertex_member[clusters->vertex_count] = (uint8_t)(slot - first);
    clusters->vertex[clusters->vertex_count++] = particle;
  }
  return slot;
}

// Adds an edge to the current leaf unless one before owns it; its ends are members already.
static void add_edge(weft__ccd_clusters* clusters, const weft__face_edges* mesh, uint32_t edge) {
  if (clusters->leaf_of_edge[edge] != WEFT__NONE) return;
  clusters->leaf_of_edge[edge] = clusters->leaf_count;
  const uint32_t first_edge = clusters->first_edge[clusters->leaf_count & ~3u];
  for (int k = 0; k < 2; ++k) {
    const uint32_t slot = clusters->slot_of_particle[mesh->end[edge][k]];
    clusters->edges_at[slot] |= UINT64_C(1) << (clusters->edge_count - first_edge);
    clusters->edge_member[clusters->edge_count][k] =
        (uint8_t)(slot - first_member_of_cluster(clusters));
  }
  clusters->edge[clusters->edge_count++] = edge;
}

static void end_leaf(weft__ccd_clusters* clusters) {
  const uint32_t first = first_member_of_cluster(clusters);
  const bool ends_cluster =
      !is_of_faces(clusters, clusters->leaf_count) || clusters->leaf_count % 4 == 3;
  const uint32_t next = ++clusters->leaf_count;
  uint32_t* end = &clusters->first_member[next];
  for (; ends_cluster && (*end - first) % 4 != 0; ++*end) {
    set_member(clusters, *end, clusters->member[*end - 1]);
  }
  clusters->first_edge[next] = clusters->edge_count;
  clusters->first_vertex[next] = clusters->vertex_count;
  clusters->first_member[next + 1] = *end;
}

static void add_face(weft__ccd_clusters* clusters, const weft__face_edges* mesh,
                     const weft__faces* faces, uint32_t face) {
  const uint32_t slot = clusters->slot_count++;
  const uint32_t cluster = slot / WEFT__CLUSTER_FACES;
  const uint32_t first_member = clusters->first_member[cluster * 4];
  clusters->face[slot] = face;
  clusters->slot_of_face[face] = slot;
  for (int k = 0; k < 3; ++k) {
    const uint32_t member = add_corner(clusters, faces->corner[face][k]);
    clusters->corner[slot][k] = (uint8_t)(member - first_member);
    clusters->faces_at[member] |= UINT64_C(1) << slot % WEFT__CLUSTER_FACES;
  }
  for (int k = 0; k < 3; ++k) add_edge(clusters, mesh, mesh->edge_of[face][k]);
  const float size = mesh->size[face];
  if (slot % WEFT__CLUSTER_FACES == 0 || size < clusters->size[cluster])
    clusters->size[cluster] = size;
  if (size < clusters->min_size) clusters->min_size = size;
}

// Ends the cluster of the last face, if there is one, and pads it.
static void end_cluster(weft__ccd_clusters* clusters) {
  if (clusters->slot_count == WEFT__LEAF_FACES * clusters->leaf_count) return;
  do end_leaf(clusters);
  while (clusters->leaf_count % 4 != 0);
  for (uint32_t n = clusters->slot_count; n < WEFT__LEAF_FACES * clusters->leaf_count; ++n) {
    clusters->face[n] = WEFT__NONE;
    memcpy(clusters->corner[n], clusters->corner[n - 1], sizeof(clusters->corner[n]));
  }
}

static void list_faces(weft__ccd_clusters* clusters, const weft__face_edges* mesh,
                       const weft__faces* faces, const weft__materials* materials) {
  bool is_first = false;
  for (uint32_t n = 0; n < mesh->face_count; ++n) {
    is_first |= mesh->is_first[n] != 0;
    if (!weft__face_is_ccd(faces, materials, mesh->order[n])) continue;
    if (is_first) {
      end_cluster(clusters);
      clusters->slot_count = WEFT__LEAF_FACES * clusters->leaf_count;
    } else if (clusters->slot_count == WEFT__LEAF_FACES * (clusters->leaf_count + 1)) {
      end_leaf(clusters);
    }
    is_first = false;
    add_face(clusters, mesh, faces, mesh->order[n]);
  }
  end_cluster(clusters);
  clusters->face_cluster_count = clusters->cluster_count = clusters->leaf_count / 4;
}

// Writes a column of features, of which one member is `stride` bytes after another.
static uint16_t* write_column(uint16_t* column, const uint8_t* member, uint32_t stride,
                              uint32_t count) {
  const uint32_t end = weft__feature_column(count);
  for (uint32_t n = 0; n < end; ++n) {
    column[n] = (uint16_t)(2 * member[(size_t)stride * (n < count ? n : count - 1)]);
  }
  return column + end;
}

static void write_points(void* table) {
  const weft__ccd_clusters* clusters = table;
  uint16_t* column = clusters->point;
  for (uint32_t c = 0; c < clusters->face_cluster_count; ++c) {
    const weft__range vertices = weft__cluster_range(clusters, clusters->first_vertex, c);
    const weft__range edges = weft__cluster_range(clusters, clusters->first_edge, c);
    const weft__range faces = weft__cluster_faces(clusters, c);
    clusters->first_point[c] = (uint32_t)(column - clusters->point);
    column = write_column(column, clusters->vertex_member + vertices.begin, 1,
                          vertices.end - vertices.begin);
    for (int k = 0; k < 2; ++k) {
      column =
          write_column(column, &clusters->edge_member[edges.begin][k], 2, edges.end - edges.begin);
    }
    for (int k = 0; k < 3; ++k) {
      column = write_column(column, &clusters->corner[faces.begin][k], 3, faces.end - faces.begin);
    }
  }
  clusters->first_point[clusters->face_cluster_count] = (uint32_t)(column - clusters->point);
}

void weft__ccd_clusters_build(weft__ccd_clusters* clusters, const weft__face_edges* mesh,
                              const weft__faces* faces, const weft__materials* materials,
                              uint32_t particle_count) {
  clusters->leaf_count = clusters->slot_count = clusters->edge_count = clusters->vertex_count = 0;
  clusters->first_edge[0] = clusters->first_vertex[0] = clusters->first_member[0] =
      clusters->first_member[1] = 0;
  clusters->min_size = FLT_MAX;
  for (uint32_t i = 0; i < particle_count; ++i)
    clusters->leaf_of_vertex[i] = clusters->slot_of_particle[i] = WEFT__NONE;
  for (uint32_t e = 0; e < mesh->edge_count; ++e) clusters->leaf_of_edge[e] = WEFT__NONE;
  for (uint32_t f = 0; f < mesh->face_count; ++f) clusters->slot_of_face[f] = WEFT__NONE;
  list_faces(clusters, mesh, faces, materials);
  write_points(clusters);
  // a cluster for each other particle that collides with faces
  for (uint32_t i = 0; i < particle_count && clusters->slot_count > 0; ++i) {
    if (materials->of[i] == 0 || clusters->leaf_of_vertex[i] != WEFT__NONE) continue;
    clusters->size[clusters->cluster_count++] = clusters->min_size;
    (void)add_corner(clusters, i);
    end_leaf(clusters);
  }
}
