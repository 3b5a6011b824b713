#include "collision/self/rows.h"

#include <string.h>

#include "collision/self/neighbors.h"
#include "collision/self/surfaces.h"

#define FIND_GRAIN WEFT__GRAIN(16u, 1u)
#define BLOCKS_A_CHUNK WEFT__GRAIN(32u, 2u)
#define CONTACTS_A_BLOCK (WEFT__TILE * WEFT__TILE)
#define CONTACTS_A_CHUNK (BLOCKS_A_CHUNK * CONTACTS_A_BLOCK)
#define NO_COLOUR UINT16_MAX
#define LAST_COLOUR (WEFT__BLOCK_COLOURS - 1)
#define MAX_LAST WEFT__BLOCK_COLOURS  // chunks of the last colour

_Static_assert(CONTACTS_A_CHUNK <= WEFT__SELF_SCRATCH, "a worker's scratch memory holds a chunk");

typedef struct search {
  weft__self* self;
  const weft__step_context* step;
} search;

// Groups the overlaps of a tile by the other tile; rows of a tile ascend.
static void find_blocks(weft__self* self, uint32_t tile, uint32_t overlap_count) {
  const weft__self_tiles* t = &self->tiles;
  const weft__tile_row* rows = t->rows + t->row_first[tile];
  const weft__tile_overlap* overlaps = t->overlaps + t->row_first[tile];
  weft__contact_block* blocks = self->contacts.blocks + (size_t)tile * WEFT__TILE_BLOCKS;
  uint32_t count = 0;
  for (uint32_t k = 0; k < overlap_count && count < WEFT__TILE_BLOCKS;) {
    const uint32_t other = rows[overlaps[k].row].place / WEFT__TILE;
    weft__contact_block b = {.other = other, .first = (uint16_t)k};
    uint32_t contacts = 0;
    for (; k < overlap_count && rows[overlaps[k].row].place / WEFT__TILE == other; ++k) {
      contacts += (uint32_t)__builtin_popcount(overlaps[k].lanes);
      b.lanes |= overlaps[k].lanes;
      b.other_lanes |= (uint16_t)(1u << rows[overlaps[k].row].place % WEFT__TILE);
    }
    b.end = (uint16_t)k;
    b.contacts = (uint16_t)contacts;
    blocks[count++] = b;
  }
  self->contacts.block_count[tile] = (uint8_t)count;
}

static void find_in_tiles(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const search* s = context;
  weft__self* self = s->self;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    self->contacts.colours[2 * tile] = self->contacts.colours[2 * tile + 1] = 0;
    self->contacts.block_count[tile] = 0;
    self->contacts.lanes[tile] = 0;
    if (self->tiles.row_count[tile] == 0) continue;
    find_blocks(self, tile, s->step->kernels->find_overlaps(&self->tiles, tile));
  }
}

// First colour that neither tile has; the last one is shared.
static uint16_t choose_colour(uint64_t a[2], uint64_t b[2]) {
  for (uint32_t w = 0; w < 2; ++w) {
    const uint64_t free = ~(a[w] | b[w]);
    if (free == 0) continue;
    const uint32_t bit = (uint32_t)__builtin_ctzll(free);
    a[w] |= 1ull << bit;
    b[w] |= 1ull << bit;
    return (uint16_t)(64 * w + bit);
  }
  return LAST_COLOUR;
}

// Colours blocks in the order of tiles, as many as the capacity has room for. Counts those of each
// colour.
static void colour_blocks(weft__self* self, uint32_t counts[WEFT__BLOCK_COLOURS]) {
  weft__self_contacts* c = &self->contacts;
  memset(counts, 0, WEFT__BLOCK_COLOURS * sizeof(*counts));
  c->count = c->colour_count = 0;
  for (uint32_t tile = 0; tile < self->tiles.tile_count; ++tile) {
    weft__contact_block* blocks = c->blocks + (size_t)tile * WEFT__TILE_BLOCKS;
    for (uint32_t k = 0; k < c->block_count[tile]; ++k) {
      weft__contact_block* b = &blocks[k];
      b->colour = NO_COLOUR;
      const bool fits = b->contacts <= c->capacity - c->count;
      uint16_t colour = LAST_COLOUR;
      if (fits) colour = choose_colour(&c->colours[2 * tile], &c->colours[2 * (size_t)b->other]);
      if (!fits || (colour == LAST_COLOUR && counts[colour] == MAX_LAST)) {
        self->lists.lost += b->contacts;
        continue;
      }
      c->count += b->contacts;
      b->colour = colour;
      c->lanes[tile] |= b->lanes;
      c->lanes[b->other] |= b->other_lanes;
      ++counts[colour];
      if (b->colour >= c->colour_count) c->colour_count = b->colour + 1u;
    }
  }
}

// Counting sort by colour; stable.
static void order_blocks(weft__self* self, const uint32_t counts[WEFT__BLOCK_COLOURS]) {
  weft__self_contacts* c = &self->contacts;
  uint32_t next[WEFT__BLOCK_COLOURS];
  uint32_t first = 0;
  for (uint32_t colour = 0; colour < c->colour_count; ++colour) {
    next[colour] = first;
    first += counts[colour];
  }
  for (uint32_t tile = 0; tile < self->tiles.tile_count; ++tile) {
    const uint32_t begin = tile * WEFT__TILE_BLOCKS;
    for (uint32_t k = begin; k < begin + c->block_count[tile]; ++k) {
      if (c->blocks[k].colour != NO_COLOUR) c->order[next[c->blocks[k].colour]++] = k;
    }
  }
}

static void cut_chunks(weft__self* self, const uint32_t counts[WEFT__BLOCK_COLOURS]) {
  weft__self_contacts* c = &self->contacts;
  uint32_t block = 0, row = 0, chunk = 0;
  for (uint32_t colour = 0; colour < c->colour_count; ++colour) {
    c->first_chunk[colour] = chunk;
    const uint32_t size = colour == LAST_COLOUR ? 1 : BLOCKS_A_CHUNK;
    for (const uint32_t end = block + counts[colour]; block < end;) {
      weft__row_chunk* now = &c->chunks[chunk++];
      now->first_block = block;
      now->block_count = end - block < size ? end - block : size;
      now->first_row = row;
      for (uint32_t k = 0; k < now->block_count; ++k) row += c->blocks[c->order[block++]].contacts;
    }
  }
  c->first_chunk[c->colour_count] = chunk;
}

// Contacts of a chunk in the order of blocks, with their layers.
typedef struct layering {
  weft__tile_row* pairs; /* place: of `b`; lanes: place of `a` [CONTACTS_A_CHUNK] */
  uint8_t layer[CONTACTS_A_CHUNK];
  uint32_t count;
  uint32_t in_layer[WEFT__ROW_LAYERS];
} layering;

static void add_overlap(layering* l, uint32_t tile, const weft__tile_row* row, uint32_t lanes,
                        uint32_t of_a[WEFT__TILE], uint32_t* of_b) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    // two particles of at most 16 contacts each: below 32
    const uint32_t layer = (uint32_t)__builtin_ctz(~(of_a[lane] | *of_b));
    of_a[lane] |= 1u << layer;
    *of_b |= 1u << layer;
    l->pairs[l->count] = (weft__tile_row){row->place, tile * WEFT__TILE + lane};
    l->layer[l->count++] = (uint8_t)layer;
    ++l->in_layer[layer];
  }
}

static void add_block(layering* l, const weft__self* self, uint32_t block) {
  const weft__self_tiles* t = &self->tiles;
  const weft__contact_block* b = &self->contacts.blocks[block];
  const uint32_t tile = block / WEFT__TILE_BLOCKS;
  const weft__tile_row* rows = t->rows + t->row_first[tile];
  const weft__tile_overlap* overlaps = t->overlaps + t->row_first[tile];
  uint32_t of_a[WEFT__TILE] = {0};
  for (uint32_t k = b->first; k < b->end; ++k) {
    const weft__tile_row* row = &rows[overlaps[k].row];
    uint32_t of_other = 0;
    uint32_t* of_b = b->other == tile ? &of_a[row->place % WEFT__TILE] : &of_other;
    add_overlap(l, tile, row, overlaps[k].lanes, of_a, of_b);
  }
}

static void sort_rows(const layering* l, weft__self_contacts* c, weft__row_chunk* chunk) {
  uint32_t next[WEFT__ROW_LAYERS];
  uint32_t first = chunk->first_row;
  chunk->layer_count = 0;
  for (uint32_t layer = 0; layer < WEFT__ROW_LAYERS && l->in_layer[layer] > 0; ++layer) {
    ++chunk->layer_count;
    next[layer] = first;
    first += l->in_layer[layer];
    chunk->layer_end[layer] = (uint16_t)(first - chunk->first_row);
  }
  for (uint32_t i = 0; i < l->count; ++i) {
    const uint32_t row = next[l->layer[i]]++;
    c->rows.a[row] = 2 * l->pairs[i].lanes;
    c->rows.b[row] = 2 * l->pairs[i].place;
  }
}

static void fill_chunks(void* context, weft__range chunks, uint32_t worker) {
  const search* s = context;
  weft__self* self = s->self;
  weft__self_contacts* c = &self->contacts;
  layering l = {.pairs = self->scratch + (size_t)worker * WEFT__SELF_SCRATCH};
  for (uint32_t k = chunks.begin; k < chunks.end; ++k) {
    weft__row_chunk* chunk = &c->chunks[k];
    l.count = 0;
    memset(l.in_layer, 0, sizeof(l.in_layer));
    for (uint32_t b = 0; b < chunk->block_count; ++b)
      add_block(&l, self, c->order[chunk->first_block + b]);
    sort_rows(&l, c, chunk);
    s->step->kernels->begin_contact_rows(&self->tiles, &c->rows, chunk->first_row,
                                         chunk->first_row + l.count);
  }
}

void weft__self_find_rows(weft__self* self, const weft__step_context* step) {
  weft__self_contacts* c = &self->contacts;
  search s = {self, step};
  uint32_t counts[WEFT__BLOCK_COLOURS];
  weft__step_for(step, self->tiles.tile_count, FIND_GRAIN, find_in_tiles, &s);
  colour_blocks(self, counts);
  order_blocks(self, counts);
  cut_chunks(self, counts);
  weft__self_update_normals(self, step);
  weft__step_for(step, c->first_chunk[c->colour_count], 1, fill_chunks, &s);
}
