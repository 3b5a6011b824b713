#include "step/multirate.h"

#include "step/step.h"

static bool may_vary(const weft__stepper* s) {
  // a number set by a call is all bodies'
  return s->schedule.rate_group != NULL &&
         s->substep_count.set == weft__most_demanding(&s->settings.groups) &&
         s->schedule.environment_count == 1 && s->particles.velocity_block == NULL &&
         !s->settings.with_loads && s->relaxation.residual.tolerance == 0.0f &&
         s->physics.error_h <= s->physics.h;
}

static bool reads_between(const weft__stepper* s) {
  return s->contacts.materials.on || s->bounds.on || s->joints.count > 0 || s->moves.count > 0 ||
         s->grips.count > 0 || s->pause.count > 0 ||
         weft__stages_act(&s->stages, WEFT__PHASE_LIMITS);
}

// Most of a step's substeps in one of a group of at least `wanted`.
static uint32_t stride_of(uint32_t substeps, uint32_t wanted) {
  uint32_t stride = substeps / wanted;
  while (stride > 1 && substeps % stride != 0) --stride;
  return stride > 0 ? stride : 1;
}

bool weft__multirate_choose(const weft__stepper* stepper, uint32_t strides[WEFT__MAX_RATE_GROUPS]) {
  if (!may_vary(stepper) || reads_between(stepper)) return false;
  const weft__rate_groups* groups = &stepper->settings.groups;
  uint32_t largest = 1;
  for (uint32_t g = 0; g < groups->count; ++g) {
    strides[g] = stride_of(stepper->settings.substeps, groups->of[g].substeps);
    if (strides[g] > largest) largest = strides[g];
  }
  return largest > 1;
}

// Velocities of a long substep as displacements in a short one. At the end of the step only: each
// time rounds.
static void shorten_displacements(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const weft__step_context* step = context;
  const float share = 1.0f / (float)step->stride;
  for (uint32_t patch = patches.begin; patch < patches.end; ++patch) {
    if (weft__step_leaves_out(step, patch)) continue;
    const weft__range own = weft__step_particles(step, (weft__range){patch, patch + 1});
    for (int axis = 0; axis < 3; ++axis) {
      const float* pos = step->particles->pos[axis];
      float* prev = step->particles->prev[axis];
      for (uint32_t i = own.begin; i < own.end; ++i) prev[i] = pos[i] - share * (pos[i] - prev[i]);
    }
  }
}

static void set_rate(weft__stepper* stepper, const weft__physics* physics) {
  const double inv_step_sq = weft__inv_step_sq(physics);
  weft__constraint_tables constraints = weft__stepper_constraints(stepper);
  weft__step_size_set_rate(&constraints, inv_step_sq);
  weft__stages_changed(&stepper->stages,
                       &(weft__change){.kind = WEFT__CHANGE_STRIDE, .inv_step_sq = inv_step_sq});
}

static void take_substep(weft__stepper* stepper, const weft__step_context* step, uint32_t stride) {
  weft__settings settings = stepper->settings;
  weft__physics physics = stepper->physics;
  weft__environment environment = stepper->environments[0];
  settings.substeps = step->substeps / stride;
  settings.iterations = 0;
  for (uint32_t g = 0; g < settings.groups.count; ++g) {
    const uint32_t iterations = settings.groups.of[g].iterations;
    if (step->strides[g] == stride && iterations > settings.iterations)
      settings.iterations = iterations;
  }
  physics.h = physics.solved_h = stride * stepper->physics.h;
  if (step->substep > 0) physics.last_h = physics.h;
  weft__step_size_set_environment(&physics, &environment);
  weft__step_context own = *step;
  own.stride = stride;
  own.settings = &settings;
  own.substep = step->substep / stride;
  own.substeps = settings.substeps;
  own.h = own.solved_h = (float)physics.h;
  own.physics = &physics;
  own.environments = &environment;
  own.motion = &environment.motion;
  set_rate(stepper, &physics);
  weft__stepper_solve(stepper, &own);
  if (own.substep + 1 == own.substeps) weft__step_for_patches(&own, shorten_displacements, &own);
}

void weft__multirate_take(weft__stepper* stepper, const weft__step_context* step) {
  uint32_t stride = step->substeps;
  for (uint32_t before = stride + 1; stride > 1; before = stride) {
    stride = 1;
    for (uint32_t g = 0; g < stepper->settings.groups.count; ++g) {
      const uint32_t own = step->strides[g];
      if (own < before && own > stride) stride = own;
    }
    if (stride > 1 && step->substep % stride == 0) take_substep(stepper, step, stride);
  }
  set_rate(stepper, &stepper->physics);
}
