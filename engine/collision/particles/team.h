/* Workers of a stage: all of them, or one alone if there is little work. */
#ifndef WEFT_COLLISION_PARTICLES_TEAM_H
#define WEFT_COLLISION_PARTICLES_TEAM_H

#include <stdatomic.h>
#include <string.h>

#include "collision/stage.h"

typedef struct weft__team {
  weft__worker_pool* pool; /* NULL = one worker */
  uint32_t worker, count;
} weft__team;

#define weft__team_barrier(team) (void)weft__team_wait(team, NULL, NULL, WEFT__CALL_SITE)

/* Collective decision of a team: see parallel/barrier.h. */
#define weft__team_decide(team, completion, context) \
  weft__team_wait(team, completion, context, WEFT__CALL_SITE)

static inline uint32_t weft__team_wait(const weft__team* team, weft__completion* completion,
                                       void* context, const char* place) {
  if (team->pool != NULL) return weft__worker_pool_wait(team->pool, completion, context, place);
  return completion != NULL ? completion(context) : 0;
}

/* Range of `count` items that this worker processes. */
static inline weft__range weft__team_share(const weft__team* team, uint32_t count) {
  return weft__share(count, team->worker, team->count);
}

/* Atomic maximum of non-negative floats, stored as bits: their order is that of the values.
 * Relaxed: a barrier precedes every read. */
static inline void weft__atomic_max(_Atomic uint32_t* shared, float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  uint32_t current = atomic_load_explicit(shared, memory_order_relaxed);
  while (bits > current &&
         !atomic_compare_exchange_weak_explicit(shared, &current, bits, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}

/* Float with these bits. */
static inline float weft__float_from_bits(uint32_t bits) {
  float value = 0.0f;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

#endif
