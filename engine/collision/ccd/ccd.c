#include "collision/ccd/ccd.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grain.h"
#include "collision/ccd/candidates.h"

// of the least edge: further than this nobody goes unseen
#define PATIENCE 0.2f
// hits of this part of all particles are many: what lies on them should not sink for long
#define MANY_HITS 100u
#define PUSH_ROUNDS 4
#define JOIN_ROUNDS 32
// then what is connected with a zone by runs is rolled back at once
#define STOP_ROUNDS 16
// then all is: runs tell of all that is near, so that one round is enough, as a rule
#define GROUP_ROUNDS 3
#define PAIRS_A_PARTICLE 16u
#define LEAST_PAIRS WEFT__GRAIN(1u << 19, 1u << 12)
#define MOST_PAIRS (1u << 30)
#define LEAST_HITS 1024u

// ---- memory ----

static void place_boxes(weft__moving_aabbs* boxes, size_t count, weft__arena* arena) {
  for (int s = 0; s < WEFT__AABB_SIDES; ++s) {
    boxes->side[s] = weft__arena_take(arena, count + WEFT__AABB_LANES, sizeof(float));
  }
}

// the most that a tree over so many blocks can have
static size_t most_nodes(size_t blocks) {
  size_t nodes = 0;
  for (int level = 0; level < WEFT__CCD_LEVELS; ++level) {
    nodes += weft__round_up(blocks, 8);
    blocks = blocks / 8 + 1;
  }
  return nodes;
}

static void place(weft__ccd* e, weft__arena* arena) {
  const size_t n = e->particle_count;
  const size_t face_blocks = (size_t)e->web.face_count / WEFT__CLUSTER_FACES + 1;
  for (int axis = 0; axis < 3; ++axis) {
    e->start[axis] = weft__arena_take(arena, n, sizeof(float));
  }
  e->zone_of = weft__arena_take(arena, n, sizeof(*e->zone_of));
  e->zoned = weft__arena_take(arena, n, sizeof(*e->zoned));
  e->zone = weft__arena_take(arena, n, sizeof(*e->zone));
  e->is_held = weft__arena_take(arena, n, sizeof(*e->is_held));
  e->is_rolled_back = weft__arena_take(arena, n, sizeof(*e->is_rolled_back));
  e->path = weft__arena_take(arena, face_blocks + n, sizeof(*e->path));
  e->way = weft__arena_take(arena, face_blocks + n, sizeof(*e->way));
  e->bend = weft__arena_take(arena, face_blocks, sizeof(*e->bend));
  e->aside = weft__arena_take(arena, face_blocks, sizeof(*e->aside));
  e->aside_way = weft__arena_take(arena, face_blocks, sizeof(*e->aside_way));
  e->flat_key = weft__arena_take(arena, face_blocks, sizeof(*e->flat_key));
  e->skin = weft__arena_take(arena, face_blocks + n, sizeof(*e->skin));
  e->zoning = weft__arena_take(arena, face_blocks + n, sizeof(*e->zoning));
  e->group = weft__arena_take(arena, face_blocks + n, sizeof(*e->group));
  e->is_moved = weft__arena_take(arena, face_blocks + n, sizeof(*e->is_moved));
  e->boxed_in = weft__arena_take(arena, face_blocks, sizeof(*e->boxed_in));
  e->found_at = weft__arena_take(arena, face_blocks + n, sizeof(*e->found_at));
  e->chain = weft__arena_take(arena, face_blocks + n, sizeof(*e->chain));
  e->has_size = weft__arena_take(arena, face_blocks + n, sizeof(*e->has_size));
  e->found = weft__arena_take(arena, (size_t)e->worker_count * WEFT__MOST_PAIRS, sizeof(*e->found));
  weft__ccd_positions_take(&e->places, weft__most_members(e->web.face_count, n), arena);
  weft__flatness_take(&e->flats, e->web.face_count, arena);
  place_boxes(&e->nodes, most_nodes(face_blocks), arena);
}

static bool create(weft__ccd* e, const weft__contact_setup* setup) {
  e->faces = setup->faces;
  e->particle_count = setup->particles->count;
  e->worker_count = setup->worker_count;
  if (!weft__face_edges_create(&e->web, setup->faces, setup->particles) ||
      !weft__ccd_clusters_create(&e->blocks, &e->web, e->particle_count)) {
    return false;
  }
  weft__arena arena = {0};
  place(e, &arena);
  if (!weft__arena_open(&arena)) return false;
  place(e, &arena);
  e->block = arena.block;
  e->own_bytes = arena.used;
  e->substep = 1;
  for (uint32_t i = 0; i < e->particle_count; ++i) e->zone_of[i] = WEFT__NONE;
  return true;
}

void weft__ccd_destroy(weft__ccd* ccd) {
  weft__face_edges_destroy(&ccd->web);
  weft__ccd_clusters_destroy(&ccd->blocks);
  weft__ccd_pairs_destroy(&ccd->pairs);
  free(ccd->hit);
  free(ccd->block);
  memset(ccd, 0, sizeof(*ccd));
}

static uint32_t wanted_pairs(const weft__contact_setup* setup) {
  if (setup->limits.max_exact > 0) return setup->limits.max_exact;
  const uint64_t usual = (uint64_t)setup->particles->count * PAIRS_A_PARTICLE;
  return usual < LEAST_PAIRS ? LEAST_PAIRS : usual < MOST_PAIRS ? (uint32_t)usual : MOST_PAIRS;
}

static bool reserve_hits(weft__ccd* e, uint32_t pairs) {
  const uint32_t wanted = pairs / 16 > LEAST_HITS ? pairs / 16 : LEAST_HITS;
  if (wanted <= e->hit_capacity) return true;
  weft__ccd_hit* hit = weft__alloc(wanted, sizeof(*hit));
  if (hit == NULL) return false;
  free(e->hit);
  e->hit = hit;
  e->hit_capacity = wanted;
  return true;
}

bool weft__ccd_prepare(weft__ccd* ccd, const weft__contact_setup* setup) {
  const bool wanted = setup->materials->ccd_count > 0 && setup->faces->count > 0;
  if (!wanted) {
    ccd->on = false;
    return true;
  }
  if (ccd->block == NULL) {
    weft__ccd made = {0};
    if (!create(&made, setup)) {
      weft__ccd_destroy(&made);
      return false;
    }
    memcpy(ccd, &made, sizeof(made));
  }
  const uint32_t pairs = wanted_pairs(setup);
  if (!reserve_hits(ccd, pairs) ||
      !weft__ccd_pairs_reserve(&ccd->pairs, pairs, ccd->web.face_count / WEFT__CLUSTER_FACES + 1))
    return false;
  // blocks are listed, and pairs found, when a step begins
  ccd->is_listed = false;
  ccd->on = true;
  ccd->bytes = ccd->own_bytes + ccd->web.bytes + ccd->blocks.bytes + ccd->pairs.bytes +
               ccd->hit_capacity * sizeof(*ccd->hit);
  return true;
}

// ---- a step ----

static bool has_size(const weft__ccd* e, const weft__materials* materials, uint32_t block) {
  const weft__range members = weft__cluster_members(&e->blocks, block);
  for (uint32_t m = members.begin; m < members.end; ++m) {
    if (weft__ccd_extra(weft__material_of(materials, e->blocks.member[m])) > 0.0f) return true;
  }
  return false;
}

static void list(weft__ccd* e, const weft__contact_stage* stage) {
  weft__ccd_clusters_list(&e->blocks, &e->web, e->faces, stage->materials, e->particle_count);
  uint32_t count = e->blocks.face_block_count;
  uint32_t first = 0;
  e->levels = 0;
  do {
    e->level_first[e->levels] = first;
    e->level_count[e->levels++] = count;
    first += (uint32_t)weft__round_up(count, 8);
    count = (count + 7) / 8;
  } while (count > 1);
  for (uint32_t b = 0; b < e->blocks.block_count; ++b) {
    e->has_size[b] = has_size(e, stage->materials, b);
  }
  e->version = stage->materials->version;
  e->is_listed = true;
  atomic_store_explicit(&e->is_stale, true, memory_order_relaxed);
}

// how blocks lie side by side
static void lay_out(weft__ccd* e, const weft__contact_stage* stage) {
  const weft__range all =
      weft__share(e->blocks.face_block_count, stage->worker, stage->worker_count);
  for (uint32_t b = all.begin; b < all.end; ++b) {
    weft__flatness_lay(&e->flats, &e->blocks, &e->web, e->faces, b);
  }
  weft__worker_pool_meet(stage->pool);
  for (uint32_t b = all.begin; b < all.end; ++b) {
    weft__flatness_open(&e->flats, &e->blocks, &e->web, e->faces, b);
  }
}

// takes over where particles are; whether they are anywhere else than when the last substep ended
static bool look_at_particles(weft__ccd* e, const weft__contact_stage* stage) {
  const weft__range all = weft__share(e->particle_count, stage->worker, stage->worker_count);
  const size_t bytes = (all.end - all.begin) * sizeof(float);
  bool is_same = true;
  for (int axis = 0; axis < 3; ++axis) {
    const float* at = weft__axis_of(stage->particles, axis) + all.begin;
    is_same &= bytes == 0 || memcmp(e->start[axis] + all.begin, at, bytes) == 0;
    memcpy(e->start[axis] + all.begin, at, bytes);
  }
  return !is_same;
}

// completion: true where blocks were listed, and have to be laid out
static uint32_t begin_step(void* context) {
  const weft__ccd_job* job = context;
  weft__ccd* e = job->ccd;
  const bool is_listed = e->is_listed && e->version == job->stage->materials->version;
  if (!is_listed) list(e, job->stage);
  e->hit_count = e->crossed_count = e->overspent_count = e->round_count = 0;
  e->looked_in = UINT32_MAX;
  atomic_store_explicit(&e->tests, 0, memory_order_relaxed);
  return !is_listed;
}

void weft__ccd_find(weft__ccd* ccd, const weft__contact_stage* stage) {
  if (look_at_particles(ccd, stage)) {
    atomic_store_explicit(&ccd->is_stale, true, memory_order_relaxed);
  }
  weft__ccd_job job = {ccd, stage};
  if (weft__worker_pool_decide(stage->pool, begin_step, &job)) lay_out(ccd, stage);
}

// returns true if zones of blocks over their budget grew
static bool hold_overspent(weft__ccd* ccd, const weft__contact_stage* stage, uint32_t verdict,
                           bool is_rolling) {
  return (verdict & WEFT__VERDICT_OVERSPENT) != 0 &&
         weft__ccd_join_overspent(ccd, stage, is_rolling);
}

// Returns true if nothing meets any more.
static bool keep_apart(weft__ccd* ccd, const weft__contact_stage* stage) {
  for (int round = 0; round < PUSH_ROUNDS + JOIN_ROUNDS; ++round) {
    weft__ccd_count_displacements(ccd, stage, round == 0);
    const uint32_t verdict = weft__ccd_narrow_phase(ccd, stage);
    const bool has_hits = (verdict & WEFT__VERDICT_HITS) != 0;
    if (has_hits && round < PUSH_ROUNDS) {
      weft__ccd_solve(ccd, stage);
    } else if (has_hits) {
      weft__ccd_join_impact_zones(ccd, stage, WEFT__ROLL_NONE);
    }
    if (!hold_overspent(ccd, stage, verdict, false) && !has_hits) return true;
  }
  return false;
}

static void stop(weft__ccd* ccd, const weft__contact_stage* stage) {
  for (int round = 0; round < STOP_ROUNDS + GROUP_ROUNDS; ++round) {
    weft__ccd_count_displacements(ccd, stage, false);
    const uint32_t verdict = weft__ccd_narrow_phase(ccd, stage);
    const bool has_hits = (verdict & WEFT__VERDICT_HITS) != 0;
    if (has_hits) {
      weft__ccd_join_impact_zones(ccd, stage,
                                  round < STOP_ROUNDS ? WEFT__ROLL_ZONES : WEFT__ROLL_GROUPS);
    }
    if (!hold_overspent(ccd, stage, verdict, true) && !has_hits) return;
  }
  weft__ccd_join_impact_zones(ccd, stage, WEFT__ROLL_ALL);
}

// whether one of a worker's particles went further than that
static bool has_gone(const weft__ccd* e, const weft__contact_stage* stage, float far) {
  const weft__range all = weft__share(e->particle_count, stage->worker, stage->worker_count);
  const float most = far * far;
  for (uint32_t i = all.begin; i < all.end; ++i) {
    const float x = stage->particles->pos_x[i] - e->start[0][i];
    const float y = stage->particles->pos_y[i] - e->start[1][i];
    const float z = stage->particles->pos_z[i] - e->start[2][i];
    // not so either where it is not a number
    if (!(x * x + y * y + z * z <= most)) return true;
  }
  return false;
}

// completion
static uint32_t take_due(void* context) {
  weft__ccd* e = context;
  return atomic_exchange_explicit(&e->is_due, false, memory_order_relaxed);
}

// The last substep of a step is looked at, and before it those in which some particle has gone too
// far, and all where much is held by faces alone.
static bool is_due(weft__ccd* e, const weft__contact_stage* stage) {
  if (stage->substep + 1 == stage->substeps) return true;
  const bool has_many_hits = e->last_hits > e->blocks.vertex_count / MANY_HITS;
  if (has_many_hits || has_gone(e, stage, PATIENCE * e->blocks.least_size)) {
    atomic_store_explicit(&e->is_due, true, memory_order_relaxed);
  }
  return weft__worker_pool_decide(stage->pool, take_due, e);
}

// Colliders and thick cloth part what overlaps without velocity: prev goes along. Where this is
// undone, prev has to come back, or the particle has a velocity that it did not travel with: prev
// becomes the point between it and the start that is nearest to where the particle is now. Its speed
// never grows. Where nothing moved prev, it is at the start, and nothing changes.
static void settle_velocity(const weft__ccd* e, const weft__particles* p, uint32_t i) {
  float* prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  float along = 0.0f;
  float length_sq = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float start = e->start[axis][i];
    const float shift = prev[axis][i] - start;
    along += (weft__axis_of(p, axis)[i] - start) * shift;
    length_sq += shift * shift;
  }
  if (!(along < length_sq)) return;
  const float share = along > 0.0f ? along / length_sq : 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float start = e->start[axis][i];
    prev[axis][i] = start + share * (prev[axis][i] - start);
  }
}

// In a row of substeps the start of the last one is not known: velocities change by its part alone.
static void settle(weft__ccd* e, const weft__contact_stage* stage) {
  const weft__range all = weft__share(e->particle_count, stage->worker, stage->worker_count);
  const bool is_row = stage->substep - e->looked_in > 1;
  for (uint32_t i = all.begin; i < all.end; ++i) {
    if (e->is_held[i] && !is_row) settle_velocity(e, stage->particles, i);
    e->is_held[i] = 0;
  }
}

// completion
static uint32_t end_substep(void* context) {
  const weft__ccd_job* job = context;
  weft__ccd* e = job->ccd;
  e->looked_in = job->stage->substep;
  ++e->substep;
  weft__ccd_positions_begin(&e->places);
  if (e->is_short) atomic_store_explicit(&e->is_stale, true, memory_order_relaxed);
  e->is_short = false;
  e->test_count = atomic_load_explicit(&e->tests, memory_order_relaxed);
  e->pair_count = (uint32_t)atomic_load_explicit(&e->pairs.pair_count, memory_order_relaxed);
  return 0;
}

void weft__ccd_run(weft__ccd* ccd, const weft__contact_stage* stage) {
  if (!is_due(ccd, stage)) return;
  if (!keep_apart(ccd, stage)) stop(ccd, stage);
  settle(ccd, stage);
  look_at_particles(ccd, stage);
  weft__ccd_job job = {ccd, stage};
  (void)weft__worker_pool_decide(stage->pool, end_substep, &job);
}
