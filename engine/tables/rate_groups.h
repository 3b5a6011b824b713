/* Rate groups: bodies that are solved with as many substeps and sweeps as each other. Links join no
 * two groups, and no patch has particles of two. */
#ifndef WEFT_TABLES_RATE_GROUPS_H
#define WEFT_TABLES_RATE_GROUPS_H

#include <stdint.h>

#define WEFT__MAX_RATE_GROUPS 8u

typedef struct weft__rate_group {
  uint32_t substeps;   /* of a step, at least 1 */
  uint32_t iterations; /* sweeps of each */
} weft__rate_group;

typedef struct weft__rate_groups {
  weft__rate_group of[WEFT__MAX_RATE_GROUPS];
  uint32_t count;
} weft__rate_groups;

/* Substeps of the group with most. */
static inline uint32_t weft__most_demanding(const weft__rate_groups* groups) {
  uint32_t most = 0;
  for (uint32_t g = 0; g < groups->count; ++g)
    if (groups->of[g].substeps > most) most = groups->of[g].substeps;
  return most;
}

#endif
