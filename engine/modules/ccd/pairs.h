/* Candidates for collision: pairs of clusters, and their feature pairs (vertex-face or edge-edge).
 *
 * Each cluster has a list of cluster pairs, in an order that depends only on the BVH. Adjacent
 * cluster pairs, which share particles and have a flat region (flatness.h), come first and stay;
 * non-adjacent pairs come and go. Most cluster pairs are culled and hold no feature pairs. Cluster
 * pairs and feature pairs are free of hits as long as the displacements of both clusters add up to
 * at most their `valid_until`. */
#ifndef WEFT_MODULES_CCD_PAIRS_H
#define WEFT_MODULES_CCD_PAIRS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "modules/ccd/feature_pairs.h"
#include "modules/ccd/flatness.h"

/* Flag in `a` of a feature pair: edge-edge, not vertex-face. */
#define WEFT__EDGE_EDGE_PAIR 0x80000000u
/* `valid_until` of a feature pair that hits. */
#define WEFT__PAIR_HIT (-1e30f)

typedef struct weft__ccd_pair {
  uint32_t a;        /* particle, or edge of the mesh with WEFT__EDGE_EDGE_PAIR */
  uint32_t b;        /* face of the table, or edge of the mesh */
  float valid_until; /* metres */
} weft__ccd_pair;

typedef enum weft__cluster_pair_kind {
  WEFT__CLUSTERS_FLAT = 0,      /* adjacent, culled by the flatness certificate of its region */
  WEFT__CLUSTERS_FOLDED = 1,    /* adjacent, not certified: pairs complete to pairs_valid_until */
  WEFT__CLUSTERS_SEPARATED = 2, /* culled by a separating plane up to valid_until */
  WEFT__CLUSTERS_CLOSE = 3,     /* pairs complete until one cluster leaves its safety margin */
} weft__cluster_pair_kind;

/* 32 bytes, two in a cache line: all are read in each pass. */
typedef struct weft__cluster_pair {
  uint32_t other; /* cluster */
  uint32_t first_pair;
  uint16_t pair_count;
  uint16_t pair_capacity;  /* from first_pair on */
  uint32_t search_id;      /* broad phase that found it; void if a cluster was searched since */
  float valid_until;       /* metres: lowest of its feature pairs, or of the separating plane */
  float pairs_valid_until; /* metres: the list of its feature pairs is complete up to here */
  uint8_t region;          /* index of the flat region of its cluster, or WEFT__NO_REGION */
  uint8_t kind;            /* weft__cluster_pair_kind */
  bool needs_pairs;        /* feature pairs have to be searched */
  uint8_t unused;          /* 0: see weft__archive_value() */
} weft__cluster_pair;

#define WEFT__NO_REGION 0xffu

/* Cluster pairs of a cluster: contiguous, so that they are prefetched. */
typedef struct weft__cluster_pair_list {
  uint32_t first, count; /* in weft__ccd_pairs.cluster_pair */
  uint32_t capacity;     /* from `first` on */
  uint32_t pair_demand;  /* feature pairs found, with or without memory for them */
  uint32_t test_count;   /* pair tests less refunds: fill of the leaky bucket */
  uint32_t max_tests;    /* fill beyond which it is over budget in this pass */
  uint32_t hit_count;
  uint32_t first_hit;
  uint8_t budget_halvings;
  bool is_draining;     /* went over budget; tests nothing while it refills */
  bool is_dropped;      /* no memory for its feature pairs */
  bool has_uncertified; /* adjacent pairs that are not certified flat */
  bool needs_pairs;     /* cluster pairs of it do */
  uint8_t unused[3];    /* 0: see weft__archive_value() */
} weft__cluster_pair_list;

typedef struct weft__ccd_pairs {
  weft__ccd_pair* pair;             /* [pair_capacity] */
  weft__cluster_pair* cluster_pair; /* by cluster pair [cluster_pair_limit at least] */
  uint32_t* other;                  /* `other` of these, for rounds that change few [the same] */
  uint32_t pair_capacity, cluster_pair_capacity;
  uint32_t pair_limit, cluster_pair_limit; /* usable part of the capacity */
  /* Bump allocators of all workers: relaxed, as addresses do not show in results. */
  _Atomic uint64_t pair_count;
  _Atomic uint64_t cluster_pair_count;
  size_t bytes;
} weft__ccd_pairs;

/* Sets the limit of feature pairs, between `clusters` clusters of faces. False when out of memory,
 * and nothing changes; a limit that was granted once can always be granted again. */
bool weft__ccd_pairs_reserve(weft__ccd_pairs* pairs, uint32_t pair_limit, uint32_t clusters);
void weft__ccd_pairs_destroy(weft__ccd_pairs* pairs);

/* Truncates a list to its first `kept` cluster pairs, or to none if it has fewer. Keeps its
 * capacity. */
void weft__ccd_pairs_truncate(const weft__ccd_pairs* pairs, weft__cluster_pair_list* list,
                              uint32_t kept);

/* Empties a list whose memory is released. */
void weft__ccd_pairs_empty(weft__cluster_pair_list* list);

/* Appends a cluster pair without feature pairs. On overflow cluster_pair_count exceeds
 * cluster_pair_limit. */
void weft__ccd_pairs_append(weft__ccd_pairs* pairs, weft__cluster_pair_list* list,
                            const weft__cluster_pair* cluster_pair);

/* Removes a cluster pair: swaps it with the last one, so that the slot keeps its memory for feature
 * pairs. */
void weft__ccd_pairs_remove(const weft__ccd_pairs* pairs, weft__cluster_pair_list* list,
                            weft__cluster_pair* cluster_pair);

typedef struct weft__cluster_pairs {
  weft__cluster_pair *begin, *end;
} weft__cluster_pairs;

static inline weft__cluster_pairs weft__cluster_pairs_of(const weft__ccd_pairs* pairs,
                                                         const weft__cluster_pair_list* list) {
  weft__cluster_pair* begin = pairs->cluster_pair + list->first;
  return (weft__cluster_pairs){begin, begin + list->count};
}

/* Stores the feature pairs of a cluster pair; those without memory are counted as well. */
void weft__ccd_pairs_fill(weft__ccd_pairs* pairs, weft__cluster_pair_list* list,
                          weft__cluster_pair* cluster_pair, const weft__ccd_pair* pair,
                          uint32_t count);

#endif
