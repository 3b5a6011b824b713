#include "collision/self/capacity.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/min_max.h"
#include "collision/colliders/planes.h"
#include "collision/self/body_pairs.h"
#include "collision/self/neighbors.h"
#include "collision/self/rest.h"
#include "collision/self/surfaces.h"
#include "collision/self/tiles.h"

// Pairs for each particle: cloth in many folds has up to ten. Rows cover two or three pairs at both
// ends, so they are fewer.
#define PAIRS_A_PARTICLE 12u
// Of these, those that touch.
#define CONTACTS_A_PARTICLE 6u
// Growth of the path limit: radii that grow one by one do not rebuild exclusions each time.
#define PATH_GROWTH 1.25f

#define TILES(name, kind) WEFT__COLUMN(weft__self, name, tiles.tile_count, kind)
#define PLACES(name, kind) \
  WEFT__COLUMN_TIMES(weft__self, name, WEFT__TILE, tiles.tile_count, 0, kind)
#define RECORDS(name, kind) \
  WEFT__COLUMN_TIMES(weft__self, name, 4 * WEFT__TILE, tiles.tile_count, 0, kind)
#define BLOCKS(name) \
  WEFT__COLUMN_TIMES(weft__self, name, WEFT__TILE_BLOCKS, tiles.tile_count, 0, WEFT__SCRATCH)
#define AXES(name, kind) WEFT__VECTOR_TIMES(weft__self, name, WEFT__TILE, tiles.tile_count, 0, kind)
// tiles; boxes above are computed before they are read
#define BOXES(name)                                               \
  WEFT__COLUMN_OF(weft__self, name, name[0][0], 3, WEFT__CACHE,   \
                  WEFT__ROWS(weft__self, tiles.tile_count, 1, 0), \
                  WEFT__ROWS(weft__self, tiles.box_count, 1, 0))

// Lists for one substep are left out: lists that last are as good.
static const weft__column columns[] = {
    PLACES(particle, WEFT__STATE),
    WEFT__MEMBER(weft__self, on),
    WEFT__MEMBER(weft__self, lists.pair_count),
    WEFT__MEMBER(weft__self, lists.lost),
    WEFT__MEMBER(weft__self, lists.pair_limit),
    WEFT__MEMBER(weft__self, shapes.is_classified),
    WEFT__MEMBER(weft__self, shapes.has_filters),
    WEFT__MEMBER(weft__self, shapes.version),
    WEFT__MEMBER(weft__self, shapes.body_count),
    WEFT__MEMBER(weft__self, shapes.max_radius),
    WEFT__MEMBER(weft__self, shapes.least_extent),
    WEFT__MEMBER(weft__self, lists.skin),
    WEFT__MEMBER(weft__self, longest_range),
    WEFT__MEMBER(weft__self, tiles.max_range),
    WEFT__MEMBER(weft__self, tiles.margin),
    WEFT__MEMBER(weft__self, tiles.has_near),
    WEFT__MEMBER(weft__self, lists.is_listed),
    WEFT__MEMBER(weft__self, lists.stale_checks),
    WEFT__MEMBER(weft__self, lists.tile_end),
    WEFT__MEMBER(weft__self, substep),
    WEFT__MEMBER(weft__self, has_placed),
    WEFT__MEMBER(weft__self, last_given),
    WEFT__MEMBER(weft__self, body_pairs.count),
    WEFT__MEMBER(weft__self, joints_version),
    AXES(tiles.listed_pos, WEFT__CACHE),
    PLACES(tiles.radius, WEFT__STATE),
    PLACES(tiles.range, WEFT__STATE),
    RECORDS(tiles.now, WEFT__SCRATCH),
    RECORDS(tiles.start, WEFT__SCRATCH),
    RECORDS(tiles.anchor, WEFT__SCRATCH),
    RECORDS(tiles.surface, WEFT__CACHE),
    RECORDS(tiles.friction, WEFT__CACHE),
    RECORDS(tiles.rest, WEFT__STATE),
    WEFT__COLUMN(weft__self, place_of, particle_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__self, touching, particle_count, WEFT__SCRATCH),
    TILES(planes, WEFT__SCRATCH),
    TILES(has_normals, WEFT__SCRATCH),
    TILES(has_seam, WEFT__CACHE),
    TILES(plane_lanes, WEFT__SCRATCH),
    PLACES(shapes.bodies, WEFT__STATE),
    PLACES(shapes.kind, WEFT__STATE),
    PLACES(shapes.bounding_radius, WEFT__STATE),
    TILES(shapes.has_cloth, WEFT__STATE),
    TILES(tiles.tile_range, WEFT__STATE),
    TILES(tiles.tile_margin, WEFT__STATE),
    TILES(lists.kept_count, WEFT__CACHE),
    TILES(lists.kept_pair_ends, WEFT__CACHE),
    TILES(lists.is_stale, WEFT__CACHE),
    PLACES(given_in, WEFT__STATE),
    WEFT__COLUMN_TIMES(weft__self, environment_tile, 1, environment_count, 1, WEFT__STATE),
    WEFT__COLUMN(weft__self, has_moved, environment_count, WEFT__CACHE),
    AXES(tiles.at, WEFT__CACHE),
    BOXES(tiles.boxes.lower),
    BOXES(tiles.boxes.upper),
    BOXES(tiles.displacements.lower),
    BOXES(tiles.displacements.upper),
    // places of lists in memory depend on the workers
    TILES(tiles.row_first, WEFT__DERIVED),
    TILES(tiles.row_count, WEFT__DERIVED),
    TILES(lists.kept_first, WEFT__DERIVED),
    TILES(contacts.block_count, WEFT__SCRATCH),
    TILES(contacts.lanes, WEFT__SCRATCH),
    BLOCKS(contacts.blocks),
    BLOCKS(contacts.order),
    WEFT__COLUMN_TIMES(weft__self, contacts.colours, 2, tiles.tile_count, 0, WEFT__SCRATCH),
    WEFT__COLUMN_TIMES(weft__self, contacts.chunks, 1, tiles.tile_count, 2 * WEFT__BLOCK_COLOURS,
                       WEFT__SCRATCH),
    WEFT__COLUMN(weft__self, lists.extents, worker_count, WEFT__SCRATCH),
    WEFT__COLUMN_TIMES(weft__self, scratch, WEFT__SELF_SCRATCH, worker_count, 0, WEFT__SCRATCH),
    WEFT__COLUMN(weft__self, body_pairs.has_pairs, tiles.tile_count,
                 WEFT__SELF_BODY_PAIRS | WEFT__CACHE),
    WEFT__LIST(weft__self, body_pairs.of, body_pairs.count, body_pairs.capacity,
               WEFT__SELF_BODY_PAIRS | WEFT__CACHE),
    WEFT__LIST(weft__self, body_pairs.impulses, body_pairs.count, body_pairs.capacity,
               WEFT__SELF_BODY_PAIRS | WEFT__SCRATCH),
};

const weft__table weft__self_table = WEFT__TABLE(columns);

static void count_boxes(weft__tile_boxes* boxes, uint32_t tile_count) {
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
}

static bool make_columns(weft__self* self) {
  weft__self_tiles* t = &self->tiles;
  count_boxes(&t->boxes, t->tile_count);
  count_boxes(&t->displacements, t->tile_count);
  t->box_count = t->boxes.first[t->boxes.level_count];
  if (!weft__columns_create(self, &weft__self_table, 0, &self->block, &self->bytes)) return false;
  if (self->environment_count == 1) self->environment_tile = NULL;
  if (self->environment_count == 1) self->has_moved = NULL;
  return true;
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
  weft__self_measure_ranges(&made);
  if (!weft__self_record_rest(&made, setup)) {
    weft__self_destroy(&made);
    return false;
  }
  weft__self_empty_boxes(&made.tiles.boxes);
  weft__self_empty_boxes(&made.tiles.displacements);
  *self = made;
  return true;
}

// At most all pairs of particles.
static uint64_t pair_limit_of(const weft__contact_setup* setup) {
  const uint64_t particles = setup->particles->count;
  const uint64_t all = particles * (particles - 1) / 2;
  const uint64_t usual = PAIRS_A_PARTICLE * particles;
  const uint64_t pairs = setup->limits.max_pairs == 0 ? usual : setup->limits.max_pairs;
  return pairs < all ? pairs : all;
}

void weft__self_drop_lists(weft__self* self) {
  self->lists.is_listed = self->lists.has_stale = false;
  self->lists.row_end = self->lists.kept_row_end = 0;
  memset(self->lists.kept_count, 0, self->tiles.tile_count * sizeof(*self->lists.kept_count));
}

// Bytes for a near row: with its overlap, and the contacts of its share.
#define ROW_BYTES                                        \
  (sizeof(weft__tile_row) + sizeof(weft__tile_overlap) + \
   CONTACTS_A_PARTICLE * (2 * sizeof(uint32_t) + 15 * sizeof(float)) / PAIRS_A_PARTICLE)

// Columns of contacts in the memory after `from`.
static void place_contacts(weft__self_contacts* c, void* from, uint32_t capacity) {
  weft__contact_rows* r = &c->rows;
  c->capacity = capacity;
  r->a = from;
  r->b = r->a + capacity;
  r->push = (float*)(r->b + capacity);
  for (int axis = 0; axis < 3; ++axis) r->friction[axis] = r->push + (size_t)(axis + 1) * capacity;
  r->distance = r->friction[2] + capacity;
  r->static_sq = r->distance + capacity;
  r->dynamic_sq = r->static_sq + capacity;
  r->limit = r->dynamic_sq + capacity;
  for (int axis = 0; axis < 3; ++axis) r->anchor[axis] = r->limit + (size_t)(axis + 1) * capacity;
  for (int axis = 0; axis < 3; ++axis)
    r->normal[axis] = r->anchor[2] + (size_t)(axis + 1) * capacity;
  r->range = r->normal[2] + capacity;
}

bool weft__self_replace_rows(weft__self* self, uint32_t row_capacity) {
  weft__self_tiles* t = &self->tiles;
  weft__tile_row* rows = weft__alloc((size_t)row_capacity + 1, ROW_BYTES);
  if (rows == NULL) return false;
  weft__free(t->rows);
  t->rows = rows;
  t->overlaps = (weft__tile_overlap*)(rows + row_capacity + 1);
  const uint64_t contacts = (uint64_t)row_capacity * CONTACTS_A_PARTICLE / PAIRS_A_PARTICLE;
  place_contacts(&self->contacts, t->overlaps + row_capacity + 1, (uint32_t)contacts);
  self->bytes += (size_t)(row_capacity - self->lists.row_capacity) * ROW_BYTES;
  self->lists.row_capacity = row_capacity;
  weft__self_drop_lists(self);
  return true;
}

static bool make_rows(weft__self* self, const weft__contact_setup* setup) {
  const uint64_t pairs = pair_limit_of(setup);
  const bool is_usual = setup->limits.max_pairs == 0 && setup->particles->count > 1000;
  const uint64_t rows_wanted = is_usual ? pairs : 2 * pairs;
  const uint32_t wanted = (uint32_t)(rows_wanted > UINT32_MAX / 2 ? UINT32_MAX / 2 : rows_wanted);
  if ((wanted > self->lists.row_capacity || self->tiles.rows == NULL) &&
      !weft__self_replace_rows(self, wanted)) {
    return false;
  }
  if (pairs != self->lists.pair_limit) weft__self_drop_lists(self);
  self->lists.pair_limit = pairs;
  return true;
}

static bool make_exclusions(weft__self* self, const weft__contact_setup* setup) {
  const float along_surface = WEFT__SURFACE_PATH * self->longest_range;
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
  self->shapes.is_classified = false;
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
  self->lists.pair_count = 0;
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
