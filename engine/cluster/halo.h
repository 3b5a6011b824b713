/* Halo: entries of columns that a rank reads and another one owns. The lists of both are made once.
 * An exchange is a send, of all entries that others read here, and a receive, which waits for all
 * entries read there. */
#ifndef WEFT_CLUSTER_HALO_H
#define WEFT_CLUSTER_HALO_H

#include "cluster/mailbox.h"

typedef struct weft__halo_peer {
  uint32_t rank;
  weft__words give, take; /* entries that it reads here, and that this rank reads there */
} weft__halo_peer;

typedef struct weft__halo {
  weft__channel channel;
  weft__halo_peer* peers; /* ascending [peer_count] */
  uint32_t peer_count;
  float* packed;
} weft__halo;

/* A float of each entry: the first ones of records lie further apart. */
typedef struct weft__halo_column {
  float* first;
  uint32_t stride; /* floats from one entry to the next */
} weft__halo_column;

/* Most columns in an exchange. */
#define WEFT__HALO_FLOATS 23u

/* Creates the lists. `marks`: entries that this rank reads; own ones are ignored. `rank_first`:
 * first entry of each rank, and the end. Collective; false if out of memory on one of the ranks,
 * the caller destroys it either way. `marks` NULL: this rank is out of memory. */
bool weft__halo_create(weft__halo* halo, weft__mailbox* mailbox, weft__channel* channel,
                       const uint8_t* marks, const uint32_t* rank_first);
void weft__halo_destroy(weft__halo* halo);

/* Replaces the lists, likewise. */
bool weft__halo_renew(weft__halo* halo, weft__mailbox* mailbox, weft__channel* channel,
                      const uint8_t* marks, const uint32_t* rank_first);

/* Renumbers the entries of both lists. */
void weft__halo_map(weft__halo* halo, const uint32_t* number_of);

typedef enum weft__halo_direction {
  WEFT__HALO_FROM_OWNERS,
  WEFT__HALO_TO_OWNERS, /* readers have changed the entries */
} weft__halo_direction;

void weft__halo_send(weft__halo* halo, weft__mailbox* mailbox, const weft__halo_column* columns,
                     uint32_t column_count, weft__halo_direction direction);
void weft__halo_receive(weft__halo* halo, weft__mailbox* mailbox, const weft__halo_column* columns,
                        uint32_t column_count, weft__halo_direction direction);

#endif
