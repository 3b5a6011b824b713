#include "step/sweep.h"

#include <string.h>

#include "base/grain_size.h"
#include "forces/spin.h"
#include "schedule/touched.h"
#include "solvers/joints/joints.h"
#include "solvers/multigrid/transfer.h"
#include "step/contacts.h"
#include "step/settings.h"
#include "step/step_size.h"

// Arguments of the phases of one level: the cloth, or a coarse level.
typedef struct level_pass {
  weft__relaxation* relaxation;
  weft__constraint_tables* constraints;
  const weft__pressures* bodies;
  weft__step_context* step;
  uint32_t level;          /* 0 is the cloth, 1 the finest coarse level */
  uint32_t first_backward; /* phase */
  uint32_t sweeps_before;  /* of the cloth in this substep, before this run */
  bool is_paired;          /* backward sweeps follow forward ones one by one */
  bool is_integrated;
} level_pass;

static void move(weft__step_context* step, uint32_t begin, uint32_t end) {
  const uint32_t mover = step->mover;
  if (weft__stages[mover] != NULL) {
    weft__stages[mover]->move(step->stages->of[mover], step, begin, end);
  } else {
    step->kernels->integrate(step->particles, weft__step_motion(step, begin), begin, end);
  }
}

// Begins the substep. Long-range attachments project particles back into their reach before any
// link is solved, once a substep: the sweeps then determine the result. Projecting before or after
// each sweep costs more than it gains.
static void integrate(const level_pass* t, uint32_t patch) {
  const weft__schedule* schedule = t->constraints->schedule;
  const weft__attachments* attachments = t->constraints->attachments;
  const uint32_t begin = schedule->patch_first[patch];
  const uint32_t end = schedule->patch_first[patch + 1];
  weft__hinges_start(&schedule->hinges, patch);
  weft__membranes_start(&schedule->membranes, patch);
  move(t->step, begin, end);
  if (attachments->slot_count == 0) return;
  t->step->kernels->solve_attachments(t->step->particles, attachments, patch, begin, end);
}

// Elements of a patch: links, hinges and membranes, or in reverse.
static void sweep(const level_pass* t, weft__particles* particles, const weft__schedule* schedule,
                  uint32_t patch, bool is_backward, uint32_t worker) {
  const weft__kernels* kernels = t->step->kernels;
  float* records = weft__records_of(t->relaxation->records, worker);
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

// Sweeps of a substep before contacts of cloth, and before the turn of symmetric sweeps.
static uint32_t first_half(uint32_t sweeps) {
  return (sweeps + 1) / 2;
}

// Half of the sweeps are backward, so that a substep is symmetric.
static uint32_t turn_of(const weft__settings* settings, uint32_t sweeps) {
  return settings->sweeps == WEFT_SWEEPS_TEXTBOOK ? WEFT__ALL_FORWARD : 1 + first_half(sweeps);
}

static bool levels_act(const level_pass* t) {
  return t->constraints->levels->count > 0 && !t->step->skips_levels &&
         t->step->substep % t->step->settings->coarse_every == 0;
}

// True if the sweep is one of a patch's component, which may have fewer: half of them before the
// turn of symmetric sweeps, and half after.
static bool has_sweep(const level_pass* t, uint32_t patch, uint32_t phase) {
  const weft__settings* settings = t->step->settings;
  if (t->step->sweeps == NULL) return true;
  const uint32_t own = t->step->sweeps[t->step->schedule->component[patch]];
  const uint32_t sweep = t->sweeps_before + phase;
  if (settings->sweeps == WEFT_SWEEPS_TEXTBOOK || t->is_paired) return sweep <= own;
  const uint32_t turn = first_half(settings->iterations);
  return sweep > turn ? sweep - turn <= own / 2 : turn - sweep < first_half(own);
}

// Prolongation: starts a level from the corrections and multipliers of the next coarser one. A
// coarser level that does not act in this substep has another substep's, and is left out.
static void prolong(const level_pass* t, weft__particles* particles, const weft__schedule* schedule,
                    uint32_t patch) {
  const weft__levels* levels = t->constraints->levels;
  const bool is_coarsest = t->level == levels->count || !levels_act(t) ||
                           weft__step_skips_level(t->step, schedule, patch);
  const weft__level* coarser = is_coarsest ? NULL : &levels->levels[t->level];
  weft__level_start_multipliers(coarser, t->step->kernels, schedule, patch);
  if (!is_coarsest) t->step->kernels->prolongate(particles, &coarser->corrections, patch);
}

static void run_integration(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  (void)phase;
  (void)worker;
  const level_pass* t = context;
  if (!weft__step_leaves_out(t->step, patch)) integrate(t, patch);
}

static void run_fine_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const level_pass* t = context;
  const weft__schedule* schedule = t->constraints->schedule;
  if (weft__step_leaves_out(t->step, patch)) return;
  if (phase > 0) {
    if (has_sweep(t, patch, phase))
      sweep(t, t->step->particles, schedule, patch, phase >= t->first_backward, worker);
    return;
  }
  if (!t->is_integrated) integrate(t, patch);
  prolong(t, t->step->particles, schedule, patch);
}

static void run_coarse_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const level_pass* t = context;
  weft__level* level = &t->constraints->levels->levels[t->level - 1];
  if (weft__step_skips_level(t->step, &level->schedule, patch)) return;
  if (phase == 0) {
    t->step->kernels->measure_rests(&level->rests, &level->schedule, patch);
    prolong(t, &level->particles, &level->schedule, patch);
  } else if (phase <= t->step->settings->coarse_iterations) {
    weft__particles particles = level->particles;
    memcpy(particles.prev, level->displacements.start, sizeof(particles.prev));
    sweep(t, &particles, &level->schedule, patch, phase >= t->first_backward, worker);
  } else {
    weft__level_store_corrections(level, patch);
  }
}

static void run_phases(level_pass* t, uint32_t phases, weft__run_phase* run_phase,
                       const char* name) {
  weft__wavefront_run(&t->relaxation->wavefront, t->constraints->schedule, t->step->pool, phases,
                      t->first_backward, run_phase, name, t);
}

// Pass of its own, for stages between integration and sweeps.
static void integrate_all(level_pass* t) {
  run_phases(t, 1, run_integration, "integrate");
  t->is_integrated = true;
}

// Runs of a piece: a small part of a patch, of which coarse levels have few.
#define RESTRICT_GRAIN WEFT__GRAIN(4u, 1u)

// A run may reach over components: it is left out if none of them acts.
static bool skips_run(const level_pass* t, const weft__level* level, uint32_t run) {
  const weft__range patches = level->followers.runs[run].patches;
  for (uint32_t p = patches.begin; p < patches.end; ++p) {
    if (!weft__step_skips_level(t->step, &level->schedule, p)) return false;
  }
  return true;
}

static void restrict_runs(void* context, weft__range runs, uint32_t worker) {
  (void)worker;
  const level_pass* t = context;
  const weft__levels* levels = t->constraints->levels;
  const uint32_t l = t->level - 1;
  const weft__level* level = &levels->levels[l];
  const uint32_t* own = level->followers.own_runs;
  for (uint32_t k = runs.begin, end; k < runs.end; k = end) {
    const uint32_t run = own != NULL ? own[k] : k;
    end = k + 1;
    if (skips_run(t, level, run)) continue;
    // with those that follow it
    while (end < runs.end && own == NULL && !skips_run(t, level, end)) ++end;
    weft__level_restrict(levels, l, t->step->kernels, t->step->particles, run, run + (end - k));
  }
}

static void read_displacements(const level_pass* t, uint32_t l) {
  weft__halo_fill halo = {&weft__follower_rows, l, &weft__particle_moves, t->step->particles,
                          false};
  if (l > 0) {
    halo.columns = &weft__displacement_columns;
    halo.table = &t->constraints->levels->levels[l - 1].displacements;
  }
  weft__domain_fill(t->step->domain, &halo);
}

static void read_corrections(const level_pass* t, uint32_t l) {
  const weft__domain* domain = t->step->domain;
  weft__level* level = &t->constraints->levels->levels[l];
  if (domain == NULL) return;
  const weft__halo_fill halos[] = {
      {&weft__parent_rows, l, &weft__correction_columns, &level->corrections, false},
      {&weft__origin_links, l, &weft__multiplier_columns, &level->schedule, false},
  };
  for (int k = 0; k < 2; ++k) domain->send(domain->context, &halos[k]);
  for (int k = 0; k < 2; ++k) domain->receive(domain->context, &halos[k]);
}

static void restrict_levels(level_pass* t) {
  const weft__levels* levels = t->constraints->levels;
  for (t->level = 1; t->level <= levels->count; ++t->level) {
    const weft__restriction* followers = &levels->levels[t->level - 1].followers;
    const bool has_all = followers->own_runs == NULL;
    read_displacements(t, t->level - 1);
    weft__step_for(t->step, has_all ? followers->run_count : followers->own_run_count,
                   RESTRICT_GRAIN, restrict_runs, t);
  }
}

static void run_levels(level_pass* t) {
  const weft__settings* settings = t->step->settings;
  restrict_levels(t);
  for (t->level = t->constraints->levels->count; t->level > 0; --t->level) {
    weft__level* level = &t->constraints->levels->levels[t->level - 1];
    t->first_backward = turn_of(settings, settings->coarse_iterations);
    weft__wavefront_run(&level->wavefront, &level->schedule, t->step->pool,
                        settings->coarse_iterations + 2, t->first_backward, run_coarse_phase,
                        "sweep_coarse", t);
    read_corrections(t, t->level - 1);
  }
}

// Sweeps in phase 1; phase 0 only satisfies the order of the wavefront.
static void run_sweep_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker) {
  const level_pass* t = context;
  if (phase == 0 || weft__step_leaves_out(t->step, patch) || !has_sweep(t, patch, phase)) return;
  sweep(t, t->step->particles, t->constraints->schedule, patch, phase >= t->first_backward, worker);
}

static void record_spin(const level_pass* t) {
  if (t->bodies->count > 0) weft__pressures_record_spin(t->bodies, t->step);
}

static void restore_spin(const level_pass* t) {
  if (t->bodies->count > 0) weft__pressures_restore_spin(t->bodies, t->step);
}

static void run_sweeps(level_pass* t, uint32_t count, bool is_backward) {
  if (count == 0) return;
  t->first_backward = is_backward ? 1 : WEFT__ALL_FORWARD;
  record_spin(t);
  run_phases(t, 1 + count, run_sweep_phase, "sweep");
  restore_spin(t);
  t->relaxation->last_sweeps += count;
}

// Sweeps of a substep in two halves, with contacts between them.
static void sweep_around_contacts(level_pass* t) {
  const weft__settings* settings = t->step->settings;
  const uint32_t half = first_half(settings->iterations);
  t->first_backward = WEFT__ALL_FORWARD;
  run_phases(t, 1 + half, run_fine_phase, "sweep");
  restore_spin(t);
  t->relaxation->last_sweeps += half;
  weft__contacts_solve_again(t->step);
  t->sweeps_before = half;
  run_sweeps(t, settings->iterations - half, settings->sweeps == WEFT_SWEEPS_SYMMETRIC);
}

// Joints begin the first of a symmetric pair and end the second: they have the last word.
static void sweep_once(level_pass* t, bool is_backward, weft__joint_pass pass) {
  const bool has_joints = t->step->joints->count > 0;
  if (pass.is_backward && has_joints) weft__joints_solve(t->step->joints, pass, t->step);
  run_sweeps(t, t->step->settings->iterations > 0, is_backward);
  if (!pass.is_backward && has_joints) weft__joints_solve(t->step->joints, pass, t->step);
}

// Sweeps one by one, symmetric ones in pairs: with joints between them, or until the residual is
// within the tolerance. Joints are solved once without sweeps, and once more after a last sweep not
// known to be the last.
static void sweep_one_by_one(level_pass* t) {
  const weft__physics* physics = t->step->physics;
  const uint32_t iterations = t->step->settings->iterations;
  weft__residual* residual = &t->relaxation->residual;
  t->is_paired = true;
  const bool is_symmetric = t->step->settings->sweeps == WEFT_SWEEPS_SYMMETRIC,
             is_followed = weft__stages_act(t->step->stages, WEFT__PHASE_AFTER_SWEEPS);
  const bool is_open = residual->tolerance > 0.0f && iterations > 0;
  const bool has_contacts = weft__contacts_divide_sweeps(t->step);
  const uint32_t sweeps = iterations > 0 ? iterations : 1;
  weft__joint_pass pass = {
      .inv_step_sq = weft__inv_step_sq(physics), .h = physics->h, .first = true};
  if (is_open) weft__residual_begin(residual, t->step);
  for (uint32_t i = 0; i < sweeps; ++i) {
    if (i == first_half(sweeps) && has_contacts) weft__contacts_solve_again(t->step);
    const bool is_backward = is_symmetric && i % 2 == 1;
    pass.is_backward = is_symmetric && !is_backward && iterations > 0;
    pass.last = i + 1 == sweeps && !is_followed;
    t->sweeps_before = i;
    sweep_once(t, is_backward, pass);
    pass.first = false;
    if (!is_open) continue;
    const float last = weft__residual_measure(residual, t->step);
    t->relaxation->last_residual = last;
    const bool is_pair = !is_symmetric || is_backward;
    if (is_pair && last <= residual->tolerance) break;
  }
  if (t->step->joints->count == 0 || pass.last || is_followed) return;
  pass.last = true;
  weft__joints_solve(t->step->joints, pass, t->step);
}

void weft__sweep(weft__relaxation* relaxation, weft__constraint_tables* constraints,
                 const weft__pressures* bodies, weft__step_context* step) {
  level_pass t = {
      .relaxation = relaxation, .constraints = constraints, .bodies = bodies, .step = step};
  const uint32_t iterations = step->settings->iterations;
  const bool is_single = step->joints->count > 0 || relaxation->residual.tolerance > 0.0f;
  const bool has_stages = weft__stages_act(step->stages, WEFT__PHASE_BEFORE_SWEEPS),
             is_elastic = iterations > 0 && weft__stages_act(step->stages, WEFT__PHASE_ELASTICITY);
  const bool has_contacts = weft__contacts_divide_sweeps(step);
  if (has_contacts || has_stages || is_elastic || levels_act(&t) || is_single || bodies->count > 0)
    integrate_all(&t);
  if (has_stages) weft__stages_run(step->stages, WEFT__PHASE_BEFORE_SWEEPS, step);
  if (has_contacts) weft__contacts_begin(step);
  record_spin(&t);
  if (is_elastic) weft__stages_run(step->stages, WEFT__PHASE_ELASTICITY, step);
  if (levels_act(&t)) run_levels(&t);
  t.first_backward = turn_of(step->settings, iterations);
  if (is_single) {
    run_phases(&t, 1, run_fine_phase, "begin");
    restore_spin(&t);
    sweep_one_by_one(&t);
    return;
  }
  if (weft__contacts_divide_sweeps(step)) {
    sweep_around_contacts(&t);
    return;
  }
  run_phases(&t, 1 + iterations, run_fine_phase, "sweep");
  relaxation->last_sweeps += iterations;
  restore_spin(&t);
}

typedef struct tear_search {
  weft__step_context* step;
  weft__records records;
  bool* found; /* [patch_count] */
} tear_search;

static void find_torn(void* context, weft__range patches, uint32_t worker) {
  const tear_search* search = context;
  const weft__step_context* step = search->step;
  float* records = weft__records_of(search->records, worker);
  for (uint32_t p = patches.begin; p < patches.end; ++p) {
    if (weft__step_leaves_out(step, p)) continue;
    search->found[p] = step->kernels->find_torn(step->particles, step->schedule, p, records);
  }
}

static const weft__halo_read touched = {&weft__touched_rows, &weft__particle_positions};

// After sweeps halos are up to date, until another stage moves particles.
static bool moves_after_sweeps(const weft__step_context* step) {
  return step->materials->on || step->bounds->on ||
         weft__stages_act(step->stages, WEFT__PHASE_LIMITS) ||
         weft__stages_act(step->stages, WEFT__PHASE_AFTER_SWEEPS) || step->joints->count > 0;
}

void weft__tear_overstretched(weft__constraint_tables* constraints, weft__records records,
                              bool has_bodies, weft__step_context* step) {
  tear_search search = {step, records, constraints->torn->in_patch};
  const weft__domain* domain = step->domain;
  if (domain != NULL && (has_bodies || moves_after_sweeps(step)))
    weft__domain_read(domain, &touched, step->particles);
  weft__step_for_patches(step, find_torn, &search);
  if (domain != NULL) domain->share_torn(domain->context);
  weft__tear_marked(constraints, WEFT__TEAR_AWAKE);
}
