/* Node tables of the direct solver: ropes, chains and other trees, on which sweeps converge slowly
 * when loaded: each carries a correction by one link, and little of it to a heavy end.
 *
 * One worker solves a tree. No two trees move the same particle: the order is free. A pin at which
 * several links of trees end has a node for each of them; once it is freed, no tree may move it:
 * weft__tree_pin. */
#ifndef WEFT_MODULES_ARTICULATED_TREES_H
#define WEFT_MODULES_ARTICULATED_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "modules/articulated/forest.h"
#include "parallel/domain.h"
#include "tables/particles.h"
#include "tables/schedule.h"

/* Nodes whose pin is freed. */
typedef enum weft__tree_pin {
  WEFT__PIN_OWN,   /* the particle's only node: it moves */
  WEFT__PIN_SWEPT, /* one of several, rigid link: left to the sweeps */
  WEFT__PIN_FIXED, /* one of several, compliant link: not swept, stays fixed */
} weft__tree_pin;

typedef struct weft__tree_joint weft__tree_joint;
typedef struct weft__tree_node_contacts weft__tree_node_contacts;

typedef struct weft__tree_memory {
  weft__tree_joint* joints;
  weft__tree_node_contacts* nodes;
} weft__tree_memory;

typedef struct weft__trees {
  uint32_t tree_count;
  uint32_t node_count;
  uint32_t* first_node;      /* [tree_count + 1] */
  uint32_t* particle;        /* solver order [node_count] */
  uint32_t* parent;          /* relative to the tree's first node, 0 for roots [node_count] */
  uint8_t* pin;              /* weft__tree_pin [node_count] */
  const uint16_t* lane_mask; /* the schedule's: a torn link's bit is clear */
  uint32_t* slot;            /* lane of the link to the parent [node_count] */
  float* rest_length;        /* metres, link to the parent [node_count] */
  float* compliance;         /* metres per newton, link to the parent [node_count] */
  double* multiplier;        /* kg m: tension times h^2, h of a short substep [node_count] */
  uint8_t* is_apart;         /* no other link acts on its particles [tree_count] */
  double inv_step_sq;        /* 1 / h^2, h: seconds of a substep */
  const uint8_t* solves;     /* in clusters: this process's; NULL: all [tree_count] */
  double multiplier_scale;   /* factor of multipliers to this h: 1 unless h has just changed */

  uint32_t share_count, worker_count, joint_count;
  uint32_t* first_tree; /* by share, and the end [share_count + 1] */
  /* else one share a worker, with memory for its own largest tree */
  bool has_memory_by_worker;
  uint32_t* first_joint; /* by worker or share, and the end [worker_count + 1] */
  weft__tree_memory memory;
  weft__forest forest;    /* until the tables are built */
  uint32_t* node_of_slot; /* node of each slot's link, WEFT__NONE = none; NULL before an edit */
  size_t bytes;
} weft__trees;

extern const weft__table weft__trees_table;

extern const weft__halo_rows weft__tree_rows;

bool weft__trees_create(weft__trees* trees, const weft__forest* forest, const weft_scene* scene,
                        const weft__schedule* schedule);

/* Shares of about equal node counts, many: trees in contact with walls take several times as
 * long. */
bool weft__trees_divide(weft__trees* trees, uint32_t worker_count);

void weft__trees_destroy(weft__trees* trees);

#endif
