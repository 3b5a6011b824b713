/* Steps of a CCD pass, shared by the files of this folder: see ccd.h for their order. */
#ifndef WEFT_MODULES_CCD_CCD_STEPS_H
#define WEFT_MODULES_CCD_CCD_STEPS_H

#include <math.h>

#include "base/grain_size.h"
#include "modules/ccd/ccd.h"
#include "modules/ccd/kernels.h"

/* Octets in a piece of work, some microseconds each: where clusters are mostly compared with their
 * bounds, and where they are searched or tested. */
#define WEFT__CCD_UPDATE_GRAIN WEFT__GRAIN(4u, 1u)
#define WEFT__CCD_SEARCH_GRAIN 1u

typedef struct weft__ccd_job {
  weft__ccd* ccd;
  weft__step_context* step;
} weft__ccd_job;

/* Makes all tables but pairs and hits. False when out of memory; then some exist. */
bool weft__ccd_create_tables(weft__ccd* ccd, const weft__contact_setup* setup);

void weft__ccd_count_bytes(weft__ccd* ccd);

/* Loops over clusters are shared out by octets: eight clusters, the children of a BVH node. */
static inline uint32_t weft__ccd_octet_count(const weft__ccd* ccd) {
  return (ccd->clusters.cluster_count + 7) / 8;
}

static inline weft__range weft__ccd_clusters_of(const weft__ccd* ccd, weft__range octets) {
  const uint32_t end = 8 * octets.end;
  const uint32_t count = ccd->clusters.cluster_count;
  return (weft__range){8 * octets.begin, end < count ? end : count};
}

static inline weft__range weft__ccd_octet(const weft__ccd* ccd, uint32_t octet) {
  return weft__ccd_clusters_of(ccd, (weft__range){octet, octet + 1});
}

/* Adds a task's count to the sum of its stage. */
static inline void weft__ccd_add(_Atomic uint64_t* sum, uint64_t count) {
  // relaxed: read after the loop; integers, so the order of addition does not show
  if (count > 0) atomic_fetch_add_explicit(sum, count, memory_order_relaxed);
}

/* Builds clusters if other faces or particles take part than when they were built, and requests a
 * search for all pairs if materials have changed at all. */
void weft__ccd_renew_clusters(weft__ccd* ccd, const weft__step_context* step);

bool weft__ccd_is_due(weft__ccd* ccd, const weft__step_context* step);

/* Scope of a broad phase; each includes those before it. */
typedef enum weft__ccd_search {
  WEFT__SEARCH_NONE = 0,
  WEFT__SEARCH_FEATURES = 1,     /* feature pairs of cluster pairs that need them */
  WEFT__SEARCH_EXPIRED = 2,      /* non-adjacent pairs of clusters that left their margin */
  WEFT__SEARCH_NON_ADJACENT = 3, /* non-adjacent pairs of all clusters */
  WEFT__SEARCH_ALL = 4,          /* adjacent pairs too, after all pair memory is released */
} weft__ccd_search;

typedef struct weft__ccd_search_job {
  weft__ccd* ccd;
  weft__step_context* step;
  weft__ccd_search scope;
} weft__ccd_search_job;

/* Activates all octets: the round skips none. */
void weft__ccd_activate_all(weft__ccd* ccd);

/* Activates the octets of which particles have moved, and clears `is_changed` of those that the
 * last round visited. */
void weft__ccd_activate_moved(weft__ccd* ccd);

/* Also activates all octets that depend on active ones, that have work left, or that a search of
 * this scope has to visit. */
void weft__ccd_activate_affected(weft__ccd* ccd, const weft__step_context* step,
                                 weft__ccd_search scope);

/* True if this round has to visit a cluster of an active octet. */
static inline bool weft__ccd_is_affected(const weft__ccd* ccd, uint32_t cluster) {
  return (ccd->affected[cluster / 8] >> cluster % 8 & 1) != 0 || ccd->is_changed[cluster];
}

void weft__filter_add(weft__cluster_filter* filter, uint32_t cluster);

/* False if neither the clusters of an octet nor any that their pairs depend on are in a filter. */
bool weft__ccd_may_depend(const weft__ccd* ccd, uint32_t octet, const weft__cluster_filter* filter);

/* Builds the filter of an octet, once its cluster pairs have changed. */
void weft__ccd_build_filter(const weft__ccd* ccd, uint32_t octet);

/* Lists in ccd->affected[octet] the clusters of an octet that this round has to visit. It can skip
 * a cluster if neither it nor a cluster paired with it has changed since the last round, which
 * found no hits of it. */
void weft__ccd_find_affected(const weft__ccd* ccd, uint32_t octet);

/* Broad phase: finds cluster pairs along the paths of this pass and within safety margins, then
 * their feature pairs. */
void weft__ccd_broad_phase(weft__ccd* ccd, weft__step_context* step, weft__ccd_search scope);

/* True if cluster pairs have no room in memory: then all that a search has found is void. */
bool weft__ccd_cluster_pairs_overflow(const weft__ccd* ccd);

float weft__ccd_cluster_radius(const weft__ccd* ccd, const weft__materials* materials,
                               uint32_t cluster);

/* Moving AABB of a cluster, inflated by gap, radius and the slack of its safety margin. */
weft__moving_aabb weft__ccd_cluster_aabb(const weft__ccd* ccd, const weft__materials* materials,
                                         uint32_t cluster);

/* Traverses the BVH for the clusters that are searched and lists their cluster pairs. */
void weft__ccd_traverse(weft__ccd* ccd, weft__step_context* step, weft__ccd_search scope);

/* Culls a cluster pair by flatness or a separating plane, if either holds: sets its kind,
 * valid_until and needs_pairs. */
void weft__ccd_classify(const weft__ccd* ccd, uint32_t cluster, weft__cluster_pair* cluster_pair);

/* Accumulated change of derivatives, summed over the parts of a region. */
double weft__flat_region_bend(const weft__ccd* ccd, const weft__flat_region* region);

/* True if the culling, or the list of feature pairs, of a cluster pair may no longer hold. */
bool weft__cluster_pair_is_expired(const weft__ccd* ccd, uint32_t cluster,
                                   const weft__cluster_pair* cluster_pair);

/* True if a plane separates members [0] and [1], of two clusters, by more than `gap`
 * metres; then *slack is the excess now, metres. Tries the normals of both frames and the line
 * between centers. */
bool weft__ccd_find_separating_plane(const weft__ccd_positions* positions,
                                     const weft__range members[2], const weft__ccd_frame* a,
                                     const weft__ccd_frame* b, float gap, float* slack);

/* True if collision filters let two clusters collide, or some pairs of them. */
bool weft__ccd_filters_allow(const weft__ccd* ccd, const weft__step_context* step, uint32_t cluster,
                             uint32_t other);

/* Finds feature pairs for the cluster pairs that need them. */
void weft__ccd_find_candidates(weft__ccd* ccd, const weft__step_context* step,
                               weft__ccd_search scope);

/* Bound on how far particles of two clusters have moved relative to each other, metres,
 * accumulated: the sum of both displacements, or, for adjacent pairs, of both relative ones. */
static inline float weft__ccd_displacement_of(const weft__ccd* ccd, uint32_t cluster,
                                              const weft__cluster_pair* cluster_pair) {
  const float* column = cluster_pair->region == WEFT__NO_REGION ? ccd->displacement : ccd->relative;
  return column[cluster] + column[cluster_pair->other];
}

/* True while an accumulated displacement, metres, is within the limit of a margin, list or pair. An
 * infinite one, of cloth with coordinates that are NaN or infinite, is within no limit. */
static inline bool weft__ccd_is_valid(float displacement, float valid_until) {
  return displacement <= valid_until && displacement < INFINITY;
}

/* Metres that a cluster may move before its pairs are searched again. */
static inline float weft__ccd_slack(const weft__ccd* ccd, uint32_t cluster) {
  const float slack = ccd->valid_until[cluster] - ccd->displacement[cluster];
  return slack > 0.0f ? slack : 0.0f;
}

/* Collision radius, metres: 0 for vertices of cloth. */
static inline float weft__ccd_radius(const weft__material* material) {
  return material->shape == WEFT_PARTICLE_SHAPE_CLOTH ? 0.0f : material->half_size[0];
}

/* True once a cluster has used up its pair tests, until it has enough of them again, and while it
 * has no memory for its pairs. */
static inline bool weft__ccd_is_over_budget(const weft__cluster_pair_list* list) {
  return list->is_dropped || list->is_draining || list->test_count > list->max_tests;
}

/* True if either cluster is over budget: both then move in one impact zone. */
static inline bool weft__cluster_pair_is_in_zone(const weft__ccd* ccd, uint32_t cluster,
                                                 const weft__cluster_pair* cluster_pair) {
  return ccd->zone_state[cluster] == WEFT__ZONE_OVER_BUDGET ||
         ccd->zone_state[cluster_pair->other] == WEFT__ZONE_OVER_BUDGET;
}

/* True unless the other cluster was searched since this pair was found: then the pair is listed by
 * the other cluster, or void. */
static inline bool weft__cluster_pair_is_current(const weft__ccd* ccd,
                                                 const weft__cluster_pair* cluster_pair) {
  return cluster_pair->search_id >= ccd->last_search[cluster_pair->other];
}

/* True if all particles of both clusters are being untangled: their pairs may pass, and need no
 * tests. */
static inline bool weft__clusters_are_tangled(const weft__ccd* ccd, uint32_t a, uint32_t b) {
  return ccd->tangles.crossing_count > 0 && ccd->tangles.is_cluster_tangled[a] &&
         ccd->tangles.is_cluster_tangled[b];
}

/* Adjacent pairs of a face cluster: the first of its list, one a flat region. */
static inline weft__cluster_pairs weft__adjacent_pairs_of(const weft__ccd* ccd, uint32_t cluster) {
  weft__cluster_pairs cluster_pairs = weft__cluster_pairs_of(&ccd->pairs, &ccd->pair_list[cluster]);
  weft__cluster_pair* end = cluster_pairs.begin + ccd->flatness.region_count[cluster];
  if (end < cluster_pairs.end) cluster_pairs.end = end;
  return cluster_pairs;
}

/* Flat region of a cluster pair; NULL if non-adjacent. */
static inline weft__flat_region* weft__cluster_pair_region(const weft__ccd* ccd, uint32_t cluster,
                                                           const weft__cluster_pair* cluster_pair) {
  if (cluster_pair->region == WEFT__NO_REGION) return NULL;
  return &ccd->flatness.regions[cluster][cluster_pair->region];
}

/* Scope of a roll back, on top of zones that are rolled back already. */
typedef enum weft__ccd_rollback {
  WEFT__ROLL_BACK_NONE = 0,
  WEFT__ROLL_BACK_ZONES = 1,  /* zones of hits */
  WEFT__ROLL_BACK_GROUPS = 2, /* and all clusters connected to these by cluster pairs */
  WEFT__ROLL_BACK_ALL = 3,    /* all clusters */
} weft__ccd_rollback;

/* Sets the particles of the first feature, then of the second; returns the number of the first. */
int weft__ccd_pair_particles(const weft__ccd* ccd, const weft__ccd_pair* pair,
                             uint32_t particle[4]);

/* Test of a feature pair for a time of impact in this pass. */
typedef struct weft__ccd_pair_test {
  weft__ccd_pair* pair;
  float size;   /* metres: smaller mean edge of the two clusters */
  bool may_hit; /* its time of impact is wanted */
  /* results */
  bool hits;
  float gap;        /* metres, collision radius included */
  float distance;   /* metres, at the start */
  double slack;     /* metres: lower bound on its distance in the pass, less the gap */
  float resolution; /* metres, of a hit: see modules/ccd/toi_batch.h */
  float normal[3];  /* closest points of a hit at the time of impact: see modules/ccd/toi_batch.h */
  float weight[4];
} weft__ccd_pair_test;

/* Tests pairs in lanes; pairs of one kind, vertex-face or edge-edge, share a batch. */
void weft__ccd_test_pairs(const weft__ccd* ccd, const weft__step_context* step,
                          weft__ccd_pair_test* tests, uint32_t count);

/* True if the face, or all faces of an edge, are torn or no longer CCD. */
bool weft__ccd_pair_is_torn(const weft__ccd* ccd, const weft__step_context* step,
                            const weft__ccd_pair* pair);

bool weft__ccd_edge_is_torn(const weft__ccd* ccd, const weft__step_context* step, uint32_t edge);

/* True if an edge crosses a face that it shares no particle with, with particles at `at`. One that
 * collision filters let pass, all of it or one end, crosses none. */
bool weft__ccd_edge_crosses_face(const weft__ccd* ccd, const weft__step_context* step,
                                 float* const at[3], const uint32_t end[2], uint32_t face);

/* Accumulates displacements, since the last update or, if `first`, since the pass began; then runs
 * the broad phase for expired clusters and pairs. */
void weft__ccd_update_displacements(weft__ccd* ccd, weft__step_context* step, bool first);

/* True if the pair is on a contour where cloth crosses already at the start: an edge at the vertex
 * crosses the face, or one edge crosses a face of the other. Adds its tests to *test_count. */
bool weft__ccd_pair_is_tangled(const weft__ccd* ccd, const weft__step_context* step,
                               const weft__ccd_pair* pair, uint32_t* test_count);

/* Counts the tests of all clusters, and leaves clusters few in this pass once the work of the step
 * is spent. */
void weft__ccd_spend(weft__ccd* ccd, const weft__step_context* step, uint64_t tests);

/* Result of a narrow phase, as bits. */
enum {
  WEFT__VERDICT_HITS = 1,      /* pairs hit */
  WEFT__VERDICT_OVERSPENT = 2, /* clusters are over budget */
};

/* Narrow phase: tests the feature pairs that have expired and marks hits. Returns the verdict. */
uint32_t weft__ccd_narrow_phase(weft__ccd* ccd, const weft__step_context* step);

/* Lists the hits of the round in ccd->hit, up to its capacity. */
void weft__ccd_list_hits(weft__ccd* ccd, weft__step_context* step);

/* Clears all impact zones, as a pass begins. */
void weft__ccd_clear_impact_zones(weft__ccd* ccd);

/* Moves or rolls back all zones again, after others have moved particles of them. */
void weft__ccd_move_impact_zones(weft__ccd* ccd, weft__step_context* step);

/* Adds a displacement of a mass, metres and kilograms, to the zone of a particle, unless it is
 * pinned: for weft__ccd_apply_impact_zones(), which moves all zones by the displacements added
 * since they moved. */
void weft__ccd_push_impact_zone(weft__ccd* ccd, const weft__step_context* step, uint32_t particle,
                                float mass, const float by[3]);
void weft__ccd_apply_impact_zones(weft__ccd* ccd, weft__step_context* step);

/* Joins hits to impact zones, and moves or rolls back all zones. */
void weft__ccd_join_impact_zones(weft__ccd* ccd, weft__step_context* step,
                                 weft__ccd_rollback scope);

/* Joins clusters that are over budget, and all clusters paired with them, to impact zones, and
 * moves these, or, if `is_rolling`, rolls new ones back. Returns true if zones grew. */
bool weft__ccd_join_overspent(weft__ccd* ccd, weft__step_context* step, bool is_rolling);

/* Solves the hits of a round as position constraints. */
void weft__ccd_solve(weft__ccd* ccd, weft__step_context* step);

/* Corrects a position. The correction counts as spread evenly over the substeps of the pass, so
 * velocity changes by the share of the last one. */
void weft__ccd_move(weft__ccd* ccd, weft__step_context* step, uint32_t particle, const float to[3]);

/* The same by a displacement, metres, within the bounds of the world. */
void weft__ccd_displace(weft__ccd* ccd, weft__step_context* step, uint32_t particle,
                        const float by[3]);

/* Shortens the edges that corrections of this pass have stretched beyond their limit, one after the
 * other, then joints, and marks the clusters of moved particles. */
void weft__ccd_limit_edges(weft__ccd* ccd, weft__step_context* step);
void weft__ccd_close_joints(weft__ccd* ccd, weft__step_context* step);

/* Marks all clusters of a particle as moved. Called outside tasks only. */
void weft__ccd_mark_moved(weft__ccd* ccd, uint32_t particle);

#endif
