/* The order in which the solver stores particles, and the patches cut from it.
 *
 * Particles are numbered so that the links of a patch stay close together, and so that many links
 * form runs. For a lattice that means strips of rows, and in each row the even columns before the
 * odd ones:
 *
 *     caller    0 1 2 3 4 5 6 7        the links 0-1 2-3 4-5 6-7 join two runs of four
 *     solver    0 2 4 6 1 3 5 7        consecutive particles, and so do 1-2 3-4 5-6;
 *                                      columns and diagonals come out alike
 *
 * Everything else is ordered breadth first along its links from one far end (Cuthill and McKee
 * 1969) and cut into equal pieces, so that a piece meets only the ones beside it. Graph
 * partitioners cut fewer links, but give each piece more neighbours, and so more colours, and more
 * waits a sweep. */
#ifndef WEFT_COLOR_ORDER_H
#define WEFT_COLOR_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

/* The most particles of one patch: with positions and masses 32 KB, so that three fit a level-2
 * cache and one nearly a level-1 cache. */
#define WEFT__PATCH_PARTICLES 2048u

typedef struct weft__order {
  uint32_t particle_count;
  uint32_t patch_count;
  size_t patch_capacity;
  bool last_is_whole;    /* the last patch holds only whole bodies */
  uint32_t* user_of;     /* the caller's number [particle_count] */
  uint32_t* solver_of;   /* the solver's number [particle_count] */
  uint32_t* patch_first; /* first particle, and the end [patch_count + 1] */
} weft__order;

/* Orders all particles of a scene. False when memory cannot be had. */
bool weft__order_create(weft__order* order, const weft_scene* scene);
void weft__order_destroy(weft__order* order);

/* How many particles a patch of a body of `count` should have: enough patches to go round many
 * workers, but none so small that waiting costs more than solving. */
uint32_t weft__patch_target(uint32_t count);

/* Appends a patch of `count` particles, whose caller's numbers already stand in user_of. `whole`:
 * they are a whole body and not a piece of one; small bodies in a row share a patch. False when
 * memory cannot be had. */
bool weft__order_push_patch(weft__order* order, uint32_t count, bool whole);

/* Orders the particles of all parts that are no lattice, breadth first, and appends their patches.
 * False when memory cannot be had. */
bool weft__order_graph(weft__order* order, const weft_scene* scene);

#endif
