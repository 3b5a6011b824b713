/* Coupled sets: particles that a stage solves together, such as a tree's.
 *
 * Each rank with a particle of a set solves it: it gets the other particles before, and computes
 * the same. That takes one message; solving on one rank takes two, and the others wait. */
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

typedef struct weft__coupled {
  uint8_t* solves; /* this rank has a particle of the set [count] */
  uint32_t* home;  /* first rank that solves it, WEFT__NONE: empty set [count] */
  weft__halo halo; /* other ranks' particles in sets that this rank solves */
} weft__coupled;

struct weft_cluster;

typedef struct weft__particle_set {
  const uint32_t* particles; /* solver order [count] */
  uint32_t count;
} weft__particle_set;

typedef weft__particle_set weft__coupled_list(const weft__stepper* stepper, uint32_t index);

weft__coupled_list weft__coupled_tree, weft__coupled_body;

/* All stages but joints, which change between steps. Collective. */
bool weft__coupled_create(struct weft_cluster* cluster);

/* If joints have come or gone: joints that share a particle are one set, in which the order of
 * colours counts. Collective; after a failure a second call completes the change. */
bool weft__coupled_update_joints(struct weft_cluster* cluster);

void weft__coupled_destroy(weft__coupled* coupled);

#endif
