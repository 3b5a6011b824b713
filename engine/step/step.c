#include "step/step.h"

#include "base/float_mode.h"
#include "solvers/direct/solve.h"
#include "solvers/joints/joints.h"
#include "step/bounds.h"
#include "step/contacts.h"
#include "step/external_forces.h"
#include "step/step_size.h"
#include "step/sweep.h"

// Arguments of one weft__stepper_run().
typedef struct step_job {
  weft__stepper* stepper;
  uint64_t step_count;
  bool is_changed; /* substeps begin with a stage of their own: see weft__stepper_run() */
} step_job;

// Corrects joints for the displacements by the direct solver.
static void solve_joints_again(weft__stepper* stepper, const weft__stage* stage) {
  const weft__joint_pass pass = {.inv_step_sq = weft__inv_step_sq(stepper), .last = true};
  weft__joints_solve(&stepper->joints, pass, stage);
}

// barrier completion
static uint32_t end_trees(void* context) {
  weft__trees_end_substep(context);
  return 0;
}

static void solve_trees(weft__stepper* stepper, const weft__stage* stage) {
  weft__trees_solve(&stepper->trees, stepper->direct_iterations, stage);
  (void)weft__stage_decide(stage, end_trees, &stepper->trees);
  if (stepper->joints.count > 0) solve_joints_again(stepper, stage);
  weft__profile_record(&stepper->profile, WEFT_STAGE_DIRECT, stage->worker);
}

static void apply_bounds(weft__stepper* stepper, const weft__stage* stage) {
  weft__apply_bounds(stepper, stage);
  weft__stage_barrier(stage);
  weft__profile_record(&stepper->profile, WEFT_STAGE_BOUNDS, stage->worker);
}

static void begin_velocities(weft__stepper* stepper, const weft__stage* stage) {
  weft__integrators_begin(&stepper->integrators, stage);
  weft__profile_record(&stepper->profile, WEFT_STAGE_FORCES, stage->worker);
}

static void end_velocities(weft__stepper* stepper, const weft__stage* stage) {
  weft__integrators_end(&stepper->integrators, stage);
  weft__profile_record(&stepper->profile, WEFT_STAGE_FORCES, stage->worker);
}

static void tear(weft__stepper* stepper, const weft__stage* stage) {
  weft__tear_overstretched(stepper, stage);
  weft__profile_record(&stepper->profile, WEFT_STAGE_TEARS, stage->worker);
}

// One substep. The direct solver follows the sweeps and corrects what they have done to trees
// attached to cloth. Contacts come last, so that they determine the final positions. Velocities
// follow everything that moves particles.
static void take_substep(weft__stepper* stepper, const weft__stage* stage) {
  const bool has_contacts = weft__contacts_act(&stepper->contacts);
  if (stepper->integrators.on) begin_velocities(stepper, stage);
  if (has_contacts) weft__contacts_begin_substep(stepper, stage);
  weft__sweep(stepper, stage);
  weft__profile_record(&stepper->profile, WEFT_STAGE_LINKS, stage->worker);
  if (stepper->trees.tree_count > 0) solve_trees(stepper, stage);
  if (has_contacts) weft__contacts_solve(stepper, stage);
  if (stepper->bounds.on) apply_bounds(stepper, stage);
  if (has_contacts) weft__contacts_run_ccd(stepper, stage);
  if (stepper->integrators.on) end_velocities(stepper, stage);
  if (stepper->schedule.can_tear) tear(stepper, stage);
}

// Start of a substep in which pinned particles move or whose length is new.
typedef struct substep_start {
  weft__stepper* stepper;
  uint32_t substep;
} substep_start;

// barrier completion
static uint32_t begin_substep(void* context) {
  const substep_start* start = context;
  weft__stepper* stepper = start->stepper;
  if (start->substep > 0) weft__step_size_settle(stepper);
  weft__moves_begin(&stepper->moves, &stepper->particles, start->substep, stepper->substeps);
  if (stepper->moves.count > 0)
    weft__attachments_update_anchors(&stepper->attachments, &stepper->particles);
  return 0;
}

static void take_steps(void* context, uint32_t worker) {
  const step_job* job = context;
  weft__stepper* stepper = job->stepper;
  const weft__float_mode mode = weft__float_mode_enter();
  weft__stage stage = weft__stepper_stage(stepper, worker);
  weft__profile_start(&stepper->profile, worker);
  for (uint64_t step = 0; step < job->step_count; ++step) {
    stage.substep = 0;
    weft__external_forces_begin(stepper, &stage);
    weft__profile_record(&stepper->profile, WEFT_STAGE_FORCES, worker);
    if (weft__contacts_act(&stepper->contacts)) weft__contacts_begin_step(stepper, &stage);
    for (; stage.substep < stage.substeps; ++stage.substep) {
      substep_start start = {stepper, stage.substep};
      if (job->is_changed) (void)weft__stage_decide(&stage, begin_substep, &start);
      take_substep(stepper, &stage);
    }
    weft__contacts_end_step(stepper, &stage);
    weft__external_forces_end(stepper, step == 0, &stage);
    weft__profile_record(&stepper->profile, WEFT_STAGE_FORCES, worker);
    if (worker == 0) weft__torn_queue_close_batch(&stepper->torn_queue);
  }
  weft__float_mode_leave(&mode);
}

// Updates all tables that depend on changes by the caller, before the first step.
static void prepare(weft__stepper* stepper) {
  const weft__float_mode mode = weft__float_mode_enter();
  if (!stepper->weighed) weft__levels_set_masses(&stepper->levels, &stepper->particles);
  stepper->weighed = true;
  weft__attachments_propagate_cuts(&stepper->attachments);
  weft__attachments_update_anchors(&stepper->attachments, &stepper->particles);
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
  weft__moves_end(&stepper->moves, &stepper->particles, (float)(1.0 / stepper->physics.h));
  const weft__float_mode mode = weft__float_mode_enter();
  weft__step_size_settle(stepper);
  weft__float_mode_leave(&mode);
}

void weft__stepper_run(weft__stepper* stepper, uint64_t count) {
  if (count == 0) return;
  prepare(stepper);
  weft__external_forces_prepare(stepper);
  const bool is_changed = stepper->moves.count > 0 || !weft__step_size_is_constant(stepper);
  if (is_changed) take_changed_step(stepper);
  run(stepper, is_changed ? count - 1 : count, false);
}
