#include "cloth/apart.h"

#include "cloth/touch.h"

// Three sheets that fall on a floor at 60 steps a second need three of them; in shorter steps two do.
#define MOST_ROUNDS 3
#define SHORT_STEP 0.005f
// of the radii, each second: how fast those move apart that have overlapped before
#define PUSH_RATE 3.0f

static weft__range own_tiles(const weft__cloth* cloth, const weft__contact_stage* stage) {
  return weft__share(cloth->tiles.tile_count, stage->worker, stage->worker_count);
}

static void gather_starts(weft__cloth* cloth, const weft__particles* p, uint32_t tile) {
  for (uint32_t place = tile * WEFT__TILE; place < (tile + 1) * WEFT__TILE; ++place) {
    const uint32_t particle = cloth->particle[place];
    if (particle == WEFT__NONE) continue;
    float* start = cloth->tiles.turns[0].start + (size_t)place * 4;
    start[0] = p->prev_x[particle];
    start[1] = p->prev_y[particle];
    start[2] = p->prev_z[particle];
    cloth->tiles.inv_mass[place] = p->inv_mass[particle];
  }
}

static void ready(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!weft__cloth_is_active(cloth, tile)) continue;
    gather_starts(cloth, stage->particles, tile);
    stage->kernels->ready_tile(&cloth->tiles, tile, cloth->left_in[tile] + 1 == cloth->substep);
  }
}

static void touch(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    cloth->tiles.slot_count[tile] = 0;
    if (cloth->tiles.row_count[tile] > 0) stage->kernels->touch_tile(&cloth->tiles, tile);
    if (weft__cloth_has_touches(cloth, tile)) weft__cloth_touch_bodies(cloth, stage, tile);
  }
}

static bool is_moved(const weft__cloth* cloth, uint32_t tile) {
  return cloth->tiles.slot_count[tile] > 0 || weft__cloth_has_touches(cloth, tile);
}

static void take_round(weft__cloth* cloth, const weft__contact_stage* stage,
                       const weft__tile_round* all) {
  const weft__range own = own_tiles(cloth, stage);
  float more[9 * WEFT__TILE];
  weft__tile_round round = *all;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!is_moved(cloth, tile)) continue;
    round.more = NULL;
    if (weft__cloth_has_touches(cloth, tile)) {
      weft__cloth_part_bodies(cloth, stage, tile, &round, more);
      round.more = more;
    }
    stage->kernels->part_tile(&cloth->tiles, tile, &round);
  }
}

static void scatter(weft__cloth* cloth, const weft__particles* p, uint32_t tile,
                    const weft__tile_turn* turn) {
  const weft__cloth_tiles* t = &cloth->tiles;
  for (uint32_t place = tile * WEFT__TILE; place < (tile + 1) * WEFT__TILE; ++place) {
    const uint32_t particle = cloth->particle[place];
    if (particle == WEFT__NONE || !(t->inv_mass[place] > 0.0f)) continue;
    p->pos_x[particle] = t->at[0][place];
    p->pos_y[particle] = t->at[1][place];
    p->pos_z[particle] = t->at[2][place];
    const float* start = turn->start + (size_t)place * 4;
    p->prev_x[particle] = start[0];
    p->prev_y[particle] = start[1];
    p->prev_z[particle] = start[2];
  }
}

static void leave(weft__cloth* cloth, const weft__contact_stage* stage,
                  const weft__tile_turn* turn) {
  const weft__range own = own_tiles(cloth, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!weft__cloth_is_active(cloth, tile)) continue;
    if (is_moved(cloth, tile)) scatter(cloth, stage->particles, tile, turn);
    cloth->left_in[tile] = cloth->substep;
    for (int axis = 0; axis < 3; ++axis) {
      const float* at = cloth->tiles.at[axis] + (size_t)tile * WEFT__TILE;
      float* left = cloth->tiles.left[axis] + (size_t)tile * WEFT__TILE;
      for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) left[lane] = at[lane];
    }
  }
}

void weft__cloth_part(weft__cloth* cloth, const weft__contact_stage* stage) {
  ready(cloth, stage);
  weft__worker_pool_meet(stage->pool);
  touch(cloth, stage);
  weft__worker_pool_meet(stage->pool);
  weft__tile_round round = {.push = PUSH_RATE * stage->h};
  if (!(round.push < 1.0f)) round.push = 1.0f;
  const int rounds = stage->h > SHORT_STEP ? MOST_ROUNDS : MOST_ROUNDS - 1;
  for (int k = 0; k < rounds; ++k) {
    round.now = &cloth->tiles.turns[k % 2];
    round.next = &cloth->tiles.turns[(k + 1) % 2];
    round.is_first = k == 0;
    take_round(cloth, stage, &round);
    if (k + 1 < rounds) weft__worker_pool_meet(stage->pool);
  }
  leave(cloth, stage, round.next);
  weft__worker_pool_meet(stage->pool);
  if (stage->worker == 0) ++cloth->substep;
}
