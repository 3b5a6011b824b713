/* Deciding which pairs meet. */
#include <math.h>

#include "collision/ccd/candidates.h"

// ---- a pair ----

weft__ccd_case weft__ccd_case_of(const weft__ccd* ccd, const weft__contact_stage* stage,
                                 const weft__ccd_pair* pair, float size) {
  weft__ccd_case c = {.gap = WEFT__CCD_GAP * size, .margin = WEFT__CCD_GAP * size};
  if ((pair->a & WEFT__PAIR_OF_EDGES) != 0) {
    const uint32_t* a = ccd->web.end[pair->a & ~WEFT__PAIR_OF_EDGES];
    const uint32_t* b = ccd->web.end[pair->b];
    c.toi.first_count = 2;
    for (int k = 0; k < 2; ++k) c.particle[k] = a[k];
    for (int k = 0; k < 2; ++k) c.particle[k + 2] = b[k];
  } else {
    const uint32_t* corner = ccd->faces->corner[pair->b];
    const weft__material* material = weft__material_of(stage->materials, pair->a);
    if (material->shape != WEFT_CONTACT_CLOTH) c.gap += material->half_size[0];
    c.toi.first_count = 1;
    c.particle[0] = pair->a;
    for (int k = 0; k < 3; ++k) c.particle[k + 1] = corner[k];
  }
  const weft__particles* p = stage->particles;
  const uint32_t o = c.particle[0];
  const double origin[3] = {(double)ccd->start[0][o], (double)ccd->start[1][o],
                            (double)ccd->start[2][o]};
  for (int k = 0; k < 4; ++k) {
    const uint32_t i = c.particle[k];
    const double x = (double)ccd->start[0][i];
    const double y = (double)ccd->start[1][i];
    const double z = (double)ccd->start[2][i];
    c.toi.start[k] = (weft__vec3){x - origin[0], y - origin[1], z - origin[2]};
    c.toi.way[k] =
        (weft__vec3){(double)p->pos_x[i] - x, (double)p->pos_y[i] - y, (double)p->pos_z[i] - z};
  }
  return c;
}

static bool edge_is_gone(const weft__ccd* ccd, const weft__contact_stage* stage, uint32_t edge) {
  for (int k = 0; k < 2; ++k) {
    const uint32_t face = ccd->web.side[edge][k];
    if (face == WEFT__NONE || weft__face_is_gone(ccd->faces, stage->schedule, face)) continue;
    bool is_ccd = true;
    for (int corner = 0; corner < 3; ++corner) {
      is_ccd &= weft__material_of(stage->materials, ccd->faces->corner[face][corner])->ccd;
    }
    if (is_ccd) return false;
  }
  return true;
}

bool weft__ccd_pair_is_gone(const weft__ccd* ccd, const weft__contact_stage* stage,
                            const weft__ccd_pair* pair) {
  if ((pair->a & WEFT__PAIR_OF_EDGES) == 0) {
    return weft__face_is_gone(ccd->faces, stage->schedule, pair->b);
  }
  return edge_is_gone(ccd, stage, pair->a & ~WEFT__PAIR_OF_EDGES) ||
         edge_is_gone(ccd, stage, pair->b);
}

bool weft__ccd_case_meets(const weft__ccd_case* c, const weft__nearness* at_start, double bound,
                          double* time, weft__nearness* nearness) {
  // what touches, but for rounding, has no sides
  if (!(at_start->distance > 1e-9 * (double)c->gap)) return false;
  const double least = 0.9 * at_start->distance;
  const double gap = (double)c->gap < least ? (double)c->gap : least;
  return !(bound >= gap) && weft__toi_find(&c->toi, gap, time, nearness);
}

// ---- crossing at the start ----

static weft__vec3 start_of(const weft__ccd* ccd, uint32_t particle) {
  return (weft__vec3){(double)ccd->start[0][particle], (double)ccd->start[1][particle],
                      (double)ccd->start[2][particle]};
}

// six times the volume of a tetrahedron, or 0 where rounding could turn its sign
static double volume_of(weft__vec3 a, weft__vec3 b, weft__vec3 c, weft__vec3 d) {
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

// an edge goes through a face that it shares no particle with
static bool edge_crosses(const weft__ccd* ccd, const uint32_t end[2], uint32_t face) {
  const uint32_t* corner = ccd->faces->corner[face];
  for (int k = 0; k < 3; ++k) {
    if (corner[k] == end[0] || corner[k] == end[1]) return false;
  }
  const weft__vec3 p = start_of(ccd, end[0]);
  const weft__vec3 q = start_of(ccd, end[1]);
  weft__vec3 at[3];
  for (int k = 0; k < 3; ++k) at[k] = start_of(ccd, corner[k]);
  if (!(volume_of(at[0], at[1], at[2], p) * volume_of(at[0], at[1], at[2], q) < 0.0)) return false;
  const double first = volume_of(p, q, at[0], at[1]);
  return first * volume_of(p, q, at[1], at[2]) > 0.0 && first * volume_of(p, q, at[2], at[0]) > 0.0;
}

static bool edge_crosses_sides(const weft__ccd* ccd, const weft__contact_stage* stage,
                               uint32_t edge, uint32_t other) {
  for (int k = 0; k < 2; ++k) {
    const uint32_t face = ccd->web.side[other][k];
    if (face == WEFT__NONE || weft__face_is_gone(ccd->faces, stage->schedule, face)) continue;
    if (edge_crosses(ccd, ccd->web.end[edge], face)) return true;
  }
  return false;
}

bool weft__ccd_pair_is_crossed(const weft__ccd* ccd, const weft__contact_stage* stage,
                               const weft__ccd_pair* pair, uint32_t* test_count) {
  if ((pair->a & WEFT__PAIR_OF_EDGES) != 0) {
    const uint32_t a = pair->a & ~WEFT__PAIR_OF_EDGES;
    return edge_crosses_sides(ccd, stage, a, pair->b) || edge_crosses_sides(ccd, stage, pair->b, a);
  }
  const weft__faces* faces = ccd->faces;
  const uint32_t end = faces->first_use[pair->a + 1];
  for (uint32_t n = faces->first_use[pair->a]; n < end; ++n) {
    if (weft__face_is_gone(faces, stage->schedule, faces->use[n])) continue;
    ++*test_count;
    for (int k = 0; k < 3; ++k) {
      const uint32_t edge[2] = {pair->a, faces->corner[faces->use[n]][k]};
      if (edge[1] != pair->a && edge_crosses(ccd, edge, pair->b)) return true;
    }
  }
  return false;
}

// ---- deciding ----

typedef struct look {
  weft__ccd* ccd;
  const weft__contact_stage* stage;
  uint64_t hits;      /* pairs that meet */
  uint64_t crossed;   /* pairs that meet, and are left alone: see weft__ccd_pair_is_crossed() */
  uint64_t overspent; /* blocks that are over their budget, and were not before */
  uint64_t test_count;
} look;

static bool decide_pair(look* l, weft__ccd_pair* pair, float size, float path,
                        uint32_t* test_count) {
  const weft__ccd_case c = weft__ccd_case_of(l->ccd, l->stage, pair, size);
  const weft__nearness near = weft__toi_nearness(&c.toi, 0.0);
  const double bound = weft__toi_bound(&c.toi, near.normal, 0.0);
  const double room = bound - (double)c.gap;
  ++*test_count;
  ++l->test_count;
  pair->key = room > 0.0 ? path + (float)room * 0.999f : path;
  if (room > 0.0) return false;
  double time;
  weft__nearness there;
  if (!weft__ccd_case_meets(&c, &near, bound, &time, &there)) return false;
  if (weft__ccd_pair_is_gone(l->ccd, l->stage, pair)) return false;
  if (weft__ccd_pair_is_crossed(l->ccd, l->stage, pair, test_count)) {
    ++l->crossed;
    return false;
  }
  pair->key = WEFT__PAIR_MEETS;
  return true;
}

static uint32_t decide_run(look* l, uint32_t block, weft__cluster_pair* run) {
  if (run->pair_count == 0) return 0;
  weft__ccd* ccd = l->ccd;
  weft__cluster_pair_list* chain = &ccd->chain[block];
  const float path = weft__ccd_displacement_of(ccd, block, run);
  if (path <= run->key) return 0;
  if (!weft__cluster_pair_counts(ccd, run)) {
    run->pair_count = 0;
    run->key = INFINITY;
    return 0;
  }
  const float size = fminf(ccd->blocks.size[block], ccd->blocks.size[run->other]);
  uint32_t hits = 0;
  float least = INFINITY;
  weft__ccd_pair* pair = ccd->pairs.pair + run->first_pair;
  for (uint32_t n = 0; n < run->pair_count; ++n) {
    // the rest stays open
    if (weft__ccd_is_over_budget(chain)) {
      least = -INFINITY;
      break;
    }
    if (!(path <= pair[n].key) && decide_pair(l, &pair[n], size, path, &chain->test_count)) ++hits;
    if (pair[n].key < least) least = pair[n].key;
  }
  run->key = least;
  return hits;
}

static uint32_t decide_chain(look* l, uint32_t block) {
  weft__ccd* ccd = l->ccd;
  const weft__cluster_pair_list* chain = &ccd->chain[block];
  uint32_t hits = 0;
  if (ccd->zoning[block] == WEFT__ZONED_OVER_BUDGET) return 0;
  if (chain->wanted_pairs > 0) {
    const weft__cluster_pairs runs = weft__cluster_pairs_of(&ccd->pairs, chain);
    for (weft__cluster_pair* run = runs.begin; run < runs.end; ++run) {
      if (!weft__cluster_pair_is_zoned(ccd, block, run)) hits += decide_run(l, block, run);
    }
  }
  if (weft__ccd_is_over_budget(chain)) ++l->overspent;
  return hits;
}

// where the hits of each block are listed
static void place_hits(weft__ccd* ccd) {
  uint64_t count = 0;
  for (uint32_t b = 0; b < ccd->blocks.block_count; ++b) {
    ccd->chain[b].first_hit = (uint32_t)(count < UINT32_MAX / 2 ? count : UINT32_MAX / 2);
    count += ccd->chain[b].hit_count;
  }
  ccd->kept_hits = count < ccd->hit_capacity ? (uint32_t)count : ccd->hit_capacity;
}

// completion
static uint32_t end_round(void* context) {
  weft__ccd* e = context;
  const uint64_t hits = atomic_exchange_explicit(&e->hits, 0, memory_order_relaxed);
  const uint64_t overspent = atomic_exchange_explicit(&e->overspent, 0, memory_order_relaxed);
  const uint64_t crossed = atomic_exchange_explicit(&e->crossed, 0, memory_order_relaxed);
  ++e->round_count;
  if (e->round++ == 0) {
    e->last_hits = (uint32_t)hits;
    e->hit_count += (uint32_t)hits;
    e->crossed_count += (uint32_t)crossed;
  }
  if (hits > 0) place_hits(e);
  return (hits > 0 ? WEFT__VERDICT_HITS : 0u) |
         (overspent > 0 || e->has_overspent ? WEFT__VERDICT_OVERSPENT : 0u);
}

uint32_t weft__ccd_narrow_phase(weft__ccd* ccd, const weft__contact_stage* stage) {
  look l = {.ccd = ccd, .stage = stage};
  for (uint32_t b = weft__ccd_first_cluster(stage); b < ccd->blocks.block_count;
       b = weft__ccd_next_cluster(stage, b)) {
    ccd->chain[b].hit_count = decide_chain(&l, b);
    l.hits += ccd->chain[b].hit_count;
  }
  // whole numbers: in whichever order they are added
  if (l.hits > 0) atomic_fetch_add_explicit(&ccd->hits, l.hits, memory_order_relaxed);
  if (l.crossed > 0) atomic_fetch_add_explicit(&ccd->crossed, l.crossed, memory_order_relaxed);
  if (l.overspent > 0) {
    atomic_fetch_add_explicit(&ccd->overspent, l.overspent, memory_order_relaxed);
  }
  if (l.test_count > 0) {
    atomic_fetch_add_explicit(&ccd->tests, l.test_count, memory_order_relaxed);
  }
  return weft__worker_pool_decide(stage->pool, end_round, ccd);
}
