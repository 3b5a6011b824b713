/* Cloth for self-collision: particles in tiles of 16 consecutive ones, the lanes of one or a few
 * vectors.
 *
 *   place     16 x tile + lane: column index of a particle. Every particle of the world has one;
 *             some lanes are empty
 *   near row  one particle by its place, and the lanes of a tile that it is near: 16 pairs tested
 *             at once
 *   box       AABB of a tile's spheres; 16 consecutive boxes have a box on the next level, etc.
 *   record    four consecutive floats of a place, as contacts read them
 *   block     contacts between two tiles
 *   contact   a pair of places, with its impulses so far
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

/* Lanes of a tile that a row overlaps; the contacts of a tile with another one are consecutive. */
typedef struct weft__tile_overlap {
  uint16_t row;   /* of the tile */
  uint16_t lanes; /* not 0 */
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

typedef struct weft__self_tiles {
  uint32_t tile_count;
  uint32_t box_count; /* all levels, padded */
  weft__tile_boxes boxes;
  /* bounds of lanes' displacements since the lists were built */
  weft__tile_boxes displacements;
  float max_range; /* metres: largest range of surface contacts in use, 0: none */
  float margin;    /* metres beyond the sum of radii, largest */
  bool has_near;   /* pairs of a body may be nearer at rest than their radii */

  /* by place */
  float* at[3]; /* metres */
  float* listed_pos[3];
  float* radius;
  /* its faces' points from their nearest corner, largest, with a margin */
  float* range;

  /* by place, in records */
  float* now;    /* position and radius, 0: none */
  float* start;  /* position at the start of the substep, and inverse mass */
  float* anchor; /* position at the start of the step; unused */
  /* position at rest, and the number of its body: particles that links join */
  float* rest;
  /* unit normal of a particle with surface contacts, and its range, negative at a border; 0
   * without */
  float* surface;
  /* static and dynamic friction, squared; unused; largest push out of old overlap in a
   * substep, metres; negative: without velocity */
  float* friction;

  /* by tile */
  float* tile_range;                 /* metres: largest of its ranges in use */
  float* tile_margin;                /* metres beyond the sum of radii */
  uint32_t* exclusion_first;         /* [tile_count + 1] */
  weft__tile_exclusions* exclusions; /* ascending in each tile, its own included */
  uint32_t* row_first;               /* in rows */
  uint32_t* row_count;
  weft__tile_row* rows;
  weft__tile_overlap* overlaps; /* by row: as many as overlap [row_capacity] */
} weft__self_tiles;

/* Pairs within this share of their distance may close in the rest of the substep: rows. */
#define WEFT__CLOSE 1.05f

/* Pairs of a body that are nearer at rest than their radii and this multiple of the larger range
 * meet as spheres: folds between them have no normal. */
#define WEFT__FOLD_RANGES 2.0f

/* Motion of a pair in a step up to which friction pulls to the anchors, over its distance. */
#define WEFT__ANCHOR_SHARE 0.01f

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

/* Contact planes of a tile's lanes: collision/colliders/planes.h. Impulses are as of
 * weft__contact_rows. */
typedef struct weft__tile_planes {
  float normal[3][WEFT__TILE];  /* unit, towards the particle */
  float at[3][WEFT__TILE];      /* metres: position of the particle in touch */
  float carried[3][WEFT__TILE]; /* metres: displacement of the surface in the substep */
  float push[WEFT__TILE];       /* metres along the normal: impulse times h over the mass */
  float friction[3][WEFT__TILE];
  float static_friction[WEFT__TILE], dynamic_friction[WEFT__TILE];
  uint32_t number[WEFT__TILE]; /* slot of the collider */
} weft__tile_planes;

/* Changes of position of a tile's lanes, metres. */
typedef struct weft__tile_changes {
  float by[3][WEFT__TILE];
} weft__tile_changes;

/* Contacts of cloth with cloth, by row. Impulses are from the start of the substep on, over the
 * inverse mass that both ends have together, in kilogram metres: times 1/h. */
typedef struct weft__contact_rows {
  uint32_t* a; /* twice the place of an end */
  uint32_t* b;
  bool gives;         /* pushes without velocity are due */
  float* push;        /* along the normal, towards `a`, at least 0 */
  float* friction[3]; /* on `a` */
  float* distance;    /* metres to keep */
  float* static_sq;   /* both ends' friction, as of weft__self_tiles: sums .. */
  float* dynamic_sq;
  float* limit;     /* .. and the smaller push out of old overlap */
  float* anchor[3]; /* metres, from the anchor of `b` to the anchor of `a` */
  float* normal[3]; /* unit, towards `a`, of a row along surfaces */
  float* range;     /* metres along the surface; 0: spheres */
} weft__contact_rows;

#endif
