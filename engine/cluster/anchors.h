/* Anchors of long-range attachments in a sheet of which each rank has some rows.
 *
 * Paths to pinned particles cross ranks. Each rank searches its own rows from the pinned particles
 * in them and from the ties of the two rows beside them, as their ranks have found these so far,
 * until no tie changes: Dijkstra's search within a rank, Bellman and Ford's between ranks. Equal
 * paths are told apart by numbers of the whole sheet, so that ties are as in one world. Positions
 * of anchors go to the ranks whose particles are tied to them. */
#ifndef WEFT_CLUSTER_ANCHORS_H
#define WEFT_CLUSTER_ANCHORS_H

#include "cluster/mailbox.h"
#include "cluster/strips.h"

typedef struct weft__strip_anchors {
  weft__channel channel;
  weft__words* give; /* own particles that other ranks read, solver order [rank_count] */
  weft__words* take; /* anchors of other ranks, numbers of the attachments [rank_count] */
  float* packed;
  bool are_moved; /* a rank has moved them in this step */
} weft__strip_anchors;

/* Attaches the own particles of the rank's world, to up to `slot_count` islands each. Collective;
 * false on all ranks if one is out of memory. */
bool weft__strip_attach(struct weft_cluster* cluster, const weft_scene* scene,
                        const weft__sheet_parts* of, uint32_t slot_count);

void weft__strip_anchors_exchange(struct weft_cluster* cluster);

void weft__strip_anchors_destroy(weft__strip_anchors* anchors, uint32_t rank_count);

#endif
