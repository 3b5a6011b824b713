#include "step/step.h"

#include <stdlib.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "color/freeze.h"
#include "step/bounds.h"
#include "step/joints.h"
#include "step/pace.h"
#include "step/push.h"
#include "step/tear.h"
#include "trees/solve.h"

// what the workers are given for one weft__stepper_run()
typedef struct step_job {
  weft__stepper* stepper;
  uint64_t step_count;
  bool is_changed; /* substeps begin with a stage of their own */
} step_job;

// e^-x for x >= 0, from operations that are the same everywhere: (1 + x / 1024)^-1024
static double decay(double x) {
  double value = 1.0 / (1.0 + x / 1024.0);
  for (int i = 0; i < 10; ++i) value *= value;
  return value;
}

weft__motion weft__motion_of(const weft__physics* physics) {
  const double h = physics->h;
  weft__motion motion = {.kept = (float)decay((double)physics->damping * h),
                         .step_squared = (float)(h * h)};
  for (int axis = 0; axis < 3; ++axis) {
    motion.displacement[axis] = (float)(physics->gravity[axis] * h * h);
    motion.reach[axis] = (float)(physics->max_speed[axis] * h);
  }
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

static bool freeze_with_trees(weft__stepper* stepper, const weft_scene* scene,
                              const weft__forest* forest) {
  if (forest->tree_count == 0) return weft__freeze(&stepper->schedule, scene);
  weft_scene swept = *scene;
  swept.links.stiffness = weft__forest_swept_stiffness(forest, scene);
  const bool good = swept.links.stiffness != NULL && weft__freeze(&stepper->schedule, &swept) &&
                    weft__trees_create(&stepper->trees, forest, scene, &stepper->schedule);
  free(swept.links.stiffness);
  return good;
}

static bool freeze(weft__stepper* stepper, const weft_scene* scene) {
  if (stepper->direct_iterations == 0) return weft__freeze(&stepper->schedule, scene);
  weft__forest forest;
  const bool good =
      weft__forest_create(&forest, scene) && freeze_with_trees(stepper, scene, &forest);
  weft__forest_destroy(&forest);
  return good;
}

// all that holds links: what springs do is left out of the scene
static bool create_holds(weft__stepper* stepper, const weft_scene* scene) {
  if (!freeze(stepper, scene) || !weft__schedule_make_tearable(&stepper->schedule)) return false;
  if (stepper->coarse_iterations > 0 &&
      !weft__levels_create(&stepper->levels, scene, &stepper->schedule)) {
    return false;
  }
  if (stepper->attachments > 0 &&
      !weft__tethers_create(&stepper->tethers, scene, &stepper->schedule, stepper->attachments)) {
    return false;
  }
  return weft__waiting_create(&stepper->waiting, stepper->max_events) &&
         weft__joints_create(&stepper->joints, stepper->max_joints);
}

// whoever measures wants to know which springs are structural, too
static void note_structural(weft__schedule* schedule, const weft__links* links) {
  for (uint32_t i = 0; i < links->count; ++i) {
    if (links->kind[i] != WEFT_LINK_STRUCTURAL) continue;
    const uint32_t slot = schedule->slot_of_link[i];
    uint16_t* lanes = &schedule->structural[slot / WEFT__LANES];
    *lanes = (uint16_t)(*lanes | 1u << slot % WEFT__LANES);
  }
}

static bool create_holds_without_springs(weft__stepper* stepper, const weft_scene* scene) {
  weft_scene rest = *scene;
  if (!weft__springs_leave_out(&rest)) return false;
  const bool good = create_holds(stepper, &rest);
  weft__springs_put_back(&rest);
  if (good) note_structural(&stepper->schedule, &scene->links);
  return good;
}

static bool make_forces(weft__stepper* stepper, const weft_scene* scene) {
  weft__forces* forces = &stepper->forces;
  if (!weft__forces_create(forces, scene, &stepper->schedule, stepper->keep_faces)) return false;
  return !weft__forces_act(forces) || weft__particles_need_forces(&stepper->particles);
}

bool weft__stepper_create(weft__stepper* stepper, const weft_scene* scene) {
  const bool held = stepper->with_springs ? create_holds_without_springs(stepper, scene)
                                          : create_holds(stepper, scene);
  if (!held) return false;
  stepper->physics.last_h = stepper->physics.h;
  weft__pace_set(stepper, stepper->physics.h);
  return load_particles(&stepper->particles, &stepper->schedule, scene) &&
         weft__integrators_create(&stepper->integrators, stepper->integrator, stepper->with_springs,
                                  &stepper->particles, scene, &stepper->schedule) &&
         make_forces(stepper, scene);
}

// room for the records of any patch of any level
static size_t most_record_floats(const weft__stepper* stepper) {
  size_t most = weft__record_floats(&stepper->schedule);
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    const size_t floats = weft__record_floats(&stepper->levels.levels[l].schedule);
    if (floats > most) most = floats;
  }
  return most;
}

bool weft__stepper_start(weft__stepper* stepper, uint32_t worker_count) {
  stepper->record_floats = most_record_floats(stepper);
  stepper->records = weft__alloc(worker_count, stepper->record_floats * sizeof(float));
  stepper->has_torn = weft__alloc_zeroed(stepper->schedule.patch_count, sizeof(bool));
  stepper->pool = weft__worker_pool_create(worker_count);
  return stepper->records != NULL && stepper->has_torn != NULL && stepper->pool != NULL &&
         weft__flow_create(&stepper->flow, &stepper->schedule, worker_count) &&
         weft__levels_share_out(&stepper->levels, worker_count) &&
         weft__trees_share_out(&stepper->trees, worker_count);
}

void weft__stepper_destroy(weft__stepper* stepper) {
  weft__worker_pool_destroy(stepper->pool);
  weft__flow_destroy(&stepper->flow);
  weft__levels_destroy(&stepper->levels);
  weft__trees_destroy(&stepper->trees);
  weft__tethers_destroy(&stepper->tethers);
  weft__moves_destroy(&stepper->moves);
  weft__integrators_destroy(&stepper->integrators);
  weft__waiting_destroy(&stepper->waiting);
  weft__joints_destroy(&stepper->joints);
  weft__bounds_destroy(&stepper->bounds);
  weft__forces_destroy(&stepper->forces);
  weft__particles_destroy(&stepper->particles);
  weft__schedule_destroy(&stepper->schedule);
  free(stepper->records);
  free(stepper->has_torn);
  *stepper = (weft__stepper){0};
}

size_t weft__stepper_bytes(const weft__stepper* stepper) {
  const size_t records =
      weft__worker_pool_count(stepper->pool) * stepper->record_floats * sizeof(float);
  return stepper->particles.bytes + stepper->schedule.bytes + stepper->flow.bytes + records +
         stepper->schedule.patch_count * sizeof(*stepper->has_torn) +
         weft__levels_bytes(&stepper->levels) + stepper->trees.bytes + stepper->tethers.bytes +
         stepper->moves.bytes + stepper->bounds.bytes + stepper->integrators.bytes +
         stepper->joints.bytes + weft__forces_bytes(&stepper->forces) +
         weft__waiting_bytes(&stepper->waiting) + weft__worker_pool_bytes(stepper->pool);
}

// ---- stepping ----

// one of the levels' turns: the cloth, or a coarse level
typedef struct turn {
  weft__stepper* stepper;
  uint32_t level; /* 0 is the cloth, 1 the finest coarse level */
} turn;

static weft__substep substep_of(const weft__stepper* stepper) {
  const weft__physics* physics = &stepper->physics;
  return (weft__substep){
      .particles = &stepper->particles,
      .schedule = &stepper->schedule,
      .pool = stepper->pool,
      .h = (float)physics->h,
      .kept = stepper->motion.kept,
      .gravity = {physics->gravity[0], physics->gravity[1], physics->gravity[2]},
      .max_speed = {physics->max_speed[0], physics->max_speed[1], physics->max_speed[2]},
  };
}

static void move(const weft__stepper* stepper, uint32_t begin, uint32_t end) {
  if (stepper->integrators.on) {
    const weft__substep substep = substep_of(stepper);
    weft__integrators_move(&stepper->integrators, &substep, begin, end);
  } else {
    stepper->kernels->integrate(&stepper->particles, &stepper->motion, begin, end);
  }
}

// Begins the substep. Where there are tethers, what has fallen out of their reach is back before any link
// is solved: once a step and nowhere else, as the sweeps then have the last word. Doing it before or after
// each of them as well costs more than it mends.
static void integrate(const weft__stepper* stepper, uint32_t patch) {
  const uint32_t begin = stepper->schedule.patch_first[patch];
  const uint32_t end = stepper->schedule.patch_first[patch + 1];
  weft__hinges_start(&stepper->schedule.hinges, patch);
  move(stepper, begin, end);
  if (stepper->tethers.slot_count == 0) return;
  stepper->kernels->tether(&stepper->particles, &stepper->tethers, patch, begin, end);
}

static float* records_of(const weft__stepper* stepper, uint32_t worker) {
  return stepper->records + worker * stepper->record_floats;
}

static void sweep(const weft__stepper* stepper, const weft__particles* particles,
                  const weft__schedule* schedule, uint32_t patch, uint32_t worker) {
  float* records = records_of(stepper, worker);
  stepper->kernels->solve_patch(particles, schedule, patch, records);
  if (schedule->hinges.hinge_count == 0) return;
  stepper->kernels->solve_hinges(particles, &schedule->hinges, patch, records);
}

// starts from what the next coarser level has done
static void take_over(const weft__stepper* stepper, uint32_t level,
                      const weft__particles* particles, const weft__schedule* schedule,
                      uint32_t patch) {
  const bool is_coarsest = level == stepper->levels.count;
  const weft__level* coarser = is_coarsest ? NULL : &stepper->levels.levels[level];
  weft__start_multipliers(coarser, schedule, patch);
  if (!is_coarsest) stepper->kernels->blend(particles, &coarser->corrections, patch);
}

static void run_integration(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  (void)phase;
  (void)worker;
  integrate(((const turn*)context)->stepper, patch);
}

static void run_fine_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const turn* t = context;
  const weft__stepper* stepper = t->stepper;
  if (phase > 0) {
    sweep(stepper, &stepper->particles, &stepper->schedule, patch, worker);
    return;
  }
  // without coarse levels integration needs no turn of its own
  if (stepper->levels.count == 0) integrate(stepper, patch);
  take_over(stepper, 0, &stepper->particles, &stepper->schedule, patch);
}

static void run_coarse_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const turn* t = context;
  const weft__level* level = &t->stepper->levels.levels[t->level - 1];
  if (phase == 0) {
    take_over(t->stepper, t->level, &level->particles, &level->schedule, patch);
  } else if (phase <= t->stepper->coarse_iterations) {
    sweep(t->stepper, &level->particles, &level->schedule, patch, worker);
  } else {
    weft__level_note_corrections(level, patch);
  }
}

// takes all patches of a schedule through phases; all workers meet before it returns
static void run_flow(turn* t, weft__flow* flow, const weft__schedule* schedule,
                     uint32_t phase_count, weft__run_phase* run_phase, uint32_t worker) {
  weft__flow_run(flow, schedule, phase_count, worker, run_phase, t);
  weft__worker_pool_meet(t->stepper->pool);
  if (worker == 0) weft__flow_end_step(flow, phase_count);
  weft__worker_pool_meet(t->stepper->pool);
}

static void start_levels(const weft__stepper* stepper, uint32_t worker) {
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    const weft__level* level = &stepper->levels.levels[l];
    const uint32_t* first_patch = level->flow.first_patch;
    weft__level_start(level, &stepper->particles, first_patch[worker], first_patch[worker + 1]);
  }
  weft__worker_pool_meet(stepper->pool);
}

static void run_levels(turn* t, uint32_t worker) {
  weft__stepper* stepper = t->stepper;
  run_flow(t, &stepper->flow, &stepper->schedule, 1, run_integration, worker);
  start_levels(stepper, worker);
  for (t->level = stepper->levels.count; t->level > 0; --t->level) {
    weft__level* level = &stepper->levels.levels[t->level - 1];
    run_flow(t, &level->flow, &level->schedule, stepper->coarse_iterations + 2, run_coarse_phase,
             worker);
  }
}

// ---- tearing ----

static void run_tear_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  (void)phase;
  const weft__stepper* stepper = ((const turn*)context)->stepper;
  const bool found = stepper->kernels->find_torn(&stepper->particles, &stepper->schedule, patch,
                                                 records_of(stepper, worker));
  stepper->has_torn[patch] = found;
}

static void run_tears(turn* t, uint32_t worker) {
  weft__stepper* stepper = t->stepper;
  run_flow(t, &stepper->flow, &stepper->schedule, 1, run_tear_phase, worker);
  if (worker == 0) weft__tear_found(stepper);
  weft__worker_pool_meet(stepper->pool);
}

static void solve_trees(weft__stepper* stepper, uint32_t worker) {
  weft__trees_solve(&stepper->trees, &stepper->particles, stepper->direct_iterations, worker);
  weft__worker_pool_meet(stepper->pool);
}

static void hold_bounds(const weft__stepper* stepper, uint32_t substep, uint32_t worker) {
  weft__hold_bounds(stepper, substep, worker);
  weft__worker_pool_meet(stepper->pool);
}

static void begin_velocities(weft__stepper* stepper, uint32_t worker) {
  const weft__substep substep = substep_of(stepper);
  weft__integrators_begin(&stepper->integrators, &substep, worker);
}

static void end_velocities(weft__stepper* stepper, uint32_t worker) {
  const weft__substep substep = substep_of(stepper);
  weft__integrators_end(&stepper->integrators, &substep, worker);
}

// ---- joints ----

static double inv_step_sq(const weft__stepper* stepper) {
  return 1.0 / (stepper->physics.h * stepper->physics.h);
}

// Sweeps once, whatever was done before: the phase in front of it is there for the flow's order.
static void run_sweep_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const weft__stepper* stepper = ((const turn*)context)->stepper;
  if (phase > 0) sweep(stepper, &stepper->particles, &stepper->schedule, patch, worker);
}

// Begins the substep and sweeps, with joints after each sweep: a weld between two cloths is then as good as
// the links on either side. Without sweeps joints are solved once.
static void sweep_with_joints(turn* t, uint32_t worker) {
  weft__stepper* stepper = t->stepper;
  const uint32_t turns = stepper->iterations > 0 ? stepper->iterations : 1;
  weft__joint_turn joint_turn = {.inv_step_sq = inv_step_sq(stepper), .first = true};
  for (uint32_t i = 0; i < turns; ++i) {
    run_flow(t, &stepper->flow, &stepper->schedule, stepper->iterations > 0 ? 2 : 1,
             i == 0 ? run_fine_phase : run_sweep_phase, worker);
    joint_turn.last = i + 1 == turns && stepper->trees.tree_count == 0;
    weft__joints_solve(&stepper->joints, &stepper->particles, joint_turn, stepper->pool, worker);
    joint_turn.first = false;
  }
}

// what trees have pulled away from its joints
static void solve_joints_again(weft__stepper* stepper, uint32_t worker) {
  const weft__joint_turn joint_turn = {.inv_step_sq = inv_step_sq(stepper), .last = true};
  weft__joints_solve(&stepper->joints, &stepper->particles, joint_turn, stepper->pool, worker);
}

// One substep. Trees come after the sweeps: where they hang off cloth, what these have done to them is put
// right. Velocities come after all that moves particles.
static void take_substep(weft__stepper* stepper, uint32_t substep, uint32_t worker) {
  turn t = {.stepper = stepper};
  if (stepper->integrators.on) begin_velocities(stepper, worker);
  if (stepper->levels.count > 0) run_levels(&t, worker);
  const bool has_joints = stepper->joints.count > 0;
  if (has_joints) {
    sweep_with_joints(&t, worker);
  } else {
    run_flow(&t, &stepper->flow, &stepper->schedule, 1 + stepper->iterations, run_fine_phase,
             worker);
  }
  if (stepper->trees.tree_count > 0) {
    solve_trees(stepper, worker);
    if (has_joints) solve_joints_again(stepper, worker);
  }
  if (stepper->bounds.on) hold_bounds(stepper, substep, worker);
  if (stepper->integrators.on) end_velocities(stepper, worker);
  if (stepper->schedule.can_tear) run_tears(&t, worker);
}

// Before a substep of a step in which pins move, or which is the first one of another length.
static void start_substep(weft__stepper* stepper, uint32_t substep, uint32_t worker) {
  if (worker == 0) {
    if (substep > 0) weft__pace_settle(stepper);
    weft__moves_begin(&stepper->moves, &stepper->particles, substep, stepper->substeps);
    if (stepper->moves.count > 0) weft__tethers_start(&stepper->tethers, &stepper->particles);
  }
  weft__worker_pool_meet(stepper->pool);
}

static void take_steps(void* context, uint32_t worker) {
  const step_job* job = context;
  const weft__float_mode mode = weft__float_mode_enter();
  for (uint64_t step = 0; step < job->step_count; ++step) {
    weft__push_begin(job->stepper, worker);
    for (uint32_t s = 0; s < job->stepper->substeps; ++s) {
      if (job->is_changed) start_substep(job->stepper, s, worker);
      take_substep(job->stepper, s, worker);
    }
    weft__push_end(job->stepper, step == 0, worker);
    if (worker == 0) weft__waiting_close(&job->stepper->waiting);
  }
  weft__float_mode_leave(&mode);
}

// what the levels, the tethers and the joints have to know before the first step
static void prepare(weft__stepper* stepper) {
  const weft__float_mode mode = weft__float_mode_enter();
  if (!stepper->weighed) weft__levels_weigh(&stepper->levels, &stepper->particles);
  stepper->weighed = true;
  weft__tethers_follow_cuts(&stepper->tethers);
  weft__tethers_start(&stepper->tethers, &stepper->particles);
  weft__joints_sort(&stepper->joints);
  weft__float_mode_leave(&mode);
}

static void run(weft__stepper* stepper, uint64_t count, bool is_changed) {
  if (count == 0) return;
  step_job job = {stepper, count, is_changed};
  weft__worker_pool_run(stepper->pool, take_steps, &job);
  stepper->forces.has_added = false;
}

static void take_changed_step(weft__stepper* stepper) {
  run(stepper, 1, true);
  weft__moves_end(&stepper->moves, &stepper->particles);
  const weft__float_mode mode = weft__float_mode_enter();
  weft__pace_settle(stepper);
  weft__float_mode_leave(&mode);
}

void weft__stepper_run(weft__stepper* stepper, uint64_t count) {
  if (count == 0) return;
  prepare(stepper);
  weft__push_prepare(stepper);
  const bool is_changed = stepper->moves.count > 0 || !weft__pace_is_even(stepper);
  if (is_changed) take_changed_step(stepper);
  run(stepper, is_changed ? count - 1 : count, false);
}
