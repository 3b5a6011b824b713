/* Pairs that may meet: a particle and a face, or two edges.
 *
 * Those between two blocks are a run, and the runs of a block are a chain, in an order that the tree of blocks
 * alone decides; in which memory they lie shows in nothing. A run, and each of its pairs, has a key: as long as
 * the paths of its two blocks since the pairs were found add up to no more than that, they do not meet. */
#ifndef WEFT_EXACT_PAIRS_H
#define WEFT_EXACT_PAIRS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most between two blocks: 48 vertices with 16 faces, twice, and 48 edges with 48 others. */
#define WEFT__RUN_PAIRS (2u * 48u * 16u + 48u * 48u)
/* In `a` of a pair: both are edges. */
#define WEFT__PAIR_OF_EDGES 0x80000000u
/* The key of a pair that was found to meet. */
#define WEFT__PAIR_MEETS (-1e30f)

typedef struct weft__exact_pair {
  uint32_t a; /* a particle, or an edge of the web */
  uint32_t b; /* a face of the table, or an edge of the web */
  float key;  /* metres */
} weft__exact_pair;

typedef struct weft__exact_run {
  uint32_t other; /* block */
  uint32_t first_pair, pair_count;
  uint32_t next; /* of the chain, or WEFT__NONE */
  uint32_t made; /* by which finding: counts only if neither block was found anew since */
  float key;     /* metres: the least of its pairs */
} weft__exact_run;

/* What a block has, or would have had. */
typedef struct weft__exact_chain {
  uint32_t first_run, last_run; /* WEFT__NONE where there is none */
  uint32_t pair_count, run_count;
  uint32_t hit_count;
  uint32_t first_hit;
  bool is_lost; /* there was no room for it */
} weft__exact_chain;

typedef struct weft__exact_pairs {
  weft__exact_pair* pair; /* [pair_capacity] */
  weft__exact_run* run;   /* [run_capacity] */
  uint32_t pair_capacity, run_capacity;
  uint32_t pair_room, run_room; /* what may be used of it */
  /* taken from by all workers: where one has its pairs shows nowhere, so that no order is needed */
  _Atomic uint64_t pair_count;
  _Atomic uint64_t run_count;
  size_t bytes;
} weft__exact_pairs;

/* Lets so many pairs be kept. False, and nothing changed, when memory cannot be had; what was there once need not
 * be had again. */
bool weft__exact_pairs_reserve(weft__exact_pairs* pairs, uint32_t pair_room);
void weft__exact_pairs_destroy(weft__exact_pairs* pairs);

/* Adds a run to a chain; where there is no room it is counted all the same. */
void weft__exact_pairs_add(weft__exact_pairs* pairs, weft__exact_chain* chain, uint32_t other,
                           const weft__exact_pair* pair, uint32_t count, uint32_t made);

#endif
