#include "solvers/multigrid/transfer.h"

#include <string.h>

#include "solvers/multigrid/coarsen.h"

// in place of a mass: at a pinned particle, and next to one
#define MASS_OF_PINNED (-1.0)
#define MASS_OF_NEAREST (-2.0)

typedef void visit_parents(double* mass, const weft__prolongation* blend, uint32_t k,
                           float inv_mass);

static void add_mass(double* mass, const weft__prolongation* blend, uint32_t k, float inv_mass) {
  if (inv_mass == 0.0f) return;
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    mass[blend->of[j] + k] += (double)blend->weight[j] / (double)inv_mass;
  }
}

static void mark_pinned(double* mass, const weft__prolongation* blend, uint32_t k, float inv_mass) {
  if (inv_mass == 0.0f && blend->weight[0] == 1.0f) mass[blend->of[0] + k] = MASS_OF_PINNED;
}

static void mark_nearest_of_pinned(double* mass, const weft__prolongation* blend, uint32_t k,
                                   float inv_mass) {
  if (inv_mass > 0.0f) return;
  uint32_t nearest = 0;
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (blend->weight[j] == 0.0f) continue;
    if (mass[blend->of[j] + k] == MASS_OF_PINNED) return;
    if (blend->weight[j] > blend->weight[nearest]) nearest = j;
  }
  mass[blend->of[nearest] + k] = MASS_OF_NEAREST;
}

// Scene order. Between steps masses share the memory of corrections, scratch of a step.
static double* masses_of(const weft__level* level) {
  return (void*)level->corrections.x;
}

static void visit_parents_of_finer(const weft__level* level, const weft__particles* finer,
                                   uint32_t finer_patches, visit_parents* visit) {
  const uint32_t count = level->corrections.patch_first_blend[finer_patches];
  for (uint32_t i = 0; i < count; ++i) {
    const weft__prolongation* blend = &level->corrections.blends[i];
    for (uint32_t k = 0; k < blend->count; ++k) {
      visit(masses_of(level), blend, k, finer->inv_mass[blend->first + k]);
    }
  }
}

static void set_masses(weft__level* level, const weft__particles* finer, uint32_t finer_patches) {
  const uint32_t count = level->particles.count;
  double* masses = masses_of(level);
  for (uint32_t i = 0; i < count; ++i) masses[i] = 0.0;
  visit_parents_of_finer(level, finer, finer_patches, add_mass);
  visit_parents_of_finer(level, finer, finer_patches, mark_pinned);
  visit_parents_of_finer(level, finer, finer_patches, mark_nearest_of_pinned);
  for (uint32_t i = 0; i < count; ++i) {
    const double mass = masses[level->schedule.user_of[i]];
    level->particles.inv_mass[i] = mass > 0.0 ? (float)(1.0 / mass) : 0.0f;
  }
  weft__followers_weigh(&level->followers, &level->schedule, finer->inv_mass, masses);
}

// By integration.
static weft__displacements cloth_displacements(const weft__particles* cloth) {
  return (weft__displacements){.start = {cloth->prev_x, cloth->prev_y, cloth->prev_z},
                               .pos = {cloth->pos_x, cloth->pos_y, cloth->pos_z}};
}

static void record_own(const weft__level* level, const weft__displacements* cloth,
                       weft__range particles) {
  const uint32_t* source = level->source;
  for (size_t axis = 0; axis < 3; ++axis) {
    const float* start = cloth->start[axis];
    float* own = level->rests.own[axis];
    for (uint32_t i = particles.begin; i < particles.end; ++i) own[i] = start[source[i]];
  }
  const weft__displacements here = level->displacements;
  for (uint32_t i = particles.begin; i < particles.end; ++i) {
    if (level->followers.share_sums[i] > 0.0f) continue;
    for (size_t axis = 0; axis < 3; ++axis) {
      const float start = cloth->start[axis][source[i]];
      here.start[axis][i] = start;
      here.moved[axis][i] = cloth->pos[axis][source[i]] - start;
      here.pos[axis][i] = here.unswept[axis][i] = start + here.moved[axis][i];
    }
  }
}

static void start_runs(const weft__level* level, const weft__kernels* kernels,
                       const weft__displacements* finer, const weft__particles* cloth,
                       uint32_t begin, uint32_t end) {
  const weft__displacements own = cloth_displacements(cloth);
  kernels->restrict_displacements(&level->followers, finer, &level->displacements, begin, end);
  for (uint32_t r = begin; r < end; ++r) {
    const weft__restriction_run* run = &level->followers.runs[r];
    record_own(level, &own, weft__restriction_range(run, 0));
    if (run->second != WEFT__ONE_RANGE) record_own(level, &own, weft__restriction_range(run, 1));
  }
}

static weft__displacements finer_displacements(const weft__levels* levels, uint32_t l,
                                               const weft__particles* cloth) {
  weft__displacements finer =
      l == 0 ? cloth_displacements(cloth) : levels->levels[l - 1].displacements;
  finer.follows = levels->levels[l].corrections.follows;
  return finer;
}

void weft__level_restrict(const weft__levels* levels, uint32_t l, const weft__kernels* kernels,
                          const weft__particles* cloth, uint32_t begin, uint32_t end) {
  const weft__displacements finer = finer_displacements(levels, l, cloth);
  start_runs(&levels->levels[l], kernels, &finer, cloth, begin, end);
}

void weft__level_start_multipliers(const weft__level* coarser, const weft__kernels* kernels,
                                   const weft__schedule* schedule, uint32_t patch) {
  if (schedule->links.multiplier == NULL) return;
  const uint32_t begin = weft__patch_first_group(schedule, patch);
  const uint32_t end = weft__patch_first_group(schedule, patch + 1);
  if (coarser == NULL || coarser->origins.of == NULL) {
    memset(schedule->links.multiplier + (size_t)begin * WEFT__LANES, 0,
           (size_t)(end - begin) * WEFT__LANES * sizeof(*schedule->links.multiplier));
    return;
  }
  kernels->start_multipliers(&coarser->origins, coarser->schedule.links.multiplier,
                             schedule->links.multiplier, begin, end);
}

void weft__level_store_corrections(const weft__level* level, uint32_t patch) {
  const weft__particles p = level->particles;
  const weft__coarse_corrections c = level->corrections;
  const uint32_t* user_of = level->schedule.user_of;
  const uint32_t end = level->schedule.patch_first[patch + 1];
  for (uint32_t i = level->schedule.patch_first[patch]; i < end; ++i) {
    const uint32_t user = user_of[i];
    c.x[user] = p.pos_x[i] - p.prev_x[i];
    c.y[user] = p.pos_y[i] - p.prev_y[i];
    c.z[user] = p.pos_z[i] - p.prev_z[i];
  }
}

// Share of the drawn length. Means may be far nearer to each other where a scene's rest lengths
// disagree with its positions.
#define MIN_REST_SHARE 0.25f

// The cloth counts as drawn, without tears: the bounds depend only on masses.
static void bound_rest_lengths(const weft__levels* levels, const weft__particles* cloth) {
  if (levels->count == 0) return;
  const weft__kernels* kernels = &weft__kernels_scalar;
  float* const* at = levels->drawn;
  const weft__particles drawn = {.count = cloth->count,
                                 .pos = {at[0], at[1], at[2]},
                                 .prev = {at[0], at[1], at[2]},
                                 .inv_mass = cloth->inv_mass};
  for (uint32_t l = 0; l < levels->count; ++l) {
    const weft__level* level = &levels->levels[l];
    const size_t lanes = (size_t)level->schedule.links.group_count * WEFT__LANES;
    weft__displacements finer = finer_displacements(levels, l, &drawn);
    finer.follows = NULL;
    start_runs(level, kernels, &finer, &drawn, 0, level->followers.run_count);
    for (size_t lane = 0; lane < lanes; ++lane) {
      level->rests.lower[lane] = MIN_REST_SHARE * level->rests.drawn[lane];
    }
    for (uint32_t patch = 0; patch < level->schedule.patch_count; ++patch) {
      kernels->measure_rests(&level->rests, &level->schedule, patch);
    }
    memcpy(level->rests.lower, level->schedule.links.rest_length, lanes * sizeof(float));
  }
}

void weft__levels_set_masses(const weft__levels* levels, const weft__particles* cloth) {
  for (uint32_t l = 0; l < levels->count; ++l) {
    weft__level* level = &levels->levels[l];
    if (l == 0) {
      set_masses(level, cloth, levels->cloth_patches);
    } else {
      const weft__level* finer = &levels->levels[l - 1];
      set_masses(level, &finer->particles, finer->schedule.patch_count);
    }
  }
  bound_rest_lengths(levels, cloth);
}
