#include "libraries/cluster/cloth.h"

#include <string.h>

#include "base/memory.h"
#include "collision/self/neighbors.h"
#include "libraries/cluster/exchange.h"
#include "libraries/cluster/state.h"

static weft__self* cloth_of(weft_cluster* cluster) {
  return &cluster->world->stepper.contacts.cloth;
}

static weft__range own_tiles(const weft_cluster* cluster) {
  return weft__cluster_owned(cluster, WEFT__OWNED_TILES, weft__own_rank(cluster));
}

static weft__range tiles_of_patches(const weft_cluster* cluster, weft__range patches) {
  const uint32_t* first = cluster->tiles.first_tile;
  return (weft__range){first[patches.begin], first[patches.end]};
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
  cluster->domain.tiles = own_tiles(cluster);
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
  weft__cluster_place_cloth(cluster);
  return true;
}

void weft__cluster_destroy_cloth(weft_cluster* cluster) {
  weft__halo_destroy(&cluster->tiles.ghosts);
  weft__free(cluster->tiles.first_tile);
  weft__free(cluster->tiles.first_place);
  weft__free(cluster->tiles.marks);
  cluster->tiles = (weft__cloth_tiles){0};
}

static size_t pack_rows(const weft__self* self, weft__range own, weft__tile_row* rows) {
  size_t count = 0;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    const size_t kept = self->lists.kept_count[tile];
    if (rows != NULL && kept > 0) {
      memcpy(rows + count, self->tiles.rows + self->lists.kept_first[tile], kept * sizeof(*rows));
    }
    count += kept;
  }
  return count;
}

static void take_rows(void* context, uint32_t from, const void* bytes, size_t size) {
  weft_cluster* cluster = context;
  const weft__self* self = cloth_of(cluster);
  if (size == 0) return;
  memcpy(self->tiles.rows +
             self->lists.kept_first[weft__cluster_owned(cluster, WEFT__OWNED_TILES, from).begin],
         bytes, size);
}

bool weft__cluster_share_cloth(weft_cluster* cluster) {
  weft__self* self = cloth_of(cluster);
  const weft__range own = own_tiles(cluster);
  weft__self_drop_stale(self, own);
  const size_t row_count = pack_rows(self, own, NULL);
  weft__tile_row* rows = weft__alloc(row_count, sizeof(*rows));
  const bool good =
      rows != NULL && weft__cluster_reserve(cluster, WEFT__OWNED_TILES, &weft__self_table, self);
  if (!weft__mailbox_agree(&cluster->mailbox, &cluster->common, good)) {
    weft__free(rows);
    return false;
  }
  (void)pack_rows(self, own, rows);
  weft__cluster_gather_rows(cluster, WEFT__OWNED_TILES, &weft__self_table, self);
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
  const weft__range own = own_tiles(cluster);
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
    weft__copy_bytes(copier, self->tiles.rows + self->lists.kept_first[tile],
                     self->lists.kept_count[tile] * sizeof(*self->tiles.rows));
  }
}

weft__cloth_cost weft__cluster_cost_of_cloth(weft_cluster* cluster, uint32_t patch) {
  const weft__self* self = cloth_of(cluster);
  const weft__range tiles = tiles_of_patches(cluster, (weft__range){patch, patch + 1});
  weft__cloth_cost cost = {.tiles = tiles.end - tiles.begin};
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile)
    cost.rows += self->lists.kept_count[tile];
  return cost;
}
