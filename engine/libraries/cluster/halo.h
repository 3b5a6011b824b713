/* Halo: entries of columns that a rank reads and another one owns, listed once. Sends give all
 * entries that others read here; a receive waits for all entries read there. */
#ifndef WEFT_LIBRARIES_CLUSTER_HALO_H
#define WEFT_LIBRARIES_CLUSTER_HALO_H

#include "base/columns.h"
#include "libraries/cluster/mailbox.h"

typedef struct weft__halo_peer {
  uint32_t rank;
  weft__words give, take; /* entries that it reads here, that this rank reads there */
} weft__halo_peer;

typedef struct weft__halo {
  weft__channel channel;
  weft__halo_peer* peers; /* ascending [peer_count] */
  uint32_t peer_count;
  unsigned char* packed;
} weft__halo;

/* Bytes of an entry's columns, at most. */
#define WEFT__HALO_BYTES 92u

/* marks: entries that this rank reads, own ones are ignored, NULL: out of memory; rank_first: first
 * entries, and the end. Collective. */
bool weft__halo_create(weft__halo* halo, weft__mailbox* mailbox, weft__channel* channel,
                       const uint8_t* marks, const uint32_t* rank_first);
void weft__halo_destroy(weft__halo* halo);

void weft__halo_map(weft__halo* halo, const uint32_t* number_of);

typedef enum weft__halo_direction {
  WEFT__HALO_FROM_OWNERS,
  WEFT__HALO_TO_OWNERS, /* readers have changed the entries */
} weft__halo_direction;

void weft__halo_send(const weft__halo* halo, weft__mailbox* mailbox, const weft__table* columns,
                     const void* table, weft__halo_direction direction);
void weft__halo_receive(weft__halo* halo, weft__mailbox* mailbox, const weft__table* columns,
                        const void* table, weft__halo_direction direction);

#endif
