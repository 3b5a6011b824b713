/* Accumulates displacements, and expires clusters that left their safety margin, and flatness
 * certificates and separating planes that no longer hold. */
#include <math.h>
#include <string.h>

#include "base/host.h"
#include "base/min_max.h"
#include "modules/ccd/ccd_steps.h"

// Refunds shrink to nothing: 2^13.
#define MAX_STEP_HALVINGS 14u

// Work of a round for each octet that it visits, and for each particle in an impact zone.
#define ROUND_WORK_AN_OCTET 16u
#define ROUND_WORK_IN_ZONES 4u

typedef struct update_job {
  weft__ccd* ccd;
  const weft__step_context* step;
  bool is_first;                 /* update of the pass */
  weft__ccd_search scope;        /* for the broad phase that follows */
  _Atomic uint64_t expired;      /* clusters that left their safety margin */
  _Atomic uint64_t wanted_pairs; /* cluster pairs that need feature pairs */
} update_job;

static void update_bend(weft__ccd* ccd, uint32_t cluster, float* const* at, float displacement) {
  const float bend =
      weft__flatness_update(&ccd->flatness, &ccd->clusters, at, cluster, displacement);
  // NaN invalidates certificates for good
  ccd->bend[cluster] += bend >= 0.0f ? (double)bend : INFINITY;
}

// True for a hub that is marked already: hits and edges that share it would take time quadratic in
// its faces.
static bool is_marked_hub(weft__ccd* ccd, uint32_t particle) {
  const uint32_t* first_use = ccd->faces->first_use;
  if (first_use[particle + 1] - first_use[particle] < WEFT__CCD_HUB_FACES) return false;
  uint32_t* hub = &ccd->marked_hub[particle % WEFT__CCD_HUBS];
  if (*hub == particle) return true;
  *hub = particle;
  return false;
}

void weft__ccd_mark_moved(weft__ccd* ccd, uint32_t particle) {
  const weft__ccd_clusters* clusters = &ccd->clusters;
  const uint32_t leaf = clusters->leaf_of_vertex[particle];
  if (leaf == WEFT__NONE || is_marked_hub(ccd, particle)) return;
  ccd->is_moved[weft__cluster_of_leaf(clusters, leaf)] = 1;
  const uint32_t end = ccd->faces->first_use[particle + 1];
  for (uint32_t n = ccd->faces->first_use[particle]; n < end; ++n) {
    const uint32_t slot = clusters->slot_of_face[ccd->faces->use[n]];
    if (slot != WEFT__NONE) ccd->is_moved[slot / WEFT__CLUSTER_FACES] = 1;
  }
}

void weft__ccd_move(weft__ccd* ccd, weft__step_context* step, uint32_t particle,
                    const float to[3]) {
  weft__particles* p = step->particles;
  float* const* pos = p->pos;
  float* const* prev = p->prev;
  const uint32_t substeps = step->substep - ccd->last_ccd_substep;
  const float earlier_share = 1.0f - 1.0f / (float)substeps;
  if (!ccd->is_corrected[particle]) {
    ccd->is_corrected[particle] = WEFT__CORRECTED;
    ccd->corrected[ccd->corrected_count++] = particle;
    for (int axis = 0; axis < 3; ++axis) ccd->aim[axis][particle] = pos[axis][particle];
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (substeps > 1) prev[axis][particle] += earlier_share * (to[axis] - pos[axis][particle]);
    pos[axis][particle] = to[axis];
  }
}

void weft__ccd_displace(weft__ccd* ccd, weft__step_context* step, uint32_t particle,
                        const float by[3]) {
  float to[3];
  for (int axis = 0; axis < 3; ++axis) {
    to[axis] = step->particles->pos[axis][particle] + by[axis];
    if (!step->bounds->on) continue;
    // clamped last: the floor does not give way
    float lower;
    float upper;
    weft__bounds_around(step->bounds, particle, axis, &lower, &upper);
    to[axis] = to[axis] < lower ? lower : to[axis] > upper ? upper : to[axis];
  }
  weft__ccd_move(ccd, step, particle, to);
}

// Refunds the budget of a cluster. One that went over it spends no refund before it has enough for
// a search: with less it would search in vain in each pass, and stay over budget for good.
static void refund_budget(weft__cluster_pair_list* list, bool was_over_budget,
                          uint32_t step_halvings) {
  if (!was_over_budget) {
    if (list->budget_halvings > 0) --list->budget_halvings;
  } else if (!list->is_draining && list->budget_halvings < WEFT__CCD_MAX_HALVINGS) {
    ++list->budget_halvings;
  }
  const uint32_t refund = WEFT__CCD_PASS_TESTS >> (list->budget_halvings + step_halvings);
  list->test_count -= list->test_count < refund ? list->test_count : refund;
  list->is_draining = was_over_budget && list->test_count > WEFT__CCD_RESUME_TESTS;
}

static void cut_budget(weft__cluster_pair_list* list) {
  const uint32_t left = list->test_count + WEFT__CCD_SPENT_TESTS;
  if (left < list->max_tests) list->max_tests = left;
}

void weft__ccd_spend(weft__ccd* ccd, const weft__step_context* step, uint64_t tests) {
  ccd->test_count += tests;
  weft__step_spend(step, WEFT__CCD_TEST_WORK * tests);
  if (ccd->is_cut || !weft__step_cuts(step, WEFT__WORK_ALL)) return;
  ccd->is_cut = true;
  for (uint32_t c = 0; c < ccd->clusters.cluster_count; ++c) cut_budget(&ccd->pair_list[c]);
}

// Begins a pass: refunds the budget and resets displacements.
static void begin_cluster(weft__ccd* ccd, uint32_t cluster) {
  const weft__range members = weft__cluster_members(&ccd->clusters, cluster);
  const bool has_faces = cluster < ccd->clusters.face_cluster_count;
  refund_budget(&ccd->pair_list[cluster], ccd->zone_state[cluster] == WEFT__ZONE_OVER_BUDGET,
                ccd->step_halvings);
  ccd->pair_list[cluster].max_tests = WEFT__CCD_MAX_TESTS;
  if (ccd->is_cut) cut_budget(&ccd->pair_list[cluster]);
  ccd->zone_state[cluster] = WEFT__ZONE_NONE;
  if (has_faces) ccd->pass_relative[cluster] = 0.0f;
  if (ccd->is_stale) {
    weft__ccd_positions_set(&ccd->positions, ccd->clusters.member, members, ccd->start);
    if (has_faces) update_bend(ccd, cluster, ccd->positions.start, INFINITY);
  }
  if (has_faces) weft__flatness_begin_pass(&ccd->flatness, cluster);
}

// `displacement` bounds the relative displacement of any two particles of the cluster.
static void add_relative_displacement(weft__ccd* ccd, uint32_t cluster, float displacement) {
  ccd->pass_relative[cluster] += displacement;
  ccd->relative[cluster] = (ccd->relative[cluster] + displacement) * 1.0000003f;
}

// True if the cluster left its safety margin.
static bool update_cluster(weft__ccd* ccd, const weft__particles* particles, uint32_t cluster,
                           bool is_first) {
  ccd->is_moved[cluster] = 0;
  const weft__cluster_displacements moved = weft__ccd_positions_update(
      &ccd->positions, ccd->clusters.member, weft__cluster_members(&ccd->clusters, cluster),
      particles, is_first);
  // rounded up, so that no displacement is lost by addition
  if (moved.displacement > 0.0f)
    ccd->displacement[cluster] = (ccd->displacement[cluster] + moved.displacement) * 1.0000003f;
  if (moved.relative > 0.0f && cluster < ccd->clusters.face_cluster_count) {
    add_relative_displacement(ccd, cluster, moved.relative);
    update_bend(ccd, cluster, ccd->positions.now, 0.5f * moved.relative);
  }
  if (weft__ccd_is_valid(ccd->displacement[cluster], ccd->valid_until[cluster])) return false;
  ccd->last_search[cluster] = ccd->search_count + 1;
  return true;
}

static void update_clusters(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  update_job* job = context;
  weft__ccd* ccd = job->ccd;
  uint32_t expired_count = 0;
  for (uint32_t n = octets.begin; n < octets.end; ++n) {
    const weft__range clusters = weft__ccd_octet(ccd, ccd->active[n]);
    for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
      if (job->is_first) begin_cluster(ccd, c);
      ccd->is_changed[c] = job->is_first || ccd->is_moved[c];
      if (ccd->is_changed[c])
        expired_count += update_cluster(ccd, job->step->particles, c, job->is_first);
    }
  }
  weft__ccd_add(&job->expired, expired_count);
}

// ---- cluster pairs ----

static uint32_t reclassify_if_expired(weft__ccd* ccd, uint32_t cluster,
                                      weft__cluster_pair* cluster_pair) {
  if (cluster_pair->kind == WEFT__CLUSTERS_CLOSE ||
      !weft__cluster_pair_is_expired(ccd, cluster, cluster_pair))
    return 0;
  weft__ccd_classify(ccd, cluster, cluster_pair);
  if (!cluster_pair->needs_pairs) return 0;
  ccd->pair_list[cluster].needs_pairs = true;
  return 1;
}

static double surrounding_bend(const weft__ccd* ccd, uint32_t cluster) {
  const uint32_t count = ccd->flatness.surrounding_count[cluster];
  if (count == 0) return INFINITY;
  double bend = 0.0;
  for (uint32_t n = 0; n < count; ++n) bend += ccd->bend[ccd->flatness.surrounding[cluster][n]];
  return bend;
}

// Updates adjacent pairs; returns how many need feature pairs. The sum of bends around the cluster
// bounds each region's, so that as a rule one comparison keeps all certificates.
static uint32_t update_adjacent_pairs(weft__ccd* ccd, uint32_t cluster) {
  const double bend = surrounding_bend(ccd, cluster);
  const bool are_flat = bend <= ccd->flat_valid_until[cluster];
  weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  if (are_flat && !list->has_uncertified) return 0;
  const weft__cluster_pairs cluster_pairs = weft__adjacent_pairs_of(ccd, cluster);
  uint32_t wanted_count = 0;
  double slack = bend < INFINITY ? INFINITY : -INFINITY;
  list->has_uncertified = false;
  for (weft__cluster_pair* cluster_pair = cluster_pairs.begin; cluster_pair < cluster_pairs.end;
       ++cluster_pair) {
    if (!are_flat || cluster_pair->kind != WEFT__CLUSTERS_FLAT)
      wanted_count += reclassify_if_expired(ccd, cluster, cluster_pair);
    if (cluster_pair->kind != WEFT__CLUSTERS_FLAT) {
      list->has_uncertified = true;
      continue;
    }
    const weft__flat_region* region = weft__cluster_pair_region(ccd, cluster, cluster_pair);
    WEFT__ASSERT(region != NULL);  // pair is adjacent
    slack = weft__min(slack, region->valid_until - weft__flat_region_bend(ccd, region));
  }
  // sums are rounded in different orders: hence 0.999
  ccd->flat_valid_until[cluster] = slack > -INFINITY ? bend + 0.999 * slack : -INFINITY;
  return wanted_count;
}

static uint32_t update_non_adjacent_pairs(weft__ccd* ccd, uint32_t cluster) {
  weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  weft__cluster_pairs cluster_pairs = weft__cluster_pairs_of(&ccd->pairs, list);
  uint32_t wanted_count = 0;
  weft__cluster_pair* cluster_pair = cluster < ccd->clusters.face_cluster_count
                                         ? weft__adjacent_pairs_of(ccd, cluster).end
                                         : cluster_pairs.begin;
  while (cluster_pair < cluster_pairs.end) {
    if (weft__cluster_pair_is_current(ccd, cluster_pair)) {
      wanted_count += reclassify_if_expired(ccd, cluster, cluster_pair++);
      continue;
    }
    weft__ccd_pairs_remove(&ccd->pairs, list, cluster_pair);
    --cluster_pairs.end;
  }
  return wanted_count;
}

// Updates the pairs of a cluster; returns how many need feature pairs. Non-adjacent pairs of
// clusters that are searched are left to the broad phase.
static uint32_t update_pairs_of(weft__ccd* ccd, uint32_t cluster, weft__ccd_search scope) {
  uint32_t wanted_count = 0;
  if (!weft__ccd_is_affected(ccd, cluster)) return 0;
  // left over by a pass that ran out of budget
  if (ccd->pair_list[cluster].needs_pairs && ccd->zone_state[cluster] == WEFT__ZONE_NONE)
    ++wanted_count;
  if (cluster < ccd->clusters.face_cluster_count)
    wanted_count += update_adjacent_pairs(ccd, cluster);
  if (scope != WEFT__SEARCH_NON_ADJACENT && ccd->last_search[cluster] <= ccd->search_count)
    wanted_count += update_non_adjacent_pairs(ccd, cluster);
  return wanted_count;
}

static void update_pairs(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  update_job* job = context;
  uint32_t wanted_count = 0;
  for (uint32_t n = octets.begin; n < octets.end; ++n) {
    const weft__range clusters = weft__ccd_octet(job->ccd, job->ccd->active[n]);
    if (job->ccd->has_filters) weft__ccd_find_affected(job->ccd, job->ccd->active[n]);
    for (uint32_t c = clusters.begin; c < clusters.end; ++c)
      wanted_count += update_pairs_of(job->ccd, c, job->scope);
  }
  weft__ccd_add(&job->wanted_pairs, wanted_count);
}

// True if so many clusters expired that a search for all costs less.
static bool are_many(const weft__ccd* ccd, uint64_t expired_count) {
  return expired_count > ccd->clusters.cluster_count / 4;
}

// True if a search of all cluster pairs may run out of memory for feature pairs, of which grown
// lists leave some unused. The count does not depend on workers: see weft__ccd_pairs_fill().
static bool is_nearly_full(const weft__ccd* ccd) {
  return atomic_load_explicit(&ccd->pairs.pair_count, memory_order_relaxed) >
         ccd->pairs.pair_limit - ccd->pairs.pair_limit / 4;
}

// Search that expired clusters need.
static weft__ccd_search plan_search(const weft__ccd* ccd, uint64_t expired_count) {
  if (ccd->lacks_capacity) return WEFT__SEARCH_NONE;
  if (ccd->is_stale) return WEFT__SEARCH_ALL;
  if (are_many(ccd, expired_count))
    return is_nearly_full(ccd) ? WEFT__SEARCH_ALL : WEFT__SEARCH_NON_ADJACENT;
  return expired_count > 0 ? WEFT__SEARCH_EXPIRED : WEFT__SEARCH_NONE;
}

// Halvings of the refunds of a pass, by the tests that its step has had. None in a world of several
// environments, which do not depend on each other.
static uint32_t step_halvings(const weft__ccd* ccd, const weft__step_context* step) {
  if (step->schedule->environment_of != NULL) return 0;
  const uint64_t usual = WEFT__CCD_STEP_TESTS * (uint64_t)ccd->clusters.vertex_count;
  const uint64_t halvings = ccd->test_count / (usual + 1) * 2;
  return halvings < MAX_STEP_HALVINGS ? (uint32_t)halvings : MAX_STEP_HALVINGS;
}

void weft__ccd_update_displacements(weft__ccd* ccd, weft__step_context* step, bool first) {
  update_job job = {.ccd = ccd, .step = step, .is_first = first};
  memset(ccd->marked_hub, 0xff, sizeof(ccd->marked_hub));
  if (first) {
    weft__ccd_clear_impact_zones(ccd);
    weft__ccd_activate_all(ccd);
    ccd->round = 0;
    ccd->step_halvings = step_halvings(ccd, step);
    ccd->is_cut = weft__step_cuts(step, WEFT__WORK_ALL);
    ccd->any_torn = weft__links_any_gone(&step->schedule->links);
  } else {
    weft__ccd_activate_moved(ccd);
  }
  weft__step_spend(step, (uint64_t)ROUND_WORK_AN_OCTET * ccd->active_count +
                             (uint64_t)ROUND_WORK_IN_ZONES * ccd->zone_particle_count);
  weft__step_for(step, ccd->active_count, WEFT__CCD_UPDATE_GRAIN, update_clusters, &job);
  job.scope = plan_search(ccd, job.expired);
  ccd->is_stale = false;
  if (!first && job.scope <= WEFT__SEARCH_EXPIRED) {
    weft__ccd_activate_affected(ccd, step, job.scope);
  } else {
    weft__ccd_activate_all(ccd);
  }
  if (job.scope != WEFT__SEARCH_ALL) {
    weft__step_for(step, ccd->active_count, WEFT__CCD_UPDATE_GRAIN, update_pairs, &job);
    if (job.scope == WEFT__SEARCH_NONE && job.wanted_pairs > 0 && !ccd->lacks_capacity)
      job.scope = WEFT__SEARCH_FEATURES;
  }
  ccd->has_new_pairs |= job.scope > WEFT__SEARCH_FEATURES;
  if (job.scope != WEFT__SEARCH_NONE) weft__ccd_broad_phase(ccd, step, job.scope);
}
