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

// ---- deciding ----

typedef struct look {
  weft__exact* exact;
  const weft__contact_stage* stage;
  bool stopping;
} look;

static void mark(const look* l, const weft__exact_case* c) {
  // all who mark a particle write the same, and read it after they have met
  for (int k = 0; k < 4; ++k) {
    __atomic_store_n(&l->exact->put_back[c->particle[k]], 1, __ATOMIC_RELAXED);
  }
}

static bool decide_pair(const look* l, weft__exact_pair* pair, float size, float path) {
  const weft__exact_case c = weft__exact_case_of(l->exact, l->stage, pair, size);
  const weft__nearness near = weft__meeting_nearness(&c.meeting, 0.0);
  const double bound = weft__meeting_bound(&c.meeting, near.normal, 0.0);
  const double room = bound - (double)c.gap;
  pair->key = room > 0.0 ? path + (float)room * 0.999f : path;
  if (room > 0.0) return false;
  double time;
  weft__nearness there;
  if (!weft__exact_case_meets(&c, &near, bound, &time, &there)) return false;
  if (weft__exact_pair_is_gone(l->exact, l->stage, pair)) return false;
  pair->key = WEFT__PAIR_MEETS;
  if (l->stopping) mark(l, &c);
  return true;
}

static uint32_t decide_run(const look* l, uint32_t block, weft__exact_run* run) {
  if (run->pair_count == 0) return 0;
  weft__exact* exact = l->exact;
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
    if (!(path <= pair[n].key) && decide_pair(l, &pair[n], size, path)) ++hits;
    if (pair[n].key < least) least = pair[n].key;
  }
  run->key = least;
  return hits;
}

uint64_t weft__exact_decide(weft__exact* exact, const weft__contact_stage* stage, bool stopping) {
  const look l = {exact, stage, stopping};
  uint64_t hits = 0;
  for (uint32_t b = weft__exact_first_block(stage); b < exact->blocks.block_count;
       b = weft__exact_next_block(stage, b)) {
    weft__exact_chain* chain = &exact->chain[b];
    chain->hit_count = 0;
    if (chain->wanted_pairs == 0) continue;
    const weft__exact_runs runs = weft__exact_runs_of(&exact->pairs, chain);
    for (weft__exact_run* run = runs.begin; run < runs.end; ++run) {
      chain->hit_count += decide_run(&l, b, run);
    }
    hits += chain->hit_count;
  }
  // whole numbers: in whichever order they are added
  if (hits > 0) atomic_fetch_add_explicit(&exact->hits, hits, memory_order_relaxed);
  weft__worker_pool_meet(stage->pool);
  return atomic_load_explicit(&exact->hits, memory_order_relaxed);
}
