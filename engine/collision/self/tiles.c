#include "collision/self/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/min_max.h"
#include "collision/self/surfaces.h"

uint32_t weft__self_count_tiles(const weft__schedule* schedule) {
  uint32_t count = 0;
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    count += weft__tiles_of(schedule->patch_first[p + 1] - schedule->patch_first[p]);
  }
  return count;
}

static bool precedes(const float* key, uint32_t a, uint32_t b) {
  return key[a] < key[b] || (!(key[b] < key[a]) && a < b);
}

static void swap(uint32_t* a, uint32_t* b) {
  const uint32_t old = *a;
  *a = *b;
  *b = old;
}

// Partitions so that the `middle` smallest come first (Hoare 1961, "Algorithm 65: find"). Not
// shared with ccd/partition.c: another pivot, so another order of the items within a tile.
static void select_smallest(uint32_t* items, uint32_t count, uint32_t middle, const float* key) {
  while (count > 1 && middle > 0 && middle < count) {
    const uint32_t pivot = items[count / 2];
    uint32_t low = 0;
    uint32_t high = count - 1;
    for (;;) {
      while (precedes(key, items[low], pivot)) ++low;
      while (precedes(key, pivot, items[high])) --high;
      if (low >= high) break;
      swap(&items[low++], &items[high--]);
    }
    // items before `low` are no larger than the pivot, items from there on no smaller
    const uint32_t split = low == 0 ? 1 : low;
    if (middle == split) return;
    if (middle < split) {
      count = split;
    } else {
      items += split;
      count -= split;
      middle -= split;
    }
  }
}

static const float* longest_axis(const weft__particles* p, const uint32_t* items, uint32_t count) {
  const float* longest = p->pos[0];
  float longest_extent = -1.0f;
  for (int axis = 0; axis < 3; ++axis) {
    float low = INFINITY;
    float high = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
      const float here = p->pos[axis][items[i]];
      low = here < low ? here : low;
      high = here > high ? here : high;
    }
    if (high - low > longest_extent) {
      longest_extent = high - low;
      longest = p->pos[axis];
    }
  }
  return longest;
}

// Halves are whole tiles, and whole groups of 16 tiles if there are two such groups.
static void bisect(const weft__particles* p, uint32_t* items, uint32_t count) {
  const uint32_t tiles = weft__tiles_of(count);
  if (tiles <= 1) return;
  uint32_t half = (tiles + 1) / 2;
  if (tiles > 2 * WEFT__TILE) half = (half + WEFT__TILE - 1) / WEFT__TILE * WEFT__TILE;
  const uint32_t middle = half * WEFT__TILE;
  select_smallest(items, count, middle, longest_axis(p, items, count));
  bisect(p, items, middle);
  bisect(p, items + middle, count - middle);
}

static void find_environment_tiles(weft__self* self, const weft__schedule* schedule) {
  uint32_t tile = 0;
  for (uint32_t e = 0; e < schedule->environment_count; ++e) {
    self->environment_tile[e] = tile;
    for (uint32_t p = schedule->environment_first[e]; p < schedule->environment_first[e + 1]; ++p) {
      tile += weft__tiles_of(schedule->patch_first[p + 1] - schedule->patch_first[p]);
    }
  }
  self->environment_tile[schedule->environment_count] = tile;
}

void weft__self_partition(weft__self* self, const weft__contact_setup* setup) {
  uint32_t place = 0;
  for (uint32_t patch = 0; patch < setup->schedule->patch_count; ++patch) {
    const uint32_t first = setup->schedule->patch_first[patch];
    const uint32_t count = setup->schedule->patch_first[patch + 1] - first;
    uint32_t* items = self->particle + place;
    for (uint32_t i = 0; i < count; ++i) items[i] = first + i;
    bisect(setup->particles, items, count);
    for (uint32_t i = 0; i < count; ++i) self->place_of[items[i]] = place + i;
    const uint32_t end = weft__tiles_of(count) * WEFT__TILE;
    for (uint32_t i = count; i < end; ++i) items[i] = WEFT__NONE;
    place += end;
  }
  if (self->environment_tile != NULL) find_environment_tiles(self, setup->schedule);
}

static int compare_tiles(const void* a, const void* b) {
  const uint32_t left = *(const uint32_t*)a;
  const uint32_t right = *(const uint32_t*)b;
  return left < right ? -1 : left > right;
}

// Tiles that hold an exclusion of this tile, its own among them, ascending. `visited_for` of a tile
// is the last tile that reached it, plus 1.
static uint32_t find_exclusion_tiles(const weft__self* self, uint32_t tile, uint32_t* visited_for,
                                     uint32_t* found) {
  uint32_t count = 1;
  found[0] = tile;
  visited_for[tile] = tile + 1;
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const uint32_t p = self->particle[tile * WEFT__TILE + lane];
    if (p == WEFT__NONE) continue;
    for (uint32_t e = self->exclusions.first[p]; e < self->exclusions.first[p + 1]; ++e) {
      const uint32_t other = self->place_of[self->exclusions.other[e]] / WEFT__TILE;
      if (visited_for[other] == tile + 1) continue;
      visited_for[other] = tile + 1;
      found[count++] = other;
    }
  }
  qsort(found, count, sizeof(*found), compare_tiles);
  return count;
}

enum { MAX_EXCLUSION_TILES = WEFT__TILE * WEFT__MAX_EXCLUSIONS + 1 };

typedef struct found_tiles {
  weft__tile_exclusions* exclusions;
  size_t capacity;
  uint32_t count;
} found_tiles;

static bool gather_exclusion_tiles(const weft__self* self, uint32_t* first, uint32_t* visited_for,
                                   found_tiles* all) {
  uint32_t found[MAX_EXCLUSION_TILES];
  for (uint32_t tile = 0; tile < self->tiles.tile_count; ++tile) {
    first[tile] = all->count;
    const uint32_t count = find_exclusion_tiles(self, tile, visited_for, found);
    if (!weft__grow((void**)&all->exclusions, &all->capacity, (size_t)all->count + count,
                    sizeof(*all->exclusions))) {
      return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
      all->exclusions[all->count++] = (weft__tile_exclusions){.tile = found[i]};
    }
  }
  first[self->tiles.tile_count] = all->count;
  return true;
}

bool weft__self_list_tile_exclusions(weft__self* self) {
  weft__self_tiles* t = &self->tiles;
  uint32_t* first = weft__alloc((size_t)t->tile_count + 1, sizeof(*first));
  uint32_t* visited_for = weft__alloc_zeroed(t->tile_count, sizeof(*visited_for));
  found_tiles all = {0};
  const bool is_complete = first != NULL && visited_for != NULL &&
                           gather_exclusion_tiles(self, first, visited_for, &all);
  weft__free(visited_for);
  if (!is_complete) {
    weft__free(first);
    weft__free(all.exclusions);
    return false;
  }
  const size_t old_count =
      t->exclusion_first == NULL ? 0 : (size_t)t->exclusion_first[t->tile_count];
  self->bytes += (all.count - old_count) * sizeof(*t->exclusions);
  weft__free(t->exclusion_first);
  weft__free(t->exclusions);
  t->exclusion_first = first;
  t->exclusions = all.exclusions;
  return true;
}

weft__tile_exclusions* weft__self_tile_exclusions(const weft__self* self, uint32_t tile,
                                                  uint32_t other) {
  const weft__self_tiles* t = &self->tiles;
  for (uint32_t k = t->exclusion_first[tile]; k < t->exclusion_first[tile + 1]; ++k) {
    if (t->exclusions[k].tile == other) return &t->exclusions[k];
  }
  return NULL;
}

static void set_lane_bit(weft__tile_exclusions* exclusions, uint32_t own, uint32_t other) {
  uint16_t* lanes = &exclusions->lanes[other % WEFT__TILE];
  *lanes = (uint16_t)(*lanes | 1u << own % WEFT__TILE);
}

// Marks both ends, or neither if only one tile lists the other: exclusion stays symmetric.
static void mark_pair(weft__self* self, uint32_t a, uint32_t b) {
  weft__tile_exclusions* of_a = weft__self_tile_exclusions(self, a / WEFT__TILE, b / WEFT__TILE);
  weft__tile_exclusions* of_b = weft__self_tile_exclusions(self, b / WEFT__TILE, a / WEFT__TILE);
  if (of_a == NULL || of_b == NULL) return;
  set_lane_bit(of_a, a, b);
  set_lane_bit(of_b, b, a);
}

// Equal lengths are excluded despite rounding.
float weft__self_max_path(const weft__self_tiles* t, uint32_t a, uint32_t b) {
  const float by_radius = 1.50001f * (t->radius[a] + t->radius[b]);
  const float range =
      weft__minf(fabsf(t->surface[(size_t)a * 4 + 3]), fabsf(t->surface[(size_t)b * 4 + 3]));
  return weft__maxf(by_radius, WEFT__SURFACE_PATH * range);
}

static void mark_exclusions_of(weft__self* self, uint32_t place) {
  const uint32_t particle = self->particle[place];
  mark_pair(self, place, place);
  for (uint32_t e = self->exclusions.first[particle]; e < self->exclusions.first[particle + 1];
       ++e) {
    const uint32_t other = self->place_of[self->exclusions.other[e]];
    if (self->exclusions.path_length[e] <= weft__self_max_path(&self->tiles, place, other))
      mark_pair(self, place, other);
  }
}

void weft__self_mark_tile_exclusions(weft__self* self) {
  weft__self_tiles* t = &self->tiles;
  for (uint32_t k = 0; k < t->exclusion_first[t->tile_count]; ++k) {
    memset(t->exclusions[k].lanes, 0, sizeof(t->exclusions[k].lanes));
  }
  for (uint32_t place = 0; place < t->tile_count * WEFT__TILE; ++place) {
    if (self->particle[place] != WEFT__NONE) mark_exclusions_of(self, place);
  }
}
