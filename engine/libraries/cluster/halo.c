#include "libraries/cluster/halo.h"

#include <string.h>

#include "base/memory.h"

static bool list_needs(weft__words* of_rank, uint32_t own, uint32_t rank_count,
                       const uint8_t* marks, const uint32_t* rank_first) {
  for (uint32_t rank = 0; rank < rank_count; ++rank) {
    if (rank == own) continue;
    for (uint32_t i = rank_first[rank]; i < rank_first[rank + 1]; ++i) {
      if (marks[i] != 0 && !weft__words_push(&of_rank[rank], i)) return false;
    }
  }
  return true;
}

static bool copy_words(weft__words* to, const weft__words* from, uint32_t shift) {
  for (size_t k = 0; k < from->count; ++k) {
    if (!weft__words_push(to, from->items[k] + shift)) return false;
  }
  return true;
}

static void renumber(weft__words* of_rank, uint32_t rank_count, uint32_t first) {
  for (uint32_t rank = 0; rank < rank_count; ++rank) {
    for (size_t k = 0; k < of_rank[rank].count; ++k) of_rank[rank].items[k] -= first;
  }
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

// Ranks with entries in either list. takes, gives: by rank
static bool keep_peers(weft__halo* halo, uint32_t rank_count, weft__words* takes,
                       weft__words* gives) {
  size_t longest = 1;
  halo->peers = weft__alloc_zeroed(rank_count, sizeof(*halo->peers));
  if (halo->peers == NULL) return false;
  for (uint32_t rank = 0; rank < rank_count; ++rank) {
    if (takes[rank].count == 0 && gives[rank].count == 0) continue;
    weft__halo_peer* peer = &halo->peers[halo->peer_count++];
    *peer = (weft__halo_peer){.rank = rank, .take = takes[rank], .give = gives[rank]};
    takes[rank] = gives[rank] = (weft__words){0};
    longest = larger(longest, larger(peer->take.count, peer->give.count));
  }
  halo->packed = weft__alloc(longest, WEFT__HALO_BYTES);
  return halo->packed != NULL;
}

static void free_words(weft__words* words, uint32_t count) {
  for (uint32_t i = 0; i < count && words != NULL; ++i) weft__free(words[i].items);
  weft__free(words);
}

static void release(weft__halo* halo) {
  for (uint32_t p = 0; p < halo->peer_count; ++p) {
    weft__free(halo->peers[p].give.items);
    weft__free(halo->peers[p].take.items);
  }
  weft__free(halo->peers);
  weft__free(halo->packed);
}

bool weft__halo_create(weft__halo* halo, weft__mailbox* mailbox, weft__channel* channel,
                       const uint8_t* marks, const uint32_t* rank_first) {
  const uint32_t own = mailbox->transport.rank;
  const uint32_t rank_count = mailbox->transport.rank_count;
  *halo = (weft__halo){.channel = weft__mailbox_open(mailbox)};
  weft__words* takes = weft__alloc_zeroed(rank_count, sizeof(*takes));
  weft__words* gives = weft__alloc_zeroed(rank_count, sizeof(*gives));
  bool good = marks != NULL && takes != NULL && gives != NULL &&
              list_needs(takes, own, rank_count, marks, rank_first);
  for (uint32_t rank = 0; rank < rank_count && good; ++rank) {
    good = copy_words(&gives[rank], &takes[rank], mailbox->numbering.first_particle);
  }
  good = weft__mailbox_agree(mailbox, channel, good);
  // others' lists replace the copies
  good = good && weft__mailbox_trade(mailbox, channel, gives);
  if (good) renumber(gives, rank_count, mailbox->numbering.first_particle);
  good = good && keep_peers(halo, rank_count, takes, gives);
  free_words(takes, rank_count);
  free_words(gives, rank_count);
  return weft__mailbox_agree(mailbox, channel, good);
}

void weft__halo_destroy(weft__halo* halo) {
  release(halo);
  *halo = (weft__halo){0};
}

static void map_words(weft__words* words, const uint32_t* number_of) {
  for (size_t k = 0; k < words->count; ++k) words->items[k] = number_of[words->items[k]];
}

void weft__halo_map(weft__halo* halo, const uint32_t* number_of) {
  for (uint32_t p = 0; p < halo->peer_count; ++p) {
    map_words(&halo->peers[p].give, number_of);
    map_words(&halo->peers[p].take, number_of);
  }
}

typedef struct entries {
  const uint32_t* items;
  size_t count, size; /* bytes of each */
} entries;

// Constant sizes are copied in registers.
static inline void copy_entry(void* to, const void* from, size_t size) {
  if (size == sizeof(float)) {
    memcpy(to, from, sizeof(float));
  } else {
    memcpy(to, from, size);
  }
}

static void pack_entries(unsigned char* to, const unsigned char* column, const entries* e) {
  for (size_t k = 0; k < e->count; ++k, to += e->size) {
    copy_entry(to, column + e->items[k] * e->size, e->size);
  }
}

static void unpack_entries(const unsigned char* from, unsigned char* column, const entries* e) {
  for (size_t k = 0; k < e->count; ++k, from += e->size) {
    copy_entry(column + e->items[k] * e->size, from, e->size);
  }
}

// Bytes copied between columns and a message.
static size_t copy_columns(unsigned char* to, const unsigned char* from, const weft__words* words,
                           const weft__table* columns, const void* table) {
  size_t at = 0;
  for (uint32_t c = 0; c < columns->count; ++c) {
    const weft__column* column = &columns->columns[c];
    const entries e = {words->items, words->count, (size_t)column->size * column->used.times};
    for (uint32_t part = 0; part < column->parts; ++part, at += e.count * e.size) {
      unsigned char* array = weft__column_array(table, column, part);
      if (to != NULL) {
        pack_entries(to + at, array, &e);
      } else {
        unpack_entries(from + at, array, &e);
      }
    }
  }
  return at;
}

void weft__halo_send(const weft__halo* halo, weft__mailbox* mailbox, const weft__table* columns,
                     const void* table, weft__halo_direction direction) {
  for (uint32_t p = 0; p < halo->peer_count; ++p) {
    const weft__halo_peer* peer = &halo->peers[p];
    const weft__words* sent = direction == WEFT__HALO_TO_OWNERS ? &peer->take : &peer->give;
    if (sent->count == 0) continue;
    const size_t size = copy_columns(halo->packed, NULL, sent, columns, table);
    weft__mailbox_send(mailbox, &halo->channel, peer->rank, halo->packed, size);
  }
}

void weft__halo_receive(weft__halo* halo, weft__mailbox* mailbox, const weft__table* columns,
                        const void* table, weft__halo_direction direction) {
  for (uint32_t p = 0; p < halo->peer_count; ++p) {
    const weft__halo_peer* peer = &halo->peers[p];
    const weft__words* received = direction == WEFT__HALO_TO_OWNERS ? &peer->give : &peer->take;
    if (received->count == 0) continue;
    weft__block* block = weft__mailbox_wait(mailbox, &halo->channel, peer->rank);
    (void)copy_columns(NULL, block->bytes, received, columns, table);
    block->is_in_use = false;
  }
  ++halo->channel.sequence;
}
