#include "tables/reserve.h"

#include "base/memory.h"

static const weft__column columns[] = {
    WEFT__MEMBER(weft__reserve, first_free),
    WEFT__MEMBER(weft__reserve, free_count),
    WEFT__COLUMN(weft__reserve, generation, particle_count, WEFT__STATE),
    WEFT__COLUMN(weft__reserve, next_free, particle_count, WEFT__STATE),
};

const weft__table weft__reserve_table = WEFT__TABLE(columns);

bool weft__reserve_create(weft__reserve* reserve, uint32_t particle_count) {
  *reserve = (weft__reserve){.particle_count = particle_count, .first_free = WEFT__RESERVE_END};
  if (!weft__columns_create(reserve, &weft__reserve_table, 0, &reserve->block, &reserve->bytes))
    return false;
  for (uint32_t user = 0; user < particle_count; ++user) {
    reserve->generation[user] = 1;
    reserve->next_free[user] = WEFT__RESERVE_NEVER;
  }
  return true;
}

void weft__reserve_destroy(weft__reserve* reserve) {
  weft__free(reserve->block);
  *reserve = (weft__reserve){0};
}

void weft__reserve_add(weft__reserve* reserve, uint32_t first, uint32_t count) {
  for (uint32_t user = first + count; user-- > first;) {
    reserve->generation[user] = 0;
    reserve->next_free[user] = reserve->first_free;
    reserve->first_free = user;
  }
  reserve->free_count += count;
}

uint32_t weft__reserve_take(weft__reserve* reserve) {
  const uint32_t user = reserve->first_free;
  reserve->first_free = reserve->next_free[user];
  reserve->next_free[user] = WEFT__RESERVE_END;
  ++reserve->generation[user];
  --reserve->free_count;
  return user;
}

void weft__reserve_release(weft__reserve* reserve, uint32_t user) {
  ++reserve->generation[user];
  reserve->next_free[user] = reserve->first_free;
  reserve->first_free = user;
  ++reserve->free_count;
}
