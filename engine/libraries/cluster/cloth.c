#include "libraries/cluster/cloth.h"

#include <string.h>

#include "base/memory.h"
#include "collision/self/neighbors.h"
#include "libraries/cluster/exchange.h"
#include "libraries/cluster/state.h"

static weft__self* cloth_of(weft_cluster* cluster) {
  return &cluster->world->stepper.contacts.cloth;
}

static weft__range tiles_of(const weft_cluster* cluster, uint32_t rank) {
  const uint32_t* first = cluster->tiles.first_place;
  return (weft__range){first[rank] / WEFT__TILE, first[rank + 1] / WEFT__TILE};
}

static weft__range tiles_of_patches(const weft_cluster* cluster, weft__range patches) {
  const uint32_t* first = cluster->tiles.first_tile;
  return (weft__range){first[patches.begin], first[patches.end]};
}

// Columns that a stage shares; the table has all other data of tiles but the lists.
static const weft__column position_column[] = {
    WEFT__VECTOR_TIMES(weft__self, tiles.at, WEFT__TILE, tiles.tile_count, 0, WEFT__HALO)};
static const weft__column stale_column[] = {
    WEFT__COLUMN(weft__self, is_stale, tiles.tile_count, WEFT__HALO)};
static const weft__column count_columns[] = {
    WEFT__COLUMN(weft__self, tiles.row_count, tiles.tile_count, WEFT__HALO),
    WEFT__COLUMN(weft__self, kept_pair_ends, tiles.tile_count, WEFT__HALO),
};
static const weft__table positions = WEFT__TABLE(position_column);
static const weft__table stale = WEFT__TABLE(stale_column);
static const weft__table counts = WEFT__TABLE(count_columns);

typedef struct tile_columns {
  weft_cluster* cluster;
  const weft__table* table;
} tile_columns;

static void copy_tiles(const tile_columns* t, uint32_t rank, weft__copier* copier) {
  weft__copy_columns(copier, cloth_of(t->cluster), t->table, 0, tiles_of(t->cluster, rank));
}

static void take_tiles(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)size;
  copy_tiles(context, from, &(weft__copier){.from = bytes});
}

static bool reserve(weft_cluster* cluster, const weft__table* table, size_t* size) {
  const tile_columns t = {cluster, table};
  weft__copier measured = {.at = 0};
  copy_tiles(&t, weft__own_rank(cluster), &measured);
  *size = measured.at;
  return weft__grow((void**)&cluster->tiles.packed, &cluster->tiles.capacity, *size, 1);
}

static void share_tiles(weft_cluster* cluster, const weft__table* table) {
  tile_columns t = {cluster, table};
  size_t size = 0;
  if (!reserve(cluster, table, &size)) weft__ranks_out_of_memory();
  copy_tiles(&t, weft__own_rank(cluster), &(weft__copier){.to = cluster->tiles.packed});
  weft__mailbox_gather(&cluster->mailbox, &cluster->tiles.channel, cluster->tiles.packed, size,
                       take_tiles, &t);
}

// Displacements.
typedef struct box {
  float lower[3], upper[3];
} box;

static void grow_box(box* to, const float lower[3], const float upper[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (lower[axis] < to->lower[axis]) to->lower[axis] = lower[axis];
    if (upper[axis] > to->upper[axis]) to->upper[axis] = upper[axis];
  }
}

static void take_box(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)from;
  box other;
  memcpy(&other, bytes, size);
  grow_box(context, other.lower, other.upper);
}

static void share_extents(weft_cluster* cluster) {
  weft__self* self = cloth_of(cluster);
  box own;
  memcpy(own.lower, self->extents[0].lower, sizeof(own.lower));
  memcpy(own.upper, self->extents[0].upper, sizeof(own.upper));
  for (uint32_t worker = 1; worker < self->worker_count; ++worker) {
    grow_box(&own, self->extents[worker].lower, self->extents[worker].upper);
  }
  box all = own;
  weft__mailbox_gather(&cluster->mailbox, &cluster->tiles.channel, &own, sizeof(own), take_box,
                       &all);
  memcpy(self->extents[0].lower, all.lower, sizeof(all.lower));
  memcpy(self->extents[0].upper, all.upper, sizeof(all.upper));
}

enum { MOST_SUMS = 4 };

typedef struct sums {
  uint64_t* numbers;
  uint32_t count;
} sums;

static void take_numbers(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)from;
  const sums* s = context;
  uint64_t other[MOST_SUMS];
  memcpy(other, bytes, size);
  for (uint32_t k = 0; k < s->count; ++k) s->numbers[k] += other[k];
}

static void sum_numbers(void* context, uint64_t* numbers, uint32_t count) {
  weft_cluster* cluster = context;
  uint64_t own[MOST_SUMS];
  memcpy(own, numbers, count * sizeof(*own));
  sums s = {numbers, count};
  weft__mailbox_gather(&cluster->mailbox, &cluster->tiles.channel, own, count * sizeof(*own),
                       take_numbers, &s);
}

// Other ranks' places in rows of own tiles.
static void mark_places(const weft__self* self, weft__range own, uint8_t* marks) {
  const weft__self_tiles* t = &self->tiles;
  memset(marks, 0, (size_t)t->tile_count * WEFT__TILE);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    const weft__tile_row* rows = t->rows + t->row_first[tile];
    for (uint32_t r = 0; r < t->row_count[tile]; ++r) marks[rows[r].place] = 1;
  }
}

static void renew_ghosts(weft_cluster* cluster) {
  const weft__self* self = cloth_of(cluster);
  mark_places(self, tiles_of(cluster, weft__own_rank(cluster)), cluster->tiles.marks);
  if (!weft__halo_renew(&cluster->tiles.ghosts, &cluster->mailbox, &cluster->tiles.channel,
                        cluster->tiles.marks, cluster->tiles.first_place)) {
    weft__ranks_out_of_memory();
  }
}

enum { RECORD = 4 };

// Positions, unless `at` is NULL, and records of particles in own rows.
static void exchange_ghosts(weft_cluster* cluster, float* const* at, float* const* records,
                            uint32_t record_count) {
  weft__halo* ghosts = &cluster->tiles.ghosts;
  weft__halo_column columns[WEFT__HALO_FLOATS];
  uint32_t count = 0;
  for (int axis = 0; axis < 3 && at != NULL; ++axis) {
    columns[count++] = (weft__halo_column){at[axis], 1};
  }
  for (uint32_t r = 0; r < record_count; ++r) {
    for (int k = 0; k < RECORD; ++k) columns[count++] = (weft__halo_column){records[r] + k, RECORD};
  }
  weft__halo_send(ghosts, &cluster->mailbox, columns, count, WEFT__HALO_FROM_OWNERS);
  weft__halo_receive(ghosts, &cluster->mailbox, columns, count, WEFT__HALO_FROM_OWNERS);
}

static void exchange_prepared(weft_cluster* cluster) {
  const weft__self_tiles* t = &cloth_of(cluster)->tiles;
  // the last two belong to contacts along surfaces
  float* const records[] = {t->turns[0].seen, t->support, t->friction, t->surface,
                            t->turns[1].start};
  exchange_ghosts(cluster, t->at, records, t->max_range > 0.0f ? 5 : 3);
}

static void exchange_weighed(weft_cluster* cluster) {
  const weft__self_tiles* t = &cloth_of(cluster)->tiles;
  exchange_ghosts(cluster, NULL, (float* const[]){t->turns[0].start, t->friction}, 2);
}

static void exchange_round(weft_cluster* cluster, uint32_t turn) {
  const weft__tile_state* state = &cloth_of(cluster)->tiles.turns[turn];
  exchange_ghosts(cluster, NULL, (float* const[]){state->seen, state->start}, 2);
}

static void exchange_cloth(void* context, weft__self_exchange kind, uint32_t index) {
  weft_cluster* cluster = context;
  switch (kind) {
    case WEFT__SELF_EXTENTS:
      share_extents(cluster);
      break;
    case WEFT__SELF_POSITIONS:
      share_tiles(cluster, &positions);
      break;
    case WEFT__SELF_STALE:
      share_tiles(cluster, &stale);
      break;
    case WEFT__SELF_COUNTS:
      share_tiles(cluster, &counts);
      break;
    case WEFT__SELF_LISTS:
      renew_ghosts(cluster);
      break;
    case WEFT__SELF_NORMALS:
      weft__cluster_exchange_corners(cluster);
      break;
    case WEFT__SELF_PREPARED:
      exchange_prepared(cluster);
      break;
    case WEFT__SELF_WEIGHED:
      exchange_weighed(cluster);
      break;
    case WEFT__SELF_ROUND:
      exchange_round(cluster, index);
      break;
  }
}

static void number_tiles(const weft__schedule* schedule, uint32_t* first_tile) {
  const uint32_t* first = schedule->patch_first;
  first_tile[0] = 0;
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    first_tile[p + 1] = first_tile[p] + weft__tiles_of(first[p + 1] - first[p]);
  }
}

void weft__cluster_place_cloth(weft_cluster* cluster) {
  weft__cloth_tiles* tiles = &cluster->tiles;
  if (tiles->first_place == NULL) return;
  for (uint32_t rank = 0; rank <= cluster->mailbox.transport.rank_count; ++rank) {
    tiles->first_place[rank] = tiles->first_tile[cluster->cloth.first_patch[rank]] * WEFT__TILE;
  }
  tiles->domain.tiles = tiles_of(cluster, weft__own_rank(cluster));
}

bool weft__cluster_divide_cloth(weft_cluster* cluster) {
  const weft__self* self = cloth_of(cluster);
  weft__cloth_tiles* tiles = &cluster->tiles;
  if (tiles->first_place != NULL) return true;
  const uint32_t ranks = cluster->mailbox.transport.rank_count;
  const weft__schedule* schedule = &cluster->world->stepper.schedule;
  tiles->marks = weft__alloc((size_t)self->tiles.tile_count * WEFT__TILE, 1);
  tiles->first_place = weft__alloc((size_t)ranks + 1, sizeof(*tiles->first_place));
  tiles->first_tile = weft__alloc((size_t)schedule->patch_count + 1, sizeof(*tiles->first_tile));
  const bool good = tiles->marks != NULL && tiles->first_place != NULL && tiles->first_tile != NULL;
  if (!weft__mailbox_agree(&cluster->mailbox, &cluster->common, good)) {
    weft__cluster_destroy_cloth(cluster);
    return false;
  }
  number_tiles(schedule, tiles->first_tile);
  tiles->channel = weft__mailbox_open(&cluster->mailbox);
  tiles->ghosts = (weft__halo){.channel = weft__mailbox_open(&cluster->mailbox)};
  tiles->domain =
      (weft__self_domain){.context = cluster, .exchange = exchange_cloth, .sum = sum_numbers};
  weft__cluster_place_cloth(cluster);
  return true;
}

void weft__cluster_destroy_cloth(weft_cluster* cluster) {
  weft__halo_destroy(&cluster->tiles.ghosts);
  weft__free(cluster->tiles.first_tile);
  weft__free(cluster->tiles.first_place);
  weft__free(cluster->tiles.marks);
  weft__free(cluster->tiles.packed);
  cluster->tiles = (weft__cloth_tiles){0};
}

// Returns their rows.
static size_t pack_rows(const weft__self* self, weft__range own, weft__tile_row* rows) {
  size_t count = 0;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    const size_t kept = self->kept_count[tile];
    if (rows != NULL && kept > 0) {
      memcpy(rows + count, self->tiles.rows + self->kept_first[tile], kept * sizeof(*rows));
    }
    count += kept;
  }
  return count;
}

static void take_rows(void* context, uint32_t from, const void* bytes, size_t size) {
  weft_cluster* cluster = context;
  const weft__self* self = cloth_of(cluster);
  if (size == 0) return;
  memcpy(self->tiles.rows + self->kept_first[tiles_of(cluster, from).begin], bytes, size);
}

bool weft__cluster_share_cloth(weft_cluster* cluster) {
  weft__self* self = cloth_of(cluster);
  const weft__range own = tiles_of(cluster, weft__own_rank(cluster));
  weft__self_drop_stale(self, own);
  const size_t row_count = pack_rows(self, own, NULL);
  weft__tile_row* rows = weft__alloc(row_count, sizeof(*rows));
  size_t size = 0;
  const bool good = rows != NULL && reserve(cluster, &weft__self_table, &size);
  if (!weft__mailbox_agree(&cluster->mailbox, &cluster->common, good)) {
    weft__free(rows);
    return false;
  }
  (void)pack_rows(self, own, rows);
  share_tiles(cluster, &weft__self_table);
  weft__self_place_lists(self, (weft__range){0, self->tiles.tile_count});
  take_rows(cluster, weft__own_rank(cluster), rows, row_count * sizeof(*rows));
  weft__mailbox_gather(&cluster->mailbox, &cluster->tiles.channel, rows, row_count * sizeof(*rows),
                       take_rows, cluster);
  self->has_ghosts = false;
  weft__free(rows);
  return true;
}

bool weft__cluster_pack_cloth(weft_cluster* cluster) {
  weft__self* self = cloth_of(cluster);
  if (!cluster->divides_cloth) return true;
  const weft__range own = tiles_of(cluster, weft__own_rank(cluster));
  weft__self_drop_stale(self, own);
  const size_t count = pack_rows(self, own, NULL);
  weft__tile_row* rows = weft__alloc(count, sizeof(*rows));
  if (rows == NULL) return false;
  (void)pack_rows(self, own, rows);
  weft__self_place_lists(self, own);
  if (count > 0) memcpy(self->tiles.rows, rows, count * sizeof(*rows));
  self->has_ghosts = false;
  weft__free(rows);
  return true;
}

void weft__copy_cloth(weft_cluster* cluster, weft__copier* copier, weft__range patches) {
  weft__self* self = cloth_of(cluster);
  if (!cluster->divides_cloth) return;
  const weft__range tiles = tiles_of_patches(cluster, patches);
  weft__copy_columns(copier, self, &weft__self_table, 0, tiles);
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (copier->from != NULL) weft__self_place_list(self, tile);
    weft__copy_bytes(copier, self->tiles.rows + self->kept_first[tile],
                     self->kept_count[tile] * sizeof(*self->tiles.rows));
  }
}

weft__cloth_cost weft__cluster_cost_of_cloth(weft_cluster* cluster, uint32_t patch) {
  const weft__self* self = cloth_of(cluster);
  const weft__range tiles = tiles_of_patches(cluster, (weft__range){patch, patch + 1});
  weft__cloth_cost cost = {.tiles = tiles.end - tiles.begin};
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) cost.rows += self->kept_count[tile];
  return cost;
}
