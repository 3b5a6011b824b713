/* Contacts of one particle in double precision: shapes that no kernel handles, and several
 * contacts. */
#include <math.h>
#include <string.h>

#include "collision/colliders/particle_time_of_impact.h"
#include "collision/colliders/planes.h"
#include "collision/colliders/solve.h"

// Substeps that a list is kept for its collider.
#define LIST_LASTS 4u
// Passes over several colliders, or a concave one.
#define MAX_PASSES 6
// Halvings of a particle's size between sides that leave it no room.
#define MAX_HALVINGS 3
// Lane after a block's last one.
#define BLOCK_END ((uint32_t)WEFT__BATCH_PARTICLES)

// Displacement of a substep by a particle's rotation.
static void load_roll(const weft__step_context* step, uint32_t i, weft__moving_particle* t) {
  const weft__particles* p = step->particles;
  const double rate = (double)p->roll_radius[i] * (double)step->h;
  t->roll_factor = (double)p->roll_factor[i];
  t->roll = weft__scaled(rate, weft__vec3_at(p->spin, i));
}

// Unchanged rotations keep their bits.
static void store_roll(weft__step_context* step, const weft__moving_particle* t, uint32_t i) {
  weft__particles* p = step->particles;
  const double rate = (double)p->roll_radius[i] * (double)step->h;
  weft__moving_particle before;
  load_roll(step, i, &before);
  const weft__vec3 change = weft__scaled(1.0 / rate, weft__minus(t->roll, before.roll));
  weft__vec3_set(p->spin, i, weft__plus(weft__vec3_at(p->spin, i), change));
}

static weft__moving_particle load_particle(const weft__collider_task* task, uint32_t i) {
  const weft__step_context* step = task->step;
  const weft__particles* p = step->particles;
  const weft__material* material = weft__material_of(step->materials, i);
  weft__moving_particle t = {.pos = weft__vec3_at(p->pos, i),
                             .prev = weft__vec3_at(p->prev, i),
                             .material = material,
                             .support_share = (double)weft__collider_support_share(task, material),
                             .between = &step->materials->between};
  t.origin = t.prev;
  t.prev_is_origin = true;
  const float* half = material->half_size;
  t.inner_radius = t.outer_radius = t.support_share * (double)half[0];
  if (material->turns) load_roll(step, i, &t);
  if (weft__is_sphere(material)) return t;
  for (int axis = 1; axis < 3; ++axis) {
    if ((double)half[axis] < t.inner_radius) t.inner_radius = (double)half[axis];
    if ((double)half[axis] > t.outer_radius) t.outer_radius = (double)half[axis];
  }
  if (weft__is_box(material)) t.outer_radius *= 1.75;
  return t;
}

// Writes the state back; SIMD lanes write theirs in the kernel.
static void store_particle(const weft__collider_task* task, const weft__moving_particle* t,
                           uint32_t i) {
  weft__particles* p = task->step->particles;
  if (t->roll_factor > 0.0) store_roll(task->step, t, i);
  weft__vec3_set(p->pos, i, t->pos);
  weft__vec3_set(p->prev, i, t->prev);
  // an impact is not a force over the substep: kernels/bounds.inl
  if (p->velocity_block == NULL || !t->velocity_changed) return;
  for (int axis = 0; axis < 3; ++axis)
    p->vel[axis][i] = (p->pos[axis][i] - p->prev[axis][i]) * task->rate;
}

// Contact of a pass.
typedef struct pressed {
  const weft__collider* by;
  weft__vec3 normal, pos;  // out of it, and of the particle then
  double push;             // metres
} pressed;

typedef struct pass_result {
  uint32_t count;
  bool has_concave;            // any collider that it may touch elsewhere too
  const weft__collider* thin;  // last two-sided one
  pressed last[2];             // before the last one, and last
} pass_result;

// Records the impulse of a collider; `before`: the particle's displacement before it.
static void record(const weft__collider_task* task, uint32_t i, const weft__collider* c,
                   const weft__moving_particle* t, weft__vec3 before) {
  if (!task->encounter->notes) return;
  const weft__vec3 change = weft__minus(weft__minus(t->pos, t->prev), before);
  const double reach = weft__moving_particle_support(t, t->contact_normal);
  const weft__collider_contact contact = {
      .particle = i,
      .number = (uint32_t)(c - task->colliders->list),
      .impulse = weft__impulse_of_change(task->step, i, change),
      .normal = t->contact_normal,
      .point = weft__minus(t->pos, weft__scaled(reach, t->contact_normal)),
  };
  weft__collider_contact_take(task->step, task->worker, &contact);
}

// Triangles listed for another collider are forgotten; a mesh at rest leaves them to one that uses
// them, and has none.
static weft__triangle_list* list_of(const weft__collider_task* task, uint32_t i, uint32_t number) {
  const weft__collider* c = &task->colliders->list[number];
  if (c->row->listed == NULL) return NULL;
  weft__triangle_list* list = &task->colliders->lists[i];
  const uint32_t now = task->colliders->substep;
  if (list->number != number || list->generation != c->generation) {
    if (c->shape.moving == NULL && list->generation != 0 && now - list->used < LIST_LASTS)
      return NULL;
    *list = (weft__triangle_list){.number = number, .generation = c->generation};
  }
  list->used = now;
  return list;
}

// First collider whose points move on straight lines.
static const weft__near_collider* moving_collider(const weft__collider_task* task,
                                                  uint32_t near_count) {
  for (uint32_t k = 0; k < near_count; ++k) {
    const weft__near_collider* near = &task->block_colliders[k];
    const weft__collider* c = &task->colliders->list[near->number];
    if (c->shape.moving != NULL && c->slice_count == 1) return near;
  }
  return NULL;
}

uint32_t weft__collider_meet_triangles(weft__collider_task* task, uint32_t begin, uint64_t lanes,
                                       uint32_t near_count) {
  const weft__near_collider* near = moving_collider(task, near_count);
  task->met_number = near == NULL ? WEFT__NONE : near->number;
  if (near == NULL) return BLOCK_END;
  const weft__collider* c = &task->colliders->list[near->number];
  const weft__particles* p = task->step->particles;
  if (!task->has_batch) {
    // lanes without a pair are computed, too
    memset(task->triangles, 0, sizeof(*task->triangles));
    task->has_batch = true;
  }
  task->triangles->count = 0;
  uint32_t end = BLOCK_END;
  for (lanes &= near->lanes; lanes != 0 && end == BLOCK_END; lanes &= lanes - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctzll(lanes);
    const uint32_t i = begin + lane;
    const weft__ball_path ball = {.from = weft__frame_in(&c->begin, weft__vec3_at(p->prev, i)),
                                  .to = weft__frame_in(&c->end, weft__vec3_at(p->pos, i)),
                                  .reach = (double)task->encounter->radius[lane]};
    if (!c->row->moving->gather(&c->shape, &ball, list_of(task, i, near->number), task->triangles,
                                &task->met[lane]))
      end = lane;
  }
  task->step->kernels->meet_triangles(task->triangles);
  return end;
}

// `lane`: the particle's in its block. Until its first contact it can touch only its candidates.
static pass_result resolve_all(const weft__collider_task* task, uint32_t i, uint32_t lane,
                               uint32_t near_count, bool is_first, weft__moving_particle* t) {
  pass_result result = {0};
  for (uint32_t k = 0; k < near_count; ++k) {
    const weft__near_collider* near = &task->block_colliders[k];
    const weft__collider* c = &task->colliders->list[near->number];
    if (!t->has_contact && (near->lanes >> lane & 1) == 0) continue;
    if ((c->turns && weft__misses_swept_box(t, c)) ||
        !weft__surfaces_collide(&c->surface, &t->material->surface))
      continue;
    const weft__vec3 before = weft__minus(t->pos, t->prev), from = t->pos;
    t->list = list_of(task, i, near->number);
    const bool is_met = near->number == task->met_number && (near->lanes >> lane & 1) != 0;
    t->met = is_met ? &task->met[lane] : NULL;
    if (!weft__collider_resolve(c, task->gravity, is_first, t)) continue;
    ++result.count;
    result.last[0] = result.last[1];
    result.last[1] =
        (pressed){c, t->contact_normal, t->pos, weft__length(weft__minus(t->pos, from))};
    record(task, i, c, t, before);
    result.has_concave |= c->shape.kind >= WEFT_COLLIDER_SHAPE_HEIGHTFIELD && !t->is_clear;
    if (c->row->is_thin) result.thin = c;
  }
  return result;
}

// Returns the particle to the origin, moved along with the collider: there it is on the permitted
// side.
static void reset_to_origin(const weft__collider* c, weft__moving_particle* t) {
  weft__vec3 local = weft__frame_in(&c->begin, t->origin);
  if (c->shape.moving != NULL) local = c->row->moving->follow(&c->shape, c->slice_of_time, local);
  t->pos = weft__frame_out(&c->end, local);
  t->prev = t->origin;
  t->velocity_changed = true;
}

// Corrections may cause overlap with another: passes repeat until none has contact. Returns the
// last one.
static pass_result resolve_in_passes(const weft__collider_task* task, uint32_t i, uint32_t lane,
                                     uint32_t near_count, weft__moving_particle* t) {
  pass_result result = resolve_all(task, i, lane, near_count, true, t);
  // a sphere outside the tangent plane is outside a convex shape
  if (near_count == 1 && !result.has_concave && t->inner_radius == t->outer_radius)
    return (pass_result){0};
  for (int pass = 1; pass < MAX_PASSES && result.count > 0; ++pass) {
    result = resolve_all(task, i, lane, near_count, false, t);
  }
  return result;
}

// Between two colliders that leave it no room a particle is in the middle, and held by the friction
// of both pushes.
static void hold(const weft__collider_task* task, uint32_t i, const pass_result* result,
                 weft__moving_particle* t) {
  const pressed* last = result->last;
  if (result->count < 2 || !(weft__dot(last[0].normal, last[1].normal) < 0.0)) return;
  const weft__vec3 to_middle = weft__scaled(0.5, weft__minus(last[0].pos, last[1].pos));
  t->pos = weft__plus(t->pos, to_middle);
  t->prev = weft__plus(t->prev, to_middle);
  for (int k = 0; k < 2; ++k) {
    // points that move carry what they hold: unknown here
    if (last[k].by->shape.moving != NULL) continue;
    const weft__vec3 before = weft__minus(t->pos, t->prev);
    weft__collider_hold(last[k].by, last[k].normal, last[k].push, t);
    t->contact_normal = last[k].normal;
    record(task, i, last[k].by, t, before);
  }
}

// Undoes the contacts of a particle, for a share of its size.
static void shrink(const weft__collider_task* task, uint32_t i, const weft__collider* c,
                   const weft__moving_particle* start, double share, weft__moving_particle* t) {
  const weft__vec3 before = weft__minus(t->pos, t->prev);
  const weft__vec3 normal = t->contact_normal;
  *t = *start;
  t->contact_normal = normal;
  record(task, i, c, t, before);
  t->support_share *= share;
  t->inner_radius *= share;
  t->outer_radius *= share;
}

// Between thin sides closer than a particle is thick its thickness gives way. Without convergence
// even so, the position may be beyond a side that detection would not recover.
bool weft__collider_solve_particle(const weft__collider_task* task, uint32_t i, uint32_t lane,
                                   uint32_t near_count) {
  const weft__moving_particle start = load_particle(task, i);
  weft__moving_particle t = start;
  const pass_result result = resolve_in_passes(task, i, lane, near_count, &t);
  if (!t.has_contact) return false;
  if (result.thin == NULL) hold(task, i, &result, &t);
  const weft__collider* thin = result.thin;
  for (int n = 1; n <= MAX_HALVINGS && thin != NULL; ++n) {
    shrink(task, i, thin, &start, ldexp(1.0, -n), &t);
    thin = resolve_in_passes(task, i, lane, near_count, &t).thin;
  }
  if (thin != NULL) {
    const weft__vec3 before = weft__minus(t.pos, t.prev);
    reset_to_origin(thin, &t);
    record(task, i, thin, &t, before);
  }
  store_particle(task, &t, i);
  return true;
}
