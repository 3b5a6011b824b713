/* State that steps change, as ranks send it to each other between steps. */
#ifndef WEFT_LIBRARIES_CLUSTER_STATE_H
#define WEFT_LIBRARIES_CLUSTER_STATE_H

#include "libraries/cluster/cluster.h"

typedef struct weft__copier {
  unsigned char* to;         /* NULL: from or measure */
  const unsigned char* from; /* NULL: to or measure */
  size_t at;
} weft__copier;

void weft__copy_bytes(weft__copier* copier, void* state, size_t size);

/* Rows of a group's columns that belong to their rank. Multiples of a count, such as the places of
 * a tile, are one row. */
void weft__copy_columns(weft__copier* copier, const void* table, const weft__table* of,
                        uint32_t group, weft__range range);

/* Particles, links and bend elements, and contacts with bounds. */
void weft__copy_patches(weft_cluster* cluster, weft__copier* copier, weft__range patches);

void weft__copy_tree(weft_cluster* cluster, weft__copier* copier, uint32_t tree);
void weft__copy_mesh(weft_cluster* cluster, weft__copier* copier, uint32_t mesh);
void weft__copy_body(weft_cluster* cluster, weft__copier* copier, uint32_t body);

#endif
