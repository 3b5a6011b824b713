#include "step/stage.h"

#include "modules/integrators/integrators.h"

static bool claim(void* state, const weft__build* build) {
  (void)state;
  if (build->settings->with_springs) weft__springs_assign(&build->scene->links, build->solver);
  return true;
}

static bool create(void* state, const weft__build* build) {
  const weft__settings* settings = build->settings;
  return weft__integrators_create(state, settings->integrator, settings->with_springs,
                                  &settings->pair_force, build->particles, build->scene,
                                  build->schedule);
}

static void destroy(void* state) {
  weft__integrators_destroy(state);
}

static bool is_on(const void* state) {
  return ((const weft__integrators*)state)->on;
}

static void begin(void* state, weft__step_context* step) {
  weft__integrators_begin(state, step);
}

static void take_share(void* state, weft__step_context* step) {
  weft__integrators_take_share(state, step);
}

static void end(void* state, weft__step_context* step) {
  weft__integrators_end(state, step);
}

static void move(const void* state, weft__step_context* step, uint32_t first, uint32_t last) {
  weft__integrators_move(state, step, first, last);
}

static void changed(void* state, const weft__change* change) {
  weft__integrators* integrators = state;
  if (change->kind == WEFT__CHANGE_MEMBERS) integrators->pair_forces.is_listed = false;
}

// Springs are listed at both ends, with their compliance in their own table.
static void measure_springs(const weft__springs* springs, weft__measure* sums) {
  const weft__particles* p = sums->particles;
  for (uint32_t i = 0; i < p->count && springs->count > 0; ++i) {
    for (uint32_t e = springs->first[i]; e < springs->first[i + 1]; ++e) {
      const weft__spring* spring = &springs->ends[e];
      if (spring->other < i) continue;
      const weft__spring_state at = weft__spring_measure(springs, p, i, spring);
      if (at.length == 0.0) continue;
      sums->elastic += weft__spring_load_of(springs, spring, at.excess).energy;
    }
  }
}

static bool measure(const void* state, weft__measure* sums) {
  const weft__integrators* integrators = state;
  measure_springs(&integrators->springs, sums);
  return !weft__pair_forces_act(&integrators->pair_forces) ||
         weft__pair_forces_energy(&integrators->pair_forces, sums->particles, sums->schedule,
                                  &sums->pair);
}

static void count(const void* state, weft_contact_stats* stats) {
  const weft__integrators* integrators = state;
  stats->lost_pairs += atomic_load_explicit(&integrators->pair_forces.lost, memory_order_relaxed);
}

static double tension_of(const weft__springs* springs, const weft__spring* spring,
                         const weft__link_state* link) {
  const uint32_t i = link->lane->a;
  const weft__spring_state at = weft__spring_measure(springs, link->particles, i, spring);
  if (at.length == 0.0) return 0.0;
  double velocity[3];
  weft__spring_velocity(link->particles, i, spring->other, velocity);
  return weft__spring_load_of(springs, spring, at.excess).force +
         (double)spring->damping * weft__inner(velocity, at.along);
}

static bool read_spring(const void* state, weft__link_state* link) {
  const weft__springs* springs = &((const weft__integrators*)state)->springs;
  const weft__spring* spring = weft__springs_find(springs, link->lane).a;
  if (spring == NULL) return false;
  link->compliance = (float)(1.0 / spring->stiffness);
  link->tension = tension_of(springs, spring, link);
  return true;
}

static weft_error check_edit(const void* state, const weft__link_edit* edit) {
  const weft__springs* springs = &((const weft__integrators*)state)->springs;
  const weft__spring* spring = weft__springs_find(springs, edit->lane).a;
  if (spring == NULL || edit->value != WEFT__VALUE_COMPLIANCE) return WEFT_OK;
  return edit->number > 0.0f && spring->curve == 0 ? WEFT_OK : WEFT_ERROR_RANGE;
}

static bool edit_spring(void* state, const weft__link_edit* edit) {
  const weft__springs* springs = &((const weft__integrators*)state)->springs;
  const weft__spring_ends ends = weft__springs_find(springs, edit->lane);
  weft__spring* const of[2] = {ends.a, ends.b};
  for (int k = 0; k < 2 && of[k] != NULL; ++k) {
    if (edit->value == WEFT__VALUE_COMPLIANCE) {
      of[k]->stiffness = 1.0 / (double)edit->number;
    } else {
      const weft__spring was = *of[k];
      of[k]->shortest = edit->number - (edit->former - was.shortest);
      of[k]->longest = edit->number + (was.longest - edit->former);
    }
  }
  return ends.a != NULL;
}

static void visit(void* state, weft__archive* archive, const weft__contact_setup* setup) {
  weft__integrators* integrators = state;
  const weft__springs* springs = &integrators->springs;
  if (weft__link_values_are_spread(&setup->schedule->links)) {
    WEFT__ARCHIVE_ARRAY(archive, springs->ends, 2 * springs->count);
  }
  weft__pair_forces_visit(&integrators->pair_forces, archive, setup->particles->count);
}

const weft__stage weft__velocities_stage = {
    .name = "velocities",
    .serves = WEFT__SERVES_VELOCITIES,
    .profile = WEFT_STAGE_FORCES,
    .size = sizeof(weft__integrators),
    .bytes = offsetof(weft__integrators, bytes),
    .claim = claim,
    .create = create,
    .destroy = destroy,
    .is_on = is_on,
    .run = {[WEFT__PHASE_BEGIN] = begin, [WEFT__PHASE_SHARE] = take_share, [WEFT__PHASE_END] = end},
    .writes = {[WEFT__PHASE_BEGIN] = WEFT__WRITES(VEL) | WEFT__WRITES(SPRING),
               [WEFT__PHASE_SHARE] = WEFT__WRITES(POS) | WEFT__WRITES(VEL),
               [WEFT__PHASE_END] =
                   WEFT__WRITES(VEL) | WEFT__WRITES(VEL_LAG) | WEFT__WRITES(SPRING)},
    .move = move,
    .changed = changed,
    .measure = measure,
    .count = count,
    .links.read = read_spring,
    .links.check_edit = check_edit,
    .links.edit = edit_spring,
    .snapshots.visit = visit,
};
