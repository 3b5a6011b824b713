/* Counting ways, and deciding which pairs meet. */
#include <math.h>
#include <string.h>

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

// ---- ways ----

static float way_of(const weft__exact* exact, const weft__particles* p, uint32_t block) {
  const weft__range members = weft__block_range(exact->blocks.first_member, block);
  float most = 0.0f;
  for (uint32_t m = members.begin; m < members.end; ++m) {
    const uint32_t i = exact->blocks.member[m];
    const float x = p->pos_x[i] - exact->seen[0][i];
    const float y = p->pos_y[i] - exact->seen[1][i];
    const float z = p->pos_z[i] - exact->seen[2][i];
    const float way = x * x + y * y + z * z;
    if (!(way <= most)) most = way;
  }
  return sqrtf(most) * 1.0001f;
}

// of more blocks than this share it is better to find all anew
static bool are_many(const weft__exact* exact, uint32_t left) {
  return left > exact->blocks.block_count / 4;
}

static void look_again(weft__exact* exact, const weft__contact_stage* stage) {
  const weft__range all = weft__share(exact->particle_count, stage->worker, stage->worker_count);
  for (int axis = 0; axis < 3; ++axis) {
    memcpy(exact->seen[axis] + all.begin, weft__axis_of(stage->particles, axis) + all.begin,
           (all.end - all.begin) * sizeof(float));
  }
}

void weft__exact_count_ways(weft__exact* exact, const weft__contact_stage* stage) {
  const weft__range blocks =
      weft__share(exact->blocks.block_count, stage->worker, stage->worker_count);
  uint32_t left = 0;
  for (uint32_t b = blocks.begin; b < blocks.end; ++b) {
    exact->path[b] += way_of(exact, stage->particles, b);
    if (exact->path[b] <= exact->skin[b]) continue;
    exact->found_at[b] = exact->findings + 1;
    ++left;
  }
  if (left > 0) atomic_fetch_add_explicit(&exact->left, left, memory_order_relaxed);
  weft__worker_pool_meet(stage->pool);
  left = atomic_load_explicit(&exact->left, memory_order_relaxed);
  const bool all =
      atomic_load_explicit(&exact->is_stale, memory_order_relaxed) || are_many(exact, left);
  look_again(exact, stage);
  weft__worker_pool_meet(stage->pool);
  if (stage->worker == 0) {
    atomic_store_explicit(&exact->hits, 0, memory_order_relaxed);
    atomic_store_explicit(&exact->left, 0, memory_order_relaxed);
    atomic_store_explicit(&exact->is_stale, false, memory_order_relaxed);
  }
  if (all || left > 0) {
    weft__exact_find_pairs(exact, stage, all);
  } else {
    weft__worker_pool_meet(stage->pool);
  }
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
  weft__exact* exact = l->exact;
  const float path = exact->path[block] + exact->path[run->other];
  if (path <= run->key) return 0;
  if (run->made < exact->found_at[run->other]) {
    // what there is of the two stands in the other one's chain
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
    for (uint32_t r = chain->first_run; r != WEFT__NONE; r = exact->pairs.run[r].next) {
      chain->hit_count += decide_run(&l, b, &exact->pairs.run[r]);
    }
    hits += chain->hit_count;
  }
  // whole numbers: in whichever order they are added
  if (hits > 0) atomic_fetch_add_explicit(&exact->hits, hits, memory_order_relaxed);
  weft__worker_pool_meet(stage->pool);
  return atomic_load_explicit(&exact->hits, memory_order_relaxed);
}
