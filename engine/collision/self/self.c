#include "collision/self/self.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/min_max.h"
#include "collision/self/body_pairs.h"
#include "collision/self/neighbors.h"
#include "collision/self/solve.h"
#include "collision/self/surfaces.h"
#include "collision/self/tiles.h"

// Default capacity, pairs for each particle: cloth in many folds has up to ten. A row covers two or
// three pairs at both ends of each, so rows are fewer.
#define PAIRS_A_PARTICLE 12u
// Skin of the neighbour lists, as a share of the largest cloth radius. At 0.5 a third more pairs
// are listed than touch in folded cloth, and none of those a link apart; a smaller skin is rebuilt
// more often.
#define SKIN_SHARE 0.5f
// Bodies in a piece of work: some microseconds.
#define BODY_GRAIN WEFT__GRAIN(256u, 2u)
// Environments in a piece of work: some hundred tiles.
#define ENVIRONMENT_GRAIN WEFT__GRAIN(8u, 1u)
// Growth of the path limit, so that radii that grow one by one do not rebuild the exclusions each
// time.
#define PATH_GROWTH 1.25f

// ---- capacity ----

static void layout_axes(weft__arena* arena, float* axes[3], size_t count) {
  for (int axis = 0; axis < 3; ++axis) axes[axis] = weft__arena_alloc(arena, count, sizeof(float));
}

static void layout_levels(weft__tile_boxes* boxes, uint32_t tile_count, weft__arena* arena) {
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
  layout_axes(arena, boxes->lower, first);
  layout_axes(arena, boxes->upper, first);
}

static void layout_tiles(weft__self_tiles* t, weft__arena* arena) {
  const size_t n = (size_t)t->tile_count * WEFT__TILE;
  float** axes[] = {t->listed_pos, t->carried};
  for (size_t k = 0; k < sizeof(axes) / sizeof(*axes); ++k) layout_axes(arena, axes[k], n);
  float** columns[] = {&t->radius, &t->range, &t->inv_mass, &t->relaxation, &t->pushed};
  for (size_t k = 0; k < sizeof(columns) / sizeof(*columns); ++k) {
    *columns[k] = weft__arena_alloc(arena, n, sizeof(float));
  }
  float** records[] = {&t->turns[0].seen, &t->turns[0].start, &t->turns[1].seen, &t->turns[1].start,
                       &t->support,       &t->surface,        &t->friction};
  for (size_t k = 0; k < sizeof(records) / sizeof(*records); ++k) {
    *records[k] = weft__arena_alloc(arena, n, sizeof(float[4]));
  }
}

// Columns that swap places, boxes of all levels, and places of lists in memory, which depend on the
// workers.
static void layout_lists(weft__self* c, weft__arena* arena) {
  weft__self_tiles* t = &c->tiles;
  layout_axes(arena, t->at, (size_t)t->tile_count * WEFT__TILE);
  layout_axes(arena, t->left, (size_t)t->tile_count * WEFT__TILE);
  layout_levels(&t->boxes, t->tile_count, arena);
  layout_levels(&t->displacements, t->tile_count, arena);
  t->row_first = weft__arena_alloc(arena, t->tile_count, sizeof(*t->row_first));
  t->row_count = weft__arena_alloc(arena, t->tile_count, sizeof(*t->row_count));
  t->slot_count = weft__arena_alloc(arena, t->tile_count, sizeof(*t->slot_count));
  t->slots = weft__arena_alloc(arena, t->tile_count, sizeof(*t->slots));
  c->kept_first = weft__arena_alloc(arena, t->tile_count, sizeof(*c->kept_first));
}

static void layout_columns(weft__self* c, weft__arena* arena) {
  const size_t tiles = c->tiles.tile_count;
  const size_t places = tiles * WEFT__TILE;
  layout_tiles(&c->tiles, arena);
  c->particle = weft__arena_alloc(arena, places, sizeof(*c->particle));
  c->place_of = weft__arena_alloc(arena, c->particle_count, sizeof(*c->place_of));
  c->bodies = weft__arena_alloc(arena, places, sizeof(*c->bodies));
  c->kind = weft__arena_alloc(arena, places, sizeof(*c->kind));
  c->bounding_radius = weft__arena_alloc(arena, places, sizeof(*c->bounding_radius));
  c->has_cloth = weft__arena_alloc(arena, tiles, sizeof(*c->has_cloth));
  c->kept_count = weft__arena_alloc(arena, tiles, sizeof(*c->kept_count));
  c->kept_pair_ends = weft__arena_alloc(arena, tiles, sizeof(*c->kept_pair_ends));
  c->is_stale = weft__arena_alloc(arena, tiles, sizeof(*c->is_stale));
  c->solved_in = weft__arena_alloc(arena, tiles, sizeof(*c->solved_in));
  if (c->environment_count > 1) {
    c->environment_tile =
        weft__arena_alloc(arena, (size_t)c->environment_count + 1, sizeof(*c->environment_tile));
    c->has_moved = weft__arena_alloc(arena, c->environment_count, sizeof(*c->has_moved));
  }
  c->state_bytes = arena->used;
  layout_lists(c, arena);
  // scratch of the workers
  c->extents = weft__arena_alloc(arena, c->worker_count, sizeof(*c->extents));
  c->scratch =
      weft__arena_alloc(arena, (size_t)c->worker_count * WEFT__SELF_SCRATCH, sizeof(*c->scratch));
}

static bool make_columns(weft__self* self) {
  for (weft__arena arena = {0}; weft__arena_next(&arena, &self->block, &self->bytes);) {
    layout_columns(self, &arena);
  }
  return self->block != NULL;
}

// Inverted boxes, which overlap nothing.
static void empty_boxes(const weft__tile_boxes* boxes) {
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t i = 0; i < boxes->first[boxes->level_count]; ++i) {
      boxes->lower[axis][i] = INFINITY;
      boxes->upper[axis][i] = -INFINITY;
    }
  }
}

static bool make_tiles(weft__self* self, const weft__contact_setup* setup) {
  if (self->particle_count > 0) return true;
  weft__self made = {.faces = setup->faces,
                     .particle_count = setup->particles->count,
                     .environment_count = setup->schedule->environment_count,
                     .worker_count = setup->worker_count,
                     .substep = 2};
  made.tiles.tile_count = weft__self_count_tiles(setup->schedule);
  if (!make_columns(&made)) return false;
  weft__self_partition(&made, setup);
  weft__self_measure_ranges(&made, setup->particles);
  empty_boxes(&made.tiles.boxes);
  empty_boxes(&made.tiles.displacements);
  *self = made;
  return true;
}

// No more than the number of pairs of particles.
static uint64_t pair_limit_of(const weft__contact_setup* setup) {
  const uint64_t particles = setup->particles->count;
  const uint64_t all = particles * (particles - 1) / 2;
  const uint64_t usual = PAIRS_A_PARTICLE * particles;
  const uint64_t pairs = setup->limits.max_pairs == 0 ? usual : setup->limits.max_pairs;
  return pairs < all ? pairs : all;
}

// No list is valid.
static void drop_lists(weft__self* self) {
  self->is_listed = self->has_stale = false;
  self->row_end = self->kept_row_end = 0;
  self->all_rows = self->all_kept_rows = 0;
  memset(self->kept_count, 0, self->tiles.tile_count * sizeof(*self->kept_count));
}

static bool replace_rows(weft__self* self, uint32_t row_capacity) {
  weft__self_tiles* t = &self->tiles;
  const size_t size = sizeof(*t->rows) + sizeof(*t->touches);
  weft__tile_row* rows = weft__alloc((size_t)row_capacity + 1, size);
  if (rows == NULL) return false;
  weft__free(t->rows);
  t->rows = rows;
  t->touches = (weft__tile_overlap*)(rows + row_capacity + 1);
  self->bytes += (size_t)(row_capacity - self->row_capacity) * size;
  self->row_capacity = row_capacity;
  drop_lists(self);
  return true;
}

static bool make_rows(weft__self* self, const weft__contact_setup* setup) {
  const uint64_t pairs = pair_limit_of(setup);
  const bool is_usual = setup->limits.max_pairs == 0 && setup->particles->count > 1000;
  const uint64_t rows_wanted = is_usual ? pairs : 2 * pairs;
  const uint32_t wanted = (uint32_t)(rows_wanted > UINT32_MAX / 2 ? UINT32_MAX / 2 : rows_wanted);
  if ((wanted > self->row_capacity || self->tiles.rows == NULL) && !replace_rows(self, wanted)) {
    return false;
  }
  if (pairs != self->pair_limit) drop_lists(self);
  self->pair_limit = pairs;
  return true;
}

static bool make_exclusions(weft__self* self, const weft__contact_setup* setup) {
  const float along_surface =
      setup->materials->surface_count > 0 ? WEFT__SURFACE_PATH * self->longest_range : 0.0f;
  const float needed =
      1.001f * weft__maxf(3.0f * setup->materials->max_cloth_radius, along_surface);
  if (self->exclusions.first != NULL && self->exclusions.max_path >= needed) return true;
  const float max_path = self->exclusions.first == NULL ? needed : PATH_GROWTH * needed;
  weft__exclusions exclusions;
  if (!weft__exclusions_create(&exclusions, setup->schedule, max_path)) return false;
  const weft__exclusions old = self->exclusions;
  self->exclusions = exclusions;
  if (!weft__self_list_tile_exclusions(self)) {
    weft__exclusions_destroy(&self->exclusions);
    self->exclusions = old;
    return false;
  }
  self->bytes += exclusions.bytes - old.bytes;
  weft__exclusions_destroy((weft__exclusions[]){old});
  self->is_classified = false;
  drop_lists(self);
  return true;
}

static bool make_body_pairs(weft__self* self, const weft__contact_setup* setup) {
  const uint32_t* count = setup->materials->shape_count;
  const bool any = count[WEFT_PARTICLE_SHAPE_SPHERE] > 0 || count[WEFT_PARTICLE_SHAPE_BOX] > 0 ||
                   count[WEFT_PARTICLE_SHAPE_ELLIPSOID] > 0;
  return !any || weft__self_make_body_pairs(self);
}

bool weft__self_prepare(weft__self* self, const weft__contact_setup* setup) {
  const bool on =
      setup->materials->on && setup->materials->shape_count[WEFT_PARTICLE_SHAPE_CLOTH] > 0;
  if (on && !(make_tiles(self, setup) && make_rows(self, setup) && make_exclusions(self, setup) &&
              make_body_pairs(self, setup))) {
    return false;
  }
  if (on) self->on = true;
  return true;
}

void weft__self_switch_off(weft__self* self) {
  self->on = false;
  self->pair_count = 0;
}

void weft__self_destroy(weft__self* self) {
  weft__exclusions_destroy(&self->exclusions);
  weft__free(self->tiles.rows);
  weft__free(self->tiles.exclusions);
  weft__free(self->tiles.exclusion_first);
  weft__free(self->body_pairs.block);
  weft__free(self->block);
  *self = (weft__self){0};
}

// ---- classification of particles ----

// Summary of all cloth.
typedef struct cloth_summary {
  uint32_t category, mask; /* bits that all filters have in common */
  float thinnest;          /* metres: smallest radius with surface contacts */
} cloth_summary;

// Radius of a bounding sphere of the body.
static float bounding_radius_of(const weft__material* material) {
  const float* h = material->half_size;
  if (material->shape == WEFT_PARTICLE_SHAPE_SPHERE) return h[0];
  if (material->shape == WEFT_PARTICLE_SHAPE_BOX)
    return sqrtf(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
  const float longest = h[0] > h[1] ? h[0] : h[1];
  return longest > h[2] ? longest : h[2];
}

static void add_cloth(weft__self* self, uint32_t place, const weft__material* material,
                      cloth_summary* c) {
  const float radius = material->half_size[0];
  self->kind[place] = WEFT__SELF_SPHERE;
  self->tiles.radius[place] = self->bounding_radius[place] = radius;
  if (radius > self->max_radius) self->max_radius = radius;
  self->has_cloth[place / WEFT__TILE] = 1;
  if (!material->surface_contacts) return;
  const float range = self->tiles.range[place];
  self->tiles.surface[(size_t)place * 4 + 3] = range;
  self->tiles.max_range = weft__maxf(self->tiles.max_range, range);
  c->thinnest = weft__minf(c->thinnest, radius);
}

static void add_body(weft__self* self, uint32_t place, const weft__material* material) {
  const bool is_sphere = material->shape == WEFT_PARTICLE_SHAPE_SPHERE;
  self->kind[place] = is_sphere ? WEFT__SELF_SPHERE : WEFT__SELF_BODY;
  self->bounding_radius[place] = bounding_radius_of(material);
  self->bodies[self->body_count++] = place;
}

static void classify_particle(weft__self* self, const weft__materials* materials, uint32_t place,
                              cloth_summary* c) {
  self->tiles.radius[place] = NAN;
  memset(self->tiles.surface + (size_t)place * 4, 0, sizeof(float[4]));
  self->bounding_radius[place] = 0.0f;
  const uint32_t particle = self->particle[place];
  if (particle == WEFT__NONE || materials->of[particle] == 0) return;
  const weft__material* material = weft__material_of(materials, particle);
  const weft__surface* surface = &material->surface;
  float* rub = self->tiles.friction + (size_t)place * 4;
  rub[0] = surface->static_friction * surface->static_friction;
  rub[1] = surface->dynamic_friction * surface->dynamic_friction;
  if (material->shape == WEFT_PARTICLE_SHAPE_CLOTH) {
    c->category &= surface->category;
    c->mask &= surface->mask;
    add_cloth(self, place, material, c);
  } else if (material->shape != WEFT_PARTICLE_SHAPE_POINT) {
    add_body(self, place, material);
  }
}

static void classify_all(weft__self* self, const weft__materials* materials) {
  const uint32_t tile_count = self->tiles.tile_count;
  self->body_count = 0;
  self->max_radius = 0.0f;
  memset(self->has_cloth, 0, tile_count * sizeof(*self->has_cloth));
  memset(self->solved_in, 0, tile_count * sizeof(*self->solved_in));
  self->tiles.max_range = self->tiles.margin = 0.0f;
  cloth_summary c = {UINT32_MAX, UINT32_MAX, INFINITY};
  for (uint32_t place = 0; place < tile_count * WEFT__TILE; ++place) {
    classify_particle(self, materials, place, &c);
  }
  self->has_filters = (c.category & c.mask) == 0;
  if (self->tiles.max_range > 0.0f) {
    const float reach = 2.0f * c.thinnest;
    self->tiles.margin =
        sqrtf(reach * reach + self->tiles.max_range * self->tiles.max_range) - reach;
  }
  empty_boxes(&self->tiles.boxes);
  empty_boxes(&self->tiles.displacements);
  weft__self_mark_tile_exclusions(self);
  self->skin = SKIN_SHARE * self->max_radius;
  self->version = materials->version;
  self->is_classified = true;
  drop_lists(self);
}

void weft__self_classify(weft__self* self, const weft__step_context* step) {
  if (self->is_classified && self->version == step->materials->version) return;
  classify_all(self, step->materials);
}

// ---- displacements ----

static void gather_positions(weft__self* self, const weft__particles* particles, uint32_t tile) {
  // copies that the compiler keeps in registers
  const weft__particles p = *particles;
  const size_t first = (size_t)tile * WEFT__TILE;
  const uint32_t* of = self->particle + first;
  float* const at[3] = {self->tiles.at[0] + first, self->tiles.at[1] + first,
                        self->tiles.at[2] + first};
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const uint32_t particle = of[lane];
    if (particle == WEFT__NONE) continue;
    at[0][lane] = p.pos_x[particle];
    at[1][lane] = p.pos_y[particle];
    at[2][lane] = p.pos_z[particle];
  }
}

typedef struct measurement {
  weft__self* self;
  const weft__step_context* step;
} measurement;

static const weft__self_extent empty_extent = {
    {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0f};

static void grow_extent(weft__self_extent* extent, int axis, float lower, float upper) {
  if (lower < extent->lower[axis]) extent->lower[axis] = lower;
  if (upper > extent->upper[axis]) extent->upper[axis] = upper;
}

static void measure_tiles(void* context, weft__range tiles, uint32_t worker) {
  const measurement* m = context;
  weft__self* self = m->self;
  const weft__tile_boxes* displacements = &self->tiles.displacements;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (!self->has_cloth[tile] && self->body_count == 0) continue;
    gather_positions(self, m->step->particles, tile);
    m->step->kernels->bound_tile(&self->tiles, tile);
    for (int axis = 0; axis < 3; ++axis) {
      grow_extent(&self->extents[worker], axis, displacements->lower[axis][tile],
                  displacements->upper[axis][tile]);
    }
  }
}

// Bodies are in no tile box.
static void measure_body(const measurement* m, uint32_t place, weft__self_extent* extent) {
  const uint32_t particle = m->self->particle[place];
  for (int axis = 0; axis < 3; ++axis) {
    const float here = weft__particles_axis(m->step->particles, axis).pos[particle];
    const float displacement = here - m->self->tiles.listed_pos[axis][place];
    grow_extent(extent, axis, displacement, displacement);
  }
}

static void measure_bodies(void* context, weft__range bodies, uint32_t worker) {
  const measurement* m = context;
  for (uint32_t b = bodies.begin; b < bodies.end; ++b) {
    measure_body(m, m->self->bodies[b], &m->self->extents[worker]);
  }
}

// First body at or after a place.
static uint32_t find_body(const weft__self* self, uint32_t place) {
  uint32_t low = 0;
  for (uint32_t high = self->body_count; low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    if (self->bodies[middle] < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Environments move independently, so each has an AABB of its own.
static void measure_environments(void* context, weft__range environments, uint32_t worker) {
  const measurement* m = context;
  weft__self* self = m->self;
  const weft__tile_boxes* boxes = &self->tiles.displacements;
  for (uint32_t e = environments.begin; e < environments.end; ++e) {
    weft__self_extent own = empty_extent;
    const uint32_t end = self->environment_tile[e + 1];
    for (int axis = 0; axis < 3; ++axis) {
      for (uint32_t tile = self->environment_tile[e]; tile < end; ++tile) {
        grow_extent(&own, axis, boxes->lower[axis][tile], boxes->upper[axis][tile]);
      }
    }
    for (uint32_t b = find_body(self, self->environment_tile[e] * WEFT__TILE);
         b < self->body_count && self->bodies[b] < end * WEFT__TILE; ++b) {
      measure_body(m, self->bodies[b], &own);
    }
    float sq = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      // empty boxes, and NaN, which counts as an infinite displacement
      if (own.lower[axis] > own.upper[axis]) continue;
      const float side = own.upper[axis] - own.lower[axis];
      sq += side * side;
    }
    if (!(sq >= 0.0f)) sq = INFINITY;
    self->has_moved[e] = sq > self->skin * self->skin;
    if (sq > self->extents[worker].largest_sq) self->extents[worker].largest_sq = sq;
  }
}

static void measure_displacements(weft__self* self, const weft__step_context* step) {
  for (uint32_t worker = 0; worker < self->worker_count; ++worker) {
    self->extents[worker] = empty_extent;
  }
  measurement m = {self, step};
  weft__step_for_range(step, weft__self_own(self), WEFT__SELF_TILE_GRAIN, measure_tiles, &m);
  if (self->environment_tile != NULL) {
    weft__step_for(step, self->environment_count, ENVIRONMENT_GRAIN, measure_environments, &m);
    return;
  }
  weft__step_for(step, self->body_count, BODY_GRAIN, measure_bodies, &m);
  weft__self_share(self->domain, WEFT__SELF_EXTENTS, 0);
}

void weft__self_solve(weft__self* self, const weft__step_context* step, const uint8_t* tangled) {
  measure_displacements(self, step);
  weft__self_find_neighbors(self, step);
  if (self->all_rows > 0 || self->body_pairs.count > 0)
    weft__self_solve_contacts(self, step, tangled);
  ++self->substep;
}

void weft__self_restart(weft__self* self, uint32_t particle) {
  self->solved_in[self->place_of[particle] / WEFT__TILE] = 0;
}

// ---- snapshots ----

// Memory of the lists, and all that the exclusions depend on.
typedef struct layout {
  uint32_t exists;
  uint32_t row_capacity;
  uint32_t has_body_pairs;
  float max_path;
} layout;

static layout layout_of(const weft__self* self) {
  return (layout){self->particle_count > 0, self->row_capacity, self->body_pairs.block != NULL,
                  self->exclusions.max_path};
}

static bool is_partition(const weft__self* self) {
  for (uint32_t place = 0; place < self->tiles.tile_count * WEFT__TILE; ++place) {
    const uint32_t particle = self->particle[place];
    if (particle != WEFT__NONE && particle >= self->particle_count) return false;
  }
  return true;
}

static void invert_partition(weft__self* self) {
  for (uint32_t place = 0; place < self->tiles.tile_count * WEFT__TILE; ++place) {
    if (self->particle[place] != WEFT__NONE) self->place_of[self->particle[place]] = place;
  }
}

static bool make_lists(weft__self* self, const weft__contact_setup* setup, const layout* wanted) {
  return replace_rows(self, wanted->row_capacity) &&
         weft__exclusions_create(&self->exclusions, setup->schedule, wanted->max_path) &&
         weft__self_list_tile_exclusions(self) &&
         (!wanted->has_body_pairs || weft__self_make_body_pairs(self));
}

// Tables of another memory, with the partition that comes next in the stream; none if the stream
// has none. On failure the archive is told, and nothing changes.
static void replace_tables(weft__self* self, weft__archive* archive,
                           const weft__contact_setup* setup, const layout* wanted) {
  weft__self made = {0};
  bool good = true;
  if (wanted->exists) {
    weft__archive partition = *archive;
    good = weft__archive_allocated(archive, make_tiles(&made, setup));
    if (good) {
      weft__archive_array_aside(&partition, made.particle,
                                (size_t)made.tiles.tile_count * WEFT__TILE, sizeof(*made.particle));
      good =
          weft__archive_expect(archive, weft__archive_is_good(&partition) && is_partition(&made));
    }
    if (good) invert_partition(&made);
    good = good && weft__archive_allocated(archive, make_lists(&made, setup, wanted));
    made.bytes += good ? made.exclusions.bytes : 0;
  }
  if (good) {
    *self = made;
  } else {
    weft__self_destroy(&made);
  }
}

// Lists for one substep are left out: those that last are as good.
static void visit_row_count(weft__self* c, weft__archive* archive) {
  uint32_t rows = weft__self_count_rows(c);
  WEFT__ARCHIVE_VALUE(archive, rows);
  if (weft__archive_is_reading(archive)) {
    c->row_end = c->kept_row_end = rows;
    c->all_rows = c->all_kept_rows = rows;
  }
}

static void visit_counts(weft__self* c, weft__archive* archive) {
  WEFT__ARCHIVE_VALUE(archive, c->on);
  WEFT__ARCHIVE_VALUE(archive, c->pair_count);
  WEFT__ARCHIVE_VALUE(archive, c->lost);
  WEFT__ARCHIVE_VALUE(archive, c->pair_limit);
  WEFT__ARCHIVE_VALUE(archive, c->is_classified);
  WEFT__ARCHIVE_VALUE(archive, c->has_filters);
  WEFT__ARCHIVE_VALUE(archive, c->version);
  WEFT__ARCHIVE_VALUE(archive, c->body_count);
  WEFT__ARCHIVE_VALUE(archive, c->max_radius);
  WEFT__ARCHIVE_VALUE(archive, c->skin);
  WEFT__ARCHIVE_VALUE(archive, c->longest_range);
  WEFT__ARCHIVE_VALUE(archive, c->tiles.max_range);
  WEFT__ARCHIVE_VALUE(archive, c->tiles.margin);
  WEFT__ARCHIVE_VALUE(archive, c->is_listed);
  WEFT__ARCHIVE_VALUE(archive, c->stale_checks);
  visit_row_count(c, archive);
  WEFT__ARCHIVE_VALUE(archive, c->tile_end);
  WEFT__ARCHIVE_VALUE(archive, c->substep);
  WEFT__ARCHIVE_VALUE(archive, c->body_pairs.count);
}

// Boxes of tiles: those above are computed again before they are read.
static void visit_boxes(const weft__tile_boxes* boxes, weft__archive* archive) {
  for (int axis = 0; axis < 3; ++axis) {
    WEFT__ARCHIVE_ARRAY(archive, boxes->lower[axis], boxes->count[0]);
    WEFT__ARCHIVE_ARRAY(archive, boxes->upper[axis], boxes->count[0]);
  }
}

// Rows tile by tile, wherever they lie: the same bytes for any number of workers and of processes.
static void visit_rows(weft__self* c, weft__archive* archive) {
  weft__self_tiles* t = &c->tiles;
  if (weft__archive_is_reading(archive)) {
    if (weft__archive_is_loading(archive))
      weft__self_place_lists(c, (weft__range){0, t->tile_count});
    WEFT__ARCHIVE_ARRAY(archive, t->rows, c->kept_row_end);
    return;
  }
  weft__archive_begin_array(archive, weft__self_count_rows(c), sizeof(*t->rows));
  for (uint32_t tile = 0; tile < t->tile_count; ++tile) {
    if (c->kept_count[tile] == 0) continue;
    weft__archive_raw(archive, t->rows + c->kept_first[tile],
                      c->kept_count[tile] * sizeof(*t->rows));
  }
}

static void visit_lists(weft__self* c, weft__archive* archive) {
  weft__self_tiles* t = &c->tiles;
  weft__self_body_pairs* b = &c->body_pairs;
  const size_t tiles = t->tile_count;
  weft__archive_array(archive, c->block, c->state_bytes, 1);
  for (int axis = 0; axis < 3; ++axis) {
    WEFT__ARCHIVE_ARRAY(archive, t->at[axis], tiles * WEFT__TILE);
    WEFT__ARCHIVE_ARRAY(archive, t->left[axis], tiles * WEFT__TILE);
  }
  visit_boxes(&t->boxes, archive);
  visit_boxes(&t->displacements, archive);
  visit_rows(c, archive);
  WEFT__ARCHIVE_ARRAY(archive, t->exclusions, t->exclusion_first[tiles]);
  if (b->block == NULL) return;
  WEFT__ARCHIVE_ARRAY(archive, b->first_of_tile, tiles + 2);
  WEFT__ARCHIVE_ARRAY(archive, b->by_tile, (size_t)2 * b->count);
}

void weft__self_visit(weft__self* self, weft__archive* archive, const weft__contact_setup* setup) {
  const layout own = layout_of(self);
  layout wanted = own;
  WEFT__ARCHIVE_VALUE(archive, wanted);
  if (!weft__archive_is_good(archive)) return;
  const size_t places = (size_t)weft__self_count_tiles(setup->schedule) * WEFT__TILE;
  if (weft__archive_is_checking(archive)) {
    const bool is_alike = memcmp(&wanted, &own, sizeof(own)) == 0 &&
                          (own.exists == 0 || weft__archive_is_same(archive, self->particle, places,
                                                                    sizeof(*self->particle)));
    if (!is_alike) replace_tables(self, archive, setup, &wanted);
    if (!weft__archive_is_good(archive)) return;
  }
  // the partition by itself, for a check to compare
  if (wanted.exists) WEFT__ARCHIVE_ARRAY(archive, self->particle, places);
  visit_counts(self, archive);
  const bool fits = self->kept_row_end <= self->row_capacity &&
                    self->body_pairs.count <= self->body_pairs.capacity / 2;
  if (weft__archive_is_loading(archive)) self->has_ghosts = self->has_stale = false;
  if (weft__archive_expect(archive, fits) && wanted.exists) visit_lists(self, archive);
}

// ---- for tests ----

bool weft__self_neighbors(const weft__self* self, uint32_t a, uint32_t b) {
  const weft__self_tiles* t = &self->tiles;
  const uint32_t own = self->place_of[a];
  const uint32_t tile = own / WEFT__TILE;
  for (uint32_t r = 0; r < t->row_count[tile]; ++r) {
    const weft__tile_row* row = &t->rows[t->row_first[tile] + r];
    if (row->place == self->place_of[b]) return (row->lanes >> own % WEFT__TILE & 1u) != 0;
  }
  return false;
}
