/* Candidates: searches cluster pairs for feature pairs, vertex-face and edge-edge, by a kernel that
 * compares AABBs and planes, then by the bound on their distance in double precision. */
#include <math.h>

#include "base/min_max.h"
#include "modules/ccd/ccd_steps.h"
#include "modules/ccd/features.h"
#include "modules/ccd/kernels.h"
#include "tables/joints.h"

// Validity of the pairs of folded cloth: in passes at the current rate of folding, at most and at
// least, and bounds on it, shares of the mean edge. Cloth that folds faster has a small slack, for
// corrections of this pass.
#define MAX_FOLD_PASSES 4.0f
#define MIN_FOLD_PASSES 2.0f
#define MIN_FOLD_SLACK 0.1f
#define MAX_FOLD_SLACK 0.4f
#define CORRECTION_SLACK 0.05f
// Pairs of overlapping boxes that count as one pair test.
#define OVERLAPS_A_TEST 16u
// Parts of a large search.
#define PARTS 8u

typedef struct feature_search {
  const weft__step_context* step;
  weft__ccd* ccd;
  uint32_t cluster, other;
  weft__cluster_features own_features, other_features;
  weft__feature_search found;
  weft__ccd_pair* candidate; /* scratch [WEFT__CLUSTER_MAX_PAIRS] */
  uint32_t count;
  uint64_t test_count;
  /* quantities of the cluster pair, metres */
  float size;
  float gap;    /* between features of radius 0 */
  float radius; /* largest collision radius */
  float slack;  /* beyond the gap: relative displacement for which pairs stay complete */
  float displacement;
  bool filters_differ; /* some pairs may collide and others not */
} feature_search;

// ---- pairs ----

// True if the collision filters of any particles of the two sides allow contact.
static bool filters_allow(const uint32_t particle[4], int first_count,
                          const weft__materials* materials) {
  for (int a = 0; a < first_count; ++a) {
    for (int b = first_count; b < 4; ++b) {
      if (weft__surfaces_collide(&weft__material_of(materials, particle[a])->surface,
                                 &weft__material_of(materials, particle[b])->surface)) {
        return true;
      }
    }
  }
  return false;
}

// True if welds join the two sides.
static bool are_welded(const uint32_t particle[4], int first_count, const weft__joints* joints) {
  for (int a = 0; a < first_count; ++a) {
    for (int b = first_count; b < 4; ++b) {
      if (weft__joints_weld(joints, particle[a], particle[b])) return true;
    }
  }
  return false;
}

// True if filters or welds keep a pair from colliding, or a side of it is torn.
static bool is_excluded(const feature_search* search, const weft__ccd_pair* pair) {
  const weft__joints* joints = search->step->joints;
  if (search->filters_differ || joints->count > 0) {
    uint32_t particle[4];
    const int first_count = weft__ccd_pair_particles(search->ccd, pair, particle);
    if (search->filters_differ && !filters_allow(particle, first_count, search->step->materials))
      return true;
    if (joints->count > 0 && are_welded(particle, first_count, joints)) return true;
  }
  return search->ccd->any_torn && weft__ccd_pair_is_torn(search->ccd, search->step, pair);
}

// Adds a pair, `distance` metres apart at the least.
static void add_candidate(feature_search* search, uint32_t a, uint32_t b, float distance) {
  weft__cluster_pair_list* list = &search->ccd->pair_list[search->cluster];
  if (weft__ccd_is_over_budget(list)) return;
  ++list->test_count;
  ++search->test_count;
  const weft__ccd_pair pair = {.a = a, .b = b};
  float slack = distance - search->gap;
  if (search->radius > 0.0f && (a & WEFT__EDGE_EDGE_PAIR) == 0)
    slack -= weft__ccd_radius(weft__material_of(search->step->materials, a));
  if (slack > search->slack || is_excluded(search, &pair)) return;
  search->candidate[search->count++] =
      (weft__ccd_pair){a, b, search->displacement + 0.999f * slack};
}

static void add_found(feature_search* search, const weft__feature_pair* pair) {
  const weft__ccd_clusters* clusters = &search->ccd->clusters;
  const uint32_t a = weft__cluster_leaves(clusters, search->cluster).begin;
  const uint32_t b = weft__cluster_leaves(clusters, search->other).begin;
  switch (pair->kind) {
    case WEFT__PAIR_VERTEX_FACE:
      add_candidate(search, clusters->vertex[clusters->first_vertex[a] + pair->a],
                    clusters->face[search->other * WEFT__CLUSTER_FACES + pair->b], pair->distance);
      break;
    case WEFT__PAIR_FACE_VERTEX:
      add_candidate(search, clusters->vertex[clusters->first_vertex[b] + pair->a],
                    clusters->face[search->cluster * WEFT__CLUSTER_FACES + pair->b],
                    pair->distance);
      break;
    default:
      add_candidate(search,
                    clusters->edge[clusters->first_edge[a] + pair->a] | WEFT__EDGE_EDGE_PAIR,
                    clusters->edge[clusters->first_edge[b] + pair->b], pair->distance);
  }
}

// ---- clusters ----

static float close_slack(const feature_search* search) {
  return weft__ccd_slack(search->ccd, search->cluster) +
         weft__ccd_slack(search->ccd, search->other);
}

// Slack of folded cloth, metres. Rounds after the first move few particles, some of them again.
static float folded_slack(const feature_search* search) {
  const float* rate = search->ccd->pass_relative;
  const float a_pass = rate[search->cluster] + rate[search->other];
  const float lower = MIN_FOLD_SLACK * search->size;
  const float upper = MAX_FOLD_SLACK * search->size;
  if (MIN_FOLD_PASSES * a_pass <= upper)
    return weft__minf(weft__maxf(MAX_FOLD_PASSES * a_pass, lower), upper);
  return search->ccd->round > 0 ? lower : CORRECTION_SLACK * search->size;
}

bool weft__ccd_filters_allow(const weft__ccd* ccd, const weft__step_context* step, uint32_t cluster,
                             uint32_t other) {
  const uint32_t a = ccd->material[cluster];
  const uint32_t b = ccd->material[other];
  const weft__material* rows = step->materials->rows;
  return a == WEFT__NONE || b == WEFT__NONE ||
         weft__surfaces_collide(&rows[a].surface, &rows[b].surface);
}

static void search_cluster_pair(feature_search* search, weft__cluster_pair* cluster_pair) {
  weft__ccd* ccd = search->ccd;
  const uint32_t cluster = search->cluster;
  weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  search->other = cluster_pair->other;
  search->count = 0;
  search->size = weft__minf(ccd->clusters.size[cluster], ccd->clusters.size[cluster_pair->other]);
  search->gap = WEFT__CCD_GAP * search->size;
  search->radius =
      weft__maxf(weft__ccd_cluster_radius(ccd, search->step->materials, cluster),
                 weft__ccd_cluster_radius(ccd, search->step->materials, cluster_pair->other));
  search->slack =
      cluster_pair->kind == WEFT__CLUSTERS_FOLDED ? folded_slack(search) : close_slack(search);
  search->displacement = weft__ccd_displacement_of(ccd, cluster, cluster_pair);
  weft__feature_search* found = &search->found;
  found->cluster[1] = found->cluster[0] = &search->own_features;
  if (cluster_pair->other != cluster) {
    weft__load_features(&ccd->clusters, &ccd->positions, search->step->kernels, cluster_pair->other,
                        cluster, &search->other_features);
    found->cluster[1] = &search->other_features;
  }
  found->edge_reach = search->gap + search->slack;
  found->vertex_reach = found->edge_reach + search->radius;
  found->count = found->overlap_count = 0;
  search->filters_differ =
      ccd->material[cluster] == WEFT__NONE || ccd->material[search->other] == WEFT__NONE;
  if (weft__ccd_filters_allow(ccd, search->step, cluster, search->other))
    weft__ccd_kernels_of(search->step->kernels)->list_feature_pairs(found);
  list->test_count += found->overlap_count / OVERLAPS_A_TEST;
  for (uint32_t n = 0; n < found->count; ++n) add_found(search, &found->pair[n]);
  if (weft__ccd_is_over_budget(list)) return;
  weft__ccd_pairs_fill(&ccd->pairs, list, cluster_pair, search->candidate, search->count);
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
  search->cluster = cluster;
  ccd->is_changed[cluster] = 1;
  weft__load_features(&ccd->clusters, &ccd->positions, search->step->kernels, cluster, cluster,
                      &search->own_features);
  list->needs_pairs = false;
  const weft__cluster_pairs cluster_pairs = weft__cluster_pairs_of(&ccd->pairs, list);
  for (weft__cluster_pair* cluster_pair = cluster_pairs.begin; cluster_pair < cluster_pairs.end;
       ++cluster_pair) {
    if (!cluster_pair->needs_pairs || !weft__cluster_pair_is_current(ccd, cluster_pair)) continue;
    if (!weft__cluster_pair_is_in_zone(ccd, cluster, cluster_pair) &&
        !weft__clusters_are_tangled(ccd, cluster, cluster_pair->other) &&
        !weft__ccd_is_over_budget(list)) {
      search_cluster_pair(search, cluster_pair);
    }
    list->needs_pairs |= cluster_pair->needs_pairs;
  }
}

static void search_octets(void* context, weft__range octets, uint32_t worker) {
  candidate_job* job = context;
  weft__ccd* ccd = job->ccd;
  // features are filled in cluster by cluster
  feature_search search;
  search.step = job->step;
  search.ccd = ccd;
  search.candidate = ccd->candidate + (size_t)worker * WEFT__CLUSTER_MAX_PAIRS;
  search.test_count = 0;
  for (uint32_t n = octets.begin; n < octets.end; ++n) {
    const weft__range clusters = weft__ccd_octet(ccd, ccd->active[n]);
    for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
      if (ccd->pair_list[c].needs_pairs && !ccd->pair_list[c].is_dropped)
        search_cluster(&search, c);
    }
  }
  weft__ccd_add(&job->test_count, search.test_count);
}

// A large search runs in parts, so that it overspends the budget of the step by one part at most.
// Each pass begins with another part, so that not the same clusters come last.
void weft__ccd_find_candidates(weft__ccd* ccd, const weft__step_context* step,
                               weft__ccd_search scope) {
  const bool is_large =
      scope > WEFT__SEARCH_EXPIRED || step->work->spent > step->work->budget / PARTS;
  const uint32_t parts = is_large ? PARTS : 1;
  for (uint32_t n = 0; n < parts; ++n) {
    candidate_job job = {.ccd = ccd, .step = step};
    const weft__range part = weft__share(ccd->active_count, (n + ccd->pass) % parts, parts);
    if (part.begin == part.end) continue;
    weft__step_for_range(step, part, WEFT__CCD_SEARCH_GRAIN, search_octets, &job);
    weft__ccd_spend(ccd, step, job.test_count);
  }
}
