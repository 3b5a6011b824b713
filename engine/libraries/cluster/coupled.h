/* Halos of stages: rows of other ranks that they read.
 *
 * Coupled sets are particles that a stage solves together, such as a tree's. Each rank with a
 * particle of a set gets the others and solves it: one message, where solving on one rank takes
 * two. */
#ifndef WEFT_LIBRARIES_CLUSTER_COUPLED_H
#define WEFT_LIBRARIES_CLUSTER_COUPLED_H

#include "libraries/cluster/halo.h"
#include "modules/articulated/trees.h"
#include "modules/ccd/ccd.h"
#include "step/step.h"

static inline const weft__ccd* weft__ccd_of(const weft__stepper* stepper) {
  return stepper->stages.of[WEFT__STAGE_CCD];
}

static inline bool weft__has_bodies(const weft__stepper* stepper) {
  return weft__stages_act(&stepper->stages, WEFT__PHASE_CONTACTS);
}

static inline weft__trees* weft__trees_of(const weft__stepper* stepper) {
  return stepper->stages.of[WEFT__STAGE_TREES];
}

typedef struct weft__stage_halo {
  const weft__halo_rows* rows;
  uint32_t index;
  void* table; /* in which the rows are found */
  weft__halo lists;
  uint8_t* solves; /* this rank has a particle of the set [set_count] */
  uint32_t* home;  /* first rank that solves it, WEFT__NONE: empty set [set_count] */
} weft__stage_halo;

struct weft_cluster;

/* Rows that the stage marks or that have sets. Collective. */
bool weft__stage_halo_create(struct weft_cluster* cluster, weft__stage_halo* halo);

/* Joints that share a particle are one set, in which the order of colours counts. Collective; after
 * a failure a second call completes the change. */
bool weft__coupled_update_joints(struct weft_cluster* cluster);

void weft__stage_halo_destroy(weft__stage_halo* halo);

void weft__stage_halo_apply(const weft__stage_halo* halo);

#endif
