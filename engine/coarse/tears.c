#include "coarse/tears.h"

// what a level is to the next finer one
typedef struct generation {
  const weft__level* level;
  const weft__schedule* finer;
} generation;

// where the parents of a particle stand: offset `k` in a run; NULL if it has none
static const weft__blend* find_blend(const generation* g, uint32_t particle, uint32_t* k) {
  const weft__corrections* c = &g->level->corrections;
  const uint32_t patch = weft__patch_of_particle(g->finer, particle);
  uint32_t first = c->patch_first_blend[patch];
  for (uint32_t beyond = c->patch_first_blend[patch + 1]; first < beyond;) {
    const uint32_t middle = first + (beyond - first) / 2;
    const weft__blend* blend = &c->blends[middle];
    if (particle < blend->first) {
      beyond = middle;
    } else if (particle >= blend->first + blend->count) {
      first = middle + 1;
    } else {
      *k = particle - blend->first;
      return blend;
    }
  }
  return NULL;
}

// clears the lane of the link between two particles of a level, in its scene's order; false if there
// is none, or none any more
static bool tear_link(const weft__level* level, uint32_t a, uint32_t b) {
  const weft__adjacency* links = &level->links;
  for (uint32_t i = links->first[a]; i < links->first[a + 1]; ++i) {
    if (links->to[i] != b) continue;
    const uint32_t slot = level->schedule.slot_of_link[links->link[i]];
    uint16_t* mask = &level->schedule.lane_mask[slot / WEFT__LANES];
    const uint32_t bit = 1u << slot % WEFT__LANES;
    if ((*mask & bit) == 0) return false;
    *mask = (uint16_t)(*mask & ~bit);
    return true;
  }
  return false;
}

// Goes on from a torn link between particles of the level that is finer than levels[l]. As deep as there
// are levels.
static void tear_above(const weft__levels* levels, const weft__schedule* cloth, uint32_t l,
                       uint32_t a, uint32_t b) {
  if (l == levels->count) return;
  const weft__level* level = &levels->levels[l];
  const generation g = {level, l == 0 ? cloth : &levels->levels[l - 1].schedule};
  level->corrections.follows[a] = level->corrections.follows[b] = 0.0f;
  uint32_t at_a = 0;
  uint32_t at_b = 0;
  const weft__blend* of_a = find_blend(&g, a, &at_a);
  const weft__blend* of_b = find_blend(&g, b, &at_b);
  if (of_a == NULL || of_b == NULL) return;
  for (uint32_t i = 0; i < 4; ++i) {
    for (uint32_t j = 0; j < 4; ++j) {
      if (of_a->weight[i] == 0.0f || of_b->weight[j] == 0.0f) continue;
      const uint32_t coarse_a = of_a->of[i] + at_a;
      const uint32_t coarse_b = of_b->of[j] + at_b;
      if (!tear_link(level, coarse_a, coarse_b)) continue;
      const uint32_t* solver_of = level->schedule.solver_of;
      tear_above(levels, cloth, l + 1, solver_of[coarse_a], solver_of[coarse_b]);
    }
  }
}

void weft__levels_tear(const weft__levels* levels, const weft__schedule* cloth, uint32_t a,
                       uint32_t b) {
  tear_above(levels, cloth, 0, a, b);
}
