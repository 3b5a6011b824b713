/* Reserved particles: room for particles that come and go while a world runs.
 *
 * A free slot is a removed particle: pinned, without contacts, left out of measures, queries and
 * the hash. Free slots are a stack. Particles of the scene proper have generation 1. */
#ifndef WEFT_TABLES_RESERVE_H
#define WEFT_TABLES_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/columns.h"

/* End of the list; slots outside of it. */
#define WEFT__RESERVE_END UINT32_MAX
#define WEFT__RESERVE_NEVER (UINT32_MAX - 1)

typedef struct weft__reserve {
  uint32_t particle_count; /* 0: no reserved particles */
  /* see base/slot.h; by the caller's number, NULL if none is reserved [particle_count] */
  uint32_t* generation;
  uint32_t* next_free; /* WEFT__RESERVE_NEVER: not reserved [particle_count] */
  uint32_t first_free;
  uint32_t free_count;
  void* block;
  size_t bytes;
} weft__reserve;

/* From a world's creation on, or never. */
extern const weft__table weft__reserve_table;

bool weft__reserve_create(weft__reserve* reserve, uint32_t particle_count);
void weft__reserve_destroy(weft__reserve* reserve);

/* Particles not in use, to the front of the list, the first one first. */
void weft__reserve_add(weft__reserve* reserve, uint32_t first, uint32_t count);

uint32_t weft__reserve_take(weft__reserve* reserve);

void weft__reserve_release(weft__reserve* reserve, uint32_t user);

static inline bool weft__reserve_has(const weft__reserve* reserve, uint32_t user) {
  return reserve->generation != NULL && reserve->next_free[user] != WEFT__RESERVE_NEVER;
}

static inline uint32_t weft__reserve_generation(const weft__reserve* reserve, uint32_t user) {
  return reserve->generation == NULL ? 1 : reserve->generation[user];
}

static inline bool weft__reserve_is_free(const weft__reserve* reserve, uint32_t user) {
  return weft__reserve_generation(reserve, user) % 2 == 0;
}

#endif
