#include <math.h>

#include "base/min_max.h"
#include "collision/colliders/solve.h"

static bool are_equal(const uint32_t* rows, uint32_t count) {
  uint32_t differs = 0;
  for (uint32_t i = 1; i < count; ++i) differs |= rows[i] ^ rows[0];
  return differs == 0;
}

static bool are_pinned(const float* inv_mass, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    if (inv_mass[i] > 0.0f) return false;
  }
  return true;
}

// metres; negative without contacts
static float radius_of_row(const weft__materials* materials, uint32_t row) {
  const float* half = materials->rows[row].half_size;
  const float larger = half[0] > half[1] ? half[0] : half[1];
  return row == 0 ? -1.0f : larger > half[2] ? larger : half[2];
}

// metres; negative without contacts
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

weft__collider_block weft__collider_block_of(const weft__step_context* step, uint32_t begin,
                                             uint32_t end) {
  const weft__materials* materials = step->materials;
  weft__collider_block b = {
      .begin = begin, .end = end, .is_uniform = are_equal(materials->of + begin, end - begin)};
  b.environments = (weft__range){weft__environment_of(step->schedule, begin),
                                 weft__environment_of(step->schedule, end - 1) + 1};
  const double radius = (double)(b.is_uniform ? radius_of_row(materials, materials->of[begin])
                                              : max_radius_of(materials, begin, end));
  b.is_empty = radius < 0.0 || are_pinned(step->particles->inv_mass, begin, end);
  if (b.is_empty) return b;
  float lower[3];
  float upper[3];
  step->kernels->measure_extent(step->particles, begin, end, lower, upper);
  // box corners are sqrt(3) times as far out
  const double grown = 1.75 * radius;
  const bool is_uniform_sphere =
      b.is_uniform && weft__is_sphere(weft__material_of(materials, begin));
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

static void box_in_frame(const weft__frame* frame, const weft__collider_block* b, weft__vec3* lower,
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
static bool may_collide(const weft__collider_block* b, const weft__collider* c) {
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

uint32_t weft__collider_cull_chunk(const weft__collider_task* task,
                                   const weft__collider_block* all) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < task->colliders->end; ++n) {
    const weft__collider* c = &task->colliders->list[n];
    if (c->row != NULL && weft__collider_is_in(c, all->environments) &&
        overlaps_swept_box(all->lower, all->upper, c))
      task->chunk_colliders[count++].number = n;
  }
  return count;
}

uint32_t weft__collider_cull_block(const weft__collider_task* task, const weft__collider_block* b,
                                   uint32_t chunk_count) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < chunk_count; ++k) {
    const uint32_t number = task->chunk_colliders[k].number;
    const weft__collider* c = &task->colliders->list[number];
    if (weft__collider_is_in(c, b->environments) && may_collide(b, c))
      task->block_colliders[count++].number = number;
  }
  return count;
}

void weft__collider_grow_block(weft__collider_block* all, const weft__collider_block* b) {
  if (b->is_empty) return;
  if (all->is_empty) {
    *all = *b;
    return;
  }
  all->environments.end = b->environments.end;
  all->lower = weft__lower_of(all->lower, b->lower);
  all->upper = weft__upper_of(all->upper, b->upper);
}

// A particle is a candidate of a collider unless a distance proves that it can touch it neither on
// its path nor after it has been moved out of others. Relative to a collider, a path is no longer
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
// Rounding of a distance in float, over the coordinates.
#define CANDIDATE_ROUNDING 0x1p-18

static double largest_coordinate(const weft__collider_block* b) {
  return weft__max(weft__largest_component(b->lower), weft__largest_component(b->upper));
}

// Bound L for all near colliders, metres; may be infinite.
static double path_bound(const weft__collider_task* task, const weft__collider_block* b,
                         uint32_t near_count) {
  double travel = 0.0;
  for (uint32_t k = 0; k < near_count; ++k) {
    const weft__collider* c = &task->colliders->list[task->block_colliders[k].number];
    travel = weft__max(travel, c->travel + c->angle * b->reach);
  }
  const weft__step_context* step = task->step;
  const float moved = step->kernels->measure_displacement(step->particles, b->begin, b->end);
  return (double)moved + sqrt(weft__dot(task->gravity, task->gravity)) + travel;
}

static uint64_t wanted_lanes(const weft__collider_task* task, const weft__collider_block* b) {
  if (task->only == NULL) return UINT64_MAX;
  uint64_t lanes = 0;
  for (uint32_t i = b->begin; i < b->end; ++i)
    lanes |= (uint64_t)(task->only[i] != 0) << (i - b->begin);
  return lanes;
}

weft__collider_candidates weft__collider_find_candidates(const weft__collider_task* task,
                                                         const weft__collider_block* b,
                                                         uint32_t near_count) {
  const double paths = near_count > 1 ? CANDIDATE_MARGIN : LONE_CANDIDATE_MARGIN;
  const double margin = paths * path_bound(task, b, near_count);
  const double largest = largest_coordinate(b) + WEFT__MIN_COORDINATE;
  const weft__step_context* step = task->step;
  const uint64_t wanted = wanted_lanes(task, b);
  weft__collider_candidates set = {0};
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
                      : weft__lane_mask(0, b->end - b->begin);
    near->lanes &= wanted;
    set.lanes |= near->lanes;
    set.collider_count += near->lanes != 0;
  }
  return set;
}
