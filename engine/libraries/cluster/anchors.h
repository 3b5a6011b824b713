/* Anchors of long-range attachments in a sheet of which each rank has some rows.
 *
 * Each rank searches its own rows from their pinned particles and from the ties of the two rows
 * beside them, until no tie changes: Dijkstra's search within a rank, Bellman and Ford's between
 * ranks. Numbers of the whole sheet tell equal paths apart, so that ties are as in one world. */
#ifndef WEFT_LIBRARIES_CLUSTER_ANCHORS_H
#define WEFT_LIBRARIES_CLUSTER_ANCHORS_H

#include "libraries/cluster/mailbox.h"
#include "libraries/cluster/strips.h"

typedef struct weft__strip_anchors {
  weft__channel channel;
  weft__words* give; /* own particles that others read, solver order [rank_count] */
  weft__words* take; /* other ranks' anchors, numbers of the attachments [rank_count] */
  float* packed;
  bool are_moved; /* by a rank in this step */
} weft__strip_anchors;

/* Own particles, up to `slot_count` islands each. Collective. */
bool weft__strip_attach(struct weft_cluster* cluster, const weft_scene* scene,
                        const weft__sheet_parts* of, uint32_t slot_count);

void weft__strip_anchors_exchange(struct weft_cluster* cluster);

void weft__strip_anchors_destroy(weft__strip_anchors* anchors, uint32_t rank_count);

#endif
