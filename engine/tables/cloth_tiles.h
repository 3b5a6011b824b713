/* Cloth as its contacts see it: particles in tiles of 16 that lie side by side, lanes of one vector or of a few.
 *
 *   place     16 x tile + lane: where a particle stands. All particles of the world have one; some lanes are empty
 *   row       one particle by its place, and the lanes of a tile that it is near: 16 pairs are looked at together
 *   box       around the spheres of a tile; 16 boxes in a row have a box of the level above around them, and so on
 *   slot      one particle for each lane of a tile: the k-th slot has the k-th that a lane touches
 *   record    four floats of a place, side by side, as others read them who touch it
 *
 * Few lanes of a row touch, so what touches is put together in slots: these are as many as the lane has contacts that
 * has the most. Both ends of a pair have it in a row of theirs, and each lane gathers what it touches in the order of
 * its rows: so nothing is written by two, and all widths of vectors give the same bits.
 *
 * Lanes that are no cloth have a radius that is no number: it is near nothing, and in no box. */
#ifndef WEFT_TABLES_CLOTH_TILES_H
#define WEFT_TABLES_CLOTH_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT__TILE 16u
/* 16^8 boxes are more than there can be */
#define WEFT__TILE_LEVELS 8u

typedef struct weft__tile_row {
  uint32_t place;
  uint32_t lanes; /* a bit for each lane of the tile that lists it */
} weft__tile_row;

/* What of a row touches: a bit for each lane. */
typedef struct weft__tile_touch {
  uint16_t lanes;
  uint16_t left; /* those that are in no slot */
} weft__tile_touch;

/* Which lanes of one tile are kin to those of another one. */
typedef struct weft__tile_exclusions {
  uint32_t tile;
  uint16_t lanes[WEFT__TILE]; /* bits, for each lane of `tile` */
} weft__tile_exclusions;

/* Boxes of all levels, each level's padded to whole groups of 16. */
typedef struct weft__tile_boxes {
  float* least[3];
  float* most[3];
  uint32_t first[WEFT__TILE_LEVELS + 1]; /* of each level */
  uint32_t count[WEFT__TILE_LEVELS];
  uint32_t level_count;
} weft__tile_boxes;

/* More than that for a lane are left in rows. */
#define WEFT__TILE_SLOTS 8u

typedef struct weft__tile_slots {
  uint32_t at[WEFT__TILE_SLOTS][WEFT__TILE]; /* twice the place; its own where a lane has none */
  uint16_t lanes[WEFT__TILE_SLOTS];          /* bits: which have one */
  uint16_t count;
  bool is_good;  /* the lanes of `touches` are those of these rows */
  bool has_left; /* there are lanes that are left */
} weft__tile_slots;

/* What a round reads of others, in records: it writes the next one. */
typedef struct weft__tile_turn {
  float*
      seen; /* where others see a particle, see collision/self/solve.h, and its radius, 0 = none */
  float*
      start; /* where it was when the substep began, and 1/mass times how many contacts it counts for */
} weft__tile_turn;

typedef struct weft__self_tiles {
  uint32_t tile_count;
  weft__tile_boxes boxes;
  weft__tile_boxes
      ways; /* the boxes around by how much lanes have moved since the lists were made */

  /* for each place */
  float* at[3];    /* metres */
  float* built[3]; /* where it was when the lists were made */
  float* radius;
  float* inv_mass;
  float* hold_most;  /* metres that it is pushed by what holds it */
  float* give;       /* next substep's factor of pushes out of old overlaps, 0 to 1 */
  float* pushed;     /* metres along normals, out of old overlaps in this substep */
  float* carried[3]; /* the part of the next one's that contacts find */
  float* left[3];    /* where contacts have left it */

  /* for each place, in records */
  weft__tile_turn turns[2];
  float*
      hold; /* which way what holds it pushes, of length 1 or 0, and the least cosine to that by which it is held */
  float*
      rub; /* coefficients of friction, static and dynamic, squared, how many it counts for by how many it has,
              and this substep's factor of pushes out of old overlaps */

  /* for each tile */
  uint32_t* exclusion_first;         /* [tile_count + 1] */
  weft__tile_exclusions* exclusions; /* ascending for each tile; its own among them */
  uint32_t* row_first;               /* in rows */
  uint32_t* row_count;
  uint32_t* slot_count; /* 0 where nothing touches */
  weft__tile_slots* slots;
  weft__tile_row* rows;
  weft__tile_touch* touches; /* of each row */
} weft__self_tiles;

/* What a tile's list is put into, behind what is there. */
typedef struct weft__tile_list {
  weft__tile_row* rows;
  uint32_t capacity;
  uint32_t count;
  uint32_t end;        /* of tiles that are listed: all others are left out */
  const uint8_t* only; /* those of 1 are listed, NULL = all */
  uint64_t pairs;      /* with tiles before this one, and within it */
  uint64_t lost;       /* pairs, at this end */
} weft__tile_list;

/* What all of one round go by. */
typedef struct weft__tile_round {
  const weft__tile_turn* now;
  const weft__tile_turn* next;
  float push;       /* the most by which old overlaps get less, as a share of the radii */
  float fade, grow; /* factors of a substep on what pushes count for: undone, or not */
  bool is_first, is_last;
  const float* more; /* what else moves the lanes of this tile: nine columns of 16, or NULL */
} weft__tile_round;

#endif
