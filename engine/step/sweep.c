#include "step/sweep.h"

#include <string.h>

#include "base/grain_size.h"
#include "forces/spin.h"
#include "schedule/touched.h"
#include "solvers/joints/joints.h"
#include "solvers/multigrid/transfer.h"
#include "step/residual.h"
#include "step/tear.h"

// Arguments of the phases of one level: the cloth, or a coarse level.
typedef struct level_pass {
  weft__stepper* stepper;
  const weft__step_context* step;
  uint32_t level;          /* 0 is the cloth, 1 the finest coarse level */
  uint32_t first_backward; /* phase */
  bool is_integrated;
} level_pass;

static void move(const weft__stepper* stepper, const weft__step_context* step, uint32_t begin,
                 uint32_t end) {
  const uint32_t mover = step->mover;
  if (weft__stages[mover] != NULL) {
    weft__stages[mover]->move(stepper->stages.of[mover], step, begin, end);
  } else {
    stepper->kernels->integrate(&stepper->particles, weft__step_motion(step, begin), begin, end);
  }
}

// Begins the substep. Long-range attachments project particles back into their reach before any
// link is solved, once a substep: the sweeps then determine the result. Projecting before or after
// each sweep costs more than it gains.
static void integrate(const level_pass* t, uint32_t patch) {
  const weft__stepper* stepper = t->stepper;
  const uint32_t begin = stepper->schedule.patch_first[patch];
  const uint32_t end = stepper->schedule.patch_first[patch + 1];
  weft__hinges_start(&stepper->schedule.hinges, patch);
  weft__membranes_start(&stepper->schedule.membranes, patch);
  move(stepper, t->step, begin, end);
  if (stepper->attachments.slot_count == 0) return;
  stepper->kernels->solve_attachments(&stepper->particles, &stepper->attachments, patch, begin,
                                      end);
}

// Elements of a patch: links, hinges and membranes, or in reverse.
static void sweep(const weft__stepper* stepper, const weft__particles* particles,
                  const weft__schedule* schedule, uint32_t patch, bool is_backward,
                  uint32_t worker) {
  const weft__kernels* kernels = stepper->kernels;
  float* records = weft__records_of(stepper, worker);
  const bool has_hinges = schedule->hinges.hinge_count > 0;
  const bool has_membranes = schedule->membranes.membrane_count > 0;
  if (!is_backward) kernels->solve_patch(particles, schedule, patch, false, records);
  if (has_membranes && is_backward) {
    kernels->solve_membranes(particles, &schedule->membranes, patch, true, records);
  }
  if (has_hinges) {
    kernels->solve_hinges(particles, &schedule->hinges, patch, is_backward, records);
  }
  if (has_membranes && !is_backward) {
    kernels->solve_membranes(particles, &schedule->membranes, patch, false, records);
  }
  if (is_backward) kernels->solve_patch(particles, schedule, patch, true, records);
}

// First backward phase of so many sweeps: half of them, so that a substep is symmetric.
static uint32_t turn_of(const weft__stepper* stepper, uint32_t sweeps) {
  return stepper->settings.sweeps == WEFT_SWEEPS_TEXTBOOK ? WEFT__ALL_FORWARD
                                                          : 1 + (sweeps + 1) / 2;
}

// True if the coarse levels act in this substep.
static bool levels_act(const level_pass* t) {
  return t->stepper->levels.count > 0 && t->step->substep % t->stepper->settings.coarse_every == 0;
}

// Prolongation: starts a level from the corrections and multipliers of the next coarser one.
static void prolong(const level_pass* t, const weft__particles* particles,
                    const weft__schedule* schedule, uint32_t patch) {
  const weft__stepper* stepper = t->stepper;
  const bool is_coarsest = t->level == stepper->levels.count || !levels_act(t);
  const weft__level* coarser = is_coarsest ? NULL : &stepper->levels.levels[t->level];
  weft__level_start_multipliers(coarser, stepper->kernels, schedule, patch);
  if (!is_coarsest) stepper->kernels->prolongate(particles, &coarser->corrections, patch);
}

static void run_integration(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  (void)phase;
  (void)worker;
  const level_pass* t = context;
  if (!weft__step_leaves_out(t->step, patch)) integrate(t, patch);
}

static void run_fine_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const level_pass* t = context;
  const weft__stepper* stepper = t->stepper;
  if (weft__step_leaves_out(t->step, patch)) return;
  if (phase > 0) {
    sweep(stepper, &stepper->particles, &stepper->schedule, patch, phase >= t->first_backward,
          worker);
    return;
  }
  if (!t->is_integrated) integrate(t, patch);
  prolong(t, &stepper->particles, &stepper->schedule, patch);
}

static void run_coarse_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const level_pass* t = context;
  const weft__level* level = &t->stepper->levels.levels[t->level - 1];
  if (phase == 0) {
    t->stepper->kernels->measure_rests(&level->rests, &level->schedule, patch);
    prolong(t, &level->particles, &level->schedule, patch);
  } else if (phase <= t->stepper->settings.coarse_iterations) {
    weft__particles particles = level->particles;
    memcpy(particles.prev, level->displacements.start, sizeof(particles.prev));
    sweep(t->stepper, &particles, &level->schedule, patch, phase >= t->first_backward, worker);
  } else {
    weft__level_store_corrections(level, patch);
  }
}

// Integrates in a pass of its own; only needed if another stage comes between integration and
// sweeps.
static void integrate_all(level_pass* t) {
  weft__stepper* stepper = t->stepper;
  weft__wavefront_run(&stepper->wavefront, &stepper->schedule, stepper->pool, 1, t->first_backward,
                      run_integration, "integrate", t);
  t->is_integrated = true;
}

// ---- coarse levels ----

// Runs of a piece: a small part of a patch, of which coarse levels have few.
#define RESTRICT_GRAIN WEFT__GRAIN(4u, 1u)

static void restrict_runs(void* context, weft__range runs, uint32_t worker) {
  (void)worker;
  const level_pass* t = context;
  const weft__stepper* stepper = t->stepper;
  const uint32_t l = t->level - 1;
  const uint32_t* own = stepper->levels.levels[l].followers.own_runs;
  if (own == NULL) {
    weft__level_restrict(&stepper->levels, l, stepper->kernels, &stepper->particles, runs.begin,
                         runs.end);
    return;
  }
  for (uint32_t k = runs.begin; k < runs.end; ++k) {
    weft__level_restrict(&stepper->levels, l, stepper->kernels, &stepper->particles, own[k],
                         own[k] + 1);
  }
}

static void read_displacements(const level_pass* t, uint32_t l) {
  weft__halo_fill halo = {&weft__follower_rows, l, &weft__particle_moves, t->step->particles,
                          false};
  if (l > 0) {
    halo.columns = &weft__displacement_columns;
    halo.table = &t->stepper->levels.levels[l - 1].displacements;
  }
  weft__domain_fill(t->step->domain, &halo);
}

static void read_corrections(const level_pass* t, uint32_t l) {
  const weft__domain* domain = t->step->domain;
  const weft__level* level = &t->stepper->levels.levels[l];
  if (domain == NULL) return;
  const weft__halo_fill halos[] = {
      {&weft__parent_rows, l, &weft__correction_columns, &level->corrections, false},
      {&weft__origin_links, l, &weft__multiplier_columns, &level->schedule, false},
  };
  for (int k = 0; k < 2; ++k) domain->send(domain->context, &halos[k]);
  for (int k = 0; k < 2; ++k) domain->receive(domain->context, &halos[k]);
}

// Restriction, level by level from the displacements of the next finer one.
static void restrict_levels(level_pass* t) {
  const weft__levels* levels = &t->stepper->levels;
  for (t->level = 1; t->level <= levels->count; ++t->level) {
    const weft__restriction* followers = &levels->levels[t->level - 1].followers;
    const bool has_all = followers->own_runs == NULL;
    read_displacements(t, t->level - 1);
    weft__step_for(t->step, has_all ? followers->run_count : followers->own_run_count,
                   RESTRICT_GRAIN, restrict_runs, t);
  }
}

// Restriction; then sweeps, from the coarsest level to the finest.
static void run_levels(level_pass* t) {
  weft__stepper* stepper = t->stepper;
  restrict_levels(t);
  for (t->level = stepper->levels.count; t->level > 0; --t->level) {
    weft__level* level = &stepper->levels.levels[t->level - 1];
    t->first_backward = turn_of(stepper, stepper->settings.coarse_iterations);
    weft__wavefront_run(&level->wavefront, &level->schedule, stepper->pool,
                        stepper->settings.coarse_iterations + 2, t->first_backward,
                        run_coarse_phase, "sweep_coarse", t);
    read_corrections(t, t->level - 1);
  }
}

// ---- sweeps with joints ----

// Sweeps in phase 1; phase 0 does nothing, and only satisfies the order of the wavefront.
static void run_sweep_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const level_pass* t = context;
  const weft__stepper* stepper = t->stepper;
  if (phase == 0 || weft__step_leaves_out(t->step, patch)) return;
  sweep(stepper, &stepper->particles, &stepper->schedule, patch, phase >= t->first_backward,
        worker);
}

static void record_spin(const level_pass* t) {
  const weft__pressures* pressures = &t->stepper->forces.pressures;
  if (pressures->count > 0) weft__pressures_record_spin(pressures, t->step);
}

static void restore_spin(const level_pass* t) {
  const weft__pressures* pressures = &t->stepper->forces.pressures;
  if (pressures->count > 0) weft__pressures_restore_spin(pressures, t->step);
}

static void run_one_sweep(level_pass* t, bool is_backward) {
  weft__stepper* stepper = t->stepper;
  if (stepper->settings.iterations == 0) return;
  t->first_backward = is_backward ? 1 : WEFT__ALL_FORWARD;
  record_spin(t);
  weft__wavefront_run(&stepper->wavefront, &stepper->schedule, stepper->pool, 2, t->first_backward,
                      run_sweep_phase, "sweep", t);
  restore_spin(t);
  ++stepper->last.sweeps;
}

// One sweep over the links and one over the joints. Of a symmetric pair the first begins and the
// second ends with the joints: joints have the last word.
static void sweep_once(level_pass* t, bool is_backward, weft__joint_pass pass) {
  const bool has_joints = t->stepper->joints.count > 0;
  if (pass.is_backward && has_joints) weft__joints_solve(&t->stepper->joints, pass, t->step);
  run_one_sweep(t, is_backward);
  if (!pass.is_backward && has_joints) weft__joints_solve(&t->stepper->joints, pass, t->step);
}

// Sweeps one by one: with joints between them, or until the residual is within the tolerance, at
// most `iterations`; symmetric ones in pairs. Without sweeps joints are solved once. Joints are
// solved once more if the last sweep was not known to be it.
static void sweep_one_by_one(level_pass* t) {
  weft__stepper* stepper = t->stepper;
  weft__residual* residual = &stepper->residual;
  const bool is_symmetric = stepper->settings.sweeps == WEFT_SWEEPS_SYMMETRIC,
             is_followed = weft__stages_act(&stepper->stages, WEFT__PHASE_AFTER_SWEEPS);
  const bool is_open = residual->tolerance > 0.0f && stepper->settings.iterations > 0;
  const uint32_t sweeps = stepper->settings.iterations > 0 ? stepper->settings.iterations : 1;
  weft__joint_pass pass = {
      .inv_step_sq = weft__inv_step_sq(stepper), .h = stepper->physics.h, .first = true};
  if (is_open) weft__residual_begin(residual, t->step);
  for (uint32_t i = 0; i < sweeps; ++i) {
    const bool is_backward = is_symmetric && i % 2 == 1;
    pass.is_backward = is_symmetric && !is_backward && stepper->settings.iterations > 0;
    pass.last = i + 1 == sweeps && !is_followed;
    sweep_once(t, is_backward, pass);
    pass.first = false;
    if (!is_open) continue;
    stepper->last.residual = weft__residual_measure(residual, t->step);
    const bool is_pair = !is_symmetric || is_backward;
    if (is_pair && stepper->last.residual <= residual->tolerance) break;
  }
  if (stepper->joints.count == 0 || pass.last || is_followed) return;
  pass.last = true;
  weft__joints_solve(&t->stepper->joints, pass, t->step);
}

void weft__sweep(weft__stepper* stepper, const weft__step_context* step) {
  level_pass t = {.stepper = stepper, .step = step};
  const bool is_single = stepper->joints.count > 0 || stepper->residual.tolerance > 0.0f;
  const bool has_gas = stepper->forces.pressures.count > 0;
  const bool has_stages = weft__stages_act(&stepper->stages, WEFT__PHASE_BEFORE_SWEEPS),
             is_elastic = stepper->settings.iterations > 0 &&
                          weft__stages_act(&stepper->stages, WEFT__PHASE_ELASTICITY);
  if (has_stages || is_elastic || levels_act(&t) || is_single || has_gas) integrate_all(&t);
  if (has_stages) weft__stages_run(&stepper->stages, WEFT__PHASE_BEFORE_SWEEPS, step);
  record_spin(&t);
  if (is_elastic) weft__stages_run(&stepper->stages, WEFT__PHASE_ELASTICITY, step);
  if (levels_act(&t)) run_levels(&t);
  t.first_backward = turn_of(stepper, stepper->settings.iterations);
  if (is_single) {
    weft__wavefront_run(&stepper->wavefront, &stepper->schedule, stepper->pool, 1, t.first_backward,
                        run_fine_phase, "begin", &t);
    restore_spin(&t);
    sweep_one_by_one(&t);
    return;
  }
  weft__wavefront_run(&stepper->wavefront, &stepper->schedule, stepper->pool,
                      1 + stepper->settings.iterations, t.first_backward, run_fine_phase, "sweep",
                      &t);
  stepper->last.sweeps += stepper->settings.iterations;
  restore_spin(&t);
}

// ---- tearing ----

static void find_torn(void* context, weft__range patches, uint32_t worker) {
  const weft__stepper* stepper = context;
  float* records = weft__records_of(stepper, worker);
  for (uint32_t p = patches.begin; p < patches.end; ++p) {
    if (stepper->idle_patches != NULL && stepper->idle_patches[p]) continue;
    stepper->torn.in_patch[p] =
        stepper->kernels->find_torn(&stepper->particles, &stepper->schedule, p, records);
  }
}

static const weft__halo_read touched = {&weft__touched_rows, &weft__particle_positions};

// After sweeps halos are up to date, until another stage moves particles.
static bool moves_after_sweeps(const weft__stepper* stepper) {
  return stepper->contacts.materials.on || stepper->bounds.on ||
         weft__stages_act(&stepper->stages, WEFT__PHASE_LIMITS) ||
         weft__stages_act(&stepper->stages, WEFT__PHASE_AFTER_SWEEPS) ||
         stepper->joints.count > 0 || stepper->forces.pressures.count > 0;
}

void weft__tear_overstretched(weft__stepper* stepper, const weft__step_context* step) {
  const weft__domain* domain = step->domain;
  if (domain != NULL && moves_after_sweeps(stepper))
    weft__domain_read(domain, &touched, step->particles);
  weft__step_for_patches(step, find_torn, stepper);
  if (domain != NULL) domain->share_torn(domain->context);
  weft__tear_marked(stepper, WEFT__TEAR_AWAKE);
}
