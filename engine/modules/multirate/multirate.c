#include "modules/multirate/multirate.h"

#include <math.h>

#include "base/memory.h"
#include "base/min_max.h"
#include "base/union_find.h"
#include "step/step.h"

// Mean strain of cloth that adapts, and its multiple at the lower quality.
#define MAX_STRAIN 0.001
#define DRAFT 5.0
// Mean strain, and motion in a step over the length of links, of hung cloth at rest.
#define REST_STRAIN 0.0001
#define REST_MOTION 0.02
#define CALM_SECONDS (1.0 / 6.0)
// Longer than a swing stands at its end.
#define REST_SECONDS 1.0
// Lane groups of a patch's sample, at most.
#define SAMPLE 8u

// Errors fall to a quarter from one number of substeps to twice as many.
#define LOWER_STRAIN (MAX_STRAIN / 8.0)
// Of large hung cloth in motion, which stretches more with all substeps and no levels, up to some
// strain.
#define MOVING_STRAIN (5.0 * MAX_STRAIN)
#define VIOLENT_STRAIN (6.0 * MAX_STRAIN)

// up: mean strain above which the next rung follows; down: below which the last one does; 0: rest
typedef struct rung {
  uint32_t part;  /* of the substeps it has one */
  bool on_levels; /* of components that adapt */
  double up, down;
} rung;

typedef struct ladder {
  uint32_t top, first; /* at the beginning, and at least after an edit */
  rung rungs[4];
} ladder;

static const ladder ladders[] = {
    [WEFT__ADAPT_NOT] = {0, 0, {{1, false, INFINITY, 0.0}}},
    [WEFT__ADAPT_LOOSE] = {3,
                           3,
                           {{8, false, MAX_STRAIN, 0.0},
                            {4, false, MAX_STRAIN, LOWER_STRAIN},
                            {2, false, MAX_STRAIN, LOWER_STRAIN},
                            {1, false, INFINITY, LOWER_STRAIN}}},
    [WEFT__ADAPT_HUNG] = {1, 1, {{8, false, 0.0, 0.0}, {1, false, INFINITY, 0.0}}},
    [WEFT__ADAPT_HUNG_ON_LEVELS] = {3,
                                    2,
                                    {{8, false, 0.0, 0.0},
                                     {4, true, MOVING_STRAIN, 0.0},
                                     {2, true, VIOLENT_STRAIN, 0.3 * MOVING_STRAIN},
                                     {1, false, INFINITY, 0.75 * VIOLENT_STRAIN}}},
};

static const weft__rate_group* group_of(const weft__multirate* m, uint32_t component) {
  return &m->stepper->settings.groups.of[m->group[component]];
}

static const ladder* ladder_of(const weft__multirate* m, uint32_t component) {
  return &ladders[group_of(m, component)->adaption];
}

static void restart(const weft__multirate* m, uint32_t component) {
  const uint32_t first = ladder_of(m, component)->first;
  if (m->rung[component] < first) m->rung[component] = first;
  m->lowest[component] = 0;
}

#define PATCH_SUMS(kind)                                              \
  WEFT__COLUMN(weft__multirate, patch_sum, patch_count, kind),        \
      WEFT__COLUMN(weft__multirate, patch_motion, patch_count, kind), \
      WEFT__COLUMN(weft__multirate, patch_samples, patch_count, kind)

static const weft__column columns[] = {
    WEFT__COLUMN(weft__multirate, group, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, sweeps, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, first_user, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, last_user, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, rung, component_count, WEFT__STATE),
    WEFT__COLUMN(weft__multirate, lowest, component_count, WEFT__STATE),
    WEFT__COLUMN(weft__multirate, calm, component_count, WEFT__STATE),
    WEFT__COLUMN(weft__multirate, strides, component_count, WEFT__CACHE),
    WEFT__COLUMN(weft__multirate, level_strides, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, is_apart, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, has_contacts, component_count, WEFT__DERIVED),
    WEFT__COLUMN(weft__multirate, environments, environment_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, sum, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, count, component_count, WEFT__SCRATCH),
    WEFT__COLUMN(weft__multirate, motion, component_count, WEFT__SCRATCH),
    PATCH_SUMS(WEFT__SCRATCH | WEFT__HALO),
};

static bool is_sound(const void* table) {
  const weft__multirate* m = table;
  for (uint32_t c = 0; c < m->component_count; ++c) {
    if (m->rung[c] > ladder_of(m, c)->top || m->lowest[c] > 1 || m->strides[c] == 0) return false;
  }
  return true;
}

static void connect(void* table) {
  weft__multirate* m = table;
  m->version = UINT32_MAX;
  m->stepper->strides = m->varies ? m->strides : NULL;
}

const weft__table weft__multirate_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .is_sound = is_sound, .loaded = connect};

static const weft__column sample_columns[] = {
    PATCH_SUMS(WEFT__HALO),
};
static const weft__table sample_table = WEFT__TABLE(sample_columns);

// ---- components ----

// Patches of the cloth that share particles, or whose particles a patch of a level follows.
static void unite_patches(const weft__schedule* cloth, const weft__levels* levels, uint32_t* root) {
  for (uint32_t p = 0; p < cloth->patch_count; ++p) root[p] = p;
  for (uint32_t p = 0; p < cloth->patch_count; ++p) {
    for (uint32_t n = cloth->patch_first_neighbor[p]; n < cloth->patch_first_neighbor[p + 1]; ++n)
      (void)weft__unite(root, p, cloth->neighbors[n]);
  }
  for (uint32_t l = 0; l < levels->count; ++l) {
    const weft__level* level = &levels->levels[l];
    for (uint32_t p = 0; p < level->schedule.patch_count; ++p) {
      const uint32_t begin = level->schedule.patch_first[p];
      const uint32_t first = weft__patch_of_particle(cloth, level->source[begin]);
      for (uint32_t i = begin + 1; i < level->schedule.patch_first[p + 1]; ++i)
        (void)weft__unite(root, first, weft__patch_of_particle(cloth, level->source[i]));
    }
  }
}

static bool number_level(weft__level* level, const weft__schedule* cloth) {
  weft__schedule* schedule = &level->schedule;
  schedule->component = weft__alloc(schedule->patch_count, sizeof(*schedule->component));
  if (schedule->component == NULL) return false;
  schedule->bytes += schedule->patch_count * sizeof(*schedule->component);
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    const uint32_t source = level->source[schedule->patch_first[p]];
    schedule->component[p] = cloth->component[weft__patch_of_particle(cloth, source)];
  }
  return true;
}

static bool number_components(weft__multirate* m, weft__schedule* cloth, weft__levels* levels) {
  cloth->component = weft__alloc(cloth->patch_count, sizeof(*cloth->component));
  if (cloth->component == NULL) return false;
  cloth->bytes += cloth->patch_count * sizeof(*cloth->component);
  unite_patches(cloth, levels, cloth->component);
  // a root is the lowest patch of its component: it comes first
  for (uint32_t p = 0; p < cloth->patch_count; ++p) {
    const uint32_t root = weft__find_root(cloth->component, p);
    cloth->component[p] = root;
  }
  for (uint32_t p = 0; p < cloth->patch_count; ++p) {
    const uint32_t root = cloth->component[p];
    cloth->component[p] = root == p ? m->component_count++ : cloth->component[root];
  }
  bool good = true;
  for (uint32_t l = 0; l < levels->count && good; ++l)
    good = number_level(&levels->levels[l], cloth);
  return good;
}

static void load_components(weft__multirate* m, const weft__build* build) {
  const weft__schedule* cloth = build->schedule;
  for (uint32_t c = 0; c < m->component_count; ++c) m->first_user[c] = UINT32_MAX;
  for (uint32_t p = 0; p < cloth->patch_count; ++p) {
    const uint32_t c = cloth->component[p];
    for (uint32_t i = cloth->patch_first[p]; i < cloth->patch_first[p + 1]; ++i) {
      const uint32_t user = cloth->user_of[i];
      if (user < m->first_user[c]) m->first_user[c] = user;
      if (user > m->last_user[c]) m->last_user[c] = user;
    }
  }
  for (uint32_t c = 0; c < m->component_count; ++c) {
    const size_t part = weft__scene_part_of(build->scene, m->first_user[c]);
    m->group[c] = build->scene->parts[part].patch_key;
    m->sweeps[c] = build->settings->groups.of[m->group[c]].iterations;
    m->strides[c] = 1;
    restart(m, c);
  }
}

bool weft__multirate_create(weft__multirate* m, const weft__build* build) {
  const weft__rate_groups* groups = &build->settings->groups;
  m->stepper = build->stepper;
  m->varies = groups->count > 1 || groups->of[0].adaption != WEFT__ADAPT_NOT;
  if (!m->varies) return true;
  weft__schedule* cloth = build->schedule;
  m->patch_count = cloth->patch_count;
  m->environment_count = cloth->environment_count;
  if (!number_components(m, cloth, &build->stepper->levels) ||
      !weft__columns_add(m, &weft__multirate_table, 0, &m->bytes))
    return false;
  load_components(m, build);
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
  for (uint32_t c = 0; c < m->component_count; ++c) m->has_contacts[c] = false;
  for (uint32_t patch = 0; patch < schedule->patch_count; ++patch) {
    bool any = false;
    for (uint32_t i = schedule->patch_first[patch]; i < schedule->patch_first[patch + 1]; ++i)
      any |= materials->of[i] != 0;
    m->has_contacts[schedule->component[patch]] |= any;
  }
}

static void attach(const weft__multirate* m, uint32_t particle) {
  const weft__schedule* schedule = &m->stepper->schedule;
  m->is_apart[schedule->component[weft__patch_of_particle(schedule, particle)]] = false;
}

static void find_apart(weft__multirate* m) {
  const weft__stepper* s = m->stepper;
  const bool has_contacts = s->contacts.materials.on;
  if (has_contacts) find_contacts(m);
  for (uint32_t c = 0; c < m->component_count; ++c)
    m->is_apart[c] = !has_contacts || !m->has_contacts[c];
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

static void set_stride(const weft__multirate* m, uint32_t c, uint32_t substeps) {
  const weft__rate_group* group = group_of(m, c);
  const rung* own = &ladder_of(m, c)->rungs[m->rung[c]];
  bool on_levels = group->on_levels;
  m->strides[c] = 1;
  if (m->is_apart[c]) {
    m->strides[c] = stride_of(substeps, (group->substeps + own->part - 1) / own->part);
    if (group->adaption != WEFT__ADAPT_NOT) on_levels = own->on_levels;
  }
  m->level_strides[c] = on_levels ? m->strides[c] : 0;
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

// ---- strain ----

// Links that resist only by their length.
static bool is_rigid(const weft__run* run) {
  return !weft__run_is_compliant(run) && !weft__run_has_slack(run) && !run->is_idle;
}

static void sample_group(const weft__multirate* m, uint32_t patch, const weft__run* run,
                         uint32_t group) {
  const weft__schedule* schedule = &m->stepper->schedule;
  const weft__particles* p = &m->stepper->particles;
  const uint32_t g = group - run->first_group;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    if (((uint32_t)schedule->links.lane_mask[group] >> lane & 1u) == 0) continue;
    uint32_t a, b;
    weft__schedule_ends(schedule, patch, run, group, lane, &a, &b);
    const double rest =
        (double)schedule->links.rest_length[run->rest + (size_t)g * run->rest_stride + lane];
    const weft__vec3 offset = weft__minus(weft__vec3_at(p->pos, a), weft__vec3_at(p->pos, b));
    if (!(rest > 0.0)) continue;
    const weft__vec3 moved = weft__minus(weft__vec3_at(p->pos, a), weft__vec3_at(p->prev, a));
    m->patch_sum[patch] += fabs(weft__length(offset) / rest - 1.0);
    m->patch_motion[patch] += weft__length(moved) / rest;
    ++m->patch_samples[patch];
  }
}

// Every n-th lane group of rigid links.
static void sample_patch(const weft__multirate* m, uint32_t patch) {
  const weft__schedule* schedule = &m->stepper->schedule;
  const weft__run* first = schedule->runs + weft__patch_first_run(schedule, patch);
  const weft__run* end = schedule->runs + weft__patch_end_run(schedule, patch);
  uint32_t count = 0;
  for (const weft__run* run = first; run < end; ++run)
    count += is_rigid(run) ? run->group_count : 0;
  const uint32_t every = count / SAMPLE + 1;
  uint32_t next = every / 2;
  for (const weft__run* run = first; run < end; ++run) {
    if (!is_rigid(run)) continue;
    for (; next < run->group_count; next += every)
      sample_group(m, patch, run, run->first_group + next);
    next -= run->group_count;
  }
}

static bool adapts(const weft__multirate* m, uint32_t c) {
  return m->is_apart[c] && group_of(m, c)->adaption != WEFT__ADAPT_NOT;
}

static void sample_patches(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const weft__multirate* m = context;
  for (uint32_t patch = patches.begin; patch < patches.end; ++patch) {
    m->patch_sum[patch] = m->patch_motion[patch] = 0.0;
    m->patch_samples[patch] = 0;
    if (adapts(m, m->stepper->schedule.component[patch])) sample_patch(m, patch);
  }
}

// Raises or lowers the rung of a component of this mean strain and motion in a step.
static void adapt(const weft__multirate* m, uint32_t c, double strain, double motion,
                  double step_seconds) {
  const rung* own = &ladder_of(m, c)->rungs[m->rung[c]];
  const bool moves = motion > REST_MOTION;
  if (moves) m->lowest[c] = 0;
  if (own->up > 0.0 ? strain > own->up : moves || strain > MAX_STRAIN) {
    // at rest it is the rung that strains
    if (m->rung[c] == 0 && !moves) m->lowest[c] = 1;
    ++m->rung[c];
    m->calm[c] = 0;
    return;
  }
  const bool is_enough = own->down > 0.0 ? strain < own->down : !moves && strain < REST_STRAIN;
  m->calm[c] = m->rung[c] > m->lowest[c] && is_enough ? m->calm[c] + 1 : 0;
  if (m->calm[c] * step_seconds < (own->down > 0.0 ? CALM_SECONDS : REST_SECONDS)) return;
  m->calm[c] = 0;
  --m->rung[c];
}

static void adapt_all(weft__multirate* m, weft__step_context* step) {
  const weft__schedule* schedule = step->schedule;
  bool any = false;
  for (uint32_t c = 0; c < m->component_count; ++c) any |= adapts(m, c);
  if (!any) return;
  weft__step_for_patches(step, sample_patches, m);
  weft__domain_gather(step->domain, WEFT__OWNED_PATCHES, &sample_table, m);
  for (uint32_t c = 0; c < m->component_count; ++c) {
    m->sum[c] = m->motion[c] = 0.0;
    m->count[c] = 0;
  }
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    const uint32_t c = schedule->component[p];
    m->sum[c] += m->patch_sum[p];
    m->motion[c] += m->patch_motion[p];
    m->count[c] += m->patch_samples[p];
  }
  const double step_seconds = step->physics->h * (double)step->substeps;
  const double coarseness = step->settings->quality == WEFT_QUALITY_DRAFT ? DRAFT : 1.0;
  for (uint32_t c = 0; c < m->component_count; ++c) {
    const double count = m->count[c];
    if (m->count[c] == 0) continue;
    adapt(m, c, m->sum[c] / count / coarseness, m->motion[c] / count * step->substeps,
          step_seconds);
  }
}

void weft__multirate_begin(weft__multirate* m, weft__step_context* step) {
  if (!may_vary(m->stepper)) {
    for (uint32_t c = 0; c < m->component_count; ++c) m->is_apart[c] = false;
  } else {
    find_apart(m);
    adapt_all(m, step);
  }
  m->pass_count = 0;
  for (uint32_t c = 0; c < m->component_count; ++c) {
    if (!m->is_apart[c]) restart(m, c);
    set_stride(m, c, step->substeps);
    add_to_passes(m, c);
  }
  const weft__pass* last = &m->passes[m->pass_count - 1];
  step->strides = m->strides;
  step->level_strides = m->level_strides;
  step->sweeps = m->sweeps;
  step->is_idle = last->stride > 1;
  step->skips_levels = !last->has_levels;
}

void weft__multirate_raise(weft__multirate* m, weft__range users) {
  for (uint32_t c = 0; c < m->component_count; ++c) {
    if (m->first_user[c] < users.end && users.begin <= m->last_user[c]) restart(m, c);
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
}
