#include "collision/self/rest.h"

#include <math.h>

#include "base/memory.h"
#include "base/min_max.h"
#include "base/union_find.h"
#include "collision/self/neighbors.h"
#include "collision/self/tiles.h"

// Share of the sum of radii from which on a distance at rest counts as the sum: rounding.
#define NEAR_SHARE 0.9999f

static void join_ends(void* context, const weft__lane* lane) {
  uint32_t* parent = context;
  (void)weft__unite(parent, lane->a, lane->b);
}

// Root of each particle; NULL if out of memory.
static uint32_t* find_bodies(const weft__schedule* schedule) {
  uint32_t* parent = weft__alloc(schedule->particle_count, sizeof(*parent));
  uint16_t* link_lanes = weft__exclusions_link_lanes(schedule);
  if (parent != NULL && link_lanes != NULL) {
    for (uint32_t i = 0; i < schedule->particle_count; ++i) parent[i] = i;
    for (uint32_t patch = 0; patch < schedule->patch_count; ++patch)
      weft__schedule_visit(schedule, patch, link_lanes, join_ends, parent);
  } else {
    weft__free(parent);
    parent = NULL;
  }
  weft__free(link_lanes);
  return parent;
}

bool weft__self_record_rest(weft__self* self, const weft__contact_setup* setup) {
  uint32_t* parent = find_bodies(setup->schedule);
  if (parent == NULL) return false;
  const weft__particles* p = setup->particles;
  for (uint32_t i = 0; i < self->particle_count; ++i) {
    float* rest = self->tiles.rest + (size_t)self->place_of[i] * 4;
    for (int axis = 0; axis < 3; ++axis) rest[axis] = p->pos[axis][i];
    rest[3] = (float)weft__find_root(parent, i);
  }
  weft__free(parent);
  return true;
}

static bool is_cloth(const weft__self_tiles* tiles, uint32_t place) {
  return tiles->radius[place] > 0.0f;
}

// Boxes at rest of the particles of a tile, by half of the largest contact distance.
static void bound_at_rest(const weft__self* self, uint32_t tile) {
  const weft__tile_boxes* boxes = &self->tiles.boxes;
  for (uint32_t place = tile * WEFT__TILE; place < (tile + 1) * WEFT__TILE; ++place) {
    if (!is_cloth(&self->tiles, place)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const float at = self->tiles.rest[(size_t)place * 4 + (size_t)axis];
      float* lower = &boxes->lower[axis][tile];
      float* upper = &boxes->upper[axis][tile];
      *lower = weft__minf(*lower, at - self->shapes.max_radius);
      *upper = weft__maxf(*upper, at + self->shapes.max_radius);
    }
  }
}

static bool is_near(const weft__self_tiles* tiles, uint32_t a, uint32_t b) {
  const float* of_a = tiles->rest + (size_t)a * 4;
  const float* of_b = tiles->rest + (size_t)b * 4;
  const float radii = NEAR_SHARE * (tiles->radius[a] + tiles->radius[b]);
  float sq = 0.0f;
  for (int axis = 0; axis < 3; ++axis) sq += (of_a[axis] - of_b[axis]) * (of_a[axis] - of_b[axis]);
  return a != b && of_a[3] == of_b[3] && sq < radii * radii;
}

static bool tiles_have_near(const weft__self* self, uint32_t tile, uint32_t other) {
  const weft__tile_exclusions* excluded = weft__self_tile_exclusions(self, tile, other);
  for (uint32_t n = 0; n < WEFT__TILE * WEFT__TILE; ++n) {
    const uint32_t lane = n % WEFT__TILE;
    const uint32_t b = other * WEFT__TILE + n / WEFT__TILE;
    if (!is_near(&self->tiles, tile * WEFT__TILE + lane, b)) continue;
    const uint32_t lanes = excluded == NULL ? 0 : excluded->lanes[n / WEFT__TILE];
    if ((lanes >> lane & 1u) == 0) return true;
  }
  return false;
}

static bool overlap(const weft__tile_boxes* boxes, uint32_t tile, uint32_t node) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(boxes->lower[axis][node] <= boxes->upper[axis][tile] &&
          boxes->lower[axis][tile] <= boxes->upper[axis][node])) {
      return false;
    }
  }
  return true;
}

// Near pairs with a tile below a group of boxes, itself or after it.
static bool group_has_near(const weft__self* self, uint32_t tile, uint32_t level, uint32_t group) {
  const weft__tile_boxes* boxes = &self->tiles.boxes;
  for (uint32_t node = group * WEFT__TILE; node < (group + 1) * WEFT__TILE; ++node) {
    if (node >= boxes->count[level] || (node + 1) << 4 * level <= tile) continue;
    if (!overlap(boxes, tile, boxes->first[level] + node)) continue;
    if (level > 0 ? group_has_near(self, tile, level - 1, node)
                  : tiles_have_near(self, tile, node)) {
      return true;
    }
  }
  return false;
}

void weft__self_find_near(weft__self* self) {
  const weft__tile_boxes* boxes = &self->tiles.boxes;
  for (uint32_t tile = 0; tile < self->tiles.tile_count; ++tile) bound_at_rest(self, tile);
  weft__self_merge_boxes(boxes);
  self->tiles.has_near = false;
  for (uint32_t tile = 0; tile < self->tiles.tile_count && !self->tiles.has_near; ++tile)
    self->tiles.has_near = group_has_near(self, tile, boxes->level_count - 1, 0);
}
