/* Candidates: searches cluster pairs for feature pairs, vertex-face and edge-edge, by leaves, then
 * by moving AABBs of features, then by the bound on their distance, as most faces are much smaller
 * than their boxes. */
#include <math.h>

#include "base/min_max.h"
#include "collision/ccd/ccd_steps.h"
#include "collision/ccd/leaf_bounds.h"

// Validity of the pairs of folded cloth: in passes at the current rate of folding, and bounds on
// it, shares of the mean edge.
#define FOLD_LOOKAHEAD 4.0f
#define MIN_FOLD_SLACK 0.1f
#define MAX_FOLD_SLACK 0.4f

// Boxes of a cluster; those of features are built on first use.
typedef struct cluster_bounds {
  uint32_t cluster;
  weft__moving_aabb4 leaf_box; /* one a leaf */
  bool is_built[4];
  weft__leaf_bounds leaf[4];
} cluster_bounds;

typedef struct feature_search {
  const weft__step_context* step;
  weft__ccd* ccd;
  cluster_bounds own, other;
  weft__ccd_pair* candidate; /* scratch [WEFT__CLUSTER_MAX_PAIRS] */
  uint32_t count;
  uint64_t test_count;
  /* quantities of the cluster pair, metres */
  float size;
  float gap;    /* between features of radius 0 */
  float radius; /* largest collision radius */
  float slack;  /* beyond the gap: relative displacement for which pairs stay complete */
  float displacement;
} feature_search;

// ---- pairs ----

// tested first, as most candidates are neighbours
static bool share_particle(const weft__ccd* ccd, uint32_t a, uint32_t b) {
  if ((a & WEFT__EDGE_EDGE_PAIR) == 0) {
    const uint32_t* corner = ccd->faces->corner[b];
    return corner[0] == a || corner[1] == a || corner[2] == a;
  }
  const uint32_t* end = ccd->mesh.end[a & ~WEFT__EDGE_EDGE_PAIR];
  const uint32_t* other = ccd->mesh.end[b];
  return end[0] == other[0] || end[0] == other[1] || end[1] == other[0] || end[1] == other[1];
}

// True if the collision filters of any particles of the two sides allow contact.
static bool filters_allow(const weft__ccd_pair_motion* motion, const weft__materials* materials) {
  for (int a = 0; a < motion->toi.first_count; ++a) {
    for (int b = motion->toi.first_count; b < 4; ++b) {
      if (weft__surfaces_collide(&weft__material_of(materials, motion->particle[a])->surface,
                                 &weft__material_of(materials, motion->particle[b])->surface)) {
        return true;
      }
    }
  }
  return false;
}

static void test_candidate(feature_search* search, uint32_t a, uint32_t b) {
  if (share_particle(search->ccd, a, b)) return;
  weft__cluster_pair_list* list = &search->ccd->pair_list[search->own.cluster];
  if (weft__ccd_is_over_budget(list)) return;
  ++list->test_count;
  ++search->test_count;
  const weft__ccd_pair pair = {.a = a, .b = b};
  const weft__ccd_pair_motion motion =
      weft__ccd_pair_motion_of(search->ccd, search->step, &pair, search->size);
  const weft__toi_closest near = weft__toi_closest_points(&motion.toi, 0.0);
  const double slack = weft__toi_bound(&motion.toi, near.normal, 0.0) - (double)motion.gap;
  if (slack > (double)search->slack || !filters_allow(&motion, search->step->materials) ||
      weft__ccd_pair_is_torn(search->ccd, search->step, &pair)) {
    return;
  }
  search->candidate[search->count++] =
      (weft__ccd_pair){a, b, search->displacement + (float)slack * 0.999f};
}

// ---- boxes ----

static void begin_cluster(const weft__ccd* ccd, cluster_bounds* boxes, uint32_t cluster) {
  boxes->cluster = cluster;
  for (int n = 0; n < 4; ++n) boxes->is_built[n] = false;
  const weft__range leaves = weft__cluster_leaves(&ccd->clusters, cluster);
  for (uint32_t q = leaves.begin; q < leaves.end; ++q) {
    const weft__range members = weft__leaf_range(ccd->clusters.first_member, q);
    const weft__moving_aabb box = members.begin == members.end
                                      ? weft__empty_moving_aabb()
                                      : weft__ccd_positions_aabb(&ccd->positions, members);
    weft__moving_aabb4_set(&boxes->leaf_box, q - leaves.begin, &box);
  }
}

static const weft__leaf_bounds* leaf_bounds_of(const feature_search* search, cluster_bounds* boxes,
                                               uint32_t n) {
  if (!boxes->is_built[n]) {
    const weft__range leaves = weft__cluster_leaves(&search->ccd->clusters, boxes->cluster);
    weft__leaf_bounds_build(&boxes->leaf[n], &search->ccd->clusters, &search->ccd->positions,
                            leaves.begin + n);
    boxes->is_built[n] = true;
  }
  return &boxes->leaf[n];
}

static uint32_t low_bits(uint32_t count) {
  return (1u << count) - 1u;
}

// Bit mask of the boxes in `mask` that overlap `box` at some time.
static uint32_t overlapping_boxes(const weft__moving_aabb4* boxes, uint32_t mask,
                                  const weft__moving_aabb* box) {
  uint32_t near = weft__moving_aabb4_overlaps(boxes, box) & mask;
  uint32_t overlapping = 0;
  for (; near != 0; near &= near - 1) {
    const uint32_t n = (uint32_t)__builtin_ctz(near);
    const weft__moving_aabb other = weft__moving_aabb4_at(boxes, n);
    if (!weft__moving_aabbs_never_overlap(box, &other)) overlapping |= 1u << n;
  }
  return overlapping;
}

static void test_vertices(feature_search* search, const weft__leaf_bounds* vertex_leaf,
                          const weft__leaf_bounds* face_leaf) {
  const weft__ccd_clusters* clusters = &search->ccd->clusters;
  for (uint32_t v = 0; v < vertex_leaf->vertex_count && face_leaf->face_count > 0; ++v) {
    weft__moving_aabb box = weft__moving_aabb4_at(&vertex_leaf->vertices[v / 4], v % 4);
    weft__moving_aabb_inflate(&box, search->gap + search->radius + search->slack);
    uint32_t faces = overlapping_boxes(&face_leaf->faces, low_bits(face_leaf->face_count), &box);
    for (; faces != 0; faces &= faces - 1) {
      test_candidate(search, clusters->vertex[vertex_leaf->first_vertex + v],
                     clusters->face[face_leaf->first_face + (uint32_t)__builtin_ctz(faces)]);
    }
  }
}

static void test_edges(feature_search* search, const weft__leaf_bounds* a,
                       const weft__leaf_bounds* b) {
  const weft__ccd_clusters* clusters = &search->ccd->clusters;
  for (uint32_t e = 0; e < a->edge_count; ++e) {
    weft__moving_aabb box = weft__moving_aabb4_at(&a->edges[e / 4], e % 4);
    weft__moving_aabb_inflate(&box, search->gap + search->slack);
    for (uint32_t n = 0; 4 * n < b->edge_count; ++n) {
      uint32_t mask = b->edge_count - 4 * n < 4 ? low_bits(b->edge_count - 4 * n) : 0xfu;
      // within one leaf each pair is tested once
      if (a == b && 4 * n <= e) mask &= e - 4 * n < 4 ? ~low_bits(e - 4 * n + 1) : 0u;
      uint32_t edges = overlapping_boxes(&b->edges[n], mask, &box);
      for (; edges != 0; edges &= edges - 1) {
        const uint32_t other = 4 * n + (uint32_t)__builtin_ctz(edges);
        test_candidate(search, clusters->edge[a->first_edge + e] | WEFT__EDGE_EDGE_PAIR,
                       clusters->edge[b->first_edge + other]);
      }
    }
  }
}

// ---- leaves ----

// True if a region is certified flat and, if the pairs are to outlast this pass, for the whole
// slack. Slack is measured by displacements of the two clusters, so no other cluster may be in the
// region.
static bool region_is_flat(const feature_search* search, const weft__flat_region* region) {
  float slack;
  const weft__flatness* flatness = &search->ccd->flatness;
  if (search->radius > 0.0f ||
      !weft__flatness_certifies(flatness, &flatness->leaves, region, &slack))
    return false;
  if (search->slack == 0.0f) return true;
  for (uint32_t n = 0; n < region->count; ++n) {
    const uint32_t cluster = region->part[n] / 4;
    if (cluster != search->own.cluster && cluster != search->other.cluster) return false;
    if (!(slack > search->slack * flatness->leaves.rate[region->part[n]])) return false;
  }
  return true;
}

static bool leaves_are_separated(const feature_search* search, uint32_t a, uint32_t b) {
  const weft__ccd* ccd = search->ccd;
  const weft__flatness_level* level = &ccd->flatness.leaves;
  const weft__flat_region* region = weft__flatness_region(level, a, b);
  if (region != NULL) return region_is_flat(search, region);
  if (a == b) return false;
  const weft__range members[2] = {weft__leaf_range(ccd->clusters.first_member, a),
                                  weft__leaf_range(ccd->clusters.first_member, b)};
  float slack;
  return weft__ccd_find_separating_plane(&ccd->positions, members, &level->now[a], &level->now[b],
                                         1.01f * (search->gap + search->radius), &slack) &&
         slack > search->slack;
}

// Tests leaf `own_leaf` of the cluster, with bounds `box`, against all leaves of the other.
static void test_leaves(feature_search* search, uint32_t own_leaf, const weft__moving_aabb* box) {
  const bool is_single = search->own.cluster >= search->ccd->clusters.face_cluster_count;
  const bool is_same = search->own.cluster == search->other.cluster;
  uint32_t leaves = overlapping_boxes(&search->other.leaf_box, 0xfu, box);
  for (; leaves != 0; leaves &= leaves - 1) {
    const uint32_t other_leaf = (uint32_t)__builtin_ctz(leaves);
    if (is_same && other_leaf < own_leaf) continue;
    if (!is_single && leaves_are_separated(search, 4 * search->own.cluster + own_leaf,
                                           4 * search->other.cluster + other_leaf))
      continue;
    const weft__leaf_bounds* a = leaf_bounds_of(search, &search->own, own_leaf);
    const weft__leaf_bounds* b = is_same ? leaf_bounds_of(search, &search->own, other_leaf)
                                         : leaf_bounds_of(search, &search->other, other_leaf);
    test_vertices(search, a, b);
    if (is_single) continue;
    if (a != b) test_vertices(search, b, a);
    test_edges(search, a, b);
  }
}

static float close_slack(const feature_search* search) {
  return weft__ccd_slack(search->ccd, search->own.cluster) +
         weft__ccd_slack(search->ccd, search->other.cluster);
}

// Slack of folded cloth, metres; 0, for this pass alone, if it folds so fast that pairs would soon
// expire.
static float folded_slack(const feature_search* search) {
  const float* rate = search->ccd->pass_relative;
  const float slack = FOLD_LOOKAHEAD * (rate[search->own.cluster] + rate[search->other.cluster]);
  if (!(slack <= MAX_FOLD_SLACK * search->size)) return 0.0f;
  return weft__maxf(slack, MIN_FOLD_SLACK * search->size);
}

static void search_cluster_pair(feature_search* search, weft__cluster_pair* cluster_pair) {
  weft__ccd* ccd = search->ccd;
  const uint32_t cluster = search->own.cluster;
  begin_cluster(ccd, &search->other, cluster_pair->other);
  search->count = 0;
  search->size = weft__minf(ccd->clusters.size[cluster], ccd->clusters.size[cluster_pair->other]);
  search->gap = WEFT__CCD_GAP * search->size;
  search->radius =
      weft__maxf(weft__ccd_cluster_radius(ccd, search->step->materials, cluster),
                 weft__ccd_cluster_radius(ccd, search->step->materials, cluster_pair->other));
  search->slack =
      cluster_pair->kind == WEFT__CLUSTERS_FOLDED ? folded_slack(search) : close_slack(search);
  search->displacement = weft__ccd_displacement_of(ccd, cluster, cluster_pair);
  const weft__range leaves = weft__cluster_leaves(&ccd->clusters, cluster);
  for (uint32_t n = 0; n < leaves.end - leaves.begin; ++n) {
    weft__moving_aabb box = weft__moving_aabb4_at(&search->own.leaf_box, n);
    if (box.side[0] > box.side[3]) continue;
    weft__moving_aabb_inflate(&box, search->gap + search->radius + search->slack);
    test_leaves(search, n, &box);
  }
  if (weft__ccd_is_over_budget(&ccd->pair_list[cluster])) return;
  weft__ccd_pairs_fill(&ccd->pairs, &ccd->pair_list[cluster], cluster_pair, search->candidate,
                       search->count);
  cluster_pair->pairs_valid_until = search->displacement + 0.999f * search->slack;
  cluster_pair->needs_pairs = false;
}

typedef struct candidate_job {
  weft__ccd* ccd;
  const weft__step_context* step;
  _Atomic uint64_t test_count;
} candidate_job;

static void search_cluster(feature_search* search, uint32_t cluster) {
  weft__ccd* ccd = search->ccd;
  weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  begin_cluster(ccd, &search->own, cluster);
  list->needs_pairs = false;
  const weft__cluster_pairs cluster_pairs = weft__cluster_pairs_of(&ccd->pairs, list);
  for (weft__cluster_pair* cluster_pair = cluster_pairs.begin; cluster_pair < cluster_pairs.end;
       ++cluster_pair) {
    if (!cluster_pair->needs_pairs || !weft__cluster_pair_is_current(ccd, cluster_pair)) continue;
    if (!weft__cluster_pair_is_in_zone(ccd, cluster, cluster_pair) &&
        !weft__ccd_is_over_budget(list)) {
      search_cluster_pair(search, cluster_pair);
    }
    list->needs_pairs |= cluster_pair->needs_pairs;
  }
}

static void search_octets(void* context, weft__range octets, uint32_t worker) {
  candidate_job* job = context;
  weft__ccd* ccd = job->ccd;
  // boxes are filled in cluster by cluster
  feature_search search;
  search.step = job->step;
  search.ccd = ccd;
  search.candidate = ccd->candidate + (size_t)worker * WEFT__CLUSTER_MAX_PAIRS;
  search.test_count = 0;
  const weft__range clusters = weft__ccd_clusters_of(ccd, octets);
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
    if (ccd->pair_list[c].needs_pairs && !ccd->pair_list[c].is_dropped) search_cluster(&search, c);
  }
  weft__ccd_add(&job->test_count, search.test_count);
}

void weft__ccd_find_candidates(weft__ccd* ccd, const weft__step_context* step) {
  candidate_job job = {.ccd = ccd, .step = step};
  weft__step_for(step, weft__ccd_octet_count(ccd), WEFT__CCD_SEARCH_GRAIN, search_octets, &job);
  ccd->test_count += job.test_count;
}
