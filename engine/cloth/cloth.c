#include "cloth/cloth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cloth/apart.h"
#include "cloth/near.h"

// pairs for each particle, unless limits say otherwise: cloth that lies in many folds has two to six
#define PAIRS_A_PARTICLE 12u
// Of the largest radius of cloth. Half of it lists a third more pairs than touch in folded cloth, and none of
// those that are a link apart; less has to be made anew more often.
#define SKIN 0.5f
// ways grow by this much, so that radii that grow one by one do not list them each time
#define REACH_GROWTH 1.25f

// ---- room ----

static void place_columns(weft__cloth* c, weft__arena* arena) {
  const size_t n = c->particle_count;
  c->members = weft__arena_take(arena, n, sizeof(*c->members));
  c->kind = weft__arena_take(arena, n, sizeof(*c->kind));
  c->radius = weft__arena_take(arena, n, sizeof(*c->radius));
  c->built_x = weft__arena_take(arena, n, sizeof(*c->built_x));
  c->built_y = weft__arena_take(arena, n, sizeof(*c->built_y));
  c->built_z = weft__arena_take(arena, n, sizeof(*c->built_z));
  c->near_body = weft__arena_take(arena, n, sizeof(*c->near_body));
  c->first = weft__arena_take(arena, n, sizeof(*c->first));
  c->count = weft__arena_take(arena, n, sizeof(*c->count));
  c->owned = weft__arena_take(arena, n, sizeof(*c->owned));
  c->touching = weft__arena_take(arena, n, sizeof(*c->touching));
  c->weight = weft__arena_take(arena, n, sizeof(*c->weight));
  for (int k = 0; k < 2; ++k) {
    c->turns[k].at = weft__arena_take(arena, n, sizeof(*c->turns[k].at));
    c->turns[k].from = weft__arena_take(arena, n, sizeof(*c->turns[k].from));
  }
  c->support = weft__arena_take(arena, n, sizeof(*c->support));
  c->carried = weft__arena_take(arena, n, sizeof(*c->carried));
  c->left = weft__arena_take(arena, n, sizeof(*c->left));
  c->left_in = weft__arena_take(arena, n, sizeof(*c->left_in));
  // what is needed to make lists is not while they are used
  c->cells = c->turns[1].at;
  c->shares = weft__arena_take(arena, c->worker_count, sizeof(*c->shares));
  c->scratch =
      weft__arena_take(arena, (size_t)c->worker_count * WEFT__CLOTH_SCRATCH, sizeof(*c->scratch));
}

static bool make_columns(weft__cloth* cloth) {
  weft__arena arena = {0};
  place_columns(cloth, &arena);
  if (!weft__arena_open(&arena)) return false;
  place_columns(cloth, &arena);
  cloth->block = arena.block;
  cloth->bytes += arena.used;
  return true;
}

static bool make_first_room(weft__cloth* cloth, const weft__contact_setup* setup) {
  if (cloth->particle_count > 0) return true;
  weft__cloth made = {
      .particle_count = setup->particles->count, .worker_count = setup->worker_count, .substep = 2};
  if (!make_columns(&made) ||
      !weft__grid_create(&made.grid, made.particle_count, made.worker_count)) {
    weft__cloth_destroy(&made);
    return false;
  }
  made.bytes += made.grid.bytes;
  *cloth = made;
  return true;
}

// there can be no more than there are pairs of particles at all
static uint32_t entries_for(const weft__contact_setup* setup) {
  const uint64_t particles = setup->particles->count;
  const uint64_t all = particles * (particles - 1) / 2;
  uint64_t pairs = setup->limits.max_pairs;
  if (pairs == 0) pairs = PAIRS_A_PARTICLE * particles;
  if (pairs > all) pairs = all;
  return (uint32_t)(pairs > UINT32_MAX / 2 ? UINT32_MAX - 1 : 2 * pairs);
}

static bool make_entries(weft__cloth* cloth, const weft__contact_setup* setup) {
  const uint32_t wanted = entries_for(setup);
  if (wanted > cloth->entry_capacity || cloth->entries == NULL) {
    uint32_t* entries = weft__alloc(wanted, sizeof(*entries));
    if (entries == NULL) return false;
    free(cloth->entries);
    cloth->entries = entries;
    cloth->bytes += (size_t)(wanted - cloth->entry_capacity) * sizeof(*entries);
    cloth->entry_capacity = wanted;
    cloth->is_listed = false;
  }
  if (wanted != cloth->entry_limit) cloth->is_listed = false;
  cloth->entry_limit = wanted;
  return true;
}

static bool make_kin(weft__cloth* cloth, const weft__contact_setup* setup) {
  const float needed = 4.001f * setup->materials->most_cloth;
  if (cloth->kin.first != NULL && cloth->kin.reach >= needed) return true;
  const float reach = cloth->kin.first == NULL ? needed : REACH_GROWTH * needed;
  weft__kin kin;
  if (!weft__kin_create(&kin, setup->schedule, reach)) return false;
  cloth->bytes += kin.bytes - cloth->kin.bytes;
  weft__kin_destroy(&cloth->kin);
  cloth->kin = kin;
  cloth->is_listed = false;
  return true;
}

static bool make_body_grid(weft__cloth* cloth, const weft__contact_setup* setup) {
  const uint32_t* count = setup->materials->shape_count;
  const bool any = count[WEFT_CONTACT_SPHERE] > 0 || count[WEFT_CONTACT_BOX] > 0 ||
                   count[WEFT_CONTACT_ELLIPSOID] > 0;
  if (!any || cloth->body_grid.capacity > 0) return true;
  if (!weft__grid_create(&cloth->body_grid, cloth->particle_count, cloth->worker_count)) {
    return false;
  }
  cloth->bytes += cloth->body_grid.bytes;
  return true;
}

bool weft__cloth_prepare(weft__cloth* cloth, const weft__contact_setup* setup) {
  const bool on = setup->materials->on && setup->materials->shape_count[WEFT_CONTACT_CLOTH] > 0;
  if (on && !(make_first_room(cloth, setup) && make_entries(cloth, setup) &&
              make_kin(cloth, setup) && make_body_grid(cloth, setup))) {
    return false;
  }
  cloth->on = on;
  if (!on) cloth->pair_count = 0;
  return true;
}

void weft__cloth_destroy(weft__cloth* cloth) {
  weft__kin_destroy(&cloth->kin);
  weft__grid_destroy(&cloth->grid);
  weft__grid_destroy(&cloth->body_grid);
  free(cloth->entries);
  free(cloth->block);
  *cloth = (weft__cloth){0};
}

// ---- who is cloth ----

// the radius of a ball around a body
static float radius_around(const weft__material* material) {
  const float* h = material->half_size;
  if (material->shape == WEFT_CONTACT_BOX) return sqrtf(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
  const float most = h[0] > h[1] ? h[0] : h[1];
  return most > h[2] ? most : h[2];
}

static void add_member(weft__cloth* cloth, uint32_t particle, const weft__material* material) {
  cloth->members[weft__cloth_member_count(cloth)] = particle;
  if (material->shape == WEFT_CONTACT_CLOTH) {
    const float radius = material->half_size[0];
    cloth->kind[particle] = WEFT__CLOTH_SPHERE;
    cloth->radius[particle] = radius;
    if (radius > cloth->most_radius) cloth->most_radius = radius;
    ++cloth->cloth_count;
    return;
  }
  const float radius = radius_around(material);
  const bool is_sphere = material->shape == WEFT_CONTACT_SPHERE;
  cloth->kind[particle] = is_sphere ? WEFT__CLOTH_SPHERE : WEFT__CLOTH_BODY;
  cloth->radius[particle] = is_sphere ? material->half_size[0] : radius;
  if (radius > cloth->most_body) cloth->most_body = radius;
  ++cloth->body_count;
}

static void add_members(weft__cloth* cloth, const weft__materials* materials, bool bodies) {
  for (uint32_t p = 0; p < cloth->particle_count; ++p) {
    const weft__material* material = weft__material_of(materials, p);
    if (materials->of[p] == 0 || material->shape == WEFT_CONTACT_POINT) continue;
    if ((material->shape != WEFT_CONTACT_CLOTH) == bodies) add_member(cloth, p, material);
  }
}

static void sort_by_kind(weft__cloth* cloth, const weft__materials* materials) {
  cloth->cloth_count = cloth->body_count = 0;
  cloth->most_radius = cloth->most_body = 0.0f;
  memset(cloth->kind, WEFT__CLOTH_NONE, cloth->particle_count * sizeof(*cloth->kind));
  memset(cloth->count, 0, cloth->particle_count * sizeof(*cloth->count));
  memset(cloth->left_in, 0, cloth->particle_count * sizeof(*cloth->left_in));
  add_members(cloth, materials, false);
  add_members(cloth, materials, true);
  cloth->skin = SKIN * cloth->most_radius;
  cloth->version = materials->version;
  cloth->is_sorted = true;
  cloth->is_listed = false;
}

void weft__cloth_find(weft__cloth* cloth, const weft__contact_stage* stage) {
  if (stage->worker != 0) return;
  if (cloth->is_sorted && cloth->version == stage->materials->version) return;
  sort_by_kind(cloth, stage->materials);
}

// ---- whether lists are still good ----

// Room for the ways of one axis: four at a time, which a compiler makes vectors of.
enum { LANES = 4 };

typedef struct ways {
  float least[LANES], most[LANES];
} ways;

static inline void add_way(ways* w, int lane, float way) {
  w->least[lane] = way < w->least[lane] ? way : w->least[lane];
  w->most[lane] = way > w->most[lane] ? way : w->most[lane];
}

static void measure_axis(const weft__cloth* cloth, const float* here, const float* built,
                         weft__range own, float* least, float* most) {
  ways w;
  for (int lane = 0; lane < LANES; ++lane) w.least[lane] = INFINITY;
  for (int lane = 0; lane < LANES; ++lane) w.most[lane] = -INFINITY;
  const uint32_t* members = cloth->members;
  uint32_t m = own.begin;
  while (m < own.end) {
    const uint32_t p = members[m];
    const bool in_row = own.end - m >= LANES && members[m + LANES - 1] == p + LANES - 1;
    if (!in_row) {
      add_way(&w, 0, here[p] - built[p]);
      ++m;
      continue;
    }
    for (int lane = 0; lane < LANES; ++lane)
      add_way(&w, lane, here[p + (uint32_t)lane] - built[p + (uint32_t)lane]);
    m += LANES;
  }
  *least = INFINITY;
  *most = -INFINITY;
  for (int lane = 0; lane < LANES; ++lane) {
    if (w.least[lane] < *least) *least = w.least[lane];
    if (w.most[lane] > *most) *most = w.most[lane];
  }
}

static void measure_ways(const weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__particles* p = stage->particles;
  const weft__range own =
      weft__share(weft__cloth_member_count(cloth), stage->worker, stage->worker_count);
  weft__cloth_share* share = &cloth->shares[stage->worker];
  measure_axis(cloth, p->pos_x, cloth->built_x, own, &share->least[0], &share->most[0]);
  measure_axis(cloth, p->pos_y, cloth->built_y, own, &share->least[1], &share->most[1]);
  measure_axis(cloth, p->pos_z, cloth->built_z, own, &share->least[2], &share->most[2]);
}

// No two have moved against each other by more than the box around all ways is across.
static bool has_moved(const weft__cloth* cloth, uint32_t worker_count) {
  float sum = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    float least = INFINITY;
    float most = -INFINITY;
    for (uint32_t w = 0; w < worker_count; ++w) {
      const weft__cloth_share* share = &cloth->shares[w];
      if (share->least[axis] < least) least = share->least[axis];
      if (share->most[axis] > most) most = share->most[axis];
    }
    const float across = most - least;
    sum += across * across;
  }
  return !(sum <= cloth->skin * cloth->skin);
}

static bool needs_lists(const weft__cloth* cloth, const weft__contact_stage* stage) {
  if (!cloth->is_listed) return true;
  measure_ways(cloth, stage);
  weft__worker_pool_meet(stage->pool);
  return has_moved(cloth, stage->worker_count);
}

void weft__cloth_hold(weft__cloth* cloth, const weft__contact_stage* stage) {
  if (needs_lists(cloth, stage)) weft__cloth_list(cloth, stage);
  if (cloth->pair_count > 0) {
    weft__cloth_part(cloth, stage);
  } else if (stage->worker == 0) {
    ++cloth->substep;
  }
}
