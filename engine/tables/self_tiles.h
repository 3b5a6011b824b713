/* Cloth for self-collision: particles in tiles of 16 consecutive ones, the lanes of one or a few
 * vectors.
 *
 *   place     16 x tile + lane: column index of a particle. Every particle of the world has one;
 *             some lanes are empty
 *   row       one particle by its place, and the lanes of a tile that it is near: 16 pairs tested
 *             at once
 *   box       AABB of a tile's spheres; 16 consecutive boxes have a box on the next level, etc.
 *   slot      one neighbour for each lane of a tile: slot k holds each lane's k-th contact
 *   record    four consecutive floats of a place, as neighbours read them
 *
 * Few lanes of a row overlap, so contacts are packed into slots, as many as the busiest lane has
 * contacts. Both ends of a pair list it, and each lane gathers its contacts in the order of its
 * rows: no data has two writers, and all vector widths give the same bits.
 *
 * Empty lanes have a NaN radius: they are near nothing and in no box. */
#ifndef WEFT_TABLES_SELF_TILES_H
#define WEFT_TABLES_SELF_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/range.h"

#define WEFT__TILE 16u
#define WEFT__TILE_LEVELS 8u

static inline uint32_t weft__tiles_of(uint32_t particle_count) {
  return (particle_count + WEFT__TILE - 1) / WEFT__TILE;
}

typedef struct weft__tile_row {
  uint32_t place;
  uint32_t lanes; /* lanes of the tile that list it */
} weft__tile_row;

typedef struct weft__tile_overlap {
  uint16_t lanes;
  uint16_t left; /* without a slot */
} weft__tile_overlap;

typedef struct weft__tile_exclusions {
  uint32_t tile;
  uint16_t lanes[WEFT__TILE];
} weft__tile_exclusions;

/* Each level padded to whole groups of 16. */
typedef struct weft__tile_boxes {
  float* lower[3];
  float* upper[3];
  uint32_t first[WEFT__TILE_LEVELS + 1];
  uint32_t count[WEFT__TILE_LEVELS];
  uint32_t level_count;
} weft__tile_boxes;

/* Further contacts of a lane stay in rows. */
#define WEFT__TILE_SLOTS 16u

typedef struct weft__tile_slots {
  uint16_t count;
  bool is_good;                     /* `touches` belongs to the current rows */
  bool has_left;                    /* some lanes had no free slot */
  uint16_t lanes[WEFT__TILE_SLOTS]; /* lanes with a neighbour */
  uint32_t padding[7];
  /* twice the place; a lane's own without a neighbour */
  uint32_t at[WEFT__TILE_SLOTS][WEFT__TILE];
} weft__tile_slots;
_Static_assert(sizeof(weft__tile_slots) == (WEFT__TILE_SLOTS + 1) * 64, "whole cache lines");

/* Input of a round, which writes the next one's. */
typedef struct weft__tile_state {
  float* seen; /* predicted position (collision/self/solve.h) and radius, 0: none */
  /* position at the start of the substep; 1/mass times the contact count of mass splitting */
  float* start;
} weft__tile_state;

typedef struct weft__self_tiles {
  uint32_t tile_count;
  uint32_t box_count; /* all levels, padded */
  weft__tile_boxes boxes;
  /* bounds of lanes' displacements since the lists were built */
  weft__tile_boxes displacements;
  float max_range; /* metres: largest range of surface contacts in use, 0: none */
  float margin;    /* metres beyond the sum of radii */
  bool has_near;   /* pairs of a body may be nearer at rest than their radii */

  /* by place */
  float* at[3]; /* metres */
  float* listed_pos[3];
  float* radius;
  /* its faces' points from their nearest corner, largest, with a margin */
  float* range;
  float* inv_mass;
  /* for pushes out of old overlaps in the next substep, 0 to 1 */
  float* relaxation;
  float* pushed;     /* metres along normals, out of old overlaps in this substep */
  float* carried[3]; /* share of the next support that contacts provide */
  float* left[3];    /* position after the last contact solve */

  /* by place, in records */
  weft__tile_state turns[2];
  /* direction in which its support pushes, unit or 0, and metres pushed in the last substep */
  float* support;
  /* position at rest, and the number of its body: particles that links join */
  float* rest;
  /* unit normal of a particle with surface contacts, and its range; 0 without */
  float* surface;
  /* static and dynamic friction, squared; contact weight over contact count; relaxation of this
   * substep's pushes out of old overlaps */
  float* friction;

  /* by tile */
  uint32_t* exclusion_first;         /* [tile_count + 1] */
  weft__tile_exclusions* exclusions; /* ascending in each tile, its own included */
  uint32_t* row_first;               /* in rows */
  uint32_t* row_count;
  uint32_t* slot_count; /* 0: nothing overlaps */
  weft__tile_slots* slots;
  weft__tile_row* rows;
  weft__tile_overlap* touches; /* by row */
} weft__self_tiles;

/* Work limit in dense places: further tiles are dropped and counted as lost. */
#define WEFT__MAX_NEAR_TILES 256u
/* The vector that exceeds the limit, and sorting. */
#define WEFT__NEAR_TILE_ROOM (2u * WEFT__MAX_NEAR_TILES + 2u * WEFT__TILE)

typedef struct weft__near_tiles {
  uint32_t count; /* padded to whole vectors with NaN boxes */
  uint32_t tile[WEFT__NEAR_TILE_ROOM];
  float lower[3][WEFT__NEAR_TILE_ROOM], upper[3][WEFT__NEAR_TILE_ROOM]; /* metres */
} weft__near_tiles;

typedef struct weft__near_search {
  weft__range own;     /* consecutive tiles */
  weft__range others;  /* candidates */
  const uint8_t* only; /* tiles marked 1, NULL: all */
  float margin;        /* metres beyond the boxes */
} weft__near_search;

typedef struct weft__tile_list {
  weft__tile_row* rows;
  uint32_t capacity;
  uint32_t count;
  uint64_t pairs;
  uint64_t lost; /* dropped pairs, counted at this end */
} weft__tile_list;

/* At least, between a push and the support against it. */
#define WEFT__MIN_SUPPORT_COSINE 0.32f

typedef struct weft__tile_round {
  const weft__tile_state* now;
  const weft__tile_state* next;
  float push;       /* largest reduction of old overlaps, over the radii */
  float fade, grow; /* relaxation factors a substep: push undone by links, or not */
  bool is_first, is_last;
  const float* more; /* external displacements of lanes: nine columns of 16, or NULL */
} weft__tile_round;

/* The last round leaves the start of the substep as stored. */
static inline bool weft__tile_round_keeps_start(const weft__tile_round* round) {
  return round->is_last && !round->is_first && round->more == NULL;
}

#endif
