/* Narrow phase: tests the feature pairs that have expired for a time of impact. */
#include <math.h>

#include "modules/ccd/ccd_steps.h"
#include "tables/joints.h"

#include "base/min_max.h"

// ---- feature pairs ----

int weft__ccd_pair_particles(const weft__ccd* ccd, const weft__ccd_pair* pair,
                             uint32_t particle[4]) {
  if ((pair->a & WEFT__EDGE_EDGE_PAIR) != 0) {
    const uint32_t* a = ccd->mesh.end[pair->a & ~WEFT__EDGE_EDGE_PAIR];
    const uint32_t* b = ccd->mesh.end[pair->b];
    for (int k = 0; k < 2; ++k) particle[k] = a[k];
    for (int k = 0; k < 2; ++k) particle[k + 2] = b[k];
    return 2;
  }
  const uint32_t* corner = ccd->faces->corner[pair->b];
  particle[0] = pair->a;
  for (int k = 0; k < 3; ++k) particle[k + 1] = corner[k];
  return 1;
}

bool weft__ccd_edge_is_torn(const weft__ccd* ccd, const weft__step_context* step, uint32_t edge) {
  for (int k = 0; k < 2; ++k) {
    const uint32_t face = ccd->mesh.side[edge][k];
    if (face == WEFT__NONE || weft__face_is_torn(ccd->faces, step->schedule, face)) continue;
    if (weft__face_is_ccd(ccd->faces, step->materials, face)) return false;
  }
  return true;
}

bool weft__ccd_pair_is_torn(const weft__ccd* ccd, const weft__step_context* step,
                            const weft__ccd_pair* pair) {
  if ((pair->a & WEFT__EDGE_EDGE_PAIR) == 0) {
    return weft__face_is_torn(ccd->faces, step->schedule, pair->b);
  }
  return weft__ccd_edge_is_torn(ccd, step, pair->a & ~WEFT__EDGE_EDGE_PAIR) ||
         weft__ccd_edge_is_torn(ccd, step, pair->b);
}

// ---- tangled at the start ----

// Six times the volume of a tetrahedron, or 0 if rounding could change its sign.
static double signed_volume(weft__vec3 a, weft__vec3 b, weft__vec3 c, weft__vec3 d) {
  const weft__vec3 u = weft__minus(a, d);
  const weft__vec3 v = weft__minus(b, d);
  const weft__vec3 w = weft__minus(c, d);
  const double terms[6] = {u.x * v.y * w.z, u.y * v.z * w.x, u.z * v.x * w.y,
                           u.z * v.y * w.x, u.x * v.z * w.y, u.y * v.x * w.z};
  double size = 0.0;
  for (int k = 0; k < 6; ++k) size += fabs(terms[k]);
  const double volume = (terms[0] + terms[1] + terms[2]) - (terms[3] + terms[4] + terms[5]);
  return fabs(volume) > 1e-14 * size ? volume : 0.0;
}

// True if collision filters let both ends of an edge collide with all corners of a face.
static bool filters_allow(const weft__materials* materials, const uint32_t end[2],
                          const uint32_t corner[3]) {
  for (int k = 0; k < 6; ++k) {
    const weft__material* a = weft__material_of(materials, end[k % 2]);
    const weft__material* b = weft__material_of(materials, corner[k / 2]);
    if (!weft__surfaces_collide(&a->surface, &b->surface)) return false;
  }
  return true;
}

// True if a weld holds an end of an edge to a corner of a face.
static bool are_welded(const weft__joints* joints, const uint32_t end[2],
                       const uint32_t corner[3]) {
  for (int k = 0; k < 6 && joints->count > 0; ++k) {
    if (weft__joints_weld(joints, end[k % 2], corner[k / 2])) return true;
  }
  return false;
}

bool weft__ccd_edge_crosses_face(const weft__ccd* ccd, const weft__step_context* step,
                                 float* const at[3], const uint32_t end[2], uint32_t face) {
  const uint32_t* corner = ccd->faces->corner[face];
  for (int k = 0; k < 3; ++k) {
    if (corner[k] == end[0] || corner[k] == end[1]) return false;
  }
  const weft__vec3 p = weft__vec3_at(at, end[0]);
  const weft__vec3 q = weft__vec3_at(at, end[1]);
  weft__vec3 c[3];
  for (int k = 0; k < 3; ++k) c[k] = weft__vec3_at(at, corner[k]);
  if (!(signed_volume(c[0], c[1], c[2], p) * signed_volume(c[0], c[1], c[2], q) < 0.0))
    return false;
  const double first = signed_volume(p, q, c[0], c[1]);
  return first * signed_volume(p, q, c[1], c[2]) > 0.0 &&
         first * signed_volume(p, q, c[2], c[0]) > 0.0 &&
         filters_allow(step->materials, end, corner) && !are_welded(step->joints, end, corner);
}

static bool edge_crosses_faces_of(const weft__ccd* ccd, const weft__step_context* step,
                                  uint32_t edge, uint32_t other) {
  for (int k = 0; k < 2; ++k) {
    const uint32_t face = ccd->mesh.side[other][k];
    if (face == WEFT__NONE || weft__face_is_torn(ccd->faces, step->schedule, face)) continue;
    if (weft__ccd_edge_crosses_face(ccd, step, ccd->start, ccd->mesh.end[edge], face)) return true;
  }
  return false;
}

static bool has_tangled(const uint8_t* tangled, const uint32_t* particle, int count) {
  for (int k = 0; k < count; ++k) {
    if (tangled[particle[k]]) return true;
  }
  return false;
}

// True if both sides have particles that are being untangled.
static bool are_tangled(const weft__ccd* ccd, const weft__ccd_pair* pair) {
  const uint8_t* tangled = weft__ccd_tangled(ccd);
  if (tangled == NULL) return false;
  if ((pair->a & WEFT__EDGE_EDGE_PAIR) == 0) {
    return tangled[pair->a] && has_tangled(tangled, ccd->faces->corner[pair->b], 3);
  }
  return has_tangled(tangled, ccd->mesh.end[pair->a & ~WEFT__EDGE_EDGE_PAIR], 2) &&
         has_tangled(tangled, ccd->mesh.end[pair->b], 2);
}

bool weft__ccd_pair_is_tangled(const weft__ccd* ccd, const weft__step_context* step,
                               const weft__ccd_pair* pair, uint32_t* test_count) {
  if ((pair->a & WEFT__EDGE_EDGE_PAIR) != 0) {
    const uint32_t a = pair->a & ~WEFT__EDGE_EDGE_PAIR;
    return edge_crosses_faces_of(ccd, step, a, pair->b) ||
           edge_crosses_faces_of(ccd, step, pair->b, a);
  }
  const weft__faces* faces = ccd->faces;
  const uint32_t end = faces->first_use[pair->a + 1];
  for (uint32_t n = faces->first_use[pair->a]; n < end; ++n) {
    if (weft__face_is_torn(faces, step->schedule, faces->use[n])) continue;
    ++*test_count;
    for (int k = 0; k < 3; ++k) {
      const uint32_t edge[2] = {pair->a, faces->corner[faces->use[n]][k]};
      if (edge[1] != pair->a && weft__ccd_edge_crosses_face(ccd, step, ccd->start, edge, pair->b))
        return true;
    }
  }
  return false;
}

// ---- tests ----

// Sums of all clusters in a round.
typedef struct round_job {
  weft__ccd* ccd;
  const weft__step_context* step;
  _Atomic uint64_t hits, strand_hits, crossed, overspent, test_count; /* see narrow_phase */
} round_job;

// Pairs that are tested together, at most.
#define QUEUE_PAIRS 64u

typedef struct expired_pair {
  weft__cluster_pair* cluster_pair;
  uint32_t cluster;
  float displacement; /* metres, of the cluster pair */
} expired_pair;

typedef struct narrow_phase {
  weft__ccd* ccd;
  const weft__step_context* step;
  uint64_t hits;
  uint64_t strand_hits; /* hits of strands among them */
  uint64_t crossed;     /* hits let pass: see weft__ccd_pair_is_tangled() */
  uint64_t overspent;   /* clusters newly over budget */
  uint64_t test_count;
  /* Queue of pairs that have expired, in the order of their lists. */
  uint32_t count;
  weft__ccd_pair_test test[QUEUE_PAIRS];
  expired_pair expired[QUEUE_PAIRS];
} narrow_phase;

// True if all particles are of one impact zone, so that only rounding makes a hit. Pinned ones move
// by themselves.
static bool moves_as_one(const narrow_phase* phase, const weft__ccd_pair* pair) {
  const weft__ccd* ccd = phase->ccd;
  if (ccd->zone_particle_count == 0) return false;
  uint32_t particle[4];
  (void)weft__ccd_pair_particles(ccd, pair, particle);
  for (int k = 0; k < 4; ++k) {
    if (ccd->zone_parent[particle[k]] == WEFT__NONE ||
        ccd->zone_parent[particle[k]] != ccd->zone_parent[particle[0]] ||
        phase->step->particles->inv_mass[particle[k]] == 0.0f) {
      return false;
    }
  }
  return true;
}

// True if a hit counts: its features are not torn, do not move as one, and do not cross at the
// start.
static bool is_valid_hit(narrow_phase* phase, const weft__ccd_pair* pair, uint32_t* test_count) {
  if (moves_as_one(phase, pair)) return false;
  if (weft__ccd_pair_is_torn(phase->ccd, phase->step, pair)) return false;
  if (!weft__ccd_pair_is_tangled(phase->ccd, phase->step, pair, test_count)) return true;
  ++phase->crossed;
  return false;
}

// True for a pair of edges of which one is a strand.
static bool is_of_strands(const weft__ccd* ccd, const weft__ccd_pair* pair) {
  if ((pair->a & WEFT__EDGE_EDGE_PAIR) == 0) return false;
  const uint32_t a = ccd->mesh.side[pair->a & ~WEFT__EDGE_EDGE_PAIR][0];
  return a >= ccd->mesh.first_strand || ccd->mesh.side[pair->b][0] >= ccd->mesh.first_strand;
}

// Spends the budget for a test and takes its result. Out of budget, the pair stays open.
static void finish_test(narrow_phase* phase, const weft__ccd_pair_test* test,
                        const expired_pair* expired) {
  weft__cluster_pair_list* list = &phase->ccd->pair_list[expired->cluster];
  weft__ccd_pair* pair = test->pair;
  if (!weft__ccd_is_over_budget(list)) {
    ++list->test_count;
    ++phase->test_count;
    pair->valid_until = test->slack > 0.0 ? expired->displacement + (float)test->slack * 0.999f
                                          : expired->displacement;
    if (test->hits && is_valid_hit(phase, pair, &list->test_count)) {
      pair->valid_until = WEFT__PAIR_HIT;
      ++list->hit_count;
      if (is_of_strands(phase->ccd, pair)) ++phase->strand_hits;
    }
  }
  expired->cluster_pair->valid_until =
      weft__minf(expired->cluster_pair->valid_until, pair->valid_until);
}

static void test_queue(narrow_phase* phase) {
  weft__ccd_test_pairs(phase->ccd, phase->step, phase->test, phase->count);
  for (uint32_t n = 0; n < phase->count; ++n) {
    finish_test(phase, &phase->test[n], &phase->expired[n]);
  }
  phase->count = 0;
}

static void queue_pair(narrow_phase* phase, weft__ccd_pair* pair, float size,
                       expired_pair expired) {
  if (phase->count == QUEUE_PAIRS) test_queue(phase);
  phase->test[phase->count] =
      (weft__ccd_pair_test){.pair = pair, .size = size, .may_hit = !are_tangled(phase->ccd, pair)};
  phase->expired[phase->count++] = expired;
}

// Queues the pairs of a cluster pair that have expired; sets the lowest validity of the others.
static void queue_cluster_pair(narrow_phase* phase, uint32_t cluster,
                               weft__cluster_pair* cluster_pair) {
  if (cluster_pair->pair_count == 0) return;
  const weft__ccd* ccd = phase->ccd;
  const float displacement = weft__ccd_displacement_of(ccd, cluster, cluster_pair);
  if (weft__ccd_is_valid(displacement, cluster_pair->valid_until)) return;
  cluster_pair->valid_until = INFINITY;
  if (!weft__cluster_pair_is_current(ccd, cluster_pair)) {
    cluster_pair->pair_count = 0;
    return;
  }
  const float size =
      weft__minf(ccd->clusters.size[cluster], ccd->clusters.size[cluster_pair->other]);
  weft__ccd_pair* pair = ccd->pairs.pair + cluster_pair->first_pair;
  for (uint32_t n = 0; n < cluster_pair->pair_count; ++n) {
    // out of budget: the remaining pairs stay open
    if (weft__ccd_is_over_budget(&ccd->pair_list[cluster])) {
      cluster_pair->valid_until = -INFINITY;
      return;
    }
    if (weft__ccd_is_valid(displacement, pair[n].valid_until)) {
      cluster_pair->valid_until = weft__minf(cluster_pair->valid_until, pair[n].valid_until);
    } else {
      queue_pair(phase, &pair[n], size, (expired_pair){cluster_pair, cluster, displacement});
    }
  }
}

static void queue_cluster(narrow_phase* phase, uint32_t cluster) {
  weft__ccd* ccd = phase->ccd;
  weft__cluster_pair_list* list = &ccd->pair_list[cluster];
  list->hit_count = 0;
  if (ccd->zone_state[cluster] == WEFT__ZONE_OVER_BUDGET || list->pair_demand == 0) return;
  const weft__cluster_pairs cluster_pairs = weft__cluster_pairs_of(&ccd->pairs, list);
  for (weft__cluster_pair* cluster_pair = cluster_pairs.begin; cluster_pair < cluster_pairs.end;
       ++cluster_pair) {
    if (!weft__cluster_pair_is_in_zone(ccd, cluster, cluster_pair) &&
        !weft__clusters_are_tangled(ccd, cluster, cluster_pair->other))
      queue_cluster_pair(phase, cluster, cluster_pair);
  }
}

// Exclusive prefix sum of hits by cluster; hits beyond capacity are found again in the next round.
static void assign_hit_slots(weft__ccd* ccd) {
  uint64_t count = 0;
  for (uint32_t n = 0; n < ccd->active_count; ++n) {
    const weft__range clusters = weft__ccd_octet(ccd, ccd->active[n]);
    for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
      ccd->pair_list[c].first_hit = (uint32_t)(count < UINT32_MAX / 2 ? count : UINT32_MAX / 2);
      count += ccd->pair_list[c].hit_count;
    }
  }
  ccd->listed_hits = count < ccd->hit_capacity ? (uint32_t)count : ccd->hit_capacity;
}

static void test_octet(narrow_phase* phase, uint32_t octet) {
  weft__ccd* ccd = phase->ccd;
  const weft__range clusters = weft__ccd_octet(ccd, octet);
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
    if (weft__ccd_is_affected(ccd, c)) queue_cluster(phase, c);
  }
  if (phase->count > 0) test_queue(phase);
  ccd->is_open[octet] = 0;
  for (uint32_t c = clusters.begin; c < clusters.end; ++c) {
    const weft__cluster_pair_list* list = &ccd->pair_list[c];
    if (!weft__ccd_is_affected(ccd, c)) continue;
    const bool is_over_budget = weft__ccd_is_over_budget(list);
    phase->hits += list->hit_count;
    if (is_over_budget && ccd->zone_state[c] != WEFT__ZONE_OVER_BUDGET) ++phase->overspent;
    if (list->hit_count > 0 || list->needs_pairs || is_over_budget) ccd->is_open[octet] = 1;
  }
}

static void test_clusters(void* context, weft__range octets, uint32_t worker) {
  (void)worker;
  round_job* job = context;
  narrow_phase phase;
  phase.ccd = job->ccd;
  phase.step = job->step;
  phase.hits = phase.strand_hits = phase.crossed = phase.overspent = phase.test_count = 0;
  phase.count = 0;
  for (uint32_t n = octets.begin; n < octets.end; ++n) test_octet(&phase, job->ccd->active[n]);
  weft__ccd_add(&job->hits, phase.hits);
  weft__ccd_add(&job->strand_hits, phase.strand_hits);
  weft__ccd_add(&job->crossed, phase.crossed);
  weft__ccd_add(&job->overspent, phase.overspent);
  weft__ccd_add(&job->test_count, phase.test_count);
}

uint32_t weft__ccd_narrow_phase(weft__ccd* ccd, const weft__step_context* step) {
  round_job job = {.ccd = ccd, .step = step};
  weft__step_for(step, ccd->active_count, WEFT__CCD_SEARCH_GRAIN, test_clusters, &job);
  weft__ccd_spend(ccd, step, job.test_count);
  ++ccd->round_count;
  if (ccd->round++ == 0) {
    // a load on a rope is carried by few hits: each counts as many
    ccd->last_hits = job.strand_hits > 0 ? UINT32_MAX : (uint32_t)job.hits;
    ccd->hit_count += (uint32_t)job.hits;
    ccd->tangled_count += (uint32_t)job.crossed;
  }
  if (job.hits > 0) assign_hit_slots(ccd);
  return (job.hits > 0 ? WEFT__VERDICT_HITS : 0u) |
         (job.overspent > 0 || ccd->has_overspent ? WEFT__VERDICT_OVERSPENT : 0u);
}
