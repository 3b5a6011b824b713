/* Collider stage: chunks of blocks of particles in solver order, which is spatially coherent.
 *
 * AABBs of motion cull colliders, of a chunk and then of a block, and distances particles
 * (candidates.c). SIMD lanes solve plain shapes (kernels/collider_batch.inl), particle_solve.c the
 * rest, with the same bits. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/grain_size.h"
#include "collision/colliders/planes.h"
#include "collision/colliders/solve.h"

#define BLOCK ((uint32_t)WEFT__BATCH_PARTICLES)
#define BLOCKS WEFT__GRAIN(16u, 1u)
#define CHUNK (BLOCK * BLOCKS)

// WEFT__OBSTACLE_OTHER is 0
static const weft__batch_collider_kind obstacle_kinds[WEFT__SHAPE_COUNT] = {
    [WEFT_COLLIDER_SHAPE_PLANE] = WEFT__OBSTACLE_PLANE,
    [WEFT_COLLIDER_SHAPE_HALF_SPACE] = WEFT__OBSTACLE_HALF_SPACE,
    [WEFT_COLLIDER_SHAPE_SPHERE] = WEFT__OBSTACLE_SPHERE,
    [WEFT_COLLIDER_SHAPE_CAPSULE] = WEFT__OBSTACLE_CAPSULE,
    [WEFT_COLLIDER_SHAPE_BOX] = WEFT__OBSTACLE_BOX,
};

// for shapes that move in slices
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

static uint32_t run_end(const weft__collider_task* task, const weft__collider_block* b,
                        uint32_t begin) {
  if (b->is_uniform) return b->end;
  const uint32_t* rows = task->step->materials->of;
  uint32_t end = begin + 1;
  while (end < b->end && rows[end] == rows[begin]) ++end;
  return end;
}

// Coefficients are kept while collider and material are the same.
static void set_surfaces(weft__collider_task* task, const weft__collider_block* b, uint32_t k,
                         uint32_t number, uint64_t candidates) {
  weft__batch_collider* o = &task->encounter->obstacles[k];
  const weft__collider* c = &task->colliders->list[number];
  const weft__materials* materials = task->step->materials;
  const uint32_t first_row = materials->of[b->begin];
  const bool is_same =
      b->is_uniform && task->coefficient_row[k] == first_row && o->number == number;
  uint64_t meets = 0;
  for (uint32_t i = b->begin; i < b->end;) {
    const uint32_t end = run_end(task, b, i);
    const uint32_t lane = i - b->begin;
    const weft__material* material = weft__material_of(materials, i);
    if (weft__is_sphere(material) && weft__surfaces_collide(&c->surface, &material->surface))
      meets |= weft__lane_mask(lane, end - b->begin);
    if (!is_same)
      set_coefficients(o, &materials->between, c, material, lane,
                       b->is_uniform ? BLOCK : end - b->begin);
    i = end;
  }
  o->meets = meets & candidates;
  o->number = number;
  task->coefficient_row[k] = b->is_uniform ? first_row : WEFT__NONE;
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

// Returns particles that are not spheres.
static uint64_t set_radii(weft__collider_task* task, const weft__collider_block* b) {
  const weft__materials* materials = task->step->materials;
  const uint32_t first_row = materials->of[b->begin];
  const bool is_same = b->is_uniform && task->radius_row == first_row;
  uint64_t others = 0;
  for (uint32_t i = b->begin; i < b->end;) {
    const uint32_t end = run_end(task, b, i);
    const weft__material* material = weft__material_of(materials, i);
    if (!weft__is_sphere(material)) others |= weft__lane_mask(i - b->begin, end - b->begin);
    const uint32_t last_lane = b->is_uniform ? BLOCK : end - b->begin;
    const float share = weft__collider_support_share(task, material);
    for (uint32_t lane = i - b->begin; !is_same && lane < last_lane; ++lane)
      task->encounter->radius[lane] = share * material->half_size[0];
    i = end;
  }
  task->radius_row = b->is_uniform ? first_row : WEFT__NONE;
  return others;
}

// Returns particles that are not spheres.
static uint64_t set_encounter(weft__collider_task* task, const weft__collider_block* b,
                              uint32_t near_count) {
  weft__collider_batch* e = task->encounter;
  e->obstacle_count = 0;
  // a point outside the contact plane is outside a single convex obstacle
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

// metres in the substep, before contacts
typedef struct block_motion {
  float x[BLOCK], y[BLOCK], z[BLOCK];
} block_motion;

static void save_motion(const weft__particles* p, const weft__collider_block* b, block_motion* to) {
  for (uint32_t i = b->begin; i < b->end; ++i) {
    to->x[i - b->begin] = p->pos_x[i] - p->prev_x[i];
    to->y[i - b->begin] = p->pos_y[i] - p->prev_y[i];
    to->z[i - b->begin] = p->pos_z[i] - p->prev_z[i];
  }
}

static void record_lane(const weft__collider_task* task, uint32_t i, uint32_t lane,
                        const block_motion* before) {
  const weft__collider_batch* e = task->encounter;
  const weft__particles* p = task->step->particles;
  uint32_t k = 0;
  while ((e->resolved_by[k] >> lane & 1) == 0) ++k;
  const weft__vec3 moved = {(double)before->x[lane], (double)before->y[lane],
                            (double)before->z[lane]};
  const weft__vec3 normal = {e->normal_x[lane], e->normal_y[lane], e->normal_z[lane]};
  const weft__vec3 change = weft__minus(weft__displacement_of(p, i), moved);
  const weft__vec3 reach = weft__scaled((double)e->radius[lane], normal);
  const weft__collider_contact contact = {
      .particle = i,
      .number = e->obstacles[k].number,
      .impulse = weft__impulse_of_change(task->step, i, change),
      .normal = normal,
      .point = weft__minus(weft__vec3_at(p->pos, i), reach),
  };
  weft__collider_contact_take(task->step, task->worker, &contact);
}

// Lanes of particles of this process: contacts of others are counted there.
static uint64_t own_lanes(const weft__collider_task* task, const weft__collider_block* b) {
  const weft__range own = task->step->own;
  if (own.begin <= b->begin && own.end >= b->end) return UINT64_MAX;
  uint64_t lanes = 0;
  for (uint32_t i = b->begin; i < b->end; ++i) {
    if (i >= own.begin && i < own.end) lanes |= (uint64_t)1 << (i - b->begin);
  }
  return lanes;
}

static bool is_own(const weft__collider_task* task, uint32_t particle) {
  return particle >= task->step->own.begin && particle < task->step->own.end;
}

static void solve_lanes(weft__collider_task* task, const weft__collider_block* b,
                        uint32_t near_count, uint64_t candidates) {
  weft__collider_batch* e = task->encounter;
  const float* inv_mass = task->step->particles->inv_mass;
  const uint64_t others = set_encounter(task, b, near_count);
  block_motion before;
  if (e->notes) save_motion(task->step->particles, b, &before);
  task->step->kernels->solve_colliders(task->step->particles, e, b->begin, b->end);
  uint64_t contact_lanes = 0;
  for (uint32_t k = 0; k < e->obstacle_count; ++k) contact_lanes |= e->resolved_by[k];
  task->contact_count += (uint32_t)__builtin_popcountll(contact_lanes & own_lanes(task, b));
  uint64_t left = e->rare | (others & candidates) | (e->notes ? contact_lanes : 0);
  uint32_t met_end = 0;
  for (; left != 0; left &= left - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctzll(left);
    const uint32_t i = b->begin + lane;
    if (lane >= met_end)
      met_end = weft__collider_meet_triangles(task, b->begin, left & ~contact_lanes, near_count);
    if ((contact_lanes >> lane & 1) != 0) {
      record_lane(task, i, lane, &before);
    } else if (inv_mass[i] > 0.0f && weft__collider_solve_particle(task, i, lane, near_count)) {
      task->contact_count += is_own(task, i);
    }
  }
}

static weft__vec3 gravity_at(const weft__step_context* step, uint32_t particle) {
  const float* g = weft__step_motion(step, particle)->displacement;
  return (weft__vec3){(double)g[0], (double)g[1], (double)g[2]};
}

// Sets the gravity of a block, the longest one if it has several; true if it has one.
static bool set_gravity(weft__collider_task* task, const weft__collider_block* b) {
  if (task->step->schedule->environment_of == NULL) return true;
  const uint32_t* first = task->step->schedule->environment_first;
  bool is_one = true;
  task->gravity = gravity_at(task->step, b->begin);
  for (uint32_t e = b->environments.begin + 1; e < b->environments.end; ++e) {
    if (first[e] == first[e + 1]) continue;
    const weft__vec3 next =
        gravity_at(task->step, weft__environment_particles(task->step->schedule, e).begin);
    const weft__vec3 change = weft__minus(next, task->gravity);
    if (weft__dot(change, change) > 0.0) is_one = false;
    if (weft__dot(next, next) > weft__dot(task->gravity, task->gravity)) task->gravity = next;
  }
  task->encounter->gravity = task->gravity;
  return is_one;
}

static void solve_one_by_one(weft__collider_task* task, const weft__collider_block* b,
                             uint32_t near_count, uint64_t candidates) {
  const float* inv_mass = task->step->particles->inv_mass;
  const uint32_t* rows = task->step->materials->of;
  task->met_number = WEFT__NONE;
  for (; candidates != 0; candidates &= candidates - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctzll(candidates);
    const uint32_t i = b->begin + lane;
    if (rows[i] == 0 || !(inv_mass[i] > 0.0f)) continue;
    task->gravity = gravity_at(task->step, i);
    if (weft__collider_solve_particle(task, i, lane, near_count)) {
      task->contact_count += is_own(task, i);
    }
  }
}

static bool is_wanted(const weft__collider_task* task, uint32_t begin, uint32_t end) {
  if (task->only == NULL) return true;
  for (uint32_t i = begin; i < end; ++i) {
    if (task->only[i] != 0) return true;
  }
  return false;
}

static void solve_block(weft__collider_task* task, const weft__collider_block* b,
                        uint32_t chunk_count) {
  if (b->is_empty) return;
  const uint32_t near_count = weft__collider_cull_block(task, b, chunk_count);
  if (near_count == 0) return;
  const bool has_one_gravity = set_gravity(task, b);
  const weft__collider_candidates found = weft__collider_find_candidates(task, b, near_count);
  if (found.lanes == 0) return;
  if (has_one_gravity && found.collider_count <= WEFT__BATCH_COLLIDERS) {
    solve_lanes(task, b, near_count, found.lanes);
  } else {
    solve_one_by_one(task, b, near_count, found.lanes);
  }
}

static void solve_chunk(weft__collider_task* task, uint32_t chunk) {
  const uint32_t count = task->step->particles->count;
  const uint32_t begin = chunk * CHUNK;
  weft__collider_block blocks[BLOCKS];
  weft__collider_block all = {.is_empty = true};
  uint32_t block_count = 0;
  const uint32_t chunk_end = count - begin < CHUNK ? count : begin + CHUNK;
  for (uint32_t i = begin; i < chunk_end; i += BLOCK) {
    const uint32_t end = count - i < BLOCK ? count : i + BLOCK;
    if (!is_wanted(task, i, end)) continue;
    blocks[block_count] = weft__collider_block_of(task->step, i, end);
    weft__collider_grow_block(&all, &blocks[block_count++]);
  }
  if (all.is_empty) return;
  const uint32_t near_count = weft__collider_cull_chunk(task, &all);
  for (uint32_t b = 0; b < block_count && near_count > 0; ++b) {
    solve_block(task, &blocks[b], near_count);
  }
}

typedef struct solve_job {
  const weft__colliders* colliders;
  weft__step_context* step;
  float cloth_share;
  const uint8_t* only;
  atomic_uint contact_count;
} solve_job;

static void solve_chunks(void* context, weft__range chunks, uint32_t worker) {
  solve_job* job = context;
  weft__step_context* step = job->step;
  weft__near_collider* lists = job->colliders->scratch + 2 * job->colliders->capacity * worker;
  weft__collider_batch encounter;
  weft__triangle_batch triangles;
  weft__met_triangles met[BLOCK];
  weft__collider_task task = {
      .colliders = job->colliders,
      .step = step,
      .worker = worker,
      .gravity = gravity_at(step, 0),
      .rate = 1.0f / step->h,
      .chunk_colliders = lists,
      .block_colliders = lists + job->colliders->capacity,
      .encounter = &encounter,
      .radius_row = WEFT__NONE,
      .cloth_share = job->cloth_share,
      .only = job->only,
      .triangles = &triangles,
      .met = met,
  };
  for (int k = 0; k < WEFT__BATCH_COLLIDERS; ++k) task.coefficient_row[k] = WEFT__NONE;
  encounter.gravity = task.gravity;
  encounter.rate = task.rate;
  encounter.notes = weft__collider_contacts_are_recorded(step);
  for (uint32_t chunk = chunks.begin; chunk < chunks.end; ++chunk) solve_chunk(&task, chunk);
  // relaxed: read after the loop
  atomic_fetch_add_explicit(&job->contact_count, task.contact_count, memory_order_relaxed);
}

static void mark_blocks(const void* table, const weft__domain* domain, uint8_t* marks) {
  const weft__particles* particles = table;
  const weft__range own = domain->particles;
  if (own.begin == own.end) return;
  for (uint32_t i = own.begin / BLOCK * BLOCK; i < own.end; ++i) marks[i] = 1;
  for (uint32_t i = own.end; i < particles->count && i % BLOCK != 0; ++i) marks[i] = 1;
}

const weft__halo_rows weft__collider_rows = {.mark = mark_blocks};

void weft__colliders_solve(weft__colliders* colliders, weft__step_context* step, float cloth_share,
                           const uint8_t* only) {
  solve_job job = {.colliders = colliders, .step = step, .cloth_share = cloth_share, .only = only};
  if (step->materials->on) {
    weft__step_for_range(step, weft__step_blocks(step, CHUNK), 1, solve_chunks, &job);
  }
  colliders->contact_count = job.contact_count;
}
