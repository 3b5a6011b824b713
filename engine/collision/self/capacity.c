#include "collision/self/capacity.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/min_max.h"
#include "collision/self/body_pairs.h"
#include "collision/self/neighbors.h"
#include "collision/self/rest.h"
#include "collision/self/surfaces.h"
#include "collision/self/tiles.h"

// Default capacity, pairs for each particle: cloth in many folds has up to ten. A row covers two or
// three pairs at both ends of each, so rows are fewer.
#define PAIRS_A_PARTICLE 12u
// Growth of the path limit, so that radii that grow one by one do not rebuild the exclusions each
// time.
#define PATH_GROWTH 1.25f

static void layout_axes(weft__arena* arena, float* axes[3], size_t count) {
  for (int axis = 0; axis < 3; ++axis) axes[axis] = weft__arena_alloc(arena, count, sizeof(float));
}

static void layout_levels(weft__tile_boxes* boxes, uint32_t tile_count, weft__arena* arena) {
  uint32_t count = tile_count;
  uint32_t first = 0;
  boxes->level_count = 0;
  for (;;) {
    boxes->first[boxes->level_count] = first;
    boxes->count[boxes->level_count++] = count;
    first += (uint32_t)weft__round_up(count, WEFT__TILE);
    if (count <= WEFT__TILE) break;
    count = weft__tiles_of(count);
  }
  boxes->first[boxes->level_count] = first;
  layout_axes(arena, boxes->lower, first);
  layout_axes(arena, boxes->upper, first);
}

static void layout_tiles(weft__self_tiles* t, weft__arena* arena) {
  const size_t n = (size_t)t->tile_count * WEFT__TILE;
  float** axes[] = {t->listed_pos, t->carried};
  for (size_t k = 0; k < sizeof(axes) / sizeof(*axes); ++k) layout_axes(arena, axes[k], n);
  float** columns[] = {&t->radius, &t->range, &t->inv_mass, &t->relaxation, &t->pushed};
  for (size_t k = 0; k < sizeof(columns) / sizeof(*columns); ++k) {
    *columns[k] = weft__arena_alloc(arena, n, sizeof(float));
  }
  float** records[] = {&t->turns[0].seen, &t->turns[0].start, &t->turns[1].seen, &t->turns[1].start,
                       &t->support,       &t->surface,        &t->friction,      &t->rest};
  for (size_t k = 0; k < sizeof(records) / sizeof(*records); ++k) {
    *records[k] = weft__arena_alloc(arena, n, sizeof(float[4]));
  }
}

// Columns that swap places, boxes of all levels, and places of lists in memory, which depend on the
// workers.
static void layout_lists(weft__self* c, weft__arena* arena) {
  weft__self_tiles* t = &c->tiles;
  layout_axes(arena, t->at, (size_t)t->tile_count * WEFT__TILE);
  layout_axes(arena, t->left, (size_t)t->tile_count * WEFT__TILE);
  layout_levels(&t->boxes, t->tile_count, arena);
  layout_levels(&t->displacements, t->tile_count, arena);
  t->row_first = weft__arena_alloc(arena, t->tile_count, sizeof(*t->row_first));
  t->row_count = weft__arena_alloc(arena, t->tile_count, sizeof(*t->row_count));
  t->slot_count = weft__arena_alloc(arena, t->tile_count, sizeof(*t->slot_count));
  t->slots = weft__arena_alloc(arena, t->tile_count, sizeof(*t->slots));
  c->kept_first = weft__arena_alloc(arena, t->tile_count, sizeof(*c->kept_first));
  const size_t places = (size_t)t->tile_count * WEFT__TILE;
  c->squeeze.has_any = weft__arena_alloc(arena, t->tile_count, sizeof(*c->squeeze.has_any));
  c->squeeze.of = weft__arena_alloc(arena, places, sizeof(*c->squeeze.of));
}

static void layout_columns(weft__self* c, weft__arena* arena) {
  const size_t tiles = c->tiles.tile_count;
  const size_t places = tiles * WEFT__TILE;
  layout_tiles(&c->tiles, arena);
  c->particle = weft__arena_alloc(arena, places, sizeof(*c->particle));
  c->place_of = weft__arena_alloc(arena, c->particle_count, sizeof(*c->place_of));
  c->bodies = weft__arena_alloc(arena, places, sizeof(*c->bodies));
  c->kind = weft__arena_alloc(arena, places, sizeof(*c->kind));
  c->bounding_radius = weft__arena_alloc(arena, places, sizeof(*c->bounding_radius));
  c->has_cloth = weft__arena_alloc(arena, tiles, sizeof(*c->has_cloth));
  c->kept_count = weft__arena_alloc(arena, tiles, sizeof(*c->kept_count));
  c->kept_pair_ends = weft__arena_alloc(arena, tiles, sizeof(*c->kept_pair_ends));
  c->is_stale = weft__arena_alloc(arena, tiles, sizeof(*c->is_stale));
  c->solved_in = weft__arena_alloc(arena, tiles, sizeof(*c->solved_in));
  if (c->environment_count > 1) {
    c->environment_tile =
        weft__arena_alloc(arena, (size_t)c->environment_count + 1, sizeof(*c->environment_tile));
    c->has_moved = weft__arena_alloc(arena, c->environment_count, sizeof(*c->has_moved));
  }
  c->state_bytes = arena->used;
  layout_lists(c, arena);
  // scratch of the workers
  c->extents = weft__arena_alloc(arena, c->worker_count, sizeof(*c->extents));
  c->scratch =
      weft__arena_alloc(arena, (size_t)c->worker_count * WEFT__SELF_SCRATCH, sizeof(*c->scratch));
}

static bool make_columns(weft__self* self) {
  for (weft__arena arena = {0}; weft__arena_next(&arena, &self->block, &self->bytes);) {
    layout_columns(self, &arena);
  }
  return self->block != NULL;
}

void weft__self_empty_boxes(const weft__tile_boxes* boxes) {
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t i = 0; i < boxes->first[boxes->level_count]; ++i) {
      boxes->lower[axis][i] = INFINITY;
      boxes->upper[axis][i] = -INFINITY;
    }
  }
}

bool weft__self_create_tiles(weft__self* self, const weft__contact_setup* setup) {
  if (self->particle_count > 0) return true;
  weft__self made = {.faces = setup->faces,
                     .particle_count = setup->particles->count,
                     .environment_count = setup->schedule->environment_count,
                     .worker_count = setup->worker_count,
                     .substep = 2};
  made.tiles.tile_count = weft__self_count_tiles(setup->schedule);
  if (!make_columns(&made)) return false;
  weft__self_partition(&made, setup);
  weft__self_measure_ranges(&made, setup->particles);
  if (!weft__self_record_rest(&made, setup)) {
    weft__self_destroy(&made);
    return false;
  }
  weft__self_empty_boxes(&made.tiles.boxes);
  weft__self_empty_boxes(&made.tiles.displacements);
  *self = made;
  return true;
}

// No more than the number of pairs of particles.
static uint64_t pair_limit_of(const weft__contact_setup* setup) {
  const uint64_t particles = setup->particles->count;
  const uint64_t all = particles * (particles - 1) / 2;
  const uint64_t usual = PAIRS_A_PARTICLE * particles;
  const uint64_t pairs = setup->limits.max_pairs == 0 ? usual : setup->limits.max_pairs;
  return pairs < all ? pairs : all;
}

void weft__self_drop_lists(weft__self* self) {
  self->is_listed = self->has_stale = false;
  self->row_end = self->kept_row_end = 0;
  self->all_rows = self->all_kept_rows = 0;
  memset(self->kept_count, 0, self->tiles.tile_count * sizeof(*self->kept_count));
}

bool weft__self_replace_rows(weft__self* self, uint32_t row_capacity) {
  weft__self_tiles* t = &self->tiles;
  const size_t size = sizeof(*t->rows) + sizeof(*t->touches);
  weft__tile_row* rows = weft__alloc((size_t)row_capacity + 1, size);
  if (rows == NULL) return false;
  weft__free(t->rows);
  t->rows = rows;
  t->touches = (weft__tile_overlap*)(rows + row_capacity + 1);
  self->bytes += (size_t)(row_capacity - self->row_capacity) * size;
  self->row_capacity = row_capacity;
  weft__self_drop_lists(self);
  return true;
}

static bool make_rows(weft__self* self, const weft__contact_setup* setup) {
  const uint64_t pairs = pair_limit_of(setup);
  const bool is_usual = setup->limits.max_pairs == 0 && setup->particles->count > 1000;
  const uint64_t rows_wanted = is_usual ? pairs : 2 * pairs;
  const uint32_t wanted = (uint32_t)(rows_wanted > UINT32_MAX / 2 ? UINT32_MAX / 2 : rows_wanted);
  if ((wanted > self->row_capacity || self->tiles.rows == NULL) &&
      !weft__self_replace_rows(self, wanted)) {
    return false;
  }
  if (pairs != self->pair_limit) weft__self_drop_lists(self);
  self->pair_limit = pairs;
  return true;
}

static bool make_exclusions(weft__self* self, const weft__contact_setup* setup) {
  const float along_surface =
      setup->materials->surface_count > 0 ? WEFT__SURFACE_PATH * self->longest_range : 0.0f;
  const float needed =
      1.001f * weft__maxf(3.0f * setup->materials->max_cloth_radius, along_surface);
  if (self->exclusions.first != NULL && self->exclusions.max_path >= needed) return true;
  const float max_path = self->exclusions.first == NULL ? needed : PATH_GROWTH * needed;
  weft__exclusions exclusions;
  if (!weft__exclusions_create(&exclusions, setup->schedule, max_path)) return false;
  const weft__exclusions old = self->exclusions;
  self->exclusions = exclusions;
  if (!weft__self_list_tile_exclusions(self)) {
    weft__exclusions_destroy(&self->exclusions);
    self->exclusions = old;
    return false;
  }
  self->bytes += exclusions.bytes - old.bytes;
  weft__exclusions_destroy((weft__exclusions[]){old});
  self->is_classified = false;
  weft__self_drop_lists(self);
  return true;
}

static bool make_body_pairs(weft__self* self, const weft__contact_setup* setup) {
  const uint32_t* count = setup->materials->shape_count;
  const bool any = count[WEFT_PARTICLE_SHAPE_SPHERE] > 0 || count[WEFT_PARTICLE_SHAPE_BOX] > 0 ||
                   count[WEFT_PARTICLE_SHAPE_ELLIPSOID] > 0;
  return !any || weft__self_make_body_pairs(self);
}

bool weft__self_prepare(weft__self* self, const weft__contact_setup* setup) {
  const bool on =
      setup->materials->on && setup->materials->shape_count[WEFT_PARTICLE_SHAPE_CLOTH] > 0;
  if (on && !(weft__self_create_tiles(self, setup) && make_rows(self, setup) &&
              make_exclusions(self, setup) && make_body_pairs(self, setup))) {
    return false;
  }
  if (on) self->on = true;
  return true;
}

void weft__self_switch_off(weft__self* self) {
  self->on = false;
  self->pair_count = 0;
}

void weft__self_destroy(weft__self* self) {
  weft__exclusions_destroy(&self->exclusions);
  weft__free(self->tiles.rows);
  weft__free(self->tiles.exclusions);
  weft__free(self->tiles.exclusion_first);
  weft__free(self->body_pairs.block);
  weft__free(self->block);
  *self = (weft__self){0};
}
