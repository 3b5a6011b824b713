/* Finding runs and pairs: boxes around all blocks, a tree over them, a walk down the tree for each block, and, where
 * nothing tells two blocks apart, a search through what they have. */
#include <math.h>

#include "exact/near.h"

// ---- boxes ----

// The further a block goes, the further it may go before it is found anew. (Only up to where neighbours in a flat
// cloth would be pairs.)
static float skin_of(const weft__exact* exact, uint32_t block) {
  const weft__range members = weft__block_members(&exact->blocks, block);
  const float size = exact->blocks.size[block];
  const float wanted = 2.0f * weft__exact_places_way(&exact->places, members);
  if (!(wanted > WEFT__EXACT_LEAST_SKIN * size)) return WEFT__EXACT_LEAST_SKIN * size;
  return wanted < WEFT__EXACT_MOST_SKIN * size ? wanted : WEFT__EXACT_MOST_SKIN * size;
}

weft__moving_box weft__exact_block_box(const weft__exact* exact, const weft__materials* materials,
                                       uint32_t block) {
  const weft__exact_blocks* blocks = &exact->blocks;
  const weft__range members = weft__block_members(blocks, block);
  weft__moving_box box = weft__exact_places_box(&exact->places, members);
  float extra = 0.0f;
  for (uint32_t m = members.begin; m < members.end && exact->has_size[block]; ++m) {
    extra = fmaxf(extra, weft__exact_extra(weft__material_of(materials, blocks->member[m])));
  }
  weft__box_widen(
      &box, weft__exact_allowance(exact, block) + extra + WEFT__EXACT_GAP * blocks->size[block]);
  return box;
}

static void set_node(const weft__exact* exact, uint32_t level, uint32_t n) {
  weft__moving_box box = weft__no_box();
  for (uint32_t child = 8 * n; child < 8 * n + 8; ++child) {
    const weft__moving_box part =
        weft__box_at(&exact->nodes, exact->level_first[level - 1] + child);
    weft__box_hold(&box, &part);
  }
  weft__box_set(&exact->nodes, exact->level_first[level] + n, &box);
}

// a box that went through another substep stands where that ended, and is as much larger as its block may go
static void hold_still(const weft__exact* exact, uint32_t block) {
  weft__moving_box box = weft__box_at(&exact->nodes, block);
  for (int s = 0; s < WEFT__BOX_SIDES / 2; ++s) box.side[s] = box.side[s + WEFT__BOX_SIDES / 2];
  weft__box_set(&exact->nodes, block, &box);
}

// whether it is another one than before
static bool box_block(const weft__exact* exact, const weft__materials* materials, uint32_t block) {
  if (exact->found_at[block] > exact->findings) {
    const weft__moving_box box = weft__exact_block_box(exact, materials, block);
    weft__box_set(&exact->nodes, block, &box);
    exact->boxed_in[block] = exact->substep;
    return true;
  }
  if (exact->boxed_in[block] == 0 || exact->boxed_in[block] == exact->substep) return false;
  hold_still(exact, block);
  exact->boxed_in[block] = 0;
  return true;
}

// eight blocks, and the node over them, are always of one worker
static void box_octet(const weft__exact* exact, const weft__materials* materials, uint32_t first) {
  const weft__moving_box none = weft__no_box();
  bool is_other = false;
  for (uint32_t b = first; b < first + 8; ++b) {
    if (b < exact->blocks.face_block_count) {
      is_other |= box_block(exact, materials, b);
    } else {
      weft__box_set(&exact->nodes, b, &none);
    }
  }
  if (is_other && exact->levels > 1) set_node(exact, 1, first / 8);
}

static void grow_tree(const weft__exact* exact) {
  const weft__moving_box none = weft__no_box();
  for (uint32_t level = 1; level < exact->levels; ++level) {
    const uint32_t count = exact->level_count[level];
    for (uint32_t n = 0; n < count && level > 1; ++n) set_node(exact, level, n);
    for (uint32_t n = count; n % 8 != 0; ++n) {
      weft__box_set(&exact->nodes, exact->level_first[level] + n, &none);
    }
  }
}

// Blocks are found anew where they left their skin.
static void box_blocks(weft__exact* exact, const weft__contact_stage* stage, weft__finding what) {
  const bool all = what != WEFT__FIND_LEFT;
  for (uint32_t b = weft__exact_first_block(stage); b < exact->blocks.block_count;
       b = weft__exact_next_block(stage, b)) {
    if (all || exact->found_at[b] > exact->findings) {
      exact->found_at[b] = exact->findings + 1;
      if (all) exact->path[b] = 0.0f;
      if (what == WEFT__FIND_ALL && b < exact->blocks.face_block_count) exact->aside[b] = 0.0f;
      exact->skin[b] = exact->path[b] + skin_of(exact, b);
      exact->chain[b].is_lost = false;
    }
    const uint32_t first = b & ~7u;
    const bool is_last = b % 8 == 7 || b + 1 == exact->blocks.block_count;
    if (is_last && first < exact->blocks.face_block_count) {
      box_octet(exact, stage->materials, first);
    }
  }
}

// ---- room ----

static bool lacks_runs(const weft__exact* exact) {
  return atomic_load_explicit(&exact->pairs.run_count, memory_order_relaxed) >
         exact->pairs.run_room;
}

static bool is_short(const weft__exact* exact) {
  return lacks_runs(exact) || atomic_load_explicit(&exact->pairs.pair_count, memory_order_relaxed) >
                                  exact->pairs.pair_room;
}

static void clear(weft__exact* exact) {
  atomic_store_explicit(&exact->pairs.pair_count, 0, memory_order_relaxed);
  atomic_store_explicit(&exact->pairs.run_count, 0, memory_order_relaxed);
}

// Where there is too little room, the first blocks have it, as far as it goes: the order in which workers took it
// must not show. Blocks without room for their pairs are left to impact zones; without room for the runs all are.
static void share_room(weft__exact* exact) {
  uint64_t pairs = 0;
  exact->is_short = lacks_runs(exact);
  for (uint32_t b = 0; b < exact->blocks.block_count; ++b) {
    weft__exact_chain* chain = &exact->chain[b];
    chain->is_lost = exact->is_short || pairs + chain->wanted_pairs > exact->pairs.pair_room;
    if (chain->is_lost) {
      exact->lost += chain->wanted_pairs > 0 ? chain->wanted_pairs : 1;
    } else {
      pairs += chain->wanted_pairs;
    }
  }
}

// ---- all of it ----

// completion: true where there was room for everything
static uint32_t all_fit(void* context) {
  const weft__exact* exact = context;
  return !is_short(exact);
}

static bool list(weft__exact* exact, const weft__contact_stage* stage, weft__finding what) {
  if (what != WEFT__FIND_PAIRS) {
    weft__exact_walk(exact, stage, what);
    if (!weft__worker_pool_decide(stage->pool, all_fit, exact)) return false;
  }
  weft__exact_search(exact, stage);
  return weft__worker_pool_decide(stage->pool, all_fit, exact);
}

// completion
static uint32_t end_boxes(void* context) {
  weft__exact* exact = context;
  ++exact->findings;
  grow_tree(exact);
  return 0;
}

// completion
static uint32_t end_all_boxes(void* context) {
  clear(context);
  return end_boxes(context);
}

static bool find(weft__exact* exact, const weft__contact_stage* stage, weft__finding what) {
  if (what != WEFT__FIND_PAIRS) {
    box_blocks(exact, stage, what);
    (void)weft__worker_pool_decide(stage->pool, what == WEFT__FIND_ALL ? end_all_boxes : end_boxes,
                                   exact);
  }
  return list(exact, stage, what);
}

// completion: true where there is room for the runs
static uint32_t begin_shared(void* context) {
  weft__exact* exact = context;
  share_room(exact);
  clear(exact);
  return !exact->is_short;
}

void weft__exact_find_pairs(weft__exact* exact, const weft__contact_stage* stage,
                            weft__finding what) {
  if (find(exact, stage, what)) return;
  // what was found before takes room, too, that finding all frees
  if (what != WEFT__FIND_ALL && find(exact, stage, WEFT__FIND_ALL)) return;
  if (weft__worker_pool_decide(stage->pool, begin_shared, exact)) {
    (void)list(exact, stage, WEFT__FIND_ALL);
  }
}
