/* The trees of a world, laid out for solve.h: ropes and chains, which a sweep cannot hold where they
 * bear a load, as it carries a correction one link further, and to a heavy end hardly any of it.
 *
 * A tree is solved by one worker from its first node to its last. No two trees move one particle, so
 * that they can be solved in any order and side by side.
 *
 * A pin at which several links of trees end stands as a node of its own for each. While it is pinned
 * that is all the same; once it is freed, no tree may move it: see weft__tree_pin. */
#ifndef WEFT_SOLVERS_DIRECT_TREES_H
#define WEFT_SOLVERS_DIRECT_TREES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solvers/direct/forest.h"
#include "tables/particles.h"
#include "tables/schedule.h"

/* What becomes of a node whose particle several nodes stand for, once it is free. */
typedef enum weft__tree_pin {
  WEFT__PIN_OWN,    /* it stands for its particle alone, and moves as that does */
  WEFT__PIN_LET_GO, /* its link is left to the sweeps */
  WEFT__PIN_HOLD,   /* it stays where it is: sweeps do not know its link */
} weft__tree_pin;

typedef struct weft__tree_joint weft__tree_joint;

typedef struct weft__trees {
  uint32_t tree_count;
  uint32_t node_count;
  uint32_t* first_node; /* [tree_count + 1] */
  uint32_t* particle;   /* the solver's number [node_count] */
  uint32_t* parent;     /* counted from the tree's first node, 0 for the root too [node_count] */
  uint8_t* pin;         /* weft__tree_pin [node_count] */
  const uint16_t* lane_mask; /* the schedule's: a link that is gone has its bit clear */
  uint32_t* slot;            /* the lane of the link to the parent [node_count] */
  float* rest_length;        /* metres, of the link to the parent; roots have none [node_count] */
  float* compliance;         /* metres per newton, of the same link [node_count] */
  double* multiplier;        /* kg m: its tension times h^2, in the last substep [node_count] */
  double inv_step_sq;        /* 1 / h^2, h being the seconds of a substep: set by whoever steps */
  /* what makes the multipliers those of this h: 1, unless h has just been changed */
  double rescale;

  uint32_t share_count;
  uint32_t* first_tree; /* of each share, and the end [share_count + 1] */
  /* Shares that workers have taken in this substep, whoever comes first. NULL where there is one for each
   * worker: room for the largest tree of all is too much for every one of them then. */
  atomic_uint* taken;
  uint32_t* first_joint;    /* of each worker, and the end [worker_count + 1] */
  weft__tree_joint* joints; /* room for the largest tree that a worker may meet */
  size_t bytes;
} weft__trees;

/* Lays the forest of a scene out. False when memory cannot be had; the caller destroys the trees either
 * way. */
bool weft__trees_create(weft__trees* trees, const weft__forest* forest, const weft_scene* scene,
                        const weft__schedule* schedule);

/* Shares the trees out among workers by their links: trees that stand on walls take several times as long as
 * others, so that many small ones are taken by whoever has time. False when memory cannot be had. */
bool weft__trees_share_out(weft__trees* trees, uint32_t worker_count);

/* The next share of a worker, in this substep: counts up from 0 in *turn. False when there is none. */
bool weft__trees_take(const weft__trees* trees, uint32_t worker, uint32_t* turn, uint32_t* share);

/* Called by one worker, once all have met after a substep's trees and before they meet the next time. */
void weft__trees_end_substep(const weft__trees* trees);

void weft__trees_destroy(weft__trees* trees);

/* Copies the stiffnesses of the scene's links, 0 for compliant links of the forest: those are solved
 * by the trees alone, as a sweep would bear their load once more. [links.count], to be freed; NULL
 * when memory cannot be had. */
float* weft__forest_swept_stiffness(const weft__forest* forest, const weft_scene* scene);

#endif
