/* Lane parameters under construction: a growing column of whole groups of lanes.
 *
 * What is the same in all lanes of a group is stored once, for that group and for all that follow with
 * the same: its stride is then 0. */
#ifndef WEFT_SCHEDULE_LANE_POOL_H
#define WEFT_SCHEDULE_LANE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the place of the number of a link or a hinge, where a lane holds none. */
#define WEFT__EMPTY_LANE UINT32_MAX

typedef struct weft__lane_pool {
  size_t capacity;
  size_t count;
} weft__lane_pool;

/* Where a group finds a lane parameter: a first element, and how far the next group's is from it. */
typedef struct weft__parameter {
  uint32_t first;
  uint32_t stride;
} weft__parameter;

/* True if all lanes that hold an item have the same value of the column, which is then stored in *value. */
bool weft__lanes_uniform(const uint32_t* item, uint32_t lane_count, const float* column,
                         float* value);

/* Stores the column's values of the items in whole groups of lanes, 0 in empty ones. False when memory
 * cannot be had. */
bool weft__lane_pool_store(weft__lane_pool* pool, float** values, const uint32_t* item,
                           uint32_t lane_count, const float* column, weft__parameter* made);

#endif
