/* The workers that take a stage: all, or one of them by itself where there is little to do. */
#ifndef WEFT_IMPULSES_TEAM_H
#define WEFT_IMPULSES_TEAM_H

#include "contact/stage.h"

typedef struct weft__team {
  weft__worker_pool* pool; /* NULL = one by itself */
  uint32_t worker, count;
} weft__team;

static inline void weft__team_meet(const weft__team* team) {
  if (team->pool != NULL) weft__worker_pool_meet(team->pool);
}

/* What one of the team does of so many. */
static inline weft__range weft__team_share(const weft__team* team, uint32_t count) {
  return weft__share(count, team->worker, team->count);
}

#endif
