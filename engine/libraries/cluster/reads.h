/* Entries that a rank reads of others, one halo for each stage: a stage marks its reads, and ranks
 * exchange the marks. */
#ifndef WEFT_LIBRARIES_CLUSTER_READS_H
#define WEFT_LIBRARIES_CLUSTER_READS_H

#include <stdbool.h>

struct weft_cluster;

/* With coupled sets and the lines that this rank solves, once the world is divided. Collective. */
bool weft__cluster_list_reads(struct weft_cluster* cluster);

#endif
