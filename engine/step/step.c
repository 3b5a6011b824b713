#include "step/step.h"

#include "base/float_mode.h"
#include "solvers/multigrid/transfer.h"
#include "step/bounds.h"
#include "step/contacts.h"
#include "step/external_forces.h"
#include "step/partial_substep.h"
#include "step/step_size.h"
#include "step/sweep.h"

static void apply_bounds(weft__stepper* stepper, const weft__step_context* step) {
  weft__profile_begin_stage(&stepper->profile, WEFT_STAGE_BOUNDS);
  weft__apply_bounds(step);
}

static void tear(weft__stepper* stepper, const weft__step_context* step) {
  weft__profile_begin_stage(&stepper->profile, WEFT_STAGE_TEARS);
  weft__tear_overstretched(stepper, step);
}

// Contacts come last, so that they determine the final positions.
static void solve_contacts(weft__stepper* stepper, const weft__step_context* step) {
  const bool has_contacts = weft__contacts_act(&stepper->contacts);
  if (has_contacts) weft__contacts_solve(stepper, step);
  if (stepper->bounds.on) apply_bounds(stepper, step);
  weft__stages_run(&stepper->stages, WEFT__PHASE_CONFIRM, step);
}

// Solves the contacts of all particles, also other processes'.
static void solve_all_contacts(weft__stepper* stepper, const weft__step_context* step) {
  weft__step_context all = *step;
  all.patches = (weft__range){0, stepper->schedule.patch_count};
  all.own = (weft__range){0, stepper->particles.count};
  all.domain = NULL;
  weft__domain_gather(step->domain, WEFT__OWNED_PARTICLES, &weft__particle_moves,
                      &stepper->particles);
  solve_contacts(stepper, &all);
}

// Takes the part of a substep of another length that constraints have been solved for.
static void take_share(weft__stepper* stepper, const weft__step_context* step) {
  weft__partial_substep_take(stepper, step);
  weft__moves_return(&stepper->moves, &stepper->particles, step->substep, step->substeps);
}

// Takes one substep. The direct solver follows the sweeps and corrects their errors in trees
// attached to cloth. Velocities follow everything that moves particles.
static void take_substep(weft__stepper* stepper, const weft__step_context* step) {
  const weft__domain* domain = step->domain;
  const bool is_partial = step->solved_h > step->h;
  if (domain != NULL && domain->begin_substep != NULL) domain->begin_substep(domain->context);
  weft__stages_run(&stepper->stages, WEFT__PHASE_BEGIN, step);
  if (weft__contacts_act(&stepper->contacts)) weft__contacts_begin_substep(stepper, step);
  if (is_partial) weft__partial_substep_begin(stepper, step);
  weft__profile_begin_stage(&stepper->profile, WEFT_STAGE_LINKS);
  weft__sweep(stepper, step);
  weft__stages_run(&stepper->stages, WEFT__PHASE_AFTER_SWEEPS, step);
  if (is_partial) take_share(stepper, step);
  weft__stages_run(&stepper->stages, WEFT__PHASE_LIMITS, step);
  if (domain != NULL && domain->solves_all_contacts) {
    solve_all_contacts(stepper, step);
  } else {
    solve_contacts(stepper, step);
  }
  weft__stages_run(&stepper->stages, WEFT__PHASE_END, step);
  if (stepper->schedule.links.can_tear) tear(stepper, step);
  if (is_partial) weft__partial_substep_end(stepper, step);
}

// Start of a substep in which pinned particles move or whose length is new.
static void begin_substep(weft__stepper* stepper, uint32_t substep) {
  if (substep > 0) weft__step_size_settle(stepper);
  const weft__physics* physics = &stepper->physics;
  const weft__move_span span = {.substep = substep,
                                .substeps = stepper->settings.substeps,
                                .stretch = physics->solved_h / physics->h,
                                .scale = physics->solved_h / physics->last_h};
  weft__moves_begin(&stepper->moves, &stepper->particles, &span);
  if (stepper->moves.count > 0)
    weft__attachments_update_anchors(&stepper->attachments, &stepper->particles);
}

static void begin_step(weft__stepper* stepper) {
  weft__profile_begin_step(&stepper->profile);
  weft__worker_pool_record(stepper->pool, stepper->profile.spans);
}

// Jobs between steps, such as a query's, are not recorded.
static void end_step(weft__stepper* stepper) {
  weft__profile_end_step(&stepper->profile);
  weft__worker_pool_record(stepper->pool, NULL);
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
static void skip_step(weft__stepper* stepper, weft__step_context* step) {
  stepper->last.residual = 0.0f;
  for (; step->substep < stepper->settings.substeps; ++step->substep) {
    if (weft__contacts_act(&stepper->contacts)) weft__contacts_begin_substep(stepper, step);
  }
  weft__contacts_end_step(stepper, step);
  weft__external_forces_skip(stepper, step);
}

// `is_changed`: substeps begin with a stage of their own, see weft__stepper_run().
static void take_step(weft__stepper* stepper, bool is_changed) {
  weft__step_context step = weft__stepper_context(stepper);
  begin_step(stepper);
  stepper->last.sweeps = 0;
  weft__work_begin(&stepper->work, stepper->particles.count,
                   stepper->schedule.environment_of == NULL);
  weft__worker_pool_begin(stepper->pool);
  stepper->skips_step = false;
  weft__stages_run(&stepper->stages, WEFT__PHASE_STEP, &step);
  if (!stepper->weighed) update_masses(stepper);
  if (stepper->skips_step) {
    skip_step(stepper, &step);
    return;
  }
  weft__external_forces_begin(stepper, &step);
  if (weft__contacts_act(&stepper->contacts)) weft__contacts_begin_step(stepper, &step);
  for (step.substep = 0; step.substep < stepper->settings.substeps; ++step.substep) {
    if (is_changed) begin_substep(stepper, step.substep);
    take_substep(stepper, &step);
  }
  weft__contacts_end_step(stepper, &step);
  weft__profile_begin_stage(&stepper->profile, WEFT_STAGE_FORCES);
  weft__external_forces_end(stepper, &step);
  weft__torn_events_close_batch(&stepper->torn.events);
}

// Updates all tables that depend on changes by the caller, before the first step.
static void prepare(weft__stepper* stepper) {
  const weft__float_mode mode = weft__float_mode_enter();
  weft__attachments_propagate_cuts(&stepper->attachments);
  update_masses(stepper);
  weft__joints_sort(&stepper->joints);
  weft__float_mode_leave(&mode);
}

static void run(weft__stepper* stepper, uint64_t count, bool is_changed) {
  const weft__float_mode mode = weft__float_mode_enter();
  for (uint64_t step = 0; step < count; ++step) {
    take_step(stepper, is_changed);
    if (!is_changed) end_step(stepper);
  }
  weft__float_mode_leave(&mode);
}

static void take_changed_step(weft__stepper* stepper) {
  weft__float_mode mode = weft__float_mode_enter();
  weft__step_size_set(stepper, stepper->physics.h);
  weft__float_mode_leave(&mode);
  run(stepper, 1, true);
  mode = weft__float_mode_enter();
  weft__moves_end(&stepper->moves, &stepper->particles, (float)(1.0 / stepper->physics.h),
                  (float)(1.0 / weft__step_size_share(stepper)));
  weft__step_size_end_step(stepper);
  weft__float_mode_leave(&mode);
  end_step(stepper);
}

static void run_all(weft__stepper* stepper, uint64_t count) {
  begin_step(stepper);
  prepare(stepper);
  weft__external_forces_prepare(stepper);
  while (count > 0 && (stepper->moves.count > 0 || !weft__step_size_is_constant(stepper))) {
    take_changed_step(stepper);
    --count;
  }
  run(stepper, count, false);
  if (count > 0) stepper->physics.error_h = stepper->physics.h;
  weft__worker_pool_end(stepper->pool);
}

void weft__stepper_run(weft__stepper* stepper, uint64_t count) {
  if (count == 0) return;
  weft__pause_begin(&stepper->pause, stepper->environments, &stepper->schedule,
                    &stepper->particles);
  const double last_h = stepper->physics.last_h;
  run_all(stepper, count);
  weft__pause_end(&stepper->pause, stepper->environments, &stepper->schedule, &stepper->particles,
                  (float)(stepper->physics.last_h / last_h));
}
