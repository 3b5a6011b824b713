/* Walking down the tree of blocks: which blocks are near each other. */
#include <math.h>

#include "exact/near.h"

typedef struct walk {
  weft__exact* exact;
  weft__finding what;
  uint32_t first, count; /* the blocks that walk together */
  weft__moving_box whole;
  weft__moving_box box[8];
  bool is_new[8];
} walk;

static bool is_found_anew(const weft__exact* exact, uint32_t block) {
  return exact->found_at[block] == exact->findings;
}

static void add_run(weft__exact* exact, uint32_t block, weft__exact_run run) {
  weft__exact_tell_apart(exact, block, &run);
  if (run.is_wanted) exact->chain[block].is_wanting = true;
  weft__exact_pairs_add_run(&exact->pairs, &exact->chain[block], &run);
}

// Windows are a chain's first runs: whom a block shares them with is near for ever.
static void add_windows(weft__exact* exact, uint32_t block) {
  exact->flat_key[block] = -INFINITY;
  exact->chain[block].has_folds = true;
  for (uint32_t n = 0; n < exact->flats.blocks.window_count[block]; ++n) {
    add_run(exact, block,
            (weft__exact_run){.other = exact->flats.blocks.window[block][n].other,
                              .made = UINT32_MAX,
                              .window = (uint8_t)n});
  }
}

static bool has_window(const weft__exact* exact, uint32_t block, uint32_t other) {
  return block < exact->blocks.face_block_count &&
         weft__flat_window(&exact->flats.blocks, block, other) != NULL;
}

// Whether it is this block that finds what it and another block have: of two blocks of faces the first that looks
// for all it has, and of a single vertex and a block of faces always the vertex.
static bool has_to_meet(const walk* w, uint32_t n, uint32_t other) {
  const uint32_t block = w->first + n;
  if (block >= w->exact->blocks.face_block_count) {
    return w->is_new[n] || is_found_anew(w->exact, other);
  }
  return w->is_new[n] && (other >= block || !is_found_anew(w->exact, other));
}

static void meet_octet(const walk* w, uint32_t octet) {
  for (uint32_t n = 0; n < w->count; ++n) {
    for (uint32_t near = weft__boxes_near(&w->exact->nodes, octet, &w->box[n]); near != 0;
         near &= near - 1) {
      const uint32_t other = octet + (uint32_t)__builtin_ctz(near);
      if (other >= w->exact->blocks.face_block_count) break;
      if (!has_to_meet(w, n, other) || has_window(w->exact, w->first + n, other)) continue;
      const weft__moving_box box = weft__box_at(&w->exact->nodes, other);
      if (weft__boxes_miss(&w->box[n], &box)) continue;
      add_run(
          w->exact, w->first + n,
          (weft__exact_run){.other = other, .made = w->exact->findings, .window = WEFT__NO_WINDOW});
    }
  }
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as there are levels
static void visit(const walk* w, uint32_t level, uint32_t first) {
  if (level == 0) {
    meet_octet(w, first);
    return;
  }
  const uint32_t base = w->exact->level_first[level];
  for (uint32_t near = weft__boxes_near(&w->exact->nodes, base + first, &w->whole); near != 0;
       near &= near - 1) {
    const uint32_t n = first + (uint32_t)__builtin_ctz(near);
    if (n >= w->exact->level_count[level]) return;
    // blocks before these have found it themselves
    if (w->what != WEFT__FIND_LEFT && w->first < w->exact->blocks.face_block_count &&
        ((uint64_t)n + 1) << 3 * level <= w->first) {
      continue;
    }
    visit(w, level - 1, 8 * n);
  }
}

// takes over a block, that walks if there is anything to find for it
static bool add_block(walk* w, const weft__materials* materials, uint32_t block) {
  weft__exact* exact = w->exact;
  const bool is_single = block >= exact->blocks.face_block_count;
  const bool is_new = is_found_anew(exact, block);
  const uint32_t windows = is_single ? 0 : exact->flats.blocks.window_count[block];
  weft__exact_chain* chain = &exact->chain[block];
  if (w->what == WEFT__FIND_ALL) {
    *chain = (weft__exact_chain){
        .is_lost = chain->is_lost, .test_count = chain->test_count, .halvings = chain->halvings};
  } else if (is_new) {
    weft__exact_pairs_drop_runs(&exact->pairs, chain, windows);
  }
  if (chain->run_count < windows) add_windows(exact, block);
  const uint32_t n = w->count++;
  w->is_new[n] = is_new;
  w->box[n] = is_single ? weft__exact_block_box(exact, materials, block)
                        : weft__box_at(&exact->nodes, block);
  if (!is_new && !is_single) return false;
  weft__box_hold(&w->whole, &w->box[n]);
  return true;
}

void weft__exact_walk(weft__exact* exact, const weft__contact_stage* stage, weft__finding what) {
  const uint32_t count = exact->blocks.block_count;
  for (uint32_t first = weft__exact_first_block(stage); first < count;
       first += 8 * stage->worker_count) {
    walk w = {.exact = exact, .what = what, .whole = weft__no_box()};
    bool walks = false;
    for (uint32_t b = first; b < first + 8 && b < count; ++b) {
      // blocks of faces and single vertices do not walk together
      if (b == exact->blocks.face_block_count && w.count > 0) {
        if (walks) visit(&w, exact->levels - 1, 0);
        w = (walk){.exact = exact, .what = what, .whole = weft__no_box()};
        walks = false;
      }
      if (w.count == 0) w.first = b;
      if (add_block(&w, stage->materials, b)) walks = true;
    }
    if (walks) visit(&w, exact->levels - 1, 0);
  }
}
