/* Searching two blocks for what of them may meet: their vertices and faces, and their edges. What is found by its
 * box is looked at once more as it is, as most faces are much smaller than their boxes. */
#include <math.h>

#include "collision/ccd/candidates.h"
#include "collision/ccd/leaf_bounds.h"

// for how many substeps pairs of folds are found, if they go on as they do; and how far they reach then, of an edge
#define FOLD_LOOKS 4.0f
#define LEAST_REACH 0.1f
#define MOST_REACH 0.4f

// of a block: boxes are made when they are asked for
typedef struct block_boxes {
  uint32_t block;
  weft__moving_fours whole; /* of its quarters */
  bool is_made[4];
  weft__leaf_bounds quarter[4];
} block_boxes;

typedef struct search {
  const weft__contact_stage* stage;
  weft__ccd* ccd;
  block_boxes own, other;
  weft__ccd_pair* found; /* [WEFT__MOST_PAIRS] */
  uint32_t count;
  uint64_t test_count;
  /* metres, of the two blocks */
  float size;
  float gap;   /* between their faces */
  float extra; /* by which some of their particles are larger than none */
  float reach; /* beyond the gap */
  float path;
} search;

// ---- pairs ----

// asked first, as most that are near are neighbours
static bool share_particle(const weft__ccd* ccd, uint32_t a, uint32_t b) {
  if ((a & WEFT__PAIR_OF_EDGES) == 0) {
    const uint32_t* corner = ccd->faces->corner[b];
    return corner[0] == a || corner[1] == a || corner[2] == a;
  }
  const uint32_t* end = ccd->web.end[a & ~WEFT__PAIR_OF_EDGES];
  const uint32_t* other = ccd->web.end[b];
  return end[0] == other[0] || end[0] == other[1] || end[1] == other[0] || end[1] == other[1];
}

// some particle of one side meets some of the other's
static bool may_touch(const weft__ccd_case* c, const weft__materials* materials) {
  for (int a = 0; a < c->toi.first_count; ++a) {
    for (int b = c->toi.first_count; b < 4; ++b) {
      if (weft__surfaces_meet(&weft__material_of(materials, c->particle[a])->surface,
                              &weft__material_of(materials, c->particle[b])->surface)) {
        return true;
      }
    }
  }
  return false;
}

static void look(search* s, uint32_t a, uint32_t b) {
  if (share_particle(s->ccd, a, b)) return;
  weft__cluster_pair_list* chain = &s->ccd->chain[s->own.block];
  if (weft__ccd_is_over_budget(chain)) return;
  ++chain->test_count;
  ++s->test_count;
  const weft__ccd_pair pair = {.a = a, .b = b};
  const weft__ccd_case c = weft__ccd_case_of(s->ccd, s->stage, &pair, s->size);
  const weft__nearness near = weft__toi_nearness(&c.toi, 0.0);
  const double room = weft__toi_bound(&c.toi, near.normal, 0.0) - (double)c.gap;
  if (room > (double)s->reach || !may_touch(&c, s->stage->materials) ||
      weft__ccd_pair_is_gone(s->ccd, s->stage, &pair)) {
    return;
  }
  s->found[s->count++] = (weft__ccd_pair){a, b, s->path + (float)room * 0.999f};
}

// ---- boxes ----

static void begin_block(const weft__ccd* ccd, block_boxes* boxes, uint32_t block) {
  boxes->block = block;
  for (int n = 0; n < 4; ++n) boxes->is_made[n] = false;
  const weft__range quarters = weft__cluster_leaves(&ccd->blocks, block);
  for (uint32_t q = quarters.begin; q < quarters.end; ++q) {
    const weft__range members = weft__leaf_range(ccd->blocks.first_member, q);
    const weft__moving_aabb box = members.begin == members.end
                                      ? weft__empty_moving_aabb()
                                      : weft__ccd_positions_box(&ccd->places, members);
    weft__moving_four_set(&boxes->whole, q - quarters.begin, &box);
  }
}

static const weft__leaf_bounds* boxes_of(const search* s, block_boxes* boxes, uint32_t n) {
  if (!boxes->is_made[n]) {
    const weft__range quarters = weft__cluster_leaves(&s->ccd->blocks, boxes->block);
    weft__leaf_bounds_make(&boxes->quarter[n], &s->ccd->blocks, &s->ccd->places,
                           quarters.begin + n);
    boxes->is_made[n] = true;
  }
  return &boxes->quarter[n];
}

static uint32_t first_of(uint32_t count) {
  return (1u << count) - 1u;
}

// of the four, a bit for each that meets a box
static uint32_t toi(const weft__moving_fours* fours, uint32_t among, const weft__moving_aabb* box) {
  uint32_t near = weft__fours_near(fours, box) & among;
  uint32_t toi = 0;
  for (; near != 0; near &= near - 1) {
    const uint32_t n = (uint32_t)__builtin_ctz(near);
    const weft__moving_aabb other = weft__moving_four_at(fours, n);
    if (!weft__moving_aabbs_miss(box, &other)) toi |= 1u << n;
  }
  return toi;
}

static void look_at_vertices(search* s, const weft__leaf_bounds* of,
                             const weft__leaf_bounds* with) {
  const weft__ccd_clusters* blocks = &s->ccd->blocks;
  for (uint32_t v = 0; v < of->vertex_count && with->face_count > 0; ++v) {
    weft__moving_aabb box = weft__moving_four_at(&of->vertices[v / 4], v % 4);
    weft__moving_aabb_widen(&box, s->gap + s->extra + s->reach);
    uint32_t faces = toi(&with->faces, first_of(with->face_count), &box);
    for (; faces != 0; faces &= faces - 1) {
      look(s, blocks->vertex[of->first_vertex + v],
           blocks->face[with->first_face + (uint32_t)__builtin_ctz(faces)]);
    }
  }
}

static void look_at_edges(search* s, const weft__leaf_bounds* of, const weft__leaf_bounds* with) {
  const weft__ccd_clusters* blocks = &s->ccd->blocks;
  for (uint32_t e = 0; e < of->edge_count; ++e) {
    weft__moving_aabb box = weft__moving_four_at(&of->edges[e / 4], e % 4);
    weft__moving_aabb_widen(&box, s->gap + s->reach);
    for (uint32_t n = 0; 4 * n < with->edge_count; ++n) {
      uint32_t among = with->edge_count - 4 * n < 4 ? first_of(with->edge_count - 4 * n) : 0xfu;
      // in one quarter each pair is looked at once
      if (of == with && 4 * n <= e) among &= e - 4 * n < 4 ? ~first_of(e - 4 * n + 1) : 0u;
      uint32_t edges = toi(&with->edges[n], among, &box);
      for (; edges != 0; edges &= edges - 1) {
        const uint32_t other = 4 * n + (uint32_t)__builtin_ctz(edges);
        look(s, blocks->edge[of->first_edge + e] | WEFT__PAIR_OF_EDGES,
             blocks->edge[with->first_edge + other]);
      }
    }
  }
}

// ---- quarters ----

// What is found for longer than this substep goes by the two blocks alone.
static bool is_flat(const search* s, const weft__flat_region* window) {
  float slack;
  const weft__flatness* flats = &s->ccd->flats;
  if (s->extra > 0.0f || !weft__flat_holds(flats, &flats->quarters, window, &slack)) return false;
  if (s->reach == 0.0f) return true;
  for (uint32_t n = 0; n < window->count; ++n) {
    const uint32_t block = window->part[n] / 4;
    if (block != s->own.block && block != s->other.block) return false;
    if (!(slack > s->reach * flats->quarters.rate[window->part[n]])) return false;
  }
  return true;
}

static bool are_apart(const search* s, uint32_t a, uint32_t b) {
  const weft__ccd* ccd = s->ccd;
  const weft__flatness_level* flats = &ccd->flats.quarters;
  const weft__flat_region* window = weft__flatness_region(flats, a, b);
  if (window != NULL) return is_flat(s, window);
  if (a == b) return false;
  const weft__range members[2] = {weft__leaf_range(ccd->blocks.first_member, a),
                                  weft__leaf_range(ccd->blocks.first_member, b)};
  float room;
  return weft__ccd_part(&ccd->places, members, &flats->now[a], &flats->now[b],
                        1.01f * (s->gap + s->extra), &room) &&
         room > s->reach;
}

// `of` is one of the block's own quarters, and whatever is in its box
static void look_at_quarters(search* s, uint32_t of, const weft__moving_aabb* box) {
  const bool is_single = s->own.block >= s->ccd->blocks.face_block_count;
  const bool is_same = s->own.block == s->other.block;
  uint32_t quarters = toi(&s->other.whole, 0xfu, box);
  for (; quarters != 0; quarters &= quarters - 1) {
    const uint32_t with = (uint32_t)__builtin_ctz(quarters);
    if (is_same && with < of) continue;
    if (!is_single && are_apart(s, 4 * s->own.block + of, 4 * s->other.block + with)) continue;
    const weft__leaf_bounds* a = boxes_of(s, &s->own, of);
    const weft__leaf_bounds* b =
        is_same ? boxes_of(s, &s->own, with) : boxes_of(s, &s->other, with);
    look_at_vertices(s, a, b);
    if (is_single) continue;
    if (a != b) look_at_vertices(s, b, a);
    look_at_edges(s, a, b);
  }
}

static float extra_of(const search* s, uint32_t block) {
  const weft__range members = weft__cluster_members(&s->ccd->blocks, block);
  float extra = 0.0f;
  for (uint32_t m = members.begin; m < members.end && s->ccd->has_size[block]; ++m) {
    const uint32_t i = s->ccd->blocks.member[m];
    extra = fmaxf(extra, weft__ccd_extra(weft__material_of(s->stage->materials, i)));
  }
  return extra;
}

static float reach_of_skins(const search* s) {
  return weft__ccd_allowance(s->ccd, s->own.block) + weft__ccd_allowance(s->ccd, s->other.block);
}

// What moves by so much against each other that it would soon have to be searched again has pairs for this substep
// alone.
static float reach_of_fold(const search* s) {
  const float* way = s->ccd->aside_way;
  const float soon = FOLD_LOOKS * (way[s->own.block] + way[s->other.block]);
  if (!(soon <= MOST_REACH * s->size)) return 0.0f;
  return fmaxf(soon, LEAST_REACH * s->size);
}

static void search_run(search* s, weft__cluster_pair* run) {
  weft__ccd* ccd = s->ccd;
  const uint32_t block = s->own.block;
  begin_block(ccd, &s->other, run->other);
  s->count = 0;
  s->size = fminf(ccd->blocks.size[block], ccd->blocks.size[run->other]);
  s->gap = WEFT__CCD_GAP * s->size;
  s->extra = fmaxf(extra_of(s, block), extra_of(s, run->other));
  s->reach = run->kind == WEFT__RUN_FOLD ? reach_of_fold(s) : reach_of_skins(s);
  s->path = weft__ccd_displacement_of(ccd, block, run);
  const weft__range quarters = weft__cluster_leaves(&ccd->blocks, block);
  for (uint32_t n = 0; n < quarters.end - quarters.begin; ++n) {
    weft__moving_aabb box = weft__moving_four_at(&s->own.whole, n);
    if (box.side[0] > box.side[3]) continue;
    weft__moving_aabb_widen(&box, s->gap + s->extra + s->reach);
    look_at_quarters(s, n, &box);
  }
  if (weft__ccd_is_over_budget(&ccd->chain[block])) return;
  weft__ccd_pairs_fill(&ccd->pairs, &ccd->chain[block], run, s->found, s->count);
  run->path = s->path + 0.999f * s->reach;
  run->is_wanted = false;
}

void weft__ccd_find_candidates(weft__ccd* ccd, const weft__contact_stage* stage) {
  search s = {.stage = stage,
              .ccd = ccd,
              .own.block = WEFT__NONE,
              .found = ccd->found + (size_t)stage->worker * WEFT__MOST_PAIRS};
  for (uint32_t b = weft__ccd_first_cluster(stage); b < ccd->blocks.block_count;
       b = weft__ccd_next_cluster(stage, b)) {
    weft__cluster_pair_list* chain = &ccd->chain[b];
    if (!chain->is_wanting || chain->is_lost) continue;
    chain->is_wanting = false;
    const weft__cluster_pairs runs = weft__cluster_pairs_of(&ccd->pairs, chain);
    for (weft__cluster_pair* run = runs.begin; run < runs.end; ++run) {
      if (!run->is_wanted || !weft__cluster_pair_counts(ccd, run)) continue;
      if (s.own.block != b) begin_block(ccd, &s.own, b);
      if (!weft__cluster_pair_is_zoned(ccd, b, run) && !weft__ccd_is_over_budget(chain)) {
        search_run(&s, run);
      }
      chain->is_wanting |= run->is_wanted;
    }
  }
  if (s.test_count > 0) {
    atomic_fetch_add_explicit(&ccd->tests, s.test_count, memory_order_relaxed);
  }
}
