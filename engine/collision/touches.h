/* Contact notes of one worker in a step, and the merge of all lists: collision/event_log.h. */
#ifndef WEFT_COLLISION_TOUCHES_H
#define WEFT_COLLISION_TOUCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fixed.h"
#include "base/memory.h"

typedef struct weft__contact_place {
  float normal[3]; /* from `other` */
  float point[3];  /* metres, on the particle's surface */
} weft__contact_place;

/* Contact of a pair in a step. */
typedef struct weft__touch {
  weft__fixed impulse[3];        /* newton seconds on the particle */
  weft__fixed normal_impulse[3]; /* part along the normal of each note */
  uint64_t pair;                 /* particle << 32 | (`other` is a particle) << 31 | other */
  uint32_t generation;           /* 0: `other` is a particle */
  weft__contact_place place;     /* in the last substep with contact */
  uint32_t substep;              /* last with contact */
  uint32_t note_count;
} weft__touch;

/* Newton seconds: along a unit normal, and friction. */
typedef struct weft__touch_impulse {
  float along;     /* the normal */
  float normal[3]; /* mean of the notes by impulse; of the place where these cancel */
  float friction[3];
} weft__touch_impulse;

static inline uint64_t weft__pair_of(uint32_t particle, uint32_t other, bool is_collider) {
  return (uint64_t)particle << 32 | (is_collider ? 0u : 1u << 31) | other;
}

typedef struct weft__touch_list {
  _Alignas(WEFT__CACHE_LINE) weft__touch* touches; /* one worker writes [2 x max_count] */
  uint32_t max_count;                              /* kept when the list is full, and at the end */
  uint32_t count;                                  /* ascending by pair and unique once settled */
  uint64_t note_count;
} weft__touch_list;

/* False if out of memory. */
bool weft__touch_list_create(weft__touch_list* list, uint32_t max_count);
void weft__touch_list_destroy(weft__touch_list* list);
size_t weft__touch_list_bytes(const weft__touch_list* list);

/* Adds a note with an impulse on the particle, newton seconds. */
void weft__touch_list_add(weft__touch_list* list, uint64_t pair, uint32_t generation,
                          uint32_t substep, weft__vec3 impulse, const weft__contact_place* place);

/* Sorts, merges notes of a pair, and drops touches beyond `max_count`. */
void weft__touch_list_settle(weft__touch_list* list);

void weft__touch_list_clear(weft__touch_list* list);

weft__touch_impulse weft__touch_impulse_of(const weft__touch* touch);

typedef struct weft__touch_merge {
  const weft__touch_list* lists; /* [list_count] */
  uint32_t* heap;                /* min-heap of lists with touches left [count] */
  uint32_t* next;                /* [list_count] */
  uint32_t count;
} weft__touch_merge;

/* Begins a merge; `heap` and `next` are scratch [list_count]. */
weft__touch_merge weft__touch_merge_begin(const weft__touch_list* lists, uint32_t list_count,
                                          uint32_t* heap, uint32_t* next);

/* Pairs ascend, merged over all lists. False at the end. */
bool weft__touch_merge_next(weft__touch_merge* merge, weft__touch* touch);

#endif
