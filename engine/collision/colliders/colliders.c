#include "collision/colliders/colliders.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/min_max.h"
#include "collision/colliders/loads.h"

// radians: the chord of this angle deviates by 1/2048 of the radius
#define SLICE_ANGLE 0.0625
#define MAX_SLICES 128u

static weft__vec3 vector_of(const float values[3]) {
  return (weft__vec3){(double)values[0], (double)values[1], (double)values[2]};
}

static weft__shape shape_of(const weft_collider_def* def) {
  weft__shape shape = {
      .kind = def->shape,
      .radius = (double)def->radius,
      .half_size = {(double)def->half_size[0], (double)def->half_size[1],
                    (double)def->half_size[2]},
      .spacing = (double)def->spacing,
      .size = {def->size[0], def->size[1], def->size[2]},
  };
  return shape;
}

static weft__collider collider_of(const weft_collider_def* def) {
  weft__collider collider = {
      .row = weft__shape_rows[def->shape],
      .shape = shape_of(def),
      .surface = {.environment = def->environment,
                  .restitution = def->surface.restitution,
                  .static_friction = def->surface.static_friction,
                  .dynamic_friction = def->surface.dynamic_friction,
                  .category = def->category,
                  .mask = def->mask,
                  .material = def->material},
      .user_data = def->user_data,
      .pose = {.position = vector_of(def->position)},
      .velocity = vector_of(def->velocity),
      .spin = vector_of(def->spin),
      .deforms = def->deforms,
      .slice_of_time = {0.0, 1.0},
  };
  for (int k = 0; k < 4; ++k) collider.pose.rotation[k] = (double)def->rotation[k];
  weft__rotation_normalise(collider.pose.rotation);
  return collider;
}

static uint32_t find_free_slot(const weft__colliders* colliders) {
  uint32_t index = colliders->first_free;
  while (index < colliders->end && colliders->list[index].row != NULL) ++index;
  return index;
}

// Two lists a worker, for all colliders.
static size_t storage_bytes(size_t capacity, uint32_t worker_count) {
  return capacity * (sizeof(weft__collider) + 2 * worker_count * sizeof(weft__near_collider));
}

// Moves the sums of loads to a table of more columns; false, with nothing changed, if out of
// memory.
static bool reserve_sums(weft__colliders* colliders, size_t capacity, uint32_t worker_count) {
  if (!colliders->with_loads) return true;
  weft__collider_sums* sums = weft__alloc_zeroed(capacity * worker_count, sizeof(*sums));
  if (sums == NULL) return false;
  for (uint32_t w = 0; w < colliders->worker_count && colliders->end > 0; ++w) {
    memcpy(sums + w * capacity, colliders->sums + w * colliders->capacity,
           colliders->end * sizeof(*sums));
  }
  weft__free(colliders->sums);
  colliders->sums = sums;
  colliders->bytes += (capacity - colliders->capacity) * worker_count * sizeof(*sums);
  return true;
}

bool weft__colliders_reserve(weft__colliders* colliders, size_t count, uint32_t worker_count) {
  if (count <= colliders->capacity) return true;
  size_t capacity = colliders->capacity;
  weft__collider* list = colliders->list;
  if (!weft__grow((void**)&list, &capacity, count, sizeof(*list))) return false;
  colliders->list = list;
  // on failure the list is longer than its capacity
  weft__near_collider* scratch = weft__alloc((size_t)2 * worker_count * capacity, sizeof(*scratch));
  if (scratch == NULL || !reserve_sums(colliders, capacity, worker_count)) {
    weft__free(scratch);
    return false;
  }
  weft__free(colliders->scratch);
  colliders->scratch = scratch;
  colliders->bytes +=
      storage_bytes(capacity, worker_count) - storage_bytes(colliders->capacity, worker_count);
  colliders->capacity = capacity;
  colliders->worker_count = worker_count;
  return true;
}

bool weft__colliders_reserve_lists(weft__colliders* colliders, uint32_t particle_count) {
  if (colliders->lists != NULL) return true;
  colliders->lists = weft__alloc_zeroed(particle_count, sizeof(*colliders->lists));
  if (colliders->lists == NULL) return false;
  colliders->bytes += particle_count * sizeof(*colliders->lists);
  return true;
}

bool weft__colliders_add(weft__colliders* colliders, const weft_collider_def* def,
                         uint32_t worker_count, uint32_t particle_count, weft_collider* handle) {
  const uint32_t index = find_free_slot(colliders);
  if (!weft__colliders_reserve(colliders, (size_t)index + 1, worker_count)) return false;
  weft__collider made = collider_of(def);
  if (made.row->listed != NULL && !weft__colliders_reserve_lists(colliders, particle_count))
    return false;
  if (made.row->build != NULL && !made.row->build(&made.shape, def)) return false;
  made.row->bound(&made.shape, &made.lower, &made.upper);
  made.begin = made.end = weft__frame_of(&made.pose);
  made.generation = index < colliders->end ? colliders->list[index].generation + 1 : 1;
  colliders->list[index] = made;
  for (uint32_t w = 0; w < worker_count && colliders->with_loads; ++w) {
    colliders->sums[w * colliders->capacity + index] = (weft__collider_sums){0};
  }
  colliders->bytes += made.shape.bytes;
  if (index == colliders->end) ++colliders->end;
  ++colliders->count;
  colliders->first_free = index + 1;
  *handle = (weft_collider){index, made.generation};
  return true;
}

void weft__collider_set(weft__collider* collider, const weft_collider_def* def) {
  weft__collider made = collider_of(def);
  made.generation = collider->generation;
  if (made.row->build != NULL) {
    made.shape = collider->shape;
    made.deforms = collider->deforms;
  }
  made.row->bound(&made.shape, &made.lower, &made.upper);
  made.begin = made.end = weft__frame_of(&made.pose);
  *collider = made;
}

void weft__colliders_remove(weft__colliders* colliders, uint32_t index) {
  weft__collider* collider = &colliders->list[index];
  if (collider->row->destroy != NULL) collider->row->destroy(&collider->shape);
  colliders->bytes -= collider->shape.bytes;
  *collider = (weft__collider){.generation = collider->generation + 1};
  --colliders->count;
  if (index < colliders->first_free) colliders->first_free = index;
  // no stage counts contacts while there are no colliders
  if (colliders->count == 0) colliders->contact_count = 0;
}

void weft__colliders_destroy(weft__colliders* colliders) {
  for (uint32_t n = 0; n < colliders->end; ++n) {
    weft__collider* collider = &colliders->list[n];
    if (collider->row != NULL && collider->row->destroy != NULL) {
      collider->row->destroy(&collider->shape);
    }
  }
  weft__free(colliders->list);
  weft__free(colliders->scratch);
  weft__free(colliders->lists);
  weft__free(colliders->sums);
  *colliders = (weft__colliders){0};
}

// Returns the rotation vector, radians.
static weft__vec3 advance(weft__collider* c, const weft__step_context* step) {
  if (!c->has_target) {
    c->pose = weft__pose_after(&c->pose, c->velocity, c->spin, (double)step->h);
    return weft__scaled((double)step->h, c->spin);
  }
  if (step->substep == 0) c->step_start = c->pose;
  const double share = (double)(step->substep + 1) / (double)step->substeps;
  c->pose = weft__pose_between(&c->step_start, &c->target, share);
  if (step->substep + 1 == step->substeps) c->has_target = false;
  return weft__scaled(1.0 / (double)step->substeps,
                      weft__rotation_between(c->step_start.rotation, c->target.rotation));
}

// Same final rotation below two full turns: more sweep nothing else.
static weft__vec3 without_repeated_turns(weft__vec3 turn) {
  static const double full_turn = 6.283185307179586;
  const double angle = weft__length(turn);
  if (angle < 2.0 * full_turn) return turn;
  const double left = angle - full_turn * (floor(angle / full_turn) - 1.0);
  return weft__scaled(left / angle, turn);
}

// Slices get longer beyond a full turn.
static uint32_t slice_count_of(weft__vec3 turn) {
  const double wanted = ceil(weft__length(turn) / SLICE_ANGLE);
  return wanted < (double)MAX_SLICES ? (wanted > 1.0 ? (uint32_t)wanted : 1) : MAX_SLICES;
}

static void grow_swept_box(weft__collider* c, weft__vec3 center, weft__vec3 half) {
  c->swept_lower = weft__lower_of(c->swept_lower, weft__minus(center, half));
  c->swept_upper = weft__upper_of(c->swept_upper, weft__plus(center, half));
}

// World AABB of the local AABB.
static void sweep_frame(weft__collider* c, const weft__frame* frame) {
  const weft__vec3 middle = weft__scaled(0.5, weft__plus(c->lower, c->upper));
  const weft__vec3 half = weft__scaled(0.5, weft__minus(c->upper, c->lower));
  const weft__vec3* axis = frame->axis;
  const weft__vec3 extent = {
      fabs(axis[0].x) * half.x + fabs(axis[1].x) * half.y + fabs(axis[2].x) * half.z,
      fabs(axis[0].y) * half.x + fabs(axis[1].y) * half.y + fabs(axis[2].y) * half.z,
      fabs(axis[0].z) * half.x + fabs(axis[1].z) * half.y + fabs(axis[2].z) * half.z};
  grow_swept_box(c, weft__frame_out(frame, middle), extent);
}

// Distance from the origin of the frame, metres.
static double farthest_point(const weft__collider* c) {
  const weft__vec3 far = weft__upper_of(weft__scaled(-1.0, c->lower), c->upper);
  return sqrt(weft__dot(far, far));
}

// AABB of all rotations about the position.
static void sweep_rotations(weft__collider* c, const weft__frame* frame) {
  const double reach = farthest_point(c);
  grow_swept_box(c, frame->position, (weft__vec3){reach, reach, reach});
}

static bool is_unbounded(const weft__collider* c) {
  return !isfinite(c->lower.x) || !isfinite(c->lower.y) || !isfinite(c->lower.z) ||
         !isfinite(c->upper.x) || !isfinite(c->upper.y) || !isfinite(c->upper.z);
}

static double larger_if_finite(double a, double b) {
  return isfinite(b) ? weft__max(a, fabs(b)) : a;
}

// Spheres and capsules are rounded; others are within their AABB.
static void bound_shape(weft__collider* c) {
  const bool is_round =
      c->shape.kind == WEFT_COLLIDER_SHAPE_SPHERE || c->shape.kind == WEFT_COLLIDER_SHAPE_CAPSULE;
  const double radius = is_round ? c->shape.radius : 0.0;
  const weft__vec3* axis = c->end.axis;
  const double position[3] = {c->end.position.x, c->end.position.y, c->end.position.z};
  const double lower[3] = {c->lower.x, c->lower.y, c->lower.z};
  const double upper[3] = {c->upper.x, c->upper.y, c->upper.z};
  c->bounds = (weft__rounded_box){.turns = c->end.turns, .radius = (float)radius};
  c->magnitude = radius;
  for (int k = 0; k < 3; ++k) {
    c->bounds.position[k] = (float)position[k];
    c->bounds.axis[k][0] = (float)axis[k].x;
    c->bounds.axis[k][1] = (float)axis[k].y;
    c->bounds.axis[k][2] = (float)axis[k].z;
    c->bounds.lower[k] = (float)(lower[k] + radius);
    c->bounds.upper[k] = (float)(upper[k] - radius);
    c->magnitude = weft__max(c->magnitude, fabs(position[k]));
    c->magnitude = larger_if_finite(larger_if_finite(c->magnitude, lower[k]), upper[k]);
  }
}

static void bound_travel(weft__collider* c, weft__vec3 turn) {
  c->turn = turn;
  c->angle = weft__length(turn);
  c->travel = weft__length(weft__minus(c->end.position, c->begin.position));
  if (c->turns) c->travel += c->angle * farthest_point(c);
  if (c->shape.moving != NULL) c->travel += c->shape.moving->travel;
  if (c->slice_count > 1) c->travel = INFINITY;
}

// Swept AABB. Unbounded shapes that rotate end at WEFT_MAX_MAGNITUDE: beyond, their surface exceeds
// the largest speed and would move particles away exponentially.
static void bound_motion(weft__collider* c) {
  c->swept_lower = (weft__vec3){INFINITY, INFINITY, INFINITY};
  c->swept_upper = weft__scaled(-1.0, c->swept_lower);
  if (is_unbounded(c)) {
    const double reach = c->turns ? (double)WEFT_MAX_MAGNITUDE : INFINITY;
    grow_swept_box(c, c->pose.position, (weft__vec3){reach, reach, reach});
  } else if (c->turns) {
    sweep_rotations(c, &c->begin);
    sweep_rotations(c, &c->end);
  } else {
    sweep_frame(c, &c->begin);
    sweep_frame(c, &c->end);
  }
}

static bool is_posed_anew(const weft__collider* collider) {
  return collider->has_target || weft__dot(collider->velocity, collider->velocity) > 0.0 ||
         weft__dot(collider->spin, collider->spin) > 0.0;
}

bool weft__collider_has_moving_points(const weft__collider* collider) {
  return collider->shape.moving != NULL && collider->shape.moving->has_target;
}

bool weft__collider_moves(const weft__collider* collider) {
  return is_posed_anew(collider) || weft__collider_has_moving_points(collider);
}

// Extends the local AABB by the points at the end of the next step.
static void bound_targets(weft__collider* c) {
  const weft__moving_points* moving = c->shape.moving;
  for (uint32_t i = 0; i < moving->count; ++i) {
    const float* at = moving->target[i];
    const weft__vec3 point = {(double)at[0], (double)at[1], (double)at[2]};
    c->lower = weft__lower_of(c->lower, point);
    c->upper = weft__upper_of(c->upper, point);
  }
}

weft__pose weft__collider_pose_after(const weft__collider* collider, double seconds) {
  if (collider->has_target) return collider->target;
  return weft__pose_after(&collider->pose, collider->velocity, collider->spin, seconds);
}

weft__aabb weft__collider_box(const weft__collider* collider, double seconds) {
  weft__collider path = *collider;
  if (weft__collider_has_moving_points(collider)) bound_targets(&path);
  path.pose = weft__collider_pose_after(collider, seconds);
  path.turns = path.has_target ? memcmp(path.target.rotation, collider->pose.rotation,
                                        sizeof(path.target.rotation)) != 0
                               : weft__dot(path.spin, path.spin) > 0.0;
  path.begin = weft__frame_of(&collider->pose);
  path.end = weft__frame_of(&path.pose);
  bound_motion(&path);
  return weft__aabb_around(path.swept_lower, path.swept_upper);
}

static void move_collider(weft__collider* c, const weft__step_context* step) {
  const bool is_posed = is_posed_anew(c);
  c->moves = is_posed;
  if (c->shape.moving != NULL)
    c->moves |= c->row->moving->advance(&c->shape, step->substep, step->substeps, step->pool);
  if (!c->moves && c->is_settled) return;
  c->is_settled = !c->moves;
  c->substep_start = c->pose;
  weft__vec3 turn = {0.0, 0.0, 0.0};
  if (is_posed) turn = without_repeated_turns(advance(c, step));
  if (c->shape.moving != NULL) c->row->bound(&c->shape, &c->lower, &c->upper);
  c->begin = weft__frame_of(&c->substep_start);
  c->end = weft__frame_of(&c->pose);
  c->turns = weft__dot(turn, turn) > 0.0;
  c->slice_count = slice_count_of(turn);
  c->slice = weft__pose_slice_of(weft__minus(c->pose.position, c->substep_start.position), turn,
                                 c->slice_count);
  bound_motion(c);
  bound_shape(c);
  bound_travel(c, turn);
}

void weft__colliders_move(weft__colliders* colliders, const weft__step_context* step) {
  ++colliders->substep;
  for (uint32_t n = 0; n < colliders->end; ++n) {
    if (colliders->list[n].row != NULL) move_collider(&colliders->list[n], step);
  }
}
