/* Self-collision of cloth by thickness: spheres around particles of cloth keep clear of each other,
 * of other cloth, and of bodies (particles with a sphere, a box or an ellipsoid).
 *
 *   tiles            16 neighbouring particles each, partitioned once             tiles.h
 *   exclusion lists  pairs that links keep close                                  exclusions.h
 *   seams            pairs that joints keep close                                 seams.h
 *   neighbour lists  pairs within a skin, by tile                                 neighbors.h
 *   contact rows     pairs that touch, coloured once a substep                    rows.h
 *   solve            Gauss-Seidel over the rows, among the sweeps                 solve.h
 *   body pairs       few, scalar                                                  body_pairs.h
 *
 * Lists are valid while no two particles have moved by more than the skin relative to each other.
 * The diagonal of the AABB of all displacements since the rebuild bounds that: neither cloth at
 * rest nor in free fall rebuilds. Beyond, pairs of tiles that moved too far apart (stale tiles) are
 * listed for this substep; all lists are rebuilt when stale tiles get many or checks frequent. The
 * check runs in each substep: no contact is missed. */
#ifndef WEFT_COLLISION_SELF_SELF_H
#define WEFT_COLLISION_SELF_SELF_H

#include "base/archive.h"
#include "base/grain_size.h"
#include "base/memory.h"
#include "collision/self/exclusions.h"
#include "collision/setup.h"
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

/* Body and particle of cloth, by place. */
typedef struct weft__body_pair {
  uint32_t body, cloth;
} weft__body_pair;

/* On the cloth, as of weft__contact_rows. */
typedef struct weft__body_impulse {
  float push, friction[3];
} weft__body_impulse;

/* Allocated when bodies exist. */
typedef struct weft__self_body_pairs {
  uint32_t capacity;
  uint32_t count;
  weft__body_pair* of;          /* [capacity] */
  weft__body_impulse* impulses; /* [capacity] */
  uint8_t* has_pairs;           /* [tile_count] */
  void* block;
} weft__self_body_pairs;

/* Blocks of a tile with later ones, at most; further ones are lost. */
#define WEFT__TILE_BLOCKS 32u
/* The last colour has the blocks that no other one takes, solved one by one. */
#define WEFT__BLOCK_COLOURS 128u
/* Rows of a layer have no place twice. */
#define WEFT__ROW_LAYERS 32u

typedef struct weft__contact_block {
  uint32_t other; /* tile */
  uint16_t first; /* in the tile's overlaps */
  uint16_t end;
  uint16_t contacts; /* at most 256 */
  uint16_t colour;
  uint16_t lanes, other_lanes; /* of the contacts */
} weft__contact_block;

/* Blocks of one colour, whose rows are solved layer by layer. */
typedef struct weft__row_chunk {
  uint32_t first_block, block_count; /* in `order` */
  uint32_t first_row, layer_count;
  uint16_t layer_end[WEFT__ROW_LAYERS]; /* from first_row on */
} weft__row_chunk;

/* Contacts of this substep: rows.h. */
typedef struct weft__self_contacts {
  weft__contact_rows rows;
  uint32_t capacity, count; /* rows */
  uint32_t colour_count;
  uint32_t first_chunk[WEFT__BLOCK_COLOURS + 1];
  uint64_t* colours;           /* taken by blocks of a tile, a mask [2 tile_count] */
  uint16_t* lanes;             /* of a tile with contacts, of bodies too [tile_count] */
  uint8_t* block_count;        /* [tile_count] */
  weft__contact_block* blocks; /* [tile_count x WEFT__TILE_BLOCKS] */
  uint32_t* order;             /* blocks by colour [tile_count x WEFT__TILE_BLOCKS] */
  weft__row_chunk* chunks;     /* [tile_count + WEFT__BLOCK_COLOURS x 2] */
} weft__self_contacts;

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
  float least_extent;     /* metres, of cloth: smallest range, or radius where it has no faces */
} weft__self_shapes;

typedef struct weft__self_lists {
  uint32_t pair_count; /* at the last rebuild */
  uint64_t lost;       /* pairs dropped for lack of capacity, in total */
  uint32_t row_capacity;
  uint64_t pair_limit;
  float skin; /* metres */
  bool is_listed;
  bool has_stale;        /* some tiles have lists for one substep */
  uint32_t stale_checks; /* substeps with a check of every tile, since the rebuild */
  uint32_t kept_row_end; /* persistent rows */
  uint32_t row_end;      /* all rows */
  uint32_t tile_end;     /* first tile that is not listed */
  uint32_t* kept_first;  /* persistent lists [tile_count] */
  uint32_t* kept_count;
  uint64_t* kept_pair_ends;   /* twice the pairs with earlier tiles and within [tile_count] */
  uint8_t* is_stale;          /* [tile_count] */
  weft__self_extent* extents; /* since the rebuild [worker_count] */
} weft__self_lists;

/* Metres a second, at most, by which a substep pushes out overlap from before it: a tall pile that
 * lands needs 3. Surface contacts and planes of colliders gain energy by more than 1. */
#define WEFT__MAX_PUSH_SPEED 3.0f
#define WEFT__MAX_SURFACE_PUSH_SPEED 1.0f

/* The particle has another thickness or place since the last substep. */
#define WEFT__SELF_PLACED UINT32_MAX

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
  uint8_t* has_seam;           /* near joints, whose paths exclude pairs [tile_count] */
  uint32_t joints_version;     /* that it is of */

  weft__self_shapes shapes;
  weft__self_lists lists;
  weft__self_body_pairs body_pairs;
  weft__self_contacts contacts;
  bool has_contacts;             /* in this substep */
  bool has_planes;               /* likewise, colliders or bounds may have */
  uint8_t* touching;             /* 1: has contacts [particle_count] */
  uint8_t* has_normals;          /* 1: of this step [tile_count] */
  weft__tile_planes* planes;     /* of colliders and bounds, in this substep [tile_count] */
  _Atomic uint32_t* plane_lanes; /* lanes that have one [tile_count] */

  /* substep in which an overlap was given; 0: none; WEFT__SELF_PLACED: to be found [places] */
  uint32_t* given_in;
  uint32_t last_given; /* the last one */
  bool has_placed;     /* some are to be found */
  uint32_t substep;    /* from 1 */

  weft__tile_row* scratch; /* [worker_count x WEFT__SELF_SCRATCH] */
  void* block;             /* without rows and exclusions */
} weft__self;

extern const weft__table weft__self_table;

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

/* Finds the contacts of a substep from predicted positions, and begins to solve them; `tangled`:
 * particles with 1 have none, by particle; NULL: all may have some. */
void weft__self_find_contacts(weft__self* self, const weft__step_context* step,
                              const uint8_t* tangled);

/* Sets `touching`, without planes; the collider stage may find some then, and move particles. */
void weft__self_mark_touching(weft__self* self, const weft__step_context* step);

/* Goes on from where weft__self_find_contacts() has ended, with planes. */
void weft__self_solve_first(weft__self* self, const weft__step_context* step);

/* Solves the contacts again, after further motion. */
void weft__self_solve_again(weft__self* self, const weft__step_context* step);

/* The particle is elsewhere: pushes it out of overlaps gently. */
void weft__self_restart(weft__self* self, uint32_t particle);

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

/* Tiles in a piece of work that reads each particle: some microseconds. */
#define WEFT__SELF_TILE_GRAIN WEFT__GRAIN(32u, 1u)

/* The tile is near others: its records are up to date. Where pairs were lost, a tile may be listed
 * that lists none. */
static inline bool weft__self_is_active(const weft__self* self, uint32_t tile) {
  return self->tiles.row_count[tile] > 0 ||
         (self->lists.lost > 0 && self->shapes.has_cloth[tile]) ||
         (self->body_pairs.count > 0 && self->body_pairs.has_pairs[tile]);
}

/* Range of a place of cloth, or its radius where it has no faces, metres. */
static inline float weft__self_extent_of(const weft__self* self, uint32_t place) {
  const float range = self->tiles.range[place];
  return range > 0.0f ? range : self->shapes.bounding_radius[place];
}

/* The tile has contacts in this substep. */
static inline bool weft__self_touches(const weft__self* self, uint32_t tile) {
  return self->contacts.lanes[tile] != 0 ||
         (self->body_pairs.count > 0 && self->body_pairs.has_pairs[tile]);
}

#endif
