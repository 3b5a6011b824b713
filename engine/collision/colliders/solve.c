/* Collider stage: broad phase by chunk and block, then SIMD narrow phase.
 *
 * Particles are processed in chunks of blocks, in solver order, which is spatially coherent. The
 * AABB of the motion of a chunk culls colliders, that of a block culls further, and a distance
 * culls single particles: see "candidates". Plain shapes are solved by SIMD lanes
 * (kernels/collider_batch.inl), the rest one particle at a time; both give the same bits. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/grain_size.h"
#include "base/min_max.h"
#include "collision/colliders/colliders.h"
#include "collision/colliders/particle_time_of_impact.h"

#define BLOCK ((uint32_t)WEFT__BATCH_PARTICLES)
#define BLOCKS WEFT__GRAIN(16u, 1u)
// Particles in a piece of work: some microseconds.
#define CHUNK (BLOCK * BLOCKS)
// Passes over the colliders of a particle that touches several, or a concave one.
#define MAX_PASSES 6
// Colliders reported for a particle in one substep.
#define MAX_REPORTS 16u

// No row of the materials.
#define NONE UINT32_MAX

// State of a piece of work.
typedef struct solve_task {
  const weft__colliders* colliders;
  const weft__step_context* step;
  uint32_t worker;
  weft__vec3 gravity;                    // metres a substep
  float rate;                            // 1/seconds
  weft__near_collider* chunk_colliders;  // from the broad phase, ascending [capacity]
  weft__near_collider* block_colliders;
  weft__collider_batch* encounter;  // of the current block
  // materials that the coefficients and radii of `encounter` are of, NONE = various [obstacle]
  uint32_t coefficient_row[WEFT__BATCH_COLLIDERS];
  uint32_t radius_row;
  uint32_t contact_count;  // particles in contact so far
} solve_task;

// AABB of the motion of some particles, shapes included.
typedef struct block {
  uint32_t begin, end;
  weft__vec3 lower, upper;
  double reach;     // metres: largest extent of a particle, box corners included
  bool is_empty;    // no particle has a material
  bool is_uniform;  // one material for all
} block;

// ---- broad phase ----

static bool are_equal(const uint32_t* rows, uint32_t count) {
  uint32_t differs = 0;
  for (uint32_t i = 1; i < count; ++i) differs |= rows[i] ^ rows[0];
  return differs == 0;
}

// Extent of a particle of this material, metres; negative without contacts.
static float radius_of_row(const weft__materials* materials, uint32_t row) {
  const float* half = materials->rows[row].half_size;
  const float larger = half[0] > half[1] ? half[0] : half[1];
  return row == 0 ? -1.0f : larger > half[2] ? larger : half[2];
}

// Largest extent of the particles, metres.
static float max_radius_of(const weft__materials* materials, uint32_t begin, uint32_t end) {
  float radius = -1.0f;
  uint32_t last = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t row = materials->of[i];
    if (row == last) continue;
    last = row;
    radius = weft__maxf(radius, radius_of_row(materials, row));
  }
  return radius;
}

static bool is_box(const weft__material* material) {
  return material->shape == WEFT_PARTICLE_SHAPE_BOX;
}

// Spheres that turn are left to the general code, as friction turns them.
static bool is_sphere(const weft__material* material) {
  return !is_box(material) && material->shape != WEFT_PARTICLE_SHAPE_ELLIPSOID && !material->turns;
}

static block block_of(const weft__step_context* step, uint32_t begin, uint32_t end) {
  const weft__materials* materials = step->materials;
  block b = {
      .begin = begin, .end = end, .is_uniform = are_equal(materials->of + begin, end - begin)};
  const double radius = (double)(b.is_uniform ? radius_of_row(materials, materials->of[begin])
                                              : max_radius_of(materials, begin, end));
  b.is_empty = radius < 0.0;
  if (b.is_empty) return b;
  float lower[3];
  float upper[3];
  step->kernels->measure_extent(step->particles, begin, end, lower, upper);
  // box corners are sqrt(3) times as far out
  const double grown = 1.75 * radius;
  const bool is_uniform_sphere = b.is_uniform && is_sphere(weft__material_of(materials, begin));
  b.reach = is_uniform_sphere ? radius : grown;
  b.lower =
      (weft__vec3){(double)lower[0] - grown, (double)lower[1] - grown, (double)lower[2] - grown};
  b.upper =
      (weft__vec3){(double)upper[0] + grown, (double)upper[1] + grown, (double)upper[2] + grown};
  return b;
}

static bool overlaps_swept_box(weft__vec3 lower, weft__vec3 upper, const weft__collider* c) {
  return !(lower.x > c->swept_upper.x || upper.x < c->swept_lower.x || lower.y > c->swept_upper.y ||
           upper.y < c->swept_lower.y || lower.z > c->swept_upper.z || upper.z < c->swept_lower.z);
}

// AABB of a world AABB, in a local frame.
static void box_in_frame(const weft__frame* frame, const block* b, weft__vec3* lower,
                         weft__vec3* upper) {
  const weft__vec3 half = weft__scaled(0.5, weft__minus(b->upper, b->lower));
  const weft__vec3 center =
      weft__frame_in(frame, weft__scaled(0.5, weft__plus(b->lower, b->upper)));
  const weft__vec3* a = frame->axis;
  const weft__vec3 extent = {fabs(a[0].x) * half.x + fabs(a[0].y) * half.y + fabs(a[0].z) * half.z,
                             fabs(a[1].x) * half.x + fabs(a[1].y) * half.y + fabs(a[1].z) * half.z,
                             fabs(a[2].x) * half.x + fabs(a[2].y) * half.y + fabs(a[2].z) * half.z};
  *lower = weft__minus(center, extent);
  *upper = weft__plus(center, extent);
}

// Tests the block against the shape in the frame of the collider: tighter than world axes, above
// all for unbounded shapes.
static bool may_collide(const block* b, const weft__collider* c) {
  if (!overlaps_swept_box(b->lower, b->upper, c)) return false;
  // the two frames do not bound an arc
  if (c->slice_count > 1) return true;
  weft__vec3 lower[2];
  weft__vec3 upper[2];
  box_in_frame(&c->begin, b, &lower[0], &upper[0]);
  if (c->moves) {
    box_in_frame(&c->end, b, &lower[1], &upper[1]);
  } else {
    lower[1] = lower[0];
    upper[1] = upper[0];
  }
  return !((lower[0].x > c->upper.x && lower[1].x > c->upper.x) ||
           (lower[0].y > c->upper.y && lower[1].y > c->upper.y) ||
           (lower[0].z > c->upper.z && lower[1].z > c->upper.z) ||
           (upper[0].x < c->lower.x && upper[1].x < c->lower.x) ||
           (upper[0].y < c->lower.y && upper[1].y < c->lower.y) ||
           (upper[0].z < c->lower.z && upper[1].z < c->lower.z));
}

// ---- candidates ----
//
// A particle is a candidate of a collider unless a distance proves that it can touch it neither on
// its path nor after it has been moved out of others. Seen from a collider, a path is no longer
// than
//
//     L = B + G + T,    B displacement, G gravity, T travel of the shape at the particle,
//
// a contact moves a particle by at most 3 L, after which another path is no longer than 4 L + T.
// So no cast hits a shape further away than 6 L, or L without another collider, and one from beyond
// twice the path misses in its first step. T grows by the angle of the substep with the distance,
// hence the division.

// In units of L, with and without other colliders near.
#define CANDIDATE_MARGIN 10.0
#define LONE_CANDIDATE_MARGIN 3.0
// Rounding of the distance in float, relative to the coordinates.
#define CANDIDATE_ROUNDING 0x1p-18

typedef struct candidate_set {
  uint64_t lanes;           // candidates of any collider
  uint32_t collider_count;  // colliders with candidates
} candidate_set;

// Mask of the lanes [begin, end) of a block of at most 64.
static uint64_t lane_mask(uint32_t begin, uint32_t end) {
  const uint64_t below_end = end < 64 ? (1ull << end) - 1 : UINT64_MAX;
  return below_end & (UINT64_MAX << begin);
}

static double largest_coordinate(const block* b) {
  return weft__max(weft__largest_component(b->lower), weft__largest_component(b->upper));
}

// Bound L of the paths of a block relative to all near colliders, metres; may be infinite.
static double path_bound(const solve_task* task, const block* b, uint32_t near_count) {
  double travel = 0.0;
  for (uint32_t k = 0; k < near_count; ++k) {
    const weft__collider* c = &task->colliders->list[task->block_colliders[k].number];
    travel = weft__max(travel, c->travel + c->angle * b->reach);
  }
  const weft__step_context* step = task->step;
  const float moved = step->kernels->measure_displacement(step->particles, b->begin, b->end);
  return (double)moved + sqrt(weft__dot(task->gravity, task->gravity)) + travel;
}

// Sets the lanes of the near colliders.
static candidate_set find_candidates(const solve_task* task, const block* b, uint32_t near_count) {
  const double paths = near_count > 1 ? CANDIDATE_MARGIN : LONE_CANDIDATE_MARGIN;
  const double margin = paths * path_bound(task, b, near_count);
  const double largest = largest_coordinate(b) + WEFT__MIN_COORDINATE;
  const weft__step_context* step = task->step;
  candidate_set set = {0};
  for (uint32_t k = 0; k < near_count; ++k) {
    weft__near_collider* near = &task->block_colliders[k];
    const weft__collider* c = &task->colliders->list[near->number];
    const double rounding = CANDIDATE_ROUNDING * (largest + c->magnitude);
    const double distance =
        (b->reach + (double)c->bounds.radius + margin + rounding) / (1.0 - paths * c->angle);
    // beyond a slice the margin is infinite
    const bool is_bounded = isfinite(margin);
    near->lanes = is_bounded
                      ? step->kernels->find_near(step->particles, &c->bounds,
                                                 (float)(1.0001 * distance), b->begin, b->end)
                      : lane_mask(0, b->end - b->begin);
    set.lanes |= near->lanes;
    set.collider_count += near->lanes != 0;
  }
  return set;
}

// ---- one particle ----

static weft__vec3 vec3_at(const float* x, const float* y, const float* z, uint32_t i) {
  return (weft__vec3){(double)x[i], (double)y[i], (double)z[i]};
}

// Rotation of a particle, and the displacement of a substep by it.
static void load_roll(const weft__step_context* step, uint32_t i, weft__moving_particle* t) {
  const weft__particles* p = step->particles;
  const double rate = (double)p->roll_radius[i] * (double)step->h;
  t->roll_factor = (double)p->roll_factor[i];
  t->roll = weft__scaled(rate, vec3_at(p->spin_x, p->spin_y, p->spin_z, i));
}

// A rotation that did not change keeps its bits.
static void store_roll(const weft__step_context* step, const weft__moving_particle* t, uint32_t i) {
  const weft__particles* p = step->particles;
  const double rate = (double)p->roll_radius[i] * (double)step->h;
  weft__moving_particle before;
  load_roll(step, i, &before);
  const weft__vec3 change = weft__scaled(1.0 / rate, weft__minus(t->roll, before.roll));
  p->spin_x[i] = (float)((double)p->spin_x[i] + change.x);
  p->spin_y[i] = (float)((double)p->spin_y[i] + change.y);
  p->spin_z[i] = (float)((double)p->spin_z[i] + change.z);
}

static weft__moving_particle load_particle(const weft__step_context* step, uint32_t i) {
  const weft__particles* p = step->particles;
  const weft__material* material = weft__material_of(step->materials, i);
  weft__moving_particle t = {.pos = vec3_at(p->pos_x, p->pos_y, p->pos_z, i),
                             .prev = vec3_at(p->prev_x, p->prev_y, p->prev_z, i),
                             .material = material,
                             .between = &step->materials->between};
  t.origin = t.prev;
  t.prev_is_origin = true;
  const float* half = material->half_size;
  t.inner_radius = t.outer_radius = (double)half[0];
  if (material->turns) load_roll(step, i, &t);
  if (is_sphere(material)) return t;
  for (int axis = 1; axis < 3; ++axis) {
    if ((double)half[axis] < t.inner_radius) t.inner_radius = (double)half[axis];
    if ((double)half[axis] > t.outer_radius) t.outer_radius = (double)half[axis];
  }
  if (is_box(material)) t.outer_radius *= 1.75;
  return t;
}

// `change` in metres a substep
static void report(const solve_task* task, uint32_t i, uint32_t number, double change,
                   weft__vec3 normal) {
  const weft__step_context* step = task->step;
  const double mass = 1.0 / (double)step->particles->inv_mass[i];
  const weft__contact_note note = {
      .particle = step->schedule->user_of[i],
      .other = number,
      .generation = step->colliders->list[number].generation,
      .substep = step->substep,
      .impulse = (float)(change * mass * (double)task->rate),
      .normal = {(float)normal.x, (float)normal.y, (float)normal.z},
  };
  weft__contact_log_note(step->log, task->worker, &note);
}

// Colliders already reported for the particle.
typedef struct reported_list {
  uint32_t numbers[MAX_REPORTS];
  uint32_t count;
} reported_list;

static void report_once(const solve_task* task, uint32_t i, uint32_t number,
                        const weft__collider_hit* hit, reported_list* reported) {
  for (uint32_t k = 0; k < reported->count; ++k) {
    if (reported->numbers[k] == number) return;
  }
  if (reported->count == MAX_REPORTS) return;
  reported->numbers[reported->count++] = number;
  report(task, i, number, hit->change, hit->normal);
}

// Writes the state back; SIMD lanes write theirs in the kernel.
static void store_particle(const solve_task* task, const weft__moving_particle* t, uint32_t i) {
  const weft__particles* p = task->step->particles;
  if (t->roll_factor > 0.0) store_roll(task->step, t, i);
  p->pos_x[i] = (float)t->pos.x;
  p->pos_y[i] = (float)t->pos.y;
  p->pos_z[i] = (float)t->pos.z;
  p->prev_x[i] = (float)t->prev.x;
  p->prev_y[i] = (float)t->prev.y;
  p->prev_z[i] = (float)t->prev.z;
  // an impact is not a force over the substep: see kernels/bounds.inl
  if (p->velocity_block == NULL || !t->velocity_changed) return;
  p->vel_x[i] = (p->pos_x[i] - p->prev_x[i]) * task->rate;
  p->vel_y[i] = (p->pos_y[i] - p->prev_y[i]) * task->rate;
  p->vel_z[i] = (p->pos_z[i] - p->prev_z[i]) * task->rate;
}

// Result of one pass over the colliders.
typedef struct pass_result {
  uint32_t count;
  bool has_concave;            // some collider in contact is concave
  const weft__collider* thin;  // last two-sided collider in contact
} pass_result;

// `lane` is that of the particle in its block. Until the first contact, and so on its original
// path, the particle can touch its candidates alone.
static pass_result resolve_all(const solve_task* task, uint32_t i, uint32_t lane,
                               uint32_t near_count, bool is_first, weft__moving_particle* t,
                               reported_list* reported) {
  pass_result result = {0};
  for (uint32_t k = 0; k < near_count; ++k) {
    const weft__near_collider* near = &task->block_colliders[k];
    const weft__collider* c = &task->colliders->list[near->number];
    if (!t->has_contact && (near->lanes >> lane & 1) == 0) continue;
    if ((c->turns && weft__misses_swept_box(t, c)) ||
        !weft__surfaces_collide(&c->surface, &t->material->surface))
      continue;
    weft__collider_hit hit;
    if (!weft__collider_resolve(c, task->gravity, is_first, t, &hit)) continue;
    ++result.count;
    result.has_concave = result.has_concave || c->shape.kind >= WEFT_COLLIDER_SHAPE_HEIGHTFIELD;
    if (c->row->is_thin) result.thin = c;
    if (task->step->log->on) report_once(task, i, near->number, &hit, reported);
  }
  return result;
}

// Returns the particle to the origin, moved along with the collider: there it is on the permitted
// side.
static void reset_to_origin(const weft__collider* c, weft__moving_particle* t) {
  t->pos = weft__frame_out(&c->end, weft__frame_in(&c->begin, t->origin));
  t->prev = t->origin;
  t->velocity_changed = true;
}

// Correction by one collider may cause overlap with another: passes repeat until none has contact.
static bool solve_particle(const solve_task* task, uint32_t i, uint32_t lane, uint32_t near_count) {
  weft__moving_particle t = load_particle(task->step, i);
  reported_list reported;
  reported.count = 0;
  pass_result result = resolve_all(task, i, lane, near_count, true, &t, &reported);
  if (result.count == 0) return false;
  // a sphere outside the tangent plane is outside a convex shape
  const bool is_resolved =
      near_count == 1 && !result.has_concave && t.inner_radius == t.outer_radius;
  for (int pass = 1; pass < MAX_PASSES && result.count > 0 && !is_resolved; ++pass) {
    result = resolve_all(task, i, lane, near_count, false, &t, &reported);
    // no convergence: the position may be beyond a thin side that detection would not recover
    if (pass + 1 == MAX_PASSES && result.thin != NULL) reset_to_origin(result.thin, &t);
  }
  store_particle(task, &t, i);
  return true;
}

// ---- a block, by SIMD lanes ----

// Shapes that kernels handle; WEFT__OBSTACLE_OTHER is 0.
static const weft__batch_collider_kind obstacle_kinds[WEFT__SHAPE_COUNT] = {
    [WEFT_COLLIDER_SHAPE_PLANE] = WEFT__OBSTACLE_PLANE,
    [WEFT_COLLIDER_SHAPE_HALF_SPACE] = WEFT__OBSTACLE_HALF_SPACE,
    [WEFT_COLLIDER_SHAPE_SPHERE] = WEFT__OBSTACLE_SPHERE,
    [WEFT_COLLIDER_SHAPE_CAPSULE] = WEFT__OBSTACLE_CAPSULE,
    [WEFT_COLLIDER_SHAPE_BOX] = WEFT__OBSTACLE_BOX,
};

// Unbounded box, for shapes that move in slices.
static const weft__vec3 unbounded[2] = {{-INFINITY, -INFINITY, -INFINITY},
                                        {INFINITY, INFINITY, INFINITY}};

// Coefficients of an obstacle and the particles [begin, end) of the block, which share a material.
static void set_coefficients(weft__batch_collider* o, const weft__pair_rule* rule,
                             const weft__collider* c, const weft__material* material,
                             uint32_t begin, uint32_t end) {
  const weft__surface between = weft__surface_between(rule, &material->surface, &c->surface);
  for (uint32_t lane = begin; lane < end; ++lane) {
    o->restitution[lane] = between.restitution;
    o->static_friction[lane] = between.static_friction;
    o->dynamic_friction[lane] = between.dynamic_friction;
  }
}

// End of the run of particles with one material.
static uint32_t run_end(const solve_task* task, const block* b, uint32_t begin) {
  if (b->is_uniform) return b->end;
  const uint32_t* rows = task->step->materials->of;
  uint32_t end = begin + 1;
  while (end < b->end && rows[end] == rows[begin]) ++end;
  return end;
}

// Coefficients of the last block remain if collider and material are the same.
static void set_surfaces(solve_task* task, const block* b, uint32_t k, uint32_t number,
                         uint64_t candidates) {
  weft__batch_collider* o = &task->encounter->obstacles[k];
  const weft__collider* c = &task->colliders->list[number];
  const weft__materials* materials = task->step->materials;
  const uint32_t first_row = materials->of[b->begin];
  const bool is_same =
      b->is_uniform && o->number == number && task->coefficient_row[k] == first_row;
  uint64_t meets = 0;
  for (uint32_t i = b->begin; i < b->end;) {
    const uint32_t end = run_end(task, b, i);
    const uint32_t lane = i - b->begin;
    const weft__material* material = weft__material_of(materials, i);
    if (is_sphere(material) && weft__surfaces_collide(&c->surface, &material->surface))
      meets |= lane_mask(lane, end - b->begin);
    if (!is_same)
      set_coefficients(o, &materials->between, c, material, lane,
                       b->is_uniform ? BLOCK : end - b->begin);
    i = end;
  }
  o->meets = meets & candidates;
  o->number = number;
  task->coefficient_row[k] = b->is_uniform ? first_row : NONE;
}

static void set_obstacle(const weft__collider* c, weft__batch_collider* o) {
  o->kind = c->slice_count > 1 ? WEFT__OBSTACLE_OTHER : obstacle_kinds[c->shape.kind];
  o->radius = c->shape.radius;
  o->half_size = c->shape.half_size;
  o->lower = c->slice_count > 1 ? &unbounded[0] : &c->lower;
  o->upper = c->slice_count > 1 ? &unbounded[1] : &c->upper;
  o->swept_lower = &c->swept_lower;
  o->swept_upper = &c->swept_upper;
  o->begin = &c->begin;
  o->end = &c->end;
  o->moves = c->moves;
  o->turns = c->turns;
}

// Returns the mask of particles that are not spheres.
static uint64_t set_radii(solve_task* task, const block* b) {
  const weft__materials* materials = task->step->materials;
  const uint32_t first_row = materials->of[b->begin];
  const bool is_same = b->is_uniform && task->radius_row == first_row;
  uint64_t others = 0;
  for (uint32_t i = b->begin; i < b->end;) {
    const uint32_t end = run_end(task, b, i);
    const weft__material* material = weft__material_of(materials, i);
    if (!is_sphere(material)) others |= lane_mask(i - b->begin, end - b->begin);
    const uint32_t last_lane = b->is_uniform ? BLOCK : end - b->begin;
    for (uint32_t lane = i - b->begin; !is_same && lane < last_lane; ++lane)
      task->encounter->radius[lane] = material->half_size[0];
    i = end;
  }
  task->radius_row = b->is_uniform ? first_row : NONE;
  return others;
}

// Returns the mask of particles that are not spheres.
static uint64_t set_encounter(solve_task* task, const block* b, uint32_t near_count) {
  weft__collider_batch* e = task->encounter;
  e->obstacle_count = 0;
  // a single convex obstacle needs no second test: a point outside the contact plane is outside the
  // shape
  e->rechecks = near_count > 1;
  for (uint32_t n = 0; n < near_count; ++n) {
    const weft__near_collider* near = &task->block_colliders[n];
    if (near->lanes == 0) continue;
    const uint32_t k = e->obstacle_count++;
    set_obstacle(&task->colliders->list[near->number], &e->obstacles[k]);
    set_surfaces(task, b, k, near->number, near->lanes);
  }
  return set_radii(task, b);
}

// Reports a contact that the kernel found.
static void report_lane(const solve_task* task, uint32_t i, uint32_t lane) {
  const weft__collider_batch* e = task->encounter;
  uint32_t k = 0;
  while ((e->resolved_by[k] >> lane & 1) == 0) ++k;
  const weft__vec3 normal = {e->normal_x[lane], e->normal_y[lane], e->normal_z[lane]};
  report(task, i, e->obstacles[k].number, e->change[lane], normal);
}

static void solve_lanes(solve_task* task, const block* b, uint32_t near_count,
                        uint64_t candidates) {
  weft__collider_batch* e = task->encounter;
  const float* inv_mass = task->step->particles->inv_mass;
  const uint64_t others = set_encounter(task, b, near_count);
  task->step->kernels->solve_colliders(task->step->particles, e, b->begin, b->end);
  uint64_t contact_lanes = 0;
  for (uint32_t k = 0; k < e->obstacle_count; ++k) contact_lanes |= e->resolved_by[k];
  task->contact_count += (uint32_t)__builtin_popcountll(contact_lanes);
  // reports are written in the order of particles
  uint64_t left = e->rare | (others & candidates) | (task->step->log->on ? contact_lanes : 0);
  for (; left != 0; left &= left - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctzll(left);
    const uint32_t i = b->begin + lane;
    if ((contact_lanes >> lane & 1) != 0) {
      report_lane(task, i, lane);
    } else if (inv_mass[i] > 0.0f && solve_particle(task, i, lane, near_count)) {
      ++task->contact_count;
    }
  }
}

// ---- all blocks ----

static uint32_t cull_block(const solve_task* task, const block* b, uint32_t chunk_count) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < chunk_count; ++k) {
    const uint32_t number = task->chunk_colliders[k].number;
    if (may_collide(b, &task->colliders->list[number]))
      task->block_colliders[count++].number = number;
  }
  return count;
}

static void solve_one_by_one(solve_task* task, const block* b, uint32_t near_count,
                             uint64_t candidates) {
  const float* inv_mass = task->step->particles->inv_mass;
  const uint32_t* rows = task->step->materials->of;
  for (; candidates != 0; candidates &= candidates - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctzll(candidates);
    const uint32_t i = b->begin + lane;
    if (rows[i] == 0 || !(inv_mass[i] > 0.0f)) continue;
    if (solve_particle(task, i, lane, near_count)) ++task->contact_count;
  }
}

static void solve_block(solve_task* task, const block* b, uint32_t chunk_count) {
  if (b->is_empty) return;
  const uint32_t near_count = cull_block(task, b, chunk_count);
  if (near_count == 0) return;
  const candidate_set found = find_candidates(task, b, near_count);
  if (found.lanes == 0) return;
  if (found.collider_count <= WEFT__BATCH_COLLIDERS) {
    solve_lanes(task, b, near_count, found.lanes);
  } else {
    solve_one_by_one(task, b, near_count, found.lanes);
  }
}

static void grow_block(block* all, const block* b) {
  if (b->is_empty) return;
  if (all->is_empty) {
    *all = *b;
    return;
  }
  all->lower = weft__lower_of(all->lower, b->lower);
  all->upper = weft__upper_of(all->upper, b->upper);
}

static uint32_t cull_chunk(const solve_task* task, const block* all) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < task->colliders->end; ++n) {
    const weft__collider* c = &task->colliders->list[n];
    if (c->row != NULL && overlaps_swept_box(all->lower, all->upper, c))
      task->chunk_colliders[count++].number = n;
  }
  return count;
}

static void solve_chunk(solve_task* task, uint32_t chunk) {
  const uint32_t count = task->step->particles->count;
  const uint32_t begin = chunk * CHUNK;
  block blocks[BLOCKS];
  block all = {.is_empty = true};
  uint32_t block_count = 0;
  for (uint32_t i = begin; i < count && block_count < BLOCKS; i += BLOCK) {
    const uint32_t end = count - i < BLOCK ? count : i + BLOCK;
    blocks[block_count] = block_of(task->step, i, end);
    grow_block(&all, &blocks[block_count++]);
  }
  if (all.is_empty) return;
  const uint32_t near_count = cull_chunk(task, &all);
  for (uint32_t b = 0; b < block_count && near_count > 0; ++b) {
    solve_block(task, &blocks[b], near_count);
  }
}

typedef struct solve_job {
  const weft__colliders* colliders;
  const weft__step_context* step;
  atomic_uint contact_count;
} solve_job;

static void solve_chunks(void* context, weft__range chunks, uint32_t worker) {
  solve_job* job = context;
  const weft__step_context* step = job->step;
  const float* g = step->motion->displacement;
  weft__near_collider* lists = job->colliders->scratch + 2 * job->colliders->capacity * worker;
  weft__collider_batch encounter;
  solve_task task = {
      .colliders = job->colliders,
      .step = step,
      .worker = worker,
      .gravity = {(double)g[0], (double)g[1], (double)g[2]},
      .rate = 1.0f / step->h,
      .chunk_colliders = lists,
      .block_colliders = lists + job->colliders->capacity,
      .encounter = &encounter,
      .radius_row = NONE,
  };
  for (int k = 0; k < WEFT__BATCH_COLLIDERS; ++k) task.coefficient_row[k] = NONE;
  encounter.gravity = task.gravity;
  encounter.rate = task.rate;
  encounter.notes = step->log->on;
  for (uint32_t chunk = chunks.begin; chunk < chunks.end; ++chunk) solve_chunk(&task, chunk);
  // relaxed: read after the loop
  atomic_fetch_add_explicit(&job->contact_count, task.contact_count, memory_order_relaxed);
}

void weft__colliders_solve(weft__colliders* colliders, const weft__step_context* step) {
  solve_job job = {.colliders = colliders, .step = step};
  const uint32_t count = step->particles->count;
  const uint32_t chunks = count / CHUNK + (count % CHUNK != 0);
  if (step->materials->on) weft__step_for(step, chunks, 1, solve_chunks, &job);
  colliders->contact_count = job.contact_count;
}
