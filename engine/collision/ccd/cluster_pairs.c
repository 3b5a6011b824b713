/* Candidates: searches cluster pairs for feature pairs, vertex-face and edge-edge, by leaves, then
 * by moving AABBs of features, then by the bound on their distance, as most faces are much smaller
 * than their boxes. */
#include <math.h>

#include "collision/ccd/candidates.h"
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
  const weft__contact_stage* stage;
  weft__ccd* ccd;
  cluster_bounds own, other;
  weft__ccd_pair* candidate; /* scratch [WEFT__CLUSTER_MAX_PAIRS] */
  uint32_t count;
  uint64_t test_count;
  /* of the cluster pair, metres */
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
static bool filters_allow(const weft__ccd_pair_motion* c, const weft__materials* materials) {
  for (int a = 0; a < c->toi.first_count; ++a) {
    for (int b = c->toi.first_count; b < 4; ++b) {
      if (weft__surfaces_meet(&weft__material_of(materials, c->particle[a])->surface,
                              &weft__material_of(materials, c->particle[b])->surface)) {
        return true;
      }
    }
  }
  return false;
}

static void test_candidate(feature_search* s, uint32_t a, uint32_t b) {
  if (share_particle(s->ccd, a, b)) return;
  weft__cluster_pair_list* list = &s->ccd->pair_list[s->own.cluster];
  if (weft__ccd_is_over_budget(list)) return;
  ++list->test_count;
  ++s->test_count;
  const weft__ccd_pair pair = {.a = a, .b = b};
  const weft__ccd_pair_motion c = weft__ccd_pair_motion_of(s->ccd, s->stage, &pair, s->size);
  const weft__nearness near = weft__toi_nearness(&c.toi, 0.0);
  const double room = weft__toi_bound(&c.toi, near.normal, 0.0) - (double)c.gap;
  if (room > (double)s->slack || !filters_allow(&c, s->stage->materials) ||
      weft__ccd_pair_is_torn(s->ccd, s->stage, &pair)) {
    return;
  }
  s->candidate[s->count++] = (weft__ccd_pair){a, b, s->displacement + (float)room * 0.999f};
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
                                      : weft__ccd_positions_box(&ccd->positions, members);
    weft__moving_aabb4_set(&boxes->leaf_box, q - leaves.begin, &box);
  }
}

static const weft__leaf_bounds* leaf_bounds_of(const feature_search* s, cluster_bounds* boxes,
                                               uint32_t n) {
  if (!boxes->is_built[n]) {
    const weft__range leaves = weft__cluster_leaves(&s->ccd->clusters, boxes->cluster);
    weft__leaf_bounds_make(&boxes->leaf[n], &s->ccd->clusters, &s->ccd->positions,
                           leaves.begin + n);
    boxes->is_built[n] = true;
  }
  return &boxes->leaf[n];
}

static uint32_t low_bits(uint32_t count) {
  return (1u << count) - 1u;
}

// Bit mask of the boxes among `among` that overlap `box` at some time.
static uint32_t overlapping_boxes(const weft__moving_aabb4* fours, uint32_t among,
                                  const weft__moving_aabb* box) {
  uint32_t near = weft__moving_aabb4_overlaps(fours, box) & among;
  uint32_t overlapping = 0;
  for (; near != 0; near &= near - 1) {
    const uint32_t n = (uint32_t)__builtin_ctz(near);
    const weft__moving_aabb other = weft__moving_four_at(fours, n);
    if (!weft__moving_aabbs_never_overlap(box, &other)) overlapping |= 1u << n;
  }
  return overlapping;
}

static void test_vertices(feature_search* s, const weft__leaf_bounds* of,
                          const weft__leaf_bounds* with) {
  const weft__ccd_clusters* clusters = &s->ccd->clusters;
  for (uint32_t v = 0; v < of->vertex_count && with->face_count > 0; ++v) {
    weft__moving_aabb box = weft__moving_four_at(&of->vertices[v / 4], v % 4);
    weft__moving_aabb_inflate(&box, s->gap + s->radius + s->slack);
    uint32_t faces = overlapping_boxes(&with->faces, low_bits(with->face_count), &box);
    for (; faces != 0; faces &= faces - 1) {
      test_candidate(s, clusters->vertex[of->first_vertex + v],
                     clusters->face[with->first_face + (uint32_t)__builtin_ctz(faces)]);
    }
  }
}

static void test_edges(feature_search* s, const weft__leaf_bounds* of,
                       const weft__leaf_bounds* with) {
  const weft__ccd_clusters* clusters = &s->ccd->clusters;
  for (uint32_t e = 0; e < of->edge_count; ++e) {
    weft__moving_aabb box = weft__moving_four_at(&of->edges[e / 4], e % 4);
    weft__moving_aabb_inflate(&box, s->gap + s->slack);
    for (uint32_t n = 0; 4 * n < with->edge_count; ++n) {
      uint32_t among = with->edge_count - 4 * n < 4 ? low_bits(with->edge_count - 4 * n) : 0xfu;
      // within one leaf each pair is tested once
      if (of == with && 4 * n <= e) among &= e - 4 * n < 4 ? ~low_bits(e - 4 * n + 1) : 0u;
      uint32_t edges = overlapping_boxes(&with->edges[n], among, &box);
      for (; edges != 0; edges &= edges - 1) {
        const uint32_t other = 4 * n + (uint32_t)__builtin_ctz(edges);
        test_candidate(s, clusters->edge[of->first_edge + e] | WEFT__EDGE_EDGE_PAIR,
                       clusters->edge[with->first_edge + other]);
      }
    }
  }
}

// ---- quarters ----

// True if a region is certified flat and, if the pairs are to outlast this pass, for the whole
// slack. Slack is measured by displacements of the two clusters, so no other cluster may be in the
// region.
static bool region_is_flat(const feature_search* s, const weft__flat_region* region) {
  float slack;
  const weft__flatness* flatness = &s->ccd->flatness;
  if (s->radius > 0.0f || !weft__flat_holds(flatness, &flatness->quarters, region, &slack))
    return false;
  if (s->slack == 0.0f) return true;
  for (uint32_t n = 0; n < region->count; ++n) {
    const uint32_t cluster = region->part[n] / 4;
    if (cluster != s->own.cluster && cluster != s->other.cluster) return false;
    if (!(slack > s->slack * flatness->quarters.rate[region->part[n]])) return false;
  }
  return true;
}

static bool leaves_are_separated(const feature_search* s, uint32_t a, uint32_t b) {
  const weft__ccd* ccd = s->ccd;
  const weft__flatness_level* flatness = &ccd->flatness.quarters;
  const weft__flat_region* region = weft__flatness_region(flatness, a, b);
  if (region != NULL) return region_is_flat(s, region);
  if (a == b) return false;
  const weft__range members[2] = {weft__leaf_range(ccd->clusters.first_member, a),
                                  weft__leaf_range(ccd->clusters.first_member, b)};
  float room;
  return weft__ccd_find_separating_plane(&ccd->positions, members, &flatness->now[a],
                                         &flatness->now[b], 1.01f * (s->gap + s->radius), &room) &&
         room > s->slack;
}

// Tests leaf `of` of the cluster, with bounds `box`, against all leaves of the other.
static void test_leaves(feature_search* s, uint32_t of, const weft__moving_aabb* box) {
  const bool is_single = s->own.cluster >= s->ccd->clusters.face_block_count;
  const bool is_same = s->own.cluster == s->other.cluster;
  uint32_t leaves = overlapping_boxes(&s->other.leaf_box, 0xfu, box);
  for (; leaves != 0; leaves &= leaves - 1) {
    const uint32_t with = (uint32_t)__builtin_ctz(leaves);
    if (is_same && with < of) continue;
    if (!is_single && leaves_are_separated(s, 4 * s->own.cluster + of, 4 * s->other.cluster + with))
      continue;
    const weft__leaf_bounds* a = leaf_bounds_of(s, &s->own, of);
    const weft__leaf_bounds* b =
        is_same ? leaf_bounds_of(s, &s->own, with) : leaf_bounds_of(s, &s->other, with);
    test_vertices(s, a, b);
    if (is_single) continue;
    if (a != b) test_vertices(s, b, a);
    test_edges(s, a, b);
  }
}

static float largest_radius(const feature_search* s, uint32_t cluster) {
  const weft__range members = weft__cluster_members(&s->ccd->clusters, cluster);
  float radius = 0.0f;
  for (uint32_t m = members.begin; m < members.end && s->ccd->has_radius[cluster]; ++m) {
    const uint32_t i = s->ccd->clusters.member[m];
    radius = fmaxf(radius, weft__ccd_radius(weft__material_of(s->stage->materials, i)));
  }
  return radius;
}

static float close_slack(const feature_search* s) {
  return weft__ccd_slack(s->ccd, s->own.cluster) + weft__ccd_slack(s->ccd, s->other.cluster);
}

// Slack of folded cloth, metres; 0, for this pass alone, if it folds so fast that pairs would soon
// expire.
static float folded_slack(const feature_search* s) {
  const float* way = s->ccd->pass_relative;
  const float soon = FOLD_LOOKAHEAD * (way[s->own.cluster] + way[s->other.cluster]);
  if (!(soon <= MAX_FOLD_SLACK * s->size)) return 0.0f;
  return fmaxf(soon, MIN_FOLD_SLACK * s->size);
}

static void search_cluster_pair(feature_search* s, weft__cluster_pair* cluster_pair) {
  weft__ccd* ccd = s->ccd;
  const uint32_t cluster = s->own.cluster;
  begin_cluster(ccd, &s->other, cluster_pair->other);
  s->count = 0;
  s->size = fminf(ccd->clusters.size[cluster], ccd->clusters.size[cluster_pair->other]);
  s->gap = WEFT__CCD_GAP * s->size;
  s->radius = fmaxf(largest_radius(s, cluster), largest_radius(s, cluster_pair->other));
  s->slack = cluster_pair->kind == WEFT__CLUSTERS_FOLDED ? folded_slack(s) : close_slack(s);
  s->displacement = weft__ccd_displacement_of(ccd, cluster, cluster_pair);
  const weft__range leaves = weft__cluster_leaves(&ccd->clusters, cluster);
  for (uint32_t n = 0; n < leaves.end - leaves.begin; ++n) {
    weft__moving_aabb box = weft__moving_four_at(&s->own.leaf_box, n);
    if (box.side[0] > box.side[3]) continue;
    weft__moving_aabb_inflate(&box, s->gap + s->radius + s->slack);
    test_leaves(s, n, &box);
  }
  if (weft__ccd_is_over_budget(&ccd->pair_list[cluster])) return;
  weft__ccd_pairs_fill(&ccd->pairs, &ccd->pair_list[cluster], cluster_pair, s->candidate, s->count);
  cluster_pair->pairs_valid_until = s->displacement + 0.999f * s->slack;
  cluster_pair->needs_pairs = false;
}

void weft__ccd_find_candidates(weft__ccd* ccd, const weft__contact_stage* stage) {
  feature_search s = {
      .stage = stage,
      .ccd = ccd,
      .own.cluster = WEFT__NONE,
      .candidate = ccd->candidate + (size_t)stage->worker * WEFT__CLUSTER_MAX_PAIRS};
  for (uint32_t b = weft__ccd_first_cluster(stage); b < ccd->clusters.block_count;
       b = weft__ccd_next_cluster(stage, b)) {
    weft__cluster_pair_list* list = &ccd->pair_list[b];
    if (!list->needs_pairs || list->is_dropped) continue;
    list->needs_pairs = false;
    const weft__cluster_pairs cluster_pairs = weft__cluster_pairs_of(&ccd->pairs, list);
    for (weft__cluster_pair* cluster_pair = cluster_pairs.begin; cluster_pair < cluster_pairs.end;
         ++cluster_pair) {
      if (!cluster_pair->needs_pairs || !weft__cluster_pair_is_current(ccd, cluster_pair)) continue;
      if (s.own.cluster != b) begin_cluster(ccd, &s.own, b);
      if (!weft__cluster_pair_is_in_zone(ccd, b, cluster_pair) && !weft__ccd_is_over_budget(list)) {
        search_cluster_pair(&s, cluster_pair);
      }
      list->needs_pairs |= cluster_pair->needs_pairs;
    }
  }
  if (s.test_count > 0) {
    atomic_fetch_add_explicit(&ccd->tests, s.test_count, memory_order_relaxed);
  }
}
