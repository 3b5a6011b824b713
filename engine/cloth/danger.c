#include <string.h>

#include "cloth/cloth.h"
#include "cloth/lists.h"

static weft__range own_tiles(const weft__cloth* cloth, const weft__contact_stage* stage) {
  return weft__share(cloth->tiles.tile_count, stage->worker, stage->worker_count);
}

// the ways of all, with reaches for radii
static void gather(weft__cloth* cloth, const weft__particles* p, const float* const start[3],
                   const float* reach, uint32_t tile) {
  const weft__cloth_tiles* t = &cloth->tiles;
  float* const* from = t->turns[0].start;
  for (uint32_t place = tile * WEFT__TILE; place < (tile + 1) * WEFT__TILE; ++place) {
    const uint32_t particle = cloth->particle[place];
    // what is no number stays that
    t->split[place] = t->radius[place] - t->radius[place];
    if (particle == WEFT__NONE) continue;
    t->split[place] += reach[particle];
    t->at[0][place] = p->pos_x[particle];
    t->at[1][place] = p->pos_y[particle];
    t->at[2][place] = p->pos_z[particle];
    for (int axis = 0; axis < 3; ++axis) from[axis][place] = start[axis][particle];
  }
}

static void mark(const weft__cloth* cloth, uint32_t tile, uint32_t lanes, uint8_t* danger) {
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const uint32_t particle = cloth->particle[tile * WEFT__TILE + lane];
    if (particle != WEFT__NONE) danger[particle] = lanes >> lane & 1u;
  }
}

void weft__cloth_find_danger(weft__cloth* cloth, const weft__contact_stage* stage,
                             const float* start_x, const float* start_y, const float* start_z,
                             const float* reach, uint8_t* danger) {
  const weft__range own = own_tiles(cloth, stage);
  const float* const start[3] = {start_x, start_y, start_z};
  // the same tiles, by other radii
  weft__cloth_tiles tiles = cloth->tiles;
  tiles.radius = cloth->tiles.split;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    gather(cloth, stage->particles, start, reach, tile);
    stage->kernels->measure_tile(&tiles, tile, tiles.turns[0].start);
  }
  weft__worker_pool_meet(stage->pool);
  weft__tile_boxes_refit(&tiles.boxes, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    uint32_t lanes = 0;
    if (cloth->has_cloth[tile]) {
      lanes = stage->kernels->endanger_tile(&tiles, tile, tiles.turns[0].start);
    }
    mark(cloth, tile, lanes, danger);
  }
  weft__worker_pool_meet(stage->pool);
}
