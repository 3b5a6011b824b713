/* Search for crossings: edges against faces of the cluster pairs that CCD has listed. All workers
 * count the crossings of their clusters, and list them in a second pass at the prefix sums of the
 * counts. Where each cluster is near all others, crossings grow as the square of the faces: so each
 * cluster has a number of tests, and a share of the list. */
#include "base/min_max.h"
#include "modules/ccd/ccd_steps.h"

// Tests of an edge and a face in a search, at most about so many a cluster: ten times all pairs of
// two clusters.
#define MAX_TESTS 4096u
// Tests that take the time of loading a cluster.
#define LOADING_TESTS 16u

typedef struct crossing_search {
  weft__ccd* ccd;
  const weft__step_context* step;
  bool is_listing;         // else crossings of clusters are counted
  _Atomic uint64_t tests;  // relaxed: read after the loop
} crossing_search;

// Crossings of one cluster.
typedef struct crossing_list {
  weft__ccd_crossing* crossing;  // NULL: they are counted
  uint32_t count, capacity;
  uint32_t test_count;
} crossing_list;

// True once no more can be found.
static bool is_finished(const crossing_list* list) {
  return list->test_count >= MAX_TESTS || (list->crossing != NULL && list->count >= list->capacity);
}

// Positions of a cluster, with AABBs.
typedef struct cluster_boxes {
  float at[WEFT__CLUSTER_FEATURES][3];
  weft__aabb edge[WEFT__CLUSTER_FEATURES];
  float face[6][WEFT__CLUSTER_FACES];  // lower xyz, upper xyz
  weft__range edges, faces;            // in the columns of clusters
} cluster_boxes;

static void bound_octets(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  const weft__ccd* ccd = context;
  const weft__range clusters = weft__ccd_clusters_of(ccd, octets);
  for (uint32_t c = clusters.begin; c < clusters.end && c < ccd->clusters.face_cluster_count; ++c) {
    const weft__range members = weft__cluster_members(&ccd->clusters, c);
    weft__aabb box = weft__aabb_empty();
    for (uint32_t m = members.begin; m < members.end; ++m) {
      const uint32_t i = ccd->clusters.member[m];
      weft__aabb_add_point(&box, (float[3]){ccd->start[0][i], ccd->start[1][i], ccd->start[2][i]});
    }
    ccd->tangles.box[c] = box;
  }
}

static void load_cluster(const weft__ccd* ccd, uint32_t cluster, cluster_boxes* boxes) {
  const weft__ccd_clusters* clusters = &ccd->clusters;
  const weft__range members = weft__cluster_members(clusters, cluster);
  for (uint32_t m = members.begin; m < members.end; ++m) {
    for (int axis = 0; axis < 3; ++axis) {
      boxes->at[m - members.begin][axis] = ccd->start[axis][clusters->member[m]];
    }
  }
  boxes->edges = weft__cluster_range(clusters, clusters->first_edge, cluster);
  boxes->faces = weft__cluster_faces(clusters, cluster);
  for (uint32_t e = boxes->edges.begin; e < boxes->edges.end; ++e) {
    weft__aabb* box = &boxes->edge[e - boxes->edges.begin];
    *box = weft__aabb_empty();
    for (int k = 0; k < 2; ++k) weft__aabb_add_point(box, boxes->at[clusters->edge_member[e][k]]);
  }
  for (uint32_t f = boxes->faces.begin; f < boxes->faces.end; ++f) {
    weft__aabb box = weft__aabb_empty();
    for (int k = 0; k < 3; ++k) weft__aabb_add_point(&box, boxes->at[clusters->corner[f][k]]);
    for (int axis = 0; axis < 3; ++axis) {
      boxes->face[axis][f - boxes->faces.begin] = box.lower[axis];
      boxes->face[axis + 3][f - boxes->faces.begin] = box.upper[axis];
    }
  }
}

// Bit mask of the faces of a cluster whose boxes overlap another.
static uint32_t faces_near(const cluster_boxes* boxes, const weft__aabb* box) {
  uint32_t apart = 0;
  for (uint32_t n = 0; n < WEFT__CLUSTER_FACES; n += WIDE_LANES) {
    wide_mask lanes = {0};
    for (int axis = 0; axis < 3; ++axis) {
      lanes |= wide_load(boxes->face[axis] + n) > box->upper[axis];
      lanes |= wide_load(boxes->face[axis + 3] + n) < box->lower[axis];
    }
    apart |= wide_to_mask(lanes) << n;
  }
  return ~apart & ((1u << (boxes->faces.end - boxes->faces.begin)) - 1);
}

static void mark_crossed(const weft__ccd* ccd, uint32_t edge, uint32_t face) {
  _Atomic uint8_t* is_crossed = ccd->tangles.is_crossed;
  // relaxed: all workers store 1, and it is read after the loop
  for (int k = 0; k < 2; ++k)
    atomic_store_explicit(&is_crossed[ccd->mesh.end[edge][k]], 1, memory_order_relaxed);
  for (int k = 0; k < 3; ++k)
    atomic_store_explicit(&is_crossed[ccd->faces->corner[face][k]], 1, memory_order_relaxed);
}

// Edges of one cluster against the faces of another, in the box that is common to both clusters.
static void cross_clusters(const crossing_search* search, const cluster_boxes* a,
                           const cluster_boxes* b, const weft__aabb* common, crossing_list* list) {
  const weft__ccd* ccd = search->ccd;
  const uint32_t near_common = faces_near(b, common);
  for (uint32_t e = 0; near_common != 0 && e < a->edges.end - a->edges.begin; ++e) {
    if (is_finished(list)) return;
    if (!weft__aabb_overlaps(&a->edge[e], common)) continue;
    const uint32_t edge = ccd->clusters.edge[a->edges.begin + e];
    uint32_t near = near_common & faces_near(b, &a->edge[e]);
    list->test_count += (uint32_t)__builtin_popcount(near);
    for (; near != 0; near &= near - 1) {
      const uint32_t face = ccd->clusters.face[b->faces.begin + (uint32_t)__builtin_ctz(near)];
      if (!weft__ccd_edge_crosses_face(ccd, search->step, ccd->start, ccd->mesh.end[edge], face) ||
          weft__face_is_torn(ccd->faces, search->step->schedule, face) ||
          weft__ccd_edge_is_torn(ccd, search->step, edge)) {
        continue;
      }
      if (list->crossing == NULL) {
        mark_crossed(ccd, edge, face);
      } else if (list->count < list->capacity) {
        list->crossing[list->count] = (weft__ccd_crossing){edge, face};
      }
      ++list->count;
    }
  }
}

static weft__aabb intersection(const weft__aabb* a, const weft__aabb* b) {
  weft__aabb common;
  for (int axis = 0; axis < 3; ++axis) {
    common.lower[axis] = weft__maxf(a->lower[axis], b->lower[axis]);
    common.upper[axis] = weft__minf(a->upper[axis], b->upper[axis]);
  }
  return common;
}

static void search_cluster(const crossing_search* search, uint32_t cluster, crossing_list* list) {
  const weft__ccd* ccd = search->ccd;
  const weft__aabb* box = ccd->tangles.box;
  if (cluster >= ccd->clusters.face_cluster_count) return;
  const weft__cluster_pairs pairs = weft__cluster_pairs_of(&ccd->pairs, &ccd->pair_list[cluster]);
  // lanes beyond the last face are read, and masked
  cluster_boxes own = {.faces = {0, 0}};
  cluster_boxes other = {.faces = {0, 0}};
  bool is_loaded = false;
  for (const weft__cluster_pair* pair = pairs.begin; pair < pairs.end && !is_finished(list);
       ++pair) {
    // flat and separated clusters do not cross, and a particle crosses nothing
    if (pair->kind != WEFT__CLUSTERS_FOLDED && pair->kind != WEFT__CLUSTERS_CLOSE) continue;
    if (!weft__cluster_pair_is_current(ccd, pair)) continue;
    if (!weft__ccd_filters_allow(ccd, search->step, cluster, pair->other)) continue;
    if (!weft__aabb_overlaps(&box[cluster], &box[pair->other])) continue;
    if (!is_loaded) load_cluster(ccd, cluster, &own);
    is_loaded = true;
    if (pair->other == cluster) {
      cross_clusters(search, &own, &own, &box[cluster], list);
      continue;
    }
    load_cluster(ccd, pair->other, &other);
    list->test_count += LOADING_TESTS;
    const weft__aabb common = intersection(&box[cluster], &box[pair->other]);
    cross_clusters(search, &own, &other, &common, list);
    cross_clusters(search, &other, &own, &common, list);
  }
}

static void search_octets(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  crossing_search* search = context;
  const weft__ccd* ccd = search->ccd;
  uint64_t tests = 0;
  const weft__ccd_tangles* t = &ccd->tangles;
  const weft__range clusters = weft__ccd_clusters_of(ccd, octets);
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
    crossing_list list = {.crossing = NULL};
    if (search->is_listing) {
      if (t->first[c + 1] == t->first[c]) continue;
      list.crossing = t->crossing + t->first[c];
      list.capacity = t->first[c + 1] - t->first[c];
    }
    search_cluster(search, c, &list);
    if (!search->is_listing) t->first[c] = list.count;
    tests += list.test_count;
  }
  weft__ccd_add(&search->tests, tests);
}

// Exclusive prefix sum over clusters; beyond the capacity each lists its share. Returns the sum.
static uint32_t sum_counts(weft__ccd* ccd) {
  weft__ccd_tangles* t = &ccd->tangles;
  const uint32_t cluster_count = ccd->clusters.cluster_count;
  uint64_t sum = 0;
  for (uint32_t c = 0; c < cluster_count; ++c) sum += t->first[c];
  const uint64_t listed = sum < t->capacity ? sum : t->capacity;
  uint64_t count = 0;
  for (uint32_t c = 0; c <= cluster_count; ++c) {
    const uint64_t before = count;
    if (c < cluster_count) count += t->first[c];
    t->first[c] = sum > 0 ? (uint32_t)(before * listed / sum) : 0;
  }
  t->listed = (uint32_t)listed;
  return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

uint32_t weft__ccd_list_crossings(weft__ccd* ccd, const weft__step_context* step) {
  crossing_search search = {.ccd = ccd, .step = step};
  const uint32_t octets = weft__ccd_octet_count(ccd);
  for (uint32_t i = 0; i < ccd->particle_count; ++i)
    atomic_store_explicit(&ccd->tangles.is_crossed[i], 0, memory_order_relaxed);
  weft__step_for(step, octets, WEFT__CCD_UPDATE_GRAIN, bound_octets, ccd);
  weft__step_for(step, octets, WEFT__CCD_SEARCH_GRAIN, search_octets, &search);
  const uint32_t count = sum_counts(ccd);
  search.is_listing = true;
  if (count > 0) weft__step_for(step, octets, WEFT__CCD_SEARCH_GRAIN, search_octets, &search);
  weft__step_spend(step, WEFT__CCD_TEST_WORK * search.tests);
  return count;
}
