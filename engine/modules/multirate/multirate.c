#include "modules/multirate/multirate.h"

#include "modules/multirate/adaption.h"
#include "modules/multirate/clearance.h"
#include "modules/multirate/components.h"
#include "step/step.h"

static const weft__column columns[] = {
    WEFT__COLUMN(weft__multirate, group, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, sweeps, component_count, WEFT__CACHE),
    WEFT__COLUMN(weft__multirate, first_user, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, last_user, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, length, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, rung, component_count, WEFT__STATE),
    WEFT__COLUMN(weft__multirate, lowest, component_count, WEFT__STATE),
    WEFT__COLUMN(weft__multirate, calm, component_count, WEFT__STATE),
    WEFT__COLUMN(weft__multirate, strides, component_count, WEFT__CACHE),
    WEFT__COLUMN(weft__multirate, level_strides, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, is_apart, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, contacts, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, is_clear, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, boxes, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, environments, environment_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, sum, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, count, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, motion, component_count, WEFT__SCRATCH),
    WEFT__MULTIRATE_SUMS(WEFT__SCRATCH | WEFT__HALO),
};

static bool is_sound(const void* table) {
  const weft__multirate* m = table;
  for (uint32_t c = 0; c < m->component_count; ++c) {
    if (m->strides[c] == 0) return false;
  }
  return weft__adaption_is_sound(m);
}

static void connect(void* table) {
  weft__multirate* m = table;
  m->version = UINT32_MAX;
  m->stepper->strides = m->varies ? m->strides : NULL;
}

const weft__table weft__multirate_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .is_sound = is_sound, .loaded = connect};

bool weft__multirate_create(weft__multirate* m, const weft__build* build) {
  const weft__rate_groups* groups = &build->settings->groups;
  m->stepper = build->stepper;
  m->varies = groups->count > 1 || weft__rate_group_adapts(&groups->of[0]);
  if (!m->varies) return true;
  weft__schedule* cloth = build->schedule;
  m->patch_count = cloth->patch_count;
  m->environment_count = cloth->environment_count;
  if (!weft__components_number(m, cloth, &build->stepper->levels) ||
      !weft__columns_add(m, &weft__multirate_table, 0, &m->bytes))
    return false;
  weft__components_load(m, build);
  connect(m);
  return true;
}

void weft__multirate_destroy(weft__multirate* m) {
  weft__columns_free(m, &weft__multirate_table);
}

// ---- strides ----

// Nothing reads positions between the substeps of any component.
static bool may_vary(const weft__stepper* s) {
  // a number set by a call is all bodies'
  return s->substep_count.set == weft__most_demanding(&s->settings.groups) &&
         s->particles.velocity_block == NULL && !s->settings.with_loads &&
         s->relaxation.residual.tolerance == 0.0f && s->physics.error_h <= s->physics.h &&
         !s->bounds.on && s->pause.count == 0 && !weft__stages_act(&s->stages, WEFT__PHASE_LIMITS);
}

static void find_contacts(weft__multirate* m) {
  const weft__materials* materials = &m->stepper->contacts.materials;
  const weft__schedule* schedule = &m->stepper->schedule;
  if (m->version == materials->version) return;
  m->version = materials->version;
  for (uint32_t c = 0; c < m->component_count; ++c) m->contacts[c] = WEFT__NO_CONTACTS;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    uint8_t* kind = &m->contacts[schedule->component[patch]];
    for (uint32_t i = schedule->patch_first[patch]; i < schedule->patch_first[patch + 1]; ++i) {
      if (materials->of[i] == 0) continue;
      const bool is_cloth = weft__material_of(materials, i)->shape == WEFT_PARTICLE_SHAPE_CLOTH;
      const uint8_t own = is_cloth ? WEFT__CLOTH_CONTACTS : WEFT__OTHER_CONTACTS;
      if (own > *kind) *kind = own;
    }
  }
}

static void attach(const weft__multirate* m, uint32_t particle) {
  const weft__schedule* schedule = &m->stepper->schedule;
  m->is_apart[schedule->component[weft__patch_of_particle(schedule, particle)]] = false;
}

static void find_apart(weft__multirate* m, const weft__step_context* step) {
  const weft__stepper* s = m->stepper;
  const bool has_contacts = s->contacts.materials.on;
  if (has_contacts) find_contacts(m);
  if (has_contacts) weft__clearance_find(m, step);
  for (uint32_t c = 0; c < m->component_count; ++c)
    m->is_apart[c] = !has_contacts || m->contacts[c] == WEFT__NO_CONTACTS || m->is_clear[c];
  for (size_t k = 0; k < s->moves.count; ++k) attach(m, s->moves.moves[k].particle);
  for (size_t k = 0; k < s->grips.count; ++k) attach(m, s->grips.held[k].particle);
  for (uint32_t k = 0; k < s->joints.end; ++k) {
    const weft__joint* joint = &s->joints.joints[k];
    if (joint->state != WEFT__JOINT_WHOLE) continue;
    for (uint32_t e = 0; e < joint->end_count; ++e) attach(m, joint->particle[e]);
  }
}

// Most of a step's substeps in one of at least `wanted`.
static uint32_t stride_of(uint32_t substeps, uint32_t wanted) {
  uint32_t stride = substeps / wanted;
  while (stride > 1 && substeps % stride != 0) --stride;
  return stride > 0 ? stride : 1;
}

// Sweeps of a substep: as many in a step as in its own number of substeps, at least a pair.
static uint32_t sweeps_of(const weft__multirate* m, uint32_t c) {
  const weft__rate_groups* groups = &m->stepper->settings.groups;
  const weft__rate_group* group = &groups->of[m->group[c]];
  const uint32_t taken = weft__most_demanding(groups) / m->strides[c];
  const uint32_t sweeps = group->iterations * weft__rung_of(m, c)->sweeps;
  if (taken <= group->substeps || sweeps <= 2) return sweeps;
  const uint32_t pairs = (sweeps * group->substeps + 2 * taken - 1) / (2 * taken);
  return 2 * pairs;
}

static void set_stride(const weft__multirate* m, uint32_t c, uint32_t substeps) {
  const weft__rate_group* group = &m->stepper->settings.groups.of[m->group[c]];
  const weft__rung* own = weft__rung_of(m, c);
  bool on_levels = group->on_levels;
  m->strides[c] = 1;
  if (m->is_apart[c]) {
    m->strides[c] = stride_of(substeps, (group->substeps + own->part - 1) / own->part);
    // with all substeps cloth that collides is solved as among others
    const bool keeps_levels = own->part == 1 && m->contacts[c] != WEFT__NO_CONTACTS;
    if (weft__adaption_has_strides(m, c) && !keeps_levels) on_levels = own->on_levels;
  }
  m->level_strides[c] = on_levels ? m->strides[c] : 0;
  m->sweeps[c] = sweeps_of(m, c);
}

// Adds a component to the pass of its stride; passes descend.
static void add_to_passes(weft__multirate* m, uint32_t c) {
  const uint32_t stride = m->strides[c];
  uint32_t at = 0;
  while (at < m->pass_count && m->passes[at].stride > stride) ++at;
  if (at == m->pass_count || m->passes[at].stride != stride) {
    for (uint32_t k = m->pass_count++; k > at; --k) m->passes[k] = m->passes[k - 1];
    m->passes[at] = (weft__pass){.stride = stride};
  }
  weft__pass* pass = &m->passes[at];
  if (m->sweeps[c] > pass->iterations) pass->iterations = m->sweeps[c];
  pass->has_levels |= m->level_strides[c] > 0;
}

void weft__multirate_begin(weft__multirate* m, weft__step_context* step) {
  const bool varies = may_vary(m->stepper);
  if (varies) find_apart(m, step);
  for (uint32_t c = 0; c < m->component_count; ++c) {
    m->is_apart[c] &= varies;
    if (!m->is_apart[c]) weft__adaption_restart(m, c);
  }
  weft__adaption_begin(m, step);
  m->pass_count = 0;
  for (uint32_t c = 0; c < m->component_count; ++c) {
    set_stride(m, c, step->substeps);
    add_to_passes(m, c);
  }
  const weft__pass* last = &m->passes[m->pass_count - 1];
  m->settings = m->stepper->settings;
  if (last->stride == 1) m->settings.iterations = last->iterations;
  step->settings = &m->settings;
  step->strides = m->strides;
  step->level_strides = m->level_strides;
  step->sweeps = m->sweeps;
  step->is_idle = last->stride > 1;
  step->skips_levels = !last->has_levels;
}

void weft__multirate_raise(weft__multirate* m, weft__range users) {
  for (uint32_t c = 0; c < m->component_count; ++c) {
    if (m->first_user[c] < users.end && users.begin <= m->last_user[c])
      weft__adaption_restart(m, c);
  }
}

// ---- substeps ----

// Displacements of a long substep become a short one's, at the end of the step only: each time
// rounds.
static void shorten_displacements(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const weft__step_context* step = context;
  const float share = 1.0f / (float)step->stride;
  for (uint32_t patch = patches.begin; patch < patches.end; ++patch) {
    if (weft__step_leaves_out(step, patch)) continue;
    const weft__range own = weft__step_particles(step, (weft__range){patch, patch + 1});
    step->kernels->shorten(step->particles, share, own.begin, own.end);
  }
}

static void set_rate(weft__stepper* stepper, const weft__physics* physics) {
  const double inv_step_sq = weft__inv_step_sq(physics);
  weft__constraint_tables constraints = weft__stepper_constraints(stepper);
  weft__step_size_set_rate(&constraints, inv_step_sq);
  weft__stages_changed(&stepper->stages,
                       &(weft__change){.kind = WEFT__CHANGE_STRIDE, .inv_step_sq = inv_step_sq});
}

static void take_pass(const weft__multirate* m, const weft__step_context* step,
                      const weft__pass* pass) {
  weft__stepper* stepper = m->stepper;
  weft__settings settings = stepper->settings;
  weft__physics physics = stepper->physics;
  weft__joints none = {0};
  settings.substeps = step->substeps / pass->stride;
  settings.iterations = pass->iterations;
  physics.h = physics.solved_h = pass->stride * stepper->physics.h;
  if (step->substep > 0) physics.last_h = physics.h;
  for (uint32_t e = 0; e < m->environment_count; ++e) {
    m->environments[e] = stepper->environments[e];
    weft__step_size_set_environment(&physics, &m->environments[e]);
  }
  weft__step_context own = *step;
  own.stride = pass->stride;
  own.is_idle = false;
  own.skips_levels = !pass->has_levels;
  own.settings = &settings;
  own.joints = &none;
  own.substep = step->substep / pass->stride;
  own.substeps = settings.substeps;
  own.h = own.solved_h = (float)physics.h;
  own.physics = &physics;
  own.environments = m->environments;
  own.motion = &m->environments[0].motion;
  set_rate(stepper, &physics);
  weft__stepper_solve(stepper, &own);
  weft__stepper_tear(stepper, &own);
  if (own.substep + 1 == own.substeps) weft__step_for_patches(&own, shorten_displacements, &own);
}

void weft__multirate_take(const weft__multirate* m, weft__step_context* step) {
  bool any = false;
  for (uint32_t k = 0; k < m->pass_count; ++k) {
    const weft__pass* pass = &m->passes[k];
    if (pass->stride == 1 || step->substep % pass->stride != 0) continue;
    take_pass(m, step, pass);
    any = true;
  }
  if (any) set_rate(m->stepper, &m->stepper->physics);
  step->is_still = step->is_idle && !any;
}
