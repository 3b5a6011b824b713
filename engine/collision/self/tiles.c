#include "collision/self/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// ---- who stands where ----

static uint32_t tiles_for(uint32_t particle_count) {
  return (particle_count + WEFT__TILE - 1) / WEFT__TILE;
}

uint32_t weft__count_tiles(const weft__schedule* schedule) {
  uint32_t count = 0;
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    count += tiles_for(schedule->patch_first[p + 1] - schedule->patch_first[p]);
  }
  return count;
}

static bool is_before(const float* key, uint32_t a, uint32_t b) {
  return key[a] < key[b] || (!(key[b] < key[a]) && a < b);
}

static void swap(uint32_t* a, uint32_t* b) {
  const uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

// Brings the `middle` least to the front (Hoare 1961, "Algorithm 65: find").
static void select_least(uint32_t* items, uint32_t count, uint32_t middle, const float* key) {
  while (count > 1 && middle > 0 && middle < count) {
    const uint32_t pivot = items[count / 2];
    uint32_t low = 0;
    uint32_t high = count - 1;
    for (;;) {
      while (is_before(key, items[low], pivot)) ++low;
      while (is_before(key, pivot, items[high])) --high;
      if (low >= high) break;
      swap(&items[low++], &items[high--]);
    }
    // all before `low` are no larger than the pivot, all from there on no smaller
    const uint32_t cut = low == 0 ? 1 : low;
    if (middle == cut) return;
    if (middle < cut) {
      count = cut;
    } else {
      items += cut;
      count -= cut;
      middle -= cut;
    }
  }
}

static const float* longest_axis(const weft__particles* p, const uint32_t* items, uint32_t count) {
  const float* columns[3] = {p->pos_x, p->pos_y, p->pos_z};
  const float* longest = columns[0];
  float most = -1.0f;
  for (int axis = 0; axis < 3; ++axis) {
    float low = INFINITY;
    float high = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
      const float here = columns[axis][items[i]];
      low = here < low ? here : low;
      high = here > high ? here : high;
    }
    if (high - low > most) {
      most = high - low;
      longest = columns[axis];
    }
  }
  return longest;
}

// Halves are whole tiles, and whole sixteens of tiles where there are two of these.
static void cut(const weft__particles* p, uint32_t* items, uint32_t count) {
  const uint32_t tiles = tiles_for(count);
  if (tiles <= 1) return;
  uint32_t half = (tiles + 1) / 2;
  if (tiles > 2 * WEFT__TILE) half = (half + WEFT__TILE - 1) / WEFT__TILE * WEFT__TILE;
  const uint32_t middle = half * WEFT__TILE;
  select_least(items, count, middle, longest_axis(p, items, count));
  cut(p, items, middle);
  cut(p, items + middle, count - middle);
}

void weft__place_particles(weft__self* cloth, const weft__contact_setup* setup) {
  uint32_t place = 0;
  for (uint32_t patch = 0; patch < setup->schedule->patch_count; ++patch) {
    const uint32_t first = setup->schedule->patch_first[patch];
    const uint32_t count = setup->schedule->patch_first[patch + 1] - first;
    uint32_t* items = cloth->particle + place;
    for (uint32_t i = 0; i < count; ++i) items[i] = first + i;
    cut(setup->particles, items, count);
    for (uint32_t i = 0; i < count; ++i) cloth->place_of[items[i]] = place + i;
    const uint32_t end = tiles_for(count) * WEFT__TILE;
    for (uint32_t i = count; i < end; ++i) items[i] = WEFT__NONE;
    place += end;
  }
}

// ---- kin ----

static int compare_tiles(const void* a, const void* b) {
  const uint32_t left = *(const uint32_t*)a;
  const uint32_t right = *(const uint32_t*)b;
  return left < right ? -1 : left > right;
}

// The tiles that have kin of one, its own among them, ascending. A tile's mark is the last one it was met for, and 1.
static uint32_t find_exclusion_tiles(const weft__self* cloth, uint32_t tile, uint32_t* mark,
                                     uint32_t* found) {
  uint32_t count = 1;
  found[0] = tile;
  mark[tile] = tile + 1;
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const uint32_t p = cloth->particle[tile * WEFT__TILE + lane];
    if (p == WEFT__NONE) continue;
    for (uint32_t e = cloth->exclusions.first[p]; e < cloth->exclusions.first[p + 1]; ++e) {
      const uint32_t other = cloth->place_of[cloth->exclusions.of[e]] / WEFT__TILE;
      if (mark[other] == tile + 1) continue;
      mark[other] = tile + 1;
      found[count++] = other;
    }
  }
  qsort(found, count, sizeof(*found), compare_tiles);
  return count;
}

enum { MOST_KIN_TILES = WEFT__TILE * WEFT__EXCLUSION_MOST + 1 };

typedef struct drawn_tiles {
  weft__tile_exclusions* exclusions;
  size_t capacity;
  uint32_t count;
} drawn_tiles;

static bool gather_exclusion_tiles(const weft__self* cloth, uint32_t* first, uint32_t* mark,
                                   drawn_tiles* drawn) {
  uint32_t found[MOST_KIN_TILES];
  for (uint32_t tile = 0; tile < cloth->tiles.tile_count; ++tile) {
    first[tile] = drawn->count;
    const uint32_t count = find_exclusion_tiles(cloth, tile, mark, found);
    if (!weft__grow((void**)&drawn->exclusions, &drawn->capacity, (size_t)drawn->count + count,
                    sizeof(*drawn->exclusions))) {
      return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
      drawn->exclusions[drawn->count++] = (weft__tile_exclusions){.tile = found[i]};
    }
  }
  first[cloth->tiles.tile_count] = drawn->count;
  return true;
}

bool weft__find_tile_exclusions(weft__self* cloth) {
  weft__self_tiles* t = &cloth->tiles;
  uint32_t* first = weft__alloc((size_t)t->tile_count + 1, sizeof(*first));
  uint32_t* mark = weft__alloc_zeroed(t->tile_count, sizeof(*mark));
  drawn_tiles drawn = {0};
  const bool good =
      first != NULL && mark != NULL && gather_exclusion_tiles(cloth, first, mark, &drawn);
  free(mark);
  if (!good) {
    free(first);
    free(drawn.exclusions);
    return false;
  }
  const size_t had = t->exclusion_first == NULL ? 0 : (size_t)t->exclusion_first[t->tile_count];
  cloth->bytes += (drawn.count - had) * sizeof(*t->exclusions);
  free(t->exclusion_first);
  free(t->exclusions);
  t->exclusion_first = first;
  t->exclusions = drawn.exclusions;
  return true;
}

static weft__tile_exclusions* is_excluded(const weft__self* cloth, uint32_t tile, uint32_t other) {
  const weft__self_tiles* t = &cloth->tiles;
  for (uint32_t k = t->exclusion_first[tile]; k < t->exclusion_first[tile + 1]; ++k) {
    if (t->exclusions[k].tile == other) return &t->exclusions[k];
  }
  return NULL;
}

static void set_lane(weft__tile_exclusions* exclusions, uint32_t own, uint32_t other) {
  uint16_t* lanes = &exclusions->lanes[other % WEFT__TILE];
  *lanes = (uint16_t)(*lanes | 1u << own % WEFT__TILE);
}

// Both ends, or none where only one of them has the other's tile in its list.
static void mark_pair(weft__self* cloth, uint32_t a, uint32_t b) {
  weft__tile_exclusions* of_a = is_excluded(cloth, a / WEFT__TILE, b / WEFT__TILE);
  weft__tile_exclusions* of_b = is_excluded(cloth, b / WEFT__TILE, a / WEFT__TILE);
  if (of_a == NULL || of_b == NULL) return;
  set_lane(of_a, a, b);
  set_lane(of_b, b, a);
}

static void mark_exclusions_of(weft__self* cloth, uint32_t place) {
  const float* radius = cloth->tiles.radius;
  const uint32_t particle = cloth->particle[place];
  mark_pair(cloth, place, place);
  for (uint32_t e = cloth->exclusions.first[particle]; e < cloth->exclusions.first[particle + 1];
       ++e) {
    const uint32_t other = cloth->place_of[cloth->exclusions.of[e]];
    // a way that is as long as that but for rounding counts
    if (cloth->exclusions.way[e] <= 1.50001f * (radius[place] + radius[other])) {
      mark_pair(cloth, place, other);
    }
  }
}

void weft__mark_tile_exclusions(weft__self* cloth) {
  weft__self_tiles* t = &cloth->tiles;
  for (uint32_t k = 0; k < t->exclusion_first[t->tile_count]; ++k) {
    memset(t->exclusions[k].lanes, 0, sizeof(t->exclusions[k].lanes));
  }
  for (uint32_t place = 0; place < t->tile_count * WEFT__TILE; ++place) {
    if (cloth->particle[place] != WEFT__NONE) mark_exclusions_of(cloth, place);
  }
}
