#include "schedule/lane_pool.h"

#include "base/memory.h"
#include "tables/schedule.h"

bool weft__lanes_uniform(const uint32_t* item, uint32_t lane_count, const float* column,
                         float* value) {
  bool found = false;
  for (uint32_t lane = 0; lane < lane_count; ++lane) {
    if (item[lane] == WEFT__EMPTY_LANE) continue;
    const float here = column[item[lane]];
    if (found && here != *value) return false;
    *value = here;
    found = true;
  }
  return true;
}

// True if the last group of the pool holds this value in all lanes.
static bool ends_with(const float* values, size_t count, float value) {
  if (count == 0) return false;
  for (size_t lane = count - WEFT__LANES; lane < count; ++lane) {
    if (values[lane] != value) return false;
  }
  return true;
}

bool weft__lane_pool_store(weft__lane_pool* pool, float** values, const uint32_t* item,
                           uint32_t lane_count, const float* column, weft__parameter* parameter) {
  float value = 0.0f;
  const bool is_uniform = weft__lanes_uniform(item, lane_count, column, &value);
  if (is_uniform && ends_with(*values, pool->count, value)) {
    *parameter = (weft__parameter){(uint32_t)(pool->count - WEFT__LANES), 0};
    return true;
  }
  const uint32_t stored = is_uniform ? WEFT__LANES : lane_count;
  if (!weft__grow((void**)values, &pool->capacity, pool->count + stored, sizeof(**values))) {
    return false;
  }
  *parameter = (weft__parameter){(uint32_t)pool->count, is_uniform ? 0 : WEFT__LANES};
  for (uint32_t lane = 0; lane < stored; ++lane) {
    const bool empty = item[lane] == WEFT__EMPTY_LANE;
    (*values)[pool->count + lane] = is_uniform ? value : empty ? 0.0f : column[item[lane]];
  }
  pool->count += stored;
  return true;
}
