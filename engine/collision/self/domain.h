/* Tiles that this process solves, in a world that several compute: see step/domain.h. Each has the
 * tables of all tiles. Only own tiles are listed; decisions about lists consider all tiles. */
#ifndef WEFT_COLLISION_SELF_DOMAIN_H
#define WEFT_COLLISION_SELF_DOMAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/range.h"

/* Data of other processes that a stage reads. */
typedef enum weft__self_exchange {
  WEFT__SELF_EXTENTS,   /* AABB of the displacements, into the first of the extents */
  WEFT__SELF_POSITIONS, /* all tiles', where lists may be out of date */
  WEFT__SELF_STALE,     /* stale tiles, of all */
  WEFT__SELF_COUNTS,    /* rows and pairs of all tiles, where they exceed the capacity */
  WEFT__SELF_LISTS,     /* particles in own rows: renewed, read by the following */
  WEFT__SELF_NORMALS,   /* positions of the corners of faces of own particles */
  WEFT__SELF_PREPARED,  /* records before the first round */
  WEFT__SELF_WEIGHED,   /* contact counts */
  WEFT__SELF_ROUND,     /* records that a round has written; `index`: which of both */
} weft__self_exchange;

typedef struct weft__self_domain {
  weft__range tiles; /* own */
  void* context;
  void (*exchange)(void* context, weft__self_exchange kind, uint32_t index);
  /* Replaces numbers by their sums over all processes. */
  void (*sum)(void* context, uint64_t* numbers, uint32_t count);
} weft__self_domain;

static inline void weft__self_share(const weft__self_domain* domain, weft__self_exchange kind,
                                    uint32_t index) {
  if (domain != NULL) domain->exchange(domain->context, kind, index);
}

static inline void weft__self_sum(const weft__self_domain* domain, uint64_t* numbers,
                                  uint32_t count) {
  if (domain != NULL) domain->sum(domain->context, numbers, count);
}

#endif
