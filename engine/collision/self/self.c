#include "collision/self/self.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "collision/self/neighbors.h"
#include "collision/self/particle_pairs.h"
#include "collision/self/solve.h"
#include "collision/self/tiles.h"

// Pairs for each particle, unless limits say otherwise: cloth that lies in many folds has up to ten. A row has two or
// three at both ends of each, so there are rather less of these.
#define PAIRS_A_PARTICLE 12u
// Of the largest radius of cloth. Half of it lists a third more pairs than touch in folded cloth, and none of
// those that are a link apart; less has to be made anew more often.
#define SKIN 0.5f
// ways grow by this much, so that radii that grow one by one do not list them each time
#define REACH_GROWTH 1.25f

// ---- room ----

static void place_axes(weft__arena* arena, float* axes[3], size_t count) {
  for (int axis = 0; axis < 3; ++axis) axes[axis] = weft__arena_take(arena, count, sizeof(float));
}

static void place_levels(weft__tile_boxes* boxes, uint32_t tile_count, weft__arena* arena) {
  uint32_t count = tile_count;
  uint32_t first = 0;
  boxes->level_count = 0;
  for (;;) {
    boxes->first[boxes->level_count] = first;
    boxes->count[boxes->level_count++] = count;
    first += (uint32_t)weft__round_up(count, WEFT__TILE);
    if (count <= WEFT__TILE) break;
    count = (count + WEFT__TILE - 1) / WEFT__TILE;
  }
  boxes->first[boxes->level_count] = first;
  place_axes(arena, boxes->least, first);
  place_axes(arena, boxes->most, first);
}

static void place_tiles(weft__self_tiles* t, weft__arena* arena) {
  const size_t n = (size_t)t->tile_count * WEFT__TILE;
  place_levels(&t->boxes, t->tile_count, arena);
  place_levels(&t->ways, t->tile_count, arena);
  float** axes[] = {t->at, t->built, t->carried, t->left};
  for (size_t k = 0; k < sizeof(axes) / sizeof(*axes); ++k) place_axes(arena, axes[k], n);
  float** columns[] = {&t->radius, &t->inv_mass, &t->hold_most, &t->give, &t->pushed};
  for (size_t k = 0; k < sizeof(columns) / sizeof(*columns); ++k) {
    *columns[k] = weft__arena_take(arena, n, sizeof(float));
  }
  float** records[] = {&t->turns[0].seen,  &t->turns[0].start, &t->turns[1].seen,
                       &t->turns[1].start, &t->hold,           &t->rub};
  for (size_t k = 0; k < sizeof(records) / sizeof(*records); ++k) {
    *records[k] = weft__arena_take(arena, n, sizeof(float[4]));
  }
  t->row_first = weft__arena_take(arena, t->tile_count, sizeof(*t->row_first));
  t->row_count = weft__arena_take(arena, t->tile_count, sizeof(*t->row_count));
  t->slot_count = weft__arena_take(arena, t->tile_count, sizeof(*t->slot_count));
  t->slots = weft__arena_take(arena, t->tile_count, sizeof(*t->slots));
}

static void place_columns(weft__self* c, weft__arena* arena) {
  const size_t tiles = c->tiles.tile_count;
  const size_t places = tiles * WEFT__TILE;
  place_tiles(&c->tiles, arena);
  c->particle = weft__arena_take(arena, places, sizeof(*c->particle));
  c->place_of = weft__arena_take(arena, c->particle_count, sizeof(*c->place_of));
  c->bodies = weft__arena_take(arena, places, sizeof(*c->bodies));
  c->kind = weft__arena_take(arena, places, sizeof(*c->kind));
  c->reach = weft__arena_take(arena, places, sizeof(*c->reach));
  c->has_cloth = weft__arena_take(arena, tiles, sizeof(*c->has_cloth));
  c->listed_first = weft__arena_take(arena, tiles, sizeof(*c->listed_first));
  c->listed_count = weft__arena_take(arena, tiles, sizeof(*c->listed_count));
  c->listed_pairs = weft__arena_take(arena, tiles, sizeof(*c->listed_pairs));
  c->is_stale = weft__arena_take(arena, tiles, sizeof(*c->is_stale));
  c->left_in = weft__arena_take(arena, tiles, sizeof(*c->left_in));
  c->shares = weft__arena_take(arena, c->worker_count, sizeof(*c->shares));
  c->scratch =
      weft__arena_take(arena, (size_t)c->worker_count * WEFT__SELF_SCRATCH, sizeof(*c->scratch));
}

static bool make_columns(weft__self* cloth) {
  weft__arena arena = {0};
  place_columns(cloth, &arena);
  if (!weft__arena_open(&arena)) return false;
  place_columns(cloth, &arena);
  cloth->block = arena.block;
  cloth->bytes += arena.used;
  return true;
}

// boxes that hold nothing
static void empty_boxes(const weft__tile_boxes* boxes) {
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t i = 0; i < boxes->first[boxes->level_count]; ++i) {
      boxes->least[axis][i] = INFINITY;
      boxes->most[axis][i] = -INFINITY;
    }
  }
}

static bool make_first_room(weft__self* cloth, const weft__contact_setup* setup) {
  if (cloth->particle_count > 0) return true;
  weft__self made = {
      .particle_count = setup->particles->count, .worker_count = setup->worker_count, .substep = 2};
  made.tiles.tile_count = weft__count_tiles(setup->schedule);
  if (!make_columns(&made)) return false;
  weft__place_particles(&made, setup);
  empty_boxes(&made.tiles.boxes);
  empty_boxes(&made.tiles.ways);
  *cloth = made;
  return true;
}

// there can be no more than there are pairs of particles at all
static uint64_t pairs_for(const weft__contact_setup* setup) {
  const uint64_t particles = setup->particles->count;
  const uint64_t all = particles * (particles - 1) / 2;
  const uint64_t usual = PAIRS_A_PARTICLE * particles;
  const uint64_t pairs = setup->limits.max_pairs == 0 ? usual : setup->limits.max_pairs;
  return pairs < all ? pairs : all;
}

static bool make_rows(weft__self* cloth, const weft__contact_setup* setup) {
  const uint64_t pairs = pairs_for(setup);
  const bool is_usual = setup->limits.max_pairs == 0 && setup->particles->count > 1000;
  const uint64_t most = is_usual ? pairs : 2 * pairs;
  const uint32_t wanted = (uint32_t)(most > UINT32_MAX / 2 ? UINT32_MAX / 2 : most);
  if (wanted > cloth->row_capacity || cloth->tiles.rows == NULL) {
    weft__self_tiles* t = &cloth->tiles;
    const size_t size = sizeof(*t->rows) + sizeof(*t->touches);
    weft__tile_row* rows = weft__alloc((size_t)wanted + 1, size);
    if (rows == NULL) return false;
    free(t->rows);
    t->rows = rows;
    t->touches = (weft__tile_touch*)(rows + wanted + 1);
    cloth->bytes += (size_t)(wanted - cloth->row_capacity) * size;
    cloth->row_capacity = wanted;
    cloth->is_listed = false;
  }
  if (pairs != cloth->pair_limit) cloth->is_listed = false;
  cloth->pair_limit = pairs;
  return true;
}

static bool make_exclusions(weft__self* cloth, const weft__contact_setup* setup) {
  const float needed = 3.001f * setup->materials->most_cloth;
  if (cloth->exclusions.first != NULL && cloth->exclusions.reach >= needed) return true;
  const float reach = cloth->exclusions.first == NULL ? needed : REACH_GROWTH * needed;
  weft__exclusions exclusions;
  if (!weft__exclusions_create(&exclusions, setup->schedule, reach)) return false;
  const weft__exclusions had = cloth->exclusions;
  cloth->exclusions = exclusions;
  if (!weft__find_tile_exclusions(cloth)) {
    weft__exclusions_destroy(&cloth->exclusions);
    cloth->exclusions = had;
    return false;
  }
  cloth->bytes += exclusions.bytes - had.bytes;
  weft__exclusions_destroy((weft__exclusions[]){had});
  cloth->is_sorted = false;
  cloth->is_listed = false;
  return true;
}

static bool make_bodies(weft__self* cloth, const weft__contact_setup* setup) {
  const uint32_t* count = setup->materials->shape_count;
  const bool any = count[WEFT_CONTACT_SPHERE] > 0 || count[WEFT_CONTACT_BOX] > 0 ||
                   count[WEFT_CONTACT_ELLIPSOID] > 0;
  return !any || weft__self_make_particles(cloth);
}

bool weft__self_prepare(weft__self* cloth, const weft__contact_setup* setup) {
  const bool on = setup->materials->on && setup->materials->shape_count[WEFT_CONTACT_CLOTH] > 0;
  if (on && !(make_first_room(cloth, setup) && make_rows(cloth, setup) &&
              make_exclusions(cloth, setup) && make_bodies(cloth, setup))) {
    return false;
  }
  cloth->on = on;
  if (!on) cloth->pair_count = 0;
  return true;
}

void weft__self_destroy(weft__self* cloth) {
  weft__exclusions_destroy(&cloth->exclusions);
  free(cloth->tiles.rows);
  free(cloth->tiles.exclusions);
  free(cloth->tiles.exclusion_first);
  free(cloth->near_bodies.block);
  free(cloth->block);
  *cloth = (weft__self){0};
}

// ---- who is cloth ----

// the radius of a ball around a body
static float radius_around(const weft__material* material) {
  const float* h = material->half_size;
  if (material->shape == WEFT_CONTACT_SPHERE) return h[0];
  if (material->shape == WEFT_CONTACT_BOX) return sqrtf(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
  const float most = h[0] > h[1] ? h[0] : h[1];
  return most > h[2] ? most : h[2];
}

static void add_cloth(weft__self* cloth, uint32_t place, const weft__material* material) {
  const float radius = material->half_size[0];
  cloth->kind[place] = WEFT__SELF_SPHERE;
  cloth->tiles.radius[place] = cloth->reach[place] = radius;
  if (radius > cloth->most_radius) cloth->most_radius = radius;
  cloth->has_cloth[place / WEFT__TILE] = 1;
  ++cloth->cloth_count;
}

static void add_body(weft__self* cloth, uint32_t place, const weft__material* material) {
  const bool is_sphere = material->shape == WEFT_CONTACT_SPHERE;
  cloth->kind[place] = is_sphere ? WEFT__SELF_SPHERE : WEFT__SELF_BODY;
  cloth->reach[place] = radius_around(material);
  if (cloth->reach[place] > cloth->most_body) cloth->most_body = cloth->reach[place];
  cloth->bodies[cloth->body_count++] = place;
}

// what all cloth has in common
typedef struct common {
  uint32_t category, mask;
} common;

static void add_place(weft__self* cloth, const weft__materials* materials, uint32_t place,
                      common* c) {
  cloth->kind[place] = WEFT__SELF_NONE;
  cloth->tiles.radius[place] = NAN;
  cloth->reach[place] = 0.0f;
  const uint32_t particle = cloth->particle[place];
  if (particle == WEFT__NONE || materials->of[particle] == 0) return;
  const weft__material* material = weft__material_of(materials, particle);
  const weft__surface* surface = &material->surface;
  float* rub = cloth->tiles.rub + (size_t)place * 4;
  rub[0] = surface->static_friction * surface->static_friction;
  rub[1] = surface->dynamic_friction * surface->dynamic_friction;
  if (material->shape == WEFT_CONTACT_CLOTH) {
    c->category &= surface->category;
    c->mask &= surface->mask;
    add_cloth(cloth, place, material);
  } else if (material->shape != WEFT_CONTACT_POINT) {
    add_body(cloth, place, material);
  }
}

static void sort_by_kind(weft__self* cloth, const weft__materials* materials) {
  const uint32_t tile_count = cloth->tiles.tile_count;
  cloth->cloth_count = cloth->body_count = 0;
  cloth->most_radius = cloth->most_body = 0.0f;
  memset(cloth->has_cloth, 0, tile_count * sizeof(*cloth->has_cloth));
  memset(cloth->left_in, 0, tile_count * sizeof(*cloth->left_in));
  common c = {UINT32_MAX, UINT32_MAX};
  for (uint32_t place = 0; place < tile_count * WEFT__TILE; ++place) {
    add_place(cloth, materials, place, &c);
  }
  cloth->is_choosy = (c.category & c.mask) == 0;
  empty_boxes(&cloth->tiles.boxes);
  empty_boxes(&cloth->tiles.ways);
  weft__mark_tile_exclusions(cloth);
  cloth->skin = SKIN * cloth->most_radius;
  cloth->version = materials->version;
  cloth->is_sorted = true;
  cloth->is_listed = false;
}

void weft__self_find(weft__self* cloth, const weft__contact_stage* stage) {
  if (stage->worker != 0) return;
  if (cloth->is_sorted && cloth->version == stage->materials->version) return;
  sort_by_kind(cloth, stage->materials);
}

// ---- where it is ----

static void gather(weft__self* cloth, const weft__particles* particles, uint32_t tile) {
  // copies, that stay in registers
  const weft__particles p = *particles;
  const size_t first = (size_t)tile * WEFT__TILE;
  const uint32_t* of = cloth->particle + first;
  float* const at[3] = {cloth->tiles.at[0] + first, cloth->tiles.at[1] + first,
                        cloth->tiles.at[2] + first};
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const uint32_t particle = of[lane];
    if (particle == WEFT__NONE) continue;
    at[0][lane] = p.pos_x[particle];
    at[1][lane] = p.pos_y[particle];
    at[2][lane] = p.pos_z[particle];
  }
}

static void include_way(weft__self_share* share, int axis, float least, float most) {
  if (least < share->least[axis]) share->least[axis] = least;
  if (most > share->most[axis]) share->most[axis] = most;
}

static void measure(weft__self* cloth, const weft__contact_stage* stage) {
  const weft__self_tiles* t = &cloth->tiles;
  const weft__range own = weft__share(t->tile_count, stage->worker, stage->worker_count);
  weft__self_share* share = &cloth->shares[stage->worker];
  for (int axis = 0; axis < 3; ++axis) {
    share->least[axis] = INFINITY;
    share->most[axis] = -INFINITY;
  }
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!cloth->has_cloth[tile] && cloth->body_count == 0) continue;
    gather(cloth, stage->particles, tile);
    stage->kernels->measure_tile(t, tile);
    for (int axis = 0; axis < 3; ++axis) {
      include_way(share, axis, t->ways.least[axis][tile], t->ways.most[axis][tile]);
    }
  }
  // bodies are in no box
  const weft__range bodies = weft__share(cloth->body_count, stage->worker, stage->worker_count);
  for (uint32_t b = bodies.begin; b < bodies.end; ++b) {
    const uint32_t place = cloth->bodies[b];
    for (int axis = 0; axis < 3; ++axis) {
      const uint32_t particle = cloth->particle[place];
      const float here = weft__particles_axis(stage->particles, axis).pos[particle];
      const float way = here - t->built[axis][place];
      include_way(share, axis, way, way);
    }
  }
}

void weft__self_solve(weft__self* cloth, const weft__contact_stage* stage) {
  measure(cloth, stage);
  weft__self_find_neighbors(cloth, stage);
  const uint64_t rows = atomic_load_explicit(&cloth->row_count, memory_order_relaxed);
  if (rows > 0 || cloth->near_bodies.count > 0) {
    weft__self_separate(cloth, stage);
  } else if (stage->worker == 0) {
    ++cloth->substep;
  }
}

// ---- for tests ----

bool weft__self_neighbors(const weft__self* cloth, uint32_t a, uint32_t b) {
  const weft__self_tiles* t = &cloth->tiles;
  const uint32_t own = cloth->place_of[a];
  const uint32_t tile = own / WEFT__TILE;
  for (uint32_t r = 0; r < t->row_count[tile]; ++r) {
    const weft__tile_row* row = &t->rows[t->row_first[tile] + r];
    if (row->place == cloth->place_of[b]) return (row->lanes >> own % WEFT__TILE & 1u) != 0;
  }
  return false;
}
