/* Pairs that may meet: a particle and a face, or two edges.
 *
 * Two blocks that are near are a run, and the runs of a block are a chain, in an order that the tree of blocks
 * alone decides; in which memory they lie shows in nothing. First come those that share particles and have a window,
 * collision/ccd/flatness.h, as they are near for ever; then strangers, who come and go. Most runs need no pairs, as something else tells that
 * nothing of the two meets: see weft__cluster_pair_kind. A run, and each pair, has a key: as long as the paths of its two
 * blocks add up to no more than that, they do not meet. */
#ifndef WEFT_COLLISION_CCD_PAIRS_H
#define WEFT_COLLISION_CCD_PAIRS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collision/ccd/flatness.h"

/* The most between two blocks: 48 vertices with 16 faces, twice, and 48 edges with 48 others. */
#define WEFT__MOST_PAIRS (2u * 48u * 16u + 48u * 48u)
/* In `a` of a pair: both are edges. */
#define WEFT__PAIR_OF_EDGES 0x80000000u
/* The key of a pair that was found to meet. */
#define WEFT__PAIR_MEETS (-1e30f)

typedef struct weft__ccd_pair {
  uint32_t a; /* a particle, or an edge of the web */
  uint32_t b; /* a face of the table, or an edge of the web */
  float key;  /* metres */
} weft__ccd_pair;

typedef enum weft__cluster_pair_kind {
  WEFT__RUN_FLAT =
      0, /* a window of cloth that is flat, up to the window's key: collision/ccd/flatness.h */
  WEFT__RUN_FOLD = 1,  /* one that is not; its pairs are all that may meet up to the run's path */
  WEFT__RUN_APART = 2, /* a plane parts the two, up to the key */
  WEFT__RUN_NEAR = 3,  /* its pairs are all that may meet before one of the two leaves its skin */
} weft__cluster_pair_kind;

/* Two in a cache line, as all are looked at in each substep. */
typedef struct weft__cluster_pair {
  uint32_t other; /* block */
  uint32_t first_pair;
  uint16_t pair_count;
  uint16_t pair_room; /* from the first on */
  uint32_t made;      /* by which finding: counts only if neither block was found anew since */
  float key;          /* metres: the least of its pairs, or of a plane */
  float path;         /* metres: of its blocks, up to which its pairs are good */
  uint8_t window;     /* which one of its block it is, WEFT__NO_WINDOW = none */
  uint8_t kind;       /* weft__cluster_pair_kind */
  bool is_wanted;     /* its pairs have to be found */
} weft__cluster_pair;

#define WEFT__NO_WINDOW 0xffu

/* What a block has: runs side by side, so that many can be fetched at a time. */
typedef struct weft__cluster_pair_list {
  uint32_t first_run, run_count;
  uint32_t run_room;     /* from the first on */
  uint32_t wanted_pairs; /* that it has, or would have had */
  uint32_t test_count;   /* of pairs, less what its budget has refunded */
  uint8_t halvings;      /* of its budget */
  uint32_t hit_count;
  uint32_t first_hit;
  bool is_lost;    /* there was no room for its pairs */
  bool has_folds;  /* not all of its windows are flat */
  bool is_wanting; /* the pairs of some of its runs have to be found */
} weft__cluster_pair_list;

typedef struct weft__ccd_pairs {
  weft__ccd_pair* pair;    /* [pair_capacity] */
  weft__cluster_pair* run; /* [run_capacity] */
  uint32_t pair_capacity, run_capacity;
  uint32_t pair_room, run_room; /* what may be used of it */
  /* taken from by all workers: where one has its pairs shows nowhere, so that no order is needed */
  _Atomic uint64_t pair_count;
  _Atomic uint64_t run_count;
  size_t bytes;
} weft__ccd_pairs;

/* Lets so many pairs be kept, between so many blocks of faces. False, and nothing changed, when memory cannot be had; what was there once need not
 * be had again. */
bool weft__ccd_pairs_reserve(weft__ccd_pairs* pairs, uint32_t pair_room, uint32_t blocks);
void weft__ccd_pairs_destroy(weft__ccd_pairs* pairs);

/* Leaves a chain its first runs alone, as many as are `kept`, or none if it has less. It keeps its room. */
void weft__ccd_pairs_drop_runs(const weft__ccd_pairs* pairs, weft__cluster_pair_list* chain,
                               uint32_t kept);

/* Adds a run to a chain: one without pairs. Where there is no room, run_count exceeds run_room. */
void weft__ccd_pairs_add_run(weft__ccd_pairs* pairs, weft__cluster_pair_list* chain,
                             const weft__cluster_pair* run);

typedef struct weft__cluster_pairs {
  weft__cluster_pair *begin, *end;
} weft__cluster_pairs;

static inline weft__cluster_pairs weft__cluster_pairs_of(const weft__ccd_pairs* pairs,
                                                         const weft__cluster_pair_list* chain) {
  weft__cluster_pair* begin = pairs->run + chain->first_run;
  return (weft__cluster_pairs){begin, begin + chain->run_count};
}

/* Gives a run of a chain its pairs; where there is no room they are counted all the same. */
void weft__ccd_pairs_fill(weft__ccd_pairs* pairs, weft__cluster_pair_list* chain,
                          weft__cluster_pair* run, const weft__ccd_pair* pair, uint32_t count);

#endif
