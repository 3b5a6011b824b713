#include "collision/self/self.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"
#include "base/sort.h"
#include "collision/self/body_pairs.h"
#include "collision/self/capacity.h"
#include "collision/self/neighbors.h"
#include "collision/self/rest.h"
#include "collision/self/rows.h"
#include "collision/self/seams.h"
#include "collision/self/solve.h"
#include "collision/self/surfaces.h"
#include "collision/self/tiles.h"

// Share of the largest cloth radius. At 0.4 a third more pairs are listed than touch in folded
// cloth, and none a link apart; smaller skins are rebuilt more often.
#define SKIN_SHARE 0.4f
#define BODY_GRAIN WEFT__GRAIN(256u, 2u)
// Environments in a piece of work: some hundred tiles.
#define ENVIRONMENT_GRAIN WEFT__GRAIN(8u, 1u)

typedef struct cloth_summary {
  uint32_t category, mask; /* common to all filters */
  float thinnest;          /* metres: smallest with faces */
} cloth_summary;

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
  self->shapes.kind[place] = WEFT__SELF_SPHERE;
  self->tiles.radius[place] = self->shapes.bounding_radius[place] = radius;
  if (radius > self->shapes.max_radius) self->shapes.max_radius = radius;
  self->shapes.has_cloth[place / WEFT__TILE] = 1;
  const float range = self->tiles.range[place];
  self->shapes.least_extent =
      weft__minf(self->shapes.least_extent, weft__self_extent_of(self, place));
  if (range == 0.0f) return;
  self->tiles.surface[(size_t)place * 4 + 3] = range;
  self->tiles.max_range = weft__maxf(self->tiles.max_range, range);
  c->thinnest = weft__minf(c->thinnest, radius);
}

static void add_body(weft__self_shapes* shapes, uint32_t place, const weft__material* material) {
  const bool is_sphere = material->shape == WEFT_PARTICLE_SHAPE_SPHERE;
  shapes->kind[place] = is_sphere ? WEFT__SELF_SPHERE : WEFT__SELF_BODY;
  shapes->bounding_radius[place] = bounding_radius_of(material);
  shapes->bodies[shapes->body_count++] = place;
}

static void classify_particle(weft__self* self, const weft__materials* materials, uint32_t place,
                              cloth_summary* c) {
  const float former = self->tiles.radius[place];
  self->tiles.radius[place] = NAN;
  memset(self->tiles.surface + (size_t)place * 4, 0, sizeof(float[4]));
  self->shapes.bounding_radius[place] = 0.0f;
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
    if (self->tiles.radius[place] != former) weft__self_restart(self, particle);
  } else if (material->shape != WEFT_PARTICLE_SHAPE_POINT) {
    add_body(&self->shapes, place, material);
  }
}

// Distance beyond the radii at which a tile's pairs meet: the farther, the thinner they are.
static float margin_for(const weft__self* self, float range, float thinnest) {
  const float of_spheres = 2.0f * (WEFT__CLOSE - 1.0f) * self->shapes.max_radius;
  if (range == 0.0f) return of_spheres;
  const float reach = 2.0f * WEFT__CLOSE * thinnest;
  return weft__maxf(of_spheres, sqrtf(reach * reach + range * range) - 2.0f * thinnest);
}

static void set_margins(weft__self* self, float thinnest) {
  weft__self_tiles* t = &self->tiles;
  for (uint32_t tile = 0; tile < t->tile_count; ++tile) {
    float range = 0.0f;
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane)
      range = weft__maxf(range, t->surface[((size_t)tile * WEFT__TILE + lane) * 4 + 3]);
    t->tile_range[tile] = range;
    t->tile_margin[tile] = margin_for(self, range, thinnest);
  }
  t->margin = margin_for(self, t->max_range, thinnest);
}

static void classify_all(weft__self* self, const weft__materials* materials) {
  const uint32_t tile_count = self->tiles.tile_count;
  self->shapes.body_count = 0;
  self->shapes.max_radius = 0.0f;
  self->shapes.least_extent = INFINITY;
  memset(self->shapes.has_cloth, 0, tile_count * sizeof(*self->shapes.has_cloth));
  self->tiles.max_range = 0.0f;
  cloth_summary c = {UINT32_MAX, UINT32_MAX, INFINITY};
  for (uint32_t place = 0; place < tile_count * WEFT__TILE; ++place) {
    classify_particle(self, materials, place, &c);
  }
  self->shapes.has_filters = (c.category & c.mask) == 0 || self->is_of_strand != NULL;
  set_margins(self, c.thinnest);
  weft__self_mark_tile_exclusions(self);
  weft__self_empty_boxes(&self->tiles.boxes);
  weft__self_find_near(self);
  weft__self_empty_boxes(&self->tiles.boxes);
  weft__self_empty_boxes(&self->tiles.displacements);
  self->lists.skin = SKIN_SHARE * self->shapes.max_radius;
  self->shapes.version = materials->version;
  self->shapes.is_classified = true;
  weft__self_drop_lists(self);
}

void weft__self_classify(weft__self* self, const weft__step_context* step) {
  const bool is_current =
      self->shapes.is_classified && self->shapes.version == step->materials->version;
  if (!is_current) classify_all(self, step->materials);
  if (!is_current || self->joints_version != step->joints->version)
    weft__self_renew_seams(self, step->joints);
}

static void gather_positions(weft__self* self, const weft__particles* particles, uint32_t tile) {
  // copies stay in registers
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
    if (!self->shapes.has_cloth[tile] && self->shapes.body_count == 0) continue;
    gather_positions(self, m->step->particles, tile);
    m->step->kernels->bound_tile(&self->tiles, tile);
    for (int axis = 0; axis < 3; ++axis) {
      grow_extent(&self->lists.extents[worker], axis, displacements->lower[axis][tile],
                  displacements->upper[axis][tile]);
    }
  }
}

// Bodies are in no tile box.
static void measure_body(const measurement* m, uint32_t place, weft__self_extent* extent) {
  const uint32_t particle = m->self->particle[place];
  for (int axis = 0; axis < 3; ++axis) {
    const float here = m->step->particles->pos[axis][particle];
    const float displacement = here - m->self->tiles.listed_pos[axis][place];
    grow_extent(extent, axis, displacement, displacement);
  }
}

static void measure_bodies(void* context, weft__range bodies, uint32_t worker) {
  const measurement* m = context;
  for (uint32_t b = bodies.begin; b < bodies.end; ++b) {
    measure_body(m, m->self->shapes.bodies[b], &m->self->lists.extents[worker]);
  }
}

// Environments move independently: an AABB each.
static void measure_environments(void* context, weft__range environments, uint32_t worker) {
  const measurement* m = context;
  weft__self* self = m->self;
  weft__self_lists* lists = &self->lists;
  const weft__tile_boxes* boxes = &self->tiles.displacements;
  for (uint32_t e = environments.begin; e < environments.end; ++e) {
    weft__self_extent own = empty_extent;
    const uint32_t end = self->environment_tile[e + 1];
    for (int axis = 0; axis < 3; ++axis) {
      for (uint32_t tile = self->environment_tile[e]; tile < end; ++tile) {
        grow_extent(&own, axis, boxes->lower[axis][tile], boxes->upper[axis][tile]);
      }
    }
    for (uint32_t b = weft__find_first(self->shapes.bodies, self->shapes.body_count,
                                       self->environment_tile[e] * WEFT__TILE);
         b < self->shapes.body_count && self->shapes.bodies[b] < end * WEFT__TILE; ++b) {
      measure_body(m, self->shapes.bodies[b], &own);
    }
    float sq = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      // empty boxes, and NaN, an infinite displacement
      if (own.lower[axis] > own.upper[axis]) continue;
      const float side = own.upper[axis] - own.lower[axis];
      sq += side * side;
    }
    if (!(sq >= 0.0f)) sq = INFINITY;
    self->has_moved[e] = sq > lists->skin * lists->skin;
    if (sq > lists->extents[worker].largest_sq) lists->extents[worker].largest_sq = sq;
  }
}

static void measure_displacements(weft__self* self, const weft__step_context* step) {
  for (uint32_t worker = 0; worker < self->worker_count; ++worker) {
    self->lists.extents[worker] = empty_extent;
  }
  measurement m = {self, step};
  weft__step_for(step, self->tiles.tile_count, WEFT__SELF_TILE_GRAIN, measure_tiles, &m);
  if (self->environment_tile != NULL) {
    weft__step_for(step, self->environment_count, ENVIRONMENT_GRAIN, measure_environments, &m);
    return;
  }
  weft__step_for(step, self->shapes.body_count, BODY_GRAIN, measure_bodies, &m);
}

void weft__self_find_contacts(weft__self* self, const weft__step_context* step,
                              const uint8_t* tangled) {
  self->has_contacts = self->has_planes = false;
  ++self->substep;
  if (step->substep == 0) weft__self_set_anchors(self, step);
  weft__self_expire_normals(self, step);
  if (weft__step_cuts(step, WEFT__WORK_ALL)) return;
  measure_displacements(self, step);
  weft__self_find_neighbors(self, step);
  const bool has_pairs = self->lists.row_end > 0 || self->body_pairs.count > 0;
  self->contacts.count = 0;
  if (has_pairs) {
    weft__self_load_records(self, step, tangled);
    weft__self_find_rows(self, step);
  }
  if (self->has_placed) weft__self_find_given(self, step);
  if (!has_pairs) return;
  weft__self_begin_body_pairs(self);
  self->has_contacts = self->contacts.count > 0 || self->body_pairs.count > 0;
  // a few passes over contacts of 16 lanes
  weft__step_spend(step, 2 * (uint64_t)self->lists.pair_count);
  if (self->has_contacts) weft__self_begin_solve(self, step);
}

void weft__self_restart(weft__self* self, uint32_t particle) {
  if (self->particle_count == 0) return;
  self->given_in[self->place_of[particle]] = WEFT__SELF_PLACED;
  self->has_placed = true;
}

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
