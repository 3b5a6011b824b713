/* Self-collision of cloth by thickness: spheres around particles of cloth keep clear of each other,
 * of other cloth, and of bodies (particles with a sphere, a box or an ellipsoid).
 *
 *   tiles            16 neighbouring particles each, partitioned once             tiles.h
 *   exclusion lists  pairs that links keep close                                  exclusions.h
 *   neighbour lists  pairs within a skin, by tile                                 neighbors.h
 *   Jacobi solve     all pairs read the same positions, each particle gathers its corrections: no
 *                    write conflicts, momentum is conserved                       solve.h
 *   body pairs       few, scalar                                                  body_pairs.h
 *
 * Lists are valid while no two particles have moved by more than the skin relative to each other.
 * The diagonal of the AABB of all displacements since the rebuild bounds that: neither cloth at
 * rest nor in free fall rebuilds. Beyond, pairs of tiles that moved too far apart (stale tiles) are
 * listed for this substep; all lists are rebuilt when stale tiles get many or checks frequent. The
 * check runs in each substep: no contact is missed. Listing at both ends conserves momentum. */
#ifndef WEFT_COLLISION_SELF_SELF_H
#define WEFT_COLLISION_SELF_SELF_H

#include "base/archive.h"
#include "base/grain_size.h"
#include "base/memory.h"
#include "collision/self/exclusions.h"
#include "collision/setup.h"
#include "parallel/domain.h"
#include "tables/self_tiles.h"

typedef enum weft__self_kind {
  WEFT__SELF_SPHERE, /* cloth, or a body */
  WEFT__SELF_BODY,   /* box or ellipsoid */
} weft__self_kind;

/* Displacements that one worker measured, metres. */
typedef struct weft__self_extent {
  _Alignas(WEFT__CACHE_LINE) float lower[3];
  float upper[3];
  /* metres squared: largest diagonal of an environment's AABB, in worlds of several */
  float largest_sq;
} weft__self_extent;

/* Body and particle of cloth, by place; stored at both ends. */
typedef struct weft__self_pair {
  uint32_t own, other;
} weft__self_pair;

/* Allocated when bodies exist. */
typedef struct weft__self_body_pairs {
  uint32_t capacity;
  uint32_t count;
  uint32_t* first_of_tile;  /* [tile_count + 2] */
  weft__self_pair* found;   /* in order of discovery [capacity] */
  weft__self_pair* by_tile; /* by the tile of `own` [2 x capacity] */
  void* block;
} weft__self_body_pairs;

/* Particle squeezed between supports: squeeze.h. */
typedef struct weft__squeezed {
  float start[3];   /* metres: position at the start of the substep */
  float normal[3];  /* unit, of the support that it touches */
  float force;      /* newtons, along the normal; 0: not squeezed */
  uint32_t support; /* number */
} weft__squeezed;

typedef struct weft__self_squeeze {
  bool is_found;      /* in this substep */
  uint8_t* has_any;   /* [tile_count] */
  weft__squeezed* of; /* in tiles that have any [places] */
} weft__self_squeeze;

typedef struct weft__self_supports weft__self_supports;

/* Renewed when materials change. */
typedef struct weft__self_shapes {
  bool is_classified; /* for this version of the materials */
  bool has_filters;   /* exclude some pairs of cloth */
  uint32_t version;   /* materials' version */
  uint32_t body_count;
  uint32_t* bodies;       /* places, ascending [body_count] */
  uint8_t* kind;          /* weft__self_kind of cloth and bodies [places] */
  uint8_t* has_cloth;     /* [tile_count] */
  float* bounding_radius; /* metres, of cloth or body [places] */
  float max_radius;       /* metres, of cloth */
} weft__self_shapes;

typedef struct weft__self_lists {
  uint32_t pair_count; /* at the last rebuild */
  uint64_t lost;       /* pairs dropped for lack of capacity, in total */
  uint32_t row_capacity;
  uint64_t pair_limit;
  float skin; /* metres */
  bool is_listed;
  bool has_stale;                   /* some tiles have lists for one substep */
  uint32_t stale_checks;            /* substeps with a check of every tile, since the rebuild */
  uint32_t kept_row_end;            /* persistent rows */
  uint32_t row_end;                 /* all rows */
  uint64_t all_kept_rows, all_rows; /* rows in all processes */
  uint32_t tile_end;                /* first tile that is not listed */
  uint32_t* kept_first;             /* persistent lists [tile_count] */
  uint32_t* kept_count;
  uint64_t* kept_pair_ends;   /* twice the pairs with earlier tiles and within [tile_count] */
  uint8_t* is_stale;          /* [tile_count] */
  weft__self_extent* extents; /* since the rebuild [worker_count] */
} weft__self_lists;

typedef struct weft__self {
  bool on;
  size_t bytes;

  uint32_t particle_count; /* capacity, 0: not allocated */
  uint32_t worker_count;
  const weft__faces* faces; /* count 0: none */
  float longest_range;      /* metres: of all ranges */
  weft__exclusions exclusions;
  weft__self_tiles tiles;
  uint32_t* particle; /* by place, WEFT__NONE: empty lane */
  uint32_t* place_of; /* by particle */
  uint32_t environment_count;
  uint32_t* environment_tile; /* tile offsets, NULL: one [environment_count + 1] */
  uint8_t* has_moved; /* by more than the skin since the rebuild, within one [environment_count] */
  const uint8_t* is_of_strand; /* 1: its pairs are the strands' [particle_count]; NULL: none */

  weft__self_shapes shapes;
  weft__self_lists lists;
  weft__self_body_pairs body_pairs;

  uint32_t* solved_in; /* last substep in which a tile was solved [tile_count] */
  uint32_t substep;    /* from 1 */

  weft__self_squeeze squeeze;

  const weft__domain* domain; /* NULL: this process solves all tiles. Set for each step */
  bool has_ghosts;            /* other processes know the particles in own rows */

  weft__tile_row* scratch; /* [worker_count x WEFT__SELF_SCRATCH] */
  void* block;             /* without rows and exclusions */
} weft__self;

extern const weft__table weft__self_table;

/* Places in rows of own tiles. */
extern const weft__halo_rows weft__place_rows;

#define WEFT__SELF_BODY_PAIRS WEFT__GROUP(1)

/* Enables the stage if materials need it, by the limits. False, with nothing changed, if out of
 * memory. */
bool weft__self_prepare(weft__self* self, const weft__contact_setup* setup);

void weft__self_switch_off(weft__self* self);

/* Visits the state, with the neighbour lists. A check replaces tables that differ from the
 * stream's, and leaves the former ones' memory to the caller. */
void weft__self_visit(weft__self* self, weft__archive* archive, const weft__contact_setup* setup);

void weft__self_destroy(weft__self* self);

/* Classifies particles when materials have changed. Called once a step, before the first substep.
 * Lists are built at the end of a substep, from its positions: there they must be valid only for
 * that substep. */
void weft__self_classify(weft__self* self, const weft__step_context* step);

/* Resolves overlaps at the end of a substep. `tangled`: particles with 1 have no thickness, by
 * particle; NULL = all have. `supports`: they may squeeze cloth; NULL = none. */
void weft__self_solve(weft__self* self, const weft__step_context* step, const uint8_t* tangled,
                      const weft__self_supports* supports);

/* Begins the solve of a particle's tile anew, without state of the last substep. */
void weft__self_restart(const weft__self* self, uint32_t particle);

/* True if the pair is listed; linear in the list, for tests. */
bool weft__self_neighbors(const weft__self* self, uint32_t a, uint32_t b);

static inline uint32_t weft__self_environment(const weft__self* self,
                                              const weft__step_context* step, uint32_t tile) {
  return weft__environment_of(step->schedule, self->particle[tile * WEFT__TILE]);
}

static inline weft__range weft__self_others(const weft__self* self, const weft__step_context* step,
                                            uint32_t tile) {
  if (self->environment_tile == NULL) return (weft__range){0, self->tiles.tile_count};
  const uint32_t* first = self->environment_tile + weft__self_environment(self, step, tile);
  return (weft__range){first[0], first[1]};
}

static inline weft__range weft__self_own(const weft__self* self) {
  return self->domain != NULL ? self->domain->tiles : (weft__range){0, self->tiles.tile_count};
}

/* Tiles in a piece of work that reads each particle: some microseconds. */
#define WEFT__SELF_TILE_GRAIN WEFT__GRAIN(32u, 1u)

static inline bool weft__self_has_body_pairs(const weft__self* self, uint32_t tile) {
  const weft__self_body_pairs* near = &self->body_pairs;
  return near->count > 0 && near->first_of_tile[tile + 1] > near->first_of_tile[tile];
}

static inline bool weft__self_is_active(const weft__self* self, uint32_t tile) {
  return self->tiles.row_count[tile] > 0 || weft__self_has_body_pairs(self, tile);
}

#endif
