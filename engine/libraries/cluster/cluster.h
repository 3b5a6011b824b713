/* A rank's part of a cluster: its world, its domain, its exchanges. Collective functions are called
 * on all ranks, and fail on all if one is out of memory. */
#ifndef WEFT_LIBRARIES_CLUSTER_CLUSTER_H
#define WEFT_LIBRARIES_CLUSTER_CLUSTER_H

#include "libraries/cluster/anchors.h"
#include "libraries/cluster/columns.h"
#include "libraries/cluster/coupled.h"
#include "libraries/cluster/ghosts.h"
#include "libraries/cluster/halo.h"
#include "modules/bending/lines.h"
#include "modules/bending/plates.h"
#include "world/world.h"

/* Cloth or a level, among ranks; NULL on levels that every rank has. */
typedef struct weft__division {
  uint32_t* first_patch;    /* and the end [rank_count + 1] */
  uint32_t* first_particle; /* solver order, and the end [rank_count + 1] */
} weft__division;

static inline uint32_t weft__division_rank(const weft__division* division, uint32_t particle) {
  return weft__rank_at(division->first_particle, particle);
}

/* Core, stages, colours of bend lines, and levels: followers of particles restricted here, parents
 * of own finer particles, origins of own finer links. */
#define WEFT__MAX_HALOS (5 + WEFT__STAGE_COUNT + WEFT__LINE_COLORS + 3 * WEFT__MAX_LEVELS)

/* See cluster/redistribute.h. */
typedef struct weft__balance {
  uint32_t count;
  double before, after; /* imbalance at the last one; 0: none yet */
} weft__balance;

struct weft_cluster {
  weft_world* world;
  uint64_t fingerprint;      /* the whole scene's */
  bool is_strip;             /* some rows of a sheet: cluster/strips.h */
  uint64_t first_particle;   /* the world's, in the caller's order of all; 0 unless a strip */
  uint32_t complete_patches; /* patches below this number have all of their links */
  bool is_bodies;            /* some of the bodies: cluster/bodies.h */
  weft__range bodies_of_rank;
  uint32_t* first_row;    /* the sheet's, by rank, and the end; or NULL */
  uint32_t sheet_columns; /* a strip's */
  weft_scene* part;
  weft__strip_anchors* anchors; /* or NULL */
  weft__strip_columns* columns; /* or NULL */
  uint64_t sum_of_links;        /* links that act after the last step of a strip */
  weft__mailbox mailbox;
  weft__border border;
  weft__channel common;
  weft__channel torn;
  weft__channel all;
  weft__channel state; /* synchronization */
  weft__domain domain;
  weft__division cloth;
  weft__division coarse[WEFT__MAX_LEVELS];
  weft__stage_halo halos[WEFT__MAX_HALOS]; /* [halo_count] */
  uint32_t halo_count;
  weft__stage_halo joints;                  /* changes with them */
  uint8_t* is_restricted[WEFT__MAX_LEVELS]; /* particles of a level; NULL: all */
  uint32_t* restricted[WEFT__MAX_LEVELS];   /* their runs */
  uint32_t restricted_count[WEFT__MAX_LEVELS];
  uint8_t* solves_lines;
  unsigned char* packed;           /* own rows, as sent to all */
  size_t packed_bytes;             /* capacity */
  bool has_positions;              /* all ranks' are known, since the last step */
  uint32_t has_tables;             /* contact stages with equal tables on all ranks, a bit each */
  const weft__ghost_level* ghosts; /* the cloth's */
  weft__words own_torn;            /* slots, in this substep */
  weft__balance balance;
  uint64_t steps;
  weft__traffic other; /* creation, synchronization, redistribution */
};

static inline uint32_t weft__own_rank(const weft_cluster* cluster) {
  return cluster->mailbox.transport.rank;
}

static inline uint32_t weft__rank_count(const weft_cluster* cluster) {
  return cluster->mailbox.transport.rank_count;
}

/* first: by rank, and the end */
static inline weft__range weft__own_range(const weft_cluster* cluster, const uint32_t* first) {
  return weft__rank_range(first, weft__own_rank(cluster));
}

/* Lists of rows that a stage reads, NULL if this rank reads and gives none. */
weft__stage_halo* weft__cluster_halo(weft_cluster* cluster, const weft__halo_rows* rows,
                                     uint32_t index);

/* Each rank has a part of a level; else all of it. */
static inline bool weft__cluster_divides(const weft_cluster* cluster, uint32_t level) {
  return cluster->coarse[level].first_patch != NULL;
}

/* Between ranks. created: this rank's result */
weft_result weft__cluster_compare(weft_cluster* cluster, const weft_world_def* def,
                                  weft_result created);

/* Fails, with the name, on a feature that clusters lack. */
weft_result weft__cluster_check(const weft_world* world);

/* Tables that contact stages have made of positions: if a rank lacked positions of others, all get
 * WEFT_ERROR_STALE. Collective. */
weft_result weft__cluster_compare_tables(weft_cluster* cluster);

/* Divides the world, and makes the lists of exchanges. first_patch: by rank, and the end
 * [rank_count + 1]; NULL: ranges of equal cost. Collective. */
bool weft__cluster_divide(weft_cluster* cluster, const uint32_t* first_patch);

void weft__cluster_apply(weft_cluster* cluster);

/* `to` has none. */
void weft__cluster_move_division(weft_cluster* to, weft_cluster* from);
void weft__cluster_destroy_division(weft_cluster* cluster);

void weft__cluster_destroy_lists(weft_cluster* cluster);

#endif
