/* Finding runs and pairs: boxes around all blocks, a tree over them, a walk down the tree for each block, and, where
 * nothing tells two blocks apart, a search through what they have. */
#include <math.h>

#include "collision/ccd/candidates.h"

// ---- boxes ----

// The further a block goes, the further it may go before it is found anew. (Only up to where neighbours in a flat
// cloth would be pairs.)
static float skin_of(const weft__ccd* ccd, uint32_t block) {
  const weft__range members = weft__cluster_members(&ccd->blocks, block);
  const float size = ccd->blocks.size[block];
  const float wanted = 2.0f * weft__ccd_positions_way(&ccd->places, members);
  if (!(wanted > WEFT__CCD_LEAST_SKIN * size)) return WEFT__CCD_LEAST_SKIN * size;
  return wanted < WEFT__CCD_MOST_SKIN * size ? wanted : WEFT__CCD_MOST_SKIN * size;
}

weft__moving_aabb weft__ccd_cluster_aabb(const weft__ccd* ccd, const weft__materials* materials,
                                         uint32_t block) {
  const weft__ccd_clusters* blocks = &ccd->blocks;
  const weft__range members = weft__cluster_members(blocks, block);
  weft__moving_aabb box = weft__ccd_positions_box(&ccd->places, members);
  float extra = 0.0f;
  for (uint32_t m = members.begin; m < members.end && ccd->has_size[block]; ++m) {
    extra = fmaxf(extra, weft__ccd_extra(weft__material_of(materials, blocks->member[m])));
  }
  weft__moving_aabb_widen(
      &box, weft__ccd_allowance(ccd, block) + extra + WEFT__CCD_GAP * blocks->size[block]);
  return box;
}

static void set_node(const weft__ccd* ccd, uint32_t level, uint32_t n) {
  weft__moving_aabb box = weft__empty_moving_aabb();
  for (uint32_t child = 8 * n; child < 8 * n + 8; ++child) {
    const weft__moving_aabb part =
        weft__moving_aabb_at(&ccd->nodes, ccd->level_first[level - 1] + child);
    weft__moving_aabb_contains(&box, &part);
  }
  weft__moving_aabb_set(&ccd->nodes, ccd->level_first[level] + n, &box);
}

// a box that went through another substep stands where that ended, and is as much larger as its block may go
static void hold_still(const weft__ccd* ccd, uint32_t block) {
  weft__moving_aabb box = weft__moving_aabb_at(&ccd->nodes, block);
  for (int s = 0; s < WEFT__AABB_SIDES / 2; ++s) box.side[s] = box.side[s + WEFT__AABB_SIDES / 2];
  weft__moving_aabb_set(&ccd->nodes, block, &box);
}

// whether it is another one than before
static bool box_block(const weft__ccd* ccd, const weft__materials* materials, uint32_t block) {
  if (ccd->found_at[block] > ccd->findings) {
    const weft__moving_aabb box = weft__ccd_cluster_aabb(ccd, materials, block);
    weft__moving_aabb_set(&ccd->nodes, block, &box);
    ccd->boxed_in[block] = ccd->substep;
    return true;
  }
  if (ccd->boxed_in[block] == 0 || ccd->boxed_in[block] == ccd->substep) return false;
  hold_still(ccd, block);
  ccd->boxed_in[block] = 0;
  return true;
}

// eight blocks, and the node over them, are always of one worker
static void box_octet(const weft__ccd* ccd, const weft__materials* materials, uint32_t first) {
  const weft__moving_aabb none = weft__empty_moving_aabb();
  bool is_other = false;
  for (uint32_t b = first; b < first + 8; ++b) {
    if (b < ccd->blocks.face_block_count) {
      is_other |= box_block(ccd, materials, b);
    } else {
      weft__moving_aabb_set(&ccd->nodes, b, &none);
    }
  }
  if (is_other && ccd->levels > 1) set_node(ccd, 1, first / 8);
}

static void grow_tree(const weft__ccd* ccd) {
  const weft__moving_aabb none = weft__empty_moving_aabb();
  for (uint32_t level = 1; level < ccd->levels; ++level) {
    const uint32_t count = ccd->level_count[level];
    for (uint32_t n = 0; n < count && level > 1; ++n) set_node(ccd, level, n);
    for (uint32_t n = count; n % 8 != 0; ++n) {
      weft__moving_aabb_set(&ccd->nodes, ccd->level_first[level] + n, &none);
    }
  }
}

// Blocks are found anew where they left their skin.
static void box_blocks(weft__ccd* ccd, const weft__contact_stage* stage, weft__finding what) {
  const bool all = what != WEFT__FIND_LEFT;
  for (uint32_t b = weft__ccd_first_cluster(stage); b < ccd->blocks.block_count;
       b = weft__ccd_next_cluster(stage, b)) {
    if (all || ccd->found_at[b] > ccd->findings) {
      ccd->found_at[b] = ccd->findings + 1;
      if (all) ccd->path[b] = 0.0f;
      if (what == WEFT__FIND_ALL && b < ccd->blocks.face_block_count) ccd->aside[b] = 0.0f;
      ccd->skin[b] = ccd->path[b] + skin_of(ccd, b);
      ccd->chain[b].is_lost = false;
    }
    const uint32_t first = b & ~7u;
    const bool is_last = b % 8 == 7 || b + 1 == ccd->blocks.block_count;
    if (is_last && first < ccd->blocks.face_block_count) {
      box_octet(ccd, stage->materials, first);
    }
  }
}

// ---- room ----

static bool lacks_runs(const weft__ccd* ccd) {
  return atomic_load_explicit(&ccd->pairs.run_count, memory_order_relaxed) > ccd->pairs.run_room;
}

static bool is_short(const weft__ccd* ccd) {
  return lacks_runs(ccd) ||
         atomic_load_explicit(&ccd->pairs.pair_count, memory_order_relaxed) > ccd->pairs.pair_room;
}

static void clear(weft__ccd* ccd) {
  atomic_store_explicit(&ccd->pairs.pair_count, 0, memory_order_relaxed);
  atomic_store_explicit(&ccd->pairs.run_count, 0, memory_order_relaxed);
}

// Where there is too little room, the first blocks have it, as far as it goes: the order in which workers took it
// must not show. Blocks without room for their pairs are left to impact zones; without room for the runs all are.
static void share_room(weft__ccd* ccd) {
  uint64_t pairs = 0;
  ccd->is_short = lacks_runs(ccd);
  for (uint32_t b = 0; b < ccd->blocks.block_count; ++b) {
    weft__cluster_pair_list* chain = &ccd->chain[b];
    chain->is_lost = ccd->is_short || pairs + chain->wanted_pairs > ccd->pairs.pair_room;
    if (chain->is_lost) {
      ccd->lost += chain->wanted_pairs > 0 ? chain->wanted_pairs : 1;
    } else {
      pairs += chain->wanted_pairs;
    }
  }
}

// ---- all of it ----

// completion: true where there was room for everything
static uint32_t all_fit(void* context) {
  const weft__ccd* ccd = context;
  return !is_short(ccd);
}

static bool list(weft__ccd* ccd, const weft__contact_stage* stage, weft__finding what) {
  if (what != WEFT__FIND_PAIRS) {
    weft__ccd_traverse(ccd, stage, what);
    if (!weft__worker_pool_decide(stage->pool, all_fit, ccd)) return false;
  }
  weft__ccd_find_candidates(ccd, stage);
  return weft__worker_pool_decide(stage->pool, all_fit, ccd);
}

// completion
static uint32_t end_boxes(void* context) {
  weft__ccd* ccd = context;
  ++ccd->findings;
  grow_tree(ccd);
  return 0;
}

// completion
static uint32_t end_all_boxes(void* context) {
  clear(context);
  return end_boxes(context);
}

static bool find(weft__ccd* ccd, const weft__contact_stage* stage, weft__finding what) {
  if (what != WEFT__FIND_PAIRS) {
    box_blocks(ccd, stage, what);
    (void)weft__worker_pool_decide(stage->pool, what == WEFT__FIND_ALL ? end_all_boxes : end_boxes,
                                   ccd);
  }
  return list(ccd, stage, what);
}

// completion: true where there is room for the runs
static uint32_t begin_shared(void* context) {
  weft__ccd* ccd = context;
  share_room(ccd);
  clear(ccd);
  return !ccd->is_short;
}

void weft__ccd_broad_phase(weft__ccd* ccd, const weft__contact_stage* stage, weft__finding what) {
  if (find(ccd, stage, what)) return;
  // what was found before takes room, too, that finding all frees
  if (what != WEFT__FIND_ALL && find(ccd, stage, WEFT__FIND_ALL)) return;
  if (weft__worker_pool_decide(stage->pool, begin_shared, ccd)) {
    (void)list(ccd, stage, WEFT__FIND_ALL);
  }
}
