/* The workers that take a stage: all, or one of them by itself where there is little to do. */
#ifndef WEFT_COLLISION_PARTICLES_TEAM_H
#define WEFT_COLLISION_PARTICLES_TEAM_H

#include <stdatomic.h>
#include <string.h>

#include "collision/stage.h"

typedef struct weft__team {
  weft__worker_pool* pool; /* NULL = one by itself */
  uint32_t worker, count;
} weft__team;

#define weft__team_meet(team) (void)weft__team_wait(team, NULL, NULL, WEFT__PLACE)

/* Collective decision of a team: see parallel/gate.h. */
#define weft__team_decide(team, completion, context) \
  weft__team_wait(team, completion, context, WEFT__PLACE)

static inline uint32_t weft__team_wait(const weft__team* team, weft__completion* completion,
                                       void* context, const char* place) {
  if (team->pool != NULL) return weft__worker_pool_wait(team->pool, completion, context, place);
  return completion != NULL ? completion(context) : 0;
}

/* What one of the team does of so many. */
static inline weft__range weft__team_share(const weft__team* team, uint32_t count) {
  return weft__share(count, team->worker, team->count);
}

/* Raises a number that all of a team share, as its bits, to one that is not negative: those are in the order of their
 * bits. Relaxed: the team meets before anybody asks for it. */
static inline void weft__raise(_Atomic uint32_t* shared, float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  uint32_t now = atomic_load_explicit(shared, memory_order_relaxed);
  while (bits > now && !atomic_compare_exchange_weak_explicit(
                           shared, &now, bits, memory_order_relaxed, memory_order_relaxed)) {
  }
}

/* The number behind the bits of a raised one. */
static inline float weft__raised(uint32_t bits) {
  float value = 0.0f;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

#endif
