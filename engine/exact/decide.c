/* Deciding which pairs meet. */
#include <math.h>

#include "exact/near.h"

// ---- a pair ----

weft__exact_case weft__exact_case_of(const weft__exact* exact, const weft__contact_stage* stage,
                                     const weft__exact_pair* pair, float size) {
  weft__exact_case c = {.gap = WEFT__EXACT_GAP * size, .margin = WEFT__EXACT_GAP * size};
  if ((pair->a & WEFT__PAIR_OF_EDGES) != 0) {
    const uint32_t* a = exact->web.end[pair->a & ~WEFT__PAIR_OF_EDGES];
    const uint32_t* b = exact->web.end[pair->b];
    c.meeting.first_count = 2;
    for (int k = 0; k < 2; ++k) c.particle[k] = a[k];
    for (int k = 0; k < 2; ++k) c.particle[k + 2] = b[k];
  } else {
    const uint32_t* corner = exact->faces->corner[pair->b];
    const weft__material* material = weft__material_of(stage->materials, pair->a);
    if (material->shape != WEFT_CONTACT_CLOTH) c.gap += material->half_size[0];
    c.meeting.first_count = 1;
    c.particle[0] = pair->a;
    for (int k = 0; k < 3; ++k) c.particle[k + 1] = corner[k];
  }
  const weft__particles* p = stage->particles;
  const uint32_t o = c.particle[0];
  const double origin[3] = {(double)exact->start[0][o], (double)exact->start[1][o],
                            (double)exact->start[2][o]};
  for (int k = 0; k < 4; ++k) {
    const uint32_t i = c.particle[k];
    const double x = (double)exact->start[0][i];
    const double y = (double)exact->start[1][i];
    const double z = (double)exact->start[2][i];
    c.meeting.start[k] = (weft__vector){x - origin[0], y - origin[1], z - origin[2]};
    c.meeting.way[k] =
        (weft__vector){(double)p->pos_x[i] - x, (double)p->pos_y[i] - y, (double)p->pos_z[i] - z};
  }
  return c;
}

static bool edge_is_gone(const weft__exact* exact, const weft__contact_stage* stage,
                         uint32_t edge) {
  for (int k = 0; k < 2; ++k) {
    const uint32_t face = exact->web.side[edge][k];
    if (face == WEFT__NONE || weft__face_is_gone(exact->faces, stage->schedule, face)) continue;
    bool is_exact = true;
    for (int corner = 0; corner < 3; ++corner) {
      is_exact &= weft__material_of(stage->materials, exact->faces->corner[face][corner])->exact;
    }
    if (is_exact) return false;
  }
  return true;
}

bool weft__exact_pair_is_gone(const weft__exact* exact, const weft__contact_stage* stage,
                              const weft__exact_pair* pair) {
  if ((pair->a & WEFT__PAIR_OF_EDGES) == 0) {
    return weft__face_is_gone(exact->faces, stage->schedule, pair->b);
  }
  return edge_is_gone(exact, stage, pair->a & ~WEFT__PAIR_OF_EDGES) ||
         edge_is_gone(exact, stage, pair->b);
}

bool weft__exact_case_meets(const weft__exact_case* c, const weft__nearness* at_start, double bound,
                            double* time, weft__nearness* nearness) {
  // what touches, but for rounding, has no sides
  if (!(at_start->distance > 1e-9 * (double)c->gap)) return false;
  const double least = 0.9 * at_start->distance;
  const double gap = (double)c->gap < least ? (double)c->gap : least;
  return !(bound >= gap) && weft__meeting_find(&c->meeting, gap, time, nearness);
}

// ---- crossing at the start ----

static weft__vector start_of(const weft__exact* exact, uint32_t particle) {
  return (weft__vector){(double)exact->start[0][particle], (double)exact->start[1][particle],
                        (double)exact->start[2][particle]};
}

// six times the volume of a tetrahedron, or 0 where rounding could turn its sign
static double volume_of(weft__vector a, weft__vector b, weft__vector c, weft__vector d) {
  const weft__vector u = weft__minus(a, d);
  const weft__vector v = weft__minus(b, d);
  const weft__vector w = weft__minus(c, d);
  const double terms[6] = {u.x * v.y * w.z, u.y * v.z * w.x, u.z * v.x * w.y,
                           u.z * v.y * w.x, u.x * v.z * w.y, u.y * v.x * w.z};
  double size = 0.0;
  for (int k = 0; k < 6; ++k) size += fabs(terms[k]);
  const double volume = (terms[0] + terms[1] + terms[2]) - (terms[3] + terms[4] + terms[5]);
  return fabs(volume) > 1e-14 * size ? volume : 0.0;
}

// an edge goes through a face that it shares no particle with
static bool edge_crosses(const weft__exact* exact, const uint32_t end[2], uint32_t face) {
  const uint32_t* corner = exact->faces->corner[face];
  for (int k = 0; k < 3; ++k) {
    if (corner[k] == end[0] || corner[k] == end[1]) return false;
  }
  const weft__vector p = start_of(exact, end[0]);
  const weft__vector q = start_of(exact, end[1]);
  weft__vector at[3];
  for (int k = 0; k < 3; ++k) at[k] = start_of(exact, corner[k]);
  if (!(volume_of(at[0], at[1], at[2], p) * volume_of(at[0], at[1], at[2], q) < 0.0)) return false;
  const double first = volume_of(p, q, at[0], at[1]);
  return first * volume_of(p, q, at[1], at[2]) > 0.0 && first * volume_of(p, q, at[2], at[0]) > 0.0;
}

static bool edge_crosses_sides(const weft__exact* exact, const weft__contact_stage* stage,
                               uint32_t edge, uint32_t other) {
  for (int k = 0; k < 2; ++k) {
    const uint32_t face = exact->web.side[other][k];
    if (face == WEFT__NONE || weft__face_is_gone(exact->faces, stage->schedule, face)) continue;
    if (edge_crosses(exact, exact->web.end[edge], face)) return true;
  }
  return false;
}

bool weft__exact_pair_is_crossed(const weft__exact* exact, const weft__contact_stage* stage,
                                 const weft__exact_pair* pair, uint32_t* test_count) {
  if ((pair->a & WEFT__PAIR_OF_EDGES) != 0) {
    const uint32_t a = pair->a & ~WEFT__PAIR_OF_EDGES;
    return edge_crosses_sides(exact, stage, a, pair->b) ||
           edge_crosses_sides(exact, stage, pair->b, a);
  }
  const weft__faces* faces = exact->faces;
  const uint32_t end = faces->first_use[pair->a + 1];
  for (uint32_t n = faces->first_use[pair->a]; n < end; ++n) {
    if (weft__face_is_gone(faces, stage->schedule, faces->use[n])) continue;
    ++*test_count;
    for (int k = 0; k < 3; ++k) {
      const uint32_t edge[2] = {pair->a, faces->corner[faces->use[n]][k]};
      if (edge[1] != pair->a && edge_crosses(exact, edge, pair->b)) return true;
    }
  }
  return false;
}

// ---- deciding ----

typedef struct look {
  weft__exact* exact;
  const weft__contact_stage* stage;
  uint64_t hits;      /* pairs that meet */
  uint64_t crossed;   /* pairs that meet, and are left alone: see weft__exact_pair_is_crossed() */
  uint64_t overspent; /* blocks that are over their budget, and were not before */
  uint64_t test_count;
} look;

static bool decide_pair(look* l, weft__exact_pair* pair, float size, float path,
                        uint32_t* test_count) {
  const weft__exact_case c = weft__exact_case_of(l->exact, l->stage, pair, size);
  const weft__nearness near = weft__meeting_nearness(&c.meeting, 0.0);
  const double bound = weft__meeting_bound(&c.meeting, near.normal, 0.0);
  const double room = bound - (double)c.gap;
  ++*test_count;
  ++l->test_count;
  pair->key = room > 0.0 ? path + (float)room * 0.999f : path;
  if (room > 0.0) return false;
  double time;
  weft__nearness there;
  if (!weft__exact_case_meets(&c, &near, bound, &time, &there)) return false;
  if (weft__exact_pair_is_gone(l->exact, l->stage, pair)) return false;
  if (weft__exact_pair_is_crossed(l->exact, l->stage, pair, test_count)) {
    ++l->crossed;
    return false;
  }
  pair->key = WEFT__PAIR_MEETS;
  return true;
}

static uint32_t decide_run(look* l, uint32_t block, weft__exact_run* run) {
  if (run->pair_count == 0) return 0;
  weft__exact* exact = l->exact;
  weft__exact_chain* chain = &exact->chain[block];
  const float path = weft__exact_path_of(exact, block, run);
  if (path <= run->key) return 0;
  if (!weft__exact_run_counts(exact, run)) {
    run->pair_count = 0;
    run->key = INFINITY;
    return 0;
  }
  const float size = fminf(exact->blocks.size[block], exact->blocks.size[run->other]);
  uint32_t hits = 0;
  float least = INFINITY;
  weft__exact_pair* pair = exact->pairs.pair + run->first_pair;
  for (uint32_t n = 0; n < run->pair_count; ++n) {
    // the rest stays open
    if (weft__exact_is_over_budget(chain)) {
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
  weft__exact* exact = l->exact;
  const weft__exact_chain* chain = &exact->chain[block];
  uint32_t hits = 0;
  if (exact->zoning[block] == WEFT__ZONED_OVER_BUDGET) return 0;
  if (chain->wanted_pairs > 0) {
    const weft__exact_runs runs = weft__exact_runs_of(&exact->pairs, chain);
    for (weft__exact_run* run = runs.begin; run < runs.end; ++run) {
      if (!weft__exact_run_is_zoned(exact, block, run)) hits += decide_run(l, block, run);
    }
  }
  if (weft__exact_is_over_budget(chain)) ++l->overspent;
  return hits;
}

// where the hits of each block are listed
static void place_hits(weft__exact* exact) {
  uint64_t count = 0;
  for (uint32_t b = 0; b < exact->blocks.block_count; ++b) {
    exact->chain[b].first_hit = (uint32_t)(count < UINT32_MAX / 2 ? count : UINT32_MAX / 2);
    count += exact->chain[b].hit_count;
  }
  exact->kept_hits = count < exact->hit_capacity ? (uint32_t)count : exact->hit_capacity;
}

// completion
static uint32_t end_round(void* context) {
  weft__exact* e = context;
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

uint32_t weft__exact_decide(weft__exact* exact, const weft__contact_stage* stage) {
  look l = {.exact = exact, .stage = stage};
  for (uint32_t b = weft__exact_first_block(stage); b < exact->blocks.block_count;
       b = weft__exact_next_block(stage, b)) {
    exact->chain[b].hit_count = decide_chain(&l, b);
    l.hits += exact->chain[b].hit_count;
  }
  // whole numbers: in whichever order they are added
  if (l.hits > 0) atomic_fetch_add_explicit(&exact->hits, l.hits, memory_order_relaxed);
  if (l.crossed > 0) atomic_fetch_add_explicit(&exact->crossed, l.crossed, memory_order_relaxed);
  if (l.overspent > 0) {
    atomic_fetch_add_explicit(&exact->overspent, l.overspent, memory_order_relaxed);
  }
  if (l.test_count > 0) {
    atomic_fetch_add_explicit(&exact->tests, l.test_count, memory_order_relaxed);
  }
  return weft__worker_pool_decide(stage->pool, end_round, exact);
}
