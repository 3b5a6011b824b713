/* Cloth meets itself, other cloth, and bodies: spheres around its particles that stay clear of each other.
 *
 *   tiles   particles that lie side by side are put together by sixteens, once: see collision/self/tiles.h
 *   lists   which of them may touch is listed for each tile, up to a skin beyond where they do: see collision/self/neighbors.h
 *   apart   what touches is moved apart, as Jacobi does: all pairs go by the same positions, and each particle
 *           gathers what its pairs do to it. Nothing is written by two, and momentum is kept. See collision/self/solve.h
 *   touch   bodies near cloth are few, and are looked at pair by pair: see collision/self/particle_pairs.h
 *
 * Lists are good for as long as no two particles have moved by more than the skin against each other. The box around
 * all ways since then tells that of all at once: what falls as one, and what is at rest, lists nothing anew. Where
 * the box is larger, tiles whose boxes meet are asked one by one, and what those that have moved too far against each
 * other have of one another is listed for this substep alone; all are listed anew when these get many, or have been
 * asked often. It is asked in each substep, so none is overlooked. Whatever is listed, both its ends list it: else one
 * would be moved by the other and not the other by it. */
#ifndef WEFT_COLLISION_SELF_SELF_H
#define WEFT_COLLISION_SELF_SELF_H

#include <stdatomic.h>

#include "collision/self/exclusions.h"
#include "collision/stage.h"
#include "tables/cloth_tiles.h"

/* What a particle is to cloth. */
typedef enum weft__self_kind {
  WEFT__SELF_NONE = 0,
  WEFT__SELF_SPHERE = 1, /* one of a cloth, or a body that is a sphere */
  WEFT__SELF_BODY = 2,   /* a box or an ellipsoid */
} weft__self_kind;

/* What each worker finds for itself. */
typedef struct weft__self_share {
  _Alignas(WEFT__CACHE_LINE) float least[3]; /* the box around ways since the lists were made */
  float most[3];
  uint32_t stale; /* tiles that are listed for this substep alone */
  uint64_t pairs; /* twice as many as are listed */
  uint64_t lost;  /* pairs that were not looked at, at both their ends */
} weft__self_share;

/* A body and one of a cloth, by their places: both have it. */
typedef struct weft__self_touch {
  uint32_t own, other;
} weft__self_touch;

/* Bodies near cloth: room for them is made when there are some. */
typedef struct weft__self_particles {
  uint32_t capacity; /* of `touches` */
  uint32_t count;
  uint32_t* first_of_tile;   /* [tile_count + 2] */
  weft__self_touch* found;   /* in the order in which they are found [capacity / 2] */
  weft__self_touch* touches; /* by the tile of `own` [capacity] */
  void* block;
} weft__self_particles;

typedef struct weft__self {
  bool on;
  uint32_t pair_count; /* that were near, in the last lists */
  uint64_t lost;       /* pairs for which there was no room, ever */
  size_t bytes;

  uint32_t particle_count; /* there is room for, 0 = none yet */
  uint32_t worker_count;
  uint32_t row_capacity;
  uint64_t pair_limit;
  weft__exclusions exclusions;
  weft__self_tiles tiles;
  uint32_t* particle; /* at each place, WEFT__NONE = none */
  uint32_t* place_of; /* each particle */

  /* made anew when materials change */
  bool is_sorted;   /* by the materials of this version */
  bool is_choosy;   /* there is cloth that does not meet all cloth */
  uint32_t version; /* of the materials */
  uint32_t cloth_count;
  uint32_t body_count;
  uint32_t* bodies;   /* places, ascending [body_count] */
  uint8_t* kind;      /* weft__self_kind of each place */
  uint8_t* has_cloth; /* each tile */
  float* reach;       /* metres: of a sphere around all of a body [places] */
  float most_radius;  /* of cloth */
  float most_body;    /* of bodies */
  float skin;         /* metres */

  /* made anew when particles have moved */
  bool is_listed;
  bool has_stale;                  /* there are tiles that were listed for one substep */
  uint32_t asked;                  /* substeps since then in which tiles were asked one by one */
  uint32_t listed_end;             /* rows of lists that stay */
  uint32_t tile_end;               /* tiles from this number on find no room */
  atomic_uint_least64_t row_count; /* that were found, room or not */
  uint64_t found_pairs;            /* twice those found for all lists, room or not */
  uint64_t cut_pairs;              /* twice those beyond the limits of a tile */
  uint32_t* listed_first;          /* each tile's own, of lists that stay [tile_count] */
  uint32_t* listed_count;
  uint64_t* listed_pairs; /* twice those with tiles before it, and within it */
  uint8_t* is_stale;      /* [tile_count] */
  weft__self_particles near_bodies;

  /* what each substep does */
  uint32_t* left_in; /* the substep in which a tile was left [tile_count] */
  uint32_t substep;  /* counts on and on, from 1 */

  weft__self_share* shares; /* [worker_count] */
  weft__tile_row* scratch;  /* [worker_count x WEFT__SELF_SCRATCH] */
  void* block;              /* behind all columns but rows and kin */
} weft__self;

/* Switches it on where materials want it, and makes room as the limits say. False when memory cannot be had; then
 * all is as before. */
bool weft__self_prepare(weft__self* cloth, const weft__contact_setup* setup);

void weft__self_destroy(weft__self* cloth);

/* Once a step, before its first substep: looks which particles are cloth where that has changed. Lists of who is
 * near are made when the substep's positions are known: by then they need to be good for that substep alone. */
void weft__self_find(weft__self* cloth, const weft__contact_stage* stage);

/* At the end of a substep: moves those apart that are too near. */
void weft__self_solve(weft__self* cloth, const weft__contact_stage* stage);

/* Whether a list names a pair, by particles: for tests, and slow. */
bool weft__self_neighbors(const weft__self* cloth, uint32_t a, uint32_t b);

static inline bool weft__self_is_active(const weft__self* cloth, uint32_t tile) {
  const weft__self_particles* near = &cloth->near_bodies;
  return cloth->tiles.row_count[tile] > 0 ||
         (near->count > 0 && near->first_of_tile[tile + 1] > near->first_of_tile[tile]);
}

#endif
