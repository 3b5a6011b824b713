// Snapshots of self-collision: the table, and lists in the order of tiles.
#include <string.h>

#include "collision/self/body_pairs.h"
#include "collision/self/capacity.h"
#include "collision/self/neighbors.h"
#include "collision/self/tiles.h"

// Memory of the lists, and all that exclusions depend on.
typedef struct layout {
  uint32_t exists;
  uint32_t row_capacity;
  uint32_t has_body_pairs;
  float max_path;
} layout;

static layout layout_of(const weft__self* self) {
  return (layout){self->particle_count > 0, self->lists.row_capacity,
                  self->body_pairs.block != NULL, self->exclusions.max_path};
}

static bool is_partition(const weft__self* self) {
  for (uint32_t place = 0; place < self->tiles.tile_count * WEFT__TILE; ++place) {
    const uint32_t particle = self->particle[place];
    if (particle != WEFT__NONE && particle >= self->particle_count) return false;
  }
  return true;
}

static void invert_partition(weft__self* self) {
  for (uint32_t place = 0; place < self->tiles.tile_count * WEFT__TILE; ++place) {
    if (self->particle[place] != WEFT__NONE) self->place_of[self->particle[place]] = place;
  }
}

static bool make_lists(weft__self* self, const weft__contact_setup* setup, const layout* wanted) {
  return weft__self_replace_rows(self, wanted->row_capacity) &&
         weft__exclusions_create(&self->exclusions, setup->schedule, wanted->max_path) &&
         weft__self_list_tile_exclusions(self) &&
         (!wanted->has_body_pairs || weft__self_make_body_pairs(self));
}

// Tables with the partition that comes next in the stream, if any. On failure the archive is told,
// and nothing changes.
static void replace_tables(weft__self* self, weft__archive* archive,
                           const weft__contact_setup* setup, const layout* wanted) {
  weft__self made = {0};
  bool good = true;
  if (wanted->exists) {
    weft__archive partition = *archive;
    good = weft__archive_allocated(archive, weft__self_create_tiles(&made, setup));
    if (good) {
      weft__archive_array_aside(&partition, made.particle,
                                (size_t)made.tiles.tile_count * WEFT__TILE, sizeof(*made.particle));
      good =
          weft__archive_expect(archive, weft__archive_is_good(&partition) && is_partition(&made));
    }
    if (good) invert_partition(&made);
    good = good && weft__archive_allocated(archive, make_lists(&made, setup, wanted));
    made.bytes += good ? made.exclusions.bytes : 0;
  }
  if (good) {
    *self = made;
  } else {
    weft__self_destroy(&made);
  }
}

static void visit_row_count(weft__self* c, weft__archive* archive) {
  uint32_t rows = weft__self_count_rows(c);
  WEFT__ARCHIVE_VALUE(archive, rows);
  if (weft__archive_is_reading(archive)) {
    c->lists.row_end = c->lists.kept_row_end = rows;
  }
}

// Rows tile by tile, wherever they lie: the same bytes for any number of workers and of processes.
static void visit_rows(weft__self* c, weft__archive* archive) {
  weft__self_tiles* t = &c->tiles;
  if (weft__archive_is_reading(archive)) {
    if (weft__archive_is_loading(archive)) weft__self_place_lists(c);
    WEFT__ARCHIVE_ARRAY(archive, t->rows, c->lists.kept_row_end);
    return;
  }
  weft__archive_begin_array(archive, weft__self_count_rows(c), sizeof(*t->rows));
  for (uint32_t tile = 0; tile < t->tile_count; ++tile) {
    if (c->lists.kept_count[tile] == 0) continue;
    weft__archive_raw(archive, t->rows + c->lists.kept_first[tile],
                      c->lists.kept_count[tile] * sizeof(*t->rows));
  }
}

void weft__self_visit(weft__self* self, weft__archive* archive, const weft__contact_setup* setup) {
  const layout own = layout_of(self);
  layout wanted = own;
  WEFT__ARCHIVE_VALUE(archive, wanted);
  if (!weft__archive_is_good(archive)) return;
  if (weft__archive_is_checking(archive)) {
    const size_t places = (size_t)self->tiles.tile_count * WEFT__TILE;
    const bool is_alike = memcmp(&wanted, &own, sizeof(own)) == 0 &&
                          (own.exists == 0 || weft__archive_is_same(archive, self->particle, places,
                                                                    sizeof(*self->particle)));
    if (!is_alike) replace_tables(self, archive, setup, &wanted);
    if (!weft__archive_is_good(archive)) return;
  }
  weft__archive_table(archive, self, &weft__self_table);
  visit_row_count(self, archive);
  if (weft__archive_is_loading(archive)) self->lists.has_stale = false;
  const bool fits = self->lists.kept_row_end <= self->lists.row_capacity;
  if (!weft__archive_expect(archive, fits) || !wanted.exists) return;
  visit_rows(self, archive);
  weft__self_tiles* t = &self->tiles;
  WEFT__ARCHIVE_ARRAY(archive, t->exclusions, t->exclusion_first[t->tile_count]);
}
