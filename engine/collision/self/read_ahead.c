#include "collision/self/read_ahead.h"

#include "base/memory.h"

// Tiles read at once, so that a column is some pages long, and tiles ahead.
#define CHUNK WEFT__GRAIN(64u, 2u)
#define AHEAD WEFT__GRAIN(512u, 4u)
// Tiles of a world whose columns exceed a cache.
#define MIN_TILES WEFT__GRAIN(2048u, 1u)
// Lines of a tile's slots that most tiles have in use at most.
#define MAX_SLOT_LINES 4u

static void read_lines(const void* memory, size_t bytes) {
  const volatile char* at = memory;
  for (size_t k = 0; k < bytes; k += WEFT__CACHE_LINE) (void)at[k];
}

// Half of the tiles of a chunk, all before `end`, have neighbours.
static bool is_dense(const weft__self_tiles* tiles, uint32_t first, uint32_t end) {
  if (first + CHUNK > end) return false;
  uint32_t count = 0;
  for (uint32_t tile = first; tile < first + CHUNK; ++tile) count += tiles->row_count[tile] > 0;
  return count >= CHUNK / 2;
}

static void read_slots(const weft__self_tiles* tiles, uint32_t first, uint32_t end) {
  for (uint32_t tile = first; tile < end && tile < first + CHUNK; ++tile) {
    if (tiles->slot_count[tile] > 0)
      read_lines(&tiles->slots[tile], (size_t)MAX_SLOT_LINES * WEFT__CACHE_LINE);
  }
}

void weft__self_read_ahead(const weft__self* self, uint32_t tile, const weft__tile_state* now) {
  const weft__self_tiles* tiles = &self->tiles;
  if (tile % CHUNK != 0 || tiles->tile_count < MIN_TILES) return;
  const uint32_t end = weft__self_own(self).end;
  read_slots(tiles, tile, end);
  if (!is_dense(tiles, tile + AHEAD, end)) return;
  const float* records[] = {now->seen, now->start, tiles->support, tiles->friction};
  const size_t size = WEFT__TILE * sizeof(float[4]);
  for (size_t k = 0; k < sizeof(records) / sizeof(*records); ++k) {
    read_lines((const char*)records[k] + (tile + AHEAD) * size, CHUNK * size);
  }
}
