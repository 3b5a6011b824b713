#include "collision/self/solve.h"

#include "collision/self/body_pairs.h"

// Three sheets that fall on a floor at 60 steps a second need three rounds; at shorter steps two
// suffice.
#define MAX_ROUNDS 3
#define SHORT_STEP 0.005f
// Speed at which old overlaps are pushed out: radii per second.
#define PUSH_RATE 3.0f
// Seconds in which the push factor falls, or grows, by a factor e: see solve.h.
#define FADE_TIME 0.5f
#define GROW_TIME 0.2f

static void gather_previous(weft__self* self, const weft__particles* particles, uint32_t tile) {
  // copies that the compiler keeps in registers
  const weft__particles p = *particles;
  const size_t first = (size_t)tile * WEFT__TILE;
  const uint32_t* of = self->particle + first;
  float* start = self->tiles.turns[0].start + first * 4;
  float* inv_mass = self->tiles.inv_mass + first;
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane, start += 4) {
    const uint32_t particle = of[lane];
    if (particle == WEFT__NONE) continue;
    start[0] = p.prev_x[particle];
    start[1] = p.prev_y[particle];
    start[2] = p.prev_z[particle];
    inv_mass[lane] = p.inv_mass[particle];
  }
}

static void prepare(weft__self* self, const weft__stage* stage) {
  const weft__range own = weft__self_own_tiles(self, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!weft__self_is_active(self, tile)) continue;
    gather_previous(self, stage->particles, tile);
    stage->kernels->prepare_tile(&self->tiles, tile, self->solved_in[tile] + 1 == self->substep);
  }
}

static void find_contacts(weft__self* self, const weft__stage* stage) {
  const weft__range own = weft__self_own_tiles(self, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    self->tiles.slot_count[tile] = 0;
    if (self->tiles.row_count[tile] > 0) stage->kernels->find_tile_contacts(&self->tiles, tile);
    if (weft__self_has_body_pairs(self, tile)) weft__self_count_body_contacts(self, stage, tile);
  }
}

static bool has_contacts(const weft__self* self, uint32_t tile) {
  return self->tiles.slot_count[tile] > 0 || weft__self_has_body_pairs(self, tile);
}

static void run_round(weft__self* self, const weft__stage* stage, const weft__tile_round* common) {
  const weft__range own = weft__self_own_tiles(self, stage);
  float extra[9 * WEFT__TILE];
  weft__tile_round round = *common;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!has_contacts(self, tile)) continue;
    round.more = NULL;
    if (weft__self_has_body_pairs(self, tile)) {
      weft__self_solve_body_pairs(self, stage, tile, &round, extra);
      round.more = extra;
    }
    stage->kernels->solve_tile(&self->tiles, tile, &round);
  }
}

static void scatter(const weft__self* self, const weft__particles* particles, uint32_t tile,
                    const weft__tile_state* turn) {
  const weft__particles p = *particles;
  const size_t first = (size_t)tile * WEFT__TILE;
  const uint32_t* of = self->particle + first;
  const float* inv_mass = self->tiles.inv_mass + first;
  const float* start = turn->start + first * 4;
  float* const at[3] = {self->tiles.at[0] + first, self->tiles.at[1] + first,
                        self->tiles.at[2] + first};
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

static void write_back(weft__self* self, const weft__stage* stage, const weft__tile_state* turn) {
  const weft__range own = weft__self_own_tiles(self, stage);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!weft__self_is_active(self, tile)) continue;
    if (has_contacts(self, tile)) scatter(self, stage->particles, tile, turn);
    self->solved_in[tile] = self->substep;
  }
}

// completion: positions after contacts are kept, the next substep gathers into the other columns
static uint32_t swap_positions(void* context) {
  weft__self* self = context;
  weft__self_tiles* t = &self->tiles;
  for (int axis = 0; axis < 3; ++axis) {
    float* left = t->at[axis];
    t->at[axis] = t->left[axis];
    t->left[axis] = left;
  }
  ++self->substep;
  return 0;
}

void weft__self_solve_contacts(weft__self* self, const weft__stage* stage) {
  prepare(self, stage);
  weft__stage_barrier(stage);
  find_contacts(self, stage);
  weft__stage_barrier(stage);
  weft__tile_round round = {.push = PUSH_RATE * stage->h};
  if (!(round.push < 1.0f)) round.push = 1.0f;
  round.fade = 1.0f / (1.0f + stage->h / FADE_TIME);
  round.grow = 1.0f + stage->h / GROW_TIME;
  const int rounds = stage->h > SHORT_STEP ? MAX_ROUNDS : MAX_ROUNDS - 1;
  for (int k = 0; k < rounds; ++k) {
    round.now = &self->tiles.turns[k % 2];
    round.next = &self->tiles.turns[(k + 1) % 2];
    round.is_first = k == 0;
    round.is_last = k + 1 == rounds;
    run_round(self, stage, &round);
    if (k + 1 < rounds) weft__stage_barrier(stage);
  }
  write_back(self, stage, round.next);
  (void)weft__stage_decide(stage, swap_positions, self);
}
