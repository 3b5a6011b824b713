#include "solvers/multigrid/levels.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/kernels.h"
#include "schedule/freeze.h"
#include "solvers/multigrid/ancestry.h"
#include "solvers/multigrid/coarsen.h"
#include "solvers/multigrid/torn_coarse_links.h"

// ---- prolongation weights ----

static bool continues_run(const weft__prolongation* blend, const weft__parents* parents) {
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] != blend->weight[j]) return false;
    if (parents->of[j] != blend->of[j] + blend->count) return false;
  }
  return true;
}

static bool has_no_parents(const weft__parents* parents) {
  for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
    if (parents->weight[j] != 0.0f) return false;
  }
  return true;
}

// Lists the parents of the finer level's particles as runs, patch by patch. Returns the number of
// runs, and stores them if `blends` is not NULL.
static size_t list_blends(const weft__parents* parents, const weft__schedule* finer,
                          uint32_t* patch_first_blend, weft__prolongation* blends) {
  weft__prolongation blend = {0};
  size_t count = 0;
  for (uint32_t patch = 0; patch < finer->patch_count; ++patch) {
    patch_first_blend[patch] = (uint32_t)count;
    blend.count = 0;
    for (uint32_t i = finer->patch_first[patch]; i < finer->patch_first[patch + 1]; ++i) {
      const weft__parents* here = &parents[finer->user_of[i]];
      if (has_no_parents(here)) {
        blend.count = 0;
        continue;
      }
      if (blend.count == 0 || !continues_run(&blend, here)) {
        blend = (weft__prolongation){.first = i};
        memcpy(blend.of, here->of, sizeof(blend.of));
        memcpy(blend.weight, here->weight, sizeof(blend.weight));
        ++count;
      }
      ++blend.count;
      if (blends != NULL) blends[count - 1] = blend;
    }
  }
  patch_first_blend[finer->patch_count] = (uint32_t)count;
  return count;
}

static bool make_corrections(weft__level* level, const weft__parents* parents,
                             const weft__schedule* finer) {
  weft__coarse_corrections* c = &level->corrections;
  const size_t count = level->schedule.particle_count;
  c->x = weft__alloc_zeroed(3 * count, sizeof(*c->x));
  c->y = c->x + count;
  c->z = c->y + count;
  c->patch_first_blend = weft__alloc((size_t)finer->patch_count + 1, sizeof(uint32_t));
  if (c->x == NULL || c->patch_first_blend == NULL) return false;
  const size_t blends = list_blends(parents, finer, c->patch_first_blend, NULL);
  c->blends = weft__alloc(blends, sizeof(*c->blends));
  if (c->blends == NULL) return false;
  (void)list_blends(parents, finer, c->patch_first_blend, c->blends);
  level->bytes += 3 * count * sizeof(float) + blends * sizeof(*c->blends) +
                  ((size_t)finer->patch_count + 1) * sizeof(uint32_t);
  return true;
}

// ---- starting values of Lagrange multipliers ----

// Share of a coarse link's multiplier that a fine link starts from. Both are strained alike, so the
// force of each is its rest length over its compliance.
static float multiplier_share(const weft_scene* fine, uint32_t link, const weft_scene* coarse,
                              uint32_t ancestor) {
  const weft__links* f = &fine->links;
  const weft__links* c = &coarse->links;
  const double coarse_ratio = (double)c->compliance[ancestor] / (double)c->rest_length[ancestor];
  const double share = coarse_ratio * (double)f->rest_length[link] / (double)f->compliance[link];
  return share < 1.0 ? (float)share : 1.0f;
}

static void set_origins(weft__level* level, const uint32_t* ancestor, const weft_scene* fine,
                        const weft_scene* coarse, const weft__schedule* finer) {
  const weft__multiplier_origins o = level->origins;
  for (uint32_t slot = 0; slot < finer->group_count * WEFT__LANES; ++slot) {
    o.of[slot] = WEFT__NO_ORIGIN;
    o.share[slot] = 0.0f;
  }
  for (uint32_t i = 0; i < fine->links.count; ++i) {
    if (ancestor[i] == WEFT__NO_ANCESTOR || fine->links.compliance[i] == 0.0f) continue;
    const uint32_t slot = finer->slot_of_link[i];
    o.of[slot] = level->schedule.slot_of_link[ancestor[i]];
    o.share[slot] = multiplier_share(fine, i, coarse, ancestor[i]);
  }
}

// The rows of coarse lanes that a group's multipliers start from, if they do.
static weft__origin_rows origin_rows(const uint32_t* of, const float* share) {
  const weft__origin_rows rows = {of[0], of[1], share[0]};
  bool good = of[0] != WEFT__NO_ORIGIN && of[1] != WEFT__NO_ORIGIN;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    good &= of[lane] == (lane % 2 == 0 ? rows.even : rows.odd) + lane / 2;
    good &= share[lane] == rows.share;
  }
  return good ? rows : (weft__origin_rows){.even = WEFT__NO_ORIGIN};
}

static bool make_origins(weft__level* level, const weft__coarsening* coarsening,
                         const weft_scene* fine, const weft__schedule* finer) {
  if (level->schedule.multiplier == NULL || finer->multiplier == NULL) return true;
  weft__multiplier_origins* o = &level->origins;
  const size_t lanes = (size_t)finer->group_count * WEFT__LANES;
  o->of = weft__alloc(lanes, sizeof(*o->of));
  o->share = weft__alloc(lanes, sizeof(*o->share));
  o->rows = weft__alloc(finer->group_count, sizeof(*o->rows));
  uint32_t* ancestor = weft__alloc(fine->links.count, sizeof(*ancestor));
  const bool done = o->of != NULL && o->share != NULL && o->rows != NULL && ancestor != NULL &&
                    weft__list_ancestors(ancestor, coarsening, fine);
  if (done) set_origins(level, ancestor, fine, coarsening->scene, finer);
  for (size_t g = 0; g < finer->group_count && done; ++g) {
    o->rows[g] = origin_rows(o->of + g * WEFT__LANES, o->share + g * WEFT__LANES);
  }
  level->bytes +=
      lanes * (sizeof(*o->of) + sizeof(*o->share)) + finer->group_count * sizeof(*o->rows);
  weft__free(ancestor);
  return done;
}

// ---- construction ----

// State that the construction carries from level to level.
typedef struct level_builder {
  weft__levels* levels;
  const weft__schedule* cloth;
  weft__distances distances;  // along the cloth
  const weft_scene* scene;    // the last level's, or the cloth's
  uint32_t* cloth_of;         // cloth particle of each particle of the scene
} level_builder;

// Allocates the displacements by restriction; starts and positions are columns of other tables.
static bool make_displacements(weft__level* level) {
  const size_t count = (size_t)level->particles.count + WEFT__PARTICLE_PADDING;
  float* block = weft__alloc_zeroed(3 * count, sizeof(*block));
  if (block == NULL) return false;
  weft__displacements* d = &level->displacements;
  const weft__particles* p = &level->particles;
  *d = (weft__displacements){.pos = {p->pos_x, p->pos_y, p->pos_z},
                             .unswept = {p->prev_x, p->prev_y, p->prev_z}};
  for (size_t axis = 0; axis < 3; ++axis) {
    d->start[axis] = level->rests.center[axis];
    d->moved[axis] = block + axis * count;
  }
  level->bytes += 3 * count * sizeof(*block);
  return true;
}

static bool fill_level(weft__level* level, const level_builder* m,
                       const weft__coarsening* coarsening, const weft__schedule* finer,
                       const uint32_t* cloth_of) {
  const uint32_t count = coarsening->scene->particle_count;
  if (!weft__freeze(&level->schedule, coarsening->scene) ||
      !weft__particles_create(&level->particles, count) ||
      !make_corrections(level, coarsening->parents, finer) ||
      !weft__followers_create(&level->followers, &level->schedule, &level->corrections,
                              finer->patch_count, &level->bytes) ||
      !weft__rests_create(&level->rests, &level->schedule, &level->bytes) ||
      !make_displacements(level) || !make_origins(level, coarsening, m->scene, finer)) {
    return false;
  }
  level->schedule.one_sided = true;
  level->source = weft__alloc(count, sizeof(*level->source));
  if (level->source == NULL) return false;
  level->bytes += count * sizeof(*level->source);
  for (uint32_t user = 0; user < count; ++user) {
    level->source[level->schedule.solver_of[user]] = m->cloth->solver_of[cloth_of[user]];
  }
  return true;
}

// Appends the level that was coarsened from the last one.
static bool add_level(level_builder* m, const weft__coarsening* coarsening) {
  weft__levels* levels = m->levels;
  const weft__schedule* finer =
      levels->count == 0 ? m->cloth : &levels->levels[levels->count - 1].schedule;
  const uint32_t count = coarsening->scene->particle_count;
  uint32_t* cloth_of = weft__alloc(count, sizeof(*cloth_of));
  if (cloth_of == NULL) return false;
  for (uint32_t i = 0; i < count; ++i) cloth_of[i] = m->cloth_of[coarsening->fine_of[i]];
  weft__free(m->cloth_of);
  m->cloth_of = cloth_of;
  const bool filled = fill_level(&levels->levels[levels->count++], m, coarsening, finer, cloth_of);
  m->scene = coarsening->scene;
  return filled;
}

static bool add_levels(level_builder* m) {
  weft__coarsening last = {0};
  bool good = true;
  for (bool more = true; good && more && m->levels->count < WEFT__MAX_LEVELS;) {
    weft__coarsening next = {0};
    good = weft__coarsen(&next, m->scene, m->cloth_of, &m->distances);
    more = good && next.scene->links.count > 0;
    if (more) good = add_level(m, &next);
    weft__coarsening_destroy(&last);
    last = next;
  }
  weft__coarsening_destroy(&last);
  return good;
}

// lattices are coarsened without distances
static bool needs_distances(const weft_scene* scene) {
  bool any = false;
  for (size_t p = 0; p < scene->part_count; ++p) any |= scene->parts[p].columns == 0;
  return any;
}

// Stores the cloth's positions in the scene.
static bool store_drawn(weft__levels* levels, const weft_scene* scene,
                        const weft__schedule* cloth) {
  const size_t count = cloth->particle_count;
  const size_t padded = count + WEFT__PARTICLE_PADDING;
  float* block = weft__alloc_zeroed(3 * padded, sizeof(*block));
  levels->drawn[0] = block;
  if (block == NULL) return false;
  for (size_t axis = 0; axis < 3; ++axis) {
    levels->drawn[axis] = block + axis * padded;
    for (size_t i = 0; i < count; ++i) {
      levels->drawn[axis][i] = scene->positions[(size_t)3 * cloth->user_of[i] + axis];
    }
  }
  levels->levels[0].bytes += 3 * padded * sizeof(float);
  return true;
}

bool weft__levels_create(weft__levels* levels, const weft_scene* scene,
                         const weft__schedule* cloth) {
  *levels = (weft__levels){.levels = weft__alloc_zeroed(WEFT__MAX_LEVELS, sizeof(weft__level)),
                           .cloth_patches = cloth->patch_count};
  const uint32_t count = scene->particle_count;
  level_builder m = {.levels = levels,
                     .cloth = cloth,
                     .scene = scene,
                     .cloth_of = weft__alloc(count, sizeof(*m.cloth_of))};
  bool good = levels->levels != NULL && m.cloth_of != NULL &&
              (!needs_distances(scene) || weft__distances_create(&m.distances, scene));
  if (good) {
    for (uint32_t i = 0; i < count; ++i) m.cloth_of[i] = i;
    good = add_levels(&m) && (!cloth->can_tear || weft__levels_make_tearable(levels, cloth));
  }
  good = good && (levels->count == 0 || store_drawn(levels, scene, cloth));
  weft__distances_destroy(&m.distances);
  weft__free(m.cloth_of);
  return good;
}

bool weft__levels_assign_patches(weft__levels* levels, uint32_t worker_count) {
  for (uint32_t l = 0; l < levels->count; ++l) {
    weft__level* level = &levels->levels[l];
    if (!weft__wavefront_create(&level->wavefront, &level->schedule, worker_count)) return false;
    level->wavefront.level = l + 1;
  }
  return true;
}

void weft__levels_destroy(weft__levels* levels) {
  for (uint32_t l = 0; l < levels->count; ++l) {
    weft__level* level = &levels->levels[l];
    weft__particles_destroy(&level->particles);
    weft__schedule_destroy(&level->schedule);
    weft__wavefront_destroy(&level->wavefront);
    weft__followers_destroy(&level->followers);
    weft__rests_destroy(&level->rests);
    weft__free(level->displacements.moved[0]);
    weft__free(level->source);
    weft__free(level->origins.of);
    weft__free(level->origins.share);
    weft__free(level->origins.rows);
    weft__free(level->corrections.follows);
    weft__free(level->links.first);
    weft__free(level->links.to);
    weft__free(level->links.slot);
    weft__free(level->corrections.x);
    weft__free(level->corrections.blends);
    weft__free(level->corrections.patch_first_blend);
  }
  weft__free(levels->drawn[0]);
  weft__free(levels->levels);
  *levels = (weft__levels){0};
}

size_t weft__levels_bytes(const weft__levels* levels) {
  if (levels->levels == NULL) return 0;
  size_t bytes = WEFT__MAX_LEVELS * sizeof(weft__level);
  for (uint32_t l = 0; l < levels->count; ++l) {
    const weft__level* level = &levels->levels[l];
    bytes += level->bytes + level->particles.bytes + level->schedule.bytes + level->wavefront.bytes;
  }
  return bytes;
}

// ---- masses ----

// markers in place of a mass: at a pinned particle, and next to one
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

// Masses of a level in scene order. Between two steps they share the memory of the corrections,
// which every step writes before it reads them.
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

// ---- start of a step, and prolongation ----

// Displacements of the cloth by its integration.
static weft__displacements cloth_displacements(const weft__particles* cloth) {
  return (weft__displacements){.start = {cloth->prev_x, cloth->prev_y, cloth->prev_z},
                               .pos = {cloth->pos_x, cloth->pos_y, cloth->pos_z}};
}

// Records the cloth's positions at the particles. Those without free followers start from there.
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

// Starts the particles of runs [begin, end) from the displacements of the next finer level.
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

// Displacements of the next finer level than level `l`, of those that follow.
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
  if (schedule->multiplier == NULL) return;
  const uint32_t begin = weft__patch_first_group(schedule, patch);
  const uint32_t end = weft__patch_first_group(schedule, patch + 1);
  if (coarser == NULL || coarser->origins.of == NULL) {
    memset(schedule->multiplier + (size_t)begin * WEFT__LANES, 0,
           (size_t)(end - begin) * WEFT__LANES * sizeof(*schedule->multiplier));
    return;
  }
  kernels->start_multipliers(&coarser->origins, coarser->schedule.multiplier, schedule->multiplier,
                             begin, end);
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

// ---- masses and rest lengths as drawn ----

// Lower bound of a coarse rest length as a share of its drawn length. The means may lie far nearer
// to each other where a scene's rest lengths disagree with the distances of its particles.
#define MIN_REST_SHARE 0.25f

// Lower bounds of the rest lengths, from the cloth as drawn. Tears are ignored: the bounds depend
// on masses alone.
static void bound_rest_lengths(const weft__levels* levels, const weft__particles* cloth) {
  if (levels->count == 0) return;
  const weft__kernels* kernels = &weft__kernels_scalar;
  float* const* at = levels->drawn;
  const weft__particles drawn = {.count = cloth->count,
                                 .pos_x = at[0],
                                 .pos_y = at[1],
                                 .pos_z = at[2],
                                 .prev_x = at[0],
                                 .prev_y = at[1],
                                 .prev_z = at[2],
                                 .inv_mass = cloth->inv_mass};
  for (uint32_t l = 0; l < levels->count; ++l) {
    const weft__level* level = &levels->levels[l];
    const size_t lanes = (size_t)level->schedule.group_count * WEFT__LANES;
    weft__displacements finer = finer_displacements(levels, l, &drawn);
    finer.follows = NULL;
    start_runs(level, kernels, &finer, &drawn, 0, level->followers.run_count);
    for (size_t lane = 0; lane < lanes; ++lane) {
      level->rests.lower[lane] = MIN_REST_SHARE * level->rests.drawn[lane];
    }
    for (uint32_t patch = 0; patch < level->schedule.patch_count; ++patch) {
      kernels->measure_rests(&level->rests, &level->schedule, patch);
    }
    memcpy(level->rests.lower, level->schedule.rest_length, lanes * sizeof(float));
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
