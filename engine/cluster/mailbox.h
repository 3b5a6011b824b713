/* Mailbox: messages between the ranks of a cluster.
 *
 * Two kinds of messages pass through a transport, which may deliver them in any order:
 *
 *   phases   particles of border patches, for the ghosts of another rank, in the midst of sweeps:
 *            handed to ghosts.c as they arrive
 *   blocks   all else: bytes of any size, in parts, named by sender, channel and sequence number.
 *            They are kept until the rank waits for them, as senders may be ahead
 *
 * All ranks use the channels in the same order, so that both ends count the same sequence. Memory
 * of blocks is reused: a run of like steps allocates nothing. */
#ifndef WEFT_CLUSTER_MAILBOX_H
#define WEFT_CLUSTER_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/range.h"
#include "weft/weft.h"

/* A block that arrives, or has arrived. */
typedef struct weft__block {
  uint32_t from, channel, sequence;
  size_t total, received, capacity;
  unsigned char* bytes;
  bool is_in_use;
} weft__block;

/* Channel: `sequence` counts its uses. */
typedef struct weft__channel {
  uint32_t number, sequence;
} weft__channel;

typedef void weft__take_phases(void* context, const unsigned char* bytes, size_t size);

/* First particle and patch of the rank's tables in the whole world, modulo 2^32. Messages have the
 * numbers of all ranks, tables the rank's. */
typedef struct weft__numbering {
  uint32_t first_particle, first_patch;
} weft__numbering;

/* Messages and bytes sent, and time spent waiting for others. */
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

/* Rank that has an element. first: of each rank, and the end */
static inline uint32_t weft__rank_at(const uint32_t* first, uint32_t element) {
  uint32_t rank = 0;
  while (first[rank + 1] <= element) ++rank;
  return rank;
}

/* Elements of a rank, likewise. */
static inline weft__range weft__rank_range(const uint32_t* first, uint32_t rank) {
  return (weft__range){first[rank], first[rank + 1]};
}

/* Bytes of a message of phases in front of its entries. */
#define WEFT__PHASES_HEAD 8u

/* False if out of memory; the caller destroys it either way. */
bool weft__mailbox_create(weft__mailbox* mailbox, const weft_transport* transport);
void weft__mailbox_destroy(weft__mailbox* mailbox);

weft__channel weft__mailbox_open(weft__mailbox* mailbox);

/* Takes all messages that have arrived. */
void weft__mailbox_poll(weft__mailbox* mailbox);

/* Gives the core away after many polls in vain. With assertions, true when they have lasted a
 * minute: ranks wait for each other. `since`: 0 at the first poll. */
bool weft__mailbox_idle(uint32_t polls, int64_t* since);

/* Ends the process: a step has no way to fail, and other ranks wait for this one. */
_Noreturn void weft__ranks_out_of_memory(void);

/* Logs a rank that waits for another, and the thing it waits for, and ends the process. */
_Noreturn void weft__ranks_stuck(uint32_t rank, uint32_t for_rank, const char* thing,
                                 uint32_t which, uint32_t number);

/* Sends entries of phases, which follow WEFT__PHASES_HEAD free bytes. */
void weft__mailbox_send_phases(weft__mailbox* mailbox, uint32_t to, unsigned char* bytes,
                               size_t size);

/* Sends a block in the present use of a channel. */
void weft__mailbox_send(weft__mailbox* mailbox, const weft__channel* channel, uint32_t to,
                        const void* bytes, size_t size);

/* Waits for the block of a rank in the present use of a channel; it is released after reading. */
weft__block* weft__mailbox_wait(weft__mailbox* mailbox, const weft__channel* channel,
                                uint32_t from);

typedef void weft__take_block(void* context, uint32_t from, const void* bytes, size_t size);

/* Sends a block to all other ranks, and visits theirs, in the order of ranks. */
void weft__mailbox_gather(weft__mailbox* mailbox, weft__channel* channel, const void* bytes,
                          size_t size, weft__take_block* take, void* context);

/* Numbers for a rank, or from one. */
typedef struct weft__words {
  uint32_t* items;
  size_t count, capacity;
} weft__words;

/* False if out of memory. */
bool weft__words_push(weft__words* words, uint32_t number);

/* Sends each rank its numbers, and replaces them by that rank's [rank_count]. Own ones stay. False
 * if out of memory, after the exchange is complete. */
bool weft__mailbox_trade(weft__mailbox* mailbox, weft__channel* channel, weft__words* of_rank);

/* True if all ranks say so. */
bool weft__mailbox_agree(weft__mailbox* mailbox, weft__channel* channel, bool good);

#endif
