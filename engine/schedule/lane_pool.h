/* Lane parameters under construction: a growing column of whole lane groups.
 *
 * A value equal in all lanes of a group is stored once, for that group and all following ones with
 * the same value: their stride is 0. */
#ifndef WEFT_SCHEDULE_LANE_POOL_H
#define WEFT_SCHEDULE_LANE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of the link or hinge in an empty lane. */
#define WEFT__EMPTY_LANE UINT32_MAX

typedef struct weft__lane_pool {
  size_t capacity;
  size_t count;
} weft__lane_pool;

/* Position of a lane parameter: first element, and stride between groups. */
typedef struct weft__parameter {
  uint32_t first;
  uint32_t stride;
} weft__parameter;

/* True if all lanes with an item have the same value of the column; it is stored in *value. */
bool weft__lanes_uniform(const uint32_t* item, uint32_t lane_count, const float* column,
                         float* value);

/* Stores the column's values of the items as whole lane groups, 0 in empty lanes. False if out of
 * memory. */
bool weft__lane_pool_store(weft__lane_pool* pool, float** values, const uint32_t* item,
                           uint32_t lane_count, const float* column, weft__parameter* parameter);

#endif
