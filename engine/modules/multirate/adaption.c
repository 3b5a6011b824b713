#include "modules/multirate/adaption.h"

#include <math.h>

#include "step/step.h"

// Mean strain of cloth that adapts, and its multiple at the lower quality.
#define MAX_STRAIN 0.001
#define DRAFT 5.0
// Mean strain, and motion in a step over the length of links, of hung cloth at rest.
#define REST_STRAIN 0.0001
#define REST_MOTION 0.02
// Largest motion in a step, over the mean length of links, of trees at rest.
#define TREE_REST_MOTION 0.002
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

// Twice the sweeps leave half to a third of the strain.
#define MORE_RUNGS 2u
#define MORE_SWEEPS                                    \
  {1, false, 2, MOVING_STRAIN, 0.3 * MOVING_STRAIN}, { \
    1, false, 4, INFINITY, 0.3 * MOVING_STRAIN         \
  }

typedef struct ladder {
  uint32_t first; /* at the beginning, and at least after an edit */
  uint32_t all;   /* index of the rung with all substeps: the top one unless sweeps adapt */
  weft__rung rungs[6];
} ladder;

static const ladder ladders[] = {
    [WEFT__ADAPT_NOT] = {0, 0, {{1, false, 1, MOVING_STRAIN, 0.0}, MORE_SWEEPS}},
    [WEFT__ADAPT_LOOSE] = {3,
                           3,
                           {{8, false, 1, MAX_STRAIN, 0.0},
                            {4, false, 1, MAX_STRAIN, LOWER_STRAIN},
                            {2, false, 1, MAX_STRAIN, LOWER_STRAIN},
                            {1, false, 1, MOVING_STRAIN, LOWER_STRAIN},
                            MORE_SWEEPS}},
    [WEFT__ADAPT_HUNG] =
        {1, 1, {{8, false, 1, 0.0, 0.0}, {1, false, 1, MOVING_STRAIN, 0.0}, MORE_SWEEPS}},
    [WEFT__ADAPT_HUNG_ON_LEVELS] = {2,
                                    3,
                                    {{8, false, 1, 0.0, 0.0},
                                     {4, true, 1, MOVING_STRAIN, 0.0},
                                     {2, true, 1, VIOLENT_STRAIN, 0.3 * MOVING_STRAIN},
                                     {1, false, 1, VIOLENT_STRAIN, 0.75 * VIOLENT_STRAIN},
                                     MORE_SWEEPS}},
    [WEFT__ADAPT_TREES] = {1, 1, {{8, false, 1, 0.0, 0.0}, {1, false, 1, INFINITY, 0.0}}},
};

static const weft__rate_group* group_of(const weft__multirate* m, uint32_t component) {
  return &m->stepper->settings.groups.of[m->group[component]];
}

static const ladder* ladder_of(const weft__multirate* m, uint32_t component) {
  return &ladders[group_of(m, component)->adaption];
}

static uint32_t top_of(const weft__multirate* m, uint32_t component) {
  return ladder_of(m, component)->all + (group_of(m, component)->sweeps_adapt ? MORE_RUNGS : 0);
}

bool weft__adaption_has_strides(const weft__multirate* m, uint32_t component) {
  return ladder_of(m, component)->all > 0;
}

bool weft__adaption_is_of_trees(const weft__multirate* m, uint32_t component) {
  return group_of(m, component)->adaption == WEFT__ADAPT_TREES;
}

const weft__rung* weft__rung_of(const weft__multirate* m, uint32_t component) {
  return &ladder_of(m, component)->rungs[m->rung[component]];
}

void weft__adaption_restart(const weft__multirate* m, uint32_t component) {
  const uint32_t first = ladder_of(m, component)->first;
  if (m->rung[component] < first) m->rung[component] = first;
  m->lowest[component] = 0;
}

bool weft__adaption_is_sound(const weft__multirate* m) {
  for (uint32_t c = 0; c < m->component_count; ++c) {
    if (m->rung[c] > top_of(m, c) || m->lowest[c] > 1) return false;
  }
  return true;
}

static const weft__column sample_columns[] = {
    WEFT__MULTIRATE_SUMS(WEFT__HALO),
};
static const weft__table sample_table = WEFT__TABLE(sample_columns);

// Links that resist only by their length.
static bool is_rigid(const weft__run* run) {
  return !weft__run_is_compliant(run) && !weft__run_has_slack(run) && !run->is_idle;
}

static void sample_group(const weft__multirate* m, uint32_t patch, const weft__run* run,
                         uint32_t group) {
  const weft__schedule* schedule = &m->stepper->schedule;
  const weft__particles* p = &m->stepper->particles;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    if (((uint32_t)schedule->links.lane_mask[group] >> lane & 1u) == 0) continue;
    uint32_t a, b;
    weft__schedule_ends(schedule, patch, run, group, lane, &a, &b);
    const double rest = weft__schedule_rest_length(schedule, run, group, lane);
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

// Lowest rung in this step.
static uint32_t floor_of(const weft__multirate* m, uint32_t c) {
  return m->is_apart[c] ? m->lowest[c] : ladder_of(m, c)->first;
}

static bool adapts(const weft__multirate* m, uint32_t c) {
  return top_of(m, c) > floor_of(m, c);
}

typedef struct sampling {
  const weft__multirate* m;
  const weft__step_context* step;
} sampling;

static void sample_patches(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const sampling* of = context;
  const weft__multirate* m = of->m;
  const weft__step_context* step = of->step;
  for (uint32_t patch = patches.begin; patch < patches.end; ++patch) {
    const uint32_t c = step->schedule->component[patch];
    m->patch_sum[patch] = m->patch_motion[patch] = 0.0;
    m->patch_samples[patch] = 0;
    if (!adapts(m, c)) continue;
    if (weft__adaption_is_of_trees(m, c)) {
      const weft__range own = weft__step_particles(step, (weft__range){patch, patch + 1});
      m->patch_motion[patch] =
          (double)step->kernels->measure_displacement(step->particles, own.begin, own.end);
    } else {
      sample_patch(m, patch);
    }
  }
}

// Sums of patches; of trees the largest motion.
static void add_patches(const weft__multirate* m, const weft__schedule* schedule) {
  for (uint32_t c = 0; c < m->component_count; ++c) {
    m->sum[c] = m->motion[c] = 0.0;
    m->count[c] = 0;
  }
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    const uint32_t c = schedule->component[p];
    m->sum[c] += m->patch_sum[p];
    m->count[c] += m->patch_samples[p];
    if (!weft__adaption_is_of_trees(m, c)) {
      m->motion[c] += m->patch_motion[p];
    } else if (m->patch_motion[p] > m->motion[c]) {
      m->motion[c] = m->patch_motion[p];
    }
  }
}

// Raises or lowers the rung of a component of this mean strain, which moves or rests.
static void adapt(const weft__multirate* m, uint32_t c, double strain, bool moves,
                  double step_seconds) {
  const weft__rung* own = weft__rung_of(m, c);
  if (moves) m->lowest[c] = 0;
  if (m->rung[c] < top_of(m, c) &&
      (own->up > 0.0 ? strain > own->up : moves || strain > MAX_STRAIN)) {
    // at rest it is the rung that strains
    if (m->rung[c] == 0 && !moves) m->lowest[c] = 1;
    ++m->rung[c];
    m->calm[c] = 0;
    return;
  }
  const bool is_enough = own->down > 0.0 ? strain < own->down : !moves && strain < REST_STRAIN;
  m->calm[c] = m->rung[c] > floor_of(m, c) && is_enough ? m->calm[c] + 1 : 0;
  if (m->calm[c] * step_seconds < (own->down > 0.0 ? CALM_SECONDS : REST_SECONDS)) return;
  m->calm[c] = 0;
  --m->rung[c];
}

static void adapt_by_samples(const weft__multirate* m, uint32_t c, const weft__step_context* step) {
  const double step_seconds = step->physics->h * (double)step->substeps;
  const double coarseness = step->settings->quality == WEFT_QUALITY_DRAFT ? DRAFT : 1.0;
  const double count = m->count[c];
  const double strain = m->count[c] > 0 ? m->sum[c] / count / coarseness : 0.0;
  if (weft__adaption_is_of_trees(m, c)) {
    const bool rests = m->motion[c] * step->substeps <= TREE_REST_MOTION * m->length[c];
    adapt(m, c, 0.0, !rests, step_seconds);
  } else if (m->count[c] > 0) {
    adapt(m, c, strain, m->motion[c] / count * step->substeps > REST_MOTION, step_seconds);
  }
}

void weft__adaption_begin(weft__multirate* m, weft__step_context* step) {
  bool any = false;
  for (uint32_t c = 0; c < m->component_count; ++c) any |= adapts(m, c);
  if (!any) return;
  sampling of = {m, step};
  weft__step_for_patches(step, sample_patches, &of);
  weft__domain_gather(step->domain, WEFT__OWNED_PATCHES, &sample_table, m);
  add_patches(m, step->schedule);
  for (uint32_t c = 0; c < m->component_count; ++c) adapt_by_samples(m, c, step);
}
