#include "collision/self/solve.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"
#include "collision/colliders/planes.h"
#include "collision/self/body_pairs.h"

// Radii per second, at which overlaps are pushed out that were given, and for how long.
#define PUSH_RATE 3.0f
#define GIVEN_TIME 2.0f
// of the contact distance: pairs this close overlap, more than a load presses them
#define GIVEN_SHARE 0.95f
#define SOLVE_GRAIN WEFT__GRAIN(4u, 1u)

typedef struct loading {
  weft__self* self;
  const weft__step_context* step;
  const uint8_t* tangled;  // by particle, NULL: none
  bool with_start;
} loading;

static bool is_given(const weft__self* self, uint32_t given_in, float h) {
  return given_in != 0 && given_in != WEFT__SELF_PLACED &&
         (float)(self->substep - given_in) * h < GIVEN_TIME;
}

// See weft__self_tiles.friction.
static float largest_push(const weft__self* self, uint32_t place, float h) {
  const bool is_surface = self->tiles.surface[(size_t)place * 4 + 3] != 0.0f;
  if (!is_given(self, self->given_in[place], h))
    return (is_surface ? WEFT__MAX_SURFACE_PUSH_SPEED : WEFT__MAX_PUSH_SPEED) * h;
  return -PUSH_RATE * self->shapes.bounding_radius[place] * h;
}

static void load_place(const loading* l, uint32_t place) {
  weft__self* self = l->self;
  const uint32_t particle = self->particle[place];
  if (particle == WEFT__NONE) return;
  const weft__particles* p = l->step->particles;
  float* now = self->tiles.now + (size_t)place * 4;
  float* start = self->tiles.start + (size_t)place * 4;
  for (int axis = 0; axis < 3; ++axis) {
    now[axis] = self->tiles.at[axis][place];
    start[axis] = p->prev[axis][particle];
  }
  start[3] = p->inv_mass[particle];
  const float radius = self->tiles.radius[place];
  const bool is_tangled = l->tangled != NULL && l->tangled[particle];
  if (is_tangled) self->given_in[place] = self->substep;
  now[3] = is_tangled ? NAN : radius > 0.0f ? radius : 0.0f;
  self->tiles.friction[(size_t)place * 4 + 3] = largest_push(self, place, l->step->h);
}

static void load_tiles(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const loading* l = context;
  weft__self* self = l->self;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (!weft__self_is_active(self, tile)) continue;
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) load_place(l, tile * WEFT__TILE + lane);
  }
}

void weft__self_load_records(weft__self* self, const weft__step_context* step,
                             const uint8_t* tangled) {
  loading l = {.self = self, .step = step, .tangled = tangled};
  if (tangled != NULL) self->last_given = self->substep;
  weft__step_for(step, self->tiles.tile_count, WEFT__SELF_TILE_GRAIN, load_tiles, &l);
}

static void anchor_tiles(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const loading* l = context;
  weft__self* self = l->self;
  const weft__particles* p = l->step->particles;
  for (uint32_t place = tiles.begin * WEFT__TILE; place < tiles.end * WEFT__TILE; ++place) {
    if (self->particle[place] != WEFT__NONE)
      weft__load3(p->prev, self->particle[place], self->tiles.anchor + (size_t)place * 4);
  }
}

void weft__self_set_anchors(weft__self* self, const weft__step_context* step) {
  loading l = {.self = self, .step = step};
  weft__step_for(step, self->tiles.tile_count, WEFT__SELF_TILE_GRAIN, anchor_tiles, &l);
}

static float dot(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// True if the ends overlap at the start of the substep.
static bool overlaps(const weft__self_tiles* t, uint32_t a, uint32_t b) {
  const float *from = t->start + (size_t)a * 4, *to = t->start + (size_t)b * 4;
  const float *rest_a = t->rest + (size_t)a * 4, *rest_b = t->rest + (size_t)b * 4;
  const float* along = t->surface + (size_t)a * 4;
  const float range = weft__maxf(fabsf(along[3]), fabsf(t->surface[(size_t)b * 4 + 3]));
  const float radii = t->now[(size_t)a * 4 + 3] + t->now[(size_t)b * 4 + 3];
  float reach = GIVEN_SHARE * radii;
  float between[3], at_rest[3];
  for (int axis = 0; axis < 3; ++axis) {
    between[axis] = from[axis] - to[axis];
    at_rest[axis] = rest_a[axis] - rest_b[axis];
  }
  const bool is_one = rest_a[3] == rest_b[3];
  const float far = radii + WEFT__FOLD_RANGES * range;
  const bool is_close = is_one && dot(at_rest, at_rest) < far * far;
  if (is_one) reach = weft__minf(reach, GIVEN_SHARE * sqrtf(dot(at_rest, at_rest)));
  const float sq = dot(between, between), height = dot(between, along);
  const bool by_surface = along[3] != 0.0f && !is_close && height * height < reach * reach &&
                          sq - height * height < range * range;
  return sq < reach * reach || by_surface;
}

void weft__self_mark_given(weft__self* self, uint32_t place) {
  if (self->given_in[place] != WEFT__SELF_PLACED) return;
  self->given_in[place] = self->last_given = self->substep;
}

void weft__self_find_given(weft__self* self, const weft__step_context* step) {
  const weft__self_contacts* c = &self->contacts;
  for (uint32_t row = 0; row < c->count; ++row) {
    const uint32_t a = c->rows.a[row] / 2, b = c->rows.b[row] / 2;
    if (!overlaps(&self->tiles, a, b)) continue;
    weft__self_mark_given(self, a);
    weft__self_mark_given(self, b);
  }
  weft__self_find_given_by_bodies(self, step);
  // tiles beyond the capacity are listed later
  const uint32_t end = self->lists.tile_end * WEFT__TILE;
  self->has_placed = self->lists.tile_end < self->tiles.tile_count;
  for (uint32_t place = 0; place < self->tiles.tile_count * WEFT__TILE; ++place) {
    if (self->given_in[place] == WEFT__SELF_PLACED && place < end) self->given_in[place] = 0;
    self->tiles.friction[(size_t)place * 4 + 3] = largest_push(self, place, step->h);
  }
  // rows have copies of the limits
  step->kernels->begin_contact_rows(&self->tiles, &c->rows, 0, c->count);
}

// Reads what other constraints have moved since.
static void load_tile_again(const loading* l, uint32_t tile) {
  // copies stay in registers
  const weft__particles p = *l->step->particles;
  const size_t first = (size_t)tile * WEFT__TILE;
  const uint32_t* of = l->self->particle + first;
  float* now = l->self->tiles.now + first * 4;
  float* start = l->self->tiles.start + first * 4;
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane, now += 4, start += 4) {
    const uint32_t i = of[lane];
    if (i == WEFT__NONE) continue;
    now[0] = p.pos_x[i];
    now[1] = p.pos_y[i];
    now[2] = p.pos_z[i];
    start[0] = p.prev_x[i];
    start[1] = p.prev_y[i];
    start[2] = p.prev_z[i];
  }
}

static void load_again(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const loading* l = context;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (weft__self_touches(l->self, tile)) load_tile_again(l, tile);
  }
}

// with_start: the starts of the substep, too.
static void store_tile(const loading* l, uint32_t tile) {
  // copies stay in registers
  const weft__particles p = *l->step->particles;
  const size_t first = (size_t)tile * WEFT__TILE;
  const uint32_t* of = l->self->particle + first;
  const float* now = l->self->tiles.now + first * 4;
  const float* start = l->self->tiles.start + first * 4;
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane, now += 4, start += 4) {
    const uint32_t i = of[lane];
    if (i == WEFT__NONE || !(start[3] > 0.0f)) continue;
    p.pos_x[i] = now[0];
    p.pos_y[i] = now[1];
    p.pos_z[i] = now[2];
    if (!l->with_start) continue;
    p.prev_x[i] = start[0];
    p.prev_y[i] = start[1];
    p.prev_z[i] = start[2];
  }
}

static void store_tiles(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const loading* l = context;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (weft__self_touches(l->self, tile)) store_tile(l, tile);
  }
}

static void store(weft__self* self, const weft__step_context* step, bool with_start) {
  loading l = {.self = self, .step = step, .with_start = with_start};
  weft__step_for(step, self->tiles.tile_count, WEFT__SELF_TILE_GRAIN, store_tiles, &l);
}

typedef struct pass {
  weft__self* self;
  const weft__step_context* step;
  bool is_backward;
  uint32_t first_chunk;
} pass;

static void solve_chunk(const pass* t, const weft__row_chunk* chunk) {
  const weft__self* self = t->self;
  for (uint32_t k = 0; k < chunk->layer_count; ++k) {
    const uint32_t layer = t->is_backward ? chunk->layer_count - 1 - k : k;
    const uint32_t begin = layer == 0 ? 0 : chunk->layer_end[layer - 1];
    const uint32_t end = chunk->layer_end[layer];
    t->step->kernels->solve_contact_rows(&self->tiles, &self->contacts.rows,
                                         chunk->first_row + begin, chunk->first_row + end);
  }
}

static void solve_chunks(void* context, weft__range chunks, uint32_t worker) {
  (void)worker;
  const pass* t = context;
  for (uint32_t k = chunks.begin; k < chunks.end; ++k)
    solve_chunk(t, &t->self->contacts.chunks[t->first_chunk + k]);
}

static void solve_colour(pass* t, uint32_t colour) {
  const weft__self_contacts* c = &t->self->contacts;
  t->first_chunk = c->first_chunk[colour];
  const uint32_t count = c->first_chunk[colour + 1] - t->first_chunk;
  if (colour + 1 < WEFT__BLOCK_COLOURS) {
    weft__step_for(t->step, count, SOLVE_GRAIN, solve_chunks, t);
    return;
  }
  for (uint32_t k = 0; k < count; ++k)
    solve_chunk(t, &c->chunks[t->first_chunk + (t->is_backward ? count - 1 - k : k)]);
}

static void solve_rows(weft__self* self, const weft__step_context* step, bool is_backward) {
  pass t = {.self = self, .step = step, .is_backward = is_backward};
  const uint32_t colours = self->contacts.colour_count;
  for (uint32_t k = 0; k < colours; ++k) solve_colour(&t, is_backward ? colours - 1 - k : k);
  if (!is_backward) weft__self_solve_body_pairs(self, step, false);
}

static void solve_tile_planes(void* context, weft__range tiles, uint32_t worker) {
  const loading* l = context;
  const weft__self* self = l->self;
  const weft__step_context* step = l->step;
  const float allowed = WEFT__MAX_SURFACE_PUSH_SPEED * step->h;
  const bool is_recorded = weft__collider_contacts_are_recorded(step);
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    const uint32_t lanes = self->plane_lanes[tile];
    if (lanes == 0) continue;
    weft__tile_changes changes;
    step->kernels->solve_planes(&self->tiles, tile, lanes, &self->planes[tile], allowed, &changes);
    if (is_recorded) weft__record_planes(step, worker, tile, &changes);
  }
}

static void solve_planes(weft__self* self, const weft__step_context* step) {
  loading l = {.self = self, .step = step};
  if (!self->has_planes) return;
  weft__step_for(step, self->tiles.tile_count, WEFT__SELF_TILE_GRAIN, solve_tile_planes, &l);
}

static void solve_backward(weft__self* self, const weft__step_context* step) {
  weft__self_solve_body_pairs(self, step, true);
  if (self->body_pairs.count > 0) solve_planes(self, step);
  solve_rows(self, step, true);
  solve_planes(self, step);
}

static void add_bounds_planes(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  const loading* l = context;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (weft__self_touches(l->self, tile)) weft__add_bounds_planes(l->self, l->step->bounds, tile);
  }
}

// Stored where the collider stage reads it.
void weft__self_begin_solve(weft__self* self, const weft__step_context* step) {
  weft__contact_rows* rows = &self->contacts.rows;
  rows->gives = is_given(self, self->last_given, step->h);
  solve_rows(self, step, false);
  if (step->colliders->count > 0) store(self, step, rows->gives);
}

void weft__self_solve_first(weft__self* self, const weft__step_context* step) {
  loading l = {.self = self, .step = step};
  if (self->has_planes && step->bounds->on)
    weft__step_for(step, self->tiles.tile_count, WEFT__SELF_TILE_GRAIN, add_bounds_planes, &l);
  solve_planes(self, step);
  // the starts, too, where they were moved
  store(self, step, self->contacts.rows.gives || step->colliders->count > 0);
  self->contacts.rows.gives = false;
}

void weft__self_solve_again(weft__self* self, const weft__step_context* step) {
  loading l = {.self = self, .step = step};
  weft__step_for(step, self->tiles.tile_count, WEFT__SELF_TILE_GRAIN, load_again, &l);
  solve_rows(self, step, false);
  solve_planes(self, step);
  solve_backward(self, step);
  store(self, step, false);
}

static void mark_touching(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  weft__self* self = context;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    self->plane_lanes[tile] = 0;
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
      const uint32_t particle = self->particle[tile * WEFT__TILE + lane];
      if (particle != WEFT__NONE)
        self->touching[particle] = (uint8_t)((uint32_t)self->contacts.lanes[tile] >> lane & 1u);
    }
  }
}

void weft__self_mark_touching(weft__self* self, const weft__step_context* step) {
  weft__step_for(step, self->tiles.tile_count, WEFT__SELF_TILE_GRAIN, mark_touching, self);
}
