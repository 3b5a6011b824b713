#include "solvers/multigrid/torn_coarse_links.h"

#include "base/sort.h"

static uint32_t lower_end(const weft__lane* lane) {
  return lane->a < lane->b ? lane->a : lane->b;
}

static void count_link(void* context, const weft__lane* lane) {
  ++((weft__level_links*)context)->first[lower_end(lane) + 1];
}

static void list_link(void* context, const weft__lane* lane) {
  const weft__level_links* links = context;
  const uint32_t at = --links->first[lower_end(lane) + 1];
  links->to[at] = lane->a ^ lane->b ^ lower_end(lane);
  links->slot[at] = weft__lane_slot(lane);
}

static void visit_level(const weft__schedule* schedule, weft__visit_lane* visit,
                        weft__level_links* links) {
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    weft__schedule_visit(schedule, patch, schedule->links.lane_mask, visit, links);
  }
}

static void list_links(weft__level_links* links, const weft__schedule* schedule) {
  const uint32_t count = schedule->particle_count;
  visit_level(schedule, count_link, links);
  // first[p + 1] is the end of p's entries, filled from the back
  for (uint32_t p = 0; p < count; ++p) links->first[p + 1] += links->first[p];
  visit_level(schedule, list_link, links);
  for (uint32_t p = 0; p < count; ++p) links->first[p] = links->first[p + 1];
  links->first[count] = schedule->links.link_count;
}

static bool make_tearable(weft__level* level) {
  if (level->links.first != NULL) return true;
  if (!weft__columns_add(level, &weft__level_table, WEFT__LEVEL_TEARS, &level->bytes)) return false;
  list_links(&level->links, &level->schedule);
  for (uint32_t i = 0; i < level->finer_count; ++i) level->corrections.follows[i] = 1.0f;
  return true;
}

bool weft__levels_make_tearable(weft__levels* levels) {
  bool good = true;
  for (uint32_t l = 0; l < levels->count; ++l) good = good && make_tearable(&levels->levels[l]);
  return good;
}

typedef struct level_pair {
  const weft__level* level;
  const weft__schedule* finer;
} level_pair;

// Run of prolongation weights, and the particle's offset `k` in it; NULL without parents.
static const weft__prolongation* find_blend(const level_pair* g, uint32_t particle, uint32_t* k) {
  const weft__coarse_corrections* c = &g->level->corrections;
  const uint32_t patch = weft__patch_of_particle(g->finer, particle);
  const uint32_t begin = c->patch_first_blend[patch];
  const uint32_t count = c->patch_first_blend[patch + 1] - begin;
  if (count == 0) return NULL;
  const weft__prolongation* blends = &c->blends[begin];
  const weft__prolongation* blend =
      &blends[weft__find_last_of(&blends->first, sizeof(*blends), count, particle)];
  *k = particle - blend->first;
  return particle >= blend->first && *k < blend->count ? blend : NULL;
}

// Solver order; false if there is no link, or it is torn already.
static bool tear_link(const weft__level* level, uint32_t a, uint32_t b) {
  const weft__level_links* links = &level->links;
  const uint32_t low = a < b ? a : b;
  const uint32_t high = a < b ? b : a;
  for (uint32_t i = links->first[low]; i < links->first[low + 1]; ++i) {
    if (links->to[i] != high) continue;
    const uint32_t slot = links->slot[i];
    if (!weft__is_marked(level->schedule.links.lane_mask, slot)) return false;
    uint16_t* mask = &level->schedule.links.lane_mask[slot / WEFT__LANES];
    *mask = (uint16_t)(*mask & ~(1u << slot % WEFT__LANES));
    return true;
  }
  return false;
}

// Link a b is torn on the next finer level. Recursion is as deep as there are levels.
static void tear_coarser(const weft__levels* levels, const weft__schedule* cloth, uint32_t l,
                         uint32_t a, uint32_t b) {
  if (l == levels->count) return;
  const weft__level* level = &levels->levels[l];
  const level_pair g = {level, l == 0 ? cloth : &levels->levels[l - 1].schedule};
  level->corrections.follows[a] = level->corrections.follows[b] = 0.0f;
  uint32_t at_a = 0;
  uint32_t at_b = 0;
  const weft__prolongation* of_a = find_blend(&g, a, &at_a);
  const weft__prolongation* of_b = find_blend(&g, b, &at_b);
  if (of_a == NULL || of_b == NULL) return;
  for (uint32_t i = 0; i < 4; ++i) {
    for (uint32_t j = 0; j < 4; ++j) {
      if (of_a->weight[i] == 0.0f || of_b->weight[j] == 0.0f) continue;
      const uint32_t* solver_of = level->schedule.solver_of;
      const uint32_t coarse_a = solver_of[of_a->of[i] + at_a];
      const uint32_t coarse_b = solver_of[of_b->of[j] + at_b];
      if (tear_link(level, coarse_a, coarse_b)) {
        tear_coarser(levels, cloth, l + 1, coarse_a, coarse_b);
      }
    }
  }
}

void weft__levels_tear(const weft__levels* levels, const weft__schedule* cloth, uint32_t a,
                       uint32_t b) {
  tear_coarser(levels, cloth, 0, a, b);
}

void weft__levels_release(const weft__levels* levels, uint32_t a) {
  if (levels->count > 0) levels->levels[0].corrections.follows[a] = 0.0f;
}

static void visit_follows(weft__level* level, weft__archive* archive) {
  float* follows = level->corrections.follows;
  bool has = follows != NULL;
  WEFT__ARCHIVE_VALUE(archive, has);
  if (!weft__archive_expect(archive, !has || follows != NULL)) return;
  if (has) weft__archive_columns(archive, level, &weft__level_table, WEFT__STATE);
  if (has || follows == NULL || !weft__archive_is_loading(archive)) return;
  for (uint32_t i = 0; i < level->finer_count; ++i) follows[i] = 1.0f;
}

void weft__levels_visit(weft__levels* levels, weft__archive* archive) {
  for (uint32_t l = 0; l < levels->count; ++l) {
    weft__level* level = &levels->levels[l];
    // multipliers are made anew from the cloth's
    weft__archive_columns(archive, &level->schedule, &weft__schedule_table, WEFT__STATE);
    visit_follows(level, archive);
  }
}
