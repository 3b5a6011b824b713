/* Bodies: a scene of many bodies that no links join, of which each rank keeps its own.
 *
 * The bits of a body depend on the patch that it lies in, which several small bodies share, and
 * on the colours of patches, as lanes of one reach into the next. Each rank therefore builds all
 * bodies one after the other, and keeps sizes and colours; ranks divide at bodies with which a
 * patch of the whole scene begins that has the first colour. Then nothing crosses ranks: each steps
 * a world of its own bodies, without messages. */
#ifndef WEFT_CLUSTER_BODIES_H
#define WEFT_CLUSTER_BODIES_H

#include "weft/cluster.h"

struct weft_cluster;

/* Bodies of all ranks. */
typedef struct weft__body_list {
  uint32_t count;
  weft_body_builder* build;
  void* context;
} weft__body_list;

/* Creates the world of the rank's bodies. */
weft_result weft__bodies_create(struct weft_cluster* cluster, const weft_world_def* def,
                                const weft__body_list* of);

#endif
