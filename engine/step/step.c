#include "step/step.h"

#include <fenv.h>

// what the workers are given for one weft__stepper_run()
typedef struct step_job {
  weft__stepper* stepper;
  uint32_t step_count;
} step_job;

weft__motion weft__motion_of(const float gravity[3], float damping, int64_t step_ns) {
  const double h = (double)step_ns * 1e-9;
  weft__motion motion = {.kept = (float)(1.0 / (1.0 + (double)damping * h))};
  for (int axis = 0; axis < 3; ++axis) motion.displacement[axis] = (float)(gravity[axis] * h * h);
  return motion;
}

static void integrate(weft__stepper* stepper, uint32_t worker) {
  // shares of whole lane groups; the last one reaches into the padding
  const uint32_t groups = (stepper->particles.count + WEFT__LANES - 1) / WEFT__LANES;
  const weft__range share = weft__share(groups, worker, weft__worker_pool_count(stepper->pool));
  stepper->kernels->integrate(&stepper->particles, &stepper->motion, share.begin * WEFT__LANES,
                              share.end * WEFT__LANES);
}

static void solve_color(weft__stepper* stepper, uint32_t color, uint32_t worker) {
  const weft__schedule* schedule = &stepper->schedule;
  const uint32_t first = schedule->color_first[color];
  const weft__range share = weft__share(schedule->color_first[color + 1] - first, worker,
                                        weft__worker_pool_count(stepper->pool));
  for (uint32_t i = share.begin; i < share.end; ++i) {
    const uint32_t patch = schedule->color_patches[first + i];
    stepper->kernels->solve_runs(&stepper->particles, schedule,
                                 weft__patch_first_run(schedule, patch),
                                 weft__patch_end_run(schedule, patch));
  }
}

static void take_step(weft__stepper* stepper, uint32_t worker) {
  integrate(stepper, worker);
  weft__worker_pool_meet(stepper->pool);
  for (uint32_t iteration = 0; iteration < stepper->iterations; ++iteration) {
    for (uint32_t color = 0; color < stepper->schedule.color_count; ++color) {
      solve_color(stepper, color, worker);
      weft__worker_pool_meet(stepper->pool);
    }
  }
}

static void take_steps(void* context, uint32_t worker) {
  const step_job* job = context;
  // a caller that rounds otherwise, or flushes denormals, must not change the bits
  fenv_t callers;
  fegetenv(&callers);
  fesetenv(FE_DFL_ENV);
  for (uint32_t step = 0; step < job->step_count; ++step) take_step(job->stepper, worker);
  fesetenv(&callers);
}

void weft__stepper_run(weft__stepper* stepper, uint32_t count) {
  step_job job = {stepper, count};
  if (count > 0) weft__worker_pool_run(stepper->pool, take_steps, &job);
}
