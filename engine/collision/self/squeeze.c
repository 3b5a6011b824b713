#include "collision/self/squeeze.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"

// Minimum cosine of a support's normal with the direction that faces it.
#define MIN_FACING_COSINE 0.5f
// Pressure of cloth pressed to nothing, pascals, linear in its compression: fabrics lose a fifth to
// three fifths of their thickness at 5 kPa (Kawabata, The Standardization and Analysis of Hand
// Evaluation, 1980: compression).
#define PRESSURE 1e4f
#define SQUEEZE_GRAIN WEFT__GRAIN(16u, 1u)

typedef struct search {
  weft__self* self;
  const weft__self_supports* supports;
} search;

static const float* start_of(const weft__self_tiles* tiles, uint32_t place) {
  return tiles->turns[0].start + (size_t)place * 4;
}

// Spheres of a tile at the start; false if it has none.
static bool find_box(const weft__self* self, uint32_t tile, float lower[3], float upper[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = INFINITY;
    upper[axis] = -INFINITY;
  }
  for (uint32_t place = tile * WEFT__TILE; place < (tile + 1) * WEFT__TILE; ++place) {
    const float radius = self->tiles.radius[place];
    const float* at = start_of(&self->tiles, place);
    // empty lanes grow nothing
    const float aside = radius > 0.0f ? radius : -INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
      // bounds are never NaN: one comparison suffices
      lower[axis] = at[axis] - aside < lower[axis] ? at[axis] - aside : lower[axis];
      upper[axis] = at[axis] + aside > upper[axis] ? at[axis] + aside : upper[axis];
    }
  }
  return lower[0] <= upper[0];
}

// Overlap at the start by which the second particle presses the first one against its support, over
// their distance; along the support's normal for contacts along surfaces.
static float pressing_overlap(const weft__self* self, uint32_t own, uint32_t other,
                              const float normal[3]) {
  const weft__self_tiles* t = &self->tiles;
  const float* a = start_of(&self->tiles, own);
  const float* b = start_of(&self->tiles, other);
  const float offset[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const float along = weft__dot3(offset, normal);
  const float distance_sq = weft__dot3(offset, offset);
  const float reach = t->radius[own] + t->radius[other];
  if (!(along > 0.0f)) return 0.0f;
  const float range =
      weft__minf(t->surface[(size_t)own * 4 + 3], t->surface[(size_t)other * 4 + 3]);
  if (range > 0.0f) {
    const float share = 1.0f - (distance_sq - along * along) / (range * range);
    return share > 0.0f && along < reach ? share * (1.0f - along / reach) : 0.0f;
  }
  if (!(along * along > MIN_FACING_COSINE * MIN_FACING_COSINE * distance_sq)) return 0.0f;
  return weft__maxf(1.0f - sqrtf(distance_sq) / reach, 0.0f);
}

// Support that faces another particle's, and does not slide past it.
static bool is_opposed(const search* s, uint32_t place, const weft__self_touch* own,
                       const float own_start[3]) {
  weft__self_touch touch;
  const weft__self_supports* supports = s->supports;
  return supports->find(supports->context, s->self->particle[place],
                        start_of(&s->self->tiles, place), &touch) &&
         weft__dot3(touch.normal, own->normal) < -MIN_FACING_COSINE &&
         !supports->are_sliding(supports->context, own, &touch, own_start);
}

// Compression between supports, 0 to 1.
static float compression_of(const search* s, uint32_t tile, uint32_t lane,
                            const weft__self_touch* touch) {
  const weft__self_tiles* t = &s->self->tiles;
  const uint32_t own = tile * WEFT__TILE + lane;
  const uint32_t first = t->row_first[tile];
  float largest = 0.0f;
  for (uint32_t r = first; r < first + t->row_count[tile]; ++r) {
    if (((uint32_t)t->touches[r].lanes >> lane & 1u) == 0) continue;
    const uint32_t other = t->rows[r].place;
    const float overlap = pressing_overlap(s->self, own, other, touch->normal);
    if (overlap > largest && is_opposed(s, other, touch, start_of(&s->self->tiles, own)))
      largest = overlap;
  }
  return largest;
}

// Normal force between a particle and its support, newtons. The square of the range is about a
// particle's area.
static float find_force(const search* s, uint32_t tile, uint32_t lane, weft__self_touch* touch) {
  const weft__self* self = s->self;
  const weft__self_tiles* t = &self->tiles;
  const uint32_t place = tile * WEFT__TILE + lane;
  if (self->particle[place] == WEFT__NONE || !(t->inv_mass[place] > 0.0f) ||
      !(t->radius[place] > 0.0f) ||
      !s->supports->find(s->supports->context, self->particle[place], start_of(&self->tiles, place),
                         touch))
    return 0.0f;
  const float width = weft__maxf(2.0f * t->radius[place], t->range[place]);
  return PRESSURE * width * width * compression_of(s, tile, lane, touch);
}

static uint32_t lanes_in_contact(const weft__self_tiles* tiles, uint32_t tile) {
  const uint32_t first = tiles->row_first[tile];
  uint32_t lanes = 0;
  for (uint32_t r = first; r < first + tiles->row_count[tile]; ++r)
    lanes |= tiles->touches[r].lanes;
  return lanes;
}

static void search_tile(const search* s, uint32_t tile) {
  weft__self_squeeze* squeeze = &s->self->squeeze;
  const uint32_t in_contact = lanes_in_contact(&s->self->tiles, tile);
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const uint32_t place = tile * WEFT__TILE + lane;
    weft__squeezed* squeezed = &squeeze->of[place];
    weft__self_touch touch;
    squeezed->force = (in_contact >> lane & 1u) != 0 ? find_force(s, tile, lane, &touch) : 0.0f;
    if (!(squeezed->force > 0.0f)) continue;
    squeezed->support = touch.number;
    memcpy(squeezed->normal, touch.normal, sizeof(squeezed->normal));
    memcpy(squeezed->start, start_of(&s->self->tiles, place), sizeof(squeezed->start));
    squeeze->has_any[tile] = 1;
  }
}

static void search_tiles(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const search* s = context;
  const weft__self_tiles* t = &s->self->tiles;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    float lower[3];
    float upper[3];
    s->self->squeeze.has_any[tile] = 0;
    if (t->row_count[tile] > 0 && t->slot_count[tile] > 0 &&
        find_box(s->self, tile, lower, upper) &&
        s->supports->are_near(s->supports->context, lower, upper))
      search_tile(s, tile);
  }
}

void weft__self_find_squeezed(weft__self* self, const weft__step_context* step,
                              const weft__self_supports* supports) {
  search s = {self, supports};
  self->squeeze.is_found = true;
  weft__step_for_range(step, weft__self_own(self), SQUEEZE_GRAIN, search_tiles, &s);
}
