#include <math.h>
#include <stdlib.h>

#include "base/float_mode.h"
#include "base/hash.h"
#include "base/result.h"
#include "step/fixed_step.h"
#include "step/step.h"

#define COOKIE 0x303dcafeu
#define MAX_ITERATIONS 10000u
#define MAX_SUBSTEPS 1000u
#define MAX_DIRECT_ITERATIONS 100u
#define MAX_ATTACHMENTS 4u
// a worker is worth waking for so many lane groups: two microseconds of solving a sweep
#define GROUPS_A_WORKER 512u
// or for so many nodes of trees: some twenty microseconds a step
#define NODES_A_WORKER 256u

struct weft_world {
  weft__stepper stepper;
  weft__fixed_step fixed_step;
  uint32_t substeps; /* of one step */
  uint64_t step_count;
};

// ---- making and destroying ----

weft_world_def weft_default_world_def(void) {
  return (weft_world_def){
      .gravity = {0.0f, -9.81f, 0.0f},
      .damping = 0.1f,
      .iterations = 10,
      .direct_iterations = 6,
      .substeps = 1,
      .step_ns = 16666667,
      .max_steps = 8,
      .worker_count = 1,
      .isa = WEFT_ISA_AUTO,
      .cookie = COOKIE,
  };
}

static weft_result check_def(const weft_world_def* def) {
  WEFT__FAIL_IF(def->cookie != COOKIE, WEFT_ERROR_DEF, "weft_world_def");
  for (uint64_t axis = 0; axis < 3; ++axis) {
    if (!isfinite(def->gravity[axis])) {
      return weft__fail_at(WEFT_ERROR_NOT_FINITE, "weft_world_def.gravity", axis);
    }
  }
  WEFT__FAIL_IF(!isfinite(def->damping), WEFT_ERROR_NOT_FINITE, "weft_world_def.damping");
  WEFT__FAIL_IF(def->damping < 0.0f, WEFT_ERROR_RANGE, "weft_world_def.damping");
  WEFT__FAIL_IF(def->iterations > MAX_ITERATIONS, WEFT_ERROR_RANGE, "weft_world_def.iterations");
  WEFT__FAIL_IF(def->coarse_iterations > MAX_ITERATIONS, WEFT_ERROR_RANGE,
                "weft_world_def.coarse_iterations");
  WEFT__FAIL_IF(def->direct_iterations > MAX_DIRECT_ITERATIONS, WEFT_ERROR_RANGE,
                "weft_world_def.direct_iterations");
  WEFT__FAIL_IF(def->substeps == 0 || def->substeps > MAX_SUBSTEPS, WEFT_ERROR_RANGE,
                "weft_world_def.substeps");
  WEFT__FAIL_IF(def->attachments > MAX_ATTACHMENTS, WEFT_ERROR_RANGE, "weft_world_def.attachments");
  WEFT__FAIL_IF(def->step_ns < 1000 || def->step_ns > 1000000000, WEFT_ERROR_RANGE,
                "weft_world_def.step_ns");
  WEFT__FAIL_IF(def->max_steps == 0, WEFT_ERROR_RANGE, "weft_world_def.max_steps");
  WEFT__FAIL_IF(def->worker_count == 0, WEFT_ERROR_RANGE, "weft_world_def.worker_count");
  WEFT__FAIL_IF(def->worker_count > WEFT_MAX_WORKERS, WEFT_ERROR_TOO_MANY,
                "weft_world_def.worker_count");
  // automatic choice fails only where the environment asks for what is not there
  WEFT__FAIL_IF(!weft_isa_supported(def->isa), WEFT_ERROR_UNSUPPORTED,
                def->isa == WEFT_ISA_AUTO ? "WEFT_ISA" : "weft_world_def.isa");
  return weft__ok();
}

// as many workers as were asked for, unless there is too little to do for them
static uint32_t useful_workers(const weft__stepper* stepper, uint32_t wanted) {
  const weft__schedule* schedule = &stepper->schedule;
  const weft__trees* trees = &stepper->trees;
  uint32_t groups = schedule->group_count;
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    groups += weft__hinge_cost(&schedule->hinges, p);
  }
  const uint32_t for_links = groups / GROUPS_A_WORKER + 1;
  uint32_t for_trees = trees->node_count / NODES_A_WORKER + 1;
  if (for_trees > trees->tree_count) for_trees = trees->tree_count;
  const uint32_t useful = for_links > for_trees ? for_links : for_trees;
  return wanted < useful ? wanted : useful;
}

// the time between where a particle is and where it was
static double substep_seconds(const weft_world* world) {
  return (double)world->fixed_step.step_ns * 1e-9 / (double)world->substeps;
}

static bool fill_world(weft_world* world, const weft_world_def* def, const weft_scene* scene) {
  weft__stepper* stepper = &world->stepper;
  world->fixed_step = (weft__fixed_step){.step_ns = def->step_ns, .max_steps = def->max_steps};
  world->substeps = def->substeps;
  stepper->motion = weft__motion_of(def->gravity, def->damping, substep_seconds(world));
  stepper->iterations = def->iterations;
  stepper->coarse_iterations = def->coarse_iterations;
  stepper->direct_iterations = def->direct_iterations;
  stepper->inv_step_sq = 1.0 / (substep_seconds(world) * substep_seconds(world));
  stepper->attachments = def->attachments;
  stepper->kernels = weft__kernels_select(def->isa);
  return weft__stepper_create(stepper, scene) &&
         weft__stepper_start(stepper, useful_workers(stepper, def->worker_count));
}

static weft_result create_world(const weft_world_def* def, const weft_scene* scene,
                                weft_world** world) {
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_def(def));
  WEFT__FAIL_IF(scene->particle_count == 0, WEFT_ERROR_EMPTY, "scene");
  weft_world* made = calloc(1, sizeof(*made));
  WEFT__FAIL_IF(made == NULL, WEFT_ERROR_OUT_OF_MEMORY, "world");
  if (!fill_world(made, def, scene)) {
    weft_world_destroy(&made);
    return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "world");
  }
  *world = made;
  return weft__ok();
}

weft_result weft_world_create(const weft_world_def* def, const weft_scene* scene,
                              weft_world** world) {
  const weft__float_mode mode = weft__float_mode_enter();
  const weft_result result = create_world(def, scene, world);
  weft__float_mode_leave(&mode);
  return result;
}

void weft_world_destroy(weft_world** world) {
  if (world == NULL || *world == NULL) return;
  weft__stepper_destroy(&(*world)->stepper);
  free(*world);
  *world = NULL;
}

// ---- stepping ----

void weft_world_step(weft_world* world, uint32_t count) {
  if (world == NULL) return;
  weft__stepper_run(&world->stepper, (uint64_t)count * world->substeps);
  world->step_count += count;
}

weft_result weft_world_advance(weft_world* world, int64_t elapsed_ns, weft_advance* advance) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(elapsed_ns < 0, WEFT_ERROR_RANGE, "elapsed_ns");
  const weft_advance due = weft__fixed_step_add(&world->fixed_step, elapsed_ns);
  weft_world_step(world, due.steps);
  if (advance != NULL) *advance = due;
  return weft__ok();
}

// ---- changing particles ----

static weft_result set_particle(weft_world* world, uint32_t particle, const float* position,
                                const float* velocity) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(position == NULL, WEFT_ERROR_NULL, "position");
  weft__particles* particles = &world->stepper.particles;
  WEFT__FAIL_IF(particle >= particles->count, WEFT_ERROR_INDEX, "particle");
  const float h = (float)substep_seconds(world);
  float previous[3];
  for (uint64_t axis = 0; axis < 3; ++axis) {
    if (!isfinite(position[axis])) {
      return weft__fail_at(WEFT_ERROR_NOT_FINITE, "position", axis);
    }
    previous[axis] = position[axis] - (velocity == NULL ? 0.0f : velocity[axis] * h);
    if (!isfinite(previous[axis])) {
      return weft__fail_at(WEFT_ERROR_NOT_FINITE, "velocity", axis);
    }
  }
  const uint32_t i = world->stepper.schedule.solver_of[particle];
  particles->pos_x[i] = position[0];
  particles->pos_y[i] = position[1];
  particles->pos_z[i] = position[2];
  particles->prev_x[i] = previous[0];
  particles->prev_y[i] = previous[1];
  particles->prev_z[i] = previous[2];
  return weft__ok();
}

weft_result weft_world_set_particle(weft_world* world, uint32_t particle, const float* position,
                                    const float* velocity) {
  const weft__float_mode mode = weft__float_mode_enter();
  const weft_result result = set_particle(world, particle, position, velocity);
  weft__float_mode_leave(&mode);
  return result;
}

weft_result weft_world_set_inverse_mass(weft_world* world, uint32_t particle, float inverse_mass) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__particles* particles = &world->stepper.particles;
  WEFT__FAIL_IF(particle >= particles->count, WEFT_ERROR_INDEX, "particle");
  const weft_error error = weft__check_inverse_mass(inverse_mass);
  WEFT__FAIL_IF(error != WEFT_OK, error, "inverse_mass");
  const uint32_t i = world->stepper.schedule.solver_of[particle];
  particles->inv_mass[i] = inverse_mass;
  world->stepper.weighed = false;
  if (inverse_mass > 0.0f) return weft__ok();
  // pinned where it is: without this, unpinning it later would set free the velocity it has now
  particles->prev_x[i] = particles->pos_x[i];
  particles->prev_y[i] = particles->pos_y[i];
  particles->prev_z[i] = particles->pos_z[i];
  return weft__ok();
}

// ---- reading back ----

weft_result weft_world_get_stats(const weft_world* world, weft_world_stats* stats) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(stats == NULL, WEFT_ERROR_NULL, "stats");
  const weft__stepper* stepper = &world->stepper;
  *stats = (weft_world_stats){
      .particle_count = stepper->particles.count,
      .link_count = stepper->schedule.link_count,
      .patch_count = stepper->schedule.patch_count,
      .patch_color_count = stepper->schedule.color_count,
      .group_count = stepper->schedule.group_count,
      .run_group_count = stepper->schedule.run_group_count,
      .bend_count = stepper->schedule.hinges.hinge_count,
      .worker_count = weft__worker_pool_count(stepper->pool),
      .torn_count = stepper->torn_count,
      .isa = stepper->kernels->isa,
      .step_count = world->step_count,
      .bytes = sizeof(*world) + weft__stepper_bytes(stepper),
  };
  return weft__ok();
}

weft_result weft_world_get_torn(const weft_world* world, uint32_t first, uint32_t count,
                                bool* torn) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(torn == NULL && count > 0, WEFT_ERROR_NULL, "torn");
  const weft__schedule* schedule = &world->stepper.schedule;
  WEFT__FAIL_IF((uint64_t)first + count > schedule->link_count, WEFT_ERROR_INDEX, "first + count");
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t slot = schedule->slot_of_link[first + i];
    torn[i] = ((uint32_t)schedule->lane_mask[slot / WEFT__LANES] >> slot % WEFT__LANES & 1u) == 0;
  }
  return weft__ok();
}

// what is made of one axis of a particle
typedef float read_axis(float position, float previous, float amount);

static float read_position(float position, float previous, float amount) {
  (void)previous;
  (void)amount;
  return position;
}

static float read_between(float position, float previous, float amount) {
  return (1.0f - amount) * previous + amount * position;
}

static float read_velocity(float position, float previous, float amount) {
  return (position - previous) * amount;
}

static weft_result read_particles(const weft_world* world, read_axis* read, float amount,
                                  uint32_t first, uint32_t count, float* out, const char* field) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(out == NULL && count > 0, WEFT_ERROR_NULL, field);
  const weft__particles* p = &world->stepper.particles;
  WEFT__FAIL_IF((uint64_t)first + count > p->count, WEFT_ERROR_INDEX, "first + count");
  for (uint32_t user = first; user < first + count; ++user, out += 3) {
    const uint32_t i = world->stepper.schedule.solver_of[user];
    out[0] = read(p->pos_x[i], p->prev_x[i], amount);
    out[1] = read(p->pos_y[i], p->prev_y[i], amount);
    out[2] = read(p->pos_z[i], p->prev_z[i], amount);
  }
  return weft__ok();
}

weft_result weft_world_get_positions(const weft_world* world, uint32_t first, uint32_t count,
                                     float* positions) {
  return read_particles(world, read_position, 0.0f, first, count, positions, "positions");
}

weft_result weft_world_get_interpolated(const weft_world* world, float interpolation,
                                        uint32_t first, uint32_t count, float* positions) {
  WEFT__TRY(weft__check_range(interpolation, 0.0f, 1.0f, "interpolation"));
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  // what is kept is one substep old: as many more lie between the two steps
  float amount = interpolation;
  if (world->substeps > 1) amount = 1.0f - (1.0f - amount) * (float)world->substeps;
  return read_particles(world, read_between, amount, first, count, positions, "positions");
}

weft_result weft_world_get_velocities(const weft_world* world, uint32_t first, uint32_t count,
                                      float* velocities) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  const float rate = (float)(1.0 / substep_seconds(world));
  return read_particles(world, read_velocity, rate, first, count, velocities, "velocities");
}

uint64_t weft_world_hash(const weft_world* world) {
  uint64_t hash = WEFT__FNV_BASIS;
  if (world == NULL) return hash;
  const weft__particles* particles = &world->stepper.particles;
  for (uint32_t user = 0; user < particles->count; ++user) {
    const uint32_t i = world->stepper.schedule.solver_of[user];
    hash = weft__hash_float(hash, particles->pos_x[i]);
    hash = weft__hash_float(hash, particles->pos_y[i]);
    hash = weft__hash_float(hash, particles->pos_z[i]);
    hash = weft__hash_float(hash, particles->prev_x[i]);
    hash = weft__hash_float(hash, particles->prev_y[i]);
    hash = weft__hash_float(hash, particles->prev_z[i]);
  }
  return hash;
}
