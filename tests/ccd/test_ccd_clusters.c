/* Clusters of faces: lists of faces, members and edges. */
#include "modules/ccd/kernels.h"
#include "support/random_laid.h"
#include "support/test.h"

static weft__range leaf_range(const uint32_t* first, uint32_t leaf) {
  return (weft__range){first[leaf], first[leaf + 1]};
}

static weft__range leaf_faces(const weft__ccd_clusters* clusters, uint32_t leaf) {
  const uint32_t first = leaf * WEFT__LEAF_FACES;
  const uint32_t end = first + WEFT__LEAF_FACES;
  const uint32_t cluster_end = weft__cluster_faces(clusters, leaf / 4).end;
  if (first >= cluster_end) return (weft__range){0, 0};
  return (weft__range){first, end < cluster_end ? end : cluster_end};
}

static uint32_t* new_counts(uint32_t count) {
  uint32_t* made = test_alloc(((size_t)count + 1) * sizeof(*made));
  require(made != NULL);
  return made;
}

// Two layers, closer than the particles of each, as pieces of one mesh.
TEST(layers_that_lie_on_each_other_share_no_cluster) {
  random_source random = {7};
  mesh_shape shape = new_lattice(&random, 24, 13, SPACING);
  mesh_shape other = new_lattice(&random, 24, 13, SPACING);
  const uint32_t lower_count = shape.face_count;
  add_shape(&shape, &other, (float[3]){0.0f, 0.3f * SPACING, 0.0f});
  laid* l = new_laid(&shape, NULL);
  uint32_t shared = 0;
  for (uint32_t c = 0; c < l->clusters.face_cluster_count; ++c) {
    const weft__range faces = weft__cluster_faces(&l->clusters, c);
    uint32_t lower = 0;
    for (uint32_t f = faces.begin; f < faces.end; ++f) lower += l->clusters.face[f] < lower_count;
    if (lower != 0 && lower != faces.end - faces.begin) ++shared;
  }
  require(shared == 0);
}

static bool is_exact(const mesh_shape* shape, const uint32_t* kinds, uint32_t f) {
  const uint32_t* corner = shape->face[f];
  return kinds[corner[0]] == LAID_EXACT && kinds[corner[1]] == LAID_EXACT &&
         kinds[corner[2]] == LAID_EXACT;
}

static void check_faces(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                        const laid* l) {
  (void)random;
  uint32_t* ordered = new_counts(shape->face_count);
  uint32_t* listed = new_counts(shape->face_count);
  for (uint32_t f = 0; f < shape->face_count; ++f) {
    require(l->web.order[f] < shape->face_count);
    ++ordered[l->web.order[f]];
  }
  uint32_t count = 0;
  for (uint32_t b = 0; b < l->clusters.cluster_count; ++b) {
    const weft__range range = weft__cluster_faces(&l->clusters, b);
    for (uint32_t f = range.begin; f < range.end; ++f, ++count) ++listed[l->clusters.face[f]];
    const weft__range leaves = weft__cluster_leaves(&l->clusters, b);
    uint32_t in_leaves = 0;
    for (uint32_t q = leaves.begin; q < leaves.end && range.end > 0; ++q) {
      const weft__range faces = leaf_faces(&l->clusters, q);
      in_leaves += faces.end - faces.begin;
    }
    require(in_leaves == range.end - range.begin);
  }
  require(count <= l->clusters.slot_count);
  for (uint32_t f = 0; f < shape->face_count; ++f) {
    require(ordered[f] == 1);
    require(listed[f] == (is_exact(shape, kinds, f) ? 1 : 0));
    const uint32_t place = l->clusters.slot_of_face[f];
    require(listed[f] == 1 ? l->clusters.face[place] == f : place == WEFT__NONE);
  }
}

TEST(faces_are_ordered_and_each_ccd_face_is_in_one_cluster) {
  check_random_laid(check_faces, ROUNDS(400, 20), 1);
}

static bool has_corner(const laid* l, uint32_t cluster, uint32_t particle) {
  const weft__range faces = weft__cluster_faces(&l->clusters, cluster);
  for (uint32_t f = faces.begin; f < faces.end; ++f) {
    const uint32_t* corner = l->faces.corner[l->clusters.face[f]];
    if (corner[0] == particle || corner[1] == particle || corner[2] == particle) return true;
  }
  return false;
}

// members are vertices of the cluster's faces; only the last member may repeat, as padding
static void check_cluster(const laid* l, uint32_t cluster) {
  const weft__ccd_clusters* b = &l->clusters;
  const weft__range members = weft__cluster_members(b, cluster);
  const bool has_faces = cluster < b->face_cluster_count;
  require(members.begin % 4 == 0 && members.end % 4 == 0 && members.end > members.begin);
  require(members.end - members.begin <= WEFT__CLUSTER_FEATURES);
  for (uint32_t m = members.begin; m < members.end; ++m) {
    if (has_faces) require(has_corner(l, cluster, b->member[m]));
    for (uint32_t n = m + 1; n < members.end; ++n) {
      if (b->member[n] == b->member[m]) require(b->member[members.end - 1] == b->member[m]);
    }
  }
  const weft__range faces = weft__cluster_faces(b, cluster);
  for (uint32_t f = faces.begin; f < faces.end; ++f) {
    for (int k = 0; k < 3; ++k) {
      const uint32_t m = members.begin + b->corner[f][k];
      require(m < members.end);
      require(b->member[m] == l->faces.corner[b->face[f]][k]);
    }
  }
}

// of the cluster of a leaf
static uint32_t first_member_around(const weft__ccd_clusters* b, uint32_t leaf) {
  return weft__cluster_members(b, weft__cluster_of_leaf(b, leaf)).begin;
}

static void check_members(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                          const laid* l) {
  (void)random;
  const weft__ccd_clusters* b = &l->clusters;
  uint32_t* vertices = new_counts(shape->vertex_count);
  for (uint32_t c = 0; c < b->cluster_count; ++c) check_cluster(l, c);
  for (uint32_t q = 0; q < b->leaf_count; ++q) {
    const bool has_faces = q < 4 * b->face_cluster_count;
    const weft__range range = leaf_range(b->first_vertex, q);
    if (!has_faces) require(range.end == range.begin + 1);
    for (uint32_t v = range.begin; v < range.end; ++v) {
      ++vertices[b->vertex[v]];
      require(b->leaf_of_vertex[b->vertex[v]] == q);
      require(b->member[first_member_around(b, q) + b->vertex_member[v]] == b->vertex[v]);
    }
  }
  for (uint32_t i = 0; i < shape->vertex_count; ++i) {
    require(vertices[i] == (kinds[i] != LAID_NONE && b->slot_count > 0 ? 1 : 0));
  }
}

TEST(each_particle_that_collides_with_faces_is_in_one_leaf) {
  check_random_laid(check_members, ROUNDS(400, 20), 2);
}

static void check_edges(random_source* random, const mesh_shape* shape, const uint32_t* kinds,
                        const laid* l) {
  (void)random;
  const weft__ccd_clusters* b = &l->clusters;
  uint32_t* listed = new_counts(l->web.edge_count);
  uint32_t* wanted = new_counts(l->web.edge_count);
  for (uint32_t q = 0; q < b->leaf_count; ++q) {
    const weft__range range = leaf_range(b->first_edge, q);
    for (uint32_t e = range.begin; e < range.end; ++e) {
      ++listed[b->edge[e]];
      for (int k = 0; k < 2; ++k) {
        const uint32_t m = first_member_around(b, q) + b->edge_member[e][k];
        require(b->member[m] == l->web.end[b->edge[e]][k]);
      }
    }
  }
  for (uint32_t f = 0; f < shape->face_count; ++f) {
    for (int k = 0; k < 3; ++k) {
      const uint32_t edge = l->web.edge_of[f][k];
      const uint32_t* end = l->web.end[edge];
      const uint32_t from = shape->face[f][k];
      const uint32_t to = shape->face[f][(k + 1) % 3];
      require((end[0] == from && end[1] == to) || (end[0] == to && end[1] == from));
      require(l->web.side[edge][0] == f || l->web.side[edge][1] == f);
      if (is_exact(shape, kinds, f)) wanted[edge] = 1;
    }
  }
  for (uint32_t e = 0; e < l->web.edge_count; ++e) require(listed[e] == wanted[e]);
}

TEST(each_edge_of_a_ccd_face_is_in_one_leaf) {
  check_random_laid(check_edges, ROUNDS(400, 20), 3);
}
