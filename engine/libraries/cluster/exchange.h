/* Callbacks of parallel/domain.h. */
#ifndef WEFT_LIBRARIES_CLUSTER_EXCHANGE_H
#define WEFT_LIBRARIES_CLUSTER_EXCHANGE_H

#include "libraries/cluster/cluster.h"

void weft__cluster_set_exchanges(weft_cluster* cluster);

weft__range weft__cluster_owned(const weft_cluster* cluster, weft__owned_rows rows, uint32_t rank);

/* Memory for own rows: weft__cluster_gather_rows() cannot fail. */
bool weft__cluster_reserve(weft_cluster* cluster, weft__owned_rows rows, const weft__table* columns,
                           const void* table);

/* Rows of a table, each from its owner. */
void weft__cluster_gather_rows(weft_cluster* cluster, weft__owned_rows rows,
                               const weft__table* columns, void* table);

/* All particles, now and before. */
void weft__cluster_share_positions(weft_cluster* cluster);

#endif
