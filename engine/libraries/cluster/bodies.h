/* Bodies: a scene of many bodies that no links join, of which each rank keeps its own.
 *
 * A body's bits depend on its patch, which several small bodies share, and on colours of patches.
 * Each rank builds all bodies, and keeps sizes and colours; ranks divide where a patch of the whole
 * scene begins that has the first colour. Each steps its own world, without messages. */
#ifndef WEFT_LIBRARIES_CLUSTER_BODIES_H
#define WEFT_LIBRARIES_CLUSTER_BODIES_H

#include "weft/cluster.h"

struct weft_cluster;

typedef struct weft__body_list {
  uint32_t count;
  weft_body_builder* build;
  void* context;
} weft__body_list;

weft_result weft__bodies_create(struct weft_cluster* cluster, const weft_world_def* def,
                                const weft__body_list* of);

#endif
