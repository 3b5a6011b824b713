/* Rate groups: bodies that are solved with the same substeps, sweeps and levels. Links join no two
 * groups, and no patch has particles of two. */
#ifndef WEFT_TABLES_RATE_GROUPS_H
#define WEFT_TABLES_RATE_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#define WEFT__MAX_RATE_GROUPS 16u

/* Adaption to strain and motion, of substeps in steps without contacts: see modules/multirate. */
typedef enum weft__adaption {
  WEFT__ADAPT_NOT,
  WEFT__ADAPT_LOOSE,
  WEFT__ADAPT_HUNG,
  WEFT__ADAPT_HUNG_ON_LEVELS,
  WEFT__ADAPT_TREES, /* by motion only: all links are solved directly */
} weft__adaption;

typedef struct weft__rate_group {
  uint32_t substeps;   /* of a step, at least 1: if adaptive, the most */
  uint32_t iterations; /* sweeps of each */
  bool on_levels;      /* in steps with contacts, and unless adaptive in all */
  bool sweeps_adapt;   /* up to four times as many, where these leave strain */
  weft__adaption adaption;
} weft__rate_group;

typedef struct weft__rate_groups {
  weft__rate_group of[WEFT__MAX_RATE_GROUPS];
  uint32_t count;
} weft__rate_groups;

static inline bool weft__rate_group_adapts(const weft__rate_group* group) {
  return group->adaption != WEFT__ADAPT_NOT || group->sweeps_adapt;
}

/* Substeps of the group with most. */
static inline uint32_t weft__most_demanding(const weft__rate_groups* groups) {
  uint32_t most = 0;
  for (uint32_t g = 0; g < groups->count; ++g)
    if (groups->of[g].substeps > most) most = groups->of[g].substeps;
  return most;
}

#endif
