#include "step/step.h"

#include "base/float_mode.h"
#include "solvers/multigrid/transfer.h"
#include "step/bounds.h"
#include "step/contacts.h"
#include "step/external_forces.h"
#include "step/partial_substep.h"

// Contacts come last, so that they determine the final positions.
static void solve_contacts(weft__contacts* contacts, weft__step_context* step) {
  if (weft__contacts_act(contacts)) weft__contacts_solve(contacts, step);
  if (step->bounds->on) {
    weft__profile_begin_stage(step->profile, WEFT_STAGE_BOUNDS);
    weft__apply_bounds(step);
  }
  weft__stages_run(step->stages, WEFT__PHASE_CONFIRM, step);
}

// Solves the contacts of all particles, also other processes'.
static void solve_all_contacts(weft__contacts* contacts, weft__step_context* step) {
  weft__step_context all = weft__step_of_all(step);
  weft__domain_gather(step->domain, WEFT__OWNED_PARTICLES, &weft__particle_moves, step->particles);
  if (step->joints->count > 0) step->domain->share_joints(step->domain->context);
  solve_contacts(contacts, &all);
}

void weft__stepper_solve(weft__stepper* stepper, weft__step_context* step) {
  weft__constraint_tables constraints = weft__stepper_constraints(stepper);
  weft__profile_begin_stage(step->profile, WEFT_STAGE_LINKS);
  weft__sweep(&stepper->relaxation, &constraints, &stepper->forces.pressures, step);
  weft__stages_run(step->stages, WEFT__PHASE_AFTER_SWEEPS, step);
}

void weft__stepper_tear(weft__stepper* stepper, weft__step_context* step) {
  if (!step->schedule->links.can_tear) return;
  weft__constraint_tables constraints = weft__stepper_constraints(stepper);
  weft__profile_begin_stage(step->profile, WEFT_STAGE_TEARS);
  weft__tear_overstretched(&constraints, stepper->relaxation.records,
                           stepper->forces.pressures.count > 0, step);
}

// Takes one substep. The direct solver follows the sweeps and corrects their errors in trees
// attached to cloth. Velocities follow everything that moves particles.
static void take_substep(weft__stepper* stepper, weft__step_context* step) {
  weft__contacts* contacts = &stepper->contacts;
  const weft__domain* domain = step->domain;
  const bool is_partial = step->solved_h > step->h;
  if (domain != NULL && domain->begin_substep != NULL) domain->begin_substep(domain->context);
  weft__external_forces_begin_substep(&stepper->forces, step);
  weft__stages_run(step->stages, WEFT__PHASE_BEGIN, step);
  if (step->is_still && !weft__contacts_move(contacts)) return;
  if (weft__contacts_act(contacts)) weft__contacts_begin_substep(contacts, step);
  if (is_partial) weft__partial_substep_begin(&stepper->partial, step);
  if (!step->is_idle) weft__stepper_solve(stepper, step);
  if (is_partial) {
    weft__partial_substep_take(&stepper->partial, step);
    weft__moves_return(&stepper->moves, &stepper->particles, step->substep, step->substeps);
  }
  weft__stages_run(step->stages, WEFT__PHASE_LIMITS, step);
  if (domain != NULL && domain->solves_all_contacts) {
    solve_all_contacts(contacts, step);
  } else {
    solve_contacts(contacts, step);
  }
  weft__stages_run(step->stages, WEFT__PHASE_END, step);
  weft__stepper_tear(stepper, step);
  if (is_partial) weft__partial_substep_end(&stepper->partial, step);
}

// Start of a substep in which pinned particles move or whose length is new.
static void begin_substep(weft__stepper* stepper, uint32_t substep) {
  weft__step_size size = weft__stepper_step_size(stepper);
  if (substep > 0) weft__step_size_settle(&size);
  const weft__physics* physics = &stepper->physics;
  const weft__move_span span = {.substep = substep,
                                .substeps = stepper->settings.substeps,
                                .stretch = physics->solved_h / physics->h,
                                .scale = physics->solved_h / physics->last_h};
  weft__moves_begin(&stepper->moves, &stepper->particles, &span);
  if (stepper->moves.count > 0)
    weft__attachments_update_anchors(&stepper->attachments, &stepper->particles);
}

static void begin_step(weft__profile* profile, weft__worker_pool* pool) {
  weft__profile_begin_step(profile);
  weft__worker_pool_record(pool, profile->spans);
}

// Jobs between steps, such as a query's, are not recorded.
static void end_step(weft__profile* profile, weft__worker_pool* pool) {
  weft__profile_end_step(profile);
  weft__worker_pool_record(pool, NULL);
}

// Updates the tables that depend on inverse masses.
static void update_masses(weft__stepper* stepper) {
  if (!stepper->weighed) {
    weft__levels_set_masses(&stepper->levels, &stepper->particles);
    weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_MASSES});
  }
  stepper->weighed = true;
  weft__attachments_update_anchors(&stepper->attachments, &stepper->particles);
}

// Step of a world in which all is asleep: colliders move, gusts and time go on.
static void skip_step(weft__contacts* contacts, weft__forces* forces, weft__step_context* step) {
  for (; step->substep < step->substeps; ++step->substep) {
    if (weft__contacts_act(contacts)) weft__contacts_begin_substep(contacts, step);
  }
  weft__contacts_end_step(contacts, step);
  weft__external_forces_skip(forces, step);
}

// is_changed: substeps begin with a stage of their own, see weft__stepper_run()
static void take_step(weft__stepper* stepper, bool is_changed) {
  weft__step_context step = weft__stepper_context(stepper);
  weft__contacts* contacts = &stepper->contacts;
  weft__forces* forces = &stepper->forces;
  stepper->relaxation.last_sweeps = 0;
  weft__work_begin(step.work, stepper->particles.count, step.schedule->environment_of == NULL);
  weft__worker_pool_begin(step.pool);
  stepper->skips_step = false;
  weft__stages_run(step.stages, WEFT__PHASE_STEP, &step);
  if (!stepper->weighed) update_masses(stepper);
  if (stepper->skips_step) {
    stepper->relaxation.last_residual = 0.0f;
    skip_step(contacts, forces, &step);
    return;
  }
  weft__external_forces_begin(forces, &step);
  if (weft__contacts_act(contacts)) weft__contacts_begin_step(contacts, &step);
  for (step.substep = 0; step.substep < step.substeps; ++step.substep) {
    if (is_changed) begin_substep(stepper, step.substep);
    take_substep(stepper, &step);
  }
  weft__contacts_end_step(contacts, &step);
  weft__profile_begin_stage(step.profile, WEFT_STAGE_FORCES);
  weft__external_forces_end(forces, &step);
  weft__torn_events_close_batch(&stepper->torn.events);
}

// Updates all tables that depend on changes by the caller, before the first step.
static void prepare(weft__stepper* stepper) {
  const weft__float_mode mode = weft__float_mode_enter();
  weft__attachments_propagate_cuts(&stepper->attachments);
  update_masses(stepper);
  weft__joints_sort(&stepper->joints);
  weft__float_mode_leave(&mode);
  weft__external_forces_prepare(&stepper->forces, &stepper->schedule, &stepper->contacts.materials);
}

static void take_changed_step(weft__stepper* stepper) {
  weft__physics* physics = &stepper->physics;
  weft__step_size size = weft__stepper_step_size(stepper);
  weft__step_size_set(&size, physics->h);
  take_step(stepper, true);
  weft__moves_end(&stepper->moves, &stepper->particles, (float)(1.0 / physics->h),
                  (float)(1.0 / weft__step_size_share(physics)));
  weft__step_size_end_step(&size, stepper->settings.substeps);
}

static void run_all(weft__stepper* stepper, uint64_t count) {
  weft__physics* physics = &stepper->physics;
  begin_step(&stepper->profile, stepper->pool);
  prepare(stepper);
  for (; count > 0; --count) {
    const weft__float_mode mode = weft__float_mode_enter();
    begin_step(&stepper->profile, stepper->pool);
    weft__substep_count_choose(stepper);
    if (stepper->moves.count > 0 || !weft__step_size_is_constant(physics)) {
      take_changed_step(stepper);
    } else {
      take_step(stepper, false);
      physics->error_h = physics->h;
    }
    weft__float_mode_leave(&mode);
    end_step(&stepper->profile, stepper->pool);
  }
  weft__worker_pool_end(stepper->pool);
}

void weft__stepper_run(weft__stepper* stepper, uint64_t count) {
  if (count == 0) return;
  weft__float_mode mode = weft__float_mode_enter();
  weft__pause_begin(&stepper->pause, stepper->environments, &stepper->schedule,
                    &stepper->particles);
  weft__float_mode_leave(&mode);
  const double last_h = stepper->physics.last_h;
  run_all(stepper, count);
  mode = weft__float_mode_enter();
  weft__pause_end(&stepper->pause, stepper->environments, &stepper->schedule, &stepper->particles,
                  (float)(stepper->physics.last_h / last_h));
  weft__float_mode_leave(&mode);
}
