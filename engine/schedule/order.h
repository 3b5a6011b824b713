/* Storage order of particles in the solver, and the patches cut from it.
 *
 * Particles are numbered so that the links of a patch stay close together and many links form runs.
 * A lattice is cut into tiles, and a tile is stored as four classes, its even and odd rows and
 * columns. The classes of a tile of 4 x 4, and the positions of its particles:
 *
 *     A B A B      0  4  1  5      links from A to B join the consecutive particles 0 1 2 3 to the
 *     C D C D      8 12  9 13      consecutive particles 4 5 6 7; those from B to the next A join
 *     A B A B      2  6  3  7      4 . 6 to 1 . 3; likewise columns and diagonals, throughout the
 *     C D C D     10 14 11 15      tile
 *
 * Everything else is ordered breadth first along its links from a peripheral particle (Cuthill and
 * McKee 1969) and cut into equal pieces, each of which touches only adjacent ones; a piece is
 * stored class by class of a greedy colouring. Graph partitioners cut fewer links, but give pieces
 * more neighbours.
 *
 * Environments follow each other; no patch has particles of two. */
#ifndef WEFT_SCHEDULE_ORDER_H
#define WEFT_SCHEDULE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

/* In a large body; a tile of whole rows may have a third more. With positions and masses 32 KB: one
 * patch fits a level-1 cache, the two dozen in flight in the wavefront a level-2 cache. */
#define WEFT__PATCH_PARTICLES 2048u

typedef struct weft__order {
  uint32_t particle_count;
  uint32_t patch_count;
  size_t patch_capacity;
  uint32_t shared_patch; /* in a patch of several whole bodies, at most */
  bool last_is_whole;    /* only whole bodies */
  uint32_t last_key;     /* of the last patch */
  uint32_t* pushes;      /* calls of weft__order_push_patch(): 2 count + 1 if whole [push_count] */
  size_t push_count, push_capacity;
  uint32_t* user_of;     /* caller's number [particle_count] */
  uint32_t* solver_of;   /* solver's number [particle_count] */
  uint32_t* patch_first; /* and the end [patch_count + 1] */
  uint32_t environment_count;
  uint32_t* environment_first; /* first patch, and the end [environment_count + 1] */
} weft__order;

bool weft__order_create(weft__order* order, const weft_scene* scene);
void weft__order_destroy(weft__order* order);

/* Enough patches for many workers, none so small that waiting costs more than solving. */
uint32_t weft__patch_target(uint32_t count);

/* In particles; last ones in each direction may be smaller. columns: the longer side */
typedef struct weft__tile_size {
  uint32_t width, height;
} weft__tile_size;

weft__tile_size weft__tile_size_of(uint32_t columns, uint32_t rows);

/* `count` particles, already in user_of. whole: an entire body; small ones of one rate group share
 * a patch */
bool weft__order_push_patch(weft__order* order, uint32_t count, bool whole, uint32_t key);

typedef struct weft__graph_order weft__graph_order;

weft__graph_order* weft__graph_order_create(const weft_scene* scene);
void weft__graph_order_destroy(weft__graph_order* graph);

/* Patches of a part, and of all parts linked to it, that are no lattices and not yet appended. */
bool weft__graph_order_part(weft__graph_order* graph, weft__order* order, const weft__part* part);

#endif
