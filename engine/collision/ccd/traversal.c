/* Walking down the tree of blocks: which blocks are near each other. */
#include <math.h>

#include "collision/ccd/candidates.h"

typedef struct walk {
  weft__ccd* ccd;
  weft__finding what;
  uint32_t first, count; /* the blocks that walk together */
  weft__moving_aabb whole;
  weft__moving_aabb box[8];
  bool is_new[8];
} walk;

static bool is_found_anew(const weft__ccd* ccd, uint32_t block) {
  return ccd->found_at[block] == ccd->findings;
}

static void add_run(weft__ccd* ccd, uint32_t block, weft__cluster_pair run) {
  weft__ccd_separate(ccd, block, &run);
  if (run.is_wanted) ccd->chain[block].is_wanting = true;
  weft__ccd_pairs_add_run(&ccd->pairs, &ccd->chain[block], &run);
}

// Windows are a chain's first runs: whom a block shares them with is near for ever.
static void add_windows(weft__ccd* ccd, uint32_t block) {
  ccd->flat_key[block] = -INFINITY;
  ccd->chain[block].has_folds = true;
  for (uint32_t n = 0; n < ccd->flats.blocks.window_count[block]; ++n) {
    add_run(ccd, block,
            (weft__cluster_pair){.other = ccd->flats.blocks.window[block][n].other,
                                 .made = UINT32_MAX,
                                 .window = (uint8_t)n});
  }
}

static bool has_window(const weft__ccd* ccd, uint32_t block, uint32_t other) {
  return block < ccd->blocks.face_block_count &&
         weft__flatness_region(&ccd->flats.blocks, block, other) != NULL;
}

// Whether it is this block that finds what it and another block have: of two blocks of faces the first that looks
// for all it has, and of a single vertex and a block of faces always the vertex.
static bool has_to_meet(const walk* w, uint32_t n, uint32_t other) {
  const uint32_t block = w->first + n;
  if (block >= w->ccd->blocks.face_block_count) {
    return w->is_new[n] || is_found_anew(w->ccd, other);
  }
  return w->is_new[n] && (other >= block || !is_found_anew(w->ccd, other));
}

static void meet_octet(const walk* w, uint32_t octet) {
  for (uint32_t n = 0; n < w->count; ++n) {
    for (uint32_t near = weft__moving_aabbs_near(&w->ccd->nodes, octet, &w->box[n]); near != 0;
         near &= near - 1) {
      const uint32_t other = octet + (uint32_t)__builtin_ctz(near);
      if (other >= w->ccd->blocks.face_block_count) break;
      if (!has_to_meet(w, n, other) || has_window(w->ccd, w->first + n, other)) continue;
      const weft__moving_aabb box = weft__moving_aabb_at(&w->ccd->nodes, other);
      if (weft__moving_aabbs_miss(&w->box[n], &box)) continue;
      add_run(w->ccd, w->first + n,
              (weft__cluster_pair){
                  .other = other, .made = w->ccd->findings, .window = WEFT__NO_WINDOW});
    }
  }
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as there are levels
static void visit(const walk* w, uint32_t level, uint32_t first) {
  if (level == 0) {
    meet_octet(w, first);
    return;
  }
  const uint32_t base = w->ccd->level_first[level];
  for (uint32_t near = weft__moving_aabbs_near(&w->ccd->nodes, base + first, &w->whole); near != 0;
       near &= near - 1) {
    const uint32_t n = first + (uint32_t)__builtin_ctz(near);
    if (n >= w->ccd->level_count[level]) return;
    // blocks before these have found it themselves
    if (w->what != WEFT__FIND_LEFT && w->first < w->ccd->blocks.face_block_count &&
        ((uint64_t)n + 1) << 3 * level <= w->first) {
      continue;
    }
    visit(w, level - 1, 8 * n);
  }
}

// takes over a block, that walks if there is anything to find for it
static bool add_block(walk* w, const weft__materials* materials, uint32_t block) {
  weft__ccd* ccd = w->ccd;
  const bool is_single = block >= ccd->blocks.face_block_count;
  const bool is_new = is_found_anew(ccd, block);
  const uint32_t windows = is_single ? 0 : ccd->flats.blocks.window_count[block];
  weft__cluster_pair_list* chain = &ccd->chain[block];
  if (w->what == WEFT__FIND_ALL) {
    *chain = (weft__cluster_pair_list){
        .is_lost = chain->is_lost, .test_count = chain->test_count, .halvings = chain->halvings};
  } else if (is_new) {
    weft__ccd_pairs_drop_runs(&ccd->pairs, chain, windows);
  }
  if (chain->run_count < windows) add_windows(ccd, block);
  const uint32_t n = w->count++;
  w->is_new[n] = is_new;
  w->box[n] = is_single ? weft__ccd_cluster_aabb(ccd, materials, block)
                        : weft__moving_aabb_at(&ccd->nodes, block);
  if (!is_new && !is_single) return false;
  weft__moving_aabb_contains(&w->whole, &w->box[n]);
  return true;
}

void weft__ccd_traverse(weft__ccd* ccd, const weft__contact_stage* stage, weft__finding what) {
  const uint32_t count = ccd->blocks.block_count;
  for (uint32_t first = weft__ccd_first_cluster(stage); first < count;
       first += 8 * stage->worker_count) {
    walk w = {.ccd = ccd, .what = what, .whole = weft__empty_moving_aabb()};
    bool walks = false;
    for (uint32_t b = first; b < first + 8 && b < count; ++b) {
      // blocks of faces and single vertices do not walk together
      if (b == ccd->blocks.face_block_count && w.count > 0) {
        if (walks) visit(&w, ccd->levels - 1, 0);
        w = (walk){.ccd = ccd, .what = what, .whole = weft__empty_moving_aabb()};
        walks = false;
      }
      if (w.count == 0) w.first = b;
      if (add_block(&w, stage->materials, b)) walks = true;
    }
    if (walks) visit(&w, ccd->levels - 1, 0);
  }
}
