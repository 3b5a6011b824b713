/* BVH traversal: finds cluster pairs with overlapping moving AABBs, eight searching clusters at
 * once. */
#include <math.h>

#include "modules/ccd/ccd_steps.h"

typedef struct traversal {
  weft__ccd* ccd;
  weft__ccd_search scope;
  const uint32_t* environment_of; /* by particle; NULL if there is one environment */
  weft__range environments;       /* spanned by the clusters */
  uint32_t first, count;          /* clusters that traverse together */
  weft__moving_aabb union_box;
  weft__moving_aabb box[8];
  bool is_new[8];
} traversal;

static bool is_searched(const weft__ccd* ccd, uint32_t cluster) {
  return ccd->last_search[cluster] == ccd->search_count;
}

static void append_pair(weft__ccd* ccd, uint32_t cluster, weft__cluster_pair cluster_pair) {
  weft__ccd_classify(ccd, cluster, &cluster_pair);
  if (cluster_pair.needs_pairs) ccd->pair_list[cluster].needs_pairs = true;
  weft__ccd_pairs_append(&ccd->pairs, &ccd->pair_list[cluster], &cluster_pair);
}

static void append_adjacent_pairs(weft__ccd* ccd, uint32_t cluster) {
  ccd->flat_valid_until[cluster] = -INFINITY;
  ccd->pair_list[cluster].has_uncertified = true;
  for (uint32_t n = 0; n < ccd->flatness.region_count[cluster]; ++n) {
    append_pair(ccd, cluster,
                (weft__cluster_pair){.other = ccd->flatness.regions[cluster][n].other,
                                     .search_id = UINT32_MAX,
                                     .region = (uint8_t)n});
  }
}

// True if the two are adjacent. Regions, some cache lines a cluster, are read where the other
// cluster lists the pair; the own list has all adjacent ones first, side by side.
static bool are_adjacent(const weft__ccd* ccd, uint32_t cluster, uint32_t other) {
  if (cluster >= ccd->clusters.face_cluster_count) return false;
  const weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  const uint32_t count = ccd->flatness.region_count[cluster];
  // shorter without memory for cluster pairs
  if (other < cluster || list->count < count)
    return weft__flatness_region(&ccd->flatness, cluster, other) != NULL;
  const uint32_t* adjacent = ccd->pairs.other + list->first;
  for (uint32_t n = 0; n < count; ++n) {
    if (adjacent[n] == other) return true;
  }
  return false;
}

// True if cluster n of the traversal reports its pair with `other`: each pair is reported once. Of
// two face clusters the first that is searched reports it, of a particle and a face cluster the
// particle.
static bool reports_pair(const traversal* t, uint32_t n, uint32_t other) {
  const uint32_t cluster = t->first + n;
  if (cluster >= t->ccd->clusters.face_cluster_count) {
    return t->is_new[n] || is_searched(t->ccd, other);
  }
  return t->is_new[n] && (other >= cluster || !is_searched(t->ccd, other));
}

// Environments of clusters [begin, end), which are of faces, of strands or of particles; all
// environments for a range across the first cluster of strands.
static weft__range environments_of(const weft__ccd* ccd, const uint32_t* environment_of,
                                   uint32_t begin, uint32_t end) {
  if (weft__cluster_is_of_strands(&ccd->clusters, begin) !=
      weft__cluster_is_of_strands(&ccd->clusters, end - 1)) {
    return (weft__range){0, UINT32_MAX};
  }
  const uint32_t* member = ccd->clusters.member;
  const uint32_t first = member[weft__cluster_members(&ccd->clusters, begin).begin];
  const uint32_t last = member[weft__cluster_members(&ccd->clusters, end - 1).end - 1];
  return (weft__range){environment_of[first], environment_of[last] + 1};
}

// True if face clusters [begin, end) have an environment in common with the clusters that search.
static bool may_touch(const traversal* t, uint32_t begin, uint32_t end) {
  if (t->environment_of == NULL) return true;
  const uint32_t count = t->ccd->clusters.face_cluster_count;
  if (begin >= count) return false;
  const weft__range theirs =
      environments_of(t->ccd, t->environment_of, begin, end < count ? end : count);
  return theirs.begin < t->environments.end && theirs.end > t->environments.begin;
}

// False for a particle and a cluster of strands, which has no faces.
static bool have_pairs(const weft__ccd* ccd, uint32_t cluster, uint32_t other) {
  return cluster < ccd->clusters.face_cluster_count ||
         !weft__cluster_is_of_strands(&ccd->clusters, other);
}

static void test_octet(const traversal* t, uint32_t octet) {
  for (uint32_t n = 0; n < t->count; ++n) {
    for (uint32_t near = weft__moving_aabbs_overlaps(&t->ccd->nodes, octet, &t->box[n]); near != 0;
         near &= near - 1) {
      const uint32_t other = octet + (uint32_t)__builtin_ctz(near);
      if (other >= t->ccd->clusters.face_cluster_count) break;
      if (!may_touch(t, other, other + 1) || !have_pairs(t->ccd, t->first + n, other)) continue;
      if (!reports_pair(t, n, other) || are_adjacent(t->ccd, t->first + n, other)) continue;
      const weft__moving_aabb box = weft__moving_aabb_at(&t->ccd->nodes, other);
      if (weft__moving_aabbs_never_overlap(&t->box[n], &box)) continue;
      append_pair(
          t->ccd, t->first + n,
          (weft__cluster_pair){
              .other = other, .search_id = t->ccd->search_count, .region = WEFT__NO_REGION});
    }
  }
}

// NOLINTNEXTLINE(misc-no-recursion): depth is the number of levels
static void traverse_node(const traversal* t, uint32_t level, uint32_t first) {
  if (level == 0) {
    test_octet(t, first);
    return;
  }
  const uint32_t base = t->ccd->level_first[level];
  for (uint32_t near = weft__moving_aabbs_overlaps(&t->ccd->nodes, base + first, &t->union_box);
       near != 0; near &= near - 1) {
    const uint32_t n = first + (uint32_t)__builtin_ctz(near);
    if (n >= t->ccd->level_count[level]) return;
    if (!may_touch(t, n << 3 * level, (n + 1) << 3 * level)) continue;
    // earlier clusters report their pairs with these themselves
    if (t->scope != WEFT__SEARCH_EXPIRED && t->first < t->ccd->clusters.face_cluster_count &&
        ((uint64_t)n + 1) << 3 * level <= t->first) {
      continue;
    }
    traverse_node(t, level - 1, 8 * n);
  }
}

// Adds a cluster to a traversal and clears its outdated pairs; true if it has pairs to search for.
static bool add_cluster(traversal* t, const weft__materials* materials, uint32_t cluster) {
  weft__ccd* ccd = t->ccd;
  const bool is_single = cluster >= ccd->clusters.face_cluster_count;
  const bool is_new = is_searched(ccd, cluster);
  const uint32_t regions = is_single ? 0 : ccd->flatness.region_count[cluster];
  weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  if (t->scope == WEFT__SEARCH_ALL) {
    weft__ccd_pairs_empty(list);
  } else if (is_new) {
    weft__ccd_pairs_truncate(&ccd->pairs, list, regions);
  }
  if (list->count < regions) append_adjacent_pairs(ccd, cluster);
  const uint32_t n = t->count++;
  t->is_new[n] = is_new;
  t->box[n] = is_single ? weft__ccd_cluster_aabb(ccd, materials, cluster)
                        : weft__moving_aabb_at(&ccd->nodes, cluster);
  if (!is_new && !is_single) return false;
  weft__moving_aabb_extend(&t->union_box, &t->box[n]);
  return true;
}

// Traverses for up to eight clusters together.
static void traverse_for(const weft__ccd_search_job* job, weft__range clusters) {
  const uint32_t* environment_of = job->step->schedule->environment_of;
  traversal t = {.ccd = job->ccd,
                 .scope = job->scope,
                 .environment_of = environment_of,
                 .first = clusters.begin,
                 .union_box = weft__empty_moving_aabb()};
  if (environment_of != NULL) {
    t.environments = environments_of(job->ccd, environment_of, clusters.begin, clusters.end);
  }
  bool has_work = false;
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
    if (add_cluster(&t, job->step->materials, c)) has_work = true;
  }
  if (!has_work) return;
  traverse_node(&t, job->ccd->levels - 1, 0);
  if (job->ccd->has_filters) weft__ccd_build_filter(job->ccd, clusters.begin / 8);
}

static void traverse_octets(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  const weft__ccd_search_job* job = context;
  const uint32_t faces_end = job->ccd->clusters.face_cluster_count;
  for (uint32_t n = octets.begin; n < octets.end; ++n) {
    // all is void: more pairs would take time quadratic in the clusters
    if (job->scope == WEFT__SEARCH_ALL && weft__ccd_cluster_pairs_overflow(job->ccd)) return;
    const weft__range clusters = weft__ccd_octet(job->ccd, job->ccd->active[n]);
    // face clusters and particles do not traverse together
    if (clusters.begin < faces_end && faces_end < clusters.end) {
      traverse_for(job, (weft__range){clusters.begin, faces_end});
      traverse_for(job, (weft__range){faces_end, clusters.end});
    } else {
      traverse_for(job, clusters);
    }
  }
}

void weft__ccd_traverse(weft__ccd* ccd, weft__step_context* step, weft__ccd_search scope) {
  weft__ccd_search_job job = {ccd, step, scope};
  weft__step_for(step, ccd->active_count, WEFT__CCD_SEARCH_GRAIN, traverse_octets, &job);
}
