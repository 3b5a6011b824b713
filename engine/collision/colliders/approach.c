#include "collision/colliders/approach.h"

#include <float.h>
#include <math.h>

#include "base/grain_size.h"
#include "base/min_max.h"
#include "collision/self/self.h"
#include "parallel/atomic_max.h"

#define BLOCK ((uint32_t)WEFT__BATCH_PARTICLES)
#define GRAIN WEFT__GRAIN(16u, 1u)

// Of a bound by rounded displacements.
#define SURE 0.99
// Colliders of one loop over the blocks.
#define PATHS 32u

// Of a collider in the step.
typedef struct collider_path {
  const weft__collider* collider;
  weft__aabb box;           // of its motion
  weft__frame begin, end;   // step's
  weft__vec3 lower, upper;  // metres: bounds of its points' displacements, in its frame
  bool is_at_rest;
} collider_path;

typedef struct approach_job {
  const weft__step_context* step;
  collider_path paths[PATHS];
  uint32_t path_count;
  float rate;             // steps a substep of the last length
  float least;            // metres: shorter motion counts as none
  _Atomic uint32_t most;  // bits of a float
} approach_job;

static void bound_displacements(collider_path* path) {
  const weft__collider* c = path->collider;
  path->lower = path->upper = (weft__vec3){0.0, 0.0, 0.0};
  if (!weft__collider_has_moving_points(c)) return;
  path->lower = (weft__vec3){INFINITY, INFINITY, INFINITY};
  path->upper = weft__scaled(-1.0, path->lower);
  const weft__moving_points* moving = c->shape.moving;
  for (uint32_t i = 0; i < moving->count; ++i) {
    const weft__vec3 moved =
        weft__minus(weft__vec3_of(moving->target[i]), weft__vec3_of(moving->at[i]));
    path->lower = weft__lower_of(path->lower, moved);
    path->upper = weft__upper_of(path->upper, moved);
  }
}

static collider_path path_of(const weft__collider* c, double seconds) {
  const weft__pose end = weft__collider_pose_after(c, seconds);
  collider_path path = {.collider = c,
                        .box = weft__collider_box(c, seconds),
                        .begin = weft__frame_of(&c->pose),
                        .end = weft__frame_of(&end),
                        .is_at_rest = !weft__collider_moves(c)};
  bound_displacements(&path);
  return path;
}

static double beyond(double x, double lower, double upper) {
  return weft__max(weft__max(lower - x, x - upper), 0.0);
}

// Of a particle near the collider, over its range; 0 if it is not near.
static float approach_of(const approach_job* job, const collider_path* path, uint32_t i) {
  const weft__step_context* step = job->step;
  const weft__particles* p = step->particles;
  const weft__material* material = weft__material_of(step->materials, i);
  if (material->shape != WEFT_PARTICLE_SHAPE_CLOTH || !(p->inv_mass[i] > 0.0f)) return 0.0f;
  if (!weft__surfaces_collide(&path->collider->surface, &material->surface)) return 0.0f;
  float from[3], to[3];
  for (int axis = 0; axis < 3; ++axis) {
    from[axis] = p->pos[axis][i];
    const float moved = weft__displacement(from[axis], p->prev[axis][i], p->carried[axis][i]);
    to[axis] = from[axis] + job->rate * moved;
    const float reach = material->half_size[0];
    if (!(weft__minf(from[axis], to[axis]) - reach <= path->box.upper[axis]) ||
        !(weft__maxf(from[axis], to[axis]) + reach >= path->box.lower[axis]))
      return 0.0f;
  }
  const weft__vec3 moved = weft__minus(weft__frame_in(&path->end, weft__vec3_of(to)),
                                       weft__frame_in(&path->begin, weft__vec3_of(from)));
  const weft__vec3 apart = {beyond(moved.x, path->lower.x, path->upper.x),
                            beyond(moved.y, path->lower.y, path->upper.y),
                            beyond(moved.z, path->lower.z, path->upper.z)};
  const weft__self* cloth = step->colliders->cloth;
  const float motion = (float)weft__length(apart) / weft__self_extent_of(cloth, cloth->place_of[i]);
  return motion <= FLT_MAX ? motion : 0.0f;
}

// Around the paths of a block's particles, by a bound on their motion.
static weft__aabb box_of(const approach_job* job, uint32_t begin, uint32_t end, float moved) {
  const weft__step_context* step = job->step;
  weft__aabb box;
  step->kernels->measure_extent(step->particles, begin, end, box.lower, box.upper);
  for (int axis = 0; axis < 3; ++axis) {
    const float reach = moved + step->colliders->cloth->shapes.max_radius;
    box.lower[axis] -= reach;
    box.upper[axis] += reach;
  }
  return box;
}

static void measure_blocks(void* context, weft__range blocks, uint32_t worker) {
  (void)worker;
  approach_job* job = context;
  const weft__kernels* kernels = job->step->kernels;
  const weft__range own = job->step->own;
  float most = 0.0f;
  for (uint32_t b = blocks.begin; b < blocks.end; ++b) {
    const uint32_t begin = b * BLOCK < own.begin ? own.begin : b * BLOCK;
    const uint32_t end = own.end - b * BLOCK < BLOCK ? own.end : (b + 1) * BLOCK;
    const float moved = job->rate * kernels->measure_displacement(job->step->particles, begin, end);
    const bool is_slow = moved < job->least;
    const weft__aabb box = box_of(job, begin, end, moved);
    for (uint32_t n = 0; n < job->path_count; ++n) {
      const collider_path* path = &job->paths[n];
      if ((is_slow && path->is_at_rest) || !weft__aabb_overlaps(&box, &path->box)) continue;
      for (uint32_t i = begin; i < end; ++i) most = weft__maxf(most, approach_of(job, path, i));
    }
  }
  weft__atomic_max(&job->most, most);
}

static void measure(approach_job* job) {
  if (job->path_count == 0) return;
  weft__step_for_range(job->step, weft__step_blocks(job->step, BLOCK), GRAIN, measure_blocks, job);
  job->path_count = 0;
}

double weft__colliders_approach(const weft__colliders* colliders, const weft__step_context* step,
                                double seconds, double least) {
  const double extent = (double)colliders->cloth->shapes.least_extent;
  approach_job job = {.step = step,
                      .rate = (float)(seconds / step->physics->last_h),
                      .least = (float)(SURE * least * extent)};
  for (uint32_t n = 0; n < colliders->end; ++n) {
    const weft__collider* c = &colliders->list[n];
    if (!weft__collider_is_curved(c)) continue;
    job.paths[job.path_count++] = path_of(c, seconds);
    if (job.path_count == PATHS) measure(&job);
  }
  measure(&job);
  return (double)weft__float_from_bits(job.most);
}
