#include "collision/colliders/colliders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// radians: a chord of this angle is off by 1/2048 of its radius
#define SLICE_ANGLE 0.0625
// of a substep
#define MOST_SLICES 128u

// ---- adding and removing ----

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
      .surface = {.restitution = def->restitution,
                  .static_friction = def->static_friction,
                  .dynamic_friction = def->dynamic_friction,
                  .category = def->category,
                  .mask = def->mask},
      .pose = {.position = vector_of(def->position)},
      .velocity = vector_of(def->velocity),
      .spin = vector_of(def->spin),
  };
  for (int k = 0; k < 4; ++k) collider.pose.rotation[k] = (double)def->rotation[k];
  weft__rotation_normalise(collider.pose.rotation);
  return collider;
}

static uint32_t find_free(const weft__colliders* colliders) {
  uint32_t number = colliders->first_free;
  while (number < colliders->end && colliders->list[number].row != NULL) ++number;
  return number;
}

static size_t room_bytes(size_t capacity, uint32_t worker_count) {
  return capacity * sizeof(weft__collider) +
         (size_t)2 * worker_count * capacity * sizeof(uint32_t) +
         worker_count * sizeof(_Atomic uint32_t);
}

// What each worker needs: lists of colliders that are near, two that have room for all, and its next chunk.
static bool make_room_for_workers(weft__colliders* colliders, size_t capacity,
                                  uint32_t worker_count) {
  uint32_t* near = weft__alloc((size_t)2 * worker_count * capacity, sizeof(*near));
  _Atomic uint32_t* next_chunk = calloc(worker_count, sizeof(*next_chunk));
  if (near == NULL || next_chunk == NULL) {
    free(near);
    free((void*)next_chunk);
    return false;
  }
  free(colliders->near);
  free((void*)colliders->next_chunk);
  colliders->near = near;
  colliders->next_chunk = next_chunk;
  return true;
}

static bool make_room(weft__colliders* colliders, uint32_t number, uint32_t worker_count) {
  const uint32_t before = colliders->worker_count;
  if (number < colliders->capacity && worker_count <= before) return true;
  const uint32_t workers = worker_count > before ? worker_count : before;
  size_t capacity = colliders->capacity;
  weft__collider* list = colliders->list;
  if (!weft__grow((void**)&list, &capacity, (size_t)number + 1, sizeof(*list))) return false;
  colliders->list = list;
  // should this fail, the list is only longer than it says
  if (!make_room_for_workers(colliders, capacity, workers)) return false;
  colliders->bytes += room_bytes(capacity, workers) - room_bytes(colliders->capacity, before);
  colliders->capacity = capacity;
  colliders->worker_count = workers;
  return true;
}

bool weft__colliders_add(weft__colliders* colliders, const weft_collider_def* def,
                         uint32_t worker_count, uint32_t* number) {
  const uint32_t free_number = find_free(colliders);
  if (!make_room(colliders, free_number, worker_count)) return false;
  weft__collider made = collider_of(def);
  if (made.row->build != NULL && !made.row->build(&made.shape, def)) return false;
  made.row->bound(&made.shape, &made.least, &made.most);
  made.begin = made.end = weft__frame_of(&made.pose);
  colliders->list[free_number] = made;
  colliders->bytes += made.shape.bytes;
  if (free_number == colliders->end) ++colliders->end;
  ++colliders->count;
  colliders->first_free = free_number + 1;
  *number = free_number;
  return true;
}

void weft__colliders_remove(weft__colliders* colliders, uint32_t number) {
  weft__collider* collider = &colliders->list[number];
  if (collider->row->destroy != NULL) collider->row->destroy(&collider->shape);
  colliders->bytes -= collider->shape.bytes;
  *collider = (weft__collider){0};
  --colliders->count;
  if (number < colliders->first_free) colliders->first_free = number;
  // nothing holds anything when there is none to do so
  if (colliders->count == 0) colliders->contact_count = 0;
}

void weft__colliders_destroy(weft__colliders* colliders) {
  for (uint32_t n = 0; n < colliders->end; ++n) {
    weft__collider* collider = &colliders->list[n];
    if (collider->row != NULL && collider->row->destroy != NULL) {
      collider->row->destroy(&collider->shape);
    }
  }
  free(colliders->list);
  free(colliders->near);
  free((void*)colliders->next_chunk);
  *colliders = (weft__colliders){0};
}

// ---- moving ----

// Sets where it is at the end of the substep; returns how it turns until then, radians about each axis.
static weft__vec3 advance(weft__collider* c, const weft__contact_stage* stage) {
  if (!c->is_sent) {
    c->pose = weft__pose_after(&c->pose, c->velocity, c->spin, (double)stage->h);
    return weft__scaled((double)stage->h, c->spin);
  }
  if (stage->substep == 0) c->from = c->pose;
  const double share = (double)(stage->substep + 1) / (double)stage->substeps;
  c->pose = weft__pose_between(&c->from, &c->until, share);
  if (stage->substep + 1 == stage->substeps) c->is_sent = false;
  return weft__scaled(1.0 / (double)stage->substeps,
                      weft__rotation_between(c->from.rotation, c->until.rotation));
}

// Rotation vector of the same end, of less than two full turns: one sweeps all that more would sweep.
static weft__vec3 without_repeated_turns(weft__vec3 turn) {
  static const double full_turn = 6.283185307179586;
  const double angle = weft__length(turn);
  if (angle < 2.0 * full_turn) return turn;
  const double left = angle - full_turn * (floor(angle / full_turn) - 1.0);
  return weft__scaled(left / angle, turn);
}

// as many as the angle asks for, and no more than a bound: beyond a full turn they are longer
static uint32_t slices_of(weft__vec3 turn) {
  const double wanted = ceil(weft__length(turn) / SLICE_ANGLE);
  return wanted < (double)MOST_SLICES ? (wanted > 1.0 ? (uint32_t)wanted : 1) : MOST_SLICES;
}

static double least_of(double a, double b) {
  return a < b ? a : b;
}

static double most_of(double a, double b) {
  return a > b ? a : b;
}

static void take_in_box(weft__collider* c, weft__vec3 center, weft__vec3 half) {
  const weft__vec3 least = weft__minus(center, half);
  const weft__vec3 most = weft__plus(center, half);
  c->swept_least =
      (weft__vec3){least_of(c->swept_least.x, least.x), least_of(c->swept_least.y, least.y),
                   least_of(c->swept_least.z, least.z)};
  c->swept_most = (weft__vec3){most_of(c->swept_most.x, most.x), most_of(c->swept_most.y, most.y),
                               most_of(c->swept_most.z, most.z)};
}

// the box around the shape's box
static void take_in(weft__collider* c, const weft__frame* frame) {
  const weft__vec3 middle = weft__scaled(0.5, weft__plus(c->least, c->most));
  const weft__vec3 half = weft__scaled(0.5, weft__minus(c->most, c->least));
  const weft__vec3* axis = frame->axis;
  const weft__vec3 reach = {
      fabs(axis[0].x) * half.x + fabs(axis[1].x) * half.y + fabs(axis[2].x) * half.z,
      fabs(axis[0].y) * half.x + fabs(axis[1].y) * half.y + fabs(axis[2].y) * half.z,
      fabs(axis[0].z) * half.x + fabs(axis[1].z) * half.y + fabs(axis[2].z) * half.z};
  take_in_box(c, weft__frame_out(frame, middle), reach);
}

// the box around all turns of the shape about its position
static void take_in_turns(weft__collider* c, const weft__frame* frame) {
  const weft__vec3 far = {most_of(-c->least.x, c->most.x), most_of(-c->least.y, c->most.y),
                          most_of(-c->least.z, c->most.z)};
  const double reach = sqrt(weft__dot(far, far));
  take_in_box(c, frame->position, (weft__vec3){reach, reach, reach});
}

static bool is_endless(const weft__collider* c) {
  return !isfinite(c->least.x) || !isfinite(c->least.y) || !isfinite(c->least.z) ||
         !isfinite(c->most.x) || !isfinite(c->most.y) || !isfinite(c->most.z);
}

// The box that all it does in the substep lies in. A shape without end that turns is cut off at the largest
// magnitude: beyond, its surface would be faster than particles may be, and throw them further each substep.
static void sweep(weft__collider* c) {
  c->swept_least = (weft__vec3){INFINITY, INFINITY, INFINITY};
  c->swept_most = weft__scaled(-1.0, c->swept_least);
  if (is_endless(c)) {
    const double reach = c->turns ? (double)WEFT_MAX_MAGNITUDE : INFINITY;
    take_in_box(c, c->pose.position, (weft__vec3){reach, reach, reach});
  } else if (c->turns) {
    take_in_turns(c, &c->begin);
    take_in_turns(c, &c->end);
  } else {
    take_in(c, &c->begin);
    take_in(c, &c->end);
  }
}

// takes it through the substep
static void pass(weft__collider* c, const weft__contact_stage* stage) {
  c->moves =
      c->is_sent || weft__dot(c->velocity, c->velocity) > 0.0 || weft__dot(c->spin, c->spin) > 0.0;
  if (!c->moves && c->is_settled) return;
  c->is_settled = !c->moves;
  c->start = c->pose;
  weft__vec3 turn = {0.0, 0.0, 0.0};
  if (c->moves) turn = without_repeated_turns(advance(c, stage));
  c->begin = weft__frame_of(&c->start);
  c->end = weft__frame_of(&c->pose);
  c->turns = weft__dot(turn, turn) > 0.0;
  c->slice_count = slices_of(turn);
  c->slice =
      weft__pose_slice_of(weft__minus(c->pose.position, c->start.position), turn, c->slice_count);
  sweep(c);
}

void weft__colliders_move(weft__colliders* colliders, const weft__contact_stage* stage) {
  colliders->contact_count = 0;
  for (uint32_t w = 0; w < colliders->worker_count; ++w) colliders->next_chunk[w] = 0;
  for (uint32_t n = 0; n < colliders->end; ++n) {
    if (colliders->list[n].row != NULL) pass(&colliders->list[n], stage);
  }
}
