/* Counting ways, and deciding which pairs meet. */
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

// ---- ways ----

static void look_at_bend(weft__exact* e, uint32_t block, float* const* at, float way) {
  const float bend = weft__exact_flats_look(&e->flats, &e->blocks, at, block, way);
  // what is no number is flat never again
  e->bend[block] += bend >= 0.0f ? (double)bend : INFINITY;
}

void weft__exact_note_moved(weft__exact* e, uint32_t particle) {
  const weft__exact_blocks* blocks = &e->blocks;
  const uint32_t quarter = blocks->listed_vertex[particle];
  if (quarter == WEFT__NONE) return;
  const uint32_t face_quarters = 4 * blocks->face_block_count;
  const uint32_t own =
      quarter < face_quarters ? quarter / 4 : quarter - 3 * blocks->face_block_count;
  __atomic_store_n(&e->is_moved[own], 1, __ATOMIC_RELAXED);
  const uint32_t end = e->faces->first_use[particle + 1];
  for (uint32_t n = e->faces->first_use[particle]; n < end; ++n) {
    const uint32_t place = blocks->listed_face[e->faces->use[n]];
    if (place == WEFT__NONE) continue;
    __atomic_store_n(&e->is_moved[place / WEFT__BLOCK_FACES], 1, __ATOMIC_RELAXED);
  }
}

// as the substep begins
static void begin_block(weft__exact* e, uint32_t block, bool is_stale) {
  const weft__range members = weft__block_members(&e->blocks, block);
  const bool has_faces = block < e->blocks.face_block_count;
  e->way[block] = 0.0f;
  if (is_stale) {
    weft__exact_places_set(&e->places, e->blocks.member, members, e->start);
    if (has_faces) look_at_bend(e, block, e->places.start, INFINITY);
  }
  if (has_faces) weft__exact_flats_begin(&e->flats, block);
}

// returns how many of a worker's blocks have left their skin
static uint32_t look_at_blocks(weft__exact* e, const weft__contact_stage* stage, bool first) {
  const bool is_stale = atomic_load_explicit(&e->is_stale, memory_order_relaxed);
  uint32_t left = 0;
  for (uint32_t b = weft__exact_first_block(stage); b < e->blocks.block_count;
       b = weft__exact_next_block(stage, b)) {
    if (first) begin_block(e, b, is_stale);
    if (!first && !e->is_moved[b]) continue;
    e->is_moved[b] = 0;
    const weft__block_ways ways = weft__exact_places_look(
        &e->places, e->blocks.member, weft__block_members(&e->blocks, b), stage->particles, first);
    e->way[b] += ways.way;
    // not even the least way is lost
    if (ways.way > 0.0f) e->path[b] = (e->path[b] + ways.way) * 1.0000003f;
    if (ways.aside > 0.0f && b < e->blocks.face_block_count) {
      look_at_bend(e, b, e->places.now, ways.aside);
    }
    if (e->path[b] <= e->skin[b]) continue;
    e->found_at[b] = e->findings + 1;
    ++left;
  }
  return left;
}

// Whether what told two blocks apart still does; returns how many of a worker's runs want pairs.
static uint32_t look_at_runs(weft__exact* e, const weft__contact_stage* stage) {
  uint32_t wanted = 0;
  for (uint32_t b = weft__exact_first_block(stage); b < e->blocks.block_count;
       b = weft__exact_next_block(stage, b)) {
    if (e->found_at[b] > e->findings) continue;
    for (uint32_t r = e->chain[b].first_run; r != WEFT__NONE; r = e->pairs.run[r].next) {
      weft__exact_run* run = &e->pairs.run[r];
      if (run->kind == WEFT__RUN_NEAR || !weft__exact_run_counts(e, run)) continue;
      if (!weft__exact_run_is_over(e, b, run)) continue;
      weft__exact_tell_apart(e, b, run);
      if (run->is_wanted) ++wanted;
    }
  }
  return wanted;
}

// of more blocks than this share it is better to find all anew
static bool are_many(const weft__exact* exact, uint32_t left) {
  return left > exact->blocks.block_count / 4;
}

void weft__exact_count_ways(weft__exact* e, const weft__contact_stage* stage, bool first) {
  if (stage->worker == 0) atomic_store_explicit(&e->wanted, 0, memory_order_relaxed);
  uint32_t left = look_at_blocks(e, stage, first);
  if (left > 0) atomic_fetch_add_explicit(&e->left, left, memory_order_relaxed);
  weft__worker_pool_meet(stage->pool);
  left = atomic_load_explicit(&e->left, memory_order_relaxed);
  const bool all = atomic_load_explicit(&e->is_stale, memory_order_relaxed) || are_many(e, left);
  uint32_t wanted = all ? 0 : look_at_runs(e, stage);
  if (wanted > 0) atomic_fetch_add_explicit(&e->wanted, wanted, memory_order_relaxed);
  weft__worker_pool_meet(stage->pool);
  wanted = atomic_load_explicit(&e->wanted, memory_order_relaxed);
  if (stage->worker == 0) {
    atomic_store_explicit(&e->hits, 0, memory_order_relaxed);
    atomic_store_explicit(&e->left, 0, memory_order_relaxed);
    atomic_store_explicit(&e->is_stale, false, memory_order_relaxed);
  }
  if (all || left > 0 || wanted > 0) {
    weft__exact_find_pairs(e, stage,
                           all        ? WEFT__FIND_ALL
                           : left > 0 ? WEFT__FIND_LEFT
                                      : WEFT__FIND_PAIRS);
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
  if (run->pair_count == 0) return 0;
  weft__exact* exact = l->exact;
  const float path = exact->path[block] + exact->path[run->other];
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
    if (chain->pair_count == 0) continue;
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
