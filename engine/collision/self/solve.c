#include "collision/self/solve.h"

#include <string.h>

#include "collision/self/body_pairs.h"
#include "collision/self/read_ahead.h"
#include "collision/self/squeeze.h"
#include "collision/self/surfaces.h"
#include "forces/faces.h"

// Rounds for three sheets that fall on a floor at 60 steps a second; two at shorter steps.
#define MAX_ROUNDS 3
#define SHORT_STEP 0.005f
// Radii per second, at which old overlaps are pushed out.
#define PUSH_RATE 3.0f
// Seconds in which the push factor changes by a factor e: solve.h.
#define FADE_TIME 0.5f
#define GROW_TIME 0.2f
#define SOLVE_GRAIN WEFT__GRAIN(16u, 1u)

typedef struct solve {
  weft__self* self;
  const weft__step_context* step;
  const uint8_t* tangled;  // by particle, NULL: none
  weft__tile_round round;
} solve;

static void gather_previous(weft__self* self, const weft__particles* particles, uint32_t tile) {
  // copies stay in registers
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

// Radii of tangled particles: 0 while contacts are solved. Other tiles read them from the records
// of prepare_tile().
static void set_tangled_radii(const weft__self* self, const uint8_t* tangled, uint32_t tile,
                              bool has_thickness) {
  if (tangled == NULL) return;
  for (uint32_t place = tile * WEFT__TILE; place < (tile + 1) * WEFT__TILE; ++place) {
    const uint32_t particle = self->particle[place];
    if (particle == WEFT__NONE || !tangled[particle]) continue;
    // NaN stays: no cloth
    if (self->tiles.radius[place] >= 0.0f)
      self->tiles.radius[place] = has_thickness ? self->shapes.bounding_radius[place] : 0.0f;
  }
}

static void prepare_tiles(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const solve* s = context;
  weft__self* self = s->self;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (!weft__self_is_active(self, tile)) continue;
    gather_previous(self, s->step->particles, tile);
    set_tangled_radii(self, s->tangled, tile, false);
    if (self->tiles.max_range > 0.0f) weft__self_update_normals(self, s->step, tile);
    s->step->kernels->prepare_tile(&self->tiles, tile, self->solved_in[tile] + 1 == self->substep);
  }
}

static void find_contacts(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const solve* s = context;
  weft__self* self = s->self;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    self->tiles.slot_count[tile] = 0;
    if (self->tiles.row_count[tile] > 0) s->step->kernels->find_tile_contacts(&self->tiles, tile);
    if (weft__self_has_body_pairs(self, tile)) weft__self_count_body_contacts(self, s->step, tile);
  }
}

// Support by contacts, of a tile without any.
static void clear_carried(const weft__self_tiles* tiles, uint32_t tile) {
  for (int axis = 0; axis < 3; ++axis) {
    memset(tiles->carried[axis] + (size_t)tile * WEFT__TILE, 0, sizeof(float[WEFT__TILE]));
  }
}

static bool has_contacts(const weft__self* self, uint32_t tile) {
  return self->tiles.slot_count[tile] > 0 || weft__self_has_body_pairs(self, tile);
}

static void scatter(const weft__self* self, const weft__particles* particles, uint32_t tile,
                    const weft__tile_state* turn) {
  weft__particles p = *particles;
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

// The last round writes positions back, which no other tile reads.
static void run_round(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const solve* s = context;
  weft__self* self = s->self;
  float extra[9 * WEFT__TILE];
  weft__tile_round round = s->round;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    weft__self_read_ahead(self, tile, s->round.now);
    if (!weft__self_is_active(self, tile)) continue;
    if (has_contacts(self, tile)) {
      round.more = NULL;
      if (weft__self_has_body_pairs(self, tile)) {
        weft__self_solve_body_pairs(self, s->step, tile, &round, extra);
        round.more = extra;
      }
      s->step->kernels->solve_tile(&self->tiles, tile, &round);
      if (round.is_last) {
        scatter(self, s->step->particles, tile,
                weft__tile_round_keeps_start(&round) ? round.now : round.next);
      }
    } else if (round.is_first) {
      clear_carried(&self->tiles, tile);
    }
    if (!round.is_last) continue;
    self->solved_in[tile] = self->substep;
    set_tangled_radii(self, s->tangled, tile, true);
  }
}

// Keeps the positions after contacts; the next substep gathers into the other columns.
static void swap_positions(weft__self_tiles* t) {
  for (int axis = 0; axis < 3; ++axis) {
    float* left = t->at[axis];
    t->at[axis] = t->left[axis];
    t->left[axis] = left;
  }
}

static void mark_places(const void* table, const weft__domain* domain, uint8_t* marks) {
  const weft__self_tiles* t = &((const weft__self*)table)->tiles;
  for (uint32_t tile = domain->tiles.begin; tile < domain->tiles.end; ++tile) {
    const weft__tile_row* rows = t->rows + t->row_first[tile];
    for (uint32_t r = 0; r < t->row_count[tile]; ++r) marks[rows[r].place] = 1;
  }
}

const weft__halo_rows weft__place_rows = {.mark = mark_places};

#define RECORD(name) WEFT__SENT_TIMES(weft__self, tiles.name, 4)

static const weft__column prepared_columns[] = {
    WEFT__SENT_VECTOR(weft__self, tiles.at),
    RECORD(turns[0].seen),
    RECORD(support),
    RECORD(friction),
    RECORD(surface),
    RECORD(turns[1].start),
};
static const weft__column weighed_columns[] = {RECORD(turns[0].start), RECORD(friction)};
static const weft__column round_columns[] = {
    RECORD(turns[0].seen),
    RECORD(turns[0].start),
    RECORD(turns[1].seen),
    RECORD(turns[1].start),
};

// The last two columns are of contacts along surfaces.
static const weft__table prepared = {.columns = prepared_columns, .count = 4},
                         prepared_with_surfaces = WEFT__TABLE(prepared_columns),
                         weighed = WEFT__TABLE(weighed_columns);
// by the turn that a round has written
static const weft__table written[2] = {{.columns = round_columns, .count = 2},
                                       {.columns = round_columns + 2, .count = 2}};

static void read_places(const weft__self* self, const weft__table* columns) {
  const weft__halo_read read = {&weft__place_rows, columns};
  weft__domain_read(self->domain, &read, self);
}

static const weft__halo_read corners = {&weft__face_rows, &weft__particle_positions};

// Tells other processes the particles that own tiles read.
static void begin_halo(weft__self* self, const weft__particles* particles) {
  const weft__domain* domain = self->domain;
  if (!self->has_ghosts && domain != NULL)
    domain->mark_again(domain->context, &weft__place_rows, self);
  self->has_ghosts = true;
  if (self->tiles.max_range > 0.0f) weft__domain_read(domain, &corners, particles);
}

void weft__self_solve_contacts(weft__self* self, const weft__step_context* step,
                               const uint8_t* tangled, const weft__self_supports* supports) {
  const weft__range own = weft__self_own(self);
  const bool has_surfaces = self->tiles.max_range > 0.0f;
  solve s = {self, step, tangled, {.push = PUSH_RATE * step->h}};
  if (!(s.round.push < 1.0f)) s.round.push = 1.0f;
  s.round.fade = 1.0f / (1.0f + step->h / FADE_TIME);
  s.round.grow = 1.0f + step->h / GROW_TIME;
  begin_halo(self, step->particles);
  weft__step_for_range(step, own, WEFT__SELF_TILE_GRAIN, prepare_tiles, &s);
  read_places(self, has_surfaces ? &prepared_with_surfaces : &prepared);
  weft__step_for_range(step, own, SOLVE_GRAIN, find_contacts, &s);
  read_places(self, &weighed);
  if (supports != NULL) weft__self_find_squeezed(self, step, supports);
  // a few rounds over the rows of 16 lanes
  weft__step_spend(step, 2 * (uint64_t)self->lists.pair_count);
  const int rounds = step->h > SHORT_STEP ? MAX_ROUNDS : MAX_ROUNDS - 1;
  for (int k = 0; k < rounds; ++k) {
    s.round.now = &self->tiles.turns[k % 2];
    s.round.next = &self->tiles.turns[(k + 1) % 2];
    s.round.is_first = k == 0;
    s.round.is_last = k + 1 == rounds;
    weft__step_for_range(step, own, SOLVE_GRAIN, run_round, &s);
    if (!s.round.is_last) read_places(self, &written[(k + 1) % 2]);
  }
  swap_positions(&self->tiles);
}
