#include "libraries/cluster/mailbox.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/memory.h"
#include "parallel/pause.h"

// Polls in vain before each further one yields the core.
#define SPIN_LIMIT 200u
#define DEADLINE_NS (60 * (int64_t)1000000000)

typedef enum message_kind { MESSAGE_PHASES = 1, MESSAGE_BLOCK = 2 } message_kind;

typedef struct block_head {
  uint32_t kind, channel, sequence, reserved;
  uint64_t offset, total;
} block_head;

bool weft__mailbox_create(weft__mailbox* mailbox, const weft_transport* transport) {
  *mailbox = (weft__mailbox){.transport = *transport,
                             .incoming = weft__alloc(WEFT_MAX_MESSAGE, 1),
                             .outgoing = weft__alloc(WEFT_MAX_MESSAGE, 1)};
  return mailbox->incoming != NULL && mailbox->outgoing != NULL;
}

void weft__mailbox_destroy(weft__mailbox* mailbox) {
  for (size_t b = 0; b < mailbox->block_count; ++b) {
    weft__free(mailbox->blocks[b]->bytes);
    weft__free(mailbox->blocks[b]);
  }
  weft__free(mailbox->blocks);
  weft__free(mailbox->incoming);
  weft__free(mailbox->outgoing);
  *mailbox = (weft__mailbox){0};
}

weft__channel weft__mailbox_open(weft__mailbox* mailbox) {
  return (weft__channel){.number = mailbox->channel_count++};
}

void weft__ranks_out_of_memory(void) {
  weft__log("weft: a rank is out of memory for messages");
  abort();
}

static bool is_of(const weft__block* block, uint32_t from, uint32_t channel, uint32_t sequence) {
  return block->is_in_use && block->from == from && block->channel == channel &&
         block->sequence == sequence;
}

static weft__block* find_block(const weft__mailbox* mailbox, uint32_t from, uint32_t channel,
                               uint32_t sequence) {
  for (size_t b = 0; b < mailbox->block_count; ++b) {
    if (is_of(mailbox->blocks[b], from, channel, sequence)) return mailbox->blocks[b];
  }
  return NULL;
}

// Smallest that is enough, else any.
static weft__block* find_free(const weft__mailbox* mailbox, size_t total) {
  weft__block* best = NULL;
  for (size_t b = 0; b < mailbox->block_count; ++b) {
    weft__block* block = mailbox->blocks[b];
    if (block->is_in_use) continue;
    const bool fits = block->capacity >= total;
    if (best == NULL || (fits && (best->capacity < total || block->capacity < best->capacity))) {
      best = block;
    }
  }
  return best;
}

static weft__block* add_block(weft__mailbox* mailbox) {
  weft__block* block = weft__alloc_zeroed(1, sizeof(*block));
  if (block == NULL || !weft__grow((void**)&mailbox->blocks, &mailbox->block_capacity,
                                   mailbox->block_count + 1, sizeof(*mailbox->blocks))) {
    weft__ranks_out_of_memory();
  }
  mailbox->blocks[mailbox->block_count++] = block;
  return block;
}

static weft__block* begin_block(weft__mailbox* mailbox, uint32_t from, const block_head* head) {
  const size_t total = (size_t)head->total;
  weft__block* block = find_free(mailbox, total);
  if (block == NULL) block = add_block(mailbox);
  if (block->bytes == NULL || block->capacity < total) {
    weft__free(block->bytes);
    block->bytes = weft__alloc(total + total / 4 + 1, 1);
    if (block->bytes == NULL) weft__ranks_out_of_memory();
    block->capacity = total + total / 4 + 1;
  }
  block->from = from;
  block->channel = head->channel;
  block->sequence = head->sequence;
  block->total = total;
  block->received = 0;
  block->is_in_use = true;
  return block;
}

static void take_block(weft__mailbox* mailbox, uint32_t from, size_t size) {
  block_head head;
  memcpy(&head, mailbox->incoming, sizeof(head));
  weft__block* block = find_block(mailbox, from, head.channel, head.sequence);
  if (block == NULL) block = begin_block(mailbox, from, &head);
  memcpy(block->bytes + head.offset, mailbox->incoming + sizeof(head), size - sizeof(head));
  block->received += size - sizeof(head);
}

void weft__mailbox_poll(weft__mailbox* mailbox) {
  const weft_transport* t = &mailbox->transport;
  uint32_t from = 0;
  for (size_t size; (size = t->receive(t->context, mailbox->incoming, &from)) > 0;) {
    uint32_t kind = 0;
    memcpy(&kind, mailbox->incoming, sizeof(kind));
    if (kind == MESSAGE_PHASES) {
      mailbox->take_phases(mailbox->context, mailbox->incoming + WEFT__PHASES_HEAD,
                           size - WEFT__PHASES_HEAD);
    } else {
      take_block(mailbox, from, size);
    }
  }
}

bool weft__mailbox_idle(uint32_t polls, int64_t* since) {
  if (polls < SPIN_LIMIT) {
    weft__pause();
    return false;
  }
  sched_yield();
#ifndef NDEBUG
  if (*since == 0) *since = weft__clock_ns();
  return weft__clock_ns() - *since > DEADLINE_NS;
#else
  (void)since;
  return false;
#endif
}

void weft__ranks_stuck(uint32_t rank, uint32_t for_rank, const char* thing, uint32_t which,
                       uint32_t number) {
  char message[160];
  snprintf(message, sizeof(message),
           "weft: rank %" PRIu32 " waits for rank %" PRIu32 ": %s %" PRIu32 ", number %" PRIu32,
           rank, for_rank, thing, which, number);
  weft__log(message);
  fprintf(stderr, "%s\n", message);
  abort();
}

static void send_message(weft__mailbox* mailbox, uint32_t to, const void* bytes, size_t size) {
  mailbox->transport.send(mailbox->transport.context, to, bytes, size);
  ++mailbox->traffic.messages;
  mailbox->traffic.bytes += size;
}

void weft__mailbox_send_phases(weft__mailbox* mailbox, uint32_t to, unsigned char* bytes,
                               size_t size) {
  const uint32_t head[WEFT__PHASES_HEAD / sizeof(uint32_t)] = {MESSAGE_PHASES};
  memcpy(bytes, head, sizeof(head));
  send_message(mailbox, to, bytes, size);
}

void weft__mailbox_send(weft__mailbox* mailbox, const weft__channel* channel, uint32_t to,
                        const void* bytes, size_t size) {
  const size_t room = WEFT_MAX_MESSAGE - sizeof(block_head);
  size_t offset = 0;
  do {
    const size_t part = size - offset < room ? size - offset : room;
    const block_head head = {.kind = MESSAGE_BLOCK,
                             .channel = channel->number,
                             .sequence = channel->sequence,
                             .offset = offset,
                             .total = size};
    memcpy(mailbox->outgoing, &head, sizeof(head));
    if (part > 0) {
      memcpy(mailbox->outgoing + sizeof(head), (const unsigned char*)bytes + offset, part);
    }
    send_message(mailbox, to, mailbox->outgoing, sizeof(head) + part);
    offset += part;
  } while (offset < size);
}

weft__block* weft__mailbox_wait(weft__mailbox* mailbox, const weft__channel* channel,
                                uint32_t from) {
  const int64_t begin = weft__clock_ns();
  int64_t since = 0;
  for (uint32_t polls = 0;; ++polls) {
    weft__mailbox_poll(mailbox);
    weft__block* block = find_block(mailbox, from, channel->number, channel->sequence);
    if (block != NULL && block->received == block->total) {
      if (polls > 0) mailbox->traffic.waited_ns += weft__clock_ns() - begin;
      return block;
    }
    if (!weft__mailbox_idle(polls, &since)) continue;
    weft__ranks_stuck(mailbox->transport.rank, from, "block of channel", channel->number,
                      channel->sequence);
  }
}

void weft__mailbox_gather(weft__mailbox* mailbox, weft__channel* channel, const void* bytes,
                          size_t size, weft__take_block* take, void* context) {
  const uint32_t own = mailbox->transport.rank;
  const uint32_t count = mailbox->transport.rank_count;
  for (uint32_t k = 1; k < count; ++k) {
    weft__mailbox_send(mailbox, channel, (own + k) % count, bytes, size);
  }
  for (uint32_t rank = 0; rank < count; ++rank) {
    if (rank == own) continue;
    weft__block* block = weft__mailbox_wait(mailbox, channel, rank);
    take(context, rank, block->bytes, block->total);
    block->is_in_use = false;
  }
  ++channel->sequence;
}

bool weft__words_push(weft__words* words, uint32_t number) {
  if (!weft__grow((void**)&words->items, &words->capacity, words->count + 1,
                  sizeof(*words->items))) {
    return false;
  }
  words->items[words->count++] = number;
  return true;
}

bool weft__mailbox_trade(weft__mailbox* mailbox, weft__channel* channel, weft__words* of_rank) {
  const uint32_t own = mailbox->transport.rank;
  bool good = true;
  for (uint32_t rank = 0; rank < mailbox->transport.rank_count; ++rank) {
    if (rank == own) continue;
    weft__mailbox_send(mailbox, channel, rank, of_rank[rank].items,
                       of_rank[rank].count * sizeof(uint32_t));
  }
  for (uint32_t rank = 0; rank < mailbox->transport.rank_count; ++rank) {
    if (rank == own) continue;
    weft__words* words = &of_rank[rank];
    weft__block* block = weft__mailbox_wait(mailbox, channel, rank);
    const size_t count = block->total / sizeof(uint32_t);
    const bool fits =
        count <= words->capacity ||
        weft__grow((void**)&words->items, &words->capacity, count, sizeof(*words->items));
    words->count = fits ? count : 0;
    if (fits && count > 0) memcpy(words->items, block->bytes, block->total);
    good = good && fits;
    block->is_in_use = false;
  }
  ++channel->sequence;
  return good;
}

static void take_vote(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)from;
  (void)size;
  bool* all = context;
  *all = *all && *(const unsigned char*)bytes != 0;
}

bool weft__mailbox_agree(weft__mailbox* mailbox, weft__channel* channel, bool good) {
  const unsigned char vote = good ? 1 : 0;
  bool all = good;
  weft__mailbox_gather(mailbox, channel, &vote, 1, take_vote, &all);
  return all;
}

static void take_value(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)from;
  (void)size;
  double value, *largest = context;
  memcpy(&value, bytes, sizeof(value));
  if (value > *largest) *largest = value;
}

double weft__mailbox_largest(weft__mailbox* mailbox, weft__channel* channel, double value) {
  double largest = value;
  weft__mailbox_gather(mailbox, channel, &value, sizeof(value), take_value, &largest);
  return largest;
}
