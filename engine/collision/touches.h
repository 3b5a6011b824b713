/* The list that a worker writes its notes of a step into, and the merging of all of them: see collision/event_log.h. */
#ifndef WEFT_COLLISION_TOUCHES_H
#define WEFT_COLLISION_TOUCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* A fixed-point number: newton seconds times 2^80. Impulses of single precision fit exactly unless they are below
 * 2^-56, and so does the sum of all substeps. */
__extension__ typedef __int128 weft__fixed;

/* Two that touched in a step. */
typedef struct weft__touch {
  weft__fixed impulse; /* of all substeps */
  uint64_t pair;       /* particle << 32 | (`other` is a particle) << 31 | other */
  float normal[3];     /* in the last substep that they touched in */
  uint32_t substep;    /* that one */
  uint32_t note_count; /* in it */
} weft__touch;

static inline uint64_t weft__pair_of(uint32_t particle, uint32_t other, bool is_collider) {
  return (uint64_t)particle << 32 | (is_collider ? 0u : 1u << 31) | other;
}

typedef struct weft__touch_list {
  /* each worker writes its own: on a cache line of its own */
  _Alignas(WEFT__CACHE_LINE) weft__touch* touches; /* [2 x most] */
  uint32_t most;       /* that are left of them when it is full, and at the end */
  uint32_t count;      /* ascending by pair, and each pair once, where it is settled */
  uint32_t substep;    /* the last one that was noted */
  uint64_t note_count; /* in it */
} weft__touch_list;

/* False when memory cannot be had. */
bool weft__touch_list_create(weft__touch_list* list, uint32_t most);
void weft__touch_list_destroy(weft__touch_list* list);
size_t weft__touch_list_bytes(const weft__touch_list* list);

/* Adds a note, whose substep is none before the last one's. */
void weft__touch_list_add(weft__touch_list* list, uint64_t pair, uint32_t substep, float impulse,
                          const float normal[3]);

/* Sorts the list, makes one of those of the same pair, and drops what is above `most`. */
void weft__touch_list_settle(weft__touch_list* list);

void weft__touch_list_clear(weft__touch_list* list);

/* Newton seconds of it. */
float weft__touch_impulse(const weft__touch* touch);

/* Settled lists, read together. */
typedef struct weft__touch_merge {
  const weft__touch_list* lists; /* [..] */
  uint32_t* heap;                /* lists that have touches left, the least of them first [count] */
  uint32_t* next;                /* the next touch of each list */
  uint32_t count;
} weft__touch_merge;

/* heap and next have room for [list_count]. */
weft__touch_merge weft__touch_merge_begin(const weft__touch_list* lists, uint32_t list_count,
                                          uint32_t* heap, uint32_t* next);

/* The next pair, in ascending order, with what all lists know of it. False at the end. */
bool weft__touch_merge_next(weft__touch_merge* merge, weft__touch* touch);

#endif
