#include "collision/self/solve.h"

#include "collision/self/particle_pairs.h"

// Three sheets that fall on a floor at 60 steps a second need three of them; in shorter steps two do.
#define MOST_ROUNDS 3
#define SHORT_STEP 0.005f
// of the radii, each second: how fast those move apart that have overlapped before
#define PUSH_RATE 3.0f
// seconds in which a push that links undo falls, and one that lasts grows, by a factor e
#define FADE_TIME 0.5f
#define GROW_TIME 0.2f

static weft__range own_tiles(const weft__self* cloth, const weft__contact_stage* stage) {
  return weft__share(cloth->tiles.tile_count, stage->worker, stage->worker_count);
}

static void gather_starts(weft__self* cloth, const weft__particles* particles, uint32_t tile) {
  // copies, that stay in registers
  const weft__particles p = *particles;
  const size_t first = (size_t)tile * WEFT__TILE;
  const uint32_t* of = cloth->particle + first;
  float* start = cloth->tiles.turns[0].start + first * 4;
  float* inv_mass = cloth->tiles.inv_mass + first;
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane, start += 4) {
    const uint32_t particle = of[lane];
    if (particle == WEFT__NONE) continue;
    start[0] = p.prev_x[particle];
    start[1] = p.prev_y[particle];
    start[2] = p.prev_z[particle];
    inv_mass[lane] = p.inv_mass[particle];
  }
}

static void ready(weft__self* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!weft__self_is_active(cloth, tile)) continue;
    gather_starts(cloth, stage->particles, tile);
    stage->kernels->ready_tile(&cloth->tiles, tile, cloth->left_in[tile] + 1 == cloth->substep);
  }
}

static void touch(weft__self* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    cloth->tiles.slot_count[tile] = 0;
    if (cloth->tiles.row_count[tile] > 0) stage->kernels->touch_tile(&cloth->tiles, tile);
    if (weft__self_has_touches(cloth, tile)) weft__self_solve_particle_pairs(cloth, stage, tile);
  }
}

static bool is_moved(const weft__self* cloth, uint32_t tile) {
  return cloth->tiles.slot_count[tile] > 0 || weft__self_has_touches(cloth, tile);
}

static void take_round(weft__self* cloth, const weft__contact_stage* stage,
                       const weft__tile_round* all) {
  const weft__range own = own_tiles(cloth, stage);
  float more[9 * WEFT__TILE];
  weft__tile_round round = *all;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!is_moved(cloth, tile)) continue;
    round.more = NULL;
    if (weft__self_has_touches(cloth, tile)) {
      weft__self_separate_particles(cloth, stage, tile, &round, more);
      round.more = more;
    }
    stage->kernels->part_tile(&cloth->tiles, tile, &round);
  }
}

static void scatter(const weft__self* cloth, const weft__particles* particles, uint32_t tile,
                    const weft__tile_turn* turn) {
  const weft__particles p = *particles;
  const size_t first = (size_t)tile * WEFT__TILE;
  const uint32_t* of = cloth->particle + first;
  const float* inv_mass = cloth->tiles.inv_mass + first;
  const float* start = turn->start + first * 4;
  float* const at[3] = {cloth->tiles.at[0] + first, cloth->tiles.at[1] + first,
                        cloth->tiles.at[2] + first};
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane, start += 4) {
    const uint32_t particle = of[lane];
    if (particle == WEFT__NONE || !(inv_mass[lane] > 0.0f)) continue;
    p.pos_x[particle] = at[0][lane];
    p.pos_y[particle] = at[1][lane];
    p.pos_z[particle] = at[2][lane];
    p.prev_x[particle] = start[0];
    p.prev_y[particle] = start[1];
    p.prev_z[particle] = start[2];
  }
}

static void leave(weft__self* cloth, const weft__contact_stage* stage,
                  const weft__tile_turn* turn) {
  const weft__range own = own_tiles(cloth, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!weft__self_is_active(cloth, tile)) continue;
    if (is_moved(cloth, tile)) scatter(cloth, stage->particles, tile, turn);
    cloth->left_in[tile] = cloth->substep;
  }
}

// completion: positions after contacts stay as they are, the next substep gathers into the other columns
static uint32_t swap_left(void* context) {
  weft__self* cloth = context;
  weft__self_tiles* t = &cloth->tiles;
  for (int axis = 0; axis < 3; ++axis) {
    float* left = t->at[axis];
    t->at[axis] = t->left[axis];
    t->left[axis] = left;
  }
  ++cloth->substep;
  return 0;
}

void weft__self_separate(weft__self* cloth, const weft__contact_stage* stage) {
  ready(cloth, stage);
  weft__worker_pool_meet(stage->pool);
  touch(cloth, stage);
  weft__worker_pool_meet(stage->pool);
  weft__tile_round round = {.push = PUSH_RATE * stage->h};
  if (!(round.push < 1.0f)) round.push = 1.0f;
  round.fade = 1.0f / (1.0f + stage->h / FADE_TIME);
  round.grow = 1.0f + stage->h / GROW_TIME;
  const int rounds = stage->h > SHORT_STEP ? MOST_ROUNDS : MOST_ROUNDS - 1;
  for (int k = 0; k < rounds; ++k) {
    round.now = &cloth->tiles.turns[k % 2];
    round.next = &cloth->tiles.turns[(k + 1) % 2];
    round.is_first = k == 0;
    round.is_last = k + 1 == rounds;
    take_round(cloth, stage, &round);
    if (k + 1 < rounds) weft__worker_pool_meet(stage->pool);
  }
  leave(cloth, stage, round.next);
  (void)weft__worker_pool_decide(stage->pool, swap_left, cloth);
}
