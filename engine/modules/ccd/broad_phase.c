/* Broad phase: refits the moving AABBs of clusters and the BVH over them, traverses it for each
 * cluster that is searched, and finds feature pairs of the cluster pairs that are not culled. */

#include "modules/ccd/ccd_steps.h"

#include "base/min_max.h"

// ---- boxes ----

// Safety margin of a cluster, metres: twice its displacement in this pass, as fast clusters expire
// sooner. Bounded above, or neighbours in flat cloth would become pairs.
static float search_margin(const weft__ccd* ccd, uint32_t cluster) {
  const weft__range members = weft__cluster_members(&ccd->clusters, cluster);
  const float size = ccd->clusters.size[cluster];
  const float wanted = 2.0f * weft__ccd_positions_displacement(&ccd->positions, members);
  if (!(wanted > WEFT__CCD_MIN_MARGIN * size)) return WEFT__CCD_MIN_MARGIN * size;
  return wanted < WEFT__CCD_MAX_MARGIN * size ? wanted : WEFT__CCD_MAX_MARGIN * size;
}

float weft__ccd_cluster_radius(const weft__ccd* ccd, const weft__materials* materials,
                               uint32_t cluster) {
  const weft__range members = weft__cluster_members(&ccd->clusters, cluster);
  float radius = 0.0f;
  for (uint32_t m = members.begin; m < members.end && ccd->has_radius[cluster]; ++m) {
    const uint32_t i = ccd->clusters.member[m];
    radius = weft__maxf(radius, weft__ccd_radius(weft__material_of(materials, i)));
  }
  return radius;
}

weft__moving_aabb weft__ccd_cluster_aabb(const weft__ccd* ccd, const weft__materials* materials,
                                         uint32_t cluster) {
  const weft__ccd_clusters* clusters = &ccd->clusters;
  const weft__range members = weft__cluster_members(clusters, cluster);
  weft__moving_aabb box = weft__ccd_positions_aabb(&ccd->positions, members);
  const float radius = weft__ccd_cluster_radius(ccd, materials, cluster);
  weft__moving_aabb_inflate(
      &box, weft__ccd_slack(ccd, cluster) + radius + WEFT__CCD_GAP * clusters->size[cluster]);
  return box;
}

static void refit_node(const weft__ccd* ccd, uint32_t level, uint32_t n) {
  weft__moving_aabb box = weft__empty_moving_aabb();
  for (uint32_t child = 8 * n; child < 8 * n + 8; ++child) {
    const weft__moving_aabb child_box =
        weft__moving_aabb_at(&ccd->nodes, ccd->level_first[level - 1] + child);
    weft__moving_aabb_extend(&box, &child_box);
  }
  weft__moving_aabb_set(&ccd->nodes, ccd->level_first[level] + n, &box);
}

// Moves a box that swept an earlier pass to its end. It stays inflated by the slack of its cluster.
static void move_to_end(const weft__ccd* ccd, uint32_t cluster) {
  weft__moving_aabb box = weft__moving_aabb_at(&ccd->nodes, cluster);
  for (int s = 0; s < WEFT__AABB_SIDES / 2; ++s) box.side[s] = box.side[s + WEFT__AABB_SIDES / 2];
  weft__moving_aabb_set(&ccd->nodes, cluster, &box);
}

// True if the box has changed.
static bool refit_cluster(const weft__ccd* ccd, const weft__materials* materials,
                          uint32_t cluster) {
  if (ccd->last_search[cluster] > ccd->search_count) {
    const weft__moving_aabb box = weft__ccd_cluster_aabb(ccd, materials, cluster);
    weft__moving_aabb_set(&ccd->nodes, cluster, &box);
    ccd->box_pass[cluster] = ccd->pass;
    return true;
  }
  if (ccd->box_pass[cluster] == 0 || ccd->box_pass[cluster] == ccd->pass) return false;
  move_to_end(ccd, cluster);
  ccd->box_pass[cluster] = 0;
  return true;
}

static void refit_octet(const weft__ccd* ccd, const weft__materials* materials, uint32_t first) {
  const weft__moving_aabb empty = weft__empty_moving_aabb();
  bool has_changed = false;
  for (uint32_t c = first; c < first + 8; ++c) {
    if (c < ccd->clusters.face_cluster_count) {
      has_changed |= refit_cluster(ccd, materials, c);
    } else {
      weft__moving_aabb_set(&ccd->nodes, c, &empty);
    }
  }
  if (has_changed && ccd->levels > 1) refit_node(ccd, 1, first / 8);
}

static void refit_upper_levels(const weft__ccd* ccd) {
  const weft__moving_aabb empty = weft__empty_moving_aabb();
  for (uint32_t level = 1; level < ccd->levels; ++level) {
    const uint32_t count = ccd->level_count[level];
    for (uint32_t n = 0; n < count && level > 1; ++n) refit_node(ccd, level, n);
    for (uint32_t n = count; n % 8 != 0; ++n) {
      weft__moving_aabb_set(&ccd->nodes, ccd->level_first[level] + n, &empty);
    }
  }
}

// Renews the safety margin of a cluster that is searched.
static void renew_margin(weft__ccd* ccd, weft__ccd_search scope, uint32_t cluster) {
  const bool all = scope != WEFT__SEARCH_EXPIRED;
  if (!all && ccd->last_search[cluster] <= ccd->search_count) return;
  ccd->last_search[cluster] = ccd->search_count + 1;
  if (all) ccd->displacement[cluster] = 0.0f;
  if (scope == WEFT__SEARCH_ALL && cluster < ccd->clusters.face_cluster_count)
    ccd->relative[cluster] = 0.0f;
  ccd->valid_until[cluster] = ccd->displacement[cluster] + search_margin(ccd, cluster);
  ccd->pair_list[cluster].is_dropped = false;
}

static void refit_octets(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  const weft__ccd_search_job* job = context;
  const weft__range clusters = weft__ccd_clusters_of(job->ccd, octets);
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) renew_margin(job->ccd, job->scope, c);
  for (uint32_t c = clusters.begin; c < clusters.end; c += 8) {
    if (c < job->ccd->clusters.face_cluster_count) refit_octet(job->ccd, job->step->materials, c);
  }
}

// Refits all boxes, and renews the safety margins of the clusters that are searched.
static void refit(weft__ccd* ccd, weft__step_context* step, weft__ccd_search scope) {
  weft__ccd_search_job job = {ccd, step, scope};
  weft__step_for(step, weft__ccd_octet_count(ccd), WEFT__CCD_UPDATE_GRAIN, refit_octets, &job);
  ++ccd->search_count;
  refit_upper_levels(ccd);
}

// ---- memory ----

bool weft__ccd_cluster_pairs_overflow(const weft__ccd* ccd) {
  return atomic_load_explicit(&ccd->pairs.cluster_pair_count, memory_order_relaxed) >
         ccd->pairs.cluster_pair_limit;
}

static bool pairs_overflow(const weft__ccd* ccd) {
  return weft__ccd_cluster_pairs_overflow(ccd) ||
         atomic_load_explicit(&ccd->pairs.pair_count, memory_order_relaxed) > ccd->pairs.pair_limit;
}

static void release_pairs(weft__ccd* ccd) {
  atomic_store_explicit(&ccd->pairs.pair_count, 0, memory_order_relaxed);
  atomic_store_explicit(&ccd->pairs.cluster_pair_count, 0, memory_order_relaxed);
}

// Without memory for cluster pairs workers have stopped anywhere: neither pairs nor counts remain.
static void drop_list(weft__cluster_pair_list* list) {
  *list = (weft__cluster_pair_list){.is_dropped = true,
                                    .test_count = WEFT__CCD_RESUME_TESTS,
                                    .max_tests = list->max_tests,
                                    .budget_halvings = list->budget_halvings};
}

// Grants memory to clusters in index order: the order in which workers allocated must not show in
// results. Clusters without memory for their feature pairs become impact zones; without memory for
// cluster pairs all do.
static void grant_in_order(weft__ccd* ccd) {
  uint64_t pairs = 0;
  ccd->lacks_capacity = weft__ccd_cluster_pairs_overflow(ccd);
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) {
    weft__cluster_pair_list* list = &ccd->pair_list[c];
    list->is_dropped = ccd->lacks_capacity || pairs + list->pair_demand > ccd->pairs.pair_limit;
    if (ccd->lacks_capacity) drop_list(list);
    if (list->is_dropped) {
      ccd->lost += list->pair_demand > 0 ? list->pair_demand : 1;
      // some have found memory, by the order of the workers
      if (ccd->lacks_capacity) weft__ccd_pairs_empty(list);
    } else {
      pairs += list->pair_demand;
    }
  }
}

// ---- search ----

// False if pairs do not fit into memory.
static bool search_pairs(weft__ccd* ccd, weft__step_context* step, weft__ccd_search scope) {
  if (scope != WEFT__SEARCH_FEATURES) {
    weft__ccd_traverse(ccd, step, scope);
    if (pairs_overflow(ccd)) return false;
  }
  weft__ccd_find_candidates(ccd, step, scope);
  return !pairs_overflow(ccd);
}

static bool refit_and_search(weft__ccd* ccd, weft__step_context* step, weft__ccd_search scope) {
  if (scope == WEFT__SEARCH_ALL) release_pairs(ccd);
  if (scope != WEFT__SEARCH_FEATURES) refit(ccd, step, scope);
  return search_pairs(ccd, step, scope);
}

void weft__ccd_broad_phase(weft__ccd* ccd, weft__step_context* step, weft__ccd_search scope) {
  if (refit_and_search(ccd, step, scope)) return;
  weft__ccd_activate_all(ccd);
  // a full search also releases the memory of void pairs
  if (scope != WEFT__SEARCH_ALL && refit_and_search(ccd, step, WEFT__SEARCH_ALL)) return;
  grant_in_order(ccd);
  release_pairs(ccd);
  if (!ccd->lacks_capacity) (void)search_pairs(ccd, step, WEFT__SEARCH_ALL);
}
