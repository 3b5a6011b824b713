#include "step/step.h"

#include <stdlib.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "color/freeze.h"

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

// ---- making and destroying ----

static bool load_particles(weft__particles* particles, const weft__schedule* schedule,
                           const weft_scene* scene) {
  if (!weft__particles_create(particles, scene->particle_count)) return false;
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    const uint32_t user = schedule->user_of[i];
    const float* position = scene->positions + (size_t)3 * user;
    particles->pos_x[i] = particles->prev_x[i] = position[0];
    particles->pos_y[i] = particles->prev_y[i] = position[1];
    particles->pos_z[i] = particles->prev_z[i] = position[2];
    particles->inv_mass[i] = scene->inverse_masses[user];
  }
  return true;
}

bool weft__stepper_create(weft__stepper* stepper, const weft_scene* scene) {
  return weft__freeze(&stepper->schedule, scene) &&
         load_particles(&stepper->particles, &stepper->schedule, scene);
}

bool weft__stepper_start(weft__stepper* stepper, uint32_t worker_count) {
  const size_t floats = weft__record_floats(&stepper->schedule);
  stepper->records = weft__alloc(worker_count, floats * sizeof(float));
  stepper->pool = weft__worker_pool_create(worker_count);
  return stepper->records != NULL && stepper->pool != NULL &&
         weft__flow_create(&stepper->flow, &stepper->schedule, worker_count);
}

void weft__stepper_destroy(weft__stepper* stepper) {
  weft__worker_pool_destroy(stepper->pool);
  weft__flow_destroy(&stepper->flow);
  weft__particles_destroy(&stepper->particles);
  weft__schedule_destroy(&stepper->schedule);
  free(stepper->records);
  *stepper = (weft__stepper){0};
}

size_t weft__stepper_bytes(const weft__stepper* stepper) {
  const size_t records = weft__worker_pool_count(stepper->pool) *
                         weft__record_floats(&stepper->schedule) * sizeof(float);
  return stepper->particles.bytes + stepper->schedule.bytes + stepper->flow.bytes + records +
         weft__worker_pool_bytes(stepper->pool);
}

// ---- stepping ----

static void run_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const weft__stepper* stepper = context;
  const weft__schedule* schedule = &stepper->schedule;
  if (phase == 0) {
    stepper->kernels->integrate(&stepper->particles, &stepper->motion, schedule->patch_first[patch],
                                schedule->patch_first[patch + 1]);
  } else {
    float* records = stepper->records + worker * weft__record_floats(schedule);
    stepper->kernels->solve_patch(&stepper->particles, schedule, patch, records);
  }
}

static void take_step(weft__stepper* stepper, uint32_t worker) {
  const uint32_t phase_count = 1 + stepper->iterations;
  weft__flow_run(&stepper->flow, &stepper->schedule, phase_count, worker, run_phase, stepper);
  weft__worker_pool_meet(stepper->pool);
  if (worker == 0) weft__flow_end_step(&stepper->flow, phase_count);
  weft__worker_pool_meet(stepper->pool);
}

static void take_steps(void* context, uint32_t worker) {
  const step_job* job = context;
  const weft__float_mode mode = weft__float_mode_enter();
  for (uint32_t step = 0; step < job->step_count; ++step) take_step(job->stepper, worker);
  weft__float_mode_leave(&mode);
}

void weft__stepper_run(weft__stepper* stepper, uint32_t count) {
  step_job job = {stepper, count};
  if (count > 0) weft__worker_pool_run(stepper->pool, take_steps, &job);
}
