/* Entries that a rank reads of others: one halo a stage. */
#ifndef WEFT_LIBRARIES_CLUSTER_READS_H
#define WEFT_LIBRARIES_CLUSTER_READS_H

#include <stdbool.h>

struct weft_cluster;

/* Also coupled sets and the lines that this rank solves, once the world is divided. Collective. */
bool weft__cluster_list_reads(struct weft_cluster* cluster);

#endif
