/* Finding pairs: boxes around all that may move, a tree over the blocks of them, and a walk down the tree for each
 * block, which finds it with itself and with those after it. What is so found is looked at once more as it is,
 * as most faces are much smaller than their boxes. */
#include <math.h>

#include "exact/near.h"

// ---- boxes ----

typedef struct spot {
  const weft__exact* exact;
  const weft__particles* particles;
} spot;

// rounds away from the inside, whatever was rounded before
static float outwards(float at, float by, bool is_upper) {
  const float room = by + 4e-7f * fabsf(at);
  return is_upper ? at + room : at - room;
}

static void hold_particle(const spot* s, uint32_t particle, weft__moving_box* box) {
  for (int axis = 0; axis < 3; ++axis) {
    const float ends[2] = {s->exact->start[axis][particle],
                           weft__axis_of(s->particles, axis)[particle]};
    for (int end = 0; end < 2; ++end) {
      float* low = &box->side[6 * end + axis];
      float* high = &box->side[6 * end + 3 + axis];
      if (ends[end] < *low) *low = ends[end];
      if (ends[end] > *high) *high = ends[end];
    }
  }
}

static void widen(weft__moving_box* box, float by) {
  for (int side = 0; side < WEFT__BOX_SIDES; ++side) {
    box->side[side] = outwards(box->side[side], by, weft__is_upper(side));
  }
}

static float extra_of(const weft__material* material) {
  return material->shape == WEFT_CONTACT_CLOTH ? 0.0f : material->half_size[0];
}

// how much further a block may go
static float allowance(const weft__exact* exact, uint32_t block) {
  const float left = exact->skin[block] - exact->path[block];
  return left > 0.0f ? left : 0.0f;
}

static weft__moving_box box_of_vertex(const spot* s, const weft__materials* materials,
                                      uint32_t block, uint32_t particle) {
  weft__moving_box box = weft__no_box();
  hold_particle(s, particle, &box);
  widen(&box, allowance(s->exact, block) + extra_of(weft__material_of(materials, particle)));
  return box;
}

// The further a block goes, the further it may go before pairs are found anew. (Only up to where neighbours in a
// flat cloth would be pairs.)
static float skin_of(const spot* s, uint32_t block) {
  const weft__exact* exact = s->exact;
  const weft__range members = weft__block_range(exact->blocks.first_member, block);
  float most = 0.0f;
  for (uint32_t m = members.begin; m < members.end; ++m) {
    const uint32_t i = exact->blocks.member[m];
    float way = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      const float step = weft__axis_of(s->particles, axis)[i] - exact->start[axis][i];
      way += step * step;
    }
    if (way > most) most = way;
  }
  const float size = exact->blocks.size[block];
  const float wanted = 2.0f * sqrtf(most);
  if (!(wanted > WEFT__EXACT_LEAST_SKIN * size)) return WEFT__EXACT_LEAST_SKIN * size;
  return wanted < WEFT__EXACT_MOST_SKIN * size ? wanted : WEFT__EXACT_MOST_SKIN * size;
}

static void box_faces(const spot* s, uint32_t block, float by, weft__moving_box* whole) {
  const weft__exact* exact = s->exact;
  const weft__range faces = weft__block_faces(&exact->blocks, block);
  for (uint32_t f = faces.begin; f < faces.end; ++f) {
    weft__moving_box box = weft__no_box();
    const uint32_t* corner = exact->faces->corner[exact->blocks.face[f]];
    for (int k = 0; k < 3; ++k) hold_particle(s, corner[k], &box);
    widen(&box, by);
    weft__box_set(&exact->face_boxes, f, &box);
    weft__box_hold(whole, &box);
  }
}

static void box_edges(const spot* s, uint32_t block, float by) {
  const weft__exact* exact = s->exact;
  const weft__range edges = weft__block_range(exact->blocks.first_edge, block);
  for (uint32_t e = edges.begin; e < edges.end; ++e) {
    weft__moving_box box = weft__no_box();
    const uint32_t* end = exact->web.end[exact->blocks.edge[e]];
    for (int k = 0; k < 2; ++k) hold_particle(s, end[k], &box);
    widen(&box, by);
    weft__box_set(&exact->edge_boxes, e, &box);
  }
}

// the box of a block of faces holds its edges, too, and its vertices where these are of no size
static void box_block(const spot* s, const weft__materials* materials, uint32_t block) {
  const weft__exact_blocks* blocks = &s->exact->blocks;
  s->exact->skin[block] = s->exact->path[block] + skin_of(s, block);
  if (block >= blocks->face_block_count) return;
  weft__moving_box whole = weft__no_box();
  const float by = allowance(s->exact, block) + WEFT__EXACT_GAP * blocks->size[block];
  box_faces(s, block, by, &whole);
  box_edges(s, block, by);
  const weft__range vertices = weft__block_range(blocks->first_vertex, block);
  for (uint32_t v = vertices.begin; v < vertices.end; ++v) {
    if (extra_of(weft__material_of(materials, blocks->vertex[v])) == 0.0f) continue;
    const weft__moving_box box = box_of_vertex(s, materials, block, blocks->vertex[v]);
    weft__box_hold(&whole, &box);
  }
  weft__box_set(&s->exact->nodes, block, &whole);
}

static void grow_tree(const weft__exact* exact) {
  for (uint32_t level = 0; level < exact->levels; ++level) {
    const uint32_t count = exact->level_count[level];
    const uint32_t first = exact->level_first[level];
    const weft__moving_box none = weft__no_box();
    for (uint32_t n = 0; n < count && level > 0; ++n) {
      weft__moving_box box = none;
      for (uint32_t child = 8 * n; child < 8 * n + 8; ++child) {
        const weft__moving_box part =
            weft__box_at(&exact->nodes, exact->level_first[level - 1] + child);
        weft__box_hold(&box, &part);
      }
      weft__box_set(&exact->nodes, first + n, &box);
    }
    for (uint32_t n = count; n % 8 != 0; ++n) weft__box_set(&exact->nodes, first + n, &none);
  }
}

// ---- walking ----

typedef struct walk {
  spot at;
  const weft__contact_stage* stage;
  weft__exact* exact;
  uint32_t block;
  weft__moving_box box;
  weft__exact_pair* found; /* [WEFT__RUN_PAIRS] */
  uint32_t count;
  uint32_t other;
  float size, reach, path; /* of the block and the other one */
  bool all;                /* and not only of what left its skin */
} walk;

// asked first, as most that are near are neighbours
static bool share_particle(const weft__exact* exact, uint32_t a, uint32_t b) {
  if ((a & WEFT__PAIR_OF_EDGES) == 0) {
    const uint32_t* corner = exact->faces->corner[b];
    return corner[0] == a || corner[1] == a || corner[2] == a;
  }
  const uint32_t* end = exact->web.end[a & ~WEFT__PAIR_OF_EDGES];
  const uint32_t* other = exact->web.end[b];
  return end[0] == other[0] || end[0] == other[1] || end[1] == other[0] || end[1] == other[1];
}

// some particle of one side meets some of the other's
static bool may_touch(const weft__exact_case* c, const weft__materials* materials) {
  for (int a = 0; a < c->meeting.first_count; ++a) {
    for (int b = c->meeting.first_count; b < 4; ++b) {
      if (weft__surfaces_meet(&weft__material_of(materials, c->particle[a])->surface,
                              &weft__material_of(materials, c->particle[b])->surface)) {
        return true;
      }
    }
  }
  return false;
}

static void look(walk* w, uint32_t a, uint32_t b) {
  if (share_particle(w->exact, a, b)) return;
  const weft__exact_pair pair = {.a = a, .b = b};
  const weft__exact_case c = weft__exact_case_of(w->exact, w->stage, &pair, w->size);
  const weft__nearness near = weft__meeting_nearness(&c.meeting, 0.0);
  const double room = weft__meeting_bound(&c.meeting, near.normal, 0.0) - (double)c.gap;
  if (room > (double)w->reach || !may_touch(&c, w->stage->materials) ||
      weft__exact_pair_is_gone(w->exact, w->stage, &pair)) {
    return;
  }
  w->found[w->count++] = (weft__exact_pair){a, b, w->path + (float)room * 0.999f};
}

// all of the boxes [begin, end) that meet a box: calls look() with `a` and the number in `numbers`
static void look_through(walk* w, uint32_t a, const weft__moving_box* box,
                         const weft__moving_boxes* boxes, weft__range range,
                         const uint32_t* numbers) {
  for (uint32_t first = range.begin; first < range.end; first += WEFT__BOX_LANES) {
    uint32_t near = weft__boxes_near(boxes, first, box);
    if (range.end - first < WEFT__BOX_LANES) near &= (1u << (range.end - first)) - 1u;
    for (; near != 0; near &= near - 1) {
      const uint32_t n = first + (uint32_t)__builtin_ctz(near);
      const weft__moving_box other = weft__box_at(boxes, n);
      if (!weft__boxes_miss(box, &other)) look(w, a, numbers[n]);
    }
  }
}

static void look_at_vertices(walk* w, uint32_t of, uint32_t with,
                             const weft__moving_box* box_of_with) {
  const weft__exact_blocks* blocks = &w->exact->blocks;
  const weft__range vertices = weft__block_range(blocks->first_vertex, of);
  const weft__range faces = weft__block_faces(blocks, with);
  for (uint32_t v = vertices.begin; v < vertices.end; ++v) {
    const uint32_t particle = blocks->vertex[v];
    const weft__moving_box box = box_of_vertex(&w->at, w->stage->materials, of, particle);
    if (weft__boxes_miss(&box, box_of_with)) continue;
    look_through(w, particle, &box, &w->exact->face_boxes, faces, blocks->face);
  }
}

static void look_at_edge(walk* w, uint32_t edge, uint32_t with) {
  const weft__exact_blocks* blocks = &w->exact->blocks;
  const weft__moving_box box = weft__box_at(&w->exact->edge_boxes, edge);
  weft__range others = weft__block_range(blocks->first_edge, with);
  if (with == w->block) others.begin = edge + 1;
  look_through(w, blocks->edge[edge] | WEFT__PAIR_OF_EDGES, &box, &w->exact->edge_boxes, others,
               blocks->edge);
}

static void look_at_edges(walk* w, uint32_t with, const weft__moving_box* box_of_with) {
  const weft__range edges = weft__block_range(w->exact->blocks.first_edge, w->block);
  for (uint32_t first = edges.begin; first < edges.end; first += WEFT__BOX_LANES) {
    uint32_t near = weft__boxes_near(&w->exact->edge_boxes, first, box_of_with);
    if (edges.end - first < WEFT__BOX_LANES) near &= (1u << (edges.end - first)) - 1u;
    for (; near != 0; near &= near - 1) {
      look_at_edge(w, first + (uint32_t)__builtin_ctz(near), with);
    }
  }
}

static void visit_block(walk* w, uint32_t other) {
  const weft__exact_blocks* blocks = &w->exact->blocks;
  const weft__moving_box box = weft__box_at(&w->exact->nodes, other);
  w->count = 0;
  w->other = other;
  w->size = fminf(blocks->size[w->block], blocks->size[other]);
  w->reach = allowance(w->exact, w->block) + allowance(w->exact, other);
  w->path = w->exact->path[w->block] + w->exact->path[other];
  look_at_vertices(w, w->block, other, &box);
  if (w->block < blocks->face_block_count) {
    if (other != w->block) look_at_vertices(w, other, w->block, &w->box);
    look_at_edges(w, other, &box);
  }
  weft__exact_pairs_add(&w->exact->pairs, &w->exact->chain[w->block], other, w->found, w->count,
                        w->exact->findings);
}

static bool is_found_anew(const weft__exact* exact, uint32_t block) {
  return exact->found_at[block] == exact->findings;
}

// Whether it is this block that finds what it and another block have: of two blocks of faces the first that looks
// for all it has, and of a single vertex and a block of faces always the vertex.
static bool has_to_visit(const walk* w, uint32_t other) {
  const bool is_vertex = w->block >= w->exact->blocks.face_block_count;
  if (is_vertex) return is_found_anew(w->exact, w->block) || is_found_anew(w->exact, other);
  return other >= w->block || !is_found_anew(w->exact, other);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as there are levels
static void visit(walk* w, uint32_t level, uint32_t first) {
  const uint32_t base = w->exact->level_first[level];
  for (uint32_t near = weft__boxes_near(&w->exact->nodes, base + first, &w->box); near != 0;
       near &= near - 1) {
    const uint32_t n = first + (uint32_t)__builtin_ctz(near);
    if (n >= w->exact->level_count[level]) return;
    // blocks before this one have found it themselves
    if (w->all && w->block < w->exact->blocks.face_block_count &&
        ((uint64_t)n + 1) << 3 * level <= w->block) {
      continue;
    }
    if (level == 0 && !has_to_visit(w, n)) continue;
    const weft__moving_box box = weft__box_at(&w->exact->nodes, base + n);
    if (weft__boxes_miss(&w->box, &box)) continue;
    if (level == 0) {
      visit_block(w, n);
    } else {
      visit(w, level - 1, 8 * n);
    }
  }
}

static void walk_all(weft__exact* exact, const weft__contact_stage* stage, bool all) {
  walk w = {.at = {exact, stage->particles},
            .stage = stage,
            .exact = exact,
            .all = all,
            .found = exact->found + (size_t)stage->worker * WEFT__RUN_PAIRS};
  const weft__exact_blocks* blocks = &exact->blocks;
  for (uint32_t b = weft__exact_first_block(stage); b < blocks->block_count;
       b = weft__exact_next_block(stage, b)) {
    weft__exact_chain* chain = &exact->chain[b];
    if (is_found_anew(exact, b)) {
      *chain = (weft__exact_chain){
          .first_run = WEFT__NONE, .last_run = WEFT__NONE, .is_lost = chain->is_lost};
    } else if (b < blocks->face_block_count) {
      continue;
    }
    w.block = b;
    w.box = b < blocks->face_block_count ? weft__box_at(&exact->nodes, b)
                                         : box_of_vertex(&w.at, stage->materials, b,
                                                         blocks->vertex[blocks->first_vertex[b]]);
    visit(&w, exact->levels - 1, 0);
  }
}

// ---- all of it ----

static void clear_pairs(weft__exact* exact) {
  atomic_store_explicit(&exact->pairs.pair_count, 0, memory_order_relaxed);
  atomic_store_explicit(&exact->pairs.run_count, 0, memory_order_relaxed);
}

// Where there is too little room, the first blocks have it, as far as it goes: which ones must not depend on who
// was the fastest.
static void share_room(weft__exact* exact) {
  uint64_t pairs = 0;
  uint64_t runs = 0;
  for (uint32_t b = 0; b < exact->blocks.block_count; ++b) {
    weft__exact_chain* chain = &exact->chain[b];
    chain->is_lost = pairs + chain->pair_count > exact->pairs.pair_room ||
                     runs + chain->run_count > exact->pairs.run_room;
    if (chain->is_lost) {
      exact->lost += chain->pair_count;
    } else {
      pairs += chain->pair_count;
      runs += chain->run_count;
    }
  }
  clear_pairs(exact);
}

// `last` shares out the room that there is
static void end_finding(weft__exact* exact, bool last) {
  const uint64_t pairs = atomic_load_explicit(&exact->pairs.pair_count, memory_order_relaxed);
  const uint64_t runs = atomic_load_explicit(&exact->pairs.run_count, memory_order_relaxed);
  exact->is_short = pairs > exact->pairs.pair_room || runs > exact->pairs.run_room;
  if (exact->is_short && last) share_room(exact);
}

static void box_blocks(weft__exact* exact, const weft__contact_stage* stage, bool all) {
  const spot s = {exact, stage->particles};
  for (uint32_t b = weft__exact_first_block(stage); b < exact->blocks.block_count;
       b = weft__exact_next_block(stage, b)) {
    if (!all && exact->found_at[b] <= exact->findings) continue;
    exact->found_at[b] = exact->findings + 1;
    if (all) exact->path[b] = 0.0f;
    exact->chain[b].is_lost = false;
    box_block(&s, stage->materials, b);
  }
  weft__worker_pool_meet(stage->pool);
}

static void find(weft__exact* exact, const weft__contact_stage* stage, bool all) {
  box_blocks(exact, stage, all);
  if (stage->worker == 0) {
    ++exact->findings;
    grow_tree(exact);
    if (all) clear_pairs(exact);
  }
  weft__worker_pool_meet(stage->pool);
  walk_all(exact, stage, all);
  weft__worker_pool_meet(stage->pool);
  if (stage->worker == 0) end_finding(exact, all);
  weft__worker_pool_meet(stage->pool);
}

void weft__exact_find_pairs(weft__exact* exact, const weft__contact_stage* stage, bool all) {
  find(exact, stage, all);
  if (!exact->is_short) return;
  // what was found before takes room, too, that finding all frees
  if (!all) find(exact, stage, true);
  if (!exact->is_short) return;
  walk_all(exact, stage, true);
  weft__worker_pool_meet(stage->pool);
}
