/* Mailbox: messages between the ranks of a cluster.
 *
 * Two kinds of messages pass through a transport, which may deliver them in any order:
 *
 *  phases   particles of border patches, for another rank's ghosts, in the midst of sweeps: handed
 *           to ghosts.c as they arrive
 *  blocks   all else: bytes of any size, in parts, named by sender, channel and sequence number,
 *           kept until the rank waits for them, as senders may be ahead
 *
 * All ranks use channels in one order: both ends count the same sequence. A run of like steps
 * allocates nothing. */
#ifndef WEFT_LIBRARIES_CLUSTER_MAILBOX_H
#define WEFT_LIBRARIES_CLUSTER_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/range.h"
#include "weft/weft.h"

typedef struct weft__block {
  uint32_t from, channel, sequence;
  size_t total, received, capacity;
  unsigned char* bytes;
  bool is_in_use;
} weft__block;

typedef struct weft__channel {
  uint32_t number, sequence;
} weft__channel;

typedef void weft__take_phases(void* context, const unsigned char* bytes, size_t size);

/* First particle and patch of the rank's tables in the whole world, modulo 2^32: messages have
 * numbers of all ranks. */
typedef struct weft__numbering {
  uint32_t first_particle, first_patch;
} weft__numbering;

/* Sent; waiting for others. */
typedef struct weft__traffic {
  uint64_t messages, bytes;
  int64_t waited_ns;
} weft__traffic;

typedef struct weft__mailbox {
  weft_transport transport;
  weft__numbering numbering; /* 0 if each rank has the tables of all */
  unsigned char* incoming;   /* [WEFT_MAX_MESSAGE] */
  unsigned char* outgoing;   /* [WEFT_MAX_MESSAGE] */
  weft__block** blocks;      /* [block_count] */
  size_t block_count, block_capacity;
  weft__take_phases* take_phases;
  void* context;
  uint32_t channel_count;
  weft__traffic traffic;
} weft__mailbox;

/* first: by rank, and the end */
static inline uint32_t weft__rank_at(const uint32_t* first, uint32_t element) {
  uint32_t rank = 0;
  while (first[rank + 1] <= element) ++rank;
  return rank;
}

static inline weft__range weft__rank_range(const uint32_t* first, uint32_t rank) {
  return (weft__range){first[rank], first[rank + 1]};
}

/* Before a message's entries. */
#define WEFT__PHASES_HEAD 8u

bool weft__mailbox_create(weft__mailbox* mailbox, const weft_transport* transport);
void weft__mailbox_destroy(weft__mailbox* mailbox);

weft__channel weft__mailbox_open(weft__mailbox* mailbox);

/* All messages that have arrived. */
void weft__mailbox_poll(weft__mailbox* mailbox);

/* Yields the core after many polls in vain. With assertions, true after a minute of them. since: 0
 * at the first poll */
bool weft__mailbox_idle(uint32_t polls, int64_t* since);

/* Ends the process: a step cannot fail, and other ranks wait for this one. */
_Noreturn void weft__ranks_out_of_memory(void);

_Noreturn void weft__ranks_stuck(uint32_t rank, uint32_t for_rank, const char* thing,
                                 uint32_t which, uint32_t number);

/* Entries follow WEFT__PHASES_HEAD free bytes. */
void weft__mailbox_send_phases(weft__mailbox* mailbox, uint32_t to, unsigned char* bytes,
                               size_t size);

void weft__mailbox_send(weft__mailbox* mailbox, const weft__channel* channel, uint32_t to,
                        const void* bytes, size_t size);

/* The block is released after reading. */
weft__block* weft__mailbox_wait(weft__mailbox* mailbox, const weft__channel* channel,
                                uint32_t from);

typedef void weft__take_block(void* context, uint32_t from, const void* bytes, size_t size);

/* Sends to all other ranks, and visits their blocks in the order of ranks. */
void weft__mailbox_gather(weft__mailbox* mailbox, weft__channel* channel, const void* bytes,
                          size_t size, weft__take_block* take, void* context);

typedef struct weft__words {
  uint32_t* items;
  size_t count, capacity;
} weft__words;

bool weft__words_push(weft__words* words, uint32_t number);

/* Sends each rank its numbers, and replaces them by that rank's [rank_count]; own ones stay. Fails
 * after the exchange is complete. */
bool weft__mailbox_trade(weft__mailbox* mailbox, weft__channel* channel, weft__words* of_rank);

/* True if all ranks say so. */
bool weft__mailbox_agree(weft__mailbox* mailbox, weft__channel* channel, bool good);

/* Largest value of all ranks. */
double weft__mailbox_largest(weft__mailbox* mailbox, weft__channel* channel, double value);

#endif
