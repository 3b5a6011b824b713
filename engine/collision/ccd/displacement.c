/* Counting ways: which blocks left their skin, and what told them apart that may do so no more. */
#include <math.h>

#include "collision/ccd/candidates.h"

static void look_at_bend(weft__ccd* e, uint32_t block, float* const* at, float way) {
  const float bend = weft__flatness_look(&e->flats, &e->blocks, at, block, way);
  // what is no number is flat never again
  e->bend[block] += bend >= 0.0f ? (double)bend : INFINITY;
}

void weft__ccd_note_moved(weft__ccd* e, uint32_t particle) {
  const weft__ccd_clusters* blocks = &e->blocks;
  const uint32_t quarter = blocks->listed_vertex[particle];
  if (quarter == WEFT__NONE) return;
  __atomic_store_n(&e->is_moved[weft__cluster_of_leaf(blocks, quarter)], 1, __ATOMIC_RELAXED);
  const uint32_t end = e->faces->first_use[particle + 1];
  for (uint32_t n = e->faces->first_use[particle]; n < end; ++n) {
    const uint32_t place = blocks->listed_face[e->faces->use[n]];
    if (place == WEFT__NONE) continue;
    __atomic_store_n(&e->is_moved[place / WEFT__CLUSTER_FACES], 1, __ATOMIC_RELAXED);
  }
}

void weft__ccd_move(weft__ccd* e, const weft__contact_stage* stage, uint32_t particle,
                    const float to[3]) {
  const weft__particles* p = stage->particles;
  float* pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  float* prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  const uint32_t substeps = stage->substep - e->looked_in;
  const float before = 1.0f - 1.0f / (float)substeps;
  for (int axis = 0; axis < 3; ++axis) {
    if (substeps > 1) prev[axis][particle] += before * (to[axis] - pos[axis][particle]);
    pos[axis][particle] = to[axis];
  }
  e->is_held[particle] = 1;
}

// as the substep begins
static void begin_block(weft__ccd* e, uint32_t block, bool is_stale) {
  const weft__range members = weft__cluster_members(&e->blocks, block);
  const bool has_faces = block < e->blocks.face_block_count;
  weft__cluster_pair_list* chain = &e->chain[block];
  if (e->zoning[block] == WEFT__ZONED_OVER_BUDGET) {
    if (chain->halvings < WEFT__CCD_MAX_HALVINGS) ++chain->halvings;
  } else if (chain->halvings > 0) {
    --chain->halvings;
  }
  const uint32_t refund = WEFT__CCD_SUBSTEP_TESTS >> chain->halvings;
  chain->test_count -= chain->test_count < refund ? chain->test_count : refund;
  e->zoning[block] = WEFT__ZONED_NOT;
  e->way[block] = 0.0f;
  if (has_faces) e->aside_way[block] = 0.0f;
  if (is_stale) {
    weft__ccd_positions_set(&e->places, e->blocks.member, members, e->start);
    if (has_faces) look_at_bend(e, block, e->places.start, INFINITY);
  }
  if (has_faces) weft__flatness_begin(&e->flats, block);
}

// of any two of its particles against each other
static void note_aside(weft__ccd* e, uint32_t block, float way) {
  e->aside_way[block] += way;
  e->aside[block] = (e->aside[block] + way) * 1.0000003f;
}

// returns how many of a worker's blocks have left their skin
static uint32_t look_at_blocks(weft__ccd* e, const weft__contact_stage* stage, bool first) {
  const bool is_stale = atomic_load_explicit(&e->is_stale, memory_order_relaxed);
  uint32_t left = 0;
  for (uint32_t b = weft__ccd_first_cluster(stage); b < e->blocks.block_count;
       b = weft__ccd_next_cluster(stage, b)) {
    if (first) begin_block(e, b, is_stale);
    if (!first && !e->is_moved[b]) continue;
    e->is_moved[b] = 0;
    const weft__cluster_displacements ways =
        weft__ccd_positions_look(&e->places, e->blocks.member, weft__cluster_members(&e->blocks, b),
                                 stage->particles, first);
    e->way[b] += ways.way;
    // not even the least way is lost
    if (ways.way > 0.0f) e->path[b] = (e->path[b] + ways.way) * 1.0000003f;
    if (ways.aside > 0.0f && b < e->blocks.face_block_count) {
      note_aside(e, b, 2.0f * ways.aside);
      look_at_bend(e, b, e->places.now, ways.aside);
    }
    if (e->path[b] <= e->skin[b]) continue;
    e->found_at[b] = e->findings + 1;
    ++left;
  }
  return left;
}

// ---- what told two blocks apart ----

static uint32_t look_at_run(weft__ccd* e, uint32_t block, weft__cluster_pair* run) {
  if (run->kind == WEFT__RUN_NEAR || !weft__cluster_pair_is_over(e, block, run)) return 0;
  weft__ccd_separate(e, block, run);
  if (!run->is_wanted) return 0;
  e->chain[block].is_wanting = true;
  return 1;
}

static double bend_around(const weft__ccd* e, uint32_t block) {
  const uint32_t count = e->flats.around_count[block];
  if (count == 0) return INFINITY;
  double bend = 0.0;
  for (uint32_t n = 0; n < count; ++n) bend += e->bend[e->flats.around[block][n]];
  return bend;
}

// As no part of a window bends more than all around do, one sum tells of all that are flat, as a rule.
static uint32_t look_at_windows(weft__ccd* e, uint32_t block) {
  const double bend = bend_around(e, block);
  const bool are_flat = bend <= e->flat_key[block];
  weft__cluster_pair_list* chain = &e->chain[block];
  if (are_flat && !chain->has_folds) return 0;
  const weft__cluster_pairs runs = weft__flat_regions_of(e, block);
  uint32_t wanted = 0;
  double slack = bend < INFINITY ? INFINITY : -INFINITY;
  chain->has_folds = false;
  for (weft__cluster_pair* run = runs.begin; run < runs.end; ++run) {
    if (!are_flat || run->kind != WEFT__RUN_FLAT) wanted += look_at_run(e, block, run);
    if (run->kind != WEFT__RUN_FLAT) {
      chain->has_folds = true;
      continue;
    }
    const weft__flat_region* window = weft__cluster_pair_window(e, block, run);
    slack = fmin(slack, window->key - weft__flat_region_bend(e, window));
  }
  // sums are rounded, each in its order
  e->flat_key[block] = slack > -INFINITY ? bend + 0.999 * slack : -INFINITY;
  return wanted;
}

static uint32_t look_at_strangers(weft__ccd* e, uint32_t block) {
  weft__cluster_pair_list* chain = &e->chain[block];
  weft__cluster_pairs runs = weft__cluster_pairs_of(&e->pairs, chain);
  uint32_t wanted = 0;
  weft__cluster_pair* run =
      block < e->blocks.face_block_count ? weft__flat_regions_of(e, block).end : runs.begin;
  while (run < runs.end) {
    if (weft__cluster_pair_counts(e, run)) {
      wanted += look_at_run(e, block, run++);
      continue;
    }
    // the last one takes its place, and it keeps its room for pairs
    const weft__cluster_pair last = *--runs.end;
    *runs.end = *run;
    *run = last;
    --chain->run_count;
  }
  return wanted;
}

// Returns how many of a worker's runs want pairs. Strangers of blocks that left their skin, or of `all`, are found anew.
static uint32_t look_at_runs(weft__ccd* e, const weft__contact_stage* stage, bool all) {
  uint32_t wanted = 0;
  for (uint32_t b = weft__ccd_first_cluster(stage); b < e->blocks.block_count;
       b = weft__ccd_next_cluster(stage, b)) {
    // what was left over by a substep that ran out of its budget
    if (e->chain[b].is_wanting && e->zoning[b] == WEFT__ZONED_NOT) ++wanted;
    if (b < e->blocks.face_block_count) wanted += look_at_windows(e, b);
    if (!all && e->found_at[b] <= e->findings) wanted += look_at_strangers(e, b);
  }
  return wanted;
}

// of more blocks than this share it is better to find all anew
static bool are_many(const weft__ccd* ccd, uint32_t left) {
  return left > ccd->blocks.block_count / 4;
}

// completion: a weft__finding, by the blocks that left their skin alone
static uint32_t plan_finding(void* context) {
  weft__ccd* e = context;
  const uint32_t left = atomic_exchange_explicit(&e->left, 0, memory_order_relaxed);
  const bool is_stale = atomic_exchange_explicit(&e->is_stale, false, memory_order_relaxed);
  return e->is_short         ? WEFT__FIND_NONE
         : is_stale          ? WEFT__FIND_ALL
         : are_many(e, left) ? WEFT__FIND_NON_ADJACENT
         : left > 0          ? WEFT__FIND_LEFT
                             : WEFT__FIND_NONE;
}

// completion: the same, as a substep begins
static uint32_t plan_first_finding(void* context) {
  weft__ccd* e = context;
  weft__ccd_clear_impact_zones(e);
  e->round = 0;
  return plan_finding(e);
}

// completion: true where runs want pairs
static uint32_t take_wanted(void* context) {
  weft__ccd* e = context;
  return atomic_exchange_explicit(&e->wanted, 0, memory_order_relaxed) > 0 && !e->is_short;
}

void weft__ccd_count_displacements(weft__ccd* e, const weft__contact_stage* stage, bool first) {
  const uint32_t left = look_at_blocks(e, stage, first);
  if (left > 0) atomic_fetch_add_explicit(&e->left, left, memory_order_relaxed);
  weft__finding what =
      weft__worker_pool_decide(stage->pool, first ? plan_first_finding : plan_finding, e);
  if (what != WEFT__FIND_ALL) {
    const uint32_t wanted = look_at_runs(e, stage, what == WEFT__FIND_NON_ADJACENT);
    if (wanted > 0) atomic_fetch_add_explicit(&e->wanted, wanted, memory_order_relaxed);
    const bool are_wanted = weft__worker_pool_decide(stage->pool, take_wanted, e);
    if (what == WEFT__FIND_NONE && are_wanted) what = WEFT__FIND_PAIRS;
  }
  if (what != WEFT__FIND_NONE) weft__ccd_broad_phase(e, stage, what);
}
